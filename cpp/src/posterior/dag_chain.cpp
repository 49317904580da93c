#include "credenet/posterior/dag_chain.hpp"

#include <algorithm>
#include <utility>

namespace credenet {
namespace {

constexpr double kArcSteps = 1500;  // Steps of one change of an arc.

}  // namespace

std::size_t ChainTables::bytes(const FamilyLists& lists) {
  return FamilyWeights::bytes(lists) + FamilySteps::bytes(lists);
}

DagChain::DagChain(const ChainTables& tables, std::span<const std::int64_t> start,
                   const ChainMoves& moves, std::uint64_t seed, std::uint64_t stream)
    : moves_(moves),
      random_(seed, stream),
      state_(tables.weights.lists(), start),
      arcs_(tables.weights.lists(), tables.steps),
      blocks_(tables.weights),
      parents_(tables.weights),
      windows_(tables.weights, tables.choice) {
  const FamilyLists& lists = tables.weights.lists();
  for (std::size_t v = 0; v < lists.n_variables(); ++v) bound_ += lists.scores[lists.begin(v)];
}

void DagChain::offer(std::vector<std::int64_t> networks, double least_score) {
  offered_ = std::move(networks);
  n_taken_ = 0;
  least_score_ = least_score;
}

void DagChain::pace(double n_windows, std::span<const double> focus, std::uint64_t count_every) {
  moves_.n_windows = n_windows;
  count_every_ = count_every;
  windows_.focus(focus);
}

std::size_t DagChain::n_taken() const {
  return n_taken_ / std::max(state_.n_variables(), std::size_t{1});
}

// Offered networks are spread evenly over the visits of the variables.
bool DagChain::run(std::size_t n_sweeps, std::size_t record_every, Control& control) {
  const std::size_t n_offered =
      (offered_.size() - n_taken_) / std::max(state_.n_variables(), std::size_t{1});
  const std::size_t n_visits = n_sweeps * state_.n_variables();
  offer_every_ = n_offered == 0 ? 0 : std::max(n_visits / n_offered, std::size_t{1});
  n_visits_ = 0;
  for (std::size_t done = 0; done < n_sweeps; ++done) {
    sweep();
    record(record_every);
    if (done + 1 < n_sweeps && !control.poll({.done = done + 1, .total = n_sweeps})) return false;
  }
  return true;
}

void DagChain::sweep() {
  const std::uint64_t number = n_sweeps_++;
  auto use = ParentDraws::Use::kNothing;
  if (number % count_every_ == 0) {
    use = ParentDraws::Use::kCount;
    ++sums_.n_counted;
  }
  if (number % kSampleEvery == 0) {
    use = ParentDraws::Use::kSample;
    ++sums_.n_sampled;
  }
  if (moves_.arc_time > 0) {
    const std::size_t n_changes = arcs_.run(state_, moves_.arc_time, random_);
    n_moves_ += n_changes;
    steps_.others += kArcSteps * static_cast<double>(n_changes);
  }
  for (std::size_t variable = 0; variable < state_.n_variables(); ++variable) {
    if (offer_every_ != 0 && n_visits_++ % offer_every_ == 0) take_offered();
    for (n_reversals_due_ += moves_.n_reversals; n_reversals_due_ >= 1; --n_reversals_due_) {
      steps_.others += blocks_.reverse_edge(state_, random_);
      state_.advance(1);
      ++n_moves_;
    }
    for (n_blankets_due_ += moves_.n_blankets; n_blankets_due_ >= 1; --n_blankets_due_) {
      steps_.others += blocks_.resample_blanket(state_, random_);
      state_.advance(1);
      ++n_moves_;
    }
    for (n_windows_due_ += moves_.n_windows; n_windows_due_ >= 1; --n_windows_due_) {
      steps_.windows += windows_.resample(state_, random_);
      ++steps_.n_windows;
      state_.advance(1);
      ++n_moves_;
    }
    const ParentDraws::Steps steps =
        parents_.visit(state_, variable, moves_.draws_parents, use, random_);
    steps_.others += steps.draws;
    steps_.counts += steps.counts;
    state_.advance(1);
    ++n_moves_;
  }
  steps_.n_visits += state_.n_variables();
  if (use != ParentDraws::Use::kNothing) steps_.n_counted += state_.n_variables();
}

void DagChain::take_offered() {
  const std::size_t n = state_.n_variables();
  if (offered_.size() - n_taken_ < n || state_.score() < least_score_) return;
  changes_.clear();
  for (std::size_t v = 0; v < n; ++v) {
    const std::int64_t family = offered_[n_taken_ + v];
    if (family != state_.families()[v]) changes_.push_back({v, family});
  }
  n_taken_ += n;
  for (const auto& [variable, family] : changes_) {
    state_.detach(variable, state_.families()[variable]);
  }
  for (const auto& [variable, family] : changes_) state_.attach(variable, family);
  state_.settle(changes_);
  ++n_moves_;
}

void DagChain::record(std::size_t record_every) {
  const double score = state_.score();
  const double gain = score - bound_;
  sums_.score_sum += gain;
  sums_.score_squares += gain * gain;
  if (++sums_.n_sweeps % record_every != 0) return;
  sums_.networks.insert(sums_.networks.end(), state_.families().begin(), state_.families().end());
  sums_.scores.push_back(score);
}

ChainSums DagChain::take_sums() {
  ChainSums taken = std::exchange(sums_, {});
  taken.parents = parents_.take_sums();
  taken.path_times.resize(state_.n_variables() * state_.n_variables());
  taken.time = state_.take_path_times(taken.path_times);
  return taken;
}

}  // namespace credenet
