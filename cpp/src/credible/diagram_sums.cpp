#include "credenet/credible/diagram_sums.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "credenet/util/weighted_choice.hpp"

namespace credenet {
namespace {

constexpr std::int64_t kUnused = std::numeric_limits<std::int64_t>::min();
constexpr std::size_t kMostOfNode = 4096;  // Most different deviations of a node with a list.
constexpr std::size_t kMostOfHalf = std::size_t{1} << 24;  // As much for half of an end's nodes.
constexpr std::size_t kSumBytes = 32;      // Bytes of a deviation with number and weight.
constexpr std::uint64_t kPollSteps = 256;  // Steps from one poll to the next.
constexpr double kStepsOfSum = 10;         // Steps of a draw for each sum of deviations.

Natural natural(Wide count) {
  Natural result(static_cast<std::uint64_t>(count >> 64));
  result *= Natural(std::uint64_t{1} << 32);
  result *= Natural(std::uint64_t{1} << 32);
  result += Natural(static_cast<std::uint64_t>(count));
  return result;
}

double total(std::span<const double> shares) {
  double sum = 0;
  for (const double share : shares) sum += share;
  return sum;
}

// A place drawn by its share of all.
std::size_t draw_place(std::span<const double> shares, Random& random) {
  return weighted_choice(shares, total(shares), random);
}

}  // namespace

struct DiagramSums::Ending {
  std::int64_t limit = 0;
  std::vector<Node> nodes[2];
  std::vector<const TickSums*> lists[2];
  Products products[2];

  // The weight, for each sum of a half, of the sums of the other half that are within the limit
  // with it.
  [[nodiscard]] std::vector<double> others(std::size_t half) const {
    const TickSums& own = products[half].back();
    const TickSums& other = products[1 - half].back();
    const std::vector<double> running = running_weights(other);
    std::vector<double> result(own.size());
    std::size_t place = other.size();
    for (std::size_t at = 0; at < own.size(); ++at) {
      while (place > 0 && own.ticks[at] + other.ticks[place - 1] > limit) --place;
      result[at] = running[place];
    }
    return result;
  }
};

// The callbacks for the alternatives of large nodes and for the ends.
class DiagramSums::Visitor {
 public:
  virtual ~Visitor() = default;
  // Enters an alternative; the second number is how much lighter it is than the best of its node.
  virtual void enter(NetworkDiagram::Number, double) {}
  // Leaves an alternative; the weight is that of the networks that have it and the earlier choices.
  virtual void leave(NetworkDiagram::Number, double) {}
  // The weight of all networks of the end; that of the best is 1.
  virtual double end(const Ending& ending) = 0;
};

DiagramSums::DiagramSums(const NetworkDiagram& diagram, Node root, std::int64_t most, double tick,
                         std::size_t max_bytes)
    : diagram_(diagram),
      root_(root),
      tick_(tick),
      max_bytes_(max_bytes),
      limits_(diagram.n_nodes(), kUnused) {
  limits_[root] = most;
  find_limits();
  find_small();
}

void DiagramSums::find_limits() {
  for (Node node = root_ + 1; node-- > 0;) {
    if (limits_[node] == kUnused) continue;
    for (auto at = diagram_.begin(node); at < diagram_.end(node); ++at) {
      const std::int64_t spare = limits_[node] - diagram_.least_of(at);
      if (spare < 0) continue;
      for (const Node child : diagram_.children(at)) {
        limits_[child] = std::max(limits_[child], diagram_.least(child) + spare);
      }
    }
  }
}

void DiagramSums::find_small() {
  small_.resize(diagram_.n_nodes());
  std::size_t n_bytes = 0;
  for (Node node = 0; node <= root_; ++node) {
    if (limits_[node] == kUnused || limits_[node] < diagram_.least(node)) continue;
    TickSums sums = sums_of(node);
    if (sums.size() > kMostOfNode) continue;
    n_bytes += sizeof(TickSums) + sums.size() * kSumBytes;
    if (n_bytes > max_bytes_) {
      is_full_ = true;
      return;
    }
    small_[node] = std::move(sums);
  }
}

bool DiagramSums::is_within(NetworkDiagram::Number at, Node node) const {
  return diagram_.least_of(at) <= limits_[node];
}

// Weights are taken relative to the best network of a node, as deviations may be far from 0.
double DiagramSums::factor(NetworkDiagram::Number at, Node node) const {
  return std::exp(-static_cast<double>(diagram_.least_of(at) - diagram_.least(node)) * tick_);
}

std::vector<const TickSums*> DiagramSums::lists_of(std::span<const Node> nodes) const {
  std::vector<const TickSums*> lists;
  for (const Node node : nodes) lists.push_back(&small_[node]);
  return lists;
}

// The products of an alternative whose children have lists; nothing if they are too many.
Products DiagramSums::products_at(NetworkDiagram::Number at, Node node) const {
  const std::int64_t ticks = diagram_.ticks(at);
  auto products = products_of(ticks, factor(at, node), lists_of(diagram_.children(at)),
                              limits_[node], kMostOfNode);
  return products ? std::move(*products) : Products{};
}

// The sums of a node; nothing if a child has no list, or there are too many.
TickSums DiagramSums::sums_of(Node node) const {
  std::vector<TickSums> parts;
  std::size_t n_sums = 0;
  for (auto at = diagram_.begin(node); at < diagram_.end(node); ++at) {
    if (!is_within(at, node)) continue;
    for (const Node child : diagram_.children(at)) {
      if (small_[child].size() == 0) return {};
    }
    Products products = products_at(at, node);
    if (products.empty()) return {};
    n_sums += products.back().size();
    if (n_sums > 4 * kMostOfNode) return {};
    parts.push_back(std::move(products.back()));
  }
  return merged(std::move(parts));
}

// Takes the nodes apart, from the root to the ends. Each call has a walk of its own.
class DiagramSums::Walk {
 public:
  Walk(const DiagramSums& sums, Visitor& visitor, Control& control)
      : sums_(sums),
        visitor_(visitor),
        control_(control),
        waiting_{sums.root_},
        least_(sums.diagram_.least(sums.root_)) {}

  // The weight of all networks; that of the best is 1.
  double run() {
    const std::int64_t limit = sums_.limits_[sums_.root_];
    return least_ <= limit ? expand(limit) : 0;
  }

  [[nodiscard]] Status status() const { return status_; }

 private:
  double expand(std::int64_t limit);
  double end(std::int64_t limit);

  const DiagramSums& sums_;
  Visitor& visitor_;
  Control& control_;
  std::vector<Node> waiting_;  // Nodes to be chosen from.
  std::int64_t least_;         // Least deviation of the waiting nodes together.
  std::uint64_t n_steps_ = 0;
  Status status_ = Status::kComplete;
};

// Takes the waiting nodes apart until all have lists. Returns the weight of their networks.
double DiagramSums::Walk::expand(std::int64_t limit) {
  const NetworkDiagram& diagram = sums_.diagram_;
  if (status_ != Status::kComplete) return 0;
  const auto large =
      std::ranges::find_if(waiting_, [&](Node node) { return sums_.small_[node].size() == 0; });
  if (large == waiting_.end()) return end(limit);
  const auto place = static_cast<std::size_t>(large - waiting_.begin());
  const Node node = waiting_[place];
  waiting_.erase(large);
  const std::int64_t others = least_ - diagram.least(node);
  const std::size_t n_before = waiting_.size();
  double sum = 0;
  for (auto at = diagram.begin(node); at < diagram.end(node); ++at) {
    const std::int64_t ticks = diagram.ticks(at);
    if (diagram.least_of(at) + others > limit) continue;
    visitor_.enter(at, sums_.factor(at, node));
    for (const Node child : diagram.children(at)) waiting_.push_back(child);
    least_ = others + diagram.least_of(at) - ticks;
    const double weight = sums_.factor(at, node) * expand(limit - ticks);
    waiting_.resize(n_before);
    visitor_.leave(at, weight);
    sum += weight;
  }
  waiting_.insert(waiting_.begin() + static_cast<std::ptrdiff_t>(place), node);
  least_ = others + diagram.least(node);
  return sum;
}

double DiagramSums::Walk::end(std::int64_t limit) {
  ++n_steps_;
  if (n_steps_ % kPollSteps == 1 && !control_.poll({n_steps_, 0})) {
    status_ = Status::kStopped;
    return 0;
  }
  Ending ending;
  ending.limit = limit;
  std::vector<Node> nodes = waiting_;
  std::ranges::stable_sort(nodes, std::greater<>(),
                           [&](Node node) { return sums_.small_[node].size(); });
  double sizes[2] = {0, 0};
  std::int64_t least[2] = {0, 0};
  for (const Node node : nodes) {
    const std::size_t half = sizes[1] < sizes[0] ? 1 : 0;
    sizes[half] += std::log(static_cast<double>(sums_.small_[node].size()) + 1e-9);
    least[half] += sums_.diagram_.least(node);
    ending.nodes[half].push_back(node);
  }
  for (const std::size_t half : {0, 1}) {
    ending.lists[half] = sums_.lists_of(ending.nodes[half]);
    auto products = products_of(0, 1.0, ending.lists[half], limit - least[1 - half], kMostOfHalf);
    if (!products) {
      status_ = Status::kMemoryLimit;
      return 0;
    }
    ending.products[half] = std::move(*products);
  }
  return visitor_.end(ending);
}

// Counts the networks.
class DiagramSums::Counting final : public Visitor {
 public:
  double end(const Ending& ending) override {
    const TickSums& own = ending.products[0].back();
    const TickSums& other = ending.products[1].back();
    std::vector<Wide> running(other.size() + 1, 0);
    for (std::size_t at = 0; at < other.size(); ++at) {
      running[at + 1] = running[at] + other.counts[at];
    }
    const std::vector<double> weights = ending.others(0);
    Wide count = 0;
    double weight = 0;
    for (std::size_t at = 0; at < own.size(); ++at) {
      count += own.counts[at] * running[other.n_within(ending.limit - own.ticks[at])];
      weight += own.weights[at] * weights[at];
    }
    n_networks += natural(count);
    return weight;
  }

  Natural n_networks;
};

Status DiagramSums::sum(Control& control) {
  if (is_full_) return Status::kMemoryLimit;
  Counting counting;
  Walk walk(*this, counting, control);
  const double weight = walk.run();
  weight_ = weight > 0 ? root_factor() * weight : 0;
  n_networks_ = counting.n_networks;
  return walk.status();
}

// Finds the weight of each family, and by how much the total changes with the weights of the lists.
class DiagramSums::Weighing final : public Visitor {
 public:
  Weighing(const DiagramSums& sums, std::span<const std::int64_t> starts, std::span<double> weights)
      : sums_(sums),
        starts_(starts),
        weights_(weights),
        factors_{sums.root_factor()},
        changes_(sums.small_.size()) {}

  // The weight of what was chosen before is a factor of what comes after.
  void enter(NetworkDiagram::Number, double factor) override {
    factors_.push_back(factors_.back() * factor);
  }

  void leave(NetworkDiagram::Number at, double weight) override {
    factors_.pop_back();
    add(at, factors_.back() * weight);
  }

  double end(const Ending& ending) override {
    double weight = 0;
    for (const std::size_t half : {0, 1}) {
      std::vector<double> change = ending.others(half);
      const TickSums& own = ending.products[half].back();
      if (half == 0) {
        for (std::size_t at = 0; at < own.size(); ++at) weight += own.weights[at] * change[at];
      }
      for (double& one : change) one *= factors_.back();
      pass_on(ending.products[half], ending.nodes[half], std::move(change));
    }
    return weight;
  }

  // Passes the weights of the lists on to the families of their nodes, parents first.
  void finish() {
    const NetworkDiagram& diagram = sums_.diagram_;
    for (Node node = sums_.root_ + 1; node-- > 0;) {
      if (changes_[node].empty()) continue;
      const TickSums& all = sums_.small_[node];
      for (auto at = diagram.begin(node); at < diagram.end(node); ++at) {
        if (!sums_.is_within(at, node)) continue;
        const Products products = sums_.products_at(at, node);
        const TickSums& own = products.back();
        std::vector<double> change(own.size());
        double weight = 0;
        for (std::size_t k = 0; k < own.size(); ++k) {
          change[k] = changes_[node][all.place(own.ticks[k])];
          weight += own.weights[k] * change[k];
        }
        add(at, weight);
        pass_on(products, diagram.children(at), std::move(change));
      }
    }
  }

 private:
  void add(NetworkDiagram::Number at, double weight) {
    for (const NetworkDiagram::Choice choice : sums_.diagram_.choices(at)) {
      weights_[static_cast<std::size_t>(starts_[choice.variable]) + choice.position] += weight;
    }
  }

  void pass_on(const Products& products, std::span<const Node> nodes, std::vector<double> change) {
    std::vector<std::vector<double>*> changes;
    for (const Node node : nodes) {
      changes_[node].resize(sums_.small_[node].size(), 0.0);
      changes.push_back(&changes_[node]);
    }
    add_changes(products, sums_.lists_of(nodes), std::move(change), changes);
  }

  const DiagramSums& sums_;
  std::span<const std::int64_t> starts_;
  std::span<double> weights_;
  std::vector<double> factors_;
  std::vector<std::vector<double>> changes_;
};

Status DiagramSums::family_weights(std::span<const std::int64_t> starts, std::span<double> weights,
                                   Control& control) const {
  Weighing weighing(*this, starts, weights);
  Walk walk(*this, weighing, control);
  (void)walk.run();
  if (walk.status() == Status::kComplete) weighing.finish();
  return walk.status();
}

// Finds the networks at given places of the whole weight, which ascend.
class DiagramSums::Drawing final : public Visitor {
 public:
  Drawing(const DiagramSums& sums, std::span<const double> places, Random& random,
          std::vector<std::uint16_t>& rows)
      : sums_(sums), places_(places), random_(random), rows_(rows), factors_{sums.root_factor()} {}

  void enter(NetworkDiagram::Number at, double factor) override {
    path_.push_back(at);
    factors_.push_back(factors_.back() * factor);
  }

  void leave(NetworkDiagram::Number, double) override {
    path_.pop_back();
    factors_.pop_back();
  }

  double end(const Ending& ending) override {
    const std::vector<double> others = ending.others(0);
    const TickSums& own = ending.products[0].back();
    std::vector<double> shares(own.size());
    for (std::size_t at = 0; at < own.size(); ++at) shares[at] = own.weights[at] * others[at];
    count(ending.products[0]);
    count(ending.products[1]);
    const double weight = total(shares);
    passed_ += factors_.back() * weight;
    while (next_ < places_.size() && places_[next_] < passed_) {
      draw(ending, shares);
      ++next_;
    }
    return weight;
  }

  [[nodiscard]] double n_steps() const { return n_steps_; }

 private:
  void count(const Products& products) {
    for (const TickSums& one : products) n_steps_ += kStepsOfSum * static_cast<double>(one.size());
  }

  void draw(const Ending& ending, std::span<const double> shares) {
    row_.assign(sums_.diagram_.n_variables(), 0);
    n_steps_ += static_cast<double>(row_.size() + shares.size());
    for (const NetworkDiagram::Number at : path_) take(at);
    const std::size_t own = draw_place(shares, random_);
    const TickSums& other = ending.products[1].back();
    const std::size_t n_others =
        other.n_within(ending.limit - ending.products[0].back().ticks[own]);
    const std::span<const double> weights(other.weights.data(), n_others);
    const std::size_t theirs = draw_place(weights, random_);
    take_apart(ending.products[0], ending.nodes[0], own);
    take_apart(ending.products[1], ending.nodes[1], theirs);
    rows_.insert(rows_.end(), row_.begin(), row_.end());
  }

  void take(NetworkDiagram::Number at) {
    for (const NetworkDiagram::Choice choice : sums_.diagram_.choices(at)) {
      row_[choice.variable] = choice.position;
    }
  }

  // Chooses one of the networks of several nodes whose deviations add up to a given sum.
  void take_apart(const Products& products, std::span<const Node> nodes, std::size_t place) {
    for (std::size_t k = nodes.size(); k > 0; --k) {
      const std::int64_t ticks = products[k].ticks[place];
      const TickSums& before = products[k - 1];
      const TickSums& list = sums_.small_[nodes[k - 1]];
      std::vector<double> shares(list.size(), 0.0);
      std::vector<std::size_t> rest(list.size(), 0);
      for (std::size_t at = 0; at < list.size(); ++at) {
        rest[at] = before.place(ticks - list.ticks[at]);
        if (rest[at] < before.size() && before.ticks[rest[at]] == ticks - list.ticks[at]) {
          shares[at] = list.weights[at] * before.weights[rest[at]];
        }
      }
      n_steps_ += kStepsOfSum * static_cast<double>(list.size());
      const std::size_t at = draw_place(shares, random_);
      take_node(nodes[k - 1], list.ticks[at]);
      place = rest[at];
    }
  }

  // Chooses one of the networks of a node with a given deviation.
  void take_node(Node node, std::int64_t ticks) {
    const NetworkDiagram& diagram = sums_.diagram_;
    std::vector<double> shares;
    for (auto at = diagram.begin(node); at < diagram.end(node); ++at) {
      double share = 0;
      if (sums_.is_within(at, node)) {
        const Products products = sums_.products_at(at, node);
        count(products);
        const std::size_t place = products.back().place(ticks);
        if (place < products.back().size() && products.back().ticks[place] == ticks) {
          share = products.back().weights[place];
        }
      }
      shares.push_back(share);
    }
    const auto at =
        static_cast<NetworkDiagram::Number>(diagram.begin(node) + draw_place(shares, random_));
    take(at);
    const Products products = sums_.products_at(at, node);
    take_apart(products, diagram.children(at), products.back().place(ticks));
  }

  const DiagramSums& sums_;
  std::span<const double> places_;
  Random& random_;
  std::vector<std::uint16_t>& rows_;
  std::vector<NetworkDiagram::Number> path_;
  std::vector<double> factors_;
  std::vector<std::uint16_t> row_;
  double passed_ = 0;
  std::size_t next_ = 0;
  double n_steps_ = 0;
};

Status DiagramSums::draw(std::size_t n_networks, Random& random, std::vector<std::uint16_t>& rows,
                         double& n_steps, Control& control) const {
  std::vector<double> places(n_networks);
  // Places are a little below the whole weight, as sums are rounded.
  for (double& place : places) place = random.uniform() * weight_ * (1 - 1e-9);
  std::ranges::sort(places);
  Drawing drawing(*this, places, random, rows);
  Walk walk(*this, drawing, control);
  (void)walk.run();
  n_steps += drawing.n_steps();
  return walk.status();
}

}  // namespace credenet
