#include "credenet/credible/network_features.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace credenet {
namespace {

constexpr std::size_t kWordBits = 64;

void set_bit(std::uint64_t* words, std::size_t at) {
  words[at / kWordBits] |= std::uint64_t{1} << (at % kWordBits);
}

}  // namespace

NetworkFeatures::NetworkFeatures(std::size_t n_variables)
    : n_variables_(n_variables),
      n_words_((n_variables + kWordBits - 1) / kWordBits),
      paths_(n_variables * n_variables, 0.0),
      blankets_(n_variables * n_variables, 0.0),
      ancestors_(n_variables * n_words_),
      joined_(n_variables * n_words_),
      is_placed_(n_variables) {
  order_.reserve(n_variables);
}

void NetworkFeatures::add(const FamilyLists& lists, std::span<const std::int64_t> families,
                          double weight) {
  assert(families.size() == n_variables_);
  find_order(lists, families);
  std::ranges::fill(ancestors_, 0);
  std::ranges::fill(joined_, 0);
  for (const std::size_t child : order_) {
    const auto parents = lists.parents_of(static_cast<std::size_t>(families[child]));
    std::uint64_t* above = row(ancestors_, child);
    for (const std::int32_t tail : parents) {
      const auto parent = static_cast<std::size_t>(tail);
      const std::uint64_t* further = row(ancestors_, parent);
      for (std::size_t word = 0; word < n_words_; ++word) above[word] |= further[word];
      set_bit(above, parent);
      set_bit(row(joined_, parent), child);
      set_bit(row(joined_, child), parent);
      for (const std::int32_t other : parents) {
        if (other != tail) set_bit(row(joined_, parent), static_cast<std::size_t>(other));
      }
    }
  }
  sum(ancestors_, weight, paths_);
  sum(joined_, weight, blankets_);
}

void NetworkFeatures::find_order(const FamilyLists& lists, std::span<const std::int64_t> families) {
  order_.clear();
  std::ranges::fill(is_placed_, std::uint8_t{0});
  while (order_.size() < n_variables_) {
    const std::size_t before = order_.size();
    for (std::size_t child = 0; child < n_variables_; ++child) {
      if (is_placed_[child] != 0) continue;
      const auto parents = lists.parents_of(static_cast<std::size_t>(families[child]));
      const bool fits = std::ranges::all_of(parents, [&](std::int32_t parent) {
        return is_placed_[static_cast<std::size_t>(parent)] != 0;
      });
      if (!fits) continue;
      is_placed_[child] = 1;
      order_.push_back(child);
    }
    assert(order_.size() > before);  // or there is a cycle
    if (order_.size() == before) return;
  }
}

void NetworkFeatures::sum(const std::vector<std::uint64_t>& bits, double weight,
                          std::vector<double>& sums) const {
  for (std::size_t variable = 0; variable < n_variables_; ++variable) {
    for (std::size_t word = 0; word < n_words_; ++word) {
      for (std::uint64_t rest = bits[variable * n_words_ + word]; rest != 0; rest &= rest - 1) {
        const std::size_t other =
            word * kWordBits + static_cast<std::size_t>(std::countr_zero(rest));
        sums[variable * n_variables_ + other] += weight;
      }
    }
  }
}

std::vector<std::int32_t> markov_blanket(const FamilyLists& lists,
                                         std::span<const std::int64_t> families,
                                         std::size_t variable) {
  const auto self = static_cast<std::int32_t>(variable);
  std::vector<std::int32_t> members;
  for (std::size_t child = 0; child < families.size(); ++child) {
    const auto parents = lists.parents_of(static_cast<std::size_t>(families[child]));
    if (child == variable) {
      members.insert(members.end(), parents.begin(), parents.end());
    } else if (std::ranges::find(parents, self) != parents.end()) {
      members.push_back(static_cast<std::int32_t>(child));
      members.insert(members.end(), parents.begin(), parents.end());
    }
  }
  std::ranges::sort(members);
  const auto [first, last] = std::ranges::unique(members);
  members.erase(first, last);
  std::erase(members, self);
  return members;
}

}  // namespace credenet
