#include "credenet/search/arc_propagation.hpp"

#include <algorithm>
#include <vector>

#include "credenet/search/component_lists.hpp"

namespace credenet {
namespace {

void keep_families(const FamilyLists& lists, std::int32_t child, std::int32_t parent,
                   bool with_parent, std::span<std::uint8_t> alive) {
  const auto v = static_cast<std::size_t>(child);
  for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
    const auto parents = lists.parents_of(f);
    if ((std::ranges::find(parents, parent) != parents.end()) != with_parent) alive[f] = 0;
  }
}

// Parents that all living families of a variable have; false if there is no such family.
bool common_parents(const FamilyLists& lists, std::size_t variable,
                    std::span<const std::uint8_t> alive, std::vector<std::int32_t>& common) {
  bool is_first = true;
  for (std::size_t f = lists.begin(variable); f < lists.end(variable); ++f) {
    if (alive[f] == 0) continue;
    const auto parents = lists.parents_of(f);
    if (is_first) {
      common.assign(parents.begin(), parents.end());
      is_first = false;
    } else {
      std::erase_if(common, [&](std::int32_t parent) {
        return std::ranges::find(parents, parent) == parents.end();
      });
    }
    if (common.empty()) return true;
  }
  return !is_first;
}

// Descendants of every variable by the arcs that are there, as bits.
class Descendants {
 public:
  explicit Descendants(std::size_t n) : n_(n), n_words_((n + 63) / 64), words_(n * n_words_) {}

  [[nodiscard]] bool has(std::size_t v, std::size_t descendant) const {
    return (words_[v * n_words_ + descendant / 64] >> (descendant % 64) & 1) != 0;
  }

  // Whether something is new.
  bool add(std::size_t parent, std::size_t child) {
    if (has(parent, child)) return false;
    for (std::size_t v = 0; v < n_; ++v) {
      if (v != parent && !has(v, parent)) continue;
      std::uint64_t* row = &words_[v * n_words_];
      const std::uint64_t* further = &words_[child * n_words_];
      for (std::size_t at = 0; at < n_words_; ++at) row[at] |= further[at];
      row[child / 64] |= std::uint64_t{1} << (child % 64);
    }
    return true;
  }

 private:
  std::size_t n_;
  std::size_t n_words_;
  std::vector<std::uint64_t> words_;
};

}  // namespace

bool propagate_arcs(const FamilyLists& lists, std::span<std::uint8_t> alive) {
  const std::size_t n = lists.n_variables();
  Descendants descendants(n);
  std::vector<std::int32_t> common;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (std::size_t v = 0; v < n; ++v) {
      if (!common_parents(lists, v, alive, common)) return false;
      for (const std::int32_t parent : common) {
        is_new = descendants.add(static_cast<std::size_t>(parent), v) || is_new;
      }
    }
    for (std::size_t v = 0; is_new && v < n; ++v) {
      for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
        if (alive[f] == 0) continue;
        const auto parents = lists.parents_of(f);
        if (std::ranges::any_of(parents, [&](std::int32_t parent) {
              return descendants.has(v, static_cast<std::size_t>(parent));
            })) {
          alive[f] = 0;
        }
      }
    }
  }
  return true;
}

std::vector<std::vector<std::int32_t>> living_components(const FamilyLists& lists,
                                                         std::span<const std::uint8_t> alive) {
  std::vector<std::int64_t> starts{0};
  std::vector<double> scores;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> parents;
  for (std::size_t v = 0; v < lists.n_variables(); ++v) {
    for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
      if (alive[f] == 0) continue;
      const auto several = lists.parents_of(f);
      scores.push_back(lists.scores[f]);
      parents.insert(parents.end(), several.begin(), several.end());
      offsets.push_back(static_cast<std::int64_t>(parents.size()));
    }
    starts.push_back(static_cast<std::int64_t>(scores.size()));
  }
  return strong_components({starts, scores, offsets, parents});
}

void restrict_pair(const FamilyLists& lists, std::int32_t first, std::int32_t second,
                   PairRelation relation, std::span<std::uint8_t> alive) {
  keep_families(lists, second, first, relation == PairRelation::kForward, alive);
  keep_families(lists, first, second, relation == PairRelation::kBackward, alive);
}

}  // namespace credenet
