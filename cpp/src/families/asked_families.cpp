#include "credenet/families/asked_families.hpp"

#include <stdexcept>

#include "credenet/families/asked_levels.hpp"

namespace credenet {

Families ask_families(const FamilyScorer& scorer, std::span<const ChildRules> rules,
                      const FamilyOptions& options, Control& control) {
  const std::size_t n = rules.size();
  if (n <= 64) return AskedLevels<1>(scorer, rules, options, control).run();
  if (n <= 256) return AskedLevels<4>(scorer, rules, options, control).run();
  if (n > 4096) throw std::invalid_argument("families of at most 4096 variables can be scored");
  return AskedLevels<64>(scorer, rules, options, control).run();
}

Families score_families(const FamilyScorer& scorer, std::span<const ChildRules> rules,
                        const FamilyOptions& options, Control& control) {
  const CountedScore* counted = scorer.counted();
  if (counted == nullptr) return ask_families(scorer, rules, options, control);
  return score_families(*counted->source, counted->settings, rules, options, control);
}

}  // namespace credenet
