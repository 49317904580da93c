#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "families/random_lists.hpp"

using Network = std::vector<std::int64_t>;

// Whether the families can be placed one after the other, each after its parents.
inline bool is_dag(const credenet::FamilyLists& lists, const Network& families) {
  std::vector<std::uint8_t> placed(families.size());
  for (std::size_t round = 0; round < families.size(); ++round) {
    for (std::size_t v = 0; v < families.size(); ++v) {
      const auto parents = lists.parents_of(static_cast<std::size_t>(families[v]));
      if (std::ranges::all_of(
              parents, [&](std::int32_t p) { return placed[static_cast<std::size_t>(p)] != 0; })) {
        placed[v] = 1;
      }
    }
  }
  return std::ranges::all_of(placed, [](std::uint8_t is_placed) { return is_placed != 0; });
}

// All DAGs of some lists with their probabilities, by trying every choice of families.
struct SlowPosterior {
  explicit SlowPosterior(const credenet::FamilyLists& lists) {
    const std::size_t n = lists.n_variables();
    Network families(lists.starts.begin(), lists.starts.end() - 1);
    for (std::size_t v = 0; v < n; ++v) {
      if (lists.begin(v) == lists.end(v)) return;
    }
    std::vector<double> scores;
    for (std::size_t v = 0; v < n;) {
      if (is_dag(lists, families)) {
        networks.push_back(families);
        double score = 0;
        for (const std::int64_t f : families) score += lists.scores[static_cast<std::size_t>(f)];
        scores.push_back(score);
      }
      for (v = 0; v < n && ++families[v] == lists.starts[v + 1]; ++v) families[v] = lists.starts[v];
    }
    if (networks.empty()) return;
    const double largest = std::ranges::max(scores);
    for (const double score : scores) probabilities.push_back(std::exp(score - largest));
    const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
    for (double& probability : probabilities) probability /= sum;
  }

  [[nodiscard]] std::size_t place(const Network& network) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(networks, network, before) -
                                    networks.begin());
  }

  std::vector<Network> networks;
  std::vector<double> probabilities;

 private:
  // Whether a network is found before another: the last variable counts most.
  static bool before(const Network& a, const Network& b) {
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  }
};

// Lists drawn at random, with scores that leave many DAGs a chance.
struct MildLists : BitLists {
  MildLists(credenet::Random& random, std::size_t n, std::size_t most_families, bool with_empty,
            double scale = 0.15) {
    const RandomLists drawn(random, n, most_families, 3, with_empty);
    static_cast<credenet::OwnedLists&>(*this) = drawn;
    for (double& score : scores) score *= scale;
  }
};
