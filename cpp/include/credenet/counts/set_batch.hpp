#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace credenet {

// Sets of variables to be counted together. The order of a set's variables is that of its cells.
// Neighbouring sets with the same first variables share work.
class SetBatch {
 public:
  void clear() {
    variables_.clear();
    begins_.resize(1);
  }
  // Adds a variable to the open set.
  void push_back(std::uint16_t variable) { variables_.push_back(variable); }
  void close() { begins_.push_back(variables_.size()); }
  void add(std::span<const std::uint16_t> variables) {
    variables_.insert(variables_.end(), variables.begin(), variables.end());
    close();
  }

  [[nodiscard]] std::size_t size() const { return begins_.size() - 1; }
  [[nodiscard]] std::span<const std::uint16_t> operator[](std::size_t at) const {
    return std::span(variables_).subspan(begins_[at], begins_[at + 1] - begins_[at]);
  }

 private:
  std::vector<std::uint16_t> variables_;
  std::vector<std::size_t> begins_{0};
};

}  // namespace credenet
