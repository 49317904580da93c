#include "credenet/inference/exact/relevance.hpp"

#include <cassert>
#include <numeric>

namespace credenet {
namespace {

// The factors of variables that are asked or have evidence, and of their ancestors.
std::vector<std::uint8_t> ancestral_factors(const FactorsView& factors, const QueryShape& query) {
  assert(factors.n_factors() == factors.n_variables());
  std::vector<std::uint8_t> kept(factors.n_factors(), 0);
  std::vector<std::int32_t> stack(query.targets.begin(), query.targets.end());
  for (std::size_t variable = 0; variable < factors.n_variables(); ++variable) {
    if (query.observed[variable] || query.weighted[variable]) {
      stack.push_back(static_cast<std::int32_t>(variable));
    }
  }
  while (!stack.empty()) {
    const auto variable = static_cast<std::size_t>(stack.back());
    stack.pop_back();
    if (kept[variable]) continue;
    kept[variable] = 1;
    const auto scope = factors.scope(variable);
    stack.insert(stack.end(), scope.begin(), scope.end() - 1);
  }
  return kept;
}

class Components {
 public:
  explicit Components(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  std::size_t find(std::size_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

std::vector<std::uint8_t> relevant_factors(const FactorsView& factors, const QueryShape& query) {
  std::vector<std::uint8_t> kept = query.directed
                                       ? ancestral_factors(factors, query)
                                       : std::vector<std::uint8_t>(factors.n_factors(), 1);
  if (query.whole_evidence) return kept;

  constexpr std::size_t kNone = ~std::size_t{0};
  Components components(factors.n_variables());
  const auto first_free = [&](std::size_t factor) {
    for (const std::int32_t variable : factors.scope(factor)) {
      if (!query.observed[static_cast<std::size_t>(variable)]) {
        return static_cast<std::size_t>(variable);
      }
    }
    return kNone;
  };
  for (std::size_t factor = 0; factor < factors.n_factors(); ++factor) {
    if (!kept[factor]) continue;
    const std::size_t first = first_free(factor);
    for (const std::int32_t variable : factors.scope(factor)) {
      const auto other = static_cast<std::size_t>(variable);
      if (!query.observed[other]) components.join(first, other);
    }
  }
  std::vector<std::uint8_t> wanted(factors.n_variables(), 0);
  for (const std::int32_t target : query.targets) {
    wanted[components.find(static_cast<std::size_t>(target))] = 1;
  }
  for (std::size_t factor = 0; factor < factors.n_factors(); ++factor) {
    if (!kept[factor]) continue;
    const std::size_t first = first_free(factor);
    kept[factor] = first != kNone && wanted[components.find(first)] ? 1 : 0;
  }
  return kept;
}

}  // namespace credenet
