#include "credenet/lattice/heuristics/static_patterns.hpp"

#include <atomic>
#include <bit>
#include <limits>

#include "credenet/lattice/heuristics/pattern_table.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {

std::size_t StaticPatterns::bytes(std::span<const std::size_t> sizes) {
  std::size_t sum = 0;
  for (const std::size_t size : sizes) {
    if (size >= 40) return std::numeric_limits<std::size_t>::max();
    sum += sizeof(Group) + (sizeof(double) << size);
  }
  return sum;
}

StaticPatterns::StaticPatterns(const ComponentLists& lists, const OrderGraph& graph,
                               std::span<const std::uint64_t> groups, unsigned n_threads,
                               Control& control)
    : n_parts_((lists.n_variables() + 7) / 8), groups_(groups.size()) {
  std::uint64_t total = 0;
  for (std::size_t at = 0; at < groups.size(); ++at) {
    Group& group = groups_[at];
    for (std::uint64_t rest = groups[at]; rest != 0; rest &= rest - 1) {
      group.members.push_back(static_cast<std::size_t>(std::countr_zero(rest)));
    }
    for (std::size_t part = 0; part < n_parts_; ++part) {
      for (std::size_t set = 0; set < 256; ++set) {
        std::uint32_t index = 0;
        for (std::size_t bit = 0; bit < group.members.size(); ++bit) {
          const std::size_t member = group.members[bit];
          if (member / 8 == part && (set >> member % 8 & 1) != 0) index |= std::uint32_t{1} << bit;
        }
        group.index[part][set] = index;
      }
    }
    total += std::uint64_t{1} << group.members.size();
  }
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0};
  parallel_blocks(groups_.size(), n_threads, stop, [&](std::size_t block, unsigned worker) {
    groups_[block].best = pattern_table(lists, graph, groups[block], [&](std::size_t n_sets) {
      const std::uint64_t so_far = done += n_sets;
      if (worker == 0 && !control.poll({.done = so_far, .total = total})) stop = true;
      return !stop;
    });
  });
  is_complete_ = !stop;
}

}  // namespace credenet
