// Greedy dual ascent on cluster inequalities (as in ELSA, Trosser, de Givry and Katsirelos, 2021).
// Every family has a loss: how much less it contributes than its variable's best. A variable is
// placed once it has a family without loss whose parents are placed. If none can be placed, the
// others are a cluster: each of its families without a parent inside has a loss. The cluster is
// made smaller while that stays true. Its dual value is the least of these losses; the losses fall
// by it, and so does the bound. The ascent ends when all variables can be placed: that is a network
// of families without loss.
#include "credenet/ilp/dual_ascent.hpp"

#include <algorithm>
#include <limits>

namespace credenet {
namespace {

constexpr double kNothing = 1e-9;  // A loss up to this counts as none.

class Ascent {
 public:
  Ascent(const FamilyLists& lists, std::span<const std::uint8_t> alive,
         std::span<const double> losses)
      : lists_(lists),
        losses_(losses.begin(), losses.end()),
        free_(lists.n_variables()),
        is_inside_(lists.n_variables(), 0) {
    for (std::size_t v = 0; v < lists.n_variables(); ++v) {
      for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
        if (alive[f] == 0) losses_[f] = std::numeric_limits<double>::infinity();
        if (losses_[f] <= kNothing) free_[v].push_back(f);
      }
    }
  }

  DualAscent run(std::size_t max_cuts, Control& control) {
    DualAscent result;
    std::vector<std::int32_t> everything(lists_.n_variables());
    for (std::size_t v = 0; v < everything.size(); ++v) {
      everything[v] = static_cast<std::int32_t>(v);
    }
    while (result.cuts.size() < max_cuts) {
      std::vector<std::int32_t> cluster = stuck(everything);
      if (cluster.empty()) break;
      cluster = smaller(std::move(cluster));
      const double multiplier = charge(cluster);
      if (multiplier == std::numeric_limits<double>::infinity()) break;  // No network exists.
      result.cuts.push_back({1, std::move(cluster)});
      result.multipliers.push_back(multiplier);
      result.status = ended(control.poll({result.cuts.size(), max_cuts}));
      if (result.status == Status::kStopped) break;
    }
    return result;
  }

 private:
  // What is left of a cluster once variables with a free family without parents in it are removed,
  // as often as there are such variables.
  std::vector<std::int32_t> stuck(const std::vector<std::int32_t>& cluster) {
    for (const std::int32_t v : cluster) is_inside_[static_cast<std::size_t>(v)] = 1;
    std::vector<std::int32_t> rest = cluster;
    for (bool is_smaller = true; is_smaller;) {
      const auto goes = [&](std::int32_t v) {
        const auto& several = free_[static_cast<std::size_t>(v)];
        const bool is_free =
            std::ranges::any_of(several, [&](std::size_t f) { return has_none_inside(f); });
        if (is_free) is_inside_[static_cast<std::size_t>(v)] = 0;
        return is_free;
      };
      is_smaller = std::erase_if(rest, goes) > 0;
    }
    for (const std::int32_t v : rest) is_inside_[static_cast<std::size_t>(v)] = 0;
    return rest;
  }

  [[nodiscard]] bool has_none_inside(std::size_t family) const {
    return std::ranges::none_of(lists_.parents_of(family), [&](std::int32_t parent) {
      return is_inside_[static_cast<std::size_t>(parent)] != 0;
    });
  }

  // A cluster within the given one that is minimal. The variables are tried from another place each
  // time, so that the clusters differ.
  std::vector<std::int32_t> smaller(std::vector<std::int32_t> cluster) {
    const auto first = static_cast<std::int32_t>(++turn_ % lists_.n_variables());
    const std::vector<std::int32_t> all = cluster;
    const auto from = std::ranges::lower_bound(all, first) - all.begin();
    for (std::size_t k = 0; k < all.size() && cluster.size() > 2; ++k) {
      const std::int32_t v = all[(k + static_cast<std::size_t>(from)) % all.size()];
      if (!std::ranges::binary_search(cluster, v)) continue;
      std::vector<std::int32_t> without = cluster;
      std::erase(without, v);
      without = stuck(without);
      if (!without.empty()) cluster = std::move(without);
    }
    return cluster;
  }

  // Finds the least loss of the families without parents inside, and takes it off the loss of each.
  double charge(const std::vector<std::int32_t>& cluster) {
    for (const std::int32_t v : cluster) is_inside_[static_cast<std::size_t>(v)] = 1;
    double least = std::numeric_limits<double>::infinity();
    // Variable and family, for each family without parents inside.
    std::vector<std::pair<std::size_t, std::size_t>> outside;
    for (const std::int32_t member : cluster) {
      const auto v = static_cast<std::size_t>(member);
      for (std::size_t f = lists_.begin(v); f < lists_.end(v); ++f) {
        if (losses_[f] == std::numeric_limits<double>::infinity() || !has_none_inside(f)) continue;
        least = std::min(least, losses_[f]);
        outside.emplace_back(v, f);
      }
    }
    for (const auto& [v, f] : outside) {
      losses_[f] -= least;
      if (losses_[f] <= kNothing) free_[v].push_back(f);
    }
    for (const std::int32_t v : cluster) is_inside_[static_cast<std::size_t>(v)] = 0;
    return least;
  }

  FamilyLists lists_;
  std::vector<double> losses_;
  std::vector<std::vector<std::size_t>> free_;  // Families of each variable without a loss.
  std::vector<std::uint8_t> is_inside_;
  std::size_t turn_ = 0;
};

}  // namespace

DualAscent dual_ascent(const FamilyLists& lists, std::span<const std::uint8_t> alive,
                       std::span<const double> losses, std::size_t max_cuts, Control& control) {
  return Ascent(lists, alive, losses).run(max_cuts, control);
}

}  // namespace credenet
