// The order graph of subsets, bounded by the dual values of a linear program. A set U of members is
// placed first in the order. Its own score is known exactly, as in dynamic programming. What is
// left scores at most the sum of the largest reduced scores of its variables (scores less the use
// of rows times dual values), plus the dual values times what these can still use of the rows. The
// latter is told by the members of each row that are in U (RemainingUse). For the empty set that is
// the bound of the linear program at most.
//
// If v with parents inside U is placed next, the bound falls by at least the score of its family:
// the bound is consistent. So the sets before a set that reaches the target reach it too, and their
// scores are exact. A bound that is some nats from the best network leaves few of all 2^n sets.
#include "credenet/credible/dual_lattice.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "credenet/lattice/member_bits.hpp"
#include "credenet/util/bit.hpp"
#include "credenet/util/no_score.hpp"
#include "credenet/util/parallel.hpp"

namespace credenet {
namespace {

constexpr std::size_t kBlock = 64;  // Sets that a thread expands at once.
// Sets that are expanded before the found ones are kept.
constexpr std::size_t kAtOnce = 256 * kBlock;
constexpr std::size_t kPollSets = 4096;  // Sets from one poll to the next.
constexpr std::size_t kWidest = 4;  // A layer may have this many times as many sets as on average.

}  // namespace

DualLattice::DualLattice(const FamilyRows& rows, std::span<const std::int32_t> numbers,
                         std::span<const double> multipliers, std::span<const std::uint8_t> alive,
                         std::span<const std::int32_t> members, double target)
    : n_(members.size()),
      members_(members.begin(), members.end()),
      n_families_(rows.n_families()),
      use_(rows, numbers, multipliers, alive, members),
      lists_(n_),
      most_(n_, kNoScore) {
  assert(n_ <= MemberBits::kMostMembers);
  const FamilyLists& lists = rows.lists();
  std::vector<double> relative(n_families_, kNoScore);
  std::vector<double> reduced(n_families_);
  double magnitude = use_.magnitude() + std::abs(target);
  for (std::size_t v = 0; v < rows.n_variables(); ++v) {
    double top = kNoScore;
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (alive[f] != 0) top = std::max(top, lists.scores[f]);
    }
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (alive[f] != 0) relative[f] = lists.scores[f] - top;
    }
    target -= top;
    magnitude += std::abs(top);
  }
  reduced = relative;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (!use_.is_used()[k]) continue;
    const Row& row = rows.row(static_cast<std::size_t>(numbers[k]));
    for (std::size_t at = 0; at < row.families.size(); ++at) {
      reduced[static_cast<std::size_t>(row.families[at])] -=
          multipliers[k] * static_cast<double>(row.coefficients[at]);
    }
  }
  const MemberBits bits_of(rows.n_variables(), members);
  std::vector<std::uint32_t> places(use_.n_rows());
  use_.locate(0, places);
  first_bound_ = use_.sum(places);
  for (std::size_t v = 0; v < rows.n_variables(); ++v) {
    double most = kNoScore;
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (alive[f] != 0) most = std::max(most, reduced[f]);
    }
    first_bound_ += most;
    magnitude += std::abs(most);
    const auto at = std::ranges::find(members, static_cast<std::int32_t>(v)) - members.begin();
    const auto member = static_cast<std::size_t>(at);
    if (member == n_) continue;
    most_[member] = most;
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (alive[f] == 0) continue;
      lists_[member].push_back({bits_of(lists.parents_of(f)), relative[f], f});
    }
    std::ranges::stable_sort(lists_[member], std::greater<>(), &Family::score);
  }
  // A bound is a sum of at most n_terms terms.
  const auto n_terms = static_cast<double>((n_ + 1) * (use_.n_rows() + 2) + rows.n_variables());
  target_ = target - n_terms * std::numeric_limits<double>::epsilon() * magnitude;
}

const DualLattice::Family* DualLattice::best(std::size_t member, std::uint64_t available) const {
  const auto at = std::ranges::find_if(
      lists_[member], [&](const Family& family) { return (family.parents & ~available) == 0; });
  return at == lists_[member].end() ? nullptr : &*at;
}

Status DualLattice::grow(std::size_t max_sets, unsigned n_threads, Control& control) {
  layers_.assign(n_ + 1, {});
  n_sets_ = 0;
  const std::size_t most_of_layer = kWidest * max_sets / n_;
  if (!(first_bound_ >= target_)) return Status::kComplete;
  take({Set{}, 0.0, first_bound_}, layers_[0]);
  for (std::size_t size = 0; size < n_; ++size) {
    const Layer& layer = layers_[size];
    const std::size_t n_layer = layer.scores.size();
    for (std::size_t from = 0; from < n_layer; from += kAtOnce) {
      if (!control.poll({size, n_})) return Status::kStopped;
      const std::size_t end = std::min(from + kAtOnce, n_layer);
      std::vector<std::vector<Found>> found((end - from + kBlock - 1) / kBlock);
      std::atomic<bool> stop{false};
      parallel_blocks(found.size(), n_threads, stop, [&](std::size_t block, unsigned) {
        const std::size_t first = from + block * kBlock;
        for (std::size_t at = first; at < std::min(first + kBlock, end); ++at) {
          expand(layer, at, found[block]);
        }
      });
      for (const std::vector<Found>& several : found) {
        for (const Found& one : several) take(one, layers_[size + 1]);
      }
      const std::size_t n_next = layers_[size + 1].scores.size();
      if (n_sets_ + n_next > max_sets || n_next > most_of_layer) return Status::kIterationLimit;
    }
    n_sets_ += layers_[size + 1].scores.size();
  }
  return Status::kComplete;
}

void DualLattice::expand(const Layer& layer, std::size_t at, std::vector<Found>& found) const {
  const std::uint64_t set = layer.sets.keys()[at].words[0];
  std::vector<std::uint32_t> places(use_.n_rows());
  use_.locate(set, places);
  for (std::size_t member = 0; member < n_; ++member) {
    if ((set & bit(member)) != 0) continue;
    const double bound = layer.bounds[at] - (most_[member] + use_.fall(places, member));
    // Least score that the family must have.
    const double least = target_ - layer.scores[at] - bound;
    for (const Family& family : lists_[member]) {
      if (!(family.score >= least)) break;
      if ((family.parents & ~set) != 0) continue;
      found.push_back({Set{{set | bit(member)}}, layer.scores[at] + family.score, bound});
      break;
    }
  }
}

void DualLattice::take(const Found& found, Layer& layer) {
  const std::uint32_t place = layer.sets.insert(found.set);
  if (place == layer.scores.size()) {
    layer.scores.push_back(found.score);
    layer.bounds.push_back(found.bound);
  } else {
    layer.scores[place] = std::max(layer.scores[place], found.score);
  }
}

std::vector<std::int64_t> DualLattice::best_families() const {
  if (layers_[n_].scores.empty()) return {};
  std::vector<std::int64_t> families(n_);
  std::uint64_t set = layers_[n_].sets.keys()[0].words[0];
  for (std::size_t size = n_; size > 0; --size) {
    const double score = layers_[size].scores[layers_[size].sets.find({{set}})];
    const Layer& smaller = layers_[size - 1];
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const auto sink = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint32_t at = smaller.sets.find({{set ^ bit(sink)}});
      if (at == FlatIndex<Set>::kAbsent) continue;
      const Family* family = best(sink, set ^ bit(sink));
      if (family == nullptr || smaller.scores[at] + family->score != score) continue;
      families[sink] = static_cast<std::int64_t>(family->number);
      set ^= bit(sink);
      break;
    }
  }
  return families;
}

// Layers are visited from the full set downwards: rest is the best score of the members outside a
// set, given the set.
std::vector<std::uint8_t> DualLattice::families(Control& control) const {
  std::vector<std::uint8_t> keep(n_families_, 0);
  if (layers_[n_].scores.empty()) return keep;
  const double outside = layers_[n_].bounds[0];
  std::vector<double> rest_of{0.0};
  for (std::size_t size = n_; size > 0; --size) {
    const Layer& layer = layers_[size];
    const Layer& smaller = layers_[size - 1];
    std::vector<double> rest(smaller.scores.size(), kNoScore);
    for (std::size_t at = 0; at < layer.scores.size(); ++at) {
      if (at % kPollSets == 0 && !control.poll({n_ - size, n_})) return {};
      const std::uint64_t set = layer.sets.keys()[at].words[0];
      for (std::uint64_t members = rest_of[at] > kNoScore ? set : 0; members != 0;
           members &= members - 1) {
        const auto sink = static_cast<std::size_t>(std::countr_zero(members));
        const std::uint64_t others = set ^ bit(sink);
        const std::uint32_t place = smaller.sets.find({{others}});
        if (place == FlatIndex<Set>::kAbsent) continue;
        const double least = target_ - smaller.scores[place] - rest_of[at] - outside;
        for (const Family& family : lists_[sink]) {
          if (!(family.score >= least)) break;
          if ((family.parents & ~others) != 0) continue;
          keep[family.number] = 1;
          rest[place] = std::max(rest[place], rest_of[at] + family.score);
        }
      }
    }
    rest_of = std::move(rest);
  }
  return keep;
}

}  // namespace credenet
