// Rows in bit planes: their tables are those that counting row by row gives.
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "counts/packed_blocks.hpp"
#include "credenet/counts/block_table.hpp"
#include "credenet/counts/set_batch.hpp"
#include "fuzz.hpp"
#include "small_data.hpp"

using namespace credenet;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const std::size_t n_variables = bytes.number(1, 6);
  const std::size_t n_rows = bytes.number(1, 255) * bytes.number(1, 12);
  const std::size_t n_states = bytes.number(1, 40);
  Random random(1);
  SmallData<std::uint16_t> rows(n_rows, n_variables, 1, 0.0, random);
  for (std::uint16_t& code : rows.codes) {  // Short inputs repeat a pattern.
    code = static_cast<std::uint16_t>(
        (bytes.size() > 0 ? bytes.byte() : &code - rows.codes.data()) % n_states);
  }
  const PackedBlocks packed(rows, 512 * bytes.number(1, 3), false);
  const BlockTable table = packed.table();
  must(table.total() == static_cast<double>(n_rows));
  SetBatch sets;
  std::vector<std::vector<std::uint16_t>> listed;
  for (std::size_t mask = 0; mask < (std::size_t{1} << n_variables); ++mask) {
    std::vector<std::uint16_t> variables;
    for (std::uint16_t variable = 0; variable < n_variables; ++variable) {
      if (mask >> variable & 1) variables.push_back(variable);
    }
    if (variables.size() > 3) continue;
    sets.add(variables);
    listed.push_back(variables);
  }
  std::vector<std::map<std::uint64_t, std::size_t>> found(listed.size());
  table.counter()->count(sets, [&](std::size_t at, const auto& counts) {
    for (const auto count : counts) ++found[at][static_cast<std::uint64_t>(count)];
  });
  for (std::size_t at = 0; at < listed.size(); ++at) {
    std::map<std::uint64_t, std::size_t> expected;
    for (const auto& [cell, count] : rows.counts(listed[at])) {
      ++expected[static_cast<std::uint64_t>(count)];
    }
    must(found[at] == expected);
  }
  return 0;
}
