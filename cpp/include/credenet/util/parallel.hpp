#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <vector>

#include "credenet/util/portable.hpp"

namespace credenet {

// Runs work(block, worker) for every block, on n_threads workers; worker 0 is the calling thread.
// Blocks are handed out in order, so a result stored for each block does not depend on the number
// of threads. No block starts once stop is set. The first exception stops the rest and is rethrown
// here. Where the system gives fewer threads, these do the work.
template <typename Work>
void parallel_blocks(std::size_t n_blocks, unsigned n_threads, std::atomic<bool>& stop,
                     Work&& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto run = [&](unsigned worker) {
    try {
      while (!stop.load(std::memory_order_relaxed)) {
        const std::size_t block = next.fetch_add(1, std::memory_order_relaxed);
        if (block >= n_blocks) return;
        work(block, worker);
      }
    } catch (...) {
      const std::scoped_lock lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      stop = true;
    }
  };
  const auto n_helpers =
      static_cast<unsigned>(std::min<std::size_t>(std::max(n_threads, 1U), n_blocks));
  {
    JoinedThreads helpers;
    helpers.reserve(n_helpers);
    for (unsigned worker = 1; worker < n_helpers; ++worker) {
      try {
        helpers.start(run, worker);
      } catch (const std::system_error&) {
        break;
      }
    }
    run(0);
  }
  if (failure) std::rethrow_exception(failure);
}

// Sorts in parts, then merges them; the result is that of std::sort for a strict order without
// ties.
template <typename T, typename Before>
void parallel_sort(std::vector<T>& values, unsigned n_threads, Before&& before) {
  constexpr std::size_t kSmallest = 1 << 14;  // Fewest values that are sorted in parts.
  const std::size_t n_parts =
      values.size() < kSmallest ? 1 : std::max<std::size_t>(std::max(n_threads, 1U), 1);
  const auto border = [&](std::size_t part) {
    return values.begin() + static_cast<std::ptrdiff_t>(values.size() * part / n_parts);
  };
  std::atomic<bool> stop{false};
  parallel_blocks(n_parts, n_threads, stop, [&](std::size_t part, unsigned) {
    std::sort(border(part), border(part + 1), before);
  });
  for (std::size_t part = 1; part < n_parts; ++part) {
    std::inplace_merge(values.begin(), border(part), border(part + 1), before);
  }
}

}  // namespace credenet
