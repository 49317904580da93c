#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "credenet/counts/row_table.hpp"
#include "credenet/scores/count_function.hpp"
#include "credenet/scores/set_terms.hpp"

namespace credenet {

// What no superset of a parent set can do better than, when only the candidates after its last one
// may be added, for Dirichlet scores. The further the last one stands in the order, the coarser are
// the atoms (rows that no such superset tells apart), and the more an atom with several states of
// the child costs.
class TailBound {
 public:
  // order has the candidates that are not required.
  TailBound(const RowTable& rows, const SetScorer& scorer, std::size_t child,
            std::span<const std::uint16_t> required, std::span<const std::uint16_t> order);

  // Whether the bound for sets that end before this place of the order can be better than that of
  // SetScorer, and is worth its time.
  [[nodiscard]] bool is_useful(std::size_t tail) const;
  // places are those of the set's candidates, ascending; sets that begin alike share work if they
  // come one after another.
  [[nodiscard]] double bound(std::span<const std::uint16_t> places);
  // Whether the bound is below what is wanted; is_useful learns from the answers.
  [[nodiscard]] bool closes(std::span<const std::uint16_t> places, double least);

 private:
  struct Column {
    std::vector<std::uint16_t> codes;  // of the rows of positive weight
    std::uint32_t n_codes = 1;
  };
  // Rows that the required parents and some candidates tell apart.
  struct Partition {
    std::uint16_t place = 0;
    double n_states = 1;  // product over the candidates
    std::uint32_t n_cells = 1;
    std::vector<std::uint32_t> cells;  // of each row
  };
  // Rows of the classes that the candidates from some place on do not tell apart and that have
  // several states of the child, class by class.
  struct Mixed {
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> ends;
  };
  // What the atoms of one parent state add.
  struct Extra {
    double mixing = 0;      // the most of an atom
    double likelihood = 0;  // of all atoms
    double first = 0;       // the most that an atom costs beyond its likelihood
  };

  struct Trials {
    double all = 0;
    double closed = 0;
  };

  void refine(const Partition& from, const Column& column, Partition& to);
  void find_mixed();
  void add_atom(std::uint32_t cell, const double* counts, const CountFunction& rising);

  std::size_t child_;
  const SetScorer& scorer_;
  std::vector<Column> columns_;        // by place
  std::vector<double> n_states_;       // by place, as the score counts them
  std::vector<double> fewest_states_;  // of a candidate from this place on
  std::vector<std::uint16_t> child_codes_;
  std::size_t n_child_codes_ = 1;
  std::vector<double> weights_;
  double total_ = 0;
  std::vector<Mixed> mixed_;     // by place; empty before first_mixed_
  std::size_t first_mixed_ = 0;  // from there on some rows cannot be told apart
  std::vector<Trials> trials_;   // by place
  std::vector<Partition> stack_;
  std::size_t depth_ = 0;
  CountFunction n_log_n_;
  std::map<double, CountFunction> rising_;  // by concentration
  std::vector<std::uint32_t> renumbered_;
  std::vector<double> counts_;       // of the family's cells
  std::vector<double> atom_counts_;  // of the atoms of one class
  std::vector<std::uint32_t> atom_of_;
  std::vector<std::uint32_t> atom_cells_;
  std::vector<Extra> extras_;
};

}  // namespace credenet
