// A few orders are improved in parallel by the insertion search, each with random numbers of its
// own, in rounds of some iterations; in a round, each takes another one's order of the round before
// as a guide, so that what one has found spreads without an order ever getting worse. This is the
// memetic search of Lee and van Beek (MINOBS, 2017) with crossover and perturbation confined to a
// few neighbouring variables, which keeps an iteration cheap with thousands of variables. Now and
// then an order is replaced by another of the same network: insertions see the order, not the
// network, and from different orders they see different improvements. After each perturbation a few
// windows of variables are optimised exactly, which finds what single insertions do not. When none
// has improved for long, the best is kept and all begin anew.
#include "credenet/local/order_search.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "credenet/local/insertion_search.hpp"
#include "credenet/util/parallel.hpp"
#include "credenet/util/random.hpp"

namespace credenet {
namespace {

// Places one variable after the other, always one that loses little against its best family, and
// none before it has a family at all. Variables left over can never have one: then no network
// exists, as more variables at hand never hurt. Without greed any of those is placed.
enum class Greed : std::uint8_t { kFull, kSome, kNone };

std::vector<std::int32_t> first_order(const OrderLists& lists, Greed greed, Random& random) {
  const std::size_t n = lists.n_variables();
  std::vector<std::uint8_t> placed(n, 0);
  std::vector<std::int32_t> families(n);
  std::vector<double> losses(n);
  const auto is_available = [&](std::size_t v, std::int32_t k) {
    return std::ranges::all_of(lists.parents(v, k), [&](std::int32_t parent) {
      return placed[static_cast<std::size_t>(parent)] != 0;
    });
  };
  const auto find_loss = [&](std::size_t v) {
    losses[v] = lists.score(v, 0) - lists.score(v, families[v]);
    if (greed == Greed::kSome) losses[v] *= 1 + random.uniform();
    if (greed == Greed::kNone) losses[v] = random.uniform();
  };
  for (std::size_t v = 0; v < n; ++v) {
    families[v] = 0;
    while (families[v] < lists.size(v) && !is_available(v, families[v])) ++families[v];
    find_loss(v);
  }
  std::vector<std::int32_t> order;
  while (order.size() < n) {
    std::size_t next = n;
    for (std::size_t v = 0; v < n; ++v) {
      if (placed[v] != 0 || families[v] == lists.size(v)) continue;
      if (next == n || losses[v] < losses[next]) next = v;
    }
    if (next == n) break;
    placed[next] = 1;
    order.push_back(static_cast<std::int32_t>(next));
    for (const OrderLists::Child& child : lists.children(next)) {
      const auto y = static_cast<std::size_t>(child.variable);
      if (placed[y] != 0) continue;
      for (const std::int32_t use : lists.uses(child)) {
        if (use >= families[y]) break;
        if (is_available(y, use)) families[y] = use;
      }
      find_loss(y);
    }
  }
  return order;
}

class OrderSearch {
 public:
  OrderSearch(const FamilyLists& lists, const OrderSearchOptions& options, Control& control)
      : lists_(lists), options_(options), control_(control) {
    for (std::size_t at = 0; at < std::max<std::size_t>(options.n_orders, 1); ++at) {
      members_.push_back({InsertionSearch(lists_), ExactWindows(lists_), Random(options.seed, at)});
    }
    result_.bound = 0;
    for (std::size_t v = 0; v < lists_.n_variables(); ++v) result_.bound += lists_.score(v, 0);
  }

  SearchResult run(std::span<const std::int32_t> start) {
    if (!begin(start)) {
      result_.status = Status::kInfeasible;
      result_.bound = -std::numeric_limits<double>::infinity();
      return std::move(result_);
    }
    record();
    while (!stop_ && !is_finished()) {
      improve();
      record();
      if (n_idle_ >= std::max(kLeastPatience, kPatience * lists_.n_variables())) begin_anew();
    }
    if (!stop_) {
      InsertionSearch& last = members_.front().search;
      last.set_network(result_.families, members_.front().random);
      last.climb();
      record();
    }
    trace_.record(result_.score, result_.bound);
    result_.status = result_.score == result_.bound ? Status::kOptimal
                     : stop_                        ? Status::kStopped
                                                    : Status::kLocalOptimum;
    for (const Member& member : members_) result_.n_expanded += member.search.n_evaluated();
    result_.peak_bytes =
        lists_.bytes() +
        members_.size() * (ExactWindows::kMostBytes + lists_.n_variables() * kBytesPerVariable);
    result_.trace = trace_.take();
    return std::move(result_);
  }

 private:
  struct Member {
    InsertionSearch search;
    ExactWindows windows;
    Random random;
    double score = -std::numeric_limits<double>::infinity();  // Score after the last round.
    bool begun = false;
  };

  static constexpr std::size_t kRound = 200;  // Iterations of a round.
  static constexpr std::size_t kRedraw = 50;  // Iterations from one redrawn order to the next.
  // Variables for each further window of an iteration: both take about the same time then.
  static constexpr std::size_t kPerWindow = 64;
  // Iterations of each order without an improvement before all begin anew: for every variable, and
  // in all.
  static constexpr std::size_t kPatience = 10;
  static constexpr std::size_t kLeastPatience = 400;
  // Estimated bytes of an order for each variable.
  static constexpr std::size_t kBytesPerVariable = 10 * sizeof(std::int32_t);

  // Makes the first order from the start or greedily, so there is a network from here on. False if
  // none exists.
  bool begin(std::span<const std::int32_t> start) {
    Member& first = members_.front();
    const std::vector<std::int32_t> order = first_order(lists_, Greed::kFull, first.random);
    if (order.size() < lists_.n_variables()) return false;
    if (start.empty()) {
      first.search.set_order(order);
    } else {
      first.search.set_network(start, first.random);
    }
    return true;
  }

  void begin_anew() {
    for (Member& member : members_) member.begun = false;
    n_idle_ = 0;
    ++n_epochs_;
  }

  [[nodiscard]] bool is_finished() const {
    return (options_.n_iterations != 0 && n_done_ >= options_.n_iterations) ||
           result_.score == result_.bound;
  }

  // Keeps the best so far, and how long it has been since an order became better.
  void record() {
    for (Member& member : members_) {
      const double score = member.search.score();
      if (score > member.score + lists_.tolerance()) n_idle_ = 0;
      member.score = score;
      if (score <= result_.score) continue;
      result_.score = score;
      result_.families = member.search.families();
    }
    trace_.record(result_.score, result_.bound);
  }

  // Runs one round of all orders.
  void improve() {
    const std::size_t n_orders = members_.size();
    std::size_t n_iterations = kRound;
    if (options_.n_iterations != 0) {
      n_iterations = std::min(n_iterations, options_.n_iterations - n_done_);
    }
    const std::size_t n = lists_.n_variables();
    const std::size_t n_windows = n > ExactWindows::kFewMembers ? 1 + n / kPerWindow : 0;
    std::vector<std::vector<std::int32_t>> guides(n_orders);
    if (n_orders > 1 && members_.back().begun) {
      const std::size_t shift = 1 + n_rounds_ % (n_orders - 1);
      for (std::size_t at = 0; at < n_orders; ++at) {
        guides[at] = members_[(at + shift) % n_orders].search.places();
      }
    }
    parallel_blocks(n_orders, options_.n_threads, stop_, [&](std::size_t at, unsigned worker) {
      Member& member = members_[at];
      if (!member.begun) {
        const Greed greed = n_epochs_ == 0 ? Greed::kSome : Greed::kNone;
        if (at > 0 || n_epochs_ > 0) {
          member.search.set_order(first_order(lists_, greed, member.random));
        }
        member.search.climb();
        member.begun = true;
      }
      for (std::size_t iteration = 0; iteration < n_iterations && !stop_; ++iteration) {
        if (iteration % kRedraw == 0) {
          member.search.redraw(member.random);
          member.search.climb();
        }
        member.search.iterate(guides[at], member.random);
        for (std::size_t window = 0; window < n_windows; ++window) {
          member.search.optimise_window(member.windows, member.random);
        }
        const std::uint64_t n_iterated = ++n_iterated_;
        if (worker == 0 && !control_.poll({n_iterated, n_orders * options_.n_iterations,
                                           result_.score, result_.bound})) {
          stop_ = true;
        }
      }
    });
    n_done_ += n_iterations;
    n_idle_ += n_iterations;
    ++n_rounds_;
  }

  OrderLists lists_;
  OrderSearchOptions options_;
  Control& control_;
  std::vector<Member> members_;
  std::size_t n_done_ = 0;  // Iterations of each order.
  std::size_t n_idle_ = 0;  // Iterations of each order without an improvement.
  std::size_t n_rounds_ = 0;
  std::size_t n_epochs_ = 0;
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> n_iterated_{0};  // Iterations of all orders.
  BoundTrace trace_;
  SearchResult result_;
};

}  // namespace

SearchResult order_search(const FamilyLists& lists, std::span<const std::int32_t> start,
                          const OrderSearchOptions& options, Control& control) {
  return OrderSearch(lists, options, control).run(start);
}

}  // namespace credenet
