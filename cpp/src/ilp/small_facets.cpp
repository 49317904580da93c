// Facets of the polytope of networks on four variables, each valid for any number of variables: the
// part of a network on four of its variables is a network. They were found by separating optima of
// random objectives over the relaxation from the 543 networks; each is checked in the tests against
// all of these. Sets of three and four variables that used families join by cycles are gone
// through one by one; the used mass of a set, by variable and parents inside, is a table of 64
// numbers, of which every inequality is a scalar product.
#include "credenet/ilp/small_facets.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "credenet/ilp/fractional_support.hpp"

namespace credenet {
namespace {

using Weights = std::array<std::array<std::int8_t, 16>, 4>;

// Makes a facet from weight(variable, a, b, c, d), where the letters say which of the four are
// parents.
template <typename Weight>
Facet make(double limit, Weight&& weight) {
  Facet facet{limit, {}};
  for (std::size_t v = 0; v < 4; ++v) {
    for (unsigned mask = 0; mask < 16; ++mask) {
      if ((mask >> v & 1) != 0) continue;
      facet.weights[v][mask] = static_cast<std::int8_t>(
          weight(v, mask & 1, mask >> 1 & 1, mask >> 2 & 1, mask >> 3 & 1));
    }
  }
  return facet;
}

std::vector<Facet> make_facets() {
  std::vector<Facet> facets;
  facets.push_back(make(2, [](std::size_t v, bool a, bool b, bool c, bool d) {
    return std::array{d && (b || c), c || (a && d), b || (a && d), a && (b || c)}[v];
  }));
  facets.push_back(make(2, [](std::size_t v, bool a, bool b, bool c, bool d) {
    return std::array{int{d && (b || c)}, int{d && (a || c)}, int{d && (a || b)},
                      int{a + b + c >= 2} + int{a && b && c}}[v];
  }));
  facets.push_back(make(2, [](std::size_t v, bool a, bool b, bool c, bool d) {
    return std::array{c && d, c || d, a && (b || d), a && (b || c)}[v];
  }));
  facets.push_back(make(2, [](std::size_t v, bool a, bool b, bool c, bool d) {
    return std::array{int{b && c && d}, int{a && d}, int{a && d},
                      int{b || c} + int{a && b && c}}[v];
  }));
  facets.push_back(make(3, [](std::size_t v, bool a, bool b, bool c, bool d) {
    return std::array{int{d}, int{d}, int{a || b || d}, int{a || b || c} + int{a && b}}[v];
  }));
  facets.push_back(make(3, [](std::size_t v, bool a, bool b, bool c, bool d) {
    return std::array{int{d || (b && c)}, int{d || (a && c)}, int{d || (a && b)},
                      int{a || b || c} + int{a + b + c >= 2}}[v];
  }));
  return facets;
}

// A facet with its variables in some order; members[q] is the place in the set of the q-th.
struct Ordered {
  std::int32_t kind;
  float limit;
  std::array<std::uint8_t, 4> members;
  std::array<float, 64> weights;
};

std::vector<Ordered> make_ordered() {
  std::vector<Ordered> all;
  const auto facets = small_facets();
  for (std::size_t number = 0; number < facets.size(); ++number) {
    std::array<std::uint8_t, 4> places{0, 1, 2, 3};
    std::set<std::array<float, 64>> known;
    do {
      Ordered ordered{-1 - static_cast<std::int32_t>(number),
                      static_cast<float>(facets[number].limit),
                      places,
                      {}};
      for (std::size_t v = 0; v < 4; ++v) {
        for (std::size_t mask = 0; mask < 16; ++mask) {
          std::size_t moved = 0;
          for (std::size_t bit = 0; bit < 4; ++bit) {
            if ((mask >> bit & 1) != 0) moved |= std::size_t{1} << places[bit];
          }
          ordered.weights[16U * places[v] + moved] = facets[number].weights[v][mask];
        }
      }
      if (known.insert(ordered.weights).second) all.push_back(ordered);
    } while (std::ranges::next_permutation(places).found);
  }
  for (const int k : {2, 3}) {  // These are the k-clusters of all four variables.
    Ordered cluster{k, static_cast<float>(4 - k), {0, 1, 2, 3}, {}};
    for (std::size_t at = 0; at < 64; ++at) {
      cluster.weights[at] = std::popcount(at % 16) >= k ? 1.0F : 0.0F;
    }
    all.push_back(cluster);
  }
  return all;
}

class Separation {
 public:
  Separation(const FamilyLists& lists, std::span<const double> x, double least_violation,
             std::size_t max_sets)
      : support_(lists, x),
        neighbours_(lists.n_variables()),
        place_(lists.n_variables(), -1),
        is_near_(lists.n_variables(), 0),
        least_violation_(static_cast<float>(least_violation)),
        sets_left_(max_sets) {
    for (const auto& used : support_.used()) {
      for (const std::int32_t parent : used.parents) {
        neighbours_[static_cast<std::size_t>(used.child)].push_back(parent);
        neighbours_[static_cast<std::size_t>(parent)].push_back(used.child);
      }
    }
    for (auto& several : neighbours_) {
      std::ranges::sort(several);
      several.erase(std::unique(several.begin(), several.end()), several.end());
    }
  }

  std::vector<Cut> run(std::size_t max_cuts) {
    for (const auto& group : support_.groups()) {
      for (const std::int32_t root : group) {
        set_.assign(1, root);
        is_near_[static_cast<std::size_t>(root)] = 1;
        const std::vector<std::int32_t> more = farther(root, root);
        extend(more, more);
        is_near_[static_cast<std::size_t>(root)] = 0;
      }
    }
    std::ranges::sort(found_, [](const Found& a, const Found& b) {
      return a.violation != b.violation ? a.violation > b.violation : a.cut < b.cut;
    });
    std::vector<Cut> cuts;
    for (auto& found : found_) {
      if (cuts.size() == max_cuts) break;
      cuts.push_back(std::move(found.cut));
    }
    return cuts;
  }

 private:
  struct Found {
    float violation;
    Cut cut;
  };

  // Neighbours of v above the root that are not near the set already; they are near it now.
  std::vector<std::int32_t> farther(std::int32_t v, std::int32_t root) {
    std::vector<std::int32_t> result;
    for (const std::int32_t w : neighbours_[static_cast<std::size_t>(v)]) {
      if (w <= root || is_near_[static_cast<std::size_t>(w)] != 0) continue;
      is_near_[static_cast<std::size_t>(w)] = 1;
      result.push_back(w);
    }
    return result;
  }

  // Visits every connected set once (Wernicke's ESU): a set is extended by candidates above its
  // root, each of them along with those after it and with what only it is next to (more).
  void extend(std::vector<std::int32_t> candidates, const std::vector<std::int32_t>& more) {
    while (!candidates.empty() && sets_left_ > 0) {
      const std::int32_t v = candidates.back();
      candidates.pop_back();
      set_.push_back(v);
      if (set_.size() >= 3) look();
      if (set_.size() < 4) {
        const std::vector<std::int32_t> further = farther(v, set_.front());
        std::vector<std::int32_t> both = candidates;
        both.insert(both.end(), further.begin(), further.end());
        extend(std::move(both), further);
      }
      set_.pop_back();
    }
    for (const std::int32_t w : more) is_near_[static_cast<std::size_t>(w)] = 0;
  }

  void look() {
    --sets_left_;
    std::vector<std::int32_t> members = set_;
    std::ranges::sort(members);
    for (std::size_t at = 0; at < members.size(); ++at) {
      place_[static_cast<std::size_t>(members[at])] = static_cast<std::int32_t>(at);
    }
    std::array<float, 64> mass{};
    bool is_hopeful = true;
    for (std::size_t at = 0; at < members.size(); ++at) {
      float inside = 0;
      for (const std::int32_t place : support_.families_of(members[at])) {
        const auto& used = support_.used()[static_cast<std::size_t>(place)];
        std::size_t mask = 0;
        for (const std::int32_t parent : used.parents) {
          const std::int32_t bit = place_[static_cast<std::size_t>(parent)];
          if (bit >= 0) mask |= std::size_t{1} << bit;
        }
        mass[16 * at + mask] += static_cast<float>(used.mass);
        if (mask != 0) inside += static_cast<float>(used.mass);
      }
      is_hopeful = is_hopeful && inside > least_violation_;
    }
    for (const std::int32_t v : members) place_[static_cast<std::size_t>(v)] = -1;
    if (!is_hopeful) return;
    if (members.size() == 3) {
      const float violation = mass[6] + mass[16 + 5] + mass[32 + 3] - 1;
      if (violation >= least_violation_) found_.push_back({violation, {2, members}});
      return;
    }
    // The inequalities are never destroyed, like the facets: a daemon thread may be at work when
    // the process ends.
    static const auto& kInequalities = *new std::vector<Ordered>(make_ordered());
    for (const Ordered& one : kInequalities) {
      const float sum = std::inner_product(mass.begin(), mass.end(), one.weights.begin(), 0.0F);
      if (sum - one.limit < least_violation_) continue;
      Cut cut{one.kind, {}};
      for (const std::uint8_t place : one.members) cut.members.push_back(members[place]);
      found_.push_back({sum - one.limit, std::move(cut)});
    }
  }

  FractionalSupport support_;
  std::vector<std::vector<std::int32_t>> neighbours_;
  std::vector<std::int32_t> place_;
  std::vector<std::uint8_t> is_near_;
  std::vector<std::int32_t> set_;
  float least_violation_;
  std::size_t sets_left_;
  std::vector<Found> found_;
};

}  // namespace

std::span<const Facet> small_facets() {
  static const auto& kFacets = *new std::vector<Facet>(make_facets());
  return kFacets;
}

std::vector<Cut> small_cuts(const FamilyLists& lists, std::span<const double> x,
                            double least_violation, std::size_t max_cuts, std::size_t max_sets) {
  return Separation(lists, x, least_violation, max_sets).run(max_cuts);
}

}  // namespace credenet
