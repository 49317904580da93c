// Networks from the sets of a lattice. As in CredibleSearch, sinks are removed one at a time,
// always the sink of smallest index; a smaller variable passed over is blocked until one of its
// children is removed. So each network is one path from the full set to the empty one, through
// states: the variables left, and those of them that are blocked. States are visited by layers,
// each once, with the best score of what was removed before. The networks of a state are a node of
// the diagram, so that those with the same beginning of their orders share it. Some networks of a
// node may miss the target, as other variables were removed before, but none that reaches it is
// left out.
#include <algorithm>
#include <atomic>
#include <bit>

#include "credenet/credible/dual_lattice.hpp"
#include "credenet/util/bit.hpp"
#include "credenet/util/no_score.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr std::size_t kBlock = 64;  // States that a thread visits at once.
// States that are visited before their steps are kept.
constexpr std::size_t kAtOnce = 256 * kBlock;
constexpr std::size_t kStateBytes = 48;

}  // namespace

class SinkSteps {
 public:
  SinkSteps(const DualLattice& lattice, std::size_t max_bytes, unsigned n_threads, Control& control)
      : lattice_(lattice),
        n_(lattice.n_),
        outside_(lattice.layers_[n_].bounds[0]),
        max_bytes_(max_bytes),
        n_threads_(n_threads),
        control_(control),
        children_(n_),
        layers_(n_ + 1) {
    for (std::size_t child = 0; child < n_; ++child) {
      for (const DualLattice::Family& family : lattice.lists_[child]) {
        for (std::uint64_t rest = family.parents; rest != 0; rest &= rest - 1) {
          children_[static_cast<std::size_t>(std::countr_zero(rest))] |= bit(child);
        }
      }
    }
  }

  [[nodiscard]] Status walk() {
    layers_[n_].states.insert({{lattice_.layers_[n_].sets.keys()[0].words[0], 0}});
    layers_[n_].removed.push_back(0.0);
    std::size_t n_bytes = 0;
    for (std::size_t size = n_; size > 0; --size) {
      Layer& layer = layers_[size];
      for (std::size_t from = 0; from < layer.removed.size(); from += kAtOnce) {
        if (!control_.poll({n_ - size, n_})) return Status::kStopped;
        visit(layer, from, std::min(from + kAtOnce, layer.removed.size()), layers_[size - 1]);
        const std::size_t n_next = layers_[size - 1].removed.size();
        if (n_bytes + n_next * kStateBytes + layer.steps.size() * sizeof(Step) > max_bytes_) {
          return Status::kMemoryLimit;
        }
      }
      n_bytes += layers_[size - 1].removed.size() * kStateBytes + layer.steps.size() * sizeof(Step);
      n_steps_ += layer.steps.size();
    }
    return Status::kComplete;
  }

  // Adds the node of the full set, with nodes for all states that a network goes through.
  [[nodiscard]] NetworkDiagram::Node add_to(NetworkDiagram& diagram,
                                            const ChoiceNames& names) const {
    std::vector<NetworkDiagram::Node> smaller;
    for (std::size_t size = 1; size <= n_; ++size) {
      const Layer& layer = layers_[size];
      std::vector<NetworkDiagram::Node> nodes(layer.removed.size(), NetworkDiagram::kNone);
      for (std::size_t at = 0; at < nodes.size(); ++at) {
        std::vector<NetworkDiagram::Alternative> alternatives;
        for (std::size_t k = layer.first[at]; k < layer.first[at + 1]; ++k) {
          const Step& step = layer.steps[k];
          if (size > 1 && smaller[step.next] == NetworkDiagram::kNone) continue;
          NetworkDiagram::Alternative& one = alternatives.emplace_back();
          one.ticks = names.ticks[step.family];
          const auto variable = static_cast<std::uint16_t>(lattice_.members_[step.sink]);
          one.choices.push_back({variable, names.positions[step.family]});
          if (size > 1) one.children.push_back(smaller[step.next]);
        }
        if (!alternatives.empty()) nodes[at] = diagram.add(alternatives);
      }
      smaller = std::move(nodes);
    }
    return smaller[0];
  }

  [[nodiscard]] std::uint64_t n_steps() const { return n_steps_; }

 private:
  using State = VariableSet<2>;  // The variables left, and the blocked ones.

  struct Step {
    std::uint32_t family = 0;
    std::uint32_t next = 0;  // State of the next layer.
    std::uint16_t sink = 0;
  };
  struct Layer {
    FlatIndex<State> states;
    std::vector<double> removed;           // Best score of the removed variables of each state.
    std::vector<std::size_t> first = {0};  // First step of each state.
    std::vector<Step> steps;
  };
  struct Found {
    State state;
    double removed = 0;
    std::uint32_t family = 0;
    std::uint16_t sink = 0;
  };

  void visit(Layer& layer, std::size_t from, std::size_t end, Layer& next) const {
    std::vector<std::vector<std::vector<Found>>> found((end - from + kBlock - 1) / kBlock);
    std::atomic<bool> stop{false};
    parallel_blocks(found.size(), n_threads_, stop, [&](std::size_t block, unsigned) {
      const std::size_t first = from + block * kBlock;
      for (std::size_t at = first; at < std::min(first + kBlock, end); ++at) {
        find(layer.states.keys()[at], layer.removed[at], found[block].emplace_back());
      }
    });
    for (const auto& block : found) {
      for (const std::vector<Found>& of_state : block) {
        for (const Found& one : of_state) {
          const std::uint32_t place = next.states.insert(one.state);
          if (place == next.removed.size()) next.removed.push_back(kNoScore);
          next.removed[place] = std::max(next.removed[place], one.removed);
          layer.steps.push_back({one.family, place, one.sink});
        }
        layer.first.push_back(layer.steps.size());
      }
    }
  }

  void find(const State& state, double removed, std::vector<Found>& found) const {
    const auto [left, blocked] = state.words;
    const auto size = static_cast<std::size_t>(std::popcount(left));
    const DualLattice::Layer& smaller = lattice_.layers_[size - 1];
    for (std::uint64_t rest = left & ~blocked; rest != 0; rest &= rest - 1) {
      const auto sink = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t others = left ^ bit(sink);
      const std::uint32_t place = smaller.sets.find({{others}});
      if (place == FlatIndex<DualLattice::Set>::kAbsent) continue;
      const std::uint64_t passed = (blocked | (bit(sink) - 1)) & others;
      const double least = lattice_.target_ - smaller.scores[place] - removed - outside_;
      for (const DualLattice::Family& family : lattice_.lists_[sink]) {
        if (!(family.score >= least)) break;
        const std::uint64_t still = passed & ~family.parents;
        if ((family.parents & ~others) != 0 || !can_be_unblocked(still, others)) continue;
        found.push_back({State{{others, still}}, removed + family.score,
                         static_cast<std::uint32_t>(family.number),
                         static_cast<std::uint16_t>(sink)});
      }
    }
  }

  // Whether every blocked variable may have a child among those left.
  [[nodiscard]] bool can_be_unblocked(std::uint64_t blocked, std::uint64_t left) const {
    for (std::uint64_t rest = blocked; rest != 0; rest &= rest - 1) {
      if ((children_[static_cast<std::size_t>(std::countr_zero(rest))] & left) == 0) return false;
    }
    return blocked != left || left == 0;
  }

  const DualLattice& lattice_;
  std::size_t n_;
  double outside_;  // Most that variables score that are no members.
  std::size_t max_bytes_;
  unsigned n_threads_;
  Control& control_;
  std::vector<std::uint64_t> children_;  // Children that each member may have.
  std::vector<Layer> layers_;
  std::uint64_t n_steps_ = 0;
};

FamilyChoices DualLattice::networks(const ChoiceNames& names, std::size_t max_bytes,
                                    unsigned n_threads, NetworkDiagram& diagram,
                                    Control& control) const {
  FamilyChoices found;
  if (layers_[n_].scores.empty()) return found;
  SinkSteps steps(*this, max_bytes, n_threads, control);
  found.status = steps.walk();
  found.n_steps = steps.n_steps();
  if (found.status == Status::kComplete) found.root = steps.add_to(diagram, names);
  return found;
}

}  // namespace credenet
