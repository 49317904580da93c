#include "credenet/independence/thinning.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace credenet {
namespace {

constexpr std::size_t kMostQuestions = std::size_t{1} << 20;  // Questions of a round at most.
// Most members of all pools that are visited at a time.
constexpr std::size_t kMostMembers = std::size_t{1} << 25;

// The value as a number of 32 bits that is smaller for a larger value. Both zeros give the same
// number.
std::uint64_t descending(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0F);
  return (bits >> 31U) != 0 ? bits : ~bits & 0x7FFFFFFFU;
}

}  // namespace

std::size_t Thinning::pair_place(Node x, Node y) {
  const auto high = static_cast<std::size_t>(std::max(x, y));
  return high * (high - 1) / 2 + static_cast<std::size_t>(std::min(x, y));
}

Thinning::Thinning(Judge& judge, bool settles_ambiguity, Control& control)
    : adjacent(judge.n_variables()),
      pools(judge.n_variables()),
      judge_(judge),
      settles_ambiguity_(settles_ambiguity),
      control_(control),
      separating_(judge.n_variables()),
      ambiguity_(separating_),
      weakest_(judge.n_variables()) {
  const std::size_t n = judge.n_variables();
  const std::size_t n_pairs = n < 2 ? 0 : n * (n - 1) / 2;
  marginal_.assign(n_pairs, 0);
}

void Thinning::remove(Node x, Node y) {
  adjacent.erase(x, y);
  adjacent.erase(y, x);
  pools.erase(x, y);
  pools.erase(y, x);
}

void Thinning::read_round(std::span<Walk> walks) {
  for (std::size_t place = 0; place < walks.size(); ++place) {
    Walk& walk = walks[place];
    const std::size_t end = walk.first_question + walk.n_questions;
    for (std::size_t at = walk.first_question; at < end && !walk.is_separated; ++at) {
      read(walk, place, questions_[at], answers_[at]);
    }
  }
  for (const std::size_t place : ambiguity_.settle()) walks[place].is_separated = true;
}

void Thinning::read(Walk& walk, std::size_t place, const Question& question, const Answer& answer) {
  const TestedPair& pair = walk.pair;
  const std::size_t order = question.given.size();
  if (counts_.tests.size() <= order) {
    counts_.tests.resize(order + 1, 0);
    counts_.refused.resize(order + 1, 0);
  }
  ++counts_.tests[order];
  counts_.refused[order] += answer.refused ? 1 : 0;
  if (order == 0) marginal_[pair_place(pair.x, pair.y)] = static_cast<float>(answer.association);
  if (answer.independent && settles_ambiguity_ && order > 0) {
    ambiguity_.add(place, pair.x, pair.y, question.given, answer.association,
                   marginal(pair.x, pair.y));
  } else if (answer.independent) {
    walk.is_separated = true;
    separating_.record(pair.x, pair.y, question.given, answer.association);
  } else if (!answer.refused && (!weakest_.find(pair.x, pair.y) ||
                                 answer.association < weakest_.association(pair.x, pair.y))) {
    weakest_.record(pair.x, pair.y, question.given, answer.association);
  }
}

Thinning::Walk Thinning::begin(const TestedPair& pair, std::size_t order) {
  Walk walk{.pair = pair, .members = {}, .sets = SubsetWalk(0, order)};
  walk.is_second_side = !pair.from_y;
  open_side(walk, order);
  return walk;
}

void Thinning::open_side(Walk& walk, std::size_t order) {
  const Node owner = walk.is_second_side ? walk.pair.x : walk.pair.y;
  const Node other = walk.is_second_side ? walk.pair.y : walk.pair.x;
  walk.members.clear();
  if (order > 0) {
    ranked_.clear();
    pools.for_each(owner, [&](Node node) {
      if (node == other) return;
      const float strength =
          std::min(marginal_[pair_place(node, owner)], marginal_[pair_place(node, other)]);
      ranked_.push_back(descending(strength) << 32U | static_cast<std::uint32_t>(node));
    });
    std::ranges::sort(ranked_);
    for (const std::uint64_t rank : ranked_) {
      walk.members.push_back(static_cast<Node>(rank & 0xFFFFFFFFU));
    }
  }
  walk.sets = SubsetWalk(walk.members.size(), order);
}

void Thinning::propose(Walk& walk, std::size_t order, std::size_t most) {
  walk.first_question = questions_.size();
  const std::size_t wanted = std::min(1 + walk.n_asked / 4, most);
  while (questions_.size() - walk.first_question < wanted) {
    if (walk.sets.is_over()) {
      if (walk.is_second_side || !walk.pair.from_x) break;
      walk.is_second_side = true;
      open_side(walk, order);
      continue;
    }
    const Node owner = walk.is_second_side ? walk.pair.x : walk.pair.y;
    const Node other = walk.is_second_side ? walk.pair.y : walk.pair.x;
    const auto places = walk.sets.places();
    const auto gone = std::ranges::find_if(
        places, [&](std::uint32_t at) { return !pools.contains(owner, walk.members[at]); });
    if (gone != places.end()) {
      walk.sets.skip(static_cast<std::size_t>(gone - places.begin()));
      continue;
    }
    // Sets within both pools were tried from the first side.
    const bool is_new = !walk.is_second_side || !walk.pair.from_y ||
                        std::ranges::any_of(places, [&](std::uint32_t at) {
                          return !pools.contains(other, walk.members[at]);
                        });
    if (is_new) {
      const std::size_t begin = members_.size();
      for (const std::uint32_t at : places) members_.push_back(walk.members[at]);
      std::sort(members_.begin() + static_cast<std::ptrdiff_t>(begin), members_.end());
      questions_.push_back({walk.pair.x, walk.pair.y, {}});
    }
    walk.sets.advance();
  }
  walk.n_questions = questions_.size() - walk.first_question;
  walk.n_asked += walk.n_questions;
}

bool Thinning::ask_round(std::span<Walk> walks, std::size_t order) {
  questions_.clear();
  members_.clear();
  const std::size_t most = std::max<std::size_t>(kMostQuestions / walks.size(), 1);
  for (std::size_t at = 0; at < walks.size(); ++at) {
    if (!control_.poll({.done = at, .total = walks.size()})) return false;
    propose(walks[at], order, most);
  }
  for (std::size_t at = 0; at < questions_.size(); ++at) {
    questions_[at].given = std::span(members_).subspan(at * order, order);
  }
  answers_.resize(questions_.size());
  return questions_.empty() || judge_.answer(questions_, answers_, control_);
}

bool Thinning::thin_part(std::span<const TestedPair> pairs, std::size_t order,
                         std::vector<TestedPair>& removed) {
  std::vector<Walk> walks;
  walks.reserve(pairs.size());
  for (const TestedPair& pair : pairs) {
    if (!control_.poll({.done = walks.size(), .total = pairs.size()})) return false;
    walks.push_back(begin(pair, order));
  }
  std::vector<Walk> standing;
  while (!walks.empty()) {
    if (!ask_round(walks, order)) return false;
    read_round(walks);
    for (Walk& walk : walks) {
      if (walk.is_separated) {
        remove(walk.pair.x, walk.pair.y);
        removed.push_back(walk.pair);
      } else if (walk.n_questions > 0) {
        standing.push_back(std::move(walk));
      }
    }
    walks.swap(standing);
    standing.clear();
  }
  return true;
}

bool Thinning::thin(std::span<const TestedPair> pairs, std::size_t order,
                    std::vector<TestedPair>& removed) {
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::size_t n_members = 0;
    std::size_t end = begin;
    while (end < pairs.size() && end - begin < kMostQuestions && n_members < kMostMembers) {
      n_members += order == 0 ? 0 : adjacent.count(pairs[end].x) + adjacent.count(pairs[end].y);
      ++end;
    }
    if (!thin_part(pairs.subspan(begin, end - begin), order, removed)) return false;
    begin = end;
  }
  return true;
}

bool Thinning::ask(std::span<const Question> questions, std::span<Answer> answers) {
  return questions.empty() || judge_.answer(questions, answers, control_);
}

}  // namespace credenet
