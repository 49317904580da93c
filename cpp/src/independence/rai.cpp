// Recursive autonomy identification (Yehezkel and Lerner 2009). Edges are tested with conditioning
// sets of growing size; after every order edges are directed and the graph is split into a part
// that no edge leaves and the connected pieces of the rest, so that higher orders are tested with
// potential parents only. A piece asks nothing of its sister pieces' outcome, so that instead of
// going down piece by piece all pieces of an order are gone through together: first the edges
// between pieces (B in the paper), then those within (C), then edges are directed and pieces split.
//
// What is directed while edges are still missing from the list of those removed must not depend on
// them being real. The corrected variant directs x -> y only in the sense that y is no ancestor of
// x, which with true answers holds whether or not x - y is an edge in the end:
//   collider  x _|_ y | S, z not in S, z depends on x given S and on y given S: z is an ancestor of
//             neither, nor of S (an open path from x to z could be continued to y). Where a pool of
//             an end of x - z does not contain S, that test has not been made and is made now.
//   R1        w -> x, x in the minimal set S that separates w and y: x is an ancestor of w or y,
//             not of w, so of y; x -> y, and x is known to be an ancestor of y.
//   R2        x -> w -> y, x - y, one of the two arcs known to be ancestral: x -> y.
//   R3        v -> y <- w, x - y, x in the minimal set that separates v and w: x is an ancestor of
//             v or w, of which y is none, so x -> y.
// Sets are minimal since pools only shrink: all smaller sets were tried before. A pool thus always
// holds the true parents, and as the parents of an end that is no ancestor of the other separate
// the two, the skeleton is right when the answers are. The skeleton is directed anew in the end.
//
// The published variant directs edges between (B) and (C) too, takes the rules for granted, and
// keeps its directions.
#include "credenet/independence/rai.hpp"

#include <algorithm>
#include <chrono>

#include "credenet/graphs/cpdag.hpp"
#include "credenet/graphs/extension.hpp"
#include "credenet/graphs/meek.hpp"
#include "credenet/independence/pieces.hpp"
#include "credenet/independence/question_round.hpp"
#include "credenet/independence/thinning.hpp"
#include "credenet/util/moment.hpp"
#include "credenet/util/polled_sort.hpp"

namespace credenet {
namespace {

class Rai {
 public:
  Rai(Judge& judge, std::span<const std::array<Node, 2>> start, const ArcRules& rules,
      const RaiOptions& options, Control& control)
      : n_(judge.n_variables()),
        rules_(rules),
        options_(options),
        control_(control),
        graph_(judge, options.settles_ambiguity, control),
        heads_(n_),
        ancestral_(n_),
        piece_(n_, 0) {
    for (const auto& [a, b] : start) {
      if (rules.may_join(a, b)) join(a, b);
    }
    for (Node a = 0; a < node_end(); ++a) {
      for (Node b = a + 1; b < node_end(); ++b) {
        if (rules.must_join(a, b)) join(a, b);
        if (!rules.may_join(a, b)) apart_.push_back({a, b});
      }
    }
    direct_by_rules();
  }

  TestedGraph run() {
    TestedGraph result;
    bool complete = thin_all();
    result.counts = graph_.counts();
    result.counts.seconds = std::move(seconds_);
    const auto start = Clock::now();
    result.graph = final_graph(complete);
    result.status = ended(complete && result.graph.complete);
    result.counts.orientation_seconds = seconds_since(start);
    for (Node a = 0; complete && a < node_end(); ++a) {
      graph_.adjacent.for_each(a, [&](Node b) {
        if (a > b || !graph_.weakest().find(a, b)) return;
        const std::span<const Node> given = graph_.weakest().find(a, b).value();
        result.weakest.push_back(
            {a, b, {given.begin(), given.end()}, graph_.weakest().association(a, b)});
      });
    }
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Triple = std::array<Node, 3>;  // One end, the middle, the other end.
  // Most triples of an end and a middle that the corrected variant takes.
  static constexpr std::size_t kMostTriples = 4;
  // Triples whose questions are asked at once.
  static constexpr std::size_t kTriplesAtOnce = std::size_t{1} << 18;

  [[nodiscard]] static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  [[nodiscard]] Node node_end() const { return static_cast<Node>(n_); }
  [[nodiscard]] bool corrected() const { return options_.variant == RaiVariant::kCorrected; }

  void join(Node a, Node b) {
    graph_.adjacent.insert(a, b);
    graph_.adjacent.insert(b, a);
    if (rules_.allows(a, b)) graph_.pools.insert(b, a);
    if (rules_.allows(b, a)) graph_.pools.insert(a, b);
  }

  // Directs edges by the rules: y is no ancestor of x if no path of allowed arcs leads there.
  void direct_by_rules() {
    NodeBits reached(n_);
    bool all_allowed = true;
    for (Node a = 0; a < node_end(); ++a) {
      for (Node b = 0; b < node_end(); ++b) {
        if (a == b) continue;
        all_allowed = all_allowed && rules_.allows(a, b);
        if (rules_.allows(a, b)) reached.insert(a, b);
      }
    }
    if (all_allowed) return;
    for (Node middle = 0; middle < node_end(); ++middle) {
      for (Node a = 0; a < node_end(); ++a) {
        if (!reached.contains(a, middle)) continue;
        const auto from = reached.row(middle);
        const auto to = reached.row(a);
        for (std::size_t at = 0; at < to.size(); ++at) to[at] |= from[at];
      }
    }
    for (Node a = 0; a < node_end(); ++a) {
      graph_.adjacent.for_each(a, [&](Node b) {
        if (rules_.requires_arc(a, b)) {
          point(a, b, true);
        } else if (!reached.contains(b, a)) {
          point(a, b, false);
        }
      });
    }
    settle();
  }

  [[nodiscard]] bool points(Node tail, Node head) const { return heads_.contains(tail, head); }
  [[nodiscard]] bool is_open(Node a, Node b) const {
    return graph_.adjacent.contains(a, b) && !points(a, b) && !points(b, a);
  }

  // Directs an edge that is not directed yet.
  bool point(Node tail, Node head, bool ancestral) {
    if (!is_open(tail, head) || !rules_.allows(tail, head)) return false;
    heads_.insert(tail, head);
    if (ancestral) ancestral_.insert(tail, head);
    graph_.pools.erase(tail, head);
    pending_.push_back({tail, head});
    return true;
  }

  bool thin_all() {
    for (std::size_t order = 0; order <= options_.max_order; ++order) {
      if (!has_sets(order)) return true;
      if (options_.on_order) options_.on_order(order);
      const auto start = Clock::now();
      const bool complete = thin_order(order);
      seconds_.push_back(seconds_since(start));
      if (!complete) return false;
      split_pieces(graph_.adjacent, [&](Node from, Node to) { return leads(from, to); }, piece_);
    }
    return true;
  }

  bool thin_order(std::size_t order) {
    std::vector<TestedPair> removed;
    if (!graph_.thin(pairs(true), order, removed)) return false;
    if (!corrected()) {
      if (!direct(removed)) return false;
      removed.clear();
    }
    return graph_.thin(pairs(false), order, removed) && direct(removed);
  }

  // Whether a pair has sets of a size left to try.
  [[nodiscard]] bool has_sets(std::size_t order) const {
    const auto has = [&](Node owner, Node other) {
      const std::size_t itself = graph_.pools.contains(owner, other) ? 1 : 0;
      return graph_.pools.count(owner) >= order + itself;
    };
    for (const bool between : {true, false}) {
      for (const TestedPair& pair : pairs(between)) {
        if ((pair.from_x && has(pair.x, pair.y)) || (pair.from_y && has(pair.y, pair.x))) {
          return true;
        }
      }
    }
    return false;
  }

  // The edges between pieces, or those within pieces.
  [[nodiscard]] std::vector<TestedPair> pairs(bool between) const {
    std::vector<TestedPair> found;
    for (Node y = 0; y < node_end(); ++y) {
      graph_.adjacent.for_each(y, [&](Node x) {
        if (x > y || (piece_[x] != piece_[y]) != between || rules_.must_join(x, y)) return;
        found.push_back({x, y, !points(x, y), !points(y, x)});
      });
    }
    if (between) return found;
    for (const auto& [x, y] : apart_) {
      if (!separating().find(x, y)) found.push_back({x, y, true, true});
    }
    return found;
  }

  // Directs edges after others have been removed.
  bool direct(const std::vector<TestedPair>& removed) {
    NodeBits parted(n_);
    for (const TestedPair& pair : removed) {
      parted.insert(pair.x, pair.y);
      parted.insert(pair.y, pair.x);
      for (NodeBits* marks : {&heads_, &ancestral_}) {
        marks->erase(pair.x, pair.y);
        marks->erase(pair.y, pair.x);
      }
    }
    std::vector<Triple> colliders = possible_colliders(parted);
    if (!control_.poll({}) || (corrected() && !confirm(colliders))) return false;
    for (const auto& [a, child, b] : colliders) {
      if (points(child, a) || points(child, b)) continue;
      point(a, child, false);
      point(b, child, false);
    }
    for (const TestedPair& pair : removed) {
      const std::span<const Node> given = separating().find(pair.x, pair.y).value();
      for (const Node member : given) {
        apply_first_rule(pair.x, member, pair.y);
        apply_first_rule(pair.y, member, pair.x);
        NodeBits::for_each_common(heads_.row(pair.x), heads_.row(pair.y),
                                  [&](Node child) { point(member, child, false); });
      }
    }
    return settle();
  }

  // Triples with ends that were parted by a set without the middle; the strongest edges first. Of
  // those that would direct an edge the corrected variant takes the few with the strongest other
  // edge: more would be tested in vain, and one that passes is enough.
  [[nodiscard]] std::vector<Triple> possible_colliders(const NodeBits& parted) const {
    const std::size_t most = corrected() ? kMostTriples : n_;
    // Triples with minus the association of their weaker edge.
    std::vector<std::pair<float, Triple>> ranked;
    std::vector<Node> ends;
    Progress progress;  // Progress in ends of edges.
    for (Node node = 0; node < node_end(); ++node) progress.total += graph_.adjacent.count(node);
    for (Node child = 0; child < node_end(); ++child) {
      ends.clear();
      graph_.adjacent.for_each(child, [&](Node end) {
        if (!points(child, end)) ends.push_back(end);
      });
      const auto strength = [&](Node end) { return graph_.marginal(end, child); };
      std::ranges::stable_sort(ends, std::ranges::greater{}, strength);
      for (const Node a : ends) {
        ++progress.done;
        if (!control_.poll(progress)) return {};
        std::size_t n_found = 0;
        for (const Node b : ends) {
          if (n_found == most) break;
          if (b == a && !corrected()) break;  // The other triples come with the roles exchanged.
          if (!parted.contains(a, b) || separating().separates(a, b, child)) continue;
          if (points(a, child) && points(b, child)) continue;
          const float weaker = std::min(strength(a), strength(b));
          ranked.push_back({-weaker, {std::min(a, b), child, std::max(a, b)}});
          ++n_found;
        }
      }
    }
    if (!polled_sort(ranked, progress, control_)) return {};
    ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
    std::vector<Triple> found;
    found.reserve(ranked.size());
    for (const auto& [strength_of, triple] : ranked) found.push_back(triple);
    return found;
  }

  [[nodiscard]] const SeparatingSets& separating() const { return graph_.separating(); }

  [[nodiscard]] std::vector<Node> separating_set(Node a, Node b) const {
    const std::span<const Node> given = separating().find(a, b).value();
    return {given.begin(), given.end()};
  }

  [[nodiscard]] std::vector<Node> set_with(Node a, Node b, Node member) const {
    std::vector<Node> given = separating_set(a, b);
    given.insert(std::ranges::upper_bound(given, member), member);
    return given;
  }

  // Keeps the colliders whose ends depend on each other given the middle and the set that separates
  // them, and whose middle depends on both given that set.
  bool confirm(std::vector<Triple>& colliders) {
    const auto list_ends = [&](const Triple& triple, QuestionRound& round) {
      const auto [a, child, b] = triple;
      round.add(a, b, set_with(a, b, child));
    };
    const auto list_edges = [&](const Triple& triple, QuestionRound& round) {
      const auto [a, child, b] = triple;
      const std::vector<Node> given = separating_set(a, b);
      for (const Node end : {a, b}) {
        if (!was_tried(end, child, given) && !was_tried(child, end, given)) {
          round.add(end, child, given);
        }
      }
    };
    return keep_dependent(colliders, list_ends) && keep_dependent(colliders, list_edges);
  }

  // Asks questions that count as tests. False if it was stopped.
  bool ask(QuestionRound& round) {
    return round.ask([&](std::span<const Question> questions, std::span<Answer> answers) {
      return graph_.ask(questions, answers);
    });
  }

  // Drops the triples for which a listed question is answered with independence. Questions are
  // asked for a block of triples at a time, which bounds the memory that they take.
  template <typename List>
  bool keep_dependent(std::vector<Triple>& triples, const List& list) {
    std::size_t kept = 0;
    for (std::size_t begin = 0; begin < triples.size(); begin += kTriplesAtOnce) {
      const std::size_t end = std::min(begin + kTriplesAtOnce, triples.size());
      QuestionRound round;
      std::vector<std::size_t> ends;  // End of the questions of each triple.
      for (std::size_t place = begin; place < end; ++place) {
        list(triples[place], round);
        ends.push_back(round.size());
      }
      if (!ask(round)) return false;
      std::size_t at = 0;
      for (std::size_t place = begin; place < end; ++place) {
        bool dependent = true;
        for (; at < ends[place - begin]; ++at)
          dependent = dependent && !round.answer(at).independent;
        if (dependent) triples[kept++] = triples[place];
      }
    }
    triples.resize(kept);
    return true;
  }

  // Whether a set, from the pool of the first end, is known not to separate an edge that stands.
  [[nodiscard]] bool was_tried(Node owner, Node other, std::span<const Node> given) const {
    return !options_.settles_ambiguity && !points(owner, other) &&
           std::ranges::all_of(given,
                               [&](Node node) { return graph_.pools.contains(owner, node); });
  }

  // The first rule directs x - y in w -> x - y.
  void apply_first_rule(Node w, Node x, Node y) {
    if (!points(w, x) || graph_.adjacent.contains(w, y) || !is_open(x, y)) return;
    if (!corrected() || separating().separates(w, y, x)) point(x, y, true);
  }

  // The second rule directs x - y in x -> w -> y.
  void apply_second_rule(Node x, Node w, Node y) {
    const bool first = ancestral_.contains(x, w);
    const bool second = ancestral_.contains(w, y);
    if (!corrected() || first || second) point(x, y, first && second);
  }

  // Applies the rules to the edges directed since the last time. False if it was stopped.
  bool settle() {
    for (std::size_t next = 0; next < pending_.size(); ++next) {
      if (!control_.poll({.done = next, .total = pending_.size()})) return false;
      const Node a = pending_[next][0];
      const Node b = pending_[next][1];
      if (!graph_.adjacent.contains(a, b)) continue;
      graph_.adjacent.for_each(b, [&](Node y) { apply_first_rule(a, b, y); });
      NodeBits::for_each_common(heads_.row(b), graph_.adjacent.row(a), [&](Node y) {
        if (graph_.adjacent.contains(b, y)) apply_second_rule(a, b, y);
      });
      graph_.adjacent.for_each(a, [&](Node x) {
        if (points(x, a) && is_open(x, b)) apply_second_rule(x, a, b);
      });
      graph_.adjacent.for_each(b, [&](Node w) {
        if (w == a || !points(w, b) || graph_.adjacent.contains(a, w)) return;
        const auto given = separating().find(a, w);
        if (!given) return;
        for (const Node member : *given) point(member, b, false);
      });
    }
    pending_.clear();
    return true;
  }

  // Whether an edge leads from one node to another or may do so.
  [[nodiscard]] bool leads(Node from, Node to) const {
    return graph_.adjacent.contains(from, to) && !points(to, from) && rules_.allows(from, to);
  }

  // Directs the skeleton anew. It is no longer complete if that is stopped.
  [[nodiscard]] Orientation final_graph(bool& complete) {
    std::vector<std::array<Node, 2>> edges;
    std::vector<Node> tails;
    std::vector<Node> heads;
    for (Node a = 0; a < node_end(); ++a) {
      graph_.adjacent.for_each(a, [&](Node b) {
        if (a > b) return;
        edges.push_back({a, b});
        tails.push_back(a);
        heads.push_back(b);
      });
    }
    const Adjacency skeleton = Adjacency::symmetric(n_, std::array{Edges{tails, heads}});
    if (!corrected() && complete) return as_directed(edges, skeleton);
    Moment moment(control_);
    std::vector<Collider> colliders = listed_colliders(skeleton, separating(), moment);
    complete = complete && keep_activated(colliders);
    return orient_skeleton(n_, edges, std::move(colliders), rules_, moment);
  }

  // Keeps the colliders whose middle makes their ends dependent; the stronger the dependence, the
  // surer the collider.
  [[nodiscard]] bool keep_activated(std::vector<Collider>& colliders) {
    QuestionRound round;
    for (const auto& [a, child, b, association] : colliders) {
      round.add(a, b, set_with(a, b, child));
    }
    if (!ask(round)) return false;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < colliders.size(); ++at) {
      if (round.answer(at).independent) continue;
      colliders[kept] = colliders[at];
      colliders[kept++].association = -round.answer(at).association;
    }
    colliders.resize(kept);
    return true;
  }

  // The edges as they were directed on the way. If no DAG has these directions without other
  // colliders, the edges are directed by the colliders among them.
  [[nodiscard]] Orientation as_directed(std::span<const std::array<Node, 2>> edges,
                                        const Adjacency& skeleton) {
    std::vector<Node> from;
    std::vector<Node> to;
    std::vector<Node> others_from;
    std::vector<Node> others_to;
    for (const auto& [a, b] : edges) {
      const bool forwards = points(a, b) || (!points(b, a) && !rules_.allows(b, a));
      const bool backwards = points(b, a) || (!points(a, b) && !rules_.allows(a, b));
      (forwards || backwards ? from : others_from).push_back(backwards ? b : a);
      (forwards || backwards ? to : others_to).push_back(backwards ? a : b);
    }
    MixedGraph graph(n_, {from, to}, {others_from, others_to});
    close_under_meek(graph);
    if (!extension_order(graph)) {
      std::vector<Collider> colliders;
      for (const auto& [a, child, b] : unshielded_colliders(Adjacency(n_, to, from), skeleton)) {
        colliders.push_back({a, child, b, separating().association(a, b)});
      }
      return orient_skeleton(n_, edges, std::move(colliders), rules_, control_);
    }
    Orientation found;
    for (Node node = 0; node < node_end(); ++node) {
      for (const Node head : graph.marked(node, MixedGraph::Mark::kOut)) {
        found.directed.push_back({node, head});
      }
      for (const Node other : graph.marked(node, MixedGraph::Mark::kUndirected)) {
        if (node < other) found.undirected.push_back({node, other});
      }
    }
    return found;
  }

  std::size_t n_;
  const ArcRules& rules_;
  RaiOptions options_;
  Control& control_;
  Thinning graph_;
  NodeBits heads_;      // Holds y in row x for x -> y.
  NodeBits ancestral_;  // Holds y in row x for x -> y if x is known to be an ancestor of y.
  // Pairs that the rules separate; they are tested for separating sets.
  std::vector<std::array<Node, 2>> apart_;
  std::vector<std::array<Node, 2>> pending_;
  std::vector<std::size_t> piece_;  // Number of the piece of each node.
  std::vector<double> seconds_;
};

}  // namespace

TestedGraph rai(Judge& judge, std::span<const std::array<Node, 2>> start, const ArcRules& rules,
                const RaiOptions& options, Control& control) {
  return Rai(judge, start, rules, options, control).run();
}

}  // namespace credenet
