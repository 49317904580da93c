#include "credenet/local/child_gains.hpp"

#include <algorithm>
#include <limits>

namespace credenet {
namespace {

// Most entries of a child, as a search through more takes long.
constexpr std::size_t kMostKnown = 64;

}  // namespace

void ChildGains::sort_additions(std::span<const std::uint16_t> candidates) {
  best.clear();
  auto parent = parents.begin();
  for (std::size_t at = 0; at < candidates.size(); ++at) {
    while (parent != parents.end() && *parent < candidates[at]) ++parent;
    const bool is_parent = parent != parents.end() && *parent == candidates[at];
    if (is_parent || gains[at] == 0 || gains[at] == -std::numeric_limits<double>::infinity()) {
      continue;
    }
    best.push_back(static_cast<std::uint16_t>(at));
  }
  const std::size_t n_sorted = std::min(best.size(), kSorted);
  has_more = n_sorted < best.size();
  std::ranges::partial_sort(best, best.begin() + static_cast<std::ptrdiff_t>(n_sorted),
                            [&](std::uint16_t a, std::uint16_t b) {
                              return gains[a] != gains[b] ? gains[a] > gains[b] : a < b;
                            });
  best.resize(n_sorted);
}

KnownGains::KnownGains(std::size_t n, std::size_t max_bytes)
    : most_(std::clamp(max_bytes / (n * n * sizeof(double) + 1), std::size_t{2}, kMostKnown)),
      known_(n) {}

std::shared_ptr<const ChildGains> KnownGains::find(std::size_t child,
                                                   const std::vector<std::uint16_t>& parents) {
  auto& known = known_[child];
  const auto found =
      std::ranges::find_if(known, [&](const auto& gains) { return gains->parents == parents; });
  if (found == known.end()) return nullptr;
  std::rotate(known.begin(), found, found + 1);
  return known.front();
}

void KnownGains::add(std::size_t child, std::shared_ptr<const ChildGains> gains) {
  auto& known = known_[child];
  if (known.size() == most_) known.pop_back();
  known.insert(known.begin(), std::move(gains));
}

}  // namespace credenet
