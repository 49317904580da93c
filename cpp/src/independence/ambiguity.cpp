#include "credenet/independence/ambiguity.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace credenet {

void Ambiguity::add(std::size_t edge, Node x, Node y, std::span<const Node> given,
                    double association, double marginal) {
  found_.push_back({.edge = edge,
                    .x = x,
                    .y = y,
                    .given = {given.begin(), given.end()},
                    .association = association,
                    .rank = static_cast<float>(association),
                    .marginal = static_cast<float>(marginal)});
}

std::vector<std::size_t> Ambiguity::settle() {
  std::ranges::stable_sort(
      found_, {}, [](const Found& found) { return std::tuple(found.rank, found.marginal); });
  std::vector<std::size_t> gone;
  std::unordered_set<std::size_t> is_gone;
  for (const Found& found : found_) {
    if (is_gone.contains(found.edge) || refuses(found)) continue;
    separating_.record(found.x, found.y, found.given, found.association);
    is_gone.insert(found.edge);
    gone.push_back(found.edge);
  }
  found_.clear();
  return gone;
}

bool Ambiguity::refuses(const Found& found) {
  const auto low = static_cast<std::uint64_t>(std::min(found.x, found.y));
  const auto high = static_cast<std::uint64_t>(std::max(found.x, found.y));
  const std::uint64_t key = high << 32 | low;
  const auto before = refused_.find(key);
  if (before != refused_.end() &&
      std::ranges::any_of(before->second, [&](const std::vector<Node>& part) {
        return std::ranges::includes(found.given, part);
      })) {
    return true;
  }
  const bool is_circular = std::ranges::any_of(found.given, [&](Node member) {
    return separating_.separates(member, found.x, found.y) ||
           separating_.separates(member, found.y, found.x);
  });
  if (is_circular) refused_[key].push_back(found.given);
  return is_circular;
}

}  // namespace credenet
