#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "credenet/families/family_scorer.hpp"
#include "credenet/local/local_scores.hpp"
#include "credenet/util/flat_index.hpp"

namespace credenet {

// Scores from any family scorer, which is asked once for every family.
class AskedScores final : public LocalScores {
 public:
  AskedScores(const FamilyScorer& scorer, std::span<const ChildRules> rules)
      : scorer_(scorer), rules_(rules) {}

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
  // A child and its parents, ascending.
  struct Key {
    std::vector<std::uint16_t> family;

    [[nodiscard]] std::uint64_t hash() const;
    bool operator==(const Key&) const = default;
  };

  // The place of the family in the index, which adds it if it is new.
  std::uint32_t place_of(std::size_t child, const std::vector<std::uint16_t>& parents);
  void ask_wanted();

  const FamilyScorer& scorer_;
  std::span<const ChildRules> rules_;
  FlatIndex<Key> index_;
  std::vector<double> scores_;  // Scores of the asked families, with the prior.
  FamilyBatch wanted_;          // Last families of the index, not yet asked for.
};

// Makes scores from counts if the score sits on them, else by asking the scorer. Counting holds
// copies of the rows only if they fit in most_bytes.
[[nodiscard]] std::unique_ptr<LocalScores> local_scores(const FamilyScorer& scorer,
                                                        std::span<const ChildRules> rules,
                                                        unsigned n_threads, double most_bytes);

}  // namespace credenet
