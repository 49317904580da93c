#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "credenet/util/scratch_file.hpp"

namespace credenet {

// A set of variables with the score of the best network on it.
struct LayerNode {
  std::uint64_t set;
  double score;
};

// The facts about a complete layer.
struct LayerNote {
  // No node with a score above this was left out.
  double kept_above = -std::numeric_limits<double>::infinity();
  // Bound on the score of networks through the layer.
  double bound = std::numeric_limits<double>::infinity();
};

// Complete layers of nodes and one that grows, in memory or in files of a directory. With a
// directory nothing is held in memory, and a store of the same problem resumes with the complete
// layers that an earlier one has left there: a manifest, replaced whenever a layer is complete,
// says which are, and above which score no node was left out. Files carry the problem's digest in
// their names, so problems can share a directory; of two runs on the same problem the second gets a
// ScratchError.
class LayerStore {
 public:
  // An empty directory keeps the layers in memory.
  LayerStore(const std::filesystem::path& directory, std::uint64_t problem);
  // Removes all files but the complete layers and their manifest.
  ~LayerStore();
  LayerStore(const LayerStore&) = delete;
  LayerStore& operator=(const LayerStore&) = delete;

  [[nodiscard]] std::size_t n_layers() const { return sizes_.size(); }
  [[nodiscard]] std::span<const LayerNode> layer(std::size_t k) const;
  [[nodiscard]] const LayerNote& note() const { return note_; }
  // The bytes of the layers, and of the copy that is made when the growing layer is completed.
  [[nodiscard]] std::size_t bytes() const {
    return (n_complete_ + 2 * n_open_) * sizeof(LayerNode);
  }

  void append(std::vector<LayerNode>&& nodes);
  void complete_layer(const LayerNote& note);
  // Removes the complete layers and the manifest too.
  void remove_files();

 private:
  [[nodiscard]] std::filesystem::path path(const std::string& suffix) const;
  [[nodiscard]] std::filesystem::path manifest_path() const;
  [[nodiscard]] std::filesystem::path layer_path(std::size_t k) const;
  void resume();
  void write_manifest() const;

  std::filesystem::path directory_;
  std::uint64_t problem_;
  LayerNote note_;
  std::optional<ScratchLock> lock_;
  std::vector<std::size_t> sizes_;
  std::vector<std::vector<LayerNode>> layers_;  // Complete layers, if they are in memory.
  std::vector<MappedFile> files_;               // Complete layers, if they are in files.
  std::vector<std::vector<LayerNode>> open_parts_;
  std::optional<ScratchWriter> open_file_;
  std::size_t n_complete_ = 0;  // Number of nodes of complete layers in memory.
  std::size_t n_open_ = 0;      // Number of nodes of the growing layer in memory.
  std::size_t open_size_ = 0;
};

}  // namespace credenet
