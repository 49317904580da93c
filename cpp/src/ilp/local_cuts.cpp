// Local cuts (Applegate, Bixby, Chvátal and Cook): the used mass of a few variables, by parents
// among these, is compared with the networks on them alone. Whether it is a mixture of networks is
// a linear program with a column for each network: cover the mass with as little as possible. The
// columns are found when they are needed, as the network that the dual values favour most, by
// dynamic programming. More than 1 is needed just when the dual values are a violated inequality,
// and as a vertex they are a facet. They are made whole numbers, and weights are raised of families
// that are not used, as far as the limit allows.
#include "credenet/ilp/local_cuts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "credenet/ilp/fractional_support.hpp"
#include "credenet/util/portable.hpp"
#include "credenet/util/random.hpp"

namespace credenet {
namespace {

constexpr double kLeastFamilyMass = 1e-4;  // Smallest mass of a family that counts.
constexpr double kTolerance = 1e-6;        // Tolerance of the linear program.
// Perturbation of the right side of the linear program, against steps without gain.
constexpr double kPerturbation = 1e-5;
constexpr std::size_t kMostMasses = 160;    // Masses above which the program is not solved.
constexpr std::size_t kStepsPerMass = 100;  // Most steps for each mass; mostly 20 are enough.
constexpr int kMostUnits = 24;  // Largest limit in units that make the weights whole numbers.
constexpr int kUnits = 60;      // Limit in units if no number of units up to kMostUnits fits.
// Weight of the mass into a variable and out of it, beside their product.
constexpr double kOneWay = 0.1;
constexpr double kNoise = 0.9;  // Most that chance takes from the value of a member.

struct Mass {
  std::size_t child;  // Place of the child among the members.
  std::uint32_t parents;
  double mass;
};

// Sets are taken in blocks that differ in the first three members only.
constexpr std::size_t kLeastMembers = 3;
constexpr std::size_t kBlock = std::size_t{1} << kLeastMembers;

// Finds for each set the largest of its subsets' weights.
CREDENET_CLONES void spread_up(std::span<float> weights) {
  for (std::size_t first = 0; first < weights.size(); first += kBlock) {
    float* block = &weights[first];
    for (std::size_t set = 0; set < kBlock; set += 2)
      block[set + 1] = std::max(block[set], block[set + 1]);
    for (const std::size_t set : {0, 1, 4, 5})
      block[set + 2] = std::max(block[set], block[set + 2]);
    for (std::size_t set = 0; set < 4; ++set) block[set + 4] = std::max(block[set], block[set + 4]);
  }
  for (std::size_t bit = kBlock; bit < weights.size(); bit *= 2) {
    for (std::size_t first = 0; first < weights.size(); first += 2 * bit) {
      for (std::size_t at = first; at < first + bit; ++at) {
        weights[at + bit] = std::max(weights[at + bit], weights[at]);
      }
    }
  }
}

// Finds for each set the most that its members weigh, each after others of the set. The weights are
// those of one member after the other, for every set before it.
CREDENET_CLONES void weigh_sets(std::span<const float> weights, std::span<float> best) {
  const std::size_t n_sets = best.size();
  for (std::size_t first = 0; first < n_sets; first += kBlock) {
    std::array<float, kBlock> most{};
    for (std::size_t rest = first; rest != 0; rest &= rest - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(rest));
      const std::size_t before = first ^ (std::size_t{1} << v);
      const float* weight = &weights[v * n_sets + before];
      for (std::size_t set = 0; set < kBlock; ++set) {
        most[set] = std::max(most[set], best[before + set] + weight[set]);
      }
    }
    for (std::size_t set = 1; set < kBlock; ++set) {
      for (std::size_t v = 0; v < 3; ++v) {
        const std::size_t before = set & ~(std::size_t{1} << v);
        if (before == set) continue;
        most[set] = std::max(most[set], most[before] + weights[v * n_sets + first + before]);
      }
    }
    std::ranges::copy(most, &best[first]);
  }
}

CREDENET_CLONES void subtract(std::span<double> row, double factor, const double* pivot) {
  for (std::size_t at = 0; at < row.size(); ++at) row[at] -= factor * pivot[at];
}

// The least weight of networks that cover the masses, by the simplex method with all columns.
class Cover {
 public:
  Cover(std::span<const Mass> masses, std::size_t n_members, Random& random)
      : masses_(masses),
        n_members_(std::max(n_members, kLeastMembers)),
        n_sets_(std::size_t{1} << n_members_),
        size_(masses.size()),
        inverse_(size_ * size_, 0.0),
        prices_(size_, 1.0),
        change_(size_),
        weights_(n_members_ * n_sets_),
        best_(n_sets_) {
    for (std::size_t at = 0; at < size_; ++at) {
      inverse_[at * size_ + at] = 1;
      values_.push_back(masses[at].mass + kPerturbation * random.uniform());
    }
  }

  // Solves the program. Returns the dual values if more than 1 + least is needed.
  std::optional<std::vector<double>> run(double least) {
    for (std::size_t step = 0; step < kStepsPerMass * size_; ++step) {
      double value = 0;
      for (std::size_t at = 0; at < size_; ++at) value += prices_[at] * masses_[at].mass;
      if (value < 1 + least) return std::nullopt;
      find_favoured();
      double sign = 1;
      double gain = -1;
      for (const std::size_t at : column_) gain += prices_[at];
      if (gain <= kTolerance) {
        const auto worst = std::ranges::min_element(prices_);
        if (*worst >= -kTolerance) break;
        sign = -1;
        gain = -*worst;
        column_.assign(1, static_cast<std::size_t>(worst - prices_.begin()));
      }
      if (!enter(sign, gain)) break;
    }
    return prices_;
  }

 private:
  // Finds the masses of the network that the prices favour most.
  void find_favoured() {
    std::ranges::fill(weights_, 0.0F);
    for (std::size_t at = 0; at < size_; ++at) {
      float& weight = weights_[masses_[at].child * n_sets_ + masses_[at].parents];
      weight = std::max(0.0F, static_cast<float>(prices_[at]));
    }
    for (std::size_t v = 0; v < n_members_; ++v) {
      spread_up(std::span(weights_).subspan(v * n_sets_, n_sets_));
    }
    weigh_sets(weights_, best_);
    column_.clear();
    for (std::size_t set = n_sets_ - 1; set > 0;) {
      std::size_t rest = set;
      auto v = static_cast<std::size_t>(std::countr_zero(rest));
      while (best_[set ^ (std::size_t{1} << v)] + weight_after(v, set) != best_[set]) {
        rest &= rest - 1;
        v = static_cast<std::size_t>(std::countr_zero(rest));
      }
      const float weight = weight_after(v, set);
      set ^= std::size_t{1} << v;
      if (weight > 0) column_.push_back(mass_with(v, set, weight));
    }
  }

  [[nodiscard]] float weight_after(std::size_t v, std::size_t set) const {
    return weights_[v * n_sets_ + (set ^ (std::size_t{1} << v))];
  }

  [[nodiscard]] std::size_t mass_with(std::size_t v, std::size_t set, float weight) const {
    for (std::size_t at = 0; at < size_; ++at) {
      if (masses_[at].child == v && (masses_[at].parents & ~set) == 0 &&
          static_cast<float>(prices_[at]) == weight) {
        return at;
      }
    }
    return 0;  // This does not happen.
  }

  // Takes the column into the basis, with a sign. False if it cannot.
  bool enter(double sign, double gain) {
    std::size_t leaving = size_;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t row = 0; row < size_; ++row) {
      double sum = 0;
      for (const std::size_t at : column_) sum += inverse_[row * size_ + at];
      change_[row] = sign * sum;
      if (change_[row] <= kTolerance) continue;
      const double ratio = values_[row] / change_[row];
      if (ratio < least) {
        least = ratio;
        leaving = row;
      }
    }
    if (leaving == size_) return false;
    double* pivot = &inverse_[leaving * size_];
    for (std::size_t at = 0; at < size_; ++at) pivot[at] /= change_[leaving];
    values_[leaving] = std::max(least, 0.0);
    for (std::size_t row = 0; row < size_; ++row) {
      if (row == leaving || std::abs(change_[row]) < 1e-12) continue;
      subtract(std::span(inverse_).subspan(row * size_, size_), change_[row], pivot);
      values_[row] = std::max(values_[row] - change_[row] * values_[leaving], 0.0);
    }
    subtract(prices_, gain, pivot);
    return true;
  }

  std::span<const Mass> masses_;
  std::size_t n_members_;
  std::size_t n_sets_;
  std::size_t size_;
  std::vector<double> inverse_;  // Inverse of the basis, by rows.
  std::vector<double> values_;   // Values of the basic variables.
  std::vector<double> prices_;   // Dual values of the masses.
  std::vector<double> change_;   // Change of the values by the entering column.
  std::vector<std::size_t> column_;
  std::vector<float> weights_;
  std::vector<float> best_;
};

// Makes prices whole weights, with which a network counts at most about kMostUnits units, or
// kUnits.
std::vector<std::int32_t> whole_numbers(const std::vector<double>& prices) {
  int units = 1;
  const auto is_whole = [&](double price) {
    return std::abs(price * units - std::round(price * units)) < 1e-4 * units;
  };
  while (units <= kMostUnits && !std::ranges::all_of(prices, is_whole)) ++units;
  if (units > kMostUnits) units = kUnits;
  std::vector<std::int32_t> weights;
  for (const double price : prices) {
    weights.push_back(static_cast<std::int32_t>(std::lround(std::max(price, 0.0) * units)));
  }
  return weights;
}

class Separation {
 public:
  Separation(const FamilyLists& lists, std::span<const double> x, double least_violation)
      : lists_(lists),
        support_(lists, x),
        least_violation_(least_violation),
        place_(lists.n_variables(), -1),
        links_(lists.n_variables() * lists.n_variables(), 0.0) {
    for (const auto& used : support_.used()) {
      for (const std::int32_t parent : used.parents) {
        link(parent, used.child) += used.mass;
      }
    }
  }

  std::vector<Cut> run(std::size_t n_members, std::size_t n_sets, std::size_t max_cuts,
                       std::uint64_t seed) {
    std::set<std::vector<std::int32_t>> seen;
    for (const auto& group : support_.groups()) {
      for (const std::int32_t root : group) {
        Random random(seed, static_cast<std::uint64_t>(root));
        for (std::size_t at = 0; at < n_sets; ++at) {
          const double noise = at == 0 ? 0.0 : kNoise;
          std::vector<std::int32_t> members = grown(root, group, n_members, noise, random);
          if (seen.insert(members).second) look(members, random);
        }
      }
    }
    std::ranges::sort(found_, [](const Found& a, const Found& b) {
      return a.violation != b.violation ? a.violation > b.violation : a.cut < b.cut;
    });
    std::vector<Cut> cuts;
    for (Found& found : found_) {
      if (cuts.size() == max_cuts) break;
      if (std::ranges::find(cuts, found.cut) == cuts.end()) cuts.push_back(std::move(found.cut));
    }
    return cuts;
  }

 private:
  struct Found {
    double violation;
    Cut cut;
  };

  double& link(std::int32_t a, std::int32_t b) {
    return links_[static_cast<std::size_t>(a) * lists_.n_variables() + static_cast<std::size_t>(b)];
  }

  // Grows a set from a root: variables that much mass joins in both directions are added one after
  // the other.
  std::vector<std::int32_t> grown(std::int32_t root, const std::vector<std::int32_t>& group,
                                  std::size_t n_members, double noise, Random& random) {
    std::vector<std::int32_t> members{root};
    std::vector<double> in(lists_.n_variables(), 0.0);
    std::vector<double> out(lists_.n_variables(), 0.0);
    while (members.size() < std::min(n_members, group.size())) {
      std::int32_t best = -1;
      double most = 0;
      for (const std::int32_t v : group) {
        const double into = in[static_cast<std::size_t>(v)] += link(members.back(), v);
        const double out_of = out[static_cast<std::size_t>(v)] += link(v, members.back());
        if (std::ranges::find(members, v) != members.end()) continue;
        double value = into * out_of + kOneWay * (into + out_of);
        if (noise > 0) value *= 1 - noise * random.uniform();
        if (value <= most) continue;
        most = value;
        best = v;
      }
      if (best < 0) break;
      members.push_back(best);
    }
    std::ranges::sort(members);
    return members;
  }

  void look(const std::vector<std::int32_t>& members, Random& random) {
    for (std::size_t at = 0; at < members.size(); ++at) {
      place_[static_cast<std::size_t>(members[at])] = static_cast<std::int32_t>(at);
    }
    const std::vector<Mass> masses = masses_of(members);
    if (!masses.empty() && masses.size() <= kMostMasses) {
      const auto prices = Cover(masses, members.size(), random).run(least_violation_);
      if (prices) add(members, masses, whole_numbers(*prices));
    }
    for (const std::int32_t v : members) place_[static_cast<std::size_t>(v)] = -1;
  }

  std::vector<Mass> masses_of(const std::vector<std::int32_t>& members) const {
    std::vector<Mass> masses;
    for (std::size_t at = 0; at < members.size(); ++at) {
      const std::size_t first = masses.size();
      for (const std::int32_t place : support_.families_of(members[at])) {
        const auto& used = support_.used()[static_cast<std::size_t>(place)];
        const std::uint32_t parents = inside(used.parents);
        if (parents == 0) continue;
        const auto same =
            std::find_if(masses.begin() + static_cast<std::ptrdiff_t>(first), masses.end(),
                         [&](const Mass& mass) { return mass.parents == parents; });
        if (same == masses.end()) {
          masses.push_back({at, parents, used.mass});
        } else {
          same->mass += used.mass;
        }
      }
    }
    std::erase_if(masses, [](const Mass& mass) { return mass.mass < kLeastFamilyMass; });
    return masses;
  }

  [[nodiscard]] std::uint32_t inside(std::span<const std::int32_t> parents) const {
    std::uint32_t bits = 0;
    for (const std::int32_t parent : parents) {
      const std::int32_t bit = place_[static_cast<std::size_t>(parent)];
      if (bit >= 0) bits |= std::uint32_t{1} << bit;
    }
    return bits;
  }

  void add(const std::vector<std::int32_t>& members, std::span<const Mass> masses,
           const std::vector<std::int32_t>& weights) {
    Cut cut{0, members, {}};
    double sum = 0;
    for (std::size_t at = 0; at < masses.size(); ++at) {
      if (weights[at] == 0) continue;
      cut.terms.push_back(
          {static_cast<std::int32_t>(masses[at].child), masses[at].parents, weights[at]});
      sum += masses[at].mass * weights[at];
    }
    const std::int32_t limit = best_prefixes(local_weights(cut), members.size()).back();
    const double violation = sum / std::max(limit, 1) - 1;
    if (violation < least_violation_) return;
    lift(cut, limit);
    std::ranges::sort(cut.terms);
    found_.push_back({violation, std::move(cut)});
  }

  // Raises the weights of other families as long as no network counts more than the limit. A child
  // with given parents comes after a set that has them all; what the others count then is what the
  // set counts, and what those after the child count.
  void lift(Cut& cut, std::int32_t limit) {
    const std::size_t n = cut.members.size();
    const std::size_t n_sets = std::size_t{1} << n;
    std::vector<std::pair<std::size_t, std::size_t>> patterns;
    for (std::size_t at = 0; at < n; ++at) {
      const auto variable = static_cast<std::size_t>(cut.members[at]);
      std::set<std::size_t> known{0};
      for (std::size_t family = lists_.begin(variable); family < lists_.end(variable); ++family) {
        const std::size_t parents = inside(lists_.parents_of(family));
        if (known.insert(parents).second) patterns.emplace_back(at, parents);
      }
    }
    while (true) {
      const std::vector<std::int32_t> weights = local_weights(cut);
      const std::vector<std::int32_t> before = best_prefixes(weights, n);
      std::vector<std::int32_t> after(n_sets, 0);
      for (std::size_t set = n_sets - 1; set-- > 0;) {
        for (std::size_t v = 0; v < n; ++v) {
          const std::size_t bit = std::size_t{1} << v;
          if ((set & bit) != 0) continue;
          after[set] = std::max(after[set], after[set | bit] + weights[v * n_sets + set]);
        }
      }
      std::int32_t most = 0;
      LocalTerm best;
      for (const auto& [v, parents] : patterns) {
        const std::size_t bit = std::size_t{1} << v;
        std::int32_t others = 0;
        for (std::size_t set = parents; set < n_sets; set = (set + 1) | parents) {
          if ((set & bit) == 0) others = std::max(others, before[set] + after[set | bit]);
        }
        const std::int32_t gain = limit - others - weights[v * n_sets + parents];
        if (gain <= most) continue;
        most = gain;
        best = {static_cast<std::int32_t>(v), static_cast<std::uint32_t>(parents), limit - others};
      }
      if (most == 0) break;
      cut.terms.push_back(best);
    }
  }

  FamilyLists lists_;
  FractionalSupport support_;
  double least_violation_;
  std::vector<std::int32_t> place_;
  std::vector<double> links_;
  std::vector<Found> found_;
};

}  // namespace

std::vector<Cut> local_cuts(const FamilyLists& lists, std::span<const double> x,
                            std::size_t n_members, std::size_t n_sets, double least_violation,
                            std::size_t max_cuts, std::uint64_t seed) {
  return Separation(lists, x, least_violation).run(n_members, n_sets, max_cuts, seed);
}

}  // namespace credenet
