#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "credenet/counts/count_source.hpp"
#include "credenet/counts/row_window.hpp"
#include "credenet/util/map_guard.hpp"

namespace credenet {

// Rows in blocks of bit planes, as a block file has them in a mapping of memory. Nothing is copied:
// a counter unpacks a few rows at a time.
class BlockTable final : public CountSource {
 public:
  // The codes that occur in the planes, and the numbers of these states in the same order. Throws
  // std::length_error if counts of so many rows do not fit in 32 bits. A guard, which must outlive
  // the table, watches the file that the blocks are mapped from.
  BlockTable(std::vector<PlaneRows> blocks, std::vector<std::vector<std::uint16_t>> stored,
             std::vector<std::vector<std::uint16_t>> observed, const MapGuard* guard = nullptr);

  [[nodiscard]] std::unique_ptr<BatchCounter> counter() const override;
  [[nodiscard]] std::span<const PlaneRows> blocks() const { return blocks_; }
  [[nodiscard]] const std::vector<std::vector<std::uint16_t>>& stored() const { return stored_; }
  [[nodiscard]] bool has_multiplicities() const { return has_multiplicities_; }
  // Throws CutOffError if the file has become shorter, so that what was counted may be wrong.
  void check() const {
    if (guard_ != nullptr) guard_->check();
  }

 private:
  std::vector<PlaneRows> blocks_;
  std::vector<std::vector<std::uint16_t>> stored_;
  bool has_multiplicities_ = false;
  const MapGuard* guard_;
};

}  // namespace credenet
