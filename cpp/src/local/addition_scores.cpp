// The rows of a family are sorted by cell once. Each cell is then counted for all variables at a
// time (StateBits), and its counts are summed up for each variable by the score's function. Adding
// the counts of the cells with the same parents gives the tables without the child. Variables come
// in tiles whose bits stay in the second-level cache while family after family is counted.
#include "credenet/local/addition_scores.hpp"

#include <algorithm>
#include <atomic>

#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr double kMostBytes = 1e9;        // Bytes of bits at most.
constexpr double kGroupBytes = 6.4e7;     // Bytes of the grouped rows of families, about, at most.
constexpr std::size_t kThreadGroups = 4;  // Families that are grouped at a time for each thread.
constexpr std::size_t kFewRows = 8192;    // Up to here few columns are enough.
constexpr std::size_t kFewColumns = 48;   // Columns of bits that pay with few rows.
constexpr std::size_t kColumns = 192;     // Columns of bits that pay with any number of rows.
constexpr double kThreadWork = 3e4;       // Lines to be added that are worth a thread.

// Adds the function of all cells of one group to the sum of each variable of a block. The cells of
// the most frequent states have what the others leave of the group's rows.
template <typename Function>
void add_cells(const std::uint32_t* counts, std::size_t n_variables, std::uint32_t n_observed,
               std::uint32_t n_rows, const Function& function, std::uint32_t* rest,
               std::int64_t* sums) {
  std::fill_n(rest, n_variables, n_rows);
  for (std::uint32_t state = 0; state + 1 < n_observed; ++state) {
    for (std::size_t at = 0; at < n_variables; ++at) {
      const std::uint32_t count = counts[state * n_variables + at];
      rest[at] -= count;
      sums[at] += function(count);
    }
  }
  for (std::size_t at = 0; at < n_variables; ++at) sums[at] += function(rest[at]);
}

// The number of families whose rows are held grouped by cell at the same time.
std::size_t n_grouped_together(std::size_t n_rows, unsigned n_threads) {
  const double row_bytes = static_cast<double>(n_rows + 1) * sizeof(std::uint32_t);
  return std::max(static_cast<std::size_t>(kGroupBytes / row_bytes), kThreadGroups * n_threads);
}

}  // namespace

bool AdditionScores::supports(const CountSource& source, const ScoreSettings& settings,
                              unsigned n_threads, double most_bytes) {
  const RowTable* rows = source.rows();
  if (rows == nullptr || !settings.abilities().sums_whole_functions || rows->is_weighted() ||
      !rows->multiplicities().empty()) {
    return false;
  }
  const auto n_rows = static_cast<double>(rows->n_rows());
  const std::size_t n_together =
      std::min(n_grouped_together(rows->n_rows(), n_threads), rows->n_variables());
  const double group_bytes = static_cast<double>(n_together) * n_rows * sizeof(std::uint32_t);
  const double worker_bytes = n_threads * n_rows * RowGrouping::kRowBytes;
  const double bit_bytes = StateBits::bytes(*rows);
  return bit_bytes <= kMostBytes && bit_bytes + group_bytes + worker_bytes <= most_bytes;
}

bool AdditionScores::pays(const RowTable& rows) {
  return StateBits::n_columns(rows) >= (rows.n_rows() <= kFewRows ? kFewColumns : kColumns);
}

AdditionScores::AdditionScores(const RowTable& rows, const ScoreSettings& settings,
                               unsigned n_threads)
    : settings_(settings),
      n_variables_(rows.n_variables()),
      n_rows_(rows.n_rows()),
      n_threads_(std::max(n_threads, 1U)),
      functions_(settings, rows.total()),
      bits_(rows, settings.n_states) {
  for (unsigned worker = 0; worker < n_threads_; ++worker) workers_.emplace_back(rows);
}

double AdditionScores::n_cells(std::span<const std::uint16_t> variables) const {
  double product = 1;
  for (const std::uint16_t variable : variables) product *= settings_.n_states[variable];
  return product;
}

void AdditionScores::find(std::span<Family> families) {
  const std::size_t n_together = n_grouped_together(n_rows_, n_threads_);
  for (std::size_t first = 0; first < families.size(); first += n_together) {
    find_together(families.subspan(first, std::min(n_together, families.size() - first)));
  }
}

void AdditionScores::find_together(std::span<Family> families) {
  if (prepared_.size() < families.size()) prepared_.resize(families.size());
  functions_.forget();
  const std::size_t n_tiles = bits_.tiles().size();
  std::vector<std::pair<std::size_t, std::size_t>> tasks;  // Tile and family of each task.
  for (std::size_t tile = 0; tile < n_tiles; ++tile) {
    for (std::size_t at = 0; at < families.size(); ++at) {
      if (!families[at].tiles.empty() && families[at].tiles[tile] != 0)
        tasks.emplace_back(tile, at);
    }
  }
  const auto n_threads_for = [&](std::size_t n_tasks) {
    const double work = static_cast<double>(n_rows_) * static_cast<double>(n_tasks);
    return static_cast<unsigned>(
        std::clamp(work / kThreadWork, 1.0, static_cast<double>(n_threads_)));
  };
  std::atomic<bool> stop{false};
  parallel_blocks(families.size(), n_threads_for(families.size()), stop,
                  [&](std::size_t at, unsigned worker) {
                    const Family& family = families[at];
                    workers_[worker].grouping.find(family.child, family.parents,
                                                   !family.tiles.empty(), prepared_[at].groups);
                  });
  for (std::size_t at = 0; at < families.size(); ++at) {
    find_sum(families[at], prepared_[at]);
    if (families[at].tiles.empty()) continue;
    find_functions(families[at], prepared_[at]);
    families[at].with.assign(n_variables_, 0);
  }
  parallel_blocks(tasks.size(), n_threads_for(tasks.size()), stop,
                  [&](std::size_t task, unsigned worker) {
                    const auto [tile, at] = tasks[task];
                    add_tile(tile, prepared_[at], workers_[worker], families[at]);
                  });
}

// Finds the sum of the family itself, and the cells that need no counting.
void AdditionScores::find_sum(Family& family, Prepared& prepared) {
  const double parent_cells = n_cells(family.parents);
  const WholeFunction& of_family =
      functions_.of_family(parent_cells * settings_.n_states[family.child]);
  const WholeFunction& of_parents = functions_.of_parents(family.child, parent_cells);
  prepared.n_single_cells = prepared.n_single_parents = 0;
  family.sum = 0;
  std::uint32_t begin = 0;
  std::uint32_t cell = 0;
  for (const std::uint32_t last_cell : prepared.groups.parent_ends) {
    const std::uint32_t first = begin;
    for (; cell < last_cell; ++cell) {
      const std::uint32_t end = prepared.groups.cell_ends[cell];
      family.sum += of_family(end - begin);
      prepared.n_single_cells += end - begin == 1 ? 1U : 0U;
      begin = end;
    }
    family.sum -= of_parents(begin - first);
    prepared.n_single_parents += begin - first == 1 ? 1U : 0U;
  }
}

void AdditionScores::find_functions(const Family& family, Prepared& prepared) {
  const double parent_cells = n_cells(family.parents);
  const double family_cells = parent_cells * settings_.n_states[family.child];
  prepared.of_family.clear();
  prepared.of_parents.clear();
  for (const StateBits::Tile& tile : bits_.tiles()) {
    for (const StateBits::Block& block : tile.blocks) {
      prepared.of_family.push_back(&functions_.of_family(family_cells * block.n_states));
      prepared.of_parents.push_back(
          &functions_.of_parents(family.child, parent_cells * block.n_states));
    }
  }
}

void AdditionScores::TileSums::start(const StateBits::Tile& tile) {
  own.assign(tile.n_variables, 0);
  every.assign(tile.blocks.size(), 0);
  rest.resize(tile.n_variables);
}

void AdditionScores::TileSums::add(const StateBits::Tile& tile, const StateBits::Counts& counts,
                                   std::span<const WholeFunction* const> functions) {
  if (counts.is_sparse(tile)) return add_sparse(tile, counts, functions);
  const auto n_rows = static_cast<std::uint32_t>(counts.n_rows);
  std::size_t first = 0;
  for (std::size_t at = 0; at < tile.blocks.size(); ++at) {
    const StateBits::Block& block = tile.blocks[at];
    const WholeFunction& function = *functions[at];
    if (block.n_observed == 1) {
      every[at] += function(n_rows);
    } else if (n_rows < function.table().size()) {
      add_cells(
          counts.numbers.data() + block.first_column, block.variables.size(), block.n_observed,
          n_rows, [table = function.table().data()](std::uint32_t count) { return table[count]; },
          rest.data(), own.data() + first);
    } else {
      add_cells(counts.numbers.data() + block.first_column, block.variables.size(),
                block.n_observed, n_rows, function, rest.data(), own.data() + first);
    }
    first += block.variables.size();
  }
}

// Begins as if all rows had the most frequent states; then each other state takes its rows away.
void AdditionScores::TileSums::add_sparse(const StateBits::Tile& tile,
                                          const StateBits::Counts& counts,
                                          std::span<const WholeFunction* const> functions) {
  const auto n_rows = static_cast<std::uint32_t>(counts.n_rows);
  for (std::size_t at = 0; at < tile.blocks.size(); ++at) every[at] += (*functions[at])(n_rows);
  counts.for_each_occupied([&](std::size_t column) { rest[tile.variable_of[column]] = n_rows; });
  std::size_t at = 0;
  counts.for_each_occupied([&](std::size_t column) {
    while (at + 1 < tile.blocks.size() && tile.blocks[at + 1].first_column <= column) ++at;
    const WholeFunction& function = *functions[at];
    const std::size_t variable = tile.variable_of[column];
    const std::uint32_t before = rest[variable];
    const std::uint32_t count = counts.numbers[column];
    rest[variable] = before - count;
    own[variable] += function(count) + function(before - count) - function(before);
  });
}

void AdditionScores::add_tile(std::size_t tile_at, const Prepared& prepared, Worker& worker,
                              Family& family) const {
  const StateBits::Tile& tile = bits_.tiles()[tile_at];
  std::size_t first_block = 0;
  for (std::size_t other = 0; other < tile_at; ++other) {
    first_block += bits_.tiles()[other].blocks.size();
  }
  const std::span of_family(prepared.of_family.data() + first_block, tile.blocks.size());
  const std::span of_parents(prepared.of_parents.data() + first_block, tile.blocks.size());
  worker.family_sums.start(tile);
  worker.parent_sums.start(tile);

  const RowGroups& groups = prepared.groups;
  std::uint32_t begin = 0;
  std::uint32_t cell = 0;
  for (const std::uint32_t last_cell : groups.parent_ends) {
    const std::uint32_t first = begin;
    if (groups.cell_ends[last_cell - 1] - first == 1) {  // A state with one row needs no table.
      begin = groups.cell_ends[cell++];
      continue;
    }
    for (; cell < last_cell; ++cell) {
      const std::uint32_t end = groups.cell_ends[cell];
      const auto rows = std::span(groups.rows).subspan(begin, end - begin);
      StateBits::count(tile, rows, worker.counts);
      if (rows.size() > 1) worker.family_sums.add(tile, worker.counts, of_family);
      if (begin == first) worker.parent_counts.clear();
      StateBits::add(tile, worker.counts, worker.parent_counts);
      begin = end;
    }
    worker.parent_sums.add(tile, worker.parent_counts, of_parents);
  }

  std::size_t at = 0;
  for (std::size_t block_at = 0; block_at < tile.blocks.size(); ++block_at) {
    const std::int64_t every = worker.family_sums.every[block_at] -
                               worker.parent_sums.every[block_at] +
                               prepared.n_single_cells * (*of_family[block_at])(1) -
                               prepared.n_single_parents * (*of_parents[block_at])(1);
    for (const std::uint16_t variable : tile.blocks[block_at].variables) {
      family.with[variable] = worker.family_sums.own[at] - worker.parent_sums.own[at] + every;
      ++at;
    }
  }
}

}  // namespace credenet
