// A parent state with child counts c_1 … c_r (n in all) adds F(c; a) to a Dirichlet score: the log
// of prod_k (a/r)_{c_k} / (a)_n, with rising factorials (x)_m and a the state's share of the
// equivalent sample size. Rows that differ only in the child are one point. A point that is alone
// in its state stays alone. Such points are only counted, by kind (their child counts), so large
// sets cost little.
//
// The superset bound, for supersets with later candidates only: write
// F(c; a) = sum_k P(c_k; a) - E(c; a), with
//   P(m; a) = ln (a/r)_m - ln (a)_m, the log for a state with one child state only, and
//   E(c; a) = ln (a)_n - sum_k ln (a)_{c_k} >= 0, the cost of mixing (ln (a)_m is convex in m, 0 at
//   0).
// 1. P is convex in m and 0 at 0, so splitting a cell never raises the sum of P; and as P(1; a) =
//    -ln r and P falls with m, P(m; a) <= -min(1, m) ln r for every a. So no superset scores more
//    than -sum of min(1, n_jk) ln r over the cells of the family, or the sum of P if a is fixed.
// 2. E grows with every c_k and falls with a. If an atom of a parent state (rows that no later
//    candidate tells apart) has counts c, the part that it is in costs at least E(c; a) more, with
//    a the largest that a superset may have.
// 3. Row after row, F of a part is F of one atom plus, for each other atom, the log of a mixture of
//    likelihoods, which is at most its largest likelihood h.
// So the parent state j costs at least the larger of sum_k pure(n_jk) + max E and of
// sum of -h + max (sum_k pure(c_k) + E(c) + h(c)), both maxima over its atoms. All of this holds
// for real counts, hence for weighted rows. After Correia, Cussens and de Campos (2020), who use
// the atoms of all variables and need F to be unimodal in a.
#include "credenet/families/parent_states.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace credenet {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
// Most kinds of points; points of other kinds are never settled.
constexpr std::uint32_t kMostKinds = 32;
// Concentrations whose functions are kept before all are dropped.
constexpr std::size_t kMostFunctions = 1024;

// Renumbers the pairs of a cell and a code; returns how many there are.
std::uint32_t refine(std::vector<std::uint32_t>& cells, std::uint32_t n_cells,
                     const std::vector<std::uint16_t>& codes, std::uint32_t n_codes) {
  std::vector<std::uint32_t> renumbered(std::size_t{n_cells} * n_codes, kNone);
  std::uint32_t n_finer = 0;
  for (std::size_t row = 0; row < cells.size(); ++row) {
    std::uint32_t& number = renumbered[std::size_t{cells[row]} * n_codes + codes[row]];
    if (number == kNone) number = n_finer++;
    cells[row] = number;
  }
  return n_finer;
}

}  // namespace

ParentStates::ParentStates(const RowTable& rows, const SetScorer& scorer, std::size_t child,
                           std::span<const std::uint16_t> required,
                           std::span<const std::uint16_t> order)
    : child_(child),
      scorer_(scorer),
      total_(rows.total()),
      n_codes_(rows.n_observed(child)),
      counts_(n_codes_),
      n_log_n_(CountFunction::n_log_n(rows.total())) {
  std::vector<std::uint16_t> variables(required.begin(), required.end());
  variables.insert(variables.end(), order.begin(), order.end());
  find_points(rows, variables);
  find_kinds();
  for (const std::uint16_t variable : order) columns_.push_back(column(rows, variable));
  fewest_states_.resize(columns_.size());
  double fewest = std::numeric_limits<double>::infinity();
  for (std::size_t place = columns_.size(); place-- > 0;) {
    fewest = std::min(fewest, columns_[place].n_states);
    fewest_states_[place] = fewest;
  }
  find_classes();

  stack_.resize(1);
  Split& all = stack_[0];
  all.settled.resize(pure_of_kind_.size());
  all.points.resize(rows_of_points_.size());
  std::iota(all.points.begin(), all.points.end(), 0U);
  if (!all.points.empty()) all.ends.push_back(static_cast<std::uint32_t>(all.points.size()));
  for (const std::uint16_t variable : required) {
    Split finer;
    split(stack_[0], column(rows, variable), finer);
    stack_[0] = std::move(finer);
  }
}

ParentStates::Column ParentStates::column(const RowTable& rows, std::size_t variable) const {
  Column column;
  column.codes.reserve(rows_of_points_.size());
  rows.visit_column(variable, [&](const auto* codes) {
    for (const std::uint32_t row : rows_of_points_) column.codes.push_back(codes[row]);
  });
  column.n_codes = rows.n_observed(variable);
  column.n_states = scorer_.n_states(variable);
  return column;
}

void ParentStates::find_points(const RowTable& rows, std::span<const std::uint16_t> variables) {
  std::vector<double> weights;
  for (std::uint32_t row = 0; row < rows.n_rows(); ++row) {
    const double weight = !rows.weights().empty()          ? rows.weights()[row]
                          : !rows.multiplicities().empty() ? rows.multiplicities()[row]
                                                           : 1.0;
    if (weight <= 0) continue;
    rows_of_points_.push_back(row);
    weights.push_back(weight);
  }
  std::vector<std::uint32_t> points(weights.size(), 0);
  std::uint32_t n_points = 1;
  for (const std::uint16_t variable : variables) {
    const Column of_variable = column(rows, variable);
    n_points = refine(points, n_points, of_variable.codes, of_variable.n_codes);
  }
  const Column of_child = column(rows, child_);
  std::vector<std::uint32_t> first_rows;
  // Points are numbered in the order of the rows.
  for (std::size_t at = 0; at < points.size(); ++at) {
    if (points[at] == first_rows.size()) {
      first_rows.push_back(rows_of_points_[at]);
      point_counts_.resize(point_counts_.size() + n_codes_, 0.0);
    }
    point_counts_[points[at] * n_codes_ + of_child.codes[at]] += weights[at];
  }
  rows_of_points_ = std::move(first_rows);
}

void ParentStates::find_kinds() {
  std::map<std::vector<double>, std::uint32_t> kinds;
  for (std::size_t point = 0; point < rows_of_points_.size(); ++point) {
    const double* counts = point_counts_.data() + point * n_codes_;
    const std::vector<double> key(counts, counts + n_codes_);
    auto found = kinds.find(key);
    if (found == kinds.end() && kinds.size() < kMostKinds) {
      found = kinds.emplace(key, static_cast<std::uint32_t>(kinds.size())).first;
      kind_counts_.insert(kind_counts_.end(), key.begin(), key.end());
      pure_of_kind_.push_back(pure_cost(counts));
    }
    kind_of_.push_back(found == kinds.end() ? kNone : found->second);
  }
}

// Points that the candidates from a place on do not tell apart have the same class. The class is
// kNone if it has one child state only: then no atom in it is mixed.
void ParentStates::find_classes() {
  const std::size_t n_points = rows_of_points_.size();
  classes_.resize(columns_.size() + 1);
  std::vector<std::uint32_t> cells(n_points, 0);
  std::uint32_t n_cells = 1;
  for (std::size_t place = columns_.size();; --place) {
    std::vector<std::size_t> code_of(n_cells, n_codes_);
    std::vector<bool> is_mixed(n_cells, false);
    for (std::size_t at = 0; at < n_points * n_codes_; ++at) {
      if (point_counts_[at] == 0) continue;
      std::size_t& code = code_of[cells[at / n_codes_]];
      if (code == n_codes_) code = at % n_codes_;
      if (code != at % n_codes_) is_mixed[cells[at / n_codes_]] = true;
    }
    if (std::ranges::find(is_mixed, true) == is_mixed.end()) break;
    classes_[place] = cells;
    for (std::uint32_t& cell : classes_[place]) cell = is_mixed[cell] ? cell : kNone;
    if (place == 0) break;
    n_cells = refine(cells, n_cells, columns_[place - 1].codes, columns_[place - 1].n_codes);
  }
  atom_of_.assign(n_points, kNone);
  atom_classes_.resize(n_points);
  atom_counts_.resize(point_counts_.size());
}

void ParentStates::choose(std::span<const std::uint16_t> places) {
  std::size_t shared = 0;
  while (shared < depth_ && shared < places.size() && stack_[shared + 1].place == places[shared]) {
    ++shared;
  }
  depth_ = shared;
  while (depth_ < places.size()) push(places[depth_]);
}

void ParentStates::push(std::uint16_t place) {
  if (stack_.size() == depth_ + 1) stack_.emplace_back();
  split(stack_[depth_], columns_[place], stack_[depth_ + 1]);
  stack_[++depth_].place = place;
}

void ParentStates::split(const Split& from, const Column& column, Split& to) {
  to.n_states = from.n_states * column.n_states;
  to.settled = from.settled;
  to.n_settled = from.n_settled;
  to.ends.clear();
  to.points.resize(from.points.size());
  scratch_.resize(from.points.size());
  part_ends_.resize(column.n_codes);
  work_ += from.points.size();
  std::size_t n_points = 0;
  const auto end_part = [&](std::size_t end) {
    if (end == n_points) return;
    if (end == n_points + 1) {
      const std::uint32_t kind = kind_of_[to.points[n_points]];
      if (kind != kNone) {
        ++to.settled[kind];
        ++to.n_settled;
        return;
      }
    }
    n_points = end;
    to.ends.push_back(static_cast<std::uint32_t>(n_points));
  };
  std::size_t begin = 0;
  for (const std::uint32_t end : from.ends) {
    if (column.n_codes == 2) {
      std::size_t zeros_end = n_points;
      std::size_t n_ones = 0;
      for (std::size_t at = begin; at < end; ++at) {  // The loop has no branches.
        const std::uint32_t point = from.points[at];
        const std::uint16_t code = column.codes[point];
        to.points[zeros_end] = point;
        scratch_[n_ones] = point;
        zeros_end += 1U - code;
        n_ones += code;
      }
      end_part(zeros_end);
      std::copy_n(scratch_.begin(), n_ones, to.points.data() + n_points);
      end_part(n_points + n_ones);
    } else {
      std::ranges::fill(part_ends_, 0U);
      for (std::size_t at = begin; at < end; ++at) ++part_ends_[column.codes[from.points[at]]];
      std::exclusive_scan(part_ends_.begin(), part_ends_.end(), part_ends_.begin(), 0U);
      for (std::size_t at = begin; at < end; ++at) {
        scratch_[part_ends_[column.codes[from.points[at]]]++] = from.points[at];
      }
      std::size_t part = 0;
      for (const std::size_t part_end : part_ends_) {
        std::copy(scratch_.data() + part, scratch_.data() + part_end, to.points.data() + n_points);
        end_part(n_points + part_end - part);
        part = part_end;
      }
    }
    begin = end;
  }
  to.points.resize(n_points);
}

const ParentStates::Functions& ParentStates::functions(double concentration) {
  const auto found = functions_.find(concentration);
  if (found != functions_.end()) return found->second;
  if (functions_.size() >= kMostFunctions) functions_.clear();
  const double unit = scorer_.unit();
  Functions made{CountFunction::log_rising(concentration, total_, unit),
                 CountFunction::log_rising(concentration / scorer_.n_states(child_), total_, unit),
                 {},
                 {}};
  for (std::size_t at = 0; at < kind_counts_.size(); at += n_codes_) {
    double sum = 0;
    double apart = 0;
    double score = 0;
    for (std::size_t code = 0; code < n_codes_; ++code) {
      const double count = kind_counts_[at + code];
      sum += count;
      apart += made.state(count);
      score += made.cell(count);
    }
    made.kind_scores.push_back(score - made.state(sum));
    made.kind_mixing.push_back(made.state(sum) - apart);
  }
  return functions_.emplace(concentration, std::move(made)).first->second;
}

double ParentStates::pure_cost(const double* counts) const {
  double cost = 0;
  for (std::size_t code = 0; code < n_codes_; ++code) {
    cost += scorer_.pure_cost(child_, counts[code]);
  }
  return cost;
}

double ParentStates::n_occupied() const {
  const Split& parents = stack_[depth_];
  return std::max(1.0, static_cast<double>(parents.n_settled + parents.ends.size()));
}

double ParentStates::score() {
  const Split& parents = stack_[depth_];
  const Functions& made = functions(scorer_.concentration(child_, parents.n_states, n_occupied()));
  double score = 0;
  cost_ = 0;
  for (std::size_t kind = 0; kind < parents.settled.size(); ++kind) {
    score += parents.settled[kind] * made.kind_scores[kind];
    cost_ += parents.settled[kind] * pure_of_kind_[kind];
  }
  pure_.clear();
  std::size_t begin = 0;
  for (const std::uint32_t end : parents.ends) {
    add_points(begin, end);
    double sum = 0;
    double pure = 0;
    std::size_t n_positive = 0;
    for (const double count : counts_) {
      if (count == 0) continue;
      ++n_positive;
      sum += count;
      pure += scorer_.pure_cost(child_, count);
      score += made.cell(count);
    }
    score -= made.state(sum);
    cost_ += pure;
    pure_.push_back(n_positive > 1 ? pure : kUnmixed);
    begin = end;
  }
  work_ += parents.points.size() + 16;
  return score;
}

// Fills counts_ with the sums of points.
void ParentStates::add_points(std::size_t begin, std::size_t end) {
  const std::vector<std::uint32_t>& points = stack_[depth_].points;
  if (n_codes_ == 2) {  // The sums stay in registers.
    double first = 0;
    double second = 0;
    for (std::size_t at = begin; at < end; ++at) {
      first += point_counts_[2 * std::size_t{points[at]}];
      second += point_counts_[2 * std::size_t{points[at]} + 1];
    }
    counts_[0] = first;
    counts_[1] = second;
    return;
  }
  std::ranges::fill(counts_, 0.0);
  for (std::size_t at = begin; at < end; ++at) {
    const double* counts = point_counts_.data() + points[at] * n_codes_;
    for (std::size_t code = 0; code < n_codes_; ++code) counts_[code] += counts[code];
  }
}

double ParentStates::superset_bound(std::size_t tail, double least) {
  double cost = cost_;
  if (-cost < least || classes_[tail].empty()) return -cost;
  const Split& parents = stack_[depth_];
  const Functions& most = functions(
      scorer_.concentration(child_, parents.n_states * fewest_states_[tail], n_occupied()));
  for (std::size_t kind = 0; kind < parents.settled.size(); ++kind) {
    cost += parents.settled[kind] * most.kind_mixing[kind];
  }
  work_ += parents.points.size();
  std::size_t begin = 0;
  for (std::size_t state = 0; state < parents.ends.size() && -cost >= least; ++state) {
    const std::size_t end = parents.ends[state];
    if (pure_[state] != kUnmixed) {
      cost += atoms_cost(begin, end, tail, most.state, pure_[state]);
    }
    begin = end;
  }
  return -cost;
}

double ParentStates::atoms_cost(std::size_t begin, std::size_t end, std::size_t tail,
                                const CountFunction& rising, double pure) {
  const std::vector<std::uint32_t>& points = stack_[depth_].points;
  const std::vector<std::uint32_t>& classes = classes_[tail];
  std::size_t n_atoms = 0;
  for (std::size_t at = begin; at < end; ++at) {
    const std::uint32_t of_point = classes[points[at]];
    if (of_point == kNone) continue;
    const double* counts = point_counts_.data() + points[at] * n_codes_;
    std::uint32_t& atom = atom_of_[of_point];
    if (atom == kNone) {
      atom = static_cast<std::uint32_t>(n_atoms);
      atom_classes_[n_atoms] = of_point;
      std::copy_n(counts, n_codes_, atom_counts_.data() + n_atoms * n_codes_);
      ++n_atoms;
    } else {
      double* sums = atom_counts_.data() + atom * n_codes_;
      for (std::size_t code = 0; code < n_codes_; ++code) sums[code] += counts[code];
    }
  }
  double most_mixing = 0;
  double likelihood = 0;  // Likelihood of all atoms.
  double first = 0;       // Most that an atom costs beyond its likelihood.
  for (std::size_t atom = 0; atom < n_atoms; ++atom) {
    atom_of_[atom_classes_[atom]] = kNone;
    const double* counts = atom_counts_.data() + atom * n_codes_;
    double sum = 0;
    double highest = 0;
    for (std::size_t code = 0; code < n_codes_; ++code) {
      sum += counts[code];
      highest = std::max(highest, counts[code]);
    }
    if (highest == sum) continue;  // The atom has one child state only.
    double mixing = rising(sum);
    double of_atom = -n_log_n_(sum);
    for (std::size_t code = 0; code < n_codes_; ++code) {
      mixing -= rising(counts[code]);
      of_atom += n_log_n_(counts[code]);
    }
    most_mixing = std::max(most_mixing, mixing);
    likelihood += of_atom;
    first = std::max(first, pure_cost(counts) + mixing + of_atom);
  }
  return std::max(most_mixing, first - likelihood - pure);
}

}  // namespace credenet
