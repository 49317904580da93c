// The insertion neighbourhood of an order. Where variable x stands decides its own best family and
// whether each variable that may have x as a parent can use it. Seen as a function of the place of
// x both parts are steps: with its families best first, the next one counts only up to the place of
// its last parent if that is earlier than any before; a child y gains something from x standing
// before it or it does not. All places of x are therefore judged by one pass over its list, one
// look-up for each possible child and a sort of the steps, without visiting the variables between
// that have nothing to do with x: with sparse lists the cost of a best insertion does not depend on
// the number of variables (Lee and van Beek 2017 evaluate the same neighbourhood by adjacent
// swaps).
#include "credenet/local/insertion_search.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace credenet {

InsertionSearch::InsertionSearch(const OrderLists& lists)
    : lists_(lists),
      order_(lists.n_variables()),
      places_(lists.n_variables()),
      families_(lists.n_variables()),
      queued_(lists.n_variables(), 0) {
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    if (!lists.neighbours(v).empty()) active_.push_back(static_cast<std::int32_t>(v));
  }
  std::iota(order_.begin(), order_.end(), 0);
  set_order(std::vector<std::int32_t>(order_));
}

void InsertionSearch::set_order(std::span<const std::int32_t> order) {
  order_.assign(order.begin(), order.end());
  for (std::size_t place = 0; place < order.size(); ++place) {
    places_[static_cast<std::size_t>(order[place])] = static_cast<std::int32_t>(place);
  }
  for (std::size_t v = 0; v < families_.size(); ++v) families_[v] = first_available(v, 0);
}

void InsertionSearch::set_network(std::span<const std::int32_t> families, Random& random) {
  for (std::size_t v = 0; v < families_.size(); ++v) {
    // The empty set, last in the list, may be better.
    families_[v] = std::min(families[v], lists_.size(v) - 1);
  }
  redraw(random);
}

double InsertionSearch::score() const {
  double sum = 0;
  for (std::size_t v = 0; v < families_.size(); ++v) sum += lists_.score(v, families_[v]);
  return sum;
}

bool InsertionSearch::available(std::size_t variable, std::int32_t k) const {
  const std::int32_t place = places_[variable];
  for (const std::int32_t parent : lists_.parents(variable, k)) {
    if (places_[static_cast<std::size_t>(parent)] > place) return false;
  }
  return true;
}

std::int32_t InsertionSearch::first_available(std::size_t variable, std::int32_t from) const {
  const std::int32_t size = lists_.size(variable);
  while (from < size && !available(variable, from)) ++from;
  return from;
}

// The child's family if the parent, now after it, came before it.
std::int32_t InsertionSearch::family_with(std::size_t parent, const OrderLists::Child& child) {
  const auto variable = static_cast<std::size_t>(child.variable);
  const std::int32_t place = places_[parent];
  places_[parent] = -1;
  std::int32_t family = families_[variable];
  for (const std::int32_t use : lists_.uses(child)) {
    if (use >= family) break;
    if (available(variable, use)) family = use;
  }
  places_[parent] = place;
  return family;
}

// The child's family if the parent, now before it, came after it.
std::int32_t InsertionSearch::family_without(std::size_t parent, std::size_t child) {
  const std::int32_t family = families_[child];
  if (family == lists_.size(child)) return family;
  const auto parents = lists_.parents(child, family);
  if (std::ranges::find(parents, static_cast<std::int32_t>(parent)) == parents.end()) return family;
  const std::int32_t place = places_[parent];
  places_[parent] = static_cast<std::int32_t>(places_.size());
  const std::int32_t next = first_available(child, family + 1);
  places_[parent] = place;
  return next;
}

InsertionSearch::Move InsertionSearch::best_move(std::size_t variable) {
  ++n_evaluated_;
  const auto n = static_cast<std::int32_t>(order_.size());
  const std::int32_t here = places_[variable];
  steps_.clear();
  // Each family of the variable counts from behind its last parent on, unless a better one is there
  // already.
  const std::int32_t none = lists_.size(variable);
  std::int32_t best = none;
  std::int32_t reach = n + 1;
  double value = 0;  // Score at the first place, less that of the best family anywhere.
  const auto step_down_to = [&](std::int32_t k) {
    if (best == none) return;
    steps_.push_back({reach, lists_.score(variable, best) - lists_.score(variable, k)});
    value -= steps_.back().change;
  };
  for (std::int32_t k = 0; k < none && reach > 0; ++k) {
    std::int32_t last = -1;
    for (const std::int32_t parent : lists_.parents(variable, k)) {
      last = std::max(last, places_[static_cast<std::size_t>(parent)]);
      if (last + 1 >= reach) break;
    }
    if (last + 1 >= reach) continue;
    step_down_to(k);
    best = k;
    reach = last + 1;
  }
  if (reach > 0) step_down_to(none);
  for (const OrderLists::Child& child : lists_.children(variable)) {
    const auto y = static_cast<std::size_t>(child.variable);
    const std::int32_t now = families_[y];
    const bool before = here < places_[y];
    const std::int32_t other = before ? family_without(variable, y) : family_with(variable, child);
    if (other == now) continue;
    const double change = lists_.score(y, other) - lists_.score(y, now);
    const double gain = before ? -change : change;
    steps_.push_back({places_[y] + 1, -gain});
    value += gain;
  }
  std::ranges::sort(steps_, [](const Step& a, const Step& b) { return a.place < b.place; });
  // The pass goes from place to place; here and just behind it are the same.
  Move move{here, 0};
  double most = 0;
  double present = 0;
  bool any = false;
  std::size_t at = 0;
  std::int32_t place = 0;
  for (;;) {
    while (at < steps_.size() && steps_[at].place <= place) value += steps_[at++].change;
    const std::int32_t next = at < steps_.size() ? steps_[at].place : n + 1;
    if (place <= here && here < next) present = value;
    if (!any || value > most) {
      any = true;
      most = value;
      move.place = place > here ? place : std::min(next - 1, here);
    }
    if (at == steps_.size()) break;
    place = next;
  }
  move.gain = most - present;
  return move;
}

void InsertionSearch::move(std::size_t variable, std::int32_t place) {
  const std::int32_t here = places_[variable];
  const std::int32_t target = place > here ? place - 1 : place;
  if (target == here) return;
  const std::int32_t step = target > here ? 1 : -1;
  for (std::int32_t at = here; at != target; at += step) {
    const std::int32_t other = order_[static_cast<std::size_t>(at + step)];
    order_[static_cast<std::size_t>(at)] = other;
    places_[static_cast<std::size_t>(other)] = at;
  }
  order_[static_cast<std::size_t>(target)] = static_cast<std::int32_t>(variable);
  // Only children passed over see a difference.
  const std::int32_t low = std::min(here, target);
  const std::int32_t high = std::max(here, target);
  const bool gains = target < here;
  for (const OrderLists::Child& child : lists_.children(variable)) {
    const auto y = static_cast<std::size_t>(child.variable);
    if (places_[y] < low || places_[y] > high) continue;
    const std::int32_t family = gains ? family_with(variable, child) : family_without(variable, y);
    if (family == families_[y]) continue;
    families_[y] = family;
    enqueue_around(y);
  }
  places_[variable] = target;
  families_[variable] = first_available(variable, 0);
  enqueue_around(variable);
}

void InsertionSearch::enqueue(std::size_t variable) {
  if (queued_[variable] != 0) return;
  queued_[variable] = 1;
  queue_.push_back(static_cast<std::int32_t>(variable));
}

void InsertionSearch::enqueue_around(std::size_t variable) {
  enqueue(variable);
  for (const std::int32_t other : lists_.neighbours(variable)) {
    enqueue(static_cast<std::size_t>(other));
  }
}

void InsertionSearch::climb_queue() {
  for (std::size_t at = 0; at < queue_.size(); ++at) {
    const auto variable = static_cast<std::size_t>(queue_[at]);
    queued_[variable] = 0;
    const Move best = best_move(variable);
    if (best.gain > lists_.tolerance()) move(variable, best.place);
  }
  queue_.clear();
}

void InsertionSearch::climb() {
  bool improved = true;
  while (improved) {
    improved = false;
    for (const std::int32_t v : active_) {
      const auto variable = static_cast<std::size_t>(v);
      const Move best = best_move(variable);
      if (best.gain <= lists_.tolerance()) continue;
      improved = true;
      move(variable, best.place);
    }
    climb_queue();
  }
}

void InsertionSearch::iterate(std::span<const std::int32_t> guide, Random& random) {
  if (active_.empty()) return;
  kept_order_ = order_;
  kept_places_ = places_;
  kept_families_ = families_;
  const double before = score();
  if (!guide.empty() && random.below(2) == 0) {
    follow(guide, random);
  } else {
    shake(random);
  }
  climb_queue();
  if (score() >= before - lists_.tolerance()) return;
  order_.swap(kept_order_);
  places_.swap(kept_places_);
  families_.swap(kept_families_);
}

void InsertionSearch::optimise_window(ExactWindows& windows, Random& random) {
  if (!windows.improve(order_, places_, families_, random)) return;
  redraw(random);
  for (const std::int32_t member : windows.members()) {
    enqueue_around(static_cast<std::size_t>(member));
  }
  climb_queue();
}

void InsertionSearch::shake(Random& random) {
  const auto draw = [&](std::span<const std::int32_t> from) {
    return static_cast<std::size_t>(from[random.below(from.size())]);
  };
  const std::size_t centre = draw(active_);
  const std::size_t n_moves = 1 + random.below(kMostMoves);
  for (std::size_t at = 0; at < n_moves; ++at) {
    const std::size_t variable = at == 0 ? centre : draw(lists_.neighbours(centre));
    const std::size_t beside = draw(lists_.neighbours(variable));
    move(variable, places_[beside] + static_cast<std::int32_t>(random.below(2)));
  }
}

void InsertionSearch::follow(std::span<const std::int32_t> guide, Random& random) {
  const std::size_t size = 2 + random.below(kMostFollowers - 1);
  std::vector<std::int32_t> region{active_[random.below(active_.size())]};
  for (std::size_t tries = 0; region.size() < size && tries < 2 * size; ++tries) {
    const auto from = static_cast<std::size_t>(region[random.below(region.size())]);
    const auto around = lists_.neighbours(from);
    const std::int32_t next = around[random.below(around.size())];
    if (std::ranges::find(region, next) == region.end()) region.push_back(next);
  }
  std::vector<std::int32_t> places;
  for (const std::int32_t v : region) places.push_back(places_[static_cast<std::size_t>(v)]);
  std::ranges::sort(places);
  std::ranges::sort(region, {}, [&](std::int32_t v) { return guide[static_cast<std::size_t>(v)]; });
  for (std::size_t at = 0; at < region.size(); ++at) {
    order_[static_cast<std::size_t>(places[at])] = region[at];
    places_[static_cast<std::size_t>(region[at])] = places[at];
  }
  const auto look_up = [&](std::size_t variable) {
    const std::int32_t family = first_available(variable, 0);
    if (family == families_[variable]) return;
    families_[variable] = family;
    enqueue_around(variable);
  };
  for (const std::int32_t v : region) {
    const auto variable = static_cast<std::size_t>(v);
    look_up(variable);
    for (const OrderLists::Child& child : lists_.children(variable)) {
      look_up(static_cast<std::size_t>(child.variable));
    }
  }
}

void InsertionSearch::redraw(Random& random) {
  // Each step takes one of the variables whose parents are all placed.
  const std::size_t n = order_.size();
  std::vector<std::int32_t> waiting(n, 0);
  std::vector<std::vector<std::int32_t>> children(n);
  std::vector<std::int32_t> ready;
  for (std::size_t v = 0; v < n; ++v) {
    if (families_[v] < lists_.size(v)) {
      for (const std::int32_t parent : lists_.parents(v, families_[v])) {
        children[static_cast<std::size_t>(parent)].push_back(static_cast<std::int32_t>(v));
        ++waiting[v];
      }
    }
    if (waiting[v] == 0) ready.push_back(static_cast<std::int32_t>(v));
  }
  std::vector<std::int32_t> order;
  order.reserve(n);
  while (!ready.empty()) {
    std::swap(ready[random.below(ready.size())], ready.back());
    const std::int32_t next = ready.back();
    ready.pop_back();
    order.push_back(next);
    for (const std::int32_t child : children[static_cast<std::size_t>(next)]) {
      if (--waiting[static_cast<std::size_t>(child)] == 0) ready.push_back(child);
    }
  }
  assert(order.size() == n);
  set_order(order);
}

}  // namespace credenet
