#include "credenet/treewidth/best_within.hpp"

#include <stdexcept>

#include "check.hpp"
#include "families/random_lists.hpp"
#include "stop_at.hpp"
#include "treewidth/bounded_brute_force.hpp"

using credenet::best_within;
using credenet::BestWithin;
using credenet::FamilyIndex;
using credenet::FamilyLists;
using credenet::NoControl;
using credenet::Random;
using credenet::Status;
using credenet::TreeDecomposition;

namespace {

double best_of_all(const FamilyLists& lists, const TreeDecomposition& tree) {
  return best_of_all_choices(lists, [&](const std::vector<std::int32_t>& families) {
    return credenet::is_within(lists, families, tree);
  });
}

// Checks that one object solves decompositions of all shapes one after the other.
void check_against_all_choices() {
  Random random(1);
  NoControl control;
  std::size_t n_infeasible = 0;
  for (std::size_t round = 0; round < 300; ++round) {
    const std::size_t n = 1 + random.below(6);
    const bool with_empty = round % 3 != 0;
    const RandomLists drawn(random, n, n > 5 ? 5 : 6, 4, with_empty);
    const RootedLists rooted(random, n, 6, 3);
    const FamilyLists lists = round % 3 == 1 ? rooted.view() : drawn.view();
    const FamilyIndex index(lists, 5);
    BestWithin search(index);
    for (int repeat = 0; repeat < 4; ++repeat) {
      const TreeDecomposition tree = draw_decomposition(random, n, 1 + random.below(n));
      const double best = best_of_all(lists, tree);
      n_infeasible += best == kNoBoundedNetwork ? 1 : 0;
      check_bounded(lists, search(tree, control), best);
      check_bounded(lists, best_within(lists, tree, control), best);
    }
  }
  CHECK(n_infeasible > 50 && n_infeasible < 1000);
}

// Checks more orders than are worked on at once: a whole bag of seven and neighbours of six and
// seven.
void check_large_bags() {
  Random random(2);
  NoControl control;
  for (int round = 0; round < 5; ++round) {
    const RandomLists drawn(random, 8, 3, 6);
    for (const TreeDecomposition& tree :
         {TreeDecomposition{{{0, 1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7}}, {-1, 0}},
          TreeDecomposition{{{0, 1, 2, 3, 4, 5}, {1, 2, 3, 4, 5, 6}, {2, 3, 4, 6, 7}}, {-1, 0, 1}},
          TreeDecomposition{{{0, 1, 2, 3, 4, 5, 6, 7}}, {-1}}}) {
      check_bounded(drawn.view(), best_within(drawn.view(), tree, control),
                    best_of_all(drawn.view(), tree));
    }
  }
}

void check_edges() {
  NoControl control;
  const BitLists none;
  CHECK(best_within(none.view(), {}, control).status == Status::kOptimal);
  CHECK(best_within(none.view(), {}, control).score == 0);
  BitLists pair;  // The families are 0 -> 1 or 1 -> 0, with the same parents twice.
  for (const std::uint64_t parents : {0b10ULL, 0b01ULL}) {
    pair.add_family(-1.0, parents);
    pair.add_family(-2.0, parents);
    pair.add_family(-3.0, 0);
    pair.end_variable();
  }
  const auto found = best_within(pair.view(), {{{0, 1}}, {-1}}, control);
  check_bounded(pair.view(), found, -4.0);
  check_bounded(pair.view(), best_within(pair.view(), {{{0}, {1}}, {-1, 0}}, control), -6.0);
  CHECK_THROWS(best_within(pair.view(), {{{0}}, {-1}}, control), std::invalid_argument);
  CHECK_THROWS(best_within(pair.view(), {{{1, 0}}, {-1}}, control), std::invalid_argument);
  CHECK_THROWS(best_within(pair.view(), {{{0, 1, 2}}, {-1}}, control), std::invalid_argument);
  CHECK_THROWS(best_within(pair.view(), {{{0, 1}}, {}}, control), std::invalid_argument);
  Random random(3);
  const RandomLists ten(random, 10, 3, 2);
  CHECK_THROWS(best_within(ten.view(), {{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}, {-1}}, control),
               std::invalid_argument);
  for (const int poll : {1, 2}) {
    StopAt stop(poll);
    const auto stopped = best_within(pair.view(), {{{0}, {1}}, {-1, 0}}, stop);
    CHECK(stopped.status == Status::kStopped && stopped.families.empty());
    CHECK(stopped.bound == std::numeric_limits<double>::infinity());
  }
}

}  // namespace

int main() {
  check_against_all_choices();
  check_large_bags();
  check_edges();
  return 0;
}
