#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/independence/ambiguity.hpp"
#include "credenet/independence/judge.hpp"
#include "credenet/independence/node_bits.hpp"
#include "credenet/independence/pc.hpp"
#include "credenet/independence/separating_sets.hpp"
#include "credenet/independence/subset_walk.hpp"

namespace credenet {

// An edge that is to be tested with sets from the pools of one or both of its ends.
struct TestedPair {
  Node x = 0;
  Node y = 0;
  bool from_x = true;
  bool from_y = true;
};

// Removes edges between variables that a set separates. Conditioning sets of a variable come from
// its pool, the neighbours that may be its parents; those associated most with both ends are tried
// first. Questions go to the judge in rounds in which every pair that still stands has its next few
// sets tried. A pair asks for at most a quarter more than it has asked for before, plus one, so
// that few answers are wasted, and an edge removed in one round leaves the pools for the next.
class Thinning {
 public:
  Thinning(Judge& judge, bool settles_ambiguity, Control& control);

  // Neighbours of each node, and those of them that may be its parents.
  NodeBits adjacent;
  NodeBits pools;

  // Tries all sets of a size for each of the pairs; false if the control has stopped it. Removed
  // edges are added to `removed`.
  [[nodiscard]] bool thin(std::span<const TestedPair> pairs, std::size_t order,
                          std::vector<TestedPair>& removed);

  // Answers to single questions, which count as tests.
  [[nodiscard]] bool ask(std::span<const Question> questions, std::span<Answer> answers);

  void remove(Node x, Node y);
  [[nodiscard]] const SeparatingSets& separating() const { return separating_; }
  // The answer nearest to independence for each pair, among the answers against independence.
  [[nodiscard]] const SeparatingSets& weakest() const { return weakest_; }
  // The association of a pair given nothing; 0 before it is tested.
  [[nodiscard]] float marginal(Node x, Node y) const { return marginal_[pair_place(x, y)]; }
  [[nodiscard]] const TestCounts& counts() const { return counts_; }

 private:
  // The position of a pair in the enumeration of its sets.
  struct Walk {
    TestedPair pair;
    std::vector<Node> members;  // Members of the current pool, most associated first.
    SubsetWalk sets;
    bool is_second_side = false;
    std::size_t n_asked = 0;
    std::size_t first_question = 0;
    std::size_t n_questions = 0;
    bool is_separated = false;
  };

  [[nodiscard]] Walk begin(const TestedPair& pair, std::size_t order);
  void open_side(Walk& walk, std::size_t order);
  void propose(Walk& walk, std::size_t order, std::size_t most);
  [[nodiscard]] bool thin_part(std::span<const TestedPair> pairs, std::size_t order,
                               std::vector<TestedPair>& removed);
  [[nodiscard]] bool ask_round(std::span<Walk> walks, std::size_t order);
  // Reads the answers to the questions of each walk; walks without an independent answer remain.
  void read_round(std::span<Walk> walks);
  void read(Walk& walk, std::size_t place, const Question& question, const Answer& answer);
  [[nodiscard]] static std::size_t pair_place(Node x, Node y);

  Judge& judge_;
  bool settles_ambiguity_;
  Control& control_;
  SeparatingSets separating_;
  Ambiguity ambiguity_;
  std::vector<float> marginal_;  // Association of each pair given nothing.
  SeparatingSets weakest_;
  TestCounts counts_;
  std::vector<std::uint64_t> ranked_;  // Current pool, most associated first.
  std::vector<Node> members_;          // Members of the sets of a round.
  std::vector<Question> questions_;
  std::vector<Answer> answers_;
};

}  // namespace credenet
