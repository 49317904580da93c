#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "credenet/local/local_scores.hpp"

namespace credenet {

// The ancestors of each variable of a graph as a row of bits.
class Ancestors {
 public:
  explicit Ancestors(std::size_t n) : n_words_((n + 63) / 64), words_(n * n_words_) {}

  [[nodiscard]] bool contains(std::size_t variable, std::size_t ancestor) const {
    return (words_[variable * n_words_ + ancestor / 64] >> (ancestor % 64) & 1) != 0;
  }

  // Finds the ancestors. False if the graph has a cycle.
  bool find(const ParentSets& graph);
  // Updates the ancestors after one more edge, from the parent.
  void add(std::size_t parent, std::size_t child);
  // Updates the ancestors after edges to the child were removed.
  void remove(const ParentSets& graph, std::size_t child);

 private:
  [[nodiscard]] std::uint64_t* row(std::size_t variable) {
    return words_.data() + variable * n_words_;
  }
  void add_row(std::size_t variable, std::size_t parent);

  std::size_t n_words_;
  std::vector<std::uint64_t> words_;
  // Number of ancestors of each changed variable, and the variable.
  std::vector<std::pair<std::size_t, std::size_t>> changed_;
};

}  // namespace credenet
