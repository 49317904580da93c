#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/inference/exact/clique_tables.hpp"
#include "credenet/util/control.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// The known states (of observed variables) and likelihoods (flat, of weighted variables, each at
// marginal_begin of the layout; others are not read).
struct Evidence {
  std::span<const std::int32_t> states;
  std::span<const double> likelihoods;
};

struct WalkScratch;

// One propagation over a layout; may be run again with other evidence of the same shape. Results
// are the same for every number of threads. The kind says how the variables are eliminated that the
// query does not maximise.
class Propagation {
 public:
  Propagation(const FactorsView& factors, const PropagationLayout& layout);

  // Sends messages towards the roots. False if the control stopped it.
  bool collect(const Evidence& evidence, Marginalisation kind, unsigned n_threads,
               Control& control);

  // Repeats collect for other evidence; only the messages that change are computed again.
  bool update(const Evidence& evidence, unsigned n_threads, Control& control);

  // Whether the evidence (the largest product, under kMax) is not 0. Needs collect first.
  [[nodiscard]] bool is_possible() const { return is_possible_; }
  // The natural log of the sum (or the maximum) of the product of all relevant factors.
  [[nodiscard]] double log_value() const { return log_value_; }

  // Sends messages away from the roots, as far as the marginals of these targets need them. Needs
  // collect by sums first.
  bool distribute(std::span<const Node> targets, unsigned n_threads, Control& control);
  [[nodiscard]] std::span<const double> marginal(Node target) const;
  // The marginals of several targets, one after the other.
  [[nodiscard]] std::vector<double> marginals(std::span<const Node> targets) const;

  // The distribution of the targets, with the axis of the variable that has the highest position in
  // front. Needs collect by sums over a joint layout first.
  [[nodiscard]] std::size_t joint_size() const;
  void joint(std::span<double> out) const;

  // Finds the best state of every variable that is maximised after all that are summed; of every
  // variable that takes part, if all are maximised. Needs collect first.
  void trace_back(std::span<std::int32_t> states) const;
  // Draws states from the posterior. Needs collect by sums first.
  void draw(Random& random, std::span<std::int32_t> states) const;

 private:
  enum class Pass : std::uint8_t { kCollect, kDistribute };
  struct Job;

  const CliqueTable& table(std::int32_t id) const {
    return layout_.cliques[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] const double* read(const TableAccess& access) const;
  [[nodiscard]] double* write(const TableAccess& access);
  [[nodiscard]] Marginalisation kind_of(std::int32_t clique) const;
  [[nodiscard]] bool is_new(const SlicedTable& slice, const Evidence& evidence) const;
  void load(const Evidence& evidence, bool is_update);
  bool collect_loaded(unsigned n_threads, Control& control);
  bool collect_levels(unsigned n_threads, Control& control);
  void find_needed(std::span<const Node> targets);
  [[nodiscard]] bool is_output(const CliqueTable& clique, std::size_t output) const;
  bool distribute_levels(unsigned n_threads, Control& control);
  bool run_level(std::span<const std::int32_t> cliques, Pass pass, unsigned n_threads,
                 Control& control);
  std::size_t cut(Job& job, std::size_t most_copied) const;
  void run_job(Job& job, std::size_t chunk, WalkScratch& scratch);
  void list_operands(std::int32_t clique, Pass pass, WalkScratch& scratch) const;
  void run_by_logs(std::int32_t clique, Pass pass, WalkScratch& scratch);
  void finish(std::int32_t clique, Pass pass);
  void finish_message(std::int32_t clique);
  [[nodiscard]] bool has_exact_zeros(std::int32_t clique);
  void finish_beliefs(std::int32_t clique);
  void collect_by_logs(std::int32_t clique, std::span<const double* const> operands,
                       WalkScratch& scratch);
  void distribute_by_logs(std::int32_t clique, std::span<const double* const> operands,
                          WalkScratch& scratch);
  [[nodiscard]] static double log_sum(std::span<const double> logs);
  void read_belief(std::int32_t clique);
  void residual_weights(std::int32_t clique, std::span<const std::int32_t> states,
                        std::vector<double>& weights) const;
  void set_residual(std::int32_t clique, std::size_t joint_state,
                    std::span<std::int32_t> states) const;

  FactorsView factors_;
  const PropagationLayout& layout_;
  Marginalisation kind_ = Marginalisation::kSum;
  std::vector<double> sliced_, messages_, beliefs_, marginals_;
  // Exponents of the powers of two taken out of the cliques' messages.
  std::vector<std::int64_t> exponents_;
  std::vector<int> boosts_;  // Exponents of the powers of two put into the products of cliques.
  std::vector<std::uint8_t> is_walked_;  // 1 for cliques to distribute from.
  std::vector<std::uint8_t> is_read_;    // 1 for cliques whose separator's distribution is needed.
  std::vector<std::uint8_t> is_stale_;   // 1 for cliques whose message must be made again.
  enum class Zeros : std::uint8_t { kUnknown, kExact, kMayBeLost, kNothingElse };
  std::vector<Zeros> zeros_;  // Zeros of the cliques' messages.
  std::vector<std::int32_t> loaded_states_;
  std::vector<double> loaded_likelihoods_;
  std::vector<std::int64_t> slice_exponents_;  // Exponents of the slices, then of the likelihoods.
  std::int64_t loaded_exponent_ = 0;
  double loaded_constant_ = 1;
  bool is_collected_ = false;  // Whether all messages stand for what is loaded.
  bool is_possible_ = false;
  bool by_logs_ = false;                   // Whether messages are logs.
  std::atomic<bool> has_boosts_{false};    // Whether cliques of the level must be done again.
  std::atomic<bool> out_of_range_{false};  // Whether products left the range of doubles.
  double log_value_ = 0;
  std::uint64_t done_ = 0;
};

}  // namespace credenet
