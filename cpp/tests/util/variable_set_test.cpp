#include "credenet/util/variable_set.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::Random;
using credenet::VariableSet;

namespace {

using Members = std::vector<std::size_t>;

template <std::size_t kWords>
Members members_of(const VariableSet<kWords>& set) {
  Members members;
  set.for_each([&](std::size_t variable) { members.push_back(variable); });
  return members;
}

template <std::size_t kWords>
VariableSet<kWords> set_of(const Members& members) {
  VariableSet<kWords> set;
  for (const std::size_t variable : members) set.insert(variable);
  return set;
}

Members random_members(std::size_t n_variables, Random& random) {
  const double density = random.below(2) == 0 ? 0.5 : 3.0 / static_cast<double>(n_variables);
  Members members;
  for (std::size_t variable = 0; variable < n_variables; ++variable) {
    if (random.uniform() < density) members.push_back(variable);
  }
  return members;
}

template <std::size_t kWords>
void check_pair(const Members& a, const Members& b) {
  const auto first = set_of<kWords>(a);
  const auto second = set_of<kWords>(b);
  Members different;
  std::ranges::set_symmetric_difference(a, b, std::back_inserter(different));
  CHECK(first.distance(second) == different.size());
  CHECK(second.distance(first) == different.size());
  CHECK((first == second) == (a == b));
  CHECK(a != b || first.hash() == second.hash());
  CHECK(first.precedes(second) == std::ranges::lexicographical_compare(a, b));
  CHECK(second.precedes(first) == std::ranges::lexicographical_compare(b, a));
}

template <std::size_t kWords>
void check_sets(Random& random) {
  constexpr std::size_t kVariables = 64 * kWords;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Members members = random_members(kVariables, random);
    VariableSet<kWords> set = set_of<kWords>(members);
    CHECK(members_of(set) == members);
    CHECK(set.size() == members.size());

    const std::size_t variable = random.below(kVariables);
    const bool inside = std::ranges::binary_search(members, variable);
    CHECK(set.contains(variable) == inside);
    Members more = members;
    Members fewer = members;
    if (inside) {
      std::erase(fewer, variable);
    } else {
      more.insert(std::ranges::upper_bound(more, variable), variable);
    }
    CHECK(members_of(set.with(variable)) == more);
    CHECK(members_of(set.without(variable)) == fewer);
    set.insert(variable);
    CHECK(members_of(set) == more);
    set.erase(variable);
    CHECK(members_of(set) == fewer);

    check_pair<kWords>(members, members);
    check_pair<kWords>(members, more);
    check_pair<kWords>(members, fewer);
    check_pair<kWords>(members, random_members(kVariables, random));
    const auto length = static_cast<std::ptrdiff_t>(random.below(members.size() + 1));
    check_pair<kWords>(members, Members(members.begin(), members.begin() + length));
    check_pair<kWords>(members, {});
  }
  check_pair<kWords>({}, {});
  check_pair<kWords>({0}, {kVariables - 1});
  check_pair<kWords>({0, kVariables - 1}, {kVariables - 1});
  check_pair<kWords>({kVariables - 1}, {});
}

}  // namespace

int main() {
  Random random(1);
  check_sets<1>(random);
  check_sets<2>(random);
  check_sets<17>(random);
  return 0;
}
