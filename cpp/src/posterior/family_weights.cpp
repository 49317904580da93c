#include "credenet/posterior/family_weights.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace credenet {
namespace {

constexpr double kLongestSegment = 256;  // nats
constexpr double kNegligible = 0x1p-40;  // of a sum
constexpr std::size_t kBlock = 8;        // families between two looks at the tail

}  // namespace

double WeighedFamilies::log_sum() const {
  return empty() ? -std::numeric_limits<double>::infinity() : log_scale + std::log(sums.back());
}

std::size_t WeighedFamilies::draw(Random& random) const {
  assert(!empty());
  const double mark = random.uniform() * sums.back();
  const auto place = std::ranges::upper_bound(sums, mark);
  return static_cast<std::size_t>(std::min(place, sums.end() - 1) - sums.begin());
}

FamilyWeights::FamilyWeights(const FamilyLists& lists)
    : lists_(lists),
      n_words_((lists.n_variables() + 63) / 64),
      candidates_(lists.n_variables() * n_words_),
      required_at_(lists.n_variables() * lists.n_variables(), -1),
      weights_(lists.scores.size()),
      masks_(lists.scores.size() * n_words_),
      tails_(lists.scores.size()) {
  const std::size_t n = n_variables();
  std::vector<std::vector<std::uint32_t>> with(n);  // families that have each parent
  for (std::size_t v = 0; v < n; ++v) {
    weigh_all(v);
    for (std::size_t family = lists.begin(v); family < lists.end(v); ++family) {
      for (const std::int32_t parent : lists.parents_of(family)) {
        with[static_cast<std::size_t>(parent)].push_back(static_cast<std::uint32_t>(family));
      }
    }
    for (std::size_t parent = 0; parent < n; ++parent) {
      if (!with[parent].empty()) add_required(v, parent, with[parent]);
      with[parent].clear();
    }
  }
}

void FamilyWeights::weigh_all(std::size_t variable) {
  const std::size_t first_segment = segments_.size();
  for (std::size_t family = lists_.begin(variable); family < lists_.end(variable); ++family) {
    const double score = lists_.scores[family];
    if (segments_.size() == first_segment || score < segments_.back().log_scale - kLongestSegment) {
      segments_.push_back({family, family, score});
    }
    segments_.back().end = family + 1;
    weights_[family] = std::exp(score - segments_.back().log_scale);
    for (const std::int32_t parent : lists_.parents_of(family)) {
      masks_[family * n_words_ + static_cast<std::size_t>(parent) / 64] |= std::uint64_t{1}
                                                                           << (parent % 64);
    }
  }
  add_tails(first_segment, true);
  whole_.push_back({first_segment, segments_.size(), true});
}

// The segments are those of the whole list, whose weights are used.
void FamilyWeights::add_required(std::size_t variable, std::size_t parent,
                                 std::span<const std::uint32_t> families) {
  const std::size_t first_segment = segments_.size();
  std::size_t of_whole = whole_[variable].first_segment;
  for (const std::uint32_t family : families) {
    const std::size_t place = members_.size();
    const std::size_t before = of_whole;
    while (family >= segments_[of_whole].end) ++of_whole;
    if (segments_.size() == first_segment || of_whole != before) {
      segments_.push_back({place, place, segments_[of_whole].log_scale});
    }
    segments_.back().end = place + 1;
    members_.push_back(family);
  }
  member_tails_.resize(members_.size());
  add_tails(first_segment, false);
  candidates_[variable * n_words_ + parent / 64] |= std::uint64_t{1} << (parent % 64);
  required_at_[variable * n_variables() + parent] = static_cast<std::int32_t>(required_.size());
  required_.push_back({first_segment, segments_.size(), false});
}

void FamilyWeights::add_tails(std::size_t first_segment, bool is_whole) {
  double log_later = -std::numeric_limits<double>::infinity();  // of the segments behind
  for (std::size_t at = segments_.size(); at-- > first_segment;) {
    double tail = std::exp(log_later - segments_[at].log_scale);
    for (std::size_t place = segments_[at].end; place-- > segments_[at].begin;) {
      tail += weights_[is_whole ? place : members_[place]];
      (is_whole ? tails_ : member_tails_)[place] = tail;
    }
    log_later = segments_[at].log_scale + std::log(tail);
  }
}

FamilyWeights::List FamilyWeights::list_of(std::size_t variable, std::size_t required) const {
  if (required == kNone) return whole_[variable];
  const std::int32_t at = required_at_[variable * n_variables() + required];
  return at < 0 ? List{} : required_[static_cast<std::size_t>(at)];
}

// kWords is 0 where the number of words is known at run time only.
template <std::size_t kWords, bool kIsWhole, typename Visit>
double FamilyWeights::scan_words(const List& list, const std::uint64_t* blocked, double& log_scale,
                                 Visit&& visit) const {
  const std::size_t n_words = kWords == 0 ? n_words_ : kWords;
  const double* tails = kIsWhole ? tails_.data() : member_tails_.data();
  double sum = 0;
  for (std::size_t at = list.first_segment; at < list.last_segment; ++at) {
    const Segment& segment = segments_[at];
    if (sum == 0) log_scale = segment.log_scale;
    const double scale = std::exp(segment.log_scale - log_scale);
    for (std::size_t block = segment.begin; block < segment.end; block += kBlock) {
      if (tails[block] * scale <= kNegligible * sum) return sum;
      const std::size_t end = std::min(block + kBlock, segment.end);
      for (std::size_t place = block; place < end; ++place) {
        const std::size_t family = kIsWhole ? place : members_[place];
        const std::uint64_t* mask = masks_.data() + family * n_words;
        std::uint64_t overlap = 0;
        for (std::size_t word = 0; word < n_words; ++word) overlap |= mask[word] & blocked[word];
        if (overlap != 0) continue;
        sum += weights_[family] * scale;
        visit(family, sum);
      }
    }
  }
  return sum;
}

template <typename Visit>
double FamilyWeights::scan(const List& list, const std::uint64_t* blocked, double& log_scale,
                           Visit&& visit) const {
  const auto scan_as = [&]<std::size_t kWords>() {
    return list.is_whole ? scan_words<kWords, true>(list, blocked, log_scale, visit)
                         : scan_words<kWords, false>(list, blocked, log_scale, visit);
  };
  switch (n_words_) {
    case 1:
      return scan_as.template operator()<1>();
    case 2:
      return scan_as.template operator()<2>();
    case 4:
      return scan_as.template operator()<4>();
    default:
      return scan_as.template operator()<0>();
  }
}

double FamilyWeights::log_sum(std::size_t variable, std::span<const std::uint64_t> blocked,
                              std::size_t required) const {
  double log_scale = 0;
  const double sum =
      scan(list_of(variable, required), blocked.data(), log_scale, [](std::size_t, double) {});
  return log_scale + std::log(sum);
}

void FamilyWeights::weigh(std::size_t variable, std::span<const std::uint64_t> blocked,
                          std::size_t required, WeighedFamilies& found) const {
  found.families.clear();
  found.sums.clear();
  scan(list_of(variable, required), blocked.data(), found.log_scale,
       [&](std::size_t family, double sum) {
         found.families.push_back(static_cast<std::int64_t>(family));
         found.sums.push_back(sum);
       });
}

}  // namespace credenet
