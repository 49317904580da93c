#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Families with their weights, added up one after the other: the sum up to each, which includes it.
// Weights are relative to exp(log_scale).
struct WeighedFamilies {
  std::vector<std::int64_t> families;
  std::vector<double> sums;
  double log_scale = 0;

  [[nodiscard]] bool empty() const { return families.empty(); }
  [[nodiscard]] double log_sum() const;
  // The place of a family drawn in proportion to the weights.
  [[nodiscard]] std::size_t draw(Random& random) const;
  // The share of the family at a place in the sum.
  [[nodiscard]] double share(std::size_t place) const {
    return (sums[place] - (place == 0 ? 0.0 : sums[place - 1])) / sums.back();
  }
};

// Sums of the weights exp(score) of a variable's families whose parents avoid a set of blocked
// variables; in one kind of sum the parents include a required one, too.
//
// Each list is sorted by weight, and there is one more list for each required parent. A sum stops
// when all further families together weigh at most 2^-40 of it. Where few variables are blocked,
// that is soon. The weights of a list may span more than a double can hold, so they are kept in
// segments of at most 256 nats, each relative to its first weight.
class FamilyWeights {
 public:
  explicit FamilyWeights(const FamilyLists& lists);

  [[nodiscard]] const FamilyLists& lists() const { return lists_; }
  [[nodiscard]] std::size_t n_variables() const { return lists_.n_variables(); }
  // Of a set of variables as bits.
  [[nodiscard]] std::size_t n_words() const { return n_words_; }
  // The variables that are in any of its families, as bits.
  [[nodiscard]] std::span<const std::uint64_t> candidates(std::size_t variable) const {
    return std::span(candidates_).subspan(variable * n_words_, n_words_);
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);  // required

  // Minus infinity if there is no family.
  [[nodiscard]] double log_sum(std::size_t variable, std::span<const std::uint64_t> blocked,
                               std::size_t required = kNone) const;
  void weigh(std::size_t variable, std::span<const std::uint64_t> blocked, std::size_t required,
             WeighedFamilies& found) const;

 private:
  // A part of a list: places begin to end of its families and tails.
  struct Segment {
    std::size_t begin = 0;
    std::size_t end = 0;
    double log_scale = 0;
  };
  struct List {
    std::size_t first_segment = 0;
    std::size_t last_segment = 0;
    bool is_whole = true;  // the families of a variable, at their own places
  };

  void weigh_all(std::size_t variable);
  void add_required(std::size_t variable, std::size_t parent,
                    std::span<const std::uint32_t> families);
  void add_tails(std::size_t first_segment, bool is_whole);
  [[nodiscard]] List list_of(std::size_t variable, std::size_t required) const;
  template <typename Visit>
  double scan(const List& list, const std::uint64_t* blocked, double& log_scale,
              Visit&& visit) const;
  template <std::size_t kWords, bool kIsWhole, typename Visit>
  double scan_words(const List& list, const std::uint64_t* blocked, double& log_scale,
                    Visit&& visit) const;

  FamilyLists lists_;
  std::size_t n_words_;
  std::vector<std::uint64_t> candidates_;
  std::vector<List> whole_;                // of each variable
  std::vector<List> required_;             // for each candidate parent of each variable
  std::vector<std::int32_t> required_at_;  // at variable * n + parent: the place there, or -1
  std::vector<Segment> segments_;
  // Of each family: its weight, its parents as bits, and its weight with all that come after it in
  // the list of the variable.
  std::vector<double> weights_;
  std::vector<std::uint64_t> masks_;
  std::vector<double> tails_;
  // The families of the lists for required parents, and the tails there.
  std::vector<std::uint32_t> members_;
  std::vector<double> member_tails_;
};

}  // namespace credenet
