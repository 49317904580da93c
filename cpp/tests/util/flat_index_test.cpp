#include "credenet/util/flat_index.hpp"

#include <map>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"
#include "credenet/util/variable_set.hpp"

using credenet::FlatIndex;
using credenet::Random;
using credenet::VariableSet;

namespace {

struct Colliding {
  std::uint64_t value = 0;

  [[nodiscard]] std::uint64_t hash() const { return ~(value % 3); }
  auto operator<=>(const Colliding&) const = default;
};

struct Before {
  bool operator()(const Colliding& a, const Colliding& b) const { return a < b; }
  template <std::size_t kWords>
  bool operator()(const VariableSet<kWords>& a, const VariableSet<kWords>& b) const {
    return a.words < b.words;
  }
};

template <typename Key, typename Draw>
void check_index(std::size_t n_keys, Draw&& draw) {
  FlatIndex<Key> index;
  std::map<Key, std::uint32_t, Before> expected;
  CHECK(index.size() == 0);
  CHECK(index.find(draw()) == FlatIndex<Key>::kAbsent);
  for (std::size_t repeat = 0; repeat < n_keys; ++repeat) {
    const Key asked = draw();
    const auto found = expected.find(asked);
    CHECK(index.find(asked) == (found == expected.end() ? FlatIndex<Key>::kAbsent : found->second));
    const Key added = draw();
    const auto position = static_cast<std::uint32_t>(expected.size());
    CHECK(index.insert(added) == expected.try_emplace(added, position).first->second);
    CHECK(index.size() == expected.size());
  }
  for (const auto& [key, position] : expected) {
    CHECK(index.find(key) == position);
    CHECK(index.keys()[position] == key);
  }
}

}  // namespace

int main() {
  Random random(1);
  check_index<Colliding>(500, [&] { return Colliding{random.below(200)}; });
  check_index<VariableSet<1>>(100'000, [&] { return VariableSet<1>{{random.below(60'000)}}; });
  check_index<VariableSet<2>>(
      50'000, [&] { return VariableSet<2>{{random() & random() & random(), random.below(2)}}; });
  check_index<VariableSet<17>>(20'000, [&] {
    VariableSet<17> set;
    for (int member = 0; member < 2; ++member) set.insert(random.below(64 * 17));
    return set;
  });
  return 0;
}
