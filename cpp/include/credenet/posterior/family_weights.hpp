#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "credenet/families/family_lists.hpp"
#include "credenet/posterior/scaled_table.hpp"
#include "credenet/util/random.hpp"

namespace credenet {

// Sums of the weights exp(score) of a variable's families whose parents avoid a set of blocked
// variables; in one kind of sum the parents include a required one, too.
//
// Each list is sorted by weight, and there is one more list for each required parent. A sum stops
// when all further families together weigh at most 2^-40 of it. Where few variables are blocked,
// that is soon. The families of a variable are compared with the blocked set in blocks, by vector
// instructions; lists for required parents are short. The weights of a list may span more than a
// double can hold, so they are kept in segments of at most 256 nats, each relative to its first
// weight.
class FamilyWeights {
 public:
  // The lists must outlive it.
  explicit FamilyWeights(const FamilyLists& lists);

  [[nodiscard]] const FamilyLists& lists() const { return lists_; }
  [[nodiscard]] std::size_t n_variables() const { return lists_.n_variables(); }
  // The words of a set of variables as bits.
  [[nodiscard]] std::size_t n_words() const { return n_words_; }
  // The variables that are in any of its families, as bits.
  [[nodiscard]] std::span<const std::uint64_t> candidates(std::size_t variable) const {
    return std::span(candidates_).subspan(variable * n_words_, n_words_);
  }
  // The approximate bytes of the weights.
  [[nodiscard]] static std::size_t bytes(const FamilyLists& lists);

  // Value of `required` if no parent is required.
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // The families of one sum, by the sum up to each block, which includes it, or up to each family
  // where a parent is required; relative to exp(log_scale). Nothing if there is no family.
  struct Weighed {
    std::size_t list = 0;
    std::vector<double> sums;
    double log_scale = 0;

    [[nodiscard]] bool empty() const { return sums.empty() || sums.back() == 0; }
    [[nodiscard]] double log_sum() const {
      return empty() ? -std::numeric_limits<double>::infinity() : log_scale + std::log(sums.back());
    }
  };

  // About how many steps a sum took; a step is the look at one family, about a nanosecond.
  [[nodiscard]] double steps(const Weighed& found) const;

  // The log of a sum of weights; minus infinity if there is no family.
  [[nodiscard]] double log_sum(std::size_t variable, std::span<const std::uint64_t> blocked,
                               std::size_t required = kNone) const;
  void weigh(std::size_t variable, std::span<const std::uint64_t> blocked, std::size_t required,
             Weighed& found) const;
  // Draws a family in proportion to the weights; blocked must be the same as before, and there must
  // be a family.
  [[nodiscard]] std::size_t draw(const Weighed& found, std::span<const std::uint64_t> blocked,
                                 Random& random) const;
  // Draws a family of a variable in proportion to the weights without adding all of them up: of the
  // families beyond the heaviest ones, any may be drawn and is drawn again if it does not fit.
  // Returns kNone if this could take long; n_steps grows by the steps that it took.
  [[nodiscard]] std::size_t draw_quickly(std::size_t variable,
                                         std::span<const std::uint64_t> blocked, double& n_steps,
                                         Random& random) const;
  // Calls visit(family, share) for each family and its share in the sum, where none is required.
  template <typename Visit>
  void for_each(const Weighed& found, std::span<const std::uint64_t> blocked, Visit&& visit) const;
  // Adds the shares, times a number, to sums that are in the order of the blocks; this is faster.
  void spread(const Weighed& found, std::span<const std::uint64_t> blocked, double number,
              std::span<double> sums) const;
  // The weights of a variable's families, added up by the groups of variables that their parents
  // touch, as bits; relative to its best family.
  struct Folded {
    std::size_t variable = 0;
    std::vector<Scaled> weights;
    // Groups that each family touches, in the order of the blocks.
    std::vector<std::uint16_t> touched;
  };
  // Most groups: bits of the type of Folded::touched.
  static constexpr std::size_t kMostGroups = 16;
  // The groups are rows of bits, one after the other.
  void fold(std::size_t variable, std::span<const std::uint64_t> groups, Folded& found) const;
  // Draws a family among those that touch some groups and no others; there must be one.
  [[nodiscard]] std::size_t draw(const Folded& found, std::uint32_t touched, Random& random) const;
  [[nodiscard]] std::size_t n_places() const { return weights_.size(); }
  // Writes numbers in the order of the blocks to the order of the lists.
  void to_families(std::span<const double> places, std::span<double> families) const;

 private:
  static constexpr std::size_t kBlock = 32;
  using Block = std::array<double, kBlock>;

  // Blocks of a variable's list, or places among the members of a list for a required parent.
  struct Segment {
    std::size_t begin = 0;
    std::size_t end = 0;
    double log_scale = 0;
  };
  struct List {
    std::size_t begin = 0;  // First segment.
    std::size_t end = 0;
  };

  void add_variable(std::size_t variable);
  void add_required(std::size_t variable, std::size_t parent,
                    std::span<const std::uint32_t> places);
  // The tails of a list, from the weight of each of its blocks or members.
  template <typename WeightOf>
  void find_tails(const List& list, std::vector<double>& tails, WeightOf&& weight_of) const;
  [[nodiscard]] std::size_t list_of(std::size_t variable, std::size_t required) const;
  // Adds up a list; the sums on the way are kept if there is a place for them.
  double add_up(std::size_t list, const std::uint64_t* blocked, double& log_scale,
                std::vector<double>* sums) const;
  std::size_t add_members(const Segment& segment, const std::uint64_t* blocked, double scale,
                          double& sum, double* sums) const;
  // The weight of the first family of a segment, relative to the best of its variable.
  [[nodiscard]] Scaled scale_of(const Segment& segment, std::size_t variable) const;
  [[nodiscard]] bool fits(std::size_t place, const std::uint64_t* blocked) const;
  // The number of blocks of a variable's list after which little weight is left.
  [[nodiscard]] std::size_t count_heavy_blocks(std::size_t variable) const;
  // Finds the family of a block at which the weights reach a mark.
  [[nodiscard]] std::size_t place_in(std::size_t block, const Block& weights, double mark) const;
  // The weights of the families of a block that fit, 0 for others.
  [[nodiscard]] Block fitting(std::size_t block, std::span<const std::uint64_t> blocked) const;
  // Calls visit(first block, number of blocks, scale) for the parts of a sum in each segment; with
  // the scale, weights become shares.
  template <typename Visit>
  void for_each_part(const Weighed& found, Visit&& visit) const;

  FamilyLists lists_;
  std::size_t n_words_;
  std::vector<std::uint64_t> candidates_;
  std::vector<std::size_t> n_heavy_;  // Blocks of each variable that hold most of the weight.
  // The lists of the variables, then an empty list, then the lists for required parents.
  std::vector<List> ranges_;
  std::vector<std::uint32_t> required_at_;  // List for a required parent, at variable * n + parent.
  std::vector<Segment> segments_;
  // Each block has its families, padded with weight 0; their weights; their parents as bits, word
  // by word; and the weight of the block with all after it in the list.
  std::vector<std::uint32_t> families_;
  std::vector<double> weights_;
  std::vector<std::uint64_t> masks_;
  std::vector<double> tails_;
  // Lists for required parents have places in the blocks, and the weight from each place on.
  std::vector<std::uint32_t> members_;
  std::vector<double> member_tails_;
};

template <typename Visit>
void FamilyWeights::for_each_part(const Weighed& found, Visit&& visit) const {
  if (found.empty()) return;
  std::size_t n_left = found.sums.size();
  for (std::size_t at = ranges_[found.list].begin; n_left > 0; ++at) {
    const Segment& segment = segments_[at];
    const std::size_t length = std::min(n_left, segment.end - segment.begin);
    // No family fits in the segments before that of the scale.
    if (segment.log_scale <= found.log_scale) {
      visit(segment.begin, length,
            std::exp(segment.log_scale - found.log_scale) / found.sums.back());
    }
    n_left -= length;
  }
}

template <typename Visit>
void FamilyWeights::for_each(const Weighed& found, std::span<const std::uint64_t> blocked,
                             Visit&& visit) const {
  for_each_part(found, [&](std::size_t first, std::size_t n_blocks, double scale) {
    for (std::size_t block = first; block < first + n_blocks; ++block) {
      const Block weights = fitting(block, blocked);
      for (std::size_t k = 0; k < kBlock; ++k) {
        if (weights[k] != 0) visit(families_[block * kBlock + k], weights[k] * scale);
      }
    }
  });
}

}  // namespace credenet
