#include "credenet/posterior/family_weights.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numbers>
#include <numeric>
#include <utility>

#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

constexpr double kLongestSegment = 256;  // Longest segment, in nats.
constexpr double kNegligible = 0x1p-40;  // Negligible share of a sum.
constexpr std::size_t kLanes = 32;       // Families of a block.
constexpr double kLightShare = 0.125;    // Share of the families beyond the heavy blocks.
constexpr std::size_t kMostHeavy = 64;   // Most heavy blocks.
constexpr std::size_t kTries = 16;       // Families drawn until one fits.

// Sets fit[k] to the weight at k if it fits, else to 0.
[[gnu::always_inline]] inline void find_fitting(const double* weights, const std::uint64_t* masks,
                                                const std::uint64_t* blocked, std::size_t n_words,
                                                double* fit) {
  if (n_words == 1) {
    const std::uint64_t word = blocked[0];
    for (std::size_t k = 0; k < kLanes; ++k) fit[k] = (masks[k] & word) == 0 ? weights[k] : 0.0;
    return;
  }
  std::uint64_t overlaps[kLanes] = {};
  for (std::size_t at = 0; at < n_words; ++at) {
    const std::uint64_t word = blocked[at];
    for (std::size_t k = 0; k < kLanes; ++k) overlaps[k] |= masks[at * kLanes + k] & word;
  }
  for (std::size_t k = 0; k < kLanes; ++k) fit[k] = overlaps[k] == 0 ? weights[k] : 0.0;
}

CREDENET_CLONES void fit_block(const double* weights, const std::uint64_t* masks,
                               const std::uint64_t* blocked, std::size_t n_words, double* fit) {
  find_fitting(weights, masks, blocked, n_words, fit);
}

// Adds the weights of some blocks that fit, times the scale, to the sums.
CREDENET_CLONES void spread_blocks(const double* weights, const std::uint64_t* masks,
                                   std::size_t n_blocks, const std::uint64_t* blocked,
                                   std::size_t n_words, double scale, double* sums) {
  for (std::size_t block = 0; block < n_blocks; ++block) {
    double fit[kLanes];
    find_fitting(weights, masks, blocked, n_words, fit);
    for (std::size_t k = 0; k < kLanes; ++k) sums[k] += fit[k] * scale;
    weights += kLanes;
    masks += kLanes * n_words;
    sums += kLanes;
  }
}

// Adds up the weights of some blocks that fit, until the rest is negligible. Returns how many
// blocks were added; sums has a place for each of them or is null. The order of additions is
// written out, so that it is the same with vectors of any length.
CREDENET_CLONES std::size_t add_blocks(const double* weights, const std::uint64_t* masks,
                                       const double* tails, std::size_t n_blocks,
                                       const std::uint64_t* blocked, std::size_t n_words,
                                       double scale, double& sum, double* sums) {
  double total = sum;
  std::size_t block = 0;
  for (; block < n_blocks; ++block) {
    if (tails[block] * scale <= kNegligible * total) break;
    double fit[kLanes];
    find_fitting(weights, masks, blocked, n_words, fit);
    for (std::size_t k = 0; k < 16; ++k) fit[k] += fit[k + 16];
    for (std::size_t k = 0; k < 8; ++k) fit[k] += fit[k + 8];
    total +=
        (((fit[0] + fit[4]) + (fit[2] + fit[6])) + ((fit[1] + fit[5]) + (fit[3] + fit[7]))) * scale;
    if (sums != nullptr) sums[block] = total;
    weights += kLanes;
    masks += kLanes * n_words;
  }
  sum = total;
  return block;
}

// Groups that hold any of eight variables, for each set of them, from the eighth part of a word.
using Touched = std::array<std::uint16_t, 256>;

// Finds which of some groups the families of some blocks touch, if one word holds all variables.
void touch_word(const std::uint64_t* masks, std::size_t n_families, const std::uint64_t* groups,
                std::size_t n_groups, std::size_t n_bytes, std::uint16_t* touched) {
  std::array<Touched, 8> tables;
  for (std::size_t byte = 0; byte < n_bytes; ++byte) {
    Touched& table = tables[byte];
    table[0] = 0;
    for (std::size_t bit = 0; bit < 8; ++bit) {
      std::uint32_t by_one = 0;
      for (std::size_t group = 0; group < n_groups; ++group) {
        by_one |= static_cast<std::uint32_t>(groups[group] >> (8 * byte + bit) & 1) << group;
      }
      const std::size_t step = std::size_t{1} << bit;
      for (std::size_t set = 0; set < step; ++set) {
        table[step + set] = static_cast<std::uint16_t>(table[set] | by_one);
      }
    }
  }
  for (std::size_t family = 0; family < n_families; ++family) {
    std::uint32_t found = 0;
    std::uint64_t mask = masks[family];
    for (std::size_t byte = 0; byte < n_bytes; ++byte, mask >>= 8)
      found |= tables[byte][mask & 255];
    touched[family] = static_cast<std::uint16_t>(found);
  }
}

// Finds the touched groups for more variables than a word holds.
CREDENET_CLONES void touch_blocks(const std::uint64_t* masks, std::size_t n_blocks,
                                  const std::uint64_t* groups, std::size_t n_groups,
                                  std::size_t n_words, std::uint16_t* touched) {
  for (std::size_t block = 0; block < n_blocks; ++block) {
    std::uint64_t bits[kLanes] = {};
    for (std::size_t word = 0; word < n_words; ++word) {
      for (std::size_t group = 0; group < n_groups; ++group) {
        const std::uint64_t members = groups[group * n_words + word];
        if (members == 0) continue;
        const std::uint64_t bit = std::uint64_t{1} << group;
        for (std::size_t k = 0; k < kLanes; ++k) bits[k] |= (masks[k] & members) != 0 ? bit : 0;
      }
      masks += kLanes;
    }
    for (std::size_t k = 0; k < kLanes; ++k) touched[k] = static_cast<std::uint16_t>(bits[k]);
    touched += kLanes;
  }
}

}  // namespace

FamilyWeights::FamilyWeights(const FamilyLists& lists)
    : lists_(lists),
      n_words_((lists.n_variables() + 63) / 64),
      candidates_(lists.n_variables() * n_words_),
      required_at_(lists.n_variables() * lists.n_variables(),
                   static_cast<std::uint32_t>(lists.n_variables())) {
  static_assert(kBlock == kLanes);
  const std::size_t n = n_variables();
  for (std::size_t v = 0; v < n; ++v) add_variable(v);
  for (std::size_t v = 0; v < n; ++v) n_heavy_.push_back(count_heavy_blocks(v));
  ranges_.emplace_back();
  std::vector<std::vector<std::uint32_t>> with(n);  // Places of families that have each parent.
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t at = ranges_[v].begin; at < ranges_[v].end; ++at) {
      const Segment& segment = segments_[at];
      for (std::size_t place = segment.begin * kBlock; place < segment.end * kBlock; ++place) {
        if (weights_[place] == 0) continue;
        for (const std::int32_t parent : lists.parents_of(families_[place])) {
          with[static_cast<std::size_t>(parent)].push_back(static_cast<std::uint32_t>(place));
        }
      }
    }
    for (std::size_t parent = 0; parent < n; ++parent) {
      if (!with[parent].empty()) add_required(v, parent, with[parent]);
      with[parent].clear();
    }
  }
}

std::size_t FamilyWeights::bytes(const FamilyLists& lists) {
  const std::size_t n = lists.n_variables();
  const std::size_t n_words = (n + 63) / 64;
  const std::size_t n_places = lists.scores.size() + n * kBlock / 2;
  return n_places * (sizeof(std::uint32_t) + sizeof(double) + n_words * sizeof(std::uint64_t)) +
         lists.parents.size() * (sizeof(std::uint32_t) + sizeof(double)) +
         n * n * sizeof(std::uint32_t);
}

// Families come best first, as in the lists.
void FamilyWeights::add_variable(std::size_t variable) {
  List range{segments_.size(), segments_.size()};
  std::size_t k = 0;  // Place in the block.
  for (std::size_t family = lists_.begin(variable); family < lists_.end(variable); ++family, ++k) {
    const double score = lists_.scores[family];
    const bool starts =
        segments_.size() == range.begin || score < segments_.back().log_scale - kLongestSegment;
    if (starts) segments_.push_back({tails_.size(), tails_.size(), score});
    if (starts || k == kBlock) {
      k = 0;
      tails_.push_back(0);
      segments_.back().end = tails_.size();
      families_.resize(tails_.size() * kBlock);
      weights_.resize(tails_.size() * kBlock);
      masks_.resize(tails_.size() * kBlock * n_words_);
    }
    const std::size_t block = tails_.size() - 1;
    families_[block * kBlock + k] = static_cast<std::uint32_t>(family);
    weights_[block * kBlock + k] = std::exp(score - segments_.back().log_scale);
    for (const std::int32_t parent : lists_.parents_of(family)) {
      const auto at = static_cast<std::size_t>(parent);
      masks_[(block * n_words_ + at / 64) * kBlock + k] |= std::uint64_t{1} << (at % 64);
    }
  }
  range.end = segments_.size();
  ranges_.push_back(range);
  find_tails(range, tails_, [&](std::size_t block) {
    const auto first = weights_.begin() + static_cast<std::ptrdiff_t>(block * kBlock);
    return std::accumulate(first, first + kBlock, 0.0);
  });
}

std::size_t FamilyWeights::count_heavy_blocks(std::size_t variable) const {
  if (ranges_[variable].begin == ranges_[variable].end) return 0;
  const Segment& segment = segments_[ranges_[variable].begin];
  const double light = kLightShare * tails_[segment.begin];
  std::size_t block = segment.begin;
  while (block < segment.end && tails_[block] > light) ++block;
  const std::size_t n_heavy = block - segment.begin;
  return n_heavy <= kMostHeavy && 4 * n_heavy <= segment.end - segment.begin ? n_heavy : 0;
}

// The segments are those of the variable's list, whose weights are used.
void FamilyWeights::add_required(std::size_t variable, std::size_t parent,
                                 std::span<const std::uint32_t> places) {
  List range{segments_.size(), segments_.size()};
  std::size_t of_variable = ranges_[variable].begin;
  for (const std::uint32_t place : places) {
    const std::size_t before = of_variable;
    while (place >= segments_[of_variable].end * kBlock) ++of_variable;
    if (segments_.size() == range.begin || of_variable != before) {
      segments_.push_back({members_.size(), members_.size(), segments_[of_variable].log_scale});
    }
    members_.push_back(place);
    segments_.back().end = members_.size();
  }
  range.end = segments_.size();
  member_tails_.resize(members_.size());
  find_tails(range, member_tails_, [&](std::size_t at) { return weights_[members_[at]]; });
  candidates_[variable * n_words_ + parent / 64] |= std::uint64_t{1} << (parent % 64);
  required_at_[variable * n_variables() + parent] = static_cast<std::uint32_t>(ranges_.size());
  ranges_.push_back(range);
}

template <typename WeightOf>
void FamilyWeights::find_tails(const List& list, std::vector<double>& tails,
                               WeightOf&& weight_of) const {
  double log_later = -std::numeric_limits<double>::infinity();  // Log weight of the later segments.
  for (std::size_t at = list.end; at-- > list.begin;) {
    double tail = std::exp(log_later - segments_[at].log_scale);
    for (std::size_t place = segments_[at].end; place-- > segments_[at].begin;) {
      tail += weight_of(place);
      tails[place] = tail;
    }
    log_later = segments_[at].log_scale + std::log(tail);
  }
}

std::size_t FamilyWeights::list_of(std::size_t variable, std::size_t required) const {
  if (required == kNone) return variable;
  return required_at_[variable * n_variables() + required];
}

double FamilyWeights::add_up(std::size_t list, const std::uint64_t* blocked, double& log_scale,
                             std::vector<double>* sums) const {
  double sum = 0;
  for (std::size_t at = ranges_[list].begin; at < ranges_[list].end; ++at) {
    const Segment& segment = segments_[at];
    if (sum == 0) log_scale = segment.log_scale;
    const double scale = std::exp(segment.log_scale - log_scale);
    const std::size_t length = segment.end - segment.begin;
    const std::size_t before = sums == nullptr ? 0 : sums->size();
    if (sums != nullptr) sums->resize(before + length);
    double* kept = sums == nullptr ? nullptr : sums->data() + before;
    const std::size_t done =
        list < n_variables()
            ? add_blocks(weights_.data() + segment.begin * kBlock,
                         masks_.data() + segment.begin * kBlock * n_words_,
                         tails_.data() + segment.begin, length, blocked, n_words_, scale, sum, kept)
            : add_members(segment, blocked, scale, sum, kept);
    if (sums != nullptr) sums->resize(before + done);
    if (done < length) break;
  }
  return sum;
}

std::size_t FamilyWeights::add_members(const Segment& segment, const std::uint64_t* blocked,
                                       double scale, double& sum, double* sums) const {
  for (std::size_t at = segment.begin; at < segment.end; ++at) {
    if (member_tails_[at] * scale <= kNegligible * sum) return at - segment.begin;
    if (fits(members_[at], blocked)) sum += weights_[members_[at]] * scale;
    if (sums != nullptr) *sums++ = sum;
  }
  return segment.end - segment.begin;
}

bool FamilyWeights::fits(std::size_t place, const std::uint64_t* blocked) const {
  const std::uint64_t* mask = masks_.data() + place / kBlock * kBlock * n_words_ + place % kBlock;
  std::uint64_t overlap = 0;
  for (std::size_t word = 0; word < n_words_; ++word) {
    overlap |= mask[word * kBlock] & blocked[word];
  }
  return overlap == 0;
}

double FamilyWeights::log_sum(std::size_t variable, std::span<const std::uint64_t> blocked,
                              std::size_t required) const {
  double log_scale = 0;
  const double sum = add_up(list_of(variable, required), blocked.data(), log_scale, nullptr);
  return log_scale + std::log(sum);
}

double FamilyWeights::steps(const Weighed& found) const {
  const std::size_t each = found.list < n_variables() ? kBlock : 1;
  return static_cast<double>(found.sums.size() * each);
}

void FamilyWeights::weigh(std::size_t variable, std::span<const std::uint64_t> blocked,
                          std::size_t required, Weighed& found) const {
  found.list = list_of(variable, required);
  found.sums.clear();
  add_up(found.list, blocked.data(), found.log_scale, &found.sums);
}

FamilyWeights::Block FamilyWeights::fitting(std::size_t block,
                                            std::span<const std::uint64_t> blocked) const {
  Block weights;
  fit_block(weights_.data() + block * kBlock, masks_.data() + block * kBlock * n_words_,
            blocked.data(), n_words_, weights.data());
  return weights;
}

void FamilyWeights::spread(const Weighed& found, std::span<const std::uint64_t> blocked,
                           double number, std::span<double> sums) const {
  for_each_part(found, [&](std::size_t first, std::size_t n_blocks, double scale) {
    spread_blocks(weights_.data() + first * kBlock, masks_.data() + first * kBlock * n_words_,
                  n_blocks, blocked.data(), n_words_, number * scale, sums.data() + first * kBlock);
  });
}

Scaled FamilyWeights::scale_of(const Segment& segment, std::size_t variable) const {
  const double best = segments_[ranges_[variable].begin].log_scale;
  const double bits = (segment.log_scale - best) / std::numbers::ln2;
  if (bits == 0) return Scaled::one();
  const double whole = std::floor(bits);
  if (whole <= Scaled::kZero / 2.0) return {};
  return {std::exp2(bits - whole), static_cast<Exponent>(whole)};
}

void FamilyWeights::fold(std::size_t variable, std::span<const std::uint64_t> groups,
                         Folded& found) const {
  const std::size_t n_groups = groups.size() / n_words_;
  assert(n_groups <= kMostGroups);
  const List& list = ranges_[variable];
  const std::size_t first = segments_[list.begin].begin;
  const std::size_t n_blocks = segments_[list.end - 1].end - first;
  found.variable = variable;
  found.weights.assign(std::size_t{1} << n_groups, Scaled());
  found.touched.resize(n_blocks * kBlock);
  const std::uint64_t* masks = masks_.data() + first * kBlock * n_words_;
  if (n_words_ == 1) {
    touch_word(masks, n_blocks * kBlock, groups.data(), n_groups, (n_variables() + 7) / 8,
               found.touched.data());
  } else {
    touch_blocks(masks, n_blocks, groups.data(), n_groups, n_words_, found.touched.data());
  }
  const std::uint16_t* touched = found.touched.data() - first * kBlock;
  for (std::size_t at = list.begin; at < list.end; ++at) {
    const Segment& segment = segments_[at];
    const Scaled scale = scale_of(segment, variable);
    for (std::size_t place = segment.begin * kBlock; place < segment.end * kBlock; ++place) {
      Scaled& sum = found.weights[touched[place]];
      // This exponent is the largest, as the best families come first.
      if (sum.value == 0) sum.exponent = scale.exponent;
      sum.value += weights_[place] * scale.value * power_of_two(scale.exponent - sum.exponent);
    }
  }
  for (Scaled& sum : found.weights) sum = sum.normal();
}

std::size_t FamilyWeights::draw(const Folded& found, std::uint32_t touched, Random& random) const {
  const List& list = ranges_[found.variable];
  const std::size_t first = segments_[list.begin].begin * kBlock;
  double left = random.uniform();
  std::size_t drawn = 0;
  for (std::size_t at = list.begin; at < list.end; ++at) {
    const Segment& segment = segments_[at];
    const double scale = scale_of(segment, found.variable).over(found.weights[touched]);
    for (std::size_t place = segment.begin * kBlock; place < segment.end * kBlock; ++place) {
      if (found.touched[place - first] != touched || weights_[place] == 0) continue;
      drawn = place;  // Rounding must not end without a family.
      left -= weights_[place] * scale;
      if (left < 0) return families_[place];
    }
  }
  return families_[drawn];
}

void FamilyWeights::to_families(std::span<const double> places, std::span<double> families) const {
  for (std::size_t place = 0; place < places.size(); ++place) {
    if (weights_[place] != 0) families[families_[place]] = places[place];
  }
}

std::size_t FamilyWeights::draw(const Weighed& found, std::span<const std::uint64_t> blocked,
                                Random& random) const {
  assert(!found.empty());
  // The draw is the first block whose sum exceeds the mark. By rounding there may be none; then it
  // is the last that adds anything.
  const double mark = random.uniform() * found.sums.back();
  auto above = std::ranges::upper_bound(found.sums, mark);
  if (above == found.sums.end()) above = std::ranges::lower_bound(found.sums, found.sums.back());
  const auto place = static_cast<std::size_t>(above - found.sums.begin());
  const Segment* segment = &segments_[ranges_[found.list].begin];
  std::size_t left = place;
  for (; left >= segment->end - segment->begin; ++segment) left -= segment->end - segment->begin;
  if (found.list >= n_variables()) return families_[members_[segment->begin + left]];
  const std::size_t block = segment->begin + left;
  const double scale = std::exp(segment->log_scale - found.log_scale);
  const double over = mark - (place == 0 ? 0.0 : found.sums[place - 1]);
  return families_[place_in(block, fitting(block, blocked), over / scale)];
}

std::size_t FamilyWeights::place_in(std::size_t block, const Block& weights, double mark) const {
  std::size_t drawn = 0;
  for (std::size_t k = 0; k < kBlock; ++k) {
    if (weights[k] == 0) continue;
    drawn = k;
    mark -= weights[k];
    if (mark < 0) break;
  }
  return block * kBlock + drawn;
}

// Families of later segments weigh less than a double can tell beside those of the first.
std::size_t FamilyWeights::draw_quickly(std::size_t variable,
                                        std::span<const std::uint64_t> blocked, double& n_steps,
                                        Random& random) const {
  const std::size_t n_heavy = n_heavy_[variable];
  if (n_heavy == 0) return kNone;
  const std::size_t first = segments_[ranges_[variable].begin].begin;
  const std::size_t end = segments_[ranges_[variable].begin].end;
  std::array<double, kMostHeavy> sums;
  double heavy = 0;
  const std::size_t n_added =
      add_blocks(weights_.data() + first * kBlock, masks_.data() + first * kBlock * n_words_,
                 tails_.data() + first, n_heavy, blocked.data(), n_words_, 1.0, heavy, sums.data());
  n_steps += static_cast<double>(n_heavy * kBlock);
  const double light = tails_[first + n_heavy];
  if (light > heavy) return kNone;
  for (std::size_t k = 0; k < kTries; ++k) {
    const double mark = random.uniform() * (heavy + light);
    if (mark < heavy) {
      const auto at = static_cast<std::size_t>(
          std::upper_bound(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(n_added),
                           mark) -
          sums.begin());
      const std::size_t block = first + std::min(at, n_added - 1);
      const double over = mark - (at == 0 ? 0.0 : sums[at - 1]);
      return families_[place_in(block, fitting(block, blocked), over)];
    }
    // The tails fall from block to block.
    const double left = mark - heavy;
    const auto tails = std::span(tails_).subspan(first + n_heavy, end - first - n_heavy);
    const auto next =
        std::ranges::partition_point(tails, [&](double tail) { return light - tail <= left; });
    const auto at = static_cast<std::size_t>(next - tails.begin()) - 1;
    const std::size_t block = first + n_heavy + at;
    Block weights;
    std::copy_n(weights_.begin() + static_cast<std::ptrdiff_t>(block * kBlock), kBlock,
                weights.begin());
    const std::size_t place = place_in(block, weights, left - (light - tails[at]));
    if (fits(place, blocked.data())) return families_[place];
  }
  return kNone;
}

}  // namespace credenet
