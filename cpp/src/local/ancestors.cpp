#include "credenet/local/ancestors.hpp"

#include <algorithm>
#include <bit>

namespace credenet {

void Ancestors::add_row(std::size_t variable, std::size_t parent) {
  std::uint64_t* const own = row(variable);
  const std::uint64_t* const other = row(parent);
  for (std::size_t word = 0; word < n_words_; ++word) own[word] |= other[word];
  own[parent / 64] |= std::uint64_t{1} << (parent % 64);
}

bool Ancestors::find(const ParentSets& graph) {
  const std::size_t n = graph.size();
  std::ranges::fill(words_, 0);
  std::vector<std::size_t> n_waiting(n);  // Number of parents of each variable not yet dealt with.
  ParentSets children(n);
  std::vector<std::uint16_t> ready;
  for (std::size_t v = 0; v < n; ++v) {
    n_waiting[v] = graph[v].size();
    for (const std::uint16_t parent : graph[v]) {
      children[parent].push_back(static_cast<std::uint16_t>(v));
    }
    if (n_waiting[v] == 0) ready.push_back(static_cast<std::uint16_t>(v));
  }
  for (std::size_t at = 0; at < ready.size(); ++at) {
    for (const std::uint16_t child : children[ready[at]]) {
      add_row(child, ready[at]);
      if (--n_waiting[child] == 0) ready.push_back(child);
    }
  }
  return ready.size() == n;
}

void Ancestors::add(std::size_t parent, std::size_t child) {
  const std::size_t n = words_.size() / n_words_;
  for (std::size_t v = 0; v < n; ++v) {
    if (v == child || contains(v, child)) add_row(v, parent);
  }
}

// Only ancestors of the child and its descendants change. An ancestor has fewer ancestors than its
// descendants, so sorted by these numbers each variable comes after its parents.
void Ancestors::remove(const ParentSets& graph, std::size_t child) {
  changed_.clear();
  for (std::size_t v = 0; v < graph.size(); ++v) {
    if (v != child && !contains(v, child)) continue;
    std::size_t n_ancestors = 0;
    for (std::size_t word = 0; word < n_words_; ++word) {
      n_ancestors += static_cast<std::size_t>(std::popcount(row(v)[word]));
    }
    changed_.emplace_back(n_ancestors, v);
  }
  std::ranges::sort(changed_);
  for (const auto& [_, v] : changed_) {
    std::fill_n(row(v), n_words_, std::uint64_t{0});
    for (const std::uint16_t parent : graph[v]) add_row(v, parent);
  }
}

}  // namespace credenet
