#include "credenet/posterior/dag_paths.hpp"

#include <atomic>
#include <bit>
#include <cmath>

#include "credenet/posterior/scaled_sums.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/portable.hpp"

namespace credenet {
namespace {

constexpr std::size_t kBlockSets = 256;

CREDENET_CLONES
void leave_out(const double* from, std::size_t half, double factor, double* to) {
  for (std::size_t at = 0; at < half; ++at) to[at] = from[half + at] - factor * from[at];
}

void leave_out(const Scaled* from, std::size_t half, const Scaled& factor, Scaled* to) {
  for (std::size_t at = 0; at < half; ++at) {
    const Scaled difference = from[half + at] + -(factor * from[at]);
    to[at] = Scaled::normal(difference.value, difference.exponent);
  }
}

double number_of(const ScaledTable& table, std::size_t at, double) { return table.values[at]; }
Scaled number_of(const ScaledTable& table, std::size_t at, Scaled) { return table[at]; }

double share(double number, const Scaled& all) { return number / all.value; }
double share(const Scaled& number, const Scaled& all) { return number.over(all); }

template <typename Number>
class Paths {
 public:
  explicit Paths(const DagSums& sums)
      : sums_(sums),
        n_(sums.n_variables),
        all_(bit_of(n_) - 1),
        total_(sums.forward[all_]),
        numbers_(std::size_t{2} << n_),
        shares_(n_ * n_) {}

  // Adds the DAGs in which `set` has the variables that do not descend from some variable and are
  // not it.
  void add(std::uint32_t set) {
    const Number before = number_of(sums_.forward, set, Number{});
    if (share(before, total_) == 0 && sums_.forward.values[set] == 0) return;
    members_.clear();
    std::uint32_t after = all_ & ~set;  // Variables that are in J always, as they cannot come next.
    for (std::size_t variable = 0; variable < n_; ++variable) {
      if ((set & bit_of(variable)) == 0 && can_be_next(set, variable)) {
        members_.push_back(variable);
        after &= ~bit_of(variable);
      }
    }
    if (members_.empty()) return;
    factors_.clear();
    for (const std::size_t member : members_) factors_.push_back(of_family(member, set));
    // For each set J of the members, g(J) is at the place of the rest. The first member is the
    // lowest bit.
    std::vector<std::uint32_t>& places = places_;
    places.assign(1, all_ & ~after);
    for (const std::size_t member : members_) {
      const std::size_t n = places.size();
      places.resize(2 * n);
      for (std::size_t at = 0; at < n; ++at) places[n + at] = places[at] & ~bit_of(member);
    }
    for (std::size_t at = 0; at < places.size(); ++at) {
      numbers_[at] = number_of(sums_.backward, places[at], Number{});
    }
    set_ = set;
    before_ = before;
    leave_out_all_but_one(numbers_.data(), 0, members_.size());
  }

  [[nodiscard]] const std::vector<double>& shares() const { return shares_; }

 private:
  [[nodiscard]] Number of_family(std::size_t variable, std::uint32_t set) const {
    return number_of(sums_.of_families, (variable << (n_ - 1)) + without(set, variable), Number{});
  }
  // Whether the variable may be placed next after the set.
  [[nodiscard]] bool can_be_next(std::uint32_t set, std::size_t variable) const {
    const Scaled family = sums_.of_families[(variable << (n_ - 1)) + without(set, variable)];
    const Scaled after = sums_.backward[set | bit_of(variable)];
    if (family.value == 0 || after.value == 0) return false;
    return sums_.forward[set].exponent + family.exponent + after.exponent >=
               total_.exponent - kCut ||
           sums_.forward.exponents.empty();
  }

  // Leaves out all members but one in turn. The numbers are of the subsets of members begin to end;
  // the others have been left out.
  void leave_out_all_but_one(const Number* numbers, std::size_t begin, std::size_t end) {
    if (end - begin == 1) return add_descendants(members_[begin], numbers[0]);
    const std::size_t middle = (begin + end) / 2;
    Number* room =
        numbers_.data() + (numbers - numbers_.data()) + (std::size_t{1} << (end - begin));
    // The last members are the highest bits, so they are left out in place.
    const Number* from = numbers;
    for (std::size_t at = end; at-- > middle;) {
      leave_out(from, std::size_t{1} << (at - begin), factors_[at], room);
      from = room;
    }
    leave_out_all_but_one(room, begin, middle);
    // The first members are the lowest bits: one is left out by joining neighbours.
    from = numbers;
    for (std::size_t at = begin; at < middle; ++at) {
      const std::size_t n = std::size_t{1} << (end - at - 1);
      for (std::size_t place = 0; place < n; ++place) {
        leave_out(from + 2 * place, 1, factors_[at], room + place);
      }
      from = room;
    }
    leave_out_all_but_one(room, middle, end);
  }

  void add_descendants(std::size_t variable, const Number& after) {
    const double found = share(before_ * of_family(variable, set_) * after, total_);
    for (std::uint32_t rest = all_ & ~set_ & ~bit_of(variable); rest != 0; rest &= rest - 1) {
      shares_[variable * n_ + static_cast<std::size_t>(std::countr_zero(rest))] += found;
    }
  }

  const DagSums& sums_;
  std::size_t n_;
  std::uint32_t all_;
  Scaled total_;
  std::vector<Number> numbers_;
  std::vector<double> shares_;
  std::vector<std::size_t> members_;
  std::vector<Number> factors_;
  std::vector<std::uint32_t> places_;
  std::uint32_t set_ = 0;
  Number before_{};
};

template <typename Number>
std::vector<double> found_paths(const DagSums& sums, unsigned n_threads, Control& control) {
  const std::size_t n_sets = std::size_t{1} << sums.n_variables;
  const std::size_t n_blocks = (n_sets + kBlockSets - 1) / kBlockSets;
  // Each part is summed by itself, so that the digits do not depend on the number of threads.
  constexpr std::size_t kParts = 16;
  std::vector<std::vector<double>> parts(kParts);
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  parallel_blocks(kParts, n_threads, stop, [&](std::size_t part, unsigned worker) {
    Paths<Number> paths(sums);
    for (std::size_t block = part; block < n_blocks && !stop; block += kParts) {
      const std::size_t end = std::min(n_sets, (block + 1) * kBlockSets);
      for (std::size_t set = block * kBlockSets; set < end; ++set) {
        paths.add(static_cast<std::uint32_t>(set));
      }
      const std::uint64_t n_done = ++done;
      if (worker == 0 && !control.poll({n_done, n_blocks})) stop = true;
    }
    parts[part] = paths.shares();
  });
  if (stop) return {};
  std::vector<double> shares(sums.n_variables * sums.n_variables, 0.0);
  for (const auto& part : parts) {
    for (std::size_t at = 0; at < shares.size(); ++at) shares[at] += part[at];
  }
  return shares;
}

}  // namespace

std::vector<double> path_probabilities(const DagSums& sums, unsigned n_threads, Control& control) {
  return sums.forward.exponents.empty() ? found_paths<double>(sums, n_threads, control)
                                        : found_paths<Scaled>(sums, n_threads, control);
}

}  // namespace credenet
