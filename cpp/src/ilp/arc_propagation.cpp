#include "credenet/ilp/arc_propagation.hpp"

#include <algorithm>
#include <vector>

#include "credenet/lattice/component_lists.hpp"

namespace credenet {
namespace {

// Keeps the families of a child with a parent, or those without it. Returns whether a family was
// removed.
bool keep_families(const FamilyLists& lists, std::int32_t child, std::int32_t parent,
                   bool with_parent, std::span<std::uint8_t> alive) {
  const auto v = static_cast<std::size_t>(child);
  bool has_died = false;
  for (std::size_t f = lists.begin(v); f < lists.end(v); ++f) {
    if (alive[f] == 0) continue;
    const auto parents = lists.parents_of(f);
    if ((std::ranges::find(parents, parent) != parents.end()) == with_parent) continue;
    alive[f] = 0;
    has_died = true;
  }
  return has_died;
}

// Finds the parents that all remaining families of a variable have. False if none remains.
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

// Sets of variables, one for every variable, as bits.
class VariableSets {
 public:
  explicit VariableSets(std::size_t n) : n_words_((n + 63) / 64), words_(n * n_words_) {}

  [[nodiscard]] bool has(std::size_t v, std::size_t member) const {
    return (words_[v * n_words_ + member / 64] >> (member % 64) & 1) != 0;
  }
  void add(std::size_t v, std::size_t member) {
    words_[v * n_words_ + member / 64] |= std::uint64_t{1} << (member % 64);
  }
  // Adds the members of another set, of these sets or of others.
  void add_all(std::size_t v, const VariableSets& others, std::size_t of) {
    for (std::size_t at = 0; at < n_words_; ++at) {
      words_[v * n_words_ + at] |= others.words_[of * n_words_ + at];
    }
  }

 private:
  std::size_t n_words_;
  std::vector<std::uint64_t> words_;
};

class Propagation {
 public:
  Propagation(const FamilyLists& lists, const PairRules& rules, std::span<std::uint8_t> alive)
      : lists_(lists), rules_(rules), alive_(alive), n_(lists.n_variables()), descendants_(n_) {}

  bool run() {
    bool is_new = !rules_.not_ancestral.empty();
    for (const auto& [first, second] : rules_.ancestral) {
      is_new = add_path(place(first), place(second)) || is_new;
    }
    for (bool goes_on = true; goes_on; goes_on = is_new, is_new = false) {
      for (std::size_t v = 0; v < n_; ++v) {
        if (!common_parents(lists_, v, alive_, common_)) return false;
        for (const std::int32_t parent : common_) is_new = add_path(place(parent), v) || is_new;
      }
      if (is_new) take_forbidden();
      is_new = keep_adjacent() || is_new;
    }
    const auto has_path = [&](const PairRules::Pair& pair) {
      return descendants_.has(place(pair.first), place(pair.second));
    };
    return std::ranges::none_of(rules_.not_ancestral, has_path) &&
           std::ranges::all_of(rules_.ancestral,
                               [&](const PairRules::Pair& pair) { return can_lead(pair); });
  }

 private:
  static std::size_t place(std::int32_t variable) { return static_cast<std::size_t>(variable); }

  // Adds a path. Returns whether it is new.
  bool add_path(std::size_t tail, std::size_t head) {
    if (descendants_.has(tail, head)) return false;
    for (std::size_t v = 0; v < n_; ++v) {
      if (v != tail && !descendants_.has(v, tail)) continue;
      descendants_.add_all(v, descendants_, head);
      descendants_.add(v, head);
    }
    return true;
  }

  // Removes families with a parent that closes a cycle or makes a forbidden path.
  void take_forbidden() {
    VariableSets forbidden = descendants_;
    for (const auto& [first, second] : rules_.not_ancestral) {
      for (std::size_t v = 0; v < n_; ++v) {
        if (v != place(second) && !descendants_.has(v, place(second))) continue;
        forbidden.add_all(v, descendants_, place(first));
        forbidden.add(v, place(first));
      }
    }
    for (std::size_t v = 0; v < n_; ++v) {
      for (std::size_t f = lists_.begin(v); f < lists_.end(v); ++f) {
        if (alive_[f] == 0) continue;
        if (std::ranges::any_of(lists_.parents_of(f), [&](std::int32_t parent) {
              return forbidden.has(v, place(parent));
            })) {
          alive_[f] = 0;
        }
      }
    }
  }

  [[nodiscard]] bool may_have(std::int32_t child, std::int32_t parent) const {
    for (std::size_t f = lists_.begin(place(child)); f < lists_.end(place(child)); ++f) {
      const auto parents = lists_.parents_of(f);
      if (alive_[f] != 0 && std::ranges::find(parents, parent) != parents.end()) return true;
    }
    return false;
  }

  // Fixes the arc of an adjacent pair with one direction left. Returns whether a family was
  // removed.
  bool keep_adjacent() {
    bool is_new = false;
    for (const auto& [first, second] : rules_.adjacent) {
      const bool forward = may_have(second, first);
      if (forward && may_have(first, second)) continue;
      const std::int32_t child = forward ? second : first;
      const std::int32_t parent = forward ? first : second;
      is_new = keep_families(lists_, child, parent, true, alive_) || is_new;
    }
    return is_new;
  }

  // Whether remaining families can make a path from the first to the second.
  [[nodiscard]] bool can_lead(const PairRules::Pair& pair) const {
    std::vector<std::uint8_t> is_found(n_, 0);
    std::vector<std::size_t> waiting{place(pair.second)};
    is_found[waiting.back()] = 1;
    while (!waiting.empty()) {
      const std::size_t v = waiting.back();
      waiting.pop_back();
      for (std::size_t f = lists_.begin(v); f < lists_.end(v); ++f) {
        if (alive_[f] == 0) continue;
        for (const std::int32_t parent : lists_.parents_of(f)) {
          if (is_found[place(parent)] != 0) continue;
          is_found[place(parent)] = 1;
          waiting.push_back(place(parent));
        }
      }
    }
    return is_found[place(pair.first)] != 0;
  }

  const FamilyLists& lists_;
  const PairRules& rules_;
  std::span<std::uint8_t> alive_;
  std::size_t n_;
  VariableSets descendants_;  // Descendants by certain arcs and paths.
  std::vector<std::int32_t> common_;
};

}  // namespace

bool propagate_arcs(const FamilyLists& lists, const PairRules& rules,
                    std::span<std::uint8_t> alive) {
  return Propagation(lists, rules, alive).run();
}

std::vector<std::vector<std::int32_t>> remaining_components(const FamilyLists& lists,
                                                            std::span<const std::uint8_t> alive) {
  std::vector<std::size_t> living;
  for (std::size_t family = 0; family < lists.scores.size(); ++family) {
    if (alive[family] != 0) living.push_back(family);
  }
  return strong_components(lists, living);
}

void restrict_pair(const FamilyLists& lists, std::int32_t first, std::int32_t second,
                   PairRelation relation, std::span<std::uint8_t> alive) {
  keep_families(lists, second, first, relation == PairRelation::kForward, alive);
  keep_families(lists, first, second, relation == PairRelation::kBackward, alive);
}

}  // namespace credenet
