// Let a network on the placed variables have the smallest order v1, ..., vk of its class, and let w
// be added with the parents P. An order of the new class that is smaller first differs by having w
// in the place of some vi > w: leaving w out of it gives an order of the old class, which is not
// smaller. So the question is whether w can follow S = v1, ..., v(i-1) in some network of the
// class. Those of P outside S, call them Q, are then children of w. For the colliders at w to stay
// the same each of Q is joined to all others of P; for there to be no new collider at one of Q, its
// parents are in P. So Q can follow S in a network of the old class, and if it can, so can w and
// then Q. The latter is decided by directing the edges that are known to be directed and looking
// for a consistent extension (Dor and Tarsi 1992). Mostly it is clear before.
//
// Every beginning of a smallest order is a smallest order itself, so it is enough to check each
// variable as it is added.
#include "credenet/credible/growing_class.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "credenet/graphs/orientations.hpp"
#include "credenet/util/bit.hpp"

namespace credenet {
namespace {

// Calls visit(variable) for each of a set until it returns false. True if it never did.
template <typename Visit>
bool all_of(std::uint64_t set, Visit&& visit) {
  for (; set != 0; set &= set - 1) {
    if (!visit(static_cast<std::size_t>(std::countr_zero(set)))) return false;
  }
  return true;
}

}  // namespace

bool GrowingClass::comes_earlier(std::size_t variable, std::uint64_t parents,
                                 std::uint32_t outside) const {
  assert((parents & ~placed_) == 0 && (placed_ & bit(variable)) == 0);
  std::uint64_t before = placed_;
  std::uint64_t next = 0;
  for (std::size_t place = n_placed_; place-- > 0;) {
    const std::size_t other = order_[place];
    before ^= bit(other);
    if ((parents & bit(other)) != 0) {
      const std::uint64_t others = parents ^ bit(other);
      if ((others & ~joined_[other]) != 0 || outside_[other] != outside) return false;
      next |= bit(other);
    }
    if (other > variable && can_be_next(before, next, parents, outside)) return true;
  }
  return false;
}

// Whether some of the parents can follow the variables before in a network of the class.
bool GrowingClass::can_be_next(std::uint64_t before, std::uint64_t next, std::uint64_t parents,
                               std::uint32_t outside) const {
  const bool fits =
      all_of(next, [&](std::size_t q) { return (joined_[q] & before & ~parents) == 0; });
  if (!fits) return false;
  if (all_of(next, [&](std::size_t q) { return (parents_[q] & ~parents) == 0; })) return true;
  const std::uint64_t rest = placed_ & ~before;
  Sets into{};  // Edges that are directed, into each variable.
  const bool first_stay_first = all_of(rest, [&](std::size_t v) {
    into[v] = (parents_[v] & before) | unshielded_parents(v);
    if ((next & bit(v)) != 0) return (into[v] & rest & ~next) == 0;
    into[v] |= joined_[v] & next;
    return all_of(joined_[v] & next, [&](std::size_t q) {
      const bool was_parent = (parents_[v] & bit(q)) != 0;
      return was_parent ||
             ((into[v] & ~bit(q) & ~joined_[q]) == 0 && outside_is_within(outside_[v], outside));
    });
  });
  return first_stay_first && has_extension(before, into);
}

// Whether the edges between the other variables can be directed without new colliders and cycles:
// a variable without children, whose undirected neighbours are adjacent to all its other
// neighbours, is removed until none is left.
bool GrowingClass::has_extension(std::uint64_t before, const Sets& into) const {
  std::uint64_t left = placed_ & ~before;
  Sets out{};
  (void)all_of(left, [&](std::size_t v) {
    return all_of(into[v] & left, [&](std::size_t parent) {
      out[parent] |= bit(v);
      return true;
    });
  });
  while (left != 0) {
    const bool none = all_of(left, [&](std::size_t v) {
      if ((out[v] & left) != 0) return true;
      const std::uint64_t around = joined_[v] & (left | before);
      const bool is_sink = all_of(around & left & ~into[v], [&](std::size_t other) {
        return (around & ~bit(other) & ~joined_[other]) == 0 &&
               outside_is_within(outside_[v], outside_[other]);
      });
      if (is_sink) left ^= bit(v);
      return !is_sink;
    });
    if (none) return false;
  }
  return true;
}

bool GrowingClass::outside_is_within(std::uint32_t set, std::uint32_t other) const {
  return set == other || std::ranges::includes(outside_sets_[other], outside_sets_[set]);
}

// The parents that are not joined to another parent.
std::uint64_t GrowingClass::unshielded_parents(std::size_t child) const {
  std::uint64_t found = 0;
  (void)all_of(parents_[child], [&](std::size_t parent) {
    const std::uint64_t others = parents_[child] ^ bit(parent);
    if ((others & ~joined_[parent]) != 0 || !outside_is_within(outside_[child], outside_[parent])) {
      found |= bit(parent);
    }
    return true;
  });
  return found;
}

void GrowingClass::add(std::size_t variable, std::uint64_t parents, std::uint32_t outside) {
  order_[n_placed_++] = static_cast<std::uint8_t>(variable);
  placed_ |= bit(variable);
  parents_[variable] = joined_[variable] = parents;
  outside_[variable] = outside;
  (void)all_of(parents, [&](std::size_t parent) {
    joined_[parent] |= bit(variable);
    return true;
  });
}

void GrowingClass::remove_last() {
  const std::size_t variable = order_[--n_placed_];
  placed_ ^= bit(variable);
  (void)all_of(parents_[variable], [&](std::size_t parent) {
    joined_[parent] ^= bit(variable);
    return true;
  });
}

bool GrowingClass::can_go_on(std::span<const std::uint64_t> candidates) const {
  const std::size_t n = candidates.size();
  const std::uint64_t left = (n == 64 ? ~std::uint64_t{0} : bit(n) - 1) & ~placed_;
  std::uint64_t since = 0;
  std::uint64_t rest = left;
  for (std::size_t place = n_placed_; place-- > 0 && rest != 0;) {
    since |= bit(order_[place]);
    const std::uint64_t smaller = rest & (bit(order_[place]) - 1);
    rest ^= smaller;
    const bool may_wait =
        all_of(smaller, [&](std::size_t v) { return (candidates[v] & (since | left)) != 0; });
    if (!may_wait) return false;
  }
  return true;
}

// The edges in unshielded colliders are directed, and by Meek's first three rules those that would
// make another collider or a cycle; the others can be directed freely.
std::uint64_t GrowingClass::n_networks() const {
  Sets into{};
  (void)all_of(placed_, [&](std::size_t v) {
    into[v] = unshielded_parents(v);
    return true;
  });
  for (bool changed = true; changed;) {
    changed = false;
    (void)all_of(placed_, [&](std::size_t head) {
      return all_of(parents_[head] & ~into[head], [&](std::size_t tail) {
        const std::uint64_t strangers = into[tail] & ~joined_[head];
        bool directed = strangers != 0 || !outside_is_within(outside_[tail], outside_[head]);
        // A path tail -> middle -> head directs the edge.
        directed = directed || !all_of(into[head] & joined_[tail], [&](std::size_t middle) {
                     return (into[middle] & bit(tail)) == 0;
                   });
        // Two variables direct the edge that are not joined, undirected to the tail and parents of
        // the head.
        const std::uint64_t both = into[head] & joined_[tail] & ~into[tail];
        directed = directed || !all_of(both, [&](std::size_t one) {
                     return (both & ~bit(one) & ~joined_[one]) == 0;
                   });
        if (directed) {
          into[head] |= bit(tail);
          changed = true;
        }
        return true;
      });
    });
  }
  Sets undirected{};
  (void)all_of(placed_, [&](std::size_t v) {
    undirected[v] |= parents_[v] & ~into[v];
    return all_of(parents_[v] & ~into[v], [&](std::size_t parent) {
      undirected[parent] |= bit(v);
      return true;
    });
  });
  const auto n = static_cast<std::size_t>(std::bit_width(placed_));
  return count_orientations(std::span(undirected).first(n)).small().value_or(0);
}

}  // namespace credenet
