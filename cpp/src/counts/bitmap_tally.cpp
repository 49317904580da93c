#include "credenet/counts/bitmap_tally.hpp"

#include <algorithm>
#include <bit>

#include "credenet/util/portable.hpp"

// The option target_clones would select this on Intel's processors only: GCC has no name for the
// feature there, and a processor's name stands for its maker too.
#ifdef CREDENET_WIDE_POPCOUNT
#include <immintrin.h>
#endif

namespace credenet {
namespace {

using CountCommon = std::uint32_t(const BitLine*, const BitLine*, std::size_t);
using Intersect = std::uint32_t(const BitLine*, const BitLine*, std::size_t, BitLine*);

// The next level: one more variable, whose bitmaps are stride lines apart.
struct Step {
  const BitLine* bits;
  std::span<const std::uint32_t> cells;
  const std::uint32_t* counts;
  std::size_t n_lines;
  const BitLine* states;
  std::size_t stride;
  std::uint32_t n_states;
};

template <CountCommon* kCountCommon>
[[gnu::always_inline]] inline void add_last(const Step& step, std::uint32_t* table) {
  for (std::size_t at = 0; at < step.cells.size(); ++at) {
    std::uint32_t rest = step.counts[at];
    std::uint32_t* target = table + static_cast<std::size_t>(step.cells[at]) * step.n_states;
    for (std::uint32_t state = 0; state + 1 < step.n_states; ++state) {
      const std::uint32_t count = kCountCommon(step.bits + at * step.n_lines,
                                               step.states + state * step.stride, step.n_lines);
      target[state] += count;
      rest -= count;
    }
    target[step.n_states - 1] += rest;
  }
}

// Finds number, count and bitmap of each occupied cell; returns how many there are.
template <Intersect* kIntersect>
[[gnu::always_inline]] inline std::size_t divide(const Step& step, std::uint32_t* cells,
                                                 std::uint32_t* counts, BitLine* bits) {
  std::size_t n_cells = 0;
  for (std::size_t at = 0; at < step.cells.size(); ++at) {
    for (std::uint32_t state = 0; state < step.n_states; ++state) {
      cells[n_cells] = step.cells[at] * step.n_states + state;
      counts[n_cells] = kIntersect(step.bits + at * step.n_lines, step.states + state * step.stride,
                                   step.n_lines, bits + n_cells * step.n_lines);
      n_cells += counts[n_cells] != 0 ? 1 : 0;
    }
  }
  return n_cells;
}

inline std::uint32_t count_common(const BitLine* a, const BitLine* b, std::size_t n_lines) {
  std::uint64_t sum = 0;
  for (std::size_t line = 0; line < n_lines; ++line) {
    for (std::size_t word = 0; word < 8; ++word) {
      sum += static_cast<std::uint64_t>(std::popcount(a[line].words[word] & b[line].words[word]));
    }
  }
  return static_cast<std::uint32_t>(sum);
}

inline std::uint32_t intersect(const BitLine* a, const BitLine* b, std::size_t n_lines,
                               BitLine* common) {
  for (std::size_t line = 0; line < n_lines; ++line) {
    for (std::size_t word = 0; word < 8; ++word) {
      common[line].words[word] = a[line].words[word] & b[line].words[word];
    }
  }
  return count_common(common, common, n_lines);
}

CREDENET_CLONES
void add_last_anywhere(const Step& step, std::uint32_t* table) {
  add_last<count_common>(step, table);
}

CREDENET_CLONES
std::size_t divide_anywhere(const Step& step, std::uint32_t* cells, std::uint32_t* counts,
                            BitLine* bits) {
  return divide<intersect>(step, cells, counts, bits);
}

#ifdef CREDENET_WIDE_POPCOUNT

CREDENET_WIDE_POPCOUNT inline __m512i common_line(const BitLine& a, const BitLine& b) {
  return _mm512_and_si512(_mm512_load_si512(&a), _mm512_load_si512(&b));
}

// GCC 12 warns about its own header if _mm512_reduce_add_epi64 or a cast to the lower half is used.
CREDENET_WIDE_POPCOUNT inline std::uint32_t sum_of(__m512i sums) {
  const __m256i four = _mm256_add_epi64(_mm512_maskz_extracti64x4_epi64(0xF, sums, 0),
                                        _mm512_maskz_extracti64x4_epi64(0xF, sums, 1));
  const __m128i two =
      _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1));
}

CREDENET_WIDE_POPCOUNT inline std::uint32_t count_common_wide(const BitLine* a, const BitLine* b,
                                                              std::size_t n_lines) {
  __m512i sums = _mm512_setzero_si512();
  for (std::size_t line = 0; line < n_lines; ++line) {
    sums = _mm512_add_epi64(sums, _mm512_popcnt_epi64(common_line(a[line], b[line])));
  }
  return sum_of(sums);
}

CREDENET_WIDE_POPCOUNT inline std::uint32_t intersect_wide(const BitLine* a, const BitLine* b,
                                                           std::size_t n_lines, BitLine* common) {
  __m512i sums = _mm512_setzero_si512();
  for (std::size_t line = 0; line < n_lines; ++line) {
    const __m512i both = common_line(a[line], b[line]);
    _mm512_store_si512(common + line, both);
    sums = _mm512_add_epi64(sums, _mm512_popcnt_epi64(both));
  }
  return sum_of(sums);
}

CREDENET_WIDE_POPCOUNT void add_last_wide(const Step& step, std::uint32_t* table) {
  add_last<count_common_wide>(step, table);
}

CREDENET_WIDE_POPCOUNT std::size_t divide_wide(const Step& step, std::uint32_t* cells,
                                               std::uint32_t* counts, BitLine* bits) {
  return divide<intersect_wide>(step, cells, counts, bits);
}

bool has_wide_popcount() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vpopcntdq") != 0;
}

#else

constexpr auto add_last_wide = add_last_anywhere;
constexpr auto divide_wide = divide_anywhere;
bool has_wide_popcount() { return false; }

#endif

}  // namespace

bool BitmapTally::is_wide() {
  static const bool wide = has_wide_popcount();
  return wide;
}

void BitmapTally::add(std::span<const std::uint16_t> variables, std::size_t first_line,
                      std::size_t n_lines, std::uint32_t* table) {
  if (stack_.empty() || first_line != first_line_ || n_lines != n_lines_) {
    start(first_line, n_lines);
  }
  const std::size_t n_shared = variables.size() - 1;
  std::size_t shared = 0;
  while (shared < depth_ && shared < n_shared && stack_[shared + 1].variable == variables[shared]) {
    ++shared;
  }
  for (depth_ = shared; depth_ < n_shared;) extend(variables[depth_]);
  const Level& level = stack_[n_shared];
  const BitLine* states = rows_.bitmaps(variables.back()).data() + first_line;
  (wide_ ? add_last_wide : add_last_anywhere)(
      {level.bits.data(), level.cells, level.counts.data(), n_lines, states, rows_.n_lines(),
       rows_.n_observed(variables.back())},
      table);
}

void BitmapTally::start(std::size_t first_line, std::size_t n_lines) {
  first_line_ = first_line;
  n_lines_ = n_lines;
  depth_ = 0;
  if (stack_.empty()) stack_.resize(1);
  Level& level = stack_[0];
  const std::size_t first_row = first_line * BitLine::kRows;
  const std::size_t n_rows = std::min(n_lines * BitLine::kRows, rows_.n_rows() - first_row);
  level.cells = {0};
  level.counts = {static_cast<std::uint32_t>(n_rows)};
  // Bits beyond the last row may be set here: no state has them.
  level.bits.resize(n_lines);
  for (BitLine& line : level.bits) line.words.fill(~std::uint64_t{0});
}

void BitmapTally::extend(std::uint16_t variable) {
  if (stack_.size() < depth_ + 2) stack_.resize(depth_ + 2);
  const Level& above = stack_[depth_];
  Level& level = stack_[++depth_];
  const std::uint32_t n_states = rows_.n_observed(variable);
  const BitLine* states = rows_.bitmaps(variable).data() + first_line_;
  level.variable = variable;
  const std::size_t most = above.cells.size() * n_states;
  level.cells.resize(most);
  level.counts.resize(most);
  if (level.bits.size() < most * n_lines_) level.bits.resize(most * n_lines_);
  level.cells.resize((wide_ ? divide_wide : divide_anywhere)(
      {above.bits.data(), above.cells, above.counts.data(), n_lines_, states, rows_.n_lines(),
       n_states},
      level.cells.data(), level.counts.data(), level.bits.data()));
}

}  // namespace credenet
