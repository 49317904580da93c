// The tables of a clique tree as they are walked: no clique table is ever held. Its cells are made
// a block at a time, small enough for the first cache, from the factors and messages that it is the
// product of, and marginalised at once. Memory is that of the factors and the separators.
#include "credenet/inference/exact/clique_tables.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace credenet {
namespace {

constexpr std::size_t kBlockCells = 2048;  // Most cells of a block: 16 KB of doubles.

std::size_t product(std::span<const std::size_t> sizes) {
  std::size_t result = 1;
  for (const std::size_t size : sizes) result *= size;
  return result;
}

class Builder {
 public:
  Builder(const FactorsView& factors, PropagationLayout& layout)
      : factors_(factors), layout_(layout) {}

  void run() {
    const CliqueTree& tree = layout_.tree;
    layout_.cliques.resize(tree.cliques.size());
    for (std::size_t id = 0; id < tree.cliques.size(); ++id) start(id);
    find_joint_root();
    add_factors();
    find_marginals();
    for (std::size_t id = 0; id < tree.cliques.size(); ++id) add_messages(id);
    make_levels();
  }

 private:
  const Clique& members_of(std::size_t id) const { return layout_.tree.cliques[id]; }

  void start(std::size_t id) {
    std::vector<std::size_t> sizes;
    for (const Node member : members_of(id).members) sizes.push_back(factors_.states_of(member));
    layout_.cliques[id] = empty_clique_table(std::move(sizes));
  }

  TableAccess access(std::size_t id, std::span<const Node> scope, Arena arena, std::size_t begin) {
    return table_access(layout_.cliques[id], members_of(id).members, scope, arena, begin);
  }

  void find_joint_root() {
    if (!layout_.query.joint || layout_.targets.empty()) return;
    layout_.joint_root = layout_.tree.clique_of[static_cast<std::size_t>(layout_.targets.back())];
  }

  void add_factors() {
    for (std::size_t factor = 0; factor < factors_.n_factors(); ++factor) {
      if (layout_.tree.relevant[factor]) add_factor(factor);
    }
    for (std::size_t variable = 0; variable < factors_.n_variables(); ++variable) {
      const std::int32_t home = layout_.tree.clique_of[variable];
      if (!layout_.weighted[variable] || home < 0) continue;
      const auto node = static_cast<Node>(variable);
      layout_.likelihoods.emplace_back(node, layout_.sliced_size);
      const auto id = static_cast<std::size_t>(home);
      layout_.cliques[id].operands.push_back(
          access(id, std::span(&node, 1), Arena::kSliced, layout_.sliced_size));
      layout_.sliced_size += factors_.states_of(node);
    }
  }

  void add_factor(std::size_t factor) {
    const auto scope = factors_.scope(factor);
    std::vector<std::pair<Node, std::size_t>> free;
    SlicedTable slice;
    slice.factor = factor;
    std::size_t stride = 1;
    for (std::size_t at = scope.size(); at-- > 0;) {
      const bool is_observed = layout_.observed[static_cast<std::size_t>(scope[at])] != 0;
      (is_observed ? slice.observed : free).emplace_back(scope[at], stride);
      stride *= factors_.states_of(scope[at]);
    }
    const auto position = [&](Node variable) {
      return layout_.tree.position[static_cast<std::size_t>(variable)];
    };
    std::ranges::sort(
        free, [&](const auto& a, const auto& b) { return position(a.first) > position(b.first); });
    std::vector<Node> members;
    for (const auto& [variable, source_stride] : free) {
      members.push_back(variable);
      slice.sizes.push_back(factors_.states_of(variable));
      slice.strides.push_back(source_stride);
    }
    slice.size = product(slice.sizes);
    const bool is_constant = slice.observed.empty() && !members.empty();
    slice.begin = is_constant ? layout_.constants.size() : layout_.sliced_size;
    if (!members.empty()) {
      slice.clique = layout_.tree.clique_of[static_cast<std::size_t>(members.back())];
      const auto id = static_cast<std::size_t>(slice.clique);
      layout_.cliques[id].operands.push_back(
          access(id, members, is_constant ? Arena::kConstant : Arena::kSliced, slice.begin));
    }
    if (is_constant) {
      layout_.constants.resize(slice.begin + slice.size);
      layout_.constant_exponent +=
          copy_slice(factors_, slice, {}, layout_.constants.data() + slice.begin);
    } else {
      layout_.sliced_size += slice.size;
      layout_.sliced.push_back(std::move(slice));
    }
  }

  // The marginal of a target comes from the smallest separator that has it, else from its clique.
  void find_marginals() {
    const std::size_t n = factors_.n_variables();
    layout_.marginal_begin.assign(n + 1, 0);
    for (std::size_t variable = 0; variable < n; ++variable) {
      layout_.marginal_begin[variable + 1] =
          layout_.marginal_begin[variable] + factors_.states_of(static_cast<Node>(variable));
    }
    layout_.belief_home.assign(n, -1);
    if (layout_.query.joint) return;
    std::vector<std::size_t> smallest(n, std::numeric_limits<std::size_t>::max());
    for (std::size_t id = 0; id < layout_.cliques.size(); ++id) {
      const Clique& clique = members_of(id);
      const std::size_t size =
          product(std::span(layout_.cliques[id].sizes).first(clique.n_separator));
      for (std::size_t at = 0; at < clique.n_separator; ++at) {
        const auto variable = static_cast<std::size_t>(clique.members[at]);
        if (size < smallest[variable]) {
          smallest[variable] = size;
          layout_.belief_home[variable] = static_cast<std::int32_t>(id);
        }
      }
    }
    has_belief_.assign(layout_.cliques.size(), 0);
    std::vector<std::uint8_t> is_target(n, 0);
    for (const Node target : layout_.targets) {
      const auto variable = static_cast<std::size_t>(target);
      is_target[variable] = 1;
      const std::int32_t home = layout_.belief_home[variable];
      if (home >= 0) {
        has_belief_[static_cast<std::size_t>(home)] = 1;
        continue;
      }
      const auto id = static_cast<std::size_t>(layout_.tree.clique_of[variable]);
      layout_.cliques[id].outputs.push_back(
          access(id, std::span(&target, 1), Arena::kMarginals, layout_.marginal_begin[variable]));
      layout_.cliques[id].output_cliques.push_back(-1);
      layout_.cliques[id].is_needed = true;
    }
    for (std::size_t variable = 0; variable < n; ++variable) {
      if (!is_target[variable]) layout_.belief_home[variable] = -1;
    }
    for (std::size_t id = 0; id < layout_.cliques.size(); ++id) {
      if (layout_.cliques[id].is_needed || has_belief_[id]) need_ancestors(id);
    }
  }

  void need_ancestors(std::size_t id) {
    std::int32_t above = members_of(id).parent;
    while (above >= 0 && !layout_.cliques[static_cast<std::size_t>(above)].is_needed) {
      layout_.cliques[static_cast<std::size_t>(above)].is_needed = true;
      has_belief_[id] = 1;
      id = static_cast<std::size_t>(above);
      above = members_of(id).parent;
    }
    has_belief_[id] = 1;
  }

  void add_messages(std::size_t id) {
    const Clique& clique = members_of(id);
    CliqueTable& table = layout_.cliques[id];
    const std::span members(clique.members);
    if (static_cast<std::int32_t>(id) == layout_.joint_root) {
      std::vector<Node> scope = layout_.targets;
      std::ranges::sort(scope, std::greater{}, [&](Node variable) {
        return layout_.tree.position[static_cast<std::size_t>(variable)];
      });
      table.message = access(id, scope, Arena::kMessages, layout_.message_size);
    } else {
      table.message =
          access(id, members.first(clique.n_separator), Arena::kMessages, layout_.message_size);
    }
    layout_.message_size += table.message.size;
    if (clique.parent < 0) return;
    table.ratio = table.message;
    table.ratio.arena = Arena::kBeliefs;
    const auto above = static_cast<std::size_t>(clique.parent);
    CliqueTable& parent = layout_.cliques[above];
    const auto separator = members.first(clique.n_separator);
    parent.operands.push_back(access(above, separator, Arena::kMessages, table.message.begin));
    if (layout_.query.joint || !(table.is_needed || has_belief_[id])) return;
    parent.outputs.push_back(access(above, separator, Arena::kBeliefs, table.message.begin));
    parent.output_cliques.push_back(static_cast<std::int32_t>(id));
  }

  void make_levels() {
    std::vector<std::size_t> height(layout_.cliques.size(), 0);
    std::vector<std::size_t> waiting(layout_.cliques.size());
    std::vector<std::int32_t> ready;
    for (std::size_t id = 0; id < waiting.size(); ++id) {
      waiting[id] = members_of(id).children.size();
      if (waiting[id] == 0) ready.push_back(static_cast<std::int32_t>(id));
    }
    for (std::size_t at = 0; at < ready.size(); ++at) {
      const auto id = static_cast<std::size_t>(ready[at]);
      if (height[id] >= layout_.levels.size()) layout_.levels.resize(height[id] + 1);
      layout_.levels[height[id]].push_back(ready[at]);
      const std::int32_t above = members_of(id).parent;
      if (above < 0) continue;
      const auto parent = static_cast<std::size_t>(above);
      height[parent] = std::max(height[parent], height[id] + 1);
      if (--waiting[parent] == 0) ready.push_back(above);
    }
  }

  const FactorsView& factors_;
  PropagationLayout& layout_;
  std::vector<std::uint8_t> has_belief_;
};

}  // namespace

CliqueTable empty_clique_table(std::vector<std::size_t> sizes) {
  CliqueTable table;
  table.sizes = std::move(sizes);
  table.n_outer = table.sizes.size();
  while (table.n_outer > 0 &&
         (table.block == 1 || table.block * table.sizes[table.n_outer - 1] <= kBlockCells)) {
    table.block *= table.sizes[--table.n_outer];
  }
  table.n_blocks = product(std::span(table.sizes).first(table.n_outer));
  return table;
}

TableAccess table_access(const CliqueTable& table, std::span<const Node> members,
                         std::span<const Node> scope, Arena arena, std::size_t begin) {
  TableAccess result;
  result.arena = arena;
  result.begin = begin;
  result.strides.assign(table.sizes.size(), 0);
  std::size_t at = scope.size();
  for (std::size_t axis = table.sizes.size(); axis-- > 0 && at > 0;) {
    if (members[axis] != scope[at - 1]) continue;
    result.strides[axis] = result.size;
    result.size *= table.sizes[axis];
    --at;
  }
  assert(at == 0);
  result.pattern = block_pattern(std::span(table.sizes).subspan(table.n_outer),
                                 std::span(result.strides).subspan(table.n_outer));
  for (std::size_t outer = 0; outer < table.n_outer; ++outer) {
    if (result.strides[outer] > 0) result.last_outer = outer + 1;
  }
  return result;
}

PropagationLayout::PropagationLayout(const FactorsView& factors, const QueryShape& shape,
                                     CliqueTree cliques_of_query)
    : query(shape),
      observed(shape.observed.begin(), shape.observed.end()),
      weighted(shape.weighted.begin(), shape.weighted.end()),
      maximised(shape.maximised.begin(), shape.maximised.end()),
      targets(shape.targets.begin(), shape.targets.end()),
      tree(std::move(cliques_of_query)) {
  query.observed = observed;
  query.weighted = weighted;
  query.maximised = maximised;
  query.targets = targets;
  Builder(factors, *this).run();
}

double propagation_bytes(const FactorsView& factors, const CliqueTree& tree) {
  double factor_cells = 0;
  double n_operands = 0;
  for (std::size_t factor = 0; factor < factors.n_factors(); ++factor) {
    if (!tree.relevant[factor]) continue;
    factor_cells += static_cast<double>(factors.table(factor).size());
    n_operands += 1;
  }
  n_operands += 4 * static_cast<double>(tree.cliques.size());
  const double pattern_cells = std::min(tree.largest, static_cast<double>(kBlockCells));
  const double copies = tree.largest < kBlockCells ? 0 : std::min(tree.cells / 2, kCopiedCells);
  return 8 * (factor_cells + 2 * tree.separator_cells + copies) +
         n_operands * (4 * pattern_cells + 200);
}

std::int64_t take_out_exponent(std::span<double> table) {
  double largest = 0;
  double smallest = INFINITY;
  for (const double value : table) {
    largest = std::max(largest, value);
    if (value > 0) smallest = std::min(smallest, value);
  }
  if (largest == 0) return 0;
  int exponent = 0;
  int lowest = 0;
  (void)std::frexp(largest, &exponent);
  (void)std::frexp(smallest, &lowest);
  if (lowest - exponent < -1000) return 0;
  if (exponent != 0) {
    // Two steps are taken, because 2^-exponent itself may be out of range.
    const double half = std::ldexp(1.0, -exponent / 2);
    const double rest = std::ldexp(1.0, -exponent - -exponent / 2);
    for (double& value : table) value = value * half * rest;
  }
  return exponent;
}

std::int64_t copy_slice(const FactorsView& factors, const SlicedTable& slice,
                        std::span<const std::int32_t> states, double* out) {
  const double* source = factors.table(slice.factor).data();
  for (const auto& [variable, stride] : slice.observed) {
    source += static_cast<std::size_t>(states[static_cast<std::size_t>(variable)]) * stride;
  }
  const std::size_t n_axes = slice.sizes.size();
  if (n_axes == 0) {
    out[0] = source[0];
  } else {
    const std::size_t inner = slice.sizes[n_axes - 1];
    const std::size_t step = slice.strides[n_axes - 1];
    std::vector<std::size_t> counters(n_axes, 0);
    for (std::size_t at = 0; at < slice.size; at += inner) {
      for (std::size_t state = 0; state < inner; ++state) out[at + state] = source[state * step];
      for (std::size_t axis = n_axes - 1; axis-- > 0;) {
        source += slice.strides[axis];
        if (++counters[axis] < slice.sizes[axis]) break;
        source -= slice.strides[axis] * slice.sizes[axis];
        counters[axis] = 0;
      }
    }
  }
  return take_out_exponent({out, slice.size});
}

}  // namespace credenet
