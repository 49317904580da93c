// Levels in which most candidate parent sets are open, for scores whose terms of a set of variables
// are one or two numbers (ScoreAbilities::has_dense_terms). The tables are indexed by the ranks of
// sets (SetRanks): the terms of every set of the last two sizes, and for each child the best score
// of every open parent set and its subsets, infinite if the set is closed. So a set takes a few
// bytes and no search. A level goes through all sets of variables of one size. A set is counted
// once for all children in it, and only if one of them may have the rest as its parents. The rules
// are those of score_families.cpp. The last level stores nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "credenet/counts/set_batch.hpp"
#include "credenet/families/dense_costs.hpp"
#include "credenet/families/level_input.hpp"
#include "credenet/families/score_families.hpp"
#include "credenet/families/set_ranks.hpp"
#include "credenet/scores/set_scorer.hpp"

namespace credenet {

// The members of a set, ascending.
struct SetMembers {
  std::span<const std::uint16_t> members;

  [[nodiscard]] std::size_t size() const { return members.size(); }
  [[nodiscard]] bool contains(std::uint16_t variable) const;
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const std::uint16_t member : members) visit(std::size_t{member});
  }
};

class DenseLevels {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

 public:
  // An open set. The terms are those of the parents and of the family.
  struct Open {
    std::span<const std::uint16_t> parents;
    double best = 0;   // Best score, prior included, of it and its subsets.
    double guard = 0;  // Best score without the prior, less what a prior may still add.
    double bound = 0;  // Bound on the score without prior of its supersets.
    double joint = 0;
    double likelihood = 0;
  };

  // Whether to score the level with this many parents, and later ones, densely. most_listed bounds
  // the families that would be listed.
  [[nodiscard]] static bool pays(const LevelInput& input, std::size_t n_parents,
                                 double most_listed);

  // The open sets that are added have this size, at least 1.
  DenseLevels(const LevelInput& input, std::size_t size);
  void add_open(std::size_t child, std::span<const std::uint16_t> parents, double best,
                double guard);
  // Scores the next levels. False if the open sets should be listed, as they are few or another way
  // may be faster. True if it has ended otherwise; the status says how, and the open sets are those
  // that the families of the result do not cover.
  [[nodiscard]] bool run(Families& result);

  // Gain and bound of the sets of the next levels.
  [[nodiscard]] UnscoredSets unscored(std::size_t child) const;
  // Calls visit with every open set of a child, in order.
  template <typename Visit>
  void for_each_open(std::size_t child, Visit&& visit) const {
    std::vector<std::uint16_t> parents(size_);
    ranks_.find(ranks_.n_sets(size_) - 1, parents);
    for (std::uint64_t rank = ranks_.n_sets(size_); rank-- > 0;) {
      if (best_[child][rank] < kInfinity) visit(open(child, rank, parents));
      if (rank > 0) ranks_.advance(parents);
    }
  }

 private:
  using Table = std::vector<double>;

  // Sets of variables of one size in which some child may have the others as parents, one after
  // another, with an entry for each member as the child.
  struct Wanted {
    std::vector<std::uint16_t> members;
    // Best score of the parent set without each member; infinite if it is closed.
    std::vector<double> best;
    // Guard of the parent set without each member; infinite if it is closed.
    std::vector<double> guard;
    std::vector<std::uint64_t> ranks;      // Rank of the parent set without each member.
    std::vector<std::uint64_t> own_ranks;  // Rank of each set.
    SetBatch sets;
  };
  struct Kept {
    std::vector<std::uint16_t> children;
    std::vector<std::uint16_t> parents;
    std::vector<double> scores;
    std::uint64_t n_evaluated = 0;
    std::uint64_t n_open = 0;
    std::vector<std::uint16_t> judged;  // Parents of the current family.
  };

  [[nodiscard]] double most_listed() const;
  [[nodiscard]] bool are_most_closed() const;
  // Whether the next level exceeds the limit of work if it is listed.
  [[nodiscard]] bool is_too_much_work() const;
  // Whether a family can have this many parents, judged by the penalty alone.
  [[nodiscard]] bool may_have(std::size_t n_parents) const;
  // Adds the families with one more parent, and keeps the open sets of that size unless it is the
  // last. False if stopped; then nothing has changed.
  [[nodiscard]] bool advance(bool is_last, Families& result);
  [[nodiscard]] Open open(std::size_t child, std::uint64_t rank,
                          std::span<const std::uint16_t> parents) const;
  [[nodiscard]] bool count_size(std::size_t size, Table& joint, Table& occupied);
  // Prepares to count a size; to be called before.
  void prepare(std::size_t size);
  // Calls visit(set, rank) for the sets of a block.
  template <typename Visit>
  void for_each_in(std::size_t block, std::size_t size, Visit&& visit) const;
  void add_if_wanted(std::span<const std::uint16_t> set, std::uint64_t rank, Wanted& wanted) const;
  // Fills in the best scores and guards of a set of variables; returns whether the set is wanted.
  [[nodiscard]] bool is_wanted(std::span<const std::uint16_t> set, double* best, double* guard,
                               std::uint64_t* ranks) const;
  // Scores and judges the families of the wanted sets, given the terms of the sets.
  void judge(const Wanted& wanted, std::span<const SetTerms> terms, bool is_last, Kept& kept);
  // Judges the child at a place among the members, given its score without prior and the bound on
  // its supersets; minus infinity closes it.
  void judge(const Wanted& wanted, std::size_t place, double plain, double bound, Kept& kept);
  void keep(const std::vector<Kept>& found, bool is_last, Families& result);
  [[nodiscard]] TermsView terms_of(std::uint64_t rank) const;
  [[nodiscard]] double n_states(std::size_t variable) const {
    return input_.settings.n_states[variable];
  }

  LevelInput input_;
  DenseCosts costs_;
  std::size_t n_;
  SetRanks ranks_;
  std::size_t size_;
  std::uint64_t n_open_ = 0;
  double cost_;
  double margin_;
  bool has_prior_;
  bool has_occupied_;                // Whether bounds use occupied cells.
  std::vector<double> added_share_;  // Share of the parameters, by the parent added.
  std::vector<double> least_;        // Guard of each child without parents.
  std::vector<Table> best_;          // Best scores by child and rank.
  std::vector<Table> guard_;         // Guards by child and rank; empty without a prior.
  std::vector<Table> next_best_;     // Best scores of the current level.
  std::vector<Table> next_guard_;
  Table smaller_joint_;  // Joint terms of the sets of size_, by rank.
  Table joint_;          // Joint terms of the sets of size_ + 1.
  Table occupied_;       // Occupied cells of the sets of size_ + 1, if bounds use them.
  Table next_joint_;     // Joint terms of the sets of size_ + 2.
  Table next_occupied_;
};

}  // namespace credenet
