#include "credenet/credible/network_features.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace credenet {
namespace {

constexpr std::size_t kWordBits = 64;

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
  members.erase(std::unique(members.begin(), members.end()), members.end());
  std::erase(members, self);
  return members;
}

}  // namespace

PathSums::PathSums(std::size_t n_variables)
    : n_variables_(n_variables),
      n_words_((n_variables + kWordBits - 1) / kWordBits),
      sums_(n_variables * n_variables, 0.0),
      ancestors_(n_variables * n_words_),
      is_placed_(n_variables) {
  order_.reserve(n_variables);
}

void PathSums::add(const FamilyLists& lists, const NetworkRows& networks,
                   std::span<const double> weights) {
  for (std::size_t row = 0; row < networks.size(); ++row) {
    add_one(lists, networks[row], weights[row]);
  }
}

void PathSums::add_one(const FamilyLists& lists, std::span<const std::int64_t> families,
                       double weight) {
  assert(families.size() == n_variables_);
  find_order(lists, families);
  std::ranges::fill(ancestors_, 0);
  for (const std::size_t child : order_) {
    std::uint64_t* above = ancestors_.data() + child * n_words_;
    for (const std::int32_t tail : lists.parents_of(static_cast<std::size_t>(families[child]))) {
      const auto parent = static_cast<std::size_t>(tail);
      const std::uint64_t* further = ancestors_.data() + parent * n_words_;
      for (std::size_t word = 0; word < n_words_; ++word) above[word] |= further[word];
      above[parent / kWordBits] |= std::uint64_t{1} << (parent % kWordBits);
    }
    double* sums = sums_.data() + child * n_variables_;
    for (std::size_t word = 0; word < n_words_; ++word) {
      for (std::uint64_t rest = above[word]; rest != 0; rest &= rest - 1) {
        sums[word * kWordBits + static_cast<std::size_t>(std::countr_zero(rest))] += weight;
      }
    }
  }
}

void PathSums::find_order(const FamilyLists& lists, std::span<const std::int64_t> families) {
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
    assert(order_.size() > before);  // No variable fits if there is a cycle.
    if (order_.size() == before) return;
  }
}

std::map<std::vector<std::int32_t>, double> markov_blankets(const FamilyLists& lists,
                                                            const NetworkRows& networks,
                                                            std::span<const double> weights,
                                                            std::size_t variable) {
  std::map<std::vector<std::int32_t>, double> sums;
  for (std::size_t row = 0; row < networks.size(); ++row) {
    sums[markov_blanket(lists, networks[row], variable)] += weights[row];
  }
  return sums;
}

}  // namespace credenet
