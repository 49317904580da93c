#include "credenet/independence/candidate_sets.hpp"

#include <algorithm>
#include <numeric>

namespace credenet {
namespace {

NodeBits members_of(const std::vector<std::vector<Node>>& lists) {
  NodeBits members(lists.size());
  for (std::size_t node = 0; node < lists.size(); ++node) {
    for (const Node member : lists[node]) members.insert(static_cast<Node>(node), member);
  }
  return members;
}

// Moves on to the next combination in lexicographic order; false after the last.
bool advance(std::vector<std::uint32_t>& positions, std::size_t n) {
  const std::size_t size = positions.size();
  for (std::size_t at = size; at-- > 0;) {
    if (positions[at] + (size - at) < n) {
      std::iota(positions.begin() + static_cast<std::ptrdiff_t>(at), positions.end(),
                positions[at] + 1);
      return true;
    }
  }
  return false;
}

}  // namespace

CandidateSets::CandidateSets(std::vector<std::vector<Node>> lists)
    : lists_(std::move(lists)), members_(members_of(lists_)) {}

CandidateSets::Cursor CandidateSets::start(Node x, Node y, std::size_t size) const {
  Cursor cursor{.x = x, .y = y};
  for (std::size_t side = 0; side < 2; ++side) {
    const Node owner = side == 0 ? x : y;
    const Node other = side == 0 ? y : x;
    cursor.ended[side] = n_others(owner, other) < size || (side == 1 && size == 0);
    if (cursor.ended[side]) continue;
    cursor.positions[side].resize(size);
    std::iota(cursor.positions[side].begin(), cursor.positions[side].end(), 0U);
  }
  return cursor;
}

bool CandidateSets::next(Cursor& cursor, std::vector<Node>& members) const {
  for (int turn = 0; turn < 2; ++turn) {
    const std::size_t side = cursor.side;
    cursor.side = static_cast<std::uint8_t>(1 - side);
    if (next_of(cursor, side, members)) return true;
  }
  return false;
}

bool CandidateSets::next_of(Cursor& cursor, std::size_t side, std::vector<Node>& members) const {
  const Node owner = side == 0 ? cursor.x : cursor.y;
  const Node other = side == 0 ? cursor.y : cursor.x;
  const std::vector<Node>& list = lists_[static_cast<std::size_t>(owner)];
  const auto skipped = static_cast<std::size_t>(std::ranges::find(list, other) - list.begin());
  const std::size_t n = list.size() - (skipped < list.size() ? 1 : 0);
  std::vector<std::uint32_t>& positions = cursor.positions[side];
  while (!cursor.ended[side]) {
    const std::size_t begin = members.size();
    for (const std::uint32_t position : positions) {
      members.push_back(list[position < skipped ? position : position + 1]);
    }
    cursor.ended[side] = !advance(positions, n);
    const auto first = members.begin() + static_cast<std::ptrdiff_t>(begin);
    // The first side has the sets that both sides have.
    if (side == 0 || !std::all_of(first, members.end(), [&](Node member) {
          return members_.contains(cursor.x, member);
        })) {
      std::sort(first, members.end());
      return true;
    }
    members.resize(begin);
  }
  return false;
}

}  // namespace credenet
