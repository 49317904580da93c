#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"

namespace credenet {

// A DAG made of listed families, with children, ancestors and descendants as rows of bits.
//
// A move tries parents on the edges alone (detach, attach, cut, join, reach) and then settles what
// it keeps: only then do the families, ancestors and descendants change. Between moves the edges
// are those of the families.
//
// Time goes on with advance, and the state sums up how long each path has been there. A path costs
// something only when it comes or goes.
class DagState {
 public:
  struct Change {
    std::size_t variable = 0;
    std::int64_t family = 0;
  };

  // The families must form an acyclic network.
  DagState(const FamilyLists& lists, std::span<const std::int64_t> families);

  [[nodiscard]] const FamilyLists& lists() const { return lists_; }
  [[nodiscard]] std::size_t n_variables() const { return families_.size(); }
  [[nodiscard]] std::size_t n_words() const { return n_words_; }
  [[nodiscard]] std::size_t n_edges() const { return n_edges_; }
  [[nodiscard]] std::span<const std::int64_t> families() const { return families_; }
  [[nodiscard]] std::span<const std::int32_t> parents(std::size_t variable) const {
    return lists_.parents_of(static_cast<std::size_t>(families_[variable]));
  }
  [[nodiscard]] std::span<const std::uint64_t> children(std::size_t variable) const {
    return row(children_, variable);
  }
  [[nodiscard]] std::span<const std::uint64_t> descendants(std::size_t variable) const {
    return row(descendants_, variable);
  }
  [[nodiscard]] bool has_edge(std::size_t parent, std::size_t child) const {
    return has_bit(children(parent), child);
  }
  // Whether a path of one edge or more leads from a to b.
  [[nodiscard]] bool has_path(std::size_t a, std::size_t b) const {
    return has_bit(descendants(a), b);
  }
  [[nodiscard]] double score() const;

  // Takes the edges into a variable away, or puts those of a family there.
  void detach(std::size_t variable, std::int64_t family);
  void attach(std::size_t variable, std::int64_t family);
  // Removes or adds one edge.
  void cut(std::size_t parent, std::size_t child);
  void join(std::size_t parent, std::size_t child);
  // Finds the variable and all that the edges lead to from it.
  void reach(std::size_t variable, std::span<std::uint64_t> found);
  // Keeps new families, whose edges are attached.
  void settle(std::span<const Change> changes);

  void advance(double time) { now_ += time; }
  // Adds for each path how long it has been there, at b * n_variables + a for a path from a to b,
  // and starts again at time 0. Returns the time passed.
  double take_path_times(std::span<double> sums);

  // Visits the variables whose parents or children have changed since the last visit.
  template <typename Visit>
  void visit_touched(Visit&& visit) {
    for (const std::size_t variable : touched_) {
      is_touched_[variable] = 0;
      visit(variable);
    }
    touched_.clear();
  }

 private:
  using Rows = std::vector<std::uint64_t>;

  [[nodiscard]] static bool has_bit(std::span<const std::uint64_t> bits, std::size_t at) {
    return (bits[at / 64] >> (at % 64) & 1) != 0;
  }
  [[nodiscard]] std::span<const std::uint64_t> row(const Rows& rows, std::size_t variable) const {
    return std::span(rows).subspan(variable * n_words_, n_words_);
  }
  void touch(std::size_t variable);
  void mark(std::size_t variable);
  void refresh(std::size_t variable);

  FamilyLists lists_;
  std::size_t n_words_;
  std::size_t n_edges_ = 0;
  std::vector<std::int64_t> families_;
  Rows children_;
  Rows ancestors_;
  Rows descendants_;
  Rows stale_;  // One row: variables whose ancestors are to be found anew.
  Rows fresh_;  // One row of ancestors.
  Rows front_;  // One row: variables reached whose children have not been looked at.
  std::vector<std::size_t> touched_;
  std::vector<std::uint8_t> is_touched_;
  double now_ = 0;
  // Time of each path, less the time at which it came if it is there.
  std::vector<double> path_times_;
};

}  // namespace credenet
