// A parent state with child counts c_1 … c_r (n in all) adds F(c; a) to a Dirichlet score, the log
// of prod_k (a/r)_{c_k} / (a)_n with rising factorials (x)_m and a the state's share of the
// equivalent sample size. Write F(c; a) = sum_k P(c_k; a) - E(c; a), with
//   P(m; a) = ln (a/r)_m - ln (a)_m, the log of a state that only one child state occurs in, and
//   E(c; a) = ln (a)_n - sum_k ln (a)_{c_k} >= 0, the cost of mixing (ln (a)_m is convex in m, 0 at
//   0).
// 1. P is convex in m and 0 at 0, so splitting a cell never raises the sum of P; and as P(1; a) =
//    -ln r and P falls with m, P(m; a) <= -min(1, m) ln r for every a. So no superset scores more
//    than -sum of min(1, n_jk) ln r over the cells of the family, or the sum of P where a is fixed.
// 2. E grows with every c_k and falls with a. If an atom of a parent state has counts c, the part
// that
//    it is in costs at least E(c; a) more, with a the largest that a superset may have.
// 3. Row after row, F of a part is F of one atom plus, for each other atom, the log of a mixture of
//    likelihoods, which is at most its largest likelihood h.
// So the parent state j costs at least the larger of sum_k pure(n_jk) + max E and of
// sum of -h + max (sum_k pure(c_k) + E(c) + h(c)), both maxima over its atoms. All of this holds
// for real counts, hence for weighted rows. After Correia, Cussens and de Campos (2020), who use
// the atoms of all variables and need F to be unimodal in a.
#include "credenet/families/tail_bound.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace credenet {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr std::size_t kShortestTail = 3;  // for shorter ones going through the supersets is cheaper
constexpr std::size_t kLongestTail = 6;
constexpr double kTrials = 32;  // before it is judged whether the bound pays
constexpr double kCost = 4;     // in families
constexpr std::size_t kMostCells = std::size_t{1} << 24;  // rows times places

}  // namespace

TailBound::TailBound(const RowTable& rows, const SetScorer& scorer, std::size_t child,
                     std::span<const std::uint16_t> required, std::span<const std::uint16_t> order)
    : child_(child),
      scorer_(scorer),
      total_(rows.total()),
      first_mixed_(order.size() + 1),
      n_log_n_(CountFunction::n_log_n(rows.total())) {
  if (rows.n_rows() > kMostCells / (order.size() + 1)) return;
  std::vector<std::uint32_t> kept;
  for (std::uint32_t row = 0; row < rows.n_rows(); ++row) {
    const double weight = !rows.weights().empty()          ? rows.weights()[row]
                          : !rows.multiplicities().empty() ? rows.multiplicities()[row]
                                                           : 1.0;
    if (weight <= 0) continue;
    kept.push_back(row);
    weights_.push_back(weight);
  }
  const auto column = [&](std::size_t variable) {
    std::vector<std::uint16_t> codes;
    codes.reserve(kept.size());
    rows.visit_column(variable, [&](const auto* all) {
      for (const std::uint32_t row : kept) codes.push_back(all[row]);
    });
    return Column{std::move(codes), rows.n_observed(variable)};
  };
  child_codes_ = column(child).codes;
  n_child_codes_ = rows.n_observed(child);
  for (const std::uint16_t variable : order) {
    columns_.push_back(column(variable));
    n_states_.push_back(scorer.n_states(variable));
  }
  fewest_states_ = n_states_;
  for (std::size_t place = order.size(); place-- > 1;) {
    fewest_states_[place - 1] = std::min(fewest_states_[place - 1], fewest_states_[place]);
  }
  find_mixed();
  trials_.resize(order.size() + 1);

  stack_.resize(1);
  stack_[0].cells.assign(kept.size(), 0);
  for (const std::uint16_t variable : required) {
    Partition finer;
    refine(stack_[0], column(variable), finer);
    finer.n_states = stack_[0].n_states * scorer.n_states(variable);
    stack_[0] = std::move(finer);
  }
}

// From the last place backwards, until the candidates tell all child states apart.
void TailBound::find_mixed() {
  const std::size_t n_rows = weights_.size();
  mixed_.resize(columns_.size() + 1);
  Partition classes;
  classes.cells.assign(n_rows, 0);
  for (std::size_t place = columns_.size();; --place) {
    std::vector<std::uint32_t> starts(classes.n_cells + 1, 0);
    std::vector<std::uint32_t> code_of(classes.n_cells, kNone);
    std::vector<bool> is_mixed(classes.n_cells, false);
    for (std::size_t row = 0; row < n_rows; ++row) {
      const std::uint32_t cell = classes.cells[row];
      ++starts[cell + 1];
      if (code_of[cell] == kNone) code_of[cell] = child_codes_[row];
      if (code_of[cell] != child_codes_[row]) is_mixed[cell] = true;
    }
    Mixed& mixed = mixed_[place];
    for (std::uint32_t cell = 0; cell < classes.n_cells; ++cell) {
      const std::uint32_t size = is_mixed[cell] ? starts[cell + 1] : 0;
      starts[cell + 1] = starts[cell] + size;
      if (size > 0) mixed.ends.push_back(starts[cell + 1]);
    }
    if (mixed.ends.empty()) return;
    mixed.rows.resize(mixed.ends.back());
    for (std::uint32_t row = 0; row < n_rows; ++row) {
      const std::uint32_t cell = classes.cells[row];
      if (is_mixed[cell]) mixed.rows[starts[cell]++] = row;
    }
    first_mixed_ = place;
    if (place == 0) return;
    Partition finer;
    refine(classes, columns_[place - 1], finer);
    classes = std::move(finer);
  }
}

void TailBound::refine(const Partition& from, const Column& column, Partition& to) {
  renumbered_.assign(std::size_t{from.n_cells} * column.n_codes, 0);
  to.cells.resize(column.codes.size());
  std::uint32_t n_cells = 0;
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    std::uint32_t& number =
        renumbered_[std::size_t{from.cells[row]} * column.n_codes + column.codes[row]];
    if (number == 0) number = ++n_cells;
    to.cells[row] = number - 1;
  }
  to.n_cells = n_cells;
}

bool TailBound::is_useful(std::size_t tail) const {
  if (tail < first_mixed_ || tail + kShortestTail > columns_.size()) return false;
  // What is saved is at most 2 to the length of the tail, and less for long ones, which would be
  // cut later.
  const double saved = std::exp2(std::min<std::size_t>(columns_.size() - tail, kLongestTail));
  const Trials& trials = trials_[tail];
  return trials.all < kTrials || trials.closed * saved >= kCost * trials.all;
}

bool TailBound::closes(std::span<const std::uint16_t> places, double least) {
  Trials& trials = trials_[places.back() + std::size_t{1}];
  trials.all += 1;
  const bool closed = bound(places) < least;
  if (closed) trials.closed += 1;
  return closed;
}

double TailBound::bound(std::span<const std::uint16_t> places) {
  assert(!places.empty() && places.back() + std::size_t{1} >= first_mixed_);
  std::size_t shared = 0;
  while (shared < depth_ && shared < places.size() && stack_[shared + 1].place == places[shared]) {
    ++shared;
  }
  if (stack_.size() <= places.size()) stack_.resize(places.size() + 1);
  for (depth_ = shared; depth_ < places.size(); ++depth_) {
    Partition& finer = stack_[depth_ + 1];
    refine(stack_[depth_], columns_[places[depth_]], finer);
    finer.place = places[depth_];
    finer.n_states = stack_[depth_].n_states * n_states_[places[depth_]];
  }
  const Partition& parents = stack_[depth_];
  const std::size_t tail = places.back() + std::size_t{1};
  const double most =
      scorer_.concentration(child_, parents.n_states * fewest_states_[tail], parents.n_cells);
  auto entry = rising_.find(most);
  if (entry == rising_.end()) {
    entry = rising_.emplace(most, CountFunction::log_rising(most, total_)).first;
  }

  extras_.assign(parents.n_cells, {});
  atom_of_.resize(std::max<std::size_t>(atom_of_.size(), parents.n_cells), kNone);
  const Mixed& mixed = mixed_[tail];
  std::uint32_t begin = 0;
  for (const std::uint32_t end : mixed.ends) {
    atom_cells_.clear();
    atom_counts_.clear();
    for (std::uint32_t at = begin; at < end; ++at) {
      const std::uint32_t row = mixed.rows[at];
      const std::uint32_t cell = parents.cells[row];
      if (atom_of_[cell] == kNone) {
        atom_of_[cell] = static_cast<std::uint32_t>(atom_cells_.size());
        atom_cells_.push_back(cell);
        atom_counts_.resize(atom_counts_.size() + n_child_codes_, 0.0);
      }
      atom_counts_[atom_of_[cell] * n_child_codes_ + child_codes_[row]] += weights_[row];
    }
    for (std::size_t atom = 0; atom < atom_cells_.size(); ++atom) {
      add_atom(atom_cells_[atom], atom_counts_.data() + atom * n_child_codes_, entry->second);
      atom_of_[atom_cells_[atom]] = kNone;
    }
    begin = end;
  }

  counts_.assign(parents.n_cells * n_child_codes_, 0.0);
  for (std::size_t row = 0; row < weights_.size(); ++row) {
    counts_[parents.cells[row] * n_child_codes_ + child_codes_[row]] += weights_[row];
  }
  double bound = 0;
  for (std::size_t cell = 0; cell < parents.n_cells; ++cell) {
    double pure = 0;
    for (std::size_t code = 0; code < n_child_codes_; ++code) {
      pure += scorer_.pure_cost(child_, counts_[cell * n_child_codes_ + code]);
    }
    const Extra& extra = extras_[cell];
    bound -= std::max(pure + extra.mixing, extra.likelihood + extra.first);
  }
  return bound;
}

void TailBound::add_atom(std::uint32_t cell, const double* counts, const CountFunction& rising) {
  double total = 0;
  std::size_t n_positive = 0;
  double log_likelihood = 0;
  double apart = 0;
  double pure = 0;
  for (std::size_t code = 0; code < n_child_codes_; ++code) {
    if (counts[code] <= 0) continue;
    ++n_positive;
    total += counts[code];
    log_likelihood += n_log_n_(counts[code]);
    apart += rising(counts[code]);
    pure += scorer_.pure_cost(child_, counts[code]);
  }
  if (n_positive < 2) return;
  log_likelihood -= n_log_n_(total);
  const double mixing = rising(total) - apart;
  Extra& extra = extras_[cell];
  extra.mixing = std::max(extra.mixing, mixing);
  extra.likelihood -= log_likelihood;
  extra.first = std::max(extra.first, pure + mixing + log_likelihood);
}

}  // namespace credenet
