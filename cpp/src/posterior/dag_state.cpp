#include "credenet/posterior/dag_state.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace credenet {
namespace {

template <typename Visit>
void for_each_bit(std::span<const std::uint64_t> words, Visit&& visit) {
  for (std::size_t at = 0; at < words.size(); ++at) {
    for (std::uint64_t rest = words[at]; rest != 0; rest &= rest - 1) {
      visit(at * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
}

constexpr std::uint64_t bit(std::size_t at) { return std::uint64_t{1} << (at % 64); }

}  // namespace

DagState::DagState(const FamilyLists& lists, std::span<const std::int64_t> families)
    : lists_(lists),
      n_words_((families.size() + 63) / 64),
      families_(families.begin(), families.end()),
      children_(families.size() * n_words_),
      ancestors_(families.size() * n_words_),
      descendants_(families.size() * n_words_),
      stale_(n_words_),
      fresh_(n_words_),
      front_(n_words_),
      is_touched_(families.size()),
      path_times_(families.size() * families.size()) {
  for (std::size_t v = 0; v < families_.size(); ++v) {
    attach(v, families_[v]);
    n_edges_ += parents(v).size();
    mark(v);
    touch(v);
  }
  for (std::size_t v = 0; v < families_.size(); ++v) refresh(v);
}

double DagState::score() const {
  return std::accumulate(families_.begin(), families_.end(), 0.0, [&](double sum, std::int64_t f) {
    return sum + lists_.scores[static_cast<std::size_t>(f)];
  });
}

void DagState::detach(std::size_t variable, std::int64_t family) {
  for (const std::int32_t parent : lists_.parents_of(static_cast<std::size_t>(family))) {
    cut(static_cast<std::size_t>(parent), variable);
  }
}

void DagState::attach(std::size_t variable, std::int64_t family) {
  for (const std::int32_t parent : lists_.parents_of(static_cast<std::size_t>(family))) {
    join(static_cast<std::size_t>(parent), variable);
  }
}

void DagState::cut(std::size_t parent, std::size_t child) {
  children_[parent * n_words_ + child / 64] &= ~bit(child);
}

void DagState::join(std::size_t parent, std::size_t child) {
  children_[parent * n_words_ + child / 64] |= bit(child);
}

void DagState::reach(std::size_t variable, std::span<std::uint64_t> found) {
  std::ranges::fill(found, 0);
  std::ranges::fill(front_, 0);
  front_[variable / 64] = bit(variable);
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (std::size_t word = 0; word < n_words_; ++word) {
      while (front_[word] != 0) {
        goes_on = true;
        const auto place = static_cast<std::size_t>(std::countr_zero(front_[word]));
        found[word] |= bit(place);
        const std::uint64_t* next = children_.data() + (word * 64 + place) * n_words_;
        front_[word] &= front_[word] - 1;
        for (std::size_t at = 0; at < n_words_; ++at) front_[at] |= next[at] & ~found[at];
      }
    }
  }
}

void DagState::settle(std::span<const Change> changes) {
  for (const auto& [variable, family] : changes) {
    touch(variable);
    for (const std::int32_t parent : parents(variable)) touch(static_cast<std::size_t>(parent));
    n_edges_ -= parents(variable).size();
    families_[variable] = family;
    n_edges_ += parents(variable).size();
    for (const std::int32_t parent : parents(variable)) touch(static_cast<std::size_t>(parent));
    // Ancestors change below a changed variable only. A path of new edges to another place leads
    // through a later changed variable, so the descendants before the change are enough.
    mark(variable);
    for (std::size_t word = 0; word < n_words_; ++word) {
      stale_[word] |= descendants_[variable * n_words_ + word];
    }
  }
  for (std::size_t word = 0; word < n_words_; ++word) {
    while (stale_[word] != 0) {
      refresh(word * 64 + static_cast<std::size_t>(std::countr_zero(stale_[word])));
    }
  }
}

void DagState::mark(std::size_t variable) { stale_[variable / 64] |= bit(variable); }

// Finds ancestors of parents first; the depth is at most the length of a path.
void DagState::refresh(std::size_t variable) {
  if (!has_bit(stale_, variable)) return;
  stale_[variable / 64] &= ~bit(variable);
  for (const std::int32_t parent : parents(variable)) refresh(static_cast<std::size_t>(parent));
  std::ranges::fill(fresh_, 0);
  for (const std::int32_t tail : parents(variable)) {
    const auto parent = static_cast<std::size_t>(tail);
    const std::uint64_t* above = ancestors_.data() + parent * n_words_;
    for (std::size_t word = 0; word < n_words_; ++word) fresh_[word] |= above[word];
    fresh_[parent / 64] |= bit(parent);
  }
  std::uint64_t* own = ancestors_.data() + variable * n_words_;
  double* times = path_times_.data() + variable * n_variables();
  for (std::size_t word = 0; word < n_words_; ++word) {
    for (std::uint64_t rest = own[word] ^ fresh_[word]; rest != 0; rest &= rest - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(rest));
      const std::size_t other = word * 64 + place;
      times[other] += (own[word] >> place & 1) != 0 ? now_ : -now_;
      descendants_[other * n_words_ + variable / 64] ^= bit(variable);
    }
    own[word] = fresh_[word];
  }
}

double DagState::take_path_times(std::span<double> sums) {
  for (std::size_t v = 0; v < n_variables(); ++v) {
    double* times = path_times_.data() + v * n_variables();
    for_each_bit(row(ancestors_, v), [&](std::size_t other) { times[other] += now_; });
  }
  for (std::size_t at = 0; at < sums.size(); ++at) sums[at] += path_times_[at];
  std::ranges::fill(path_times_, 0.0);
  return std::exchange(now_, 0.0);
}

void DagState::touch(std::size_t variable) {
  if (is_touched_[variable] != 0) return;
  is_touched_[variable] = 1;
  touched_.push_back(variable);
}

}  // namespace credenet
