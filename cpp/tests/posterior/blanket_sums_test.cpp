#include "credenet/posterior/blanket_sums.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "posterior_of_lists.hpp"
#include "stop_at.hpp"

using credenet::bit_of;
using credenet::FamilyLists;
using credenet::NoControl;
using credenet::parent_bits;
using credenet::Random;
using credenet::WeightTable;

namespace {

std::uint32_t blanket_of(const FamilyLists& lists, const Network& network, std::size_t variable) {
  std::uint32_t blanket = 0;
  for (std::size_t child = 0; child < network.size(); ++child) {
    const std::uint32_t parents = parent_bits(lists, static_cast<std::size_t>(network[child]));
    if (child == variable) blanket |= parents;
    if ((parents & bit_of(variable)) != 0) blanket |= parents | bit_of(child);
  }
  return blanket & ~bit_of(variable);
}

void check_random(Random& random) {
  const std::size_t n = 1 + random.below(5);
  const MildLists drawn(random, n, 6, random.below(3) != 0);
  const FamilyLists lists = drawn.view();
  const SlowPosterior slow(lists);
  if (slow.networks.empty()) return;
  const std::size_t variable = random.below(n);
  std::vector<std::uint32_t> sets;
  for (std::uint32_t set = 0; set < bit_of(n); ++set) {
    if ((set & bit_of(variable)) == 0) sets.push_back(set);
  }
  NoControl control;
  const auto found =
      *credenet::blanket_within(WeightTable(lists), false, variable, sets, 2, control);
  for (std::size_t at = 0; at < sets.size(); ++at) {
    double expected = 0;
    for (std::size_t network = 0; network < slow.networks.size(); ++network) {
      const std::uint32_t blanket = blanket_of(lists, slow.networks[network], variable);
      if ((blanket & ~sets[at]) == 0) expected += slow.probabilities[network];
    }
    CHECK(std::abs(found[at] - expected) < 1e-12);
  }
}

void check_stop() {
  Random random(3);
  const MildLists drawn(random, 4, 6, true);
  const std::vector<std::uint32_t> sets(50, 0);
  StopAt control(5);
  CHECK(!credenet::blanket_within(WeightTable(drawn.view()), false, 0, sets, 1, control));
}

}  // namespace

int main() {
  Random random(5);
  for (int trial = 0; trial < 300; ++trial) check_random(random);
  check_stop();
}
