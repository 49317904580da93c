#include "credenet/independence/ambiguity.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using namespace credenet;

namespace {

struct Separation {
  std::size_t edge;
  Node x;
  Node y;
  std::set<Node> given;
  double association;
};

// The rule in its own words, for sets in the order in which they are read.
class SlowAmbiguity {
 public:
  bool accepts(const Separation& read) {
    const std::set<Node> pair{read.x, read.y};
    if (gone.contains(pair)) return false;
    for (const auto& part : refused[pair]) {
      if (std::ranges::includes(read.given, part)) return false;
    }
    for (const Node member : read.given) {
      const auto relies = [&](Node end, Node other) {
        const auto found = gone.find({member, end});
        return found != gone.end() && found->second.contains(other);
      };
      if (relies(read.x, read.y) || relies(read.y, read.x)) {
        refused[pair].push_back(read.given);
        return false;
      }
    }
    gone[pair] = read.given;
    return true;
  }

  std::map<std::set<Node>, std::set<Node>> gone;

 private:
  std::map<std::set<Node>, std::vector<std::set<Node>>> refused;
};

void check_rule(Random& random) {
  constexpr std::size_t kNodes = 6;
  int n_refused = 0;
  for (int round = 0; round < 500; ++round) {
    SeparatingSets separating(kNodes);
    Ambiguity ambiguity(separating);
    SlowAmbiguity slow;
    for (std::size_t order = 1; order <= 3; ++order) {
      std::vector<Separation> reads;
      for (std::size_t at = random.below(12); at > 0; --at) {
        std::array<Node, kNodes> nodes{0, 1, 2, 3, 4, 5};
        for (std::size_t place = 0; place + 1 < kNodes; ++place) {
          std::swap(nodes[place], nodes[place + random.below(kNodes - place)]);
        }
        if (nodes[0] > nodes[1]) std::swap(nodes[0], nodes[1]);
        const auto edge =
            static_cast<std::size_t>(nodes[0]) * kNodes + static_cast<std::size_t>(nodes[1]);
        const std::set<Node> given(nodes.begin() + 2,
                                   nodes.begin() + 2 + static_cast<std::ptrdiff_t>(order));
        // Few values, so that there are ties.
        reads.push_back({edge, nodes[0], nodes[1], given, static_cast<double>(random.below(4))});
        if (slow.gone.contains({nodes[0], nodes[1]})) reads.pop_back();
      }
      for (const Separation& read : reads) {
        const std::vector<Node> members(read.given.begin(), read.given.end());
        ambiguity.add(read.edge, read.x, read.y, members, read.association, 0);
      }
      std::ranges::stable_sort(reads, {}, &Separation::association);
      std::vector<std::size_t> expected;
      for (const Separation& read : reads) {
        if (slow.accepts(read)) expected.push_back(read.edge);
      }
      n_refused += expected.size() < reads.size() ? 1 : 0;
      CHECK(ambiguity.settle() == expected);
    }
    for (const auto& [pair, given] : slow.gone) {
      const auto found = separating.find(*pair.begin(), *pair.rbegin());
      CHECK(found && std::ranges::equal(*found, given));
    }
  }
  CHECK(n_refused > 100);
}

// Checks the choice between two edges that rely on each other: the surer independence removes its
// own edge; of two as sure ones that of the weaker edge does.
void check_choice() {
  for (const double other : {-3.0, -2.0, -1.0}) {
    for (const double marginal : {4.0, 6.0}) {
      SeparatingSets separating(3);
      Ambiguity ambiguity(separating);
      const Node first = 1;
      const Node second = 2;
      ambiguity.add(0, 0, 1, std::span(&second, 1), -2.0, 5.0);
      ambiguity.add(1, 0, 2, std::span(&first, 1), other, marginal);
      const bool is_second = other < -2 || (other == -2 && marginal < 5);
      CHECK(ambiguity.settle() == std::vector<std::size_t>{is_second ? 1U : 0U});
      CHECK(separating.find(0, 1).has_value() == !is_second);
    }
  }
}

}  // namespace

int main() {
  Random random(11);
  check_rule(random);
  check_choice();
  return 0;
}
