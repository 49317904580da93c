#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "credenet/counts/bit_planes.hpp"
#include "credenet/counts/block_counter.hpp"
#include "credenet/counts/block_sums.hpp"
#include "credenet/counts/block_table.hpp"
#include "credenet/counts/function_source.hpp"
#include "credenet/counts/row_table.hpp"
#include "credenet/util/map_guard.hpp"
#include "credenet/util/parallel.hpp"
#include "held_interrupt.hpp"
#include "python_control.hpp"

namespace credenet::python {
namespace {

using namespace nb::literals;

using Bytes =
    nb::ndarray<const std::uint8_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<std::uint32_t, nb::numpy, nb::ndim<1>>;
using Members = nb::ndarray<std::uint16_t, nb::numpy, nb::ndim<1>>;
using Begins = nb::ndarray<std::int64_t, nb::numpy, nb::ndim<1>>;

template <typename Code>
void def_rows(nb::class_<RowTable, CountSource>& rows) {
  rows.def(
      "__init__",
      [](RowTable* self, const Columns<Code>& codes, const Vector<double>& weights) {
        const GilRelease release;
        new (self) RowTable(codes.data(), codes.shape(0), codes.shape(1), view(weights));
      },
      "codes"_a.noconvert(), "weights"_a.noconvert());
}

// The planes of a variable, and the multiplicities of the rows, begin at multiples of a line.
class BlockReader {
 public:
  explicit BlockReader(const Bytes& bytes) : bytes_(bytes.data()), size_(bytes.size()) {
    if (reinterpret_cast<std::uintptr_t>(bytes_) % alignof(BitLine) != 0) {
      throw nb::value_error("the blocks must be aligned");
    }
  }

  [[nodiscard]] PlaneRows rows(std::uint64_t offset, std::size_t n_rows,
                               std::span<const std::int64_t> n_planes, bool has_counts,
                               std::span<const std::int64_t> columns) const {
    PlaneRows found;
    found.n_rows = n_rows;
    const std::size_t n_lines = (n_rows + BitLine::kRows - 1) / BitLine::kRows;
    std::vector<std::span<const BitLine>> all;
    for (const std::int64_t some : n_planes) {
      all.push_back(take<BitLine>(offset, static_cast<std::size_t>(some) * n_lines));
    }
    for (const std::int64_t column : columns) {
      const auto at = static_cast<std::size_t>(column);
      found.planes.push_back(all.at(at));
      found.n_planes.push_back(static_cast<std::uint8_t>(n_planes[at]));
    }
    if (has_counts) found.multiplicities = take<std::uint32_t>(offset, n_rows);
    return found;
  }

 private:
  template <typename T>
  std::span<const T> take(std::uint64_t& offset, std::size_t n) const {
    const std::uint64_t begin = offset;
    if (begin % sizeof(BitLine) != 0 || begin > size_ || n > (size_ - begin) / sizeof(T)) {
      throw nb::value_error("a block ends beyond the file");
    }
    offset += n * sizeof(T);
    return {reinterpret_cast<const T*>(bytes_ + begin), n};
  }

  const std::uint8_t* bytes_;
  std::size_t size_;
};

// The variables are some columns of the file, whose planes are in the order of the columns.
void make_block_table(BlockTable* self, const Bytes& bytes, const Vector<std::int64_t>& offsets,
                      const Vector<std::int64_t>& n_rows, const Vector<std::int64_t>& n_planes,
                      bool has_counts, const Vector<std::int64_t>& columns,
                      std::vector<std::vector<std::uint16_t>> stored,
                      std::vector<std::vector<std::uint16_t>> observed, const MapGuard* guard) {
  const BlockReader reader(bytes);
  std::vector<PlaneRows> blocks;
  for (std::size_t block = 0; block < offsets.size(); ++block) {
    blocks.push_back(reader.rows(static_cast<std::uint64_t>(view(offsets)[block]),
                                 static_cast<std::size_t>(view(n_rows)[block]), view(n_planes),
                                 has_counts, view(columns)));
  }
  new (self) BlockTable(std::move(blocks), std::move(stored), std::move(observed), guard);
}

// How often each code occurs in a block, for each variable all codes that its planes can hold.
nb::ndarray<std::uint64_t, nb::numpy, nb::ndim<1>> code_counts(
    const Bytes& bytes, std::uint64_t offset, std::size_t n_rows,
    const Vector<std::int64_t>& n_planes) {
  std::vector<std::int64_t> columns(n_planes.size());
  std::iota(columns.begin(), columns.end(), 0);
  const PlaneRows rows =
      BlockReader(bytes).rows(offset, n_rows, view(n_planes), /*has_counts=*/false, columns);
  std::vector<std::uint64_t> counts;
  released([&] {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const std::size_t begin = counts.size();
      counts.resize(begin + (std::size_t{1} << rows.n_planes[column]));
      add_code_counts(rows.planes[column], rows.n_planes[column], n_rows,
                      std::span(counts).subspan(begin));
    }
  });
  return to_array(std::move(counts));
}

// The sets of variables as arrays: the members of all sets, and where each set begins.
std::pair<Members, Begins> to_arrays(const SetBatch& sets) {
  std::vector<std::uint16_t> members;
  std::vector<std::int64_t> begins{0};
  for (std::size_t at = 0; at < sets.size(); ++at) {
    members.insert(members.end(), sets[at].begin(), sets[at].end());
    begins.push_back(static_cast<std::int64_t>(members.size()));
  }
  return {to_array(std::move(members)), to_array(std::move(begins))};
}

SetBatch to_batch(std::span<const std::uint16_t> members, std::span<const std::int64_t> begins) {
  SetBatch sets;
  for (std::size_t at = 0; at + 1 < begins.size(); ++at) {
    const auto begin = static_cast<std::size_t>(begins[at]);
    sets.add(members.subspan(begin, static_cast<std::size_t>(begins[at + 1]) - begin));
  }
  return sets;
}

using TableFunction = nb::typed<nb::callable, Vector<std::uint32_t>(Members, Begins)>;
using CellFunction =
    nb::typed<nb::callable, std::pair<Vector<std::uint64_t>, Vector<std::uint32_t>>(Members)>;

// Python functions, called with the GIL by threads that run without it.
FunctionSource::Functions to_functions(TableFunction of_tables, CellFunction of_cells) {
  // The last copy may go where the GIL is not held.
  const auto kept = std::shared_ptr<std::pair<nb::object, nb::object>>(
      new std::pair<nb::object, nb::object>(std::move(of_tables), std::move(of_cells)),
      [](auto* both) {
        if (ProcessEnd::is_near()) return;
        const GilAcquire gil;
        delete both;
      });
  return {.tables =
              [kept](const SetBatch& sets, std::vector<std::uint32_t>& counts) {
                const GilAcquire gil;
                const HeldInterrupt held;
                auto [members, begins] = to_arrays(sets);
                const auto found = nb::cast<Vector<std::uint32_t>>(kept->first(members, begins));
                const GilRelease release;
                counts.insert(counts.end(), found.data(), found.data() + found.size());
              },
          .cells =
              [kept](std::span<const std::uint16_t> variables, CellCounts& found) {
                const GilAcquire gil;
                const HeldInterrupt held;
                const auto [cells, counts] =
                    nb::cast<std::pair<Vector<std::uint64_t>, Vector<std::uint32_t>>>(kept->second(
                        to_array(std::vector<std::uint16_t>(variables.begin(), variables.end()))));
                found.cells.assign(cells.data(), cells.data() + cells.size());
                found.counts.assign(counts.data(), counts.data() + counts.size());
              }};
}

std::pair<nb::ndarray<std::uint64_t, nb::numpy, nb::ndim<1>>, Counts> block_cells(
    const BlockTable& table, const Vector<std::uint16_t>& members) {
  CellCounts found;
  released([&] { BlockCounter(table).count_cells(view(members), found); });
  return {to_array(std::move(found.cells)), to_array(std::move(found.counts))};
}

// All cells of each set, one table after another.
std::pair<Status, Counts> count_tables(const CountSource& source,
                                       const Vector<std::uint16_t>& members,
                                       const Vector<std::int64_t>& begins, unsigned n_threads,
                                       const OnProgress& on_progress) {
  if (source.is_weighted()) throw nb::value_error("the rows have weights");
  constexpr std::size_t kSets = 256;  // Sets of one batch.
  std::vector<std::uint32_t> counts;
  const Status status = run(on_progress, [&](Control& control) {
    const auto all = view(begins);
    const std::size_t n_sets = all.empty() ? 0 : all.size() - 1;
    std::vector<std::vector<std::uint32_t>> found((n_sets + kSets - 1) / kSets);
    const auto counters = source.counters(n_threads);
    std::atomic<bool> stop{false};
    parallel_blocks(found.size(), n_threads, stop, [&](std::size_t block, unsigned worker) {
      const std::size_t first = block * kSets;
      const SetBatch sets =
          to_batch(view(members), all.subspan(first, std::min(kSets, n_sets - first) + 1));
      counters[worker]->count_all(sets, [&](std::size_t, const auto& table) {
        found[block].insert(found[block].end(), table.begin(), table.end());
      });
      if (worker == 0 && !control.poll({block, found.size()})) stop = true;
    });
    for (const auto& part : found) counts.insert(counts.end(), part.begin(), part.end());
    return !stop.load();
  });
  return {status, to_array(std::move(counts))};
}

// The tables of a sample, one after another.
template <typename Count>
using BlockTables =
    std::vector<nb::ndarray<const Count, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>>;

template <typename Count>
Counts sum_block_tables(const Vector<std::uint32_t>& times, const BlockTables<Count>& tables) {
  std::vector<std::uint32_t> sums;
  {
    const GilRelease release;
    std::size_t n_cells = 0;
    for (const auto& table : tables) n_cells += table.shape(1);
    sums.resize(n_cells);
    std::span<std::uint32_t> left = sums;
    for (const auto& table : tables) {
      const std::span<const Count> counts(table.data(), table.size());
      sum_blocks(view(times), counts, left.first(table.shape(1)));
      left = left.subspan(table.shape(1));
    }
  }
  return to_array(std::move(sums));
}

}  // namespace

void bind_counts(nb::module_& module) {
  nb::class_<CountSource>(module, "CountSource", "Where the counts of a learner come from.")
      .def_prop_ro("n_variables", &CountSource::n_variables)
      .def_prop_ro("n_rows", &CountSource::n_rows)
      .def(
          "observed",
          [](const CountSource& self, std::size_t variable) {
            const auto codes = self.observed(variable);
            return std::vector<std::uint16_t>(codes.begin(), codes.end());
          },
          "variable"_a);
  nb::class_<MapGuard>(module, "MapGuard",
                       "Guards the bytes of a file that is mapped into memory: if the file is cut "
                       "off, zeros are read and check() raises a FormatError.")
      .def(
          "__init__",
          [](MapGuard* self, const Bytes& bytes, int file, std::string path) {
            new (self) MapGuard(std::as_bytes(std::span(bytes.data(), bytes.size())), file,
                                std::move(path));
          },
          "bytes"_a.noconvert(), "file"_a, "path"_a, nb::keep_alive<1, 2>())
      .def("check", &MapGuard::check);
  nb::class_<RowTable, CountSource> rows(module, "RowTable", "Rows in memory.");
  def_rows<std::uint8_t>(rows);
  def_rows<std::uint16_t>(rows);
  nb::class_<BlockTable, CountSource>(module, "BlockTable",
                                      "Rows in blocks of bit planes, which are not copied.")
      .def("__init__", &make_block_table, "bytes"_a.noconvert(), "offsets"_a.noconvert(),
           "n_rows"_a.noconvert(), "n_planes"_a.noconvert(), "has_counts"_a,
           "columns"_a.noconvert(), "stored"_a, "observed"_a, "guard"_a.none() = nb::none(),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 10>())
      .def("cells", &block_cells, "members"_a.noconvert(),
           "The occupied cells of one set, ascending, and their counts.");
  module.def("code_counts", &code_counts, "bytes"_a.noconvert(), "offset"_a, "n_rows"_a,
             "n_planes"_a.noconvert(),
             "How often each code that the planes of a variable can hold occurs in a block.");
  nb::class_<FunctionSource, CountSource>(
      module, "FunctionSource",
      "Counts that Python functions find: all cells of many small tables, or the occupied cells of "
      "a large one.")
      .def(
          "__init__",
          [](FunctionSource* self, std::vector<std::vector<std::uint16_t>> observed,
             std::size_t n_rows, TableFunction tables, CellFunction cells) {
            new (self) FunctionSource(std::move(observed), n_rows,
                                      to_functions(std::move(tables), std::move(cells)));
          },
          "observed"_a, "n_rows"_a, "tables"_a, "cells"_a);
  module.def(
      "is_interrupt_held", [] { return HeldInterrupt::is_held != 0; },
      "Whether Ctrl-C waits for the end of a call of a function source.");
  module.attr("most_table_cells") = TableCounter::kMostCells;
  module.def("count_tables", &count_tables, "source"_a, "members"_a.noconvert(),
             "begins"_a.noconvert(), "n_threads"_a, "on_progress"_a.none() = nb::none());
  module.def("sum_block_tables", &sum_block_tables<std::uint8_t>, "times"_a.noconvert(),
             "tables"_a.noconvert());
  module.def("sum_block_tables", &sum_block_tables<std::uint16_t>, "times"_a.noconvert(),
             "tables"_a.noconvert());
  module.def("sum_block_tables", &sum_block_tables<std::uint32_t>, "times"_a.noconvert(),
             "tables"_a.noconvert());
}

}  // namespace credenet::python
