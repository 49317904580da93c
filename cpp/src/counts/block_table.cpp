#include "credenet/counts/block_table.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "credenet/counts/block_counter.hpp"

namespace credenet {

BlockTable::BlockTable(std::vector<PlaneRows> blocks,
                       std::vector<std::vector<std::uint16_t>> stored,
                       std::vector<std::vector<std::uint16_t>> observed, const MapGuard* guard)
    : blocks_(std::move(blocks)), stored_(std::move(stored)), guard_(guard) {
  observed_ = std::move(observed);
  for (std::size_t variable = 0; variable < observed_.size(); ++variable) {
    if (observed_[variable].empty()) stored_[variable] = observed_[variable] = {0};
    n_observed_.push_back(static_cast<std::uint32_t>(observed_[variable].size()));
  }
  for (const PlaneRows& block : blocks_) {
    n_rows_ += block.n_rows;
    has_multiplicities_ = has_multiplicities_ || !block.multiplicities.empty();
    for (const std::uint32_t multiplicity : block.multiplicities) total_ += multiplicity;
  }
  check();
  if (!has_multiplicities_) total_ = static_cast<double>(n_rows_);
  if (total_ > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("a block file can have at most 4,294,967,295 rows");
  }
}

std::unique_ptr<BatchCounter> BlockTable::counter() const {
  return std::make_unique<BlockCounter>(*this);
}

}  // namespace credenet
