#include "credenet/lattice/layer_store.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "check.hpp"
#include "credenet/util/random.hpp"

using credenet::LayerNode;
using credenet::LayerNote;
using credenet::LayerStore;
using credenet::Random;

namespace {

using Layers = std::vector<std::vector<LayerNode>>;

void check_layers(const LayerStore& store, const Layers& expected, double kept_above) {
  CHECK(store.n_layers() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CHECK(
        std::ranges::equal(store.layer(k), expected[k], [](const LayerNode& a, const LayerNode& b) {
          return a.set == b.set && a.score == b.score;
        }));
  }
  if (!expected.empty()) CHECK(store.note().kept_above == kept_above);
}

// Adds a layer in a few parts.
void add_layer(LayerStore& store, Layers& expected, Random& random, double kept_above) {
  std::vector<LayerNode> layer;
  for (std::size_t part = 0; part <= random.below(3); ++part) {
    std::vector<LayerNode> nodes;
    for (std::size_t at = random.below(50); at > 0; --at) {
      nodes.push_back({random.below(1000), random.uniform()});
    }
    layer.insert(layer.end(), nodes.begin(), nodes.end());
    store.append(std::move(nodes));
  }
  store.complete_layer(LayerNote{.kept_above = kept_above});
  expected.push_back(std::move(layer));
}

}  // namespace

int main() {
  Random random(6);
  {
    LayerStore store({}, 1);
    Layers expected;
    for (int k = 0; k < 5; ++k) add_layer(store, expected, random, k);
    check_layers(store, expected, 4);
    CHECK(store.bytes() > 0);
  }
  const auto directory =
      std::filesystem::temp_directory_path() / ("layer_store_test_" + std::to_string(getpid()));
  std::filesystem::create_directory(directory);
  Layers expected;
  {
    LayerStore store(directory, 17);
    for (int k = 0; k < 3; ++k) add_layer(store, expected, random, k);
    check_layers(store, expected, 2);
    store.append({{1, 2.0}});  // The node belongs to a layer that is never completed.
    CHECK_THROWS(LayerStore(directory, 17), credenet::ScratchError);
    const LayerStore other(directory, 18);  // This is another problem.
    CHECK(other.n_layers() == 0);
  }
  {
    LayerStore store(directory, 17);  // The store takes up the complete layers.
    check_layers(store, expected, 2);
    add_layer(store, expected, random, 7);
    check_layers(store, expected, 7);
    store.remove_files();
  }
  CHECK(LayerStore(directory, 17).n_layers() == 0);
  std::filesystem::remove_all(directory);
}
