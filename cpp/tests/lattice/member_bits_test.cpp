#include "credenet/lattice/member_bits.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::MemberBits;
using credenet::Random;

int main() {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n = 1 + random.below(100);
    std::vector<std::int32_t> members;
    std::vector<std::int32_t> variables;
    for (std::size_t v = 0; v < n; ++v) {
      if (random.below(2) == 0 && members.size() < 64)
        members.push_back(static_cast<std::int32_t>(v));
      if (random.below(3) == 0) variables.push_back(static_cast<std::int32_t>(v));
    }
    const std::uint64_t set = MemberBits(n, members)(variables);
    for (std::size_t at = 0; at < 64; ++at) {
      const bool is_there =
          at < members.size() && std::ranges::find(variables, members[at]) != variables.end();
      CHECK((set >> at & 1) == (is_there ? 1U : 0U));
    }
  }
}
