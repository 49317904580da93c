// Violated cluster inequalities for a solution x of the linear program. The mass of a cluster is
// the sum over its members of x over families without a parent in the cluster; it must be at least
// 1. A violated cluster of least size lies within a strong component of the used families, so each
// component is searched apart, from several starts: short cycles, single variables that grow by
// the variable that leaves the least mass, and the whole component that shrinks by the variable of
// most mass. Each ends in a descent, in which variables leave or enter as long as the mass falls.
// Masses are kept up to date; a step costs a scan of the component.
#include "credenet/search/cluster_cuts.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>

#include "credenet/search/fractional_support.hpp"

namespace credenet {
namespace {

constexpr std::size_t kLargestGrown = 40;
constexpr std::size_t kLargestDescent = 200;  // members, above which a cluster is not improved
constexpr double kTiny = 1e-9;

class Cluster {
 public:
  explicit Cluster(const FractionalSupport& support)
      : support_(support),
        is_member_(support.n_variables(), 0),
        own_(support.n_variables(), 1.0),
        covers_(support.n_variables(), 0.0),
        inside_(support.used().size(), 0) {}

  [[nodiscard]] double mass() const { return mass_; }
  [[nodiscard]] const std::set<std::int32_t>& members() const { return members_; }
  [[nodiscard]] bool contains(std::int32_t v) const {
    return is_member_[static_cast<std::size_t>(v)] != 0;
  }
  // The mass once v has entered, or has left.
  [[nodiscard]] double mass_with(std::int32_t v) const {
    return mass_ + own_[static_cast<std::size_t>(v)] - covers_[static_cast<std::size_t>(v)];
  }
  // The mass of a member's families that have no parent in the cluster.
  [[nodiscard]] double own_mass(std::int32_t v) const { return own_[static_cast<std::size_t>(v)]; }
  [[nodiscard]] double mass_without(std::int32_t v) const {
    double bared = 0;
    for (const std::int32_t at : support_.families_with(v)) {
      const auto place = static_cast<std::size_t>(at);
      const auto& used = support_.used()[place];
      if (inside_[place] == 1 && contains(used.child)) bared += used.mass;
    }
    return mass_ - own_[static_cast<std::size_t>(v)] + bared;
  }

  void insert(std::int32_t v) {
    mass_ += own_[static_cast<std::size_t>(v)];
    is_member_[static_cast<std::size_t>(v)] = 1;
    members_.insert(v);
    for (const std::int32_t at : support_.families_of(v)) {
      if (inside_[static_cast<std::size_t>(at)] == 0) offer(at, 1);
    }
    for (const std::int32_t at : support_.families_with(v)) {
      const auto place = static_cast<std::size_t>(at);
      if (++inside_[place] > 1) continue;
      const auto& used = support_.used()[place];
      own_[static_cast<std::size_t>(used.child)] -= used.mass;
      if (!contains(used.child)) continue;
      mass_ -= used.mass;
      offer(at, -1);
    }
  }

  void erase(std::int32_t v) {
    for (const std::int32_t at : support_.families_with(v)) {
      const auto place = static_cast<std::size_t>(at);
      if (--inside_[place] > 0) continue;
      const auto& used = support_.used()[place];
      own_[static_cast<std::size_t>(used.child)] += used.mass;
      if (!contains(used.child)) continue;
      mass_ += used.mass;
      offer(at, 1);
    }
    for (const std::int32_t at : support_.families_of(v)) {
      if (inside_[static_cast<std::size_t>(at)] == 0) offer(at, -1);
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
  // A member's family without a parent inside would be covered by each of its parents.
  void offer(std::int32_t at, int sign) {
    const auto& used = support_.used()[static_cast<std::size_t>(at)];
    for (const std::int32_t parent : used.parents) {
      covers_[static_cast<std::size_t>(parent)] += sign * used.mass;
    }
  }

  const FractionalSupport& support_;
  std::set<std::int32_t> members_;
  std::vector<std::uint8_t> is_member_;
  std::vector<double> own_;     // of each variable: mass of its families without a parent inside
  std::vector<double> covers_;  // of each variable: mass of such families of members that have it
  std::vector<std::int32_t> inside_;  // of each used family: parents inside
  double mass_ = 0;
};

class Separation {
 public:
  Separation(const FamilyLists& lists, std::span<const double> x, double least_violation)
      : support_(lists, x), cluster_(support_), least_violation_(least_violation) {}

  [[nodiscard]] std::vector<Cut> run(std::size_t max_cuts) {
    for (const auto& group : support_.groups()) {
      cycles(group);
      for (const std::int32_t v : group) grow(v, group);
      shrink(group);
    }
    return chosen(max_cuts);
  }

 private:
  struct Found {
    double violation;
    Cut cut;
  };

  // Variables enter or leave as long as the mass falls; variables leave at no cost too, as smaller
  // clusters are stronger.
  void descend(const std::vector<std::int32_t>& group) {
    if (cluster_.members().size() <= kLargestDescent) {
      for (std::size_t step = 0; step < 4 * group.size(); ++step) {
        std::int32_t best = -1;
        double least = cluster_.mass() - kTiny;
        for (const std::int32_t v : group) {
          if (cluster_.contains(v)) {
            if (cluster_.members().size() <= 2) continue;
            const double mass = cluster_.mass_without(v);
            if (mass < least + 2 * kTiny) {
              least = std::min(mass, least);
              best = v;
            }
          } else if (cluster_.mass_with(v) < least) {
            least = cluster_.mass_with(v);
            best = v;
          }
        }
        if (best < 0) break;
        cluster_.contains(best) ? cluster_.erase(best) : cluster_.insert(best);
      }
    }
    keep();
  }

  void keep() {
    const double violation = 1 - cluster_.mass();
    if (cluster_.members().size() < 2) return;
    std::vector<std::int32_t> members(cluster_.members().begin(), cluster_.members().end());
    if (!seen_.insert(members).second) return;
    if (violation >= least_violation_) found_.push_back({violation, {1, members}});
    keep_higher(members);
  }

  // The inequalities for k = 2, 3, … of the same members.
  void keep_higher(const std::vector<std::int32_t>& members) {
    if (members.size() > kLargestGrown) return;
    std::vector<double> mass(members.size(), 0.0);  // by the number of parents inside
    for (const std::int32_t v : members) {
      for (const std::int32_t at : support_.families_of(v)) {
        const auto& used = support_.used()[static_cast<std::size_t>(at)];
        const auto inside = std::ranges::count_if(
            used.parents, [&](std::int32_t parent) { return cluster_.contains(parent); });
        mass[static_cast<std::size_t>(inside)] += used.mass;
      }
    }
    double fewer = 0;
    for (std::size_t k = 1; k < members.size(); ++k) {
      fewer += mass[k - 1];
      const double violation = static_cast<double>(k) - fewer;
      if (k > 1 && violation >= least_violation_) {
        found_.push_back({violation, {static_cast<std::int32_t>(k), members}});
      }
    }
  }

  // A shortest cycle through each variable.
  void cycles(const std::vector<std::int32_t>& group) {
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
      cluster_.clear();
      for (std::int32_t v = last; v != root; v = next[static_cast<std::size_t>(v)]) {
        cluster_.insert(v);
      }
      cluster_.insert(root);
      descend(group);
    }
  }

  void grow(std::int32_t root, const std::vector<std::int32_t>& group) {
    cluster_.clear();
    cluster_.insert(root);
    while (cluster_.members().size() < std::min(kLargestGrown, group.size()) &&
           cluster_.mass() > 1 - least_violation_) {
      std::int32_t best = -1;
      double least = std::numeric_limits<double>::infinity();
      for (const std::int32_t v : group) {
        if (cluster_.contains(v) || cluster_.mass_with(v) >= least) continue;
        least = cluster_.mass_with(v);
        best = v;
      }
      cluster_.insert(best);
    }
    descend(group);
  }

  void shrink(const std::vector<std::int32_t>& group) {
    cluster_.clear();
    for (const std::int32_t v : group) cluster_.insert(v);
    std::vector<std::vector<std::int32_t>> violated;
    while (cluster_.members().size() >= 2) {
      if (cluster_.mass() <= 1 - least_violation_) {
        violated.emplace_back(cluster_.members().begin(), cluster_.members().end());
      }
      std::int32_t most = -1;
      for (const std::int32_t v : cluster_.members()) {
        if (most < 0 || cluster_.own_mass(v) > cluster_.own_mass(most)) most = v;
      }
      cluster_.erase(most);
    }
    for (const auto& members : violated) {
      cluster_.clear();
      for (const std::int32_t v : members) cluster_.insert(v);
      descend(group);
    }
  }

  // The most violated ones, leaving out those that share nearly all members with a better one.
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
  Cluster cluster_;
  double least_violation_;
  std::set<std::vector<std::int32_t>> seen_;
  std::vector<Found> found_;
};

}  // namespace

std::vector<Cut> cluster_cuts(const FamilyLists& lists, std::span<const double> x,
                              double least_violation, std::size_t max_cuts) {
  return Separation(lists, x, least_violation).run(max_cuts);
}

}  // namespace credenet
