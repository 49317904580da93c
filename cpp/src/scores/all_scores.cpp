#include <algorithm>
#include <array>

#include "credenet/scores/score.hpp"

namespace credenet {

std::span<const Score* const> all_scores() {
  static constexpr std::array kAll{
      &scores::log_likelihood, &scores::bic,  &scores::aic, &scores::mdl,
      &scores::bdeu,           &scores::k2,   &scores::bds, &scores::jeffreys,
      &scores::fnml,           &scores::qnml, &scores::bde, &scores::mit,
  };
  return kAll;
}

const Score* find_score(std::string_view name) {
  const auto all = all_scores();
  const auto found = std::ranges::find(all, name, &Score::name);
  return found == all.end() ? nullptr : *found;
}

}  // namespace credenet
