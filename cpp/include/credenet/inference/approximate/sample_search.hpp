#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "credenet/inference/approximate/cluster_graph.hpp"
#include "credenet/inference/approximate/loopy_propagation.hpp"
#include "credenet/inference/exact/sliced_model.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// The proposal of a join graph after propagation: for each variable, tables whose product over its
// mini-buckets is in proportion to its distribution given the variables before it. Shared by all
// workers.
struct JoinGraphProposal {
  struct Table {
    std::vector<Node> others;  // Members before the variable.
    std::vector<std::size_t> strides;
    std::vector<double> values;  // Values; the states of the variable change fastest.
  };

  std::vector<std::vector<Table>> tables;  // Tables of each variable.
  std::vector<std::int32_t> last_use;      // Last variable whose tables have this variable.
  // Last variable that can be left without a state; -1 if none can.
  std::int32_t last_risky = -1;
  // No possible state is proposed with less than this share of the most probable one's probability.
  double least_share = 0;

  // Takes tables from a propagation. is_settled says whether messages have converged; if not, they
  // may not show all zeros.
  JoinGraphProposal(const SlicedModel& model, const ClusterGraph& graph,
                    LoopyPropagation& propagation, bool is_settled);
};

// The record that the searches of all workers share.
struct SearchRecord {
  std::atomic<bool> is_impossible{false};  // Whether no state of positive weight exists.
  // Number of branches that were not decided and assumed to be possible; weights are then too
  // large.
  std::atomic<std::uint64_t> n_unsettled{0};
};

// SampleSearch: draws complete states of positive weight by backtracking; see the source file.
class SampleSearch {
 public:
  SampleSearch(const SlicedModel& model, const JoinGraphProposal& proposal, SearchRecord& record);

  // The log of the sample's weight; nothing if the search was given up. States are those of the
  // whole model; observed ones are left alone.
  std::optional<double> operator()(Random& random, std::span<std::int32_t> states);

  // Draws a state of positive weight without weighing it. False if the search was given up.
  bool start(Random& random) { return !record_.is_impossible && search(random); }
  // The last sample, per variable of the sliced model.
  [[nodiscard]] std::span<const std::int32_t> states() const { return states_; }

 private:
  enum class Answer : std::uint8_t { kYes, kNo, kUnknown };

  double fill_row(std::int32_t variable, std::span<const std::int32_t> states,
                  std::span<double> row) const;
  bool search(Random& random);
  double log_proposal();
  Answer can_go_on(std::int32_t variable, std::int32_t state);
  [[nodiscard]] double log_product() const;
  std::span<double> row_of(std::vector<double>& rows, std::int32_t variable) const;

  const SlicedModel& model_;
  const JoinGraphProposal& proposal_;
  SearchRecord& record_;
  std::vector<double> log_tables_;
  std::vector<double> rows_, tried_rows_;
  std::vector<std::int32_t> states_, tried_;
  // Last variable that depends on the states so far that differ, for each variable.
  std::vector<std::int32_t> until_;
};

}  // namespace credenet
