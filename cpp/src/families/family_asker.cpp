#include "credenet/families/family_asker.hpp"

#include <algorithm>

namespace credenet {
namespace {

class CountedAsker final : public FamilyAsker {
 public:
  CountedAsker(const CountedScore& counted, SharedTerms& shared)
      : counted_(counted), terms_(*counted.source, counted.settings, shared) {}

  [[nodiscard]] ScoreShape shape() const override {
    const auto states = counted_.settings.n_states;
    return {{states.begin(), states.end()},
            counted_.source->total(),
            terms_.scorer().parameter_cost(),
            counted_.settings.abilities().has_penalty};
  }

  void ask(std::size_t child, std::span<AskedFamily* const> families, bool unproven,
           const IsUseless& is_useless) override {
    const SetScorer& scorer = terms_.scorer();
    if (of_parents_.size() < families.size()) {
      of_parents_.resize(families.size());
      of_family_.resize(families.size());
    }
    scored_.clear();
    counted_families_.clear();
    for (std::size_t at = 0; at < families.size(); ++at) {
      AskedFamily& family = *families[at];
      const SetTerms& alone = terms_.of_parents(family.parents, of_parents_[at]);
      family.joint = alone.joint;
      family.is_useless = is_useless(at, alone.joint);
      if (family.is_useless) continue;
      const SetTerms& whole = terms_.of_family(family.parents, child, of_family_[at]);
      family.likelihood = scorer.abilities().has_likelihood ? whole.joint - alone.joint : 0;
      double states = 1;
      for (const std::uint16_t parent : family.parents) states *= scorer.n_states(parent);
      scored_.push_back(&family);
      counted_families_.push_back({child, family.parents.size(), states, whole, alone});
    }
    values_.resize(scored_.size());
    most_likelihood_.assign(scored_.size(), 0.0);
    scorer.score(counted_families_, values_);
    for (std::size_t at = 0; at < scored_.size(); ++at) scored_[at]->scored.score = values_[at];
    scorer.bound(counted_families_, most_likelihood_, unproven, values_);
    for (std::size_t at = 0; at < scored_.size(); ++at) scored_[at]->scored.bound = values_[at];
  }

 private:
  const CountedScore& counted_;
  FamilyTerms terms_;
  // The terms by family, kept for their memory.
  std::vector<SetTerms> of_parents_;
  std::vector<SetTerms> of_family_;
  std::vector<AskedFamily*> scored_;
  std::vector<CountedFamily> counted_families_;
  std::vector<double> values_;
  std::vector<double> most_likelihood_;
};

class PlainAsker final : public FamilyAsker {
 public:
  PlainAsker(const FamilyScorer& scorer, std::size_t n_variables)
      : scorer_(scorer), n_variables_(n_variables) {}

  [[nodiscard]] ScoreShape shape() const override {
    return {.n_states = std::vector<std::int32_t>(n_variables_, 1)};
  }

  void ask(std::size_t child, std::span<AskedFamily* const> families, bool,
           const IsUseless&) override {
    FamilyBatch batch;
    std::vector<std::uint16_t> ascending;
    for (AskedFamily* family : families) {
      ascending = family->parents;
      std::ranges::sort(ascending);
      batch.add(static_cast<std::uint16_t>(child), ascending);
      family->is_useless = false;
    }
    std::vector<ScoredFamily> scored(families.size());
    if (!families.empty()) scorer_.score(batch, scored);
    for (std::size_t at = 0; at < scored.size(); ++at) families[at]->scored = scored[at];
  }

 private:
  const FamilyScorer& scorer_;
  std::size_t n_variables_;
};

}  // namespace

std::unique_ptr<FamilyAsker> make_asker(const FamilyScorer& scorer, std::size_t n_variables,
                                        SharedTerms& shared) {
  const CountedScore* counted = scorer.counted();
  if (counted == nullptr) return std::make_unique<PlainAsker>(scorer, n_variables);
  return std::make_unique<CountedAsker>(*counted, shared);
}

}  // namespace credenet
