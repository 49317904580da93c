#include "credenet/credible/diagram_sums.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>

#include "check.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/random.hpp"
#include "stop_at.hpp"

using namespace credenet;

namespace {

using Node = NetworkDiagram::Node;

constexpr std::size_t kMuch = 100'000;
constexpr double kTick = 0.02;
constexpr std::size_t kBytes = std::size_t{1} << 30;

// A node of some variables: any of their families, or parts of the variables that are chosen apart.
Node draw_node(NetworkDiagram& diagram, std::vector<std::uint16_t> variables, Random& random) {
  std::vector<NetworkDiagram::Alternative> alternatives;
  const std::size_t n_alternatives = 1 + random.below(4);
  for (std::size_t k = 0; k < n_alternatives; ++k) {
    // Different alternatives have different families of the first variable.
    NetworkDiagram::Alternative one;
    one.ticks = static_cast<std::int64_t>(random.below(60)) - 20;
    one.choices.push_back({variables[0], static_cast<std::uint16_t>(k)});
    std::vector<std::uint16_t> rest(variables.begin() + 1, variables.end());
    while (!rest.empty()) {
      const std::size_t n_part = 1 + random.below(rest.size());
      const std::vector<std::uint16_t> part(rest.end() - static_cast<std::ptrdiff_t>(n_part),
                                            rest.end());
      rest.resize(rest.size() - n_part);
      one.children.push_back(draw_node(diagram, part, random));
    }
    alternatives.push_back(one);
  }
  return diagram.add(alternatives);
}

struct Drawn {
  NetworkDiagram diagram;
  Node root;

  Drawn(Random& random, std::size_t n) : diagram(n) {
    std::vector<std::uint16_t> variables(n);
    std::iota(variables.begin(), variables.end(), std::uint16_t{0});
    root = draw_node(diagram, variables, random);
  }
};

// Checks number, weights and families against the networks one by one.
void test_against_lists(std::size_t n, int n_rounds) {
  Random random(n);
  for (int round = 0; round < n_rounds; ++round) {
    const Drawn drawn(random, n);
    const std::int64_t most =
        drawn.diagram.least(drawn.root) + static_cast<std::int64_t>(random.below(80 * n)) - 10;
    const NetworkDiagram::Rows rows =
        drawn.diagram.listed(drawn.root, -NetworkDiagram::kNoLimit, most, kMuch);
    if (!rows.is_whole) continue;
    DiagramSums sums(drawn.diagram, drawn.root, most, kTick, kBytes);
    NoControl control;
    CHECK(sums.sum(control) == Status::kComplete);
    CHECK(sums.n_networks() == Natural(rows.ticks.size()));
    double weight = 0;
    std::vector<double> expected(n * 8, 0.0);
    std::vector<std::int64_t> starts(n);
    for (std::size_t v = 0; v < n; ++v) starts[v] = static_cast<std::int64_t>(8 * v);
    for (std::size_t row = 0; row < rows.ticks.size(); ++row) {
      CHECK(rows.ticks[row] <= most);
      const double one = std::exp(-static_cast<double>(rows.ticks[row]) * kTick);
      weight += one;
      for (std::size_t v = 0; v < n; ++v) expected[8 * v + rows.positions[row * n + v]] += one;
    }
    CHECK(std::abs(sums.weight() - weight) <= 1e-9 * weight);
    std::vector<double> found(n * 8, 0.0);
    CHECK(sums.family_weights(starts, found, control) == Status::kComplete);
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK(std::abs(found[k] - expected[k]) <= 1e-9 * weight);
    }
  }
}

// Checks that networks from one deviation to another are those within the one but not within the
// other.
void test_lists_in_pieces() {
  Random random(5);
  const Drawn drawn(random, 7);
  const std::int64_t least = drawn.diagram.least(drawn.root);
  std::size_t n_listed = 0;
  for (std::int64_t above = least - 1; above < least + 200; above += 20) {
    n_listed += drawn.diagram.listed(drawn.root, above, above + 20, kMuch).ticks.size();
  }
  CHECK(
      n_listed ==
      drawn.diagram.listed(drawn.root, -NetworkDiagram::kNoLimit, least + 219, kMuch).ticks.size());
  CHECK(!drawn.diagram.listed(drawn.root, least - 1, NetworkDiagram::kNoLimit, 3).is_whole);
}

void test_draws() {
  Random random(8);
  const Drawn drawn(random, 5);
  const std::int64_t most = drawn.diagram.least(drawn.root) + 90;
  const NetworkDiagram::Rows rows =
      drawn.diagram.listed(drawn.root, -NetworkDiagram::kNoLimit, most, kMuch);
  DiagramSums sums(drawn.diagram, drawn.root, most, kTick, kBytes);
  NoControl control;
  CHECK(sums.sum(control) == Status::kComplete);
  constexpr std::size_t kDrawn = 200'000;
  std::vector<std::uint16_t> found;
  double n_steps = 0;
  CHECK(sums.draw(kDrawn, random, found, n_steps, control) == Status::kComplete);
  CHECK(found.size() == 5 * kDrawn);
  CHECK(n_steps >= static_cast<double>(found.size()));
  std::map<std::vector<std::uint16_t>, double> shares;
  for (auto at = found.begin(); at != found.end(); at += 5) shares[{at, at + 5}] += 1.0 / kDrawn;
  CHECK(shares.size() <= rows.ticks.size() && rows.ticks.size() > 5);
  for (std::size_t row = 0; row < rows.ticks.size(); ++row) {
    const auto first = rows.positions.begin() + static_cast<std::ptrdiff_t>(5 * row);
    const double share = std::exp(-static_cast<double>(rows.ticks[row]) * kTick) / sums.weight();
    // The tolerance is five standard deviations.
    CHECK(std::abs(shares[{first, first + 5}] - share) < 0.006);
  }
}

// A root with so many different deviations that it is taken apart: a variable with some families,
// each with any family of each other variable.
NetworkDiagram large_diagram(std::size_t n_variables, Random& random) {
  NetworkDiagram diagram(n_variables);
  std::vector<Node> others;
  for (std::uint16_t v = 1; v < n_variables; ++v) {
    const auto ticks = static_cast<std::int64_t>(1 + random.below(1'000'000));
    const std::vector<NetworkDiagram::Alternative> two{{0, {{v, 0}}, {}}, {ticks, {{v, 1}}, {}}};
    others.push_back(diagram.add(two));
  }
  std::vector<NetworkDiagram::Alternative> alternatives;
  for (std::uint16_t k = 0; k < 6; ++k) alternatives.push_back({k, {{0, k}}, others});
  (void)diagram.add(alternatives);
  return diagram;
}

// Checks that threads that share the sums get what one thread gets.
void test_threads() {
  Random random(11);
  constexpr std::size_t kVariables = 19;
  constexpr std::size_t kRuns = 200;
  const NetworkDiagram diagram = large_diagram(kVariables, random);
  const auto root = static_cast<Node>(diagram.n_nodes() - 1);
  DiagramSums sums(diagram, root, 4'000'000, 1e-6, kBytes);
  NoControl control;
  CHECK(sums.sum(control) == Status::kComplete);
  std::vector<std::int64_t> starts(kVariables);
  for (std::size_t v = 0; v < kVariables; ++v) starts[v] = static_cast<std::int64_t>(8 * v);
  struct Answer {
    std::vector<std::uint16_t> rows;
    std::vector<double> weights;
    bool operator==(const Answer&) const = default;
  };
  const auto ask = [&](std::size_t run) {
    Answer answer;
    Random own(run);
    NoControl no_control;
    double n_steps = 0;
    CHECK(sums.draw(50, own, answer.rows, n_steps, no_control) == Status::kComplete);
    answer.weights.assign(8 * kVariables, 0.0);
    CHECK(sums.family_weights(starts, answer.weights, no_control) == Status::kComplete);
    return answer;
  };
  std::vector<Answer> answers(kRuns);
  std::atomic<bool> stop{false};
  parallel_blocks(kRuns, 4, stop, [&](std::size_t run, unsigned) { answers[run] = ask(run); });
  for (std::size_t run = 0; run < kRuns; ++run) CHECK(answers[run] == ask(run));
}

// Checks that nodes with the same alternatives are one, and that appended ones have other
// variables.
void test_nodes() {
  NetworkDiagram diagram(3);
  const std::vector<NetworkDiagram::Alternative> alternatives{{5, {{2, 7}}, {}}, {0, {{2, 1}}, {}}};
  const Node node = diagram.add(alternatives);
  CHECK(diagram.add(alternatives) == node && diagram.n_nodes() == 1);
  const Node other = diagram.add(std::span(alternatives).first(1));
  CHECK(other != node && diagram.n_nodes() == 2 && diagram.least(other) == 5);
  NetworkDiagram larger(9);
  const std::vector<std::uint16_t> variables{1, 3, 8};
  const Node there = larger.append(diagram, variables)[node];
  const NetworkDiagram::Rows rows = larger.listed(there, -1, 10, 10);
  CHECK(rows.ticks.size() == 2 && rows.positions[8] == 7 && rows.positions[17] == 1);
  diagram.drop(1);
  CHECK(diagram.n_nodes() == 1 && diagram.add(std::span(alternatives).first(1)) == other);
}

void test_limits() {
  Random random(3);
  const Drawn drawn(random, 5);
  DiagramSums sums(drawn.diagram, drawn.root, NetworkDiagram::kNoLimit / 2, kTick, kBytes);
  StopAt control(0);
  CHECK(sums.sum(control) == Status::kStopped);
  DiagramSums full(drawn.diagram, drawn.root, NetworkDiagram::kNoLimit / 2, kTick, 10);
  CHECK(full.sum(control) == Status::kMemoryLimit);
}

}  // namespace

int main() {
  test_against_lists(4, 300);
  test_against_lists(8, 200);
  test_against_lists(10, 10);
  test_lists_in_pieces();
  test_draws();
  test_threads();
  test_nodes();
  test_limits();
}
