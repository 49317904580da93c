#include "credenet/effects/optimal_sets.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>

#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr std::size_t kWordBits = 64;
constexpr std::size_t kMostWords = std::size_t{1} << 20;  // Words of paths that are kept at a time.

bool has(std::span<const std::uint64_t> set, std::size_t variable) {
  return (set[variable / kWordBits] >> (variable % kWordBits) & 1) != 0;
}

void insert(std::span<std::uint64_t> set, std::size_t variable) {
  set[variable / kWordBits] |= std::uint64_t{1} << (variable % kWordBits);
}

void unite(std::span<std::uint64_t> set, std::span<const std::uint64_t> other) {
  for (std::size_t word = 0; word < set.size(); ++word) set[word] |= other[word];
}

template <typename Visit>
void for_each(std::span<const std::uint64_t> set, Visit&& visit) {
  for (std::size_t word = 0; word < set.size(); ++word) {
    for (std::uint64_t rest = set[word]; rest != 0; rest &= rest - 1) {
      visit(word * kWordBits + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
}

}  // namespace

OptimalSetSums::OptimalSetSums(std::size_t n_variables, std::span<const std::int32_t> x)
    : n_variables_(n_variables),
      n_words_((n_variables + kWordBits - 1) / kWordBits),
      x_(x.begin(), x.end()),
      pairs_(x.size() * n_variables) {}

bool OptimalSetSums::add(std::span<const std::uint64_t> parents, std::span<const double> weights,
                         unsigned n_threads, Control& control) {
  const std::size_t size = n_variables_ * n_words_;
  assert(parents.size() == weights.size() * size);
  std::vector<Worker> workers(std::max(n_threads, 1U));
  for (Worker& worker : workers) {
    worker = {std::vector<std::uint64_t>(n_words_), std::vector<std::uint64_t>(n_words_),
              std::vector<std::uint64_t>(n_words_)};
  }
  const std::size_t block = std::clamp<std::size_t>(kMostWords / std::max<std::size_t>(size, 1), 1,
                                                    std::max<std::size_t>(weights.size(), 1));
  above_.resize(block * size);
  below_.resize(block * size);
  for (std::size_t first = 0; first < weights.size(); first += block) {
    if (!control.poll({.done = first, .total = weights.size()})) return false;
    const std::size_t n = std::min(block, weights.size() - first);
    for (std::size_t at = 0; at < n; ++at) {
      close(parents.subspan((first + at) * size, size), std::span(above_).subspan(at * size, size),
            std::span(below_).subspan(at * size, size));
    }
    std::atomic<bool> stop{false};
    parallel_blocks(x_.size(), n_threads, stop, [&](std::size_t place, unsigned worker) {
      const std::size_t x = x_[place];
      for (std::size_t at = 0; at < n; ++at) {
        const auto own = parents.subspan((first + at) * size, size);
        const auto above = std::span<const std::uint64_t>(above_).subspan(at * size, size);
        const auto below = std::span<const std::uint64_t>(below_).subspan(at * size, size);
        for_each(below.subspan(x * n_words_, n_words_), [&](std::size_t y) {
          if (y == x) return;
          add_pair(x, y, own, above, below, weights[first + at], workers[worker],
                   pairs_[place * n_variables_ + y]);
        });
      }
    });
  }
  return true;
}

void OptimalSetSums::close(std::span<const std::uint64_t> parents, std::span<std::uint64_t> above,
                           std::span<std::uint64_t> below) const {
  std::ranges::fill(above, 0);
  std::ranges::fill(below, 0);
  const auto row = [&](auto bits, std::size_t variable) {
    return bits.subspan(variable * n_words_, n_words_);
  };
  // Ancestors of a variable are complete once the ancestors of its parents are.
  std::vector<std::uint64_t> placed(n_words_);
  std::vector<std::size_t> left(n_variables_);
  for (std::size_t variable = 0; variable < n_variables_; ++variable) left[variable] = variable;
  while (!left.empty()) {
    const std::size_t before = left.size();
    std::erase_if(left, [&](std::size_t variable) {
      const auto own = row(parents, variable);
      for (std::size_t word = 0; word < n_words_; ++word) {
        if ((own[word] & ~placed[word]) != 0) return false;
      }
      const auto ancestors = row(above, variable);
      for_each(own, [&](std::size_t parent) { unite(ancestors, row(above, parent)); });
      insert(ancestors, variable);
      insert(placed, variable);
      return true;
    });
    assert(left.size() < before);
    if (left.size() == before) return;
  }
  for (std::size_t variable = 0; variable < n_variables_; ++variable) {
    for_each(row(std::span<const std::uint64_t>(above), variable),
             [&](std::size_t ancestor) { insert(row(below, ancestor), variable); });
  }
}

void OptimalSetSums::add_pair(std::size_t x, std::size_t y, std::span<const std::uint64_t> parents,
                              std::span<const std::uint64_t> above,
                              std::span<const std::uint64_t> below, double weight, Worker& worker,
                              PairSets& found) const {
  const auto row = [&](std::span<const std::uint64_t> bits, std::size_t variable) {
    return bits.subspan(variable * n_words_, n_words_);
  };
  for (std::size_t word = 0; word < n_words_; ++word) {
    worker.causal[word] = row(below, x)[word] & row(above, y)[word];
    worker.set[word] = 0;
    worker.forbidden[word] = 0;
  }
  worker.causal[x / kWordBits] &= ~(std::uint64_t{1} << (x % kWordBits));
  insert(worker.forbidden, x);
  for_each(worker.causal, [&](std::size_t variable) {
    unite(worker.set, row(parents, variable));
    // Causal variables that are not children of x are below one that is.
    if (has(row(parents, variable), x)) unite(worker.forbidden, row(below, variable));
  });
  for (std::size_t word = 0; word < n_words_; ++word) worker.set[word] &= ~worker.forbidden[word];
  count(worker.set, weight, found);
}

void OptimalSetSums::count(std::span<const std::uint64_t> set, double weight,
                           PairSets& found) const {
  const auto is_here = [&](std::size_t at) {
    const std::uint64_t* other = found.sets.data() + at * n_words_;
    std::size_t word = 0;
    while (word < n_words_ && set[word] == other[word]) ++word;
    return word == n_words_;
  };
  const std::size_t n = found.weights.size();
  if (n == 0 || !is_here(found.last)) {
    found.last = 0;
    while (found.last < n && !is_here(found.last)) ++found.last;
    if (found.last == n) {
      found.sets.insert(found.sets.end(), set.begin(), set.end());
      found.weights.push_back(0);
    }
  }
  found.weights[found.last] += weight;
}

OptimalSetSums::Sums OptimalSetSums::sums() const {
  Sums result;
  result.member_begins.push_back(0);
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    for (std::size_t at = 0; at < pairs_[pair].weights.size(); ++at) {
      result.pair.push_back(static_cast<std::int32_t>(pair));
      result.weights.push_back(pairs_[pair].weights[at]);
      for_each(
          std::span(pairs_[pair].sets).subspan(at * n_words_, n_words_),
          [&](std::size_t member) { result.members.push_back(static_cast<std::int32_t>(member)); });
      result.member_begins.push_back(static_cast<std::int64_t>(result.members.size()));
    }
  }
  return result;
}

}  // namespace credenet
