// Violated cluster inequalities for a solution x of the linear program. The mass of a cluster is
// the sum over its members of x over families without a parent in the cluster; it must be at least
// 1. A violated cluster of least size lies within a strong component of the used families, so each
// component is searched apart, from several starts: short cycles, single variables that grow by
// the variable that leaves the least mass, and the whole component that shrinks by the variable of
// most mass. Each ends in a descent, in which variables leave or enter as long as the mass falls.
// Masses are kept up to date; a step costs a scan of the component. For k-clusters, where the mass
// of families with fewer than k parents inside must be at least k, the descent starts from what was
// found for k = 1.
#include "credenet/ilp/cluster_cuts.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <set>

#include "credenet/ilp/fractional_support.hpp"

namespace credenet {
namespace {

// Most members of a cluster that grows, or that is tried with k = 2 and 3.
constexpr std::size_t kLargestGrown = 40;
constexpr std::size_t kLargestDescent = 200;  // Members above which a cluster is not improved.
constexpr double kTiny = 1e-9;                // Smaller changes of a mass are rounding.

class Cluster {
 public:
  Cluster(const FractionalSupport& support, std::int32_t k)
      : support_(support),
        k_(k),
        is_member_(support.n_variables(), 0),
        own_(support.n_variables(), 1.0),
        covers_(support.n_variables(), 0.0),
        inside_(support.used().size(), 0) {}

  [[nodiscard]] std::int32_t k() const { return k_; }
  [[nodiscard]] double mass() const { return mass_; }
  [[nodiscard]] double violation() const { return static_cast<double>(k_) - mass_; }
  [[nodiscard]] const std::set<std::int32_t>& members() const { return members_; }
  [[nodiscard]] bool contains(std::int32_t v) const {
    return is_member_[static_cast<std::size_t>(v)] != 0;
  }
  // The mass once v has entered, or has left.
  [[nodiscard]] double mass_with(std::int32_t v) const {
    return mass_ + own_[static_cast<std::size_t>(v)] - covers_[static_cast<std::size_t>(v)];
  }
  // The mass of a member's families that have fewer than k parents in the cluster.
  [[nodiscard]] double own_mass(std::int32_t v) const { return own_[static_cast<std::size_t>(v)]; }
  [[nodiscard]] double mass_without(std::int32_t v) const {
    double bared = 0;
    for (const std::int32_t at : support_.families_with(v)) {
      const auto place = static_cast<std::size_t>(at);
      const auto& used = support_.used()[place];
      if (inside_[place] == k_ && contains(used.child)) bared += used.mass;
    }
    return mass_ - own_[static_cast<std::size_t>(v)] + bared;
  }

  void insert(std::int32_t v) {
    mass_ += own_[static_cast<std::size_t>(v)];
    is_member_[static_cast<std::size_t>(v)] = 1;
    members_.insert(v);
    for (const std::int32_t at : support_.families_of(v)) {
      if (inside_[static_cast<std::size_t>(at)] == k_ - 1) offer(at, 1);
    }
    for (const std::int32_t at : support_.families_with(v)) {
      const auto place = static_cast<std::size_t>(at);
      const auto& used = support_.used()[place];
      const std::int32_t inside = ++inside_[place];
      if (inside == k_ - 1 && contains(used.child)) offer(at, 1);
      if (inside != k_) continue;
      own_[static_cast<std::size_t>(used.child)] -= used.mass;
      if (!contains(used.child)) continue;
      mass_ -= used.mass;
      offer(at, -1);
    }
  }

  void erase(std::int32_t v) {
    for (const std::int32_t at : support_.families_with(v)) {
      const auto place = static_cast<std::size_t>(at);
      const auto& used = support_.used()[place];
      const std::int32_t inside = --inside_[place];
      if (inside == k_ - 2 && contains(used.child)) offer(at, -1);
      if (inside != k_ - 1) continue;
      own_[static_cast<std::size_t>(used.child)] += used.mass;
      if (!contains(used.child)) continue;
      mass_ += used.mass;
      offer(at, 1);
    }
    for (const std::int32_t at : support_.families_of(v)) {
      if (inside_[static_cast<std::size_t>(at)] == k_ - 1) offer(at, -1);
    }
    members_.erase(v);
    is_member_[static_cast<std::size_t>(v)] = 0;
    mass_ -= own_[static_cast<std::size_t>(v)];
  }

  void clear() {
    while (!members_.empty()) erase(*members_.begin());
    mass_ = 0;
  }

 private:
  // A member's family that lacks one parent inside would be covered by each of those outside.
  void offer(std::int32_t at, int sign) {
    const auto& used = support_.used()[static_cast<std::size_t>(at)];
    for (const std::int32_t parent : used.parents) {
      covers_[static_cast<std::size_t>(parent)] += sign * used.mass;
    }
  }

  const FractionalSupport& support_;
  std::int32_t k_;
  std::set<std::int32_t> members_;
  std::vector<std::uint8_t> is_member_;
  // Mass of each variable's families with fewer than k parents inside.
  std::vector<double> own_;
  // Mass of such families of members that each variable would cover.
  std::vector<double> covers_;
  std::vector<std::int32_t> inside_;  // Number of parents inside of each used family.
  double mass_ = 0;
};

class Separation {
 public:
  Separation(const FamilyLists& lists, std::span<const double> x, double least_violation)
      : support_(lists, x),
        clusters_{Cluster(support_, 1), Cluster(support_, 2), Cluster(support_, 3)},
        least_violation_(least_violation) {}

  [[nodiscard]] std::vector<Cut> run(std::size_t max_cuts) {
    for (const auto& group : support_.groups()) {
      cycles(group);
      for (const std::int32_t v : group) grow(v, group);
      shrink(group);
      higher(group);
    }
    return chosen(max_cuts);
  }

 private:
  struct Found {
    double violation;
    Cut cut;
  };

  // Lets variables enter or leave as long as the mass falls; variables leave at no cost too, as
  // smaller clusters are stronger.
  void descend(Cluster& cluster, const std::vector<std::int32_t>& group) {
    if (cluster.members().size() <= kLargestDescent) {
      const auto least_size = static_cast<std::size_t>(cluster.k()) + 1;
      for (std::size_t step = 0; step < 4 * group.size(); ++step) {
        std::int32_t best = -1;
        double least = cluster.mass() - kTiny;
        for (const std::int32_t v : group) {
          if (cluster.contains(v)) {
            if (cluster.members().size() <= least_size) continue;
            const double mass = cluster.mass_without(v);
            if (mass < least + 2 * kTiny) {
              least = std::min(mass, least);
              best = v;
            }
          } else if (cluster.mass_with(v) < least) {
            least = cluster.mass_with(v);
            best = v;
          }
        }
        if (best < 0) break;
        cluster.contains(best) ? cluster.erase(best) : cluster.insert(best);
      }
    }
    keep(cluster);
  }

  void keep(const Cluster& cluster) {
    if (cluster.members().size() <= static_cast<std::size_t>(cluster.k())) return;
    Cut cut{cluster.k(), {cluster.members().begin(), cluster.members().end()}};
    const double violation = cluster.violation();
    if (seen_.insert(cut).second && violation >= least_violation_) {
      found_.push_back({violation, std::move(cut)});
    }
  }

  // Searches clusters with k = 2 and 3, from those that were seen with k = 1.
  void higher(const std::vector<std::int32_t>& group) {
    std::vector<std::vector<std::int32_t>> starts;
    for (const Cut& cut : seen_) {
      if (cut.kind == 1 && cut.members.size() <= kLargestGrown &&
          std::ranges::binary_search(group, cut.members[0])) {
        starts.push_back(cut.members);
      }
    }
    for (const auto& members : starts) {
      for (Cluster* cluster : {&clusters_[1], &clusters_[2]}) {
        if (members.size() < static_cast<std::size_t>(cluster->k())) continue;
        cluster->clear();
        for (const std::int32_t v : members) cluster->insert(v);
        descend(*cluster, group);
      }
    }
  }

  // Begins with a shortest cycle through each variable.
  void cycles(const std::vector<std::int32_t>& group) {
    Cluster& first = clusters_[0];
    std::vector<std::int32_t> next(support_.n_variables());
    std::vector<std::int32_t> seen_for(support_.n_variables(), -1);
    for (const std::int32_t root : group) {
      std::deque<std::int32_t> queue{root};
      seen_for[static_cast<std::size_t>(root)] = root;
      std::int32_t last = -1;
      while (!queue.empty() && last < 0) {
        const std::int32_t v = queue.front();
        queue.pop_front();
        for (const std::int32_t at : support_.families_of(v)) {
          for (const std::int32_t parent : support_.used()[static_cast<std::size_t>(at)].parents) {
            if (parent == root) last = v;
            if (seen_for[static_cast<std::size_t>(parent)] == root) continue;
            seen_for[static_cast<std::size_t>(parent)] = root;
            next[static_cast<std::size_t>(parent)] = v;
            queue.push_back(parent);
          }
        }
      }
      first.clear();
      for (std::int32_t v = last; v != root; v = next[static_cast<std::size_t>(v)]) {
        first.insert(v);
      }
      first.insert(root);
      descend(first, group);
    }
  }

  void grow(std::int32_t root, const std::vector<std::int32_t>& group) {
    Cluster& first = clusters_[0];
    first.clear();
    first.insert(root);
    while (first.members().size() < std::min(kLargestGrown, group.size()) &&
           first.mass() > 1 - least_violation_) {
      std::int32_t best = -1;
      double least = std::numeric_limits<double>::infinity();
      for (const std::int32_t v : group) {
        if (first.contains(v) || first.mass_with(v) >= least) continue;
        least = first.mass_with(v);
        best = v;
      }
      first.insert(best);
    }
    descend(first, group);
  }

  void shrink(const std::vector<std::int32_t>& group) {
    Cluster& first = clusters_[0];
    first.clear();
    for (const std::int32_t v : group) first.insert(v);
    std::vector<std::vector<std::int32_t>> violated;
    while (first.members().size() >= 2) {
      if (first.mass() <= 1 - least_violation_) {
        violated.emplace_back(first.members().begin(), first.members().end());
      }
      std::int32_t most = -1;
      for (const std::int32_t v : first.members()) {
        if (most < 0 || first.own_mass(v) > first.own_mass(most)) most = v;
      }
      first.erase(most);
    }
    for (const auto& members : violated) {
      first.clear();
      for (const std::int32_t v : members) first.insert(v);
      descend(first, group);
    }
  }

  // The most violated cuts, except cuts that share nearly all members with a better one.
  [[nodiscard]] std::vector<Cut> chosen(std::size_t max_cuts) {
    std::ranges::sort(found_, [](const Found& a, const Found& b) {
      if (a.violation != b.violation) return a.violation > b.violation;
      if (a.cut.members.size() != b.cut.members.size()) {
        return a.cut.members.size() < b.cut.members.size();
      }
      return a.cut < b.cut;
    });
    std::vector<Cut> cuts;
    for (auto& found : found_) {
      if (cuts.size() == max_cuts) break;
      const auto alike = [&](const Cut& cut) {
        std::vector<std::int32_t> both;
        std::ranges::set_intersection(cut.members, found.cut.members, std::back_inserter(both));
        const std::size_t all = cut.members.size() + found.cut.members.size() - both.size();
        return cut.kind == found.cut.kind && 5 * both.size() > 4 * all;
      };
      if (std::ranges::none_of(cuts, alike)) cuts.push_back(std::move(found.cut));
    }
    return cuts;
  }

  FractionalSupport support_;
  std::array<Cluster, 3> clusters_;  // Clusters for k = 1, 2 and 3.
  double least_violation_;
  std::set<Cut> seen_;
  std::vector<Found> found_;
};

}  // namespace

std::vector<Cut> cluster_cuts(const FamilyLists& lists, std::span<const double> x,
                              double least_violation, std::size_t max_cuts) {
  return Separation(lists, x, least_violation).run(max_cuts);
}

}  // namespace credenet
