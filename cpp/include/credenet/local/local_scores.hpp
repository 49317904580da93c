#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/families/score_families.hpp"
#include "credenet/local/addition_scores.hpp"
#include "credenet/local/counted_sums.hpp"
#include "credenet/scores/set_scorer.hpp"
#include "credenet/util/flat_index.hpp"

namespace credenet {

// A child with its parents, ascending, and a variable that is added to the parents or removed from
// them.
struct ParentChange {
  std::uint16_t child = 0;
  std::uint16_t changed = 0;
};

// The parents of each variable, ascending.
using ParentSets = std::vector<std::vector<std::uint16_t>>;

// The source of scores for a climb over graphs.
class LocalScores {
 public:
  virtual ~LocalScores() = default;

  [[nodiscard]] virtual std::size_t n_variables() const = 0;
  // The variables that may become parents of a child; ascending.
  [[nodiscard]] virtual std::span<const std::uint16_t> candidates(std::size_t child) const = 0;
  // The required parents of a child, ascending.
  [[nodiscard]] virtual std::span<const std::uint16_t> required(std::size_t child) const = 0;
  [[nodiscard]] virtual std::size_t max_parents(std::size_t child) const = 0;

  // The local score of a child, -infinity if it may not have these parents.
  [[nodiscard]] virtual double score(std::size_t child,
                                     const std::vector<std::uint16_t>& parents) = 0;
  // How much each of the changes of the graph, on its own, adds to the local score of its child:
  // -infinity if the child may not have the new parents, not a number if it may have neither.
  // Changes of one child should be neighbours.
  virtual void find_gains(const ParentSets& graph, std::span<const ParentChange> changes,
                          std::span<double> gains) = 0;
};

// Scores from lists. A parent set scores as the best family within it, so lists may be pruned. If
// is_exact, it scores as its own family, and -infinity if that is not listed.
class TableScores final : public LocalScores {
 public:
  explicit TableScores(const FamilyLists& lists, bool is_exact = false);

  [[nodiscard]] std::size_t n_variables() const override { return lists_.n_variables(); }
  [[nodiscard]] std::span<const std::uint16_t> candidates(std::size_t child) const override {
    return candidates_[child];
  }
  [[nodiscard]] std::span<const std::uint16_t> required(std::size_t) const override { return {}; }
  [[nodiscard]] std::size_t max_parents(std::size_t) const override { return n_variables(); }
  [[nodiscard]] double score(std::size_t child, const std::vector<std::uint16_t>& parents) override;
  void find_gains(const ParentSets& graph, std::span<const ParentChange> changes,
                  std::span<double> gains) override;

  // Position in the child's list of the family that scores for the parents, or the list's size.
  [[nodiscard]] std::size_t best_family(std::size_t child,
                                        const std::vector<std::uint16_t>& parents);

 private:
  [[nodiscard]] double score_of_marked(std::size_t child, std::size_t n_marked);
  [[nodiscard]] std::size_t best_of_marked(std::size_t child, std::size_t n_marked) const;

  FamilyLists lists_;
  bool is_exact_;
  ParentSets candidates_;
  std::vector<std::uint8_t> marked_;  // Marks of the parents of the current child.
};

// Scores from a count source, in parallel. If AdditionScores supports it, all additions to a
// child's parents are counted at once, in at most most_bytes. Otherwise sets of variables are
// counted one by one and remembered: as whole numbers (CountedSums) that give the same gains, or,
// if rows have weights, as doubles.
class DataScores final : public LocalScores {
 public:
  DataScores(const CountSource& source, const ScoreSettings& settings,
             std::span<const ChildRules> rules, unsigned n_threads, double most_bytes);

  [[nodiscard]] std::size_t n_variables() const override { return rules_.size(); }
  [[nodiscard]] std::span<const std::uint16_t> candidates(std::size_t child) const override {
    return rules_[child].candidates;
  }
  [[nodiscard]] std::span<const std::uint16_t> required(std::size_t child) const override {
    return rules_[child].required;
  }
  [[nodiscard]] std::size_t max_parents(std::size_t child) const override {
    return rules_[child].max_parents;
  }
  [[nodiscard]] double score(std::size_t child, const std::vector<std::uint16_t>& parents) override;
  void find_gains(const ParentSets& graph, std::span<const ParentChange> changes,
                  std::span<double> gains) override;

 private:
  struct Key {
    std::vector<std::uint16_t> variables;  // Variables, ascending.

    [[nodiscard]] std::uint64_t hash() const;
    bool operator==(const Key&) const = default;
  };
  struct Wanted {
    std::vector<std::uint16_t> variables;  // Variables in the order of counting.
    std::uint32_t at = 0;                  // Place in the index.
  };

  // The sums of AdditionScores for a family.
  struct SummedFamily {
    std::vector<std::uint16_t> parents;
    std::int64_t sum = 0;
    bool is_known = false;
  };

  void find_added_gains(const ParentSets& graph, std::span<const ParentChange> changes,
                        std::span<double> gains);
  void find_summed_gains(const ParentSets& graph, std::span<const ParentChange> changes,
                         std::span<double> gains);
  void find_counted_gains(const ParentSets& graph, std::span<const ParentChange> changes,
                          std::span<double> gains);
  [[nodiscard]] bool is_last(std::size_t child, const std::vector<std::uint16_t>& parents) const {
    return last_[child].is_known && last_[child].parents == parents;
  }
  // Prepares the further penalties of the largest families that changes can lead to.
  void prepare_further(std::size_t child, const std::vector<std::uint16_t>& parents);
  // How much further penalties grow with each change; empty if the score has none.
  [[nodiscard]] std::vector<double> further_growth(const ParentSets& graph,
                                                   std::span<const ParentChange> changes) const;
  [[nodiscard]] double parent_states(std::span<const std::uint16_t> parents) const;
  // The gain of a change of a child's parents, given their number of joint states and the gain of
  // the counted part.
  [[nodiscard]] double gain(std::size_t child, const std::vector<std::uint16_t>& parents,
                            double states, std::uint16_t changed, double counted,
                            double further) const;

  // The place of the set of the parents and the added ones in the index, which adds it if it is
  // new.
  std::uint32_t place_of(const std::vector<std::uint16_t>& parents,
                         std::span<const std::uint16_t> added);
  void count_wanted();
  [[nodiscard]] double local(std::size_t child, const std::vector<std::uint16_t>& parents,
                             std::uint32_t family, std::uint32_t alone) const;

  ScoreSettings settings_;
  std::span<const ChildRules> rules_;
  unsigned n_threads_;
  std::unique_ptr<SetScorer> scorer_;
  std::optional<AdditionScores> additions_;
  std::optional<CountedSums> sums_;
  std::vector<SummedFamily> last_;  // Family of each child that was summed last.
  std::vector<std::unique_ptr<BatchCounter>> counters_;  // One counter for each thread.
  std::size_t block_sets_;                               // Number of sets of one batch.
  FlatIndex<Key> index_;
  std::vector<SetTerms> terms_;
  std::vector<Wanted> wanted_;
};

}  // namespace credenet
