#include "credenet/independence/subset_walk.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::Random;
using credenet::SubsetWalk;

namespace {

using Subset = std::vector<std::uint32_t>;

// All subsets of one size by all masks, in lexicographic order.
std::vector<Subset> all_subsets(std::size_t n, std::size_t size) {
  std::vector<Subset> found;
  for (std::uint32_t mask = 0; mask < (1U << n); ++mask) {
    Subset members;
    for (std::uint32_t at = 0; at < n; ++at) {
      if ((mask >> at & 1) != 0) members.push_back(at);
    }
    if (members.size() == size) found.push_back(members);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

int main() {
  Random random(5);
  for (std::size_t n = 0; n <= 7; ++n) {
    for (std::size_t size = 0; size <= n + 1; ++size) {
      const std::vector<Subset> expected = all_subsets(n, size);
      std::vector<Subset> found;
      for (SubsetWalk walk(n, size); !walk.is_over(); walk.advance()) {
        found.emplace_back(walk.places().begin(), walk.places().end());
      }
      CHECK(found == expected);
      if (size == 0) continue;
      // The walk passes over subsets with the same beginning, now and then.
      std::size_t at = 0;
      for (SubsetWalk walk(n, size); !walk.is_over();) {
        CHECK(std::ranges::equal(walk.places(), expected[at]));
        const std::size_t place = random.below(size);
        const Subset before(expected[at].begin(),
                            expected[at].begin() + static_cast<std::ptrdiff_t>(place) + 1);
        while (at < expected.size() &&
               std::equal(before.begin(), before.end(), expected[at].begin())) {
          ++at;
        }
        walk.skip(place);
        CHECK(walk.is_over() == (at == expected.size()));
      }
    }
  }
}
