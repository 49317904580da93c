#include "credenet/posterior/all_families.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "credenet/families/child_prior.hpp"
#include "credenet/scores/set_scorer.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr std::size_t kFirst = 6;     // Variables whose sets are handed to threads.
constexpr std::size_t kScored = 256;  // Families that are scored together.
// Most different weights of rows that are alone in their cell.
constexpr std::size_t kMostKinds = 8;

// A set of variables as bits.
struct BitSet {
  std::uint32_t bits;

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(std::popcount(bits)); }
  [[nodiscard]] bool contains(std::size_t variable) const { return (bits >> variable & 1) != 0; }
};

std::uint32_t bits_of(std::span<const std::uint16_t> variables) {
  std::uint32_t bits = 0;
  for (const std::uint16_t variable : variables) bits |= bit_of(variable);
  return bits;
}

// The terms of all sets of variables.
struct AllTerms {
  AllTerms(std::size_t n_variables, std::size_t n_functions)
      : joint(std::size_t{1} << n_variables),
        n_classes(n_functions),
        further(joint.size() * n_functions) {}

  [[nodiscard]] TermsView of(std::uint32_t set) const {
    return {joint[set], 0, std::span(further).subspan(set * n_classes, n_classes)};
  }

  std::vector<double> joint;
  std::size_t n_classes;
  std::vector<double> further;
};

// The rows as numbers, for all threads.
struct Rows {
  explicit Rows(const RowTable& table) : codes(table.n_variables()), n(table.n_rows()) {
    for (std::size_t variable = 0; variable < codes.size(); ++variable) {
      table.visit_column(variable,
                         [&](const auto* column) { codes[variable].assign(column, column + n); });
      n_codes.push_back(table.n_observed(variable));
    }
    weights.assign(table.weights().begin(), table.weights().end());
    for (const std::uint32_t number : table.multiplicities()) weights.push_back(number);
    kind_weights = {1.0};
    if (weights.empty()) return;
    kind_weights = weights;
    std::ranges::sort(kind_weights);
    kind_weights.erase(std::unique(kind_weights.begin(), kind_weights.end()), kind_weights.end());
    if (kind_weights.size() > kMostKinds) {
      kind_weights.clear();
      return;
    }
    for (const double weight : weights) {
      const auto at = std::ranges::lower_bound(kind_weights, weight);
      kinds.push_back(static_cast<std::uint8_t>(at - kind_weights.begin()));
    }
  }

  [[nodiscard]] double weight(std::uint32_t row) const {
    return weights.empty() ? 1.0 : weights[row];
  }

  std::vector<std::vector<std::uint16_t>> codes;  // Codes by variable.
  std::vector<std::uint32_t> n_codes;
  std::size_t n;
  std::vector<double> weights;       // Weights of the rows; empty if each is 1.
  std::vector<double> kind_weights;  // Different weights if they are few; else empty.
  std::vector<std::uint8_t> kinds;   // Kind of each row; empty if there is one kind.
};

// The cells of a set of variables: the rows of one after another.
struct Cells {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> ends;
  std::vector<std::uint32_t> n_alone;  // Number of rows that are alone in their cell, by kind.
};

class Splitter {
 public:
  Splitter(const Rows& rows, const SetScorer& scorer, std::span<const double> states,
           AllTerms& terms)
      : rows_(rows),
        scorer_(scorer),
        states_(states),
        terms_(terms),
        n_(rows.codes.size()),
        cells_(n_ + 1) {
    Cells& all = cells_[0];
    all.n_alone.assign(rows.kind_weights.size(), 0);
    if (rows.n == 0) return;
    all.rows.resize(rows.n);
    for (std::uint32_t row = 0; row < rows.n; ++row) all.rows[row] = row;
    all.ends.push_back(static_cast<std::uint32_t>(rows.n));
  }

  // Goes through the sets that have the given ones of the first variables, and any of the others.
  void run(std::uint32_t first, std::size_t n_first, const std::function<bool()>& go_on) {
    std::size_t depth = 0;
    for (std::size_t variable = 0; variable < n_first; ++variable) {
      if ((first & bit_of(variable)) == 0) continue;
      split(cells_[depth], variable, cells_[depth + 1]);
      ++depth;
    }
    evaluate(first, cells_[depth]);
    go_on_ = &go_on;
    extend(first, n_first, depth);
  }

 private:
  void extend(std::uint32_t set, std::size_t next, std::size_t depth) {
    for (std::size_t variable = next; variable < n_; ++variable) {
      if (variable + 4 < n_ && !(*go_on_)()) return;
      if (variable + 1 == n_ && rows_.weights.empty()) {
        return count(cells_[depth], variable, set | bit_of(variable));
      }
      split(cells_[depth], variable, cells_[depth + 1]);
      evaluate(set | bit_of(variable), cells_[depth + 1]);
      extend(set | bit_of(variable), variable + 1, depth + 1);
    }
  }

  void split(const Cells& from, std::size_t variable, Cells& to) {
    const std::uint16_t* codes = rows_.codes[variable].data();
    const std::size_t n_codes = rows_.n_codes[variable];
    const bool counts_alone = !rows_.kind_weights.empty();
    counts_.assign(n_codes, 0);
    to.rows.resize(from.rows.size());
    to.ends.clear();
    to.n_alone = from.n_alone;
    std::uint32_t begin = 0;
    std::uint32_t written = 0;
    for (const std::uint32_t end : from.ends) {
      for (std::uint32_t at = begin; at < end; ++at) ++counts_[codes[from.rows[at]]];
      // A count becomes the place of its next row, or no place.
      for (std::uint32_t& count : counts_) {
        const std::uint32_t size = count;
        count = size == 1 && counts_alone ? kNowhere : written;
        if (size == 0 || count == kNowhere) continue;
        written += size;
        to.ends.push_back(written);
      }
      for (std::uint32_t at = begin; at < end; ++at) {
        const std::uint32_t row = from.rows[at];
        std::uint32_t& place = counts_[codes[row]];
        if (place == kNowhere) {
          ++to.n_alone[rows_.kinds.empty() ? 0 : rows_.kinds[row]];
        } else {
          to.rows[place++] = row;
        }
      }
      std::ranges::fill(counts_, 0);
      begin = end;
    }
    to.rows.resize(written);
  }

  // Evaluates a set that is not split further: the rows need not be moved.
  void count(const Cells& from, std::size_t variable, std::uint32_t set) {
    const std::uint16_t* codes = rows_.codes[variable].data();
    counts_.assign(rows_.n_codes[variable], 0);
    last_.ends.clear();
    last_.n_alone = from.n_alone;
    std::uint32_t begin = 0;
    std::uint32_t written = 0;
    for (const std::uint32_t end : from.ends) {
      for (std::uint32_t at = begin; at < end; ++at) ++counts_[codes[from.rows[at]]];
      for (std::uint32_t& size : counts_) {
        if (size == 1) ++last_.n_alone[0];
        if (size > 1) last_.ends.push_back(written += size);
        size = 0;
      }
      begin = end;
    }
    evaluate(set, last_);
  }

  void evaluate(std::uint32_t set, const Cells& cells) {
    const auto conditional = scorer_.conditional_functions();
    const CountFunction& joint = scorer_.joint_function(states_[set]);
    double* further = terms_.further.data() + set * conditional.size();
    terms_.joint[set] = sum(cells, joint);
    for (std::size_t at = 0; at < conditional.size(); ++at) {
      further[at] = sum(cells, conditional[at]);
    }
  }

  [[nodiscard]] double sum(const Cells& cells, const CountFunction& function) const {
    double sum = 0;
    std::uint32_t begin = 0;
    for (const std::uint32_t end : cells.ends) {
      if (rows_.weights.empty()) {
        sum += function(end - begin);
      } else {
        double count = 0;
        for (std::uint32_t at = begin; at < end; ++at) count += rows_.weights[cells.rows[at]];
        sum += function(count);
      }
      begin = end;
    }
    for (std::size_t kind = 0; kind < cells.n_alone.size(); ++kind) {
      if (cells.n_alone[kind] == 0) continue;
      sum += cells.n_alone[kind] * function(rows_.kind_weights[kind]);
    }
    return sum;
  }

  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  const Rows& rows_;
  const SetScorer& scorer_;
  std::span<const double> states_;
  AllTerms& terms_;
  std::size_t n_;
  std::vector<Cells> cells_;  // Cells by depth.
  Cells last_;
  std::vector<std::uint32_t> counts_;
  const std::function<bool()>* go_on_ = nullptr;
};

// The products of the numbers of states of all sets; each different one is told to the scorer.
std::vector<double> states_of_sets(std::size_t n, const ScoreSettings& settings,
                                   SetScorer& scorer) {
  std::vector<double> states(std::size_t{1} << n, 1.0);
  std::set<double> known;
  std::vector<std::uint16_t> members;
  for (std::uint32_t set = 0; set < states.size(); ++set) {
    // Factors come in ascending order, as in the scorer, because products may be rounded.
    if (set != 0) {
      const auto highest = static_cast<std::size_t>(std::bit_width(set) - 1);
      states[set] = states[set ^ bit_of(highest)] * settings.n_states[highest];
    }
    if (!known.insert(states[set]).second) continue;
    members.clear();
    for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) {
      members.push_back(static_cast<std::uint16_t>(std::countr_zero(rest)));
    }
    scorer.prepare(members);
  }
  return states;
}

}  // namespace

std::uint64_t all_families_bytes(std::size_t n_variables, std::size_t n_rows) {
  const std::uint64_t n_sets = std::uint64_t{1} << n_variables;
  return n_sets * sizeof(double) * (n_variables / 2 + 4) + 8 * n_rows * (n_variables + 1);
}

bool score_all_families(const RowTable& rows, const ScoreSettings& settings,
                        std::span<const ChildRules> rules, unsigned n_threads, Control& control,
                        WeightTable& weights) {
  const std::size_t n = rows.n_variables();
  const std::unique_ptr<SetScorer> owned = make_scorer(settings, rows);
  SetScorer& scorer = *owned;
  const std::vector<double> states = states_of_sets(n, settings, scorer);
  AllTerms terms(n, scorer.conditional_functions().size());
  const Rows numbers(rows);
  const std::size_t n_first = std::min(n, kFirst);
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  const std::size_t n_blocks = std::size_t{1} << n_first;
  parallel_blocks(n_blocks, n_threads, stop, [&](std::size_t first, unsigned worker) {
    const auto go_on = [&] {
      if (worker == 0 && !control.poll({done.load(), n_blocks})) stop = true;
      return !stop.load();
    };
    Splitter(numbers, scorer, states, terms).run(static_cast<std::uint32_t>(first), n_first, go_on);
    ++done;
  });
  if (stop) return false;
  parallel_blocks(n, n_threads, stop, [&](std::size_t child, unsigned worker) {
    const ChildPrior prior(rules[child]);
    const std::uint32_t required = bits_of(rules[child].required);
    const std::uint32_t allowed = required | bits_of(rules[child].candidates);
    const std::span<double> scores = weights.of(child);
    std::vector<CountedFamily> families;
    std::vector<std::size_t> places;
    std::vector<double> plain;
    const auto score_listed = [&] {
      plain.resize(families.size());
      scorer.score(families, plain);
      for (std::size_t at = 0; at < places.size(); ++at) {
        const BitSet parents{with_gap(places[at], child)};
        scores[places[at]] = plain[at] + prior.log_factor(parents);
      }
      families.clear();
      places.clear();
    };
    for (std::size_t place = 0; place < scores.size(); ++place) {
      const std::uint32_t parents = with_gap(place, child);
      const BitSet members{parents};
      if ((required & ~parents) != 0 || (parents & ~allowed) != 0) continue;
      if (members.size() > rules[child].max_parents) continue;
      families.push_back({child, members.size(), states[parents], terms.of(parents | bit_of(child)),
                          terms.of(parents)});
      places.push_back(place);
      if (places.size() == kScored) score_listed();
    }
    score_listed();
    if (worker == 0 && !control.poll({0, 0})) stop = true;
  });
  return !stop;
}

}  // namespace credenet
