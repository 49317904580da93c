#include <algorithm>

#include "credenet/families/family_scorer.hpp"
#include "credenet/scores/set_scorer.hpp"

namespace credenet {

void CountScorer::score(const FamilyBatch& families, std::span<ScoredFamily> scored) const {
  const auto scorer = make_scorer(counted_.settings, *counted_.source);
  const auto counter = counted_.source->counter();
  SetBatch sets;  // Parents of each family, then the whole family.
  std::vector<std::uint16_t> members;
  for (std::size_t at = 0; at < families.size(); ++at) {
    const auto parents = families.parents(at);
    members.assign(parents.begin(), parents.end());
    members.insert(std::ranges::upper_bound(members, families.child(at)), families.child(at));
    sets.add(parents);
    sets.add(members);
  }
  scorer->prepare(sets);
  std::vector<SetTerms> terms(sets.size());
  scorer->evaluate(*counter, sets, terms);
  std::vector<CountedFamily> counted;
  for (std::size_t at = 0; at < families.size(); ++at) {
    double states = 1;
    for (const std::uint16_t parent : families.parents(at)) states *= scorer->n_states(parent);
    counted.push_back({families.child(at), families.parents(at).size(), states, terms[2 * at + 1],
                       terms[2 * at]});
  }
  std::vector<double> values(families.size());
  scorer->score(counted, values);
  for (std::size_t at = 0; at < values.size(); ++at) scored[at].score = values[at];
  const std::vector<double> most_likelihood(families.size(), 0.0);
  scorer->bound(counted, most_likelihood, false, values);
  for (std::size_t at = 0; at < values.size(); ++at) scored[at].bound = values[at];
}

}  // namespace credenet
