#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace credenet {

enum class NodeState : std::uint8_t {
  kOpen,
  kWaiting,    // Opened in the next round.
  kClosed,     // Expanded in this round.
  kClosedOld,  // Expanded in an earlier round.
};

// A set of variables placed, and the best way to it so far.
struct OrderNode {
  std::uint64_t placed = 0;
  double loss = 0;       // Loss so far.
  double rest_loss = 0;  // Lower bound on the loss of the rest.
  std::uint32_t before = 0;
  std::uint8_t variable = 0;  // Variable placed after the node before.
  NodeState state = NodeState::kOpen;

  [[nodiscard]] bool is_closed() const { return state >= NodeState::kClosed; }
};

// Nodes by number, in order of insertion, and by their set. They are in blocks, so that growing
// copies none of them, and the index is rebuilt when it grows: the table never takes much more
// memory than its nodes.
class NodeTable {
 public:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] OrderNode& operator[](std::size_t at) { return blocks_[at / kBlock][at % kBlock]; }
  [[nodiscard]] const OrderNode& operator[](std::size_t at) const {
    return blocks_[at / kBlock][at % kBlock];
  }

  [[nodiscard]] std::uint32_t find(std::uint64_t placed) const {
    if (slots_.empty()) return kAbsent;
    for (std::size_t slot = start(placed);; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint32_t at = slots_[slot];
      if (at == kAbsent || (*this)[at].placed == placed) return at;
    }
  }

  // The set must be new.
  std::uint32_t insert(const OrderNode& node) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    if (size_ == blocks_.size() * kBlock) {
      blocks_.push_back(std::make_unique_for_overwrite<OrderNode[]>(kBlock));
    }
    const auto at = static_cast<std::uint32_t>(size_++);
    (*this)[at] = node;
    enter(at);
    return at;
  }

  // The bytes of the table with n_nodes nodes.
  [[nodiscard]] std::size_t bytes(std::size_t n_nodes) const {
    std::size_t n_slots = kFirstSlots;
    while (2 * n_nodes > n_slots) n_slots *= 2;
    return (n_nodes + kBlock - 1) / kBlock * kBlock * sizeof(OrderNode) +
           n_slots * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::size_t kBlock = 1 << 12;
  static constexpr std::size_t kFirstSlots = 1 << 10;

  [[nodiscard]] std::size_t start(std::uint64_t placed) const {
    const std::uint64_t mixed = (placed ^ (placed >> 32)) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(mixed >> 32) & (slots_.size() - 1);
  }

  void enter(std::uint32_t at) {
    std::size_t slot = start((*this)[at].placed);
    while (slots_[slot] != kAbsent) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = at;
  }

  void grow() {
    const std::size_t n_slots = slots_.empty() ? kFirstSlots : 2 * slots_.size();
    slots_ = {};  // The old slots are freed before the larger ones are allocated.
    slots_.assign(n_slots, kAbsent);
    for (std::size_t at = 0; at < size_; ++at) enter(static_cast<std::uint32_t>(at));
  }

  std::size_t size_ = 0;
  std::vector<std::unique_ptr<OrderNode[]>> blocks_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace credenet
