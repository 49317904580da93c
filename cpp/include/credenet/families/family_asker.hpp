// The interface of a score for best-first exploration, which asks for a few families of one child
// at a time, on one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "credenet/families/family_scorer.hpp"
#include "credenet/families/family_terms.hpp"

namespace credenet {

// Facts about a score that hold for all families. A score that does not sit on counts has no
// penalty for parameters, as if each variable had one state.
struct ScoreShape {
  std::vector<std::int32_t> n_states;  // Number of states of each variable.
  double total = 0;                    // Weight of all rows.
  double parameter_cost = 0;           // Cost of a parameter, as in SetScorer.
  bool has_penalty = false;            // Ability of the score, as in ScoreAbilities.
};

struct AskedFamily {
  std::vector<std::uint16_t> parents;  // The parent that was added to a scored set is last.
  ScoredFamily scored;
  double joint = 0;       // Joint term of the parents alone, for scores on counts.
  double likelihood = 0;  // Likelihood of the child given the parents, for scores that have one.
  bool is_useless = false;
};

class FamilyAsker {
 public:
  // Whether the parents' joint term alone shows that the family at a place is useless.
  using IsUseless = std::function<bool(std::size_t at, double joint)>;

  FamilyAsker() = default;
  FamilyAsker(const FamilyAsker&) = delete;
  FamilyAsker& operator=(const FamilyAsker&) = delete;
  virtual ~FamilyAsker() = default;

  [[nodiscard]] virtual ScoreShape shape() const = 0;
  // Scores families, except families that are found to be useless. Unproven bounds are used only if
  // asked for.
  virtual void ask(std::size_t child, std::span<AskedFamily* const> families, bool unproven,
                   const IsUseless& is_useless) = 0;
};

// Makes an asker that counts if the score sits on counts, with terms that the threads share; else
// one that asks the scorer.
[[nodiscard]] std::unique_ptr<FamilyAsker> make_asker(const FamilyScorer& scorer,
                                                      std::size_t n_variables, SharedTerms& shared);

}  // namespace credenet
