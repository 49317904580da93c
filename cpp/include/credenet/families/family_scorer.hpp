// The seam between searches and scores. A family scorer answers: these families, these scores, and
// bounds on the families that were not asked for. Listing by levels, climbing over graphs and sums
// over networks ask it in batches; they do not know where scores come from. Scores of discrete data
// sit on a count source (CountScorer); searches that know how to use counts ask for them. A score
// on moments, on rows with gaps or from a function outside the core stands beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/counts/count_source.hpp"
#include "credenet/counts/set_batch.hpp"
#include "credenet/scores/score.hpp"

namespace credenet {

// Families to be scored together: a child and its parents, ascending.
class FamilyBatch {
 public:
  void clear() {
    children_.clear();
    parents_.clear();
  }
  void add(std::uint16_t child, std::span<const std::uint16_t> parents) {
    children_.push_back(child);
    parents_.add(parents);
  }

  [[nodiscard]] std::size_t size() const { return children_.size(); }
  [[nodiscard]] std::uint16_t child(std::size_t at) const { return children_[at]; }
  [[nodiscard]] std::span<const std::uint16_t> parents(std::size_t at) const {
    return parents_[at];
  }

 private:
  std::vector<std::uint16_t> children_;
  SetBatch parents_;
};

struct ScoredFamily {
  double score = -std::numeric_limits<double>::infinity();  // Score without prior.
  // No family with these parents and more scores higher, without prior.
  double bound = std::numeric_limits<double>::infinity();
};

// A score of discrete data, for searches that use counts themselves.
struct CountedScore {
  const CountSource* source = nullptr;
  ScoreSettings settings;
};

class FamilyScorer {
 public:
  FamilyScorer() = default;
  FamilyScorer(const FamilyScorer&) = delete;
  FamilyScorer& operator=(const FamilyScorer&) = delete;
  virtual ~FamilyScorer() = default;

  virtual void score(const FamilyBatch& families, std::span<ScoredFamily> scored) const = 0;
  // Whether several threads may ask at a time.
  [[nodiscard]] virtual bool takes_threads() const = 0;
  // The approximate number of rows visited for a family; a family that is not counted takes as long
  // as this many rows.
  [[nodiscard]] virtual std::size_t work() const { return std::size_t{1} << 16; }
  // The score and its source; null if the score does not sit on counts.
  [[nodiscard]] virtual const CountedScore* counted() const { return nullptr; }
};

// A score on a count source, which must live as long.
class CountScorer final : public FamilyScorer {
 public:
  CountScorer(const CountSource& source, const ScoreSettings& settings)
      : counted_{&source, settings} {}

  void score(const FamilyBatch& families, std::span<ScoredFamily> scored) const override;
  [[nodiscard]] bool takes_threads() const override { return true; }
  [[nodiscard]] std::size_t work() const override { return counted_.source->n_rows(); }
  [[nodiscard]] const CountedScore* counted() const override { return &counted_; }

 private:
  CountedScore counted_;
};

}  // namespace credenet
