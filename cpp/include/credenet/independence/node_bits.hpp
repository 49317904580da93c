#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/graphs/adjacency.hpp"

namespace credenet {

// A relation between nodes as rows of bits.
class NodeBits {
 public:
  explicit NodeBits(std::size_t n_nodes)
      : n_nodes_(n_nodes), n_words_((n_nodes + 63) / 64), words_(n_nodes * n_words_, 0) {}

  [[nodiscard]] std::size_t n_nodes() const { return n_nodes_; }
  [[nodiscard]] bool contains(Node row, Node node) const {
    return (words_[word(row, node)] >> bit(node) & 1) != 0;
  }
  void insert(Node row, Node node) { words_[word(row, node)] |= std::uint64_t{1} << bit(node); }
  void erase(Node row, Node node) { words_[word(row, node)] &= ~(std::uint64_t{1} << bit(node)); }
  [[nodiscard]] std::span<std::uint64_t> row(Node row) {
    return std::span(words_).subspan(static_cast<std::size_t>(row) * n_words_, n_words_);
  }
  [[nodiscard]] std::span<const std::uint64_t> row(Node row) const {
    return std::span(words_).subspan(static_cast<std::size_t>(row) * n_words_, n_words_);
  }

  [[nodiscard]] std::size_t count(Node node) const {
    std::size_t number = 0;
    for (const std::uint64_t bits : row(node))
      number += static_cast<std::size_t>(std::popcount(bits));
    return number;
  }

  // Visits the members of a row, ascending; the row may change meanwhile, word by word.
  template <typename Visit>
  void for_each(Node node, Visit&& visit) const {
    for_each_common(row(node), row(node), visit);
  }
  // Visits the nodes that two rows share.
  template <typename Visit>
  static void for_each_common(std::span<const std::uint64_t> first,
                              std::span<const std::uint64_t> second, Visit&& visit) {
    for (std::size_t at = 0; at < first.size(); ++at) {
      for (std::uint64_t rest = first[at] & second[at]; rest != 0; rest &= rest - 1) {
        visit(static_cast<Node>(at * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
      }
    }
  }

 private:
  [[nodiscard]] std::size_t word(Node row, Node node) const {
    return static_cast<std::size_t>(row) * n_words_ + static_cast<std::size_t>(node) / 64;
  }
  [[nodiscard]] static unsigned bit(Node node) { return static_cast<unsigned>(node) % 64; }

  std::size_t n_nodes_;
  std::size_t n_words_;
  std::vector<std::uint64_t> words_;
};

}  // namespace credenet
