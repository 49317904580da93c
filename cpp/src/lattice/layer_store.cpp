#include "credenet/lattice/layer_store.hpp"

#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <system_error>

namespace credenet {
namespace {

constexpr std::uint64_t kFormat = 0x31726579616c6e63;  // The characters "cnlayer1".
constexpr std::size_t kHeader = 4;                     // Words before the sizes of the layers.

}  // namespace

LayerStore::LayerStore(const std::filesystem::path& directory, std::uint64_t problem)
    : directory_(directory), problem_(problem) {
  if (directory_.empty()) return;
  lock_.emplace(path(".lock"));
  resume();
}

LayerStore::~LayerStore() {
  if (!open_file_) return;
  open_file_.reset();
  std::error_code ignored;
  std::filesystem::remove(layer_path(n_layers()), ignored);
}

std::filesystem::path LayerStore::path(const std::string& suffix) const {
  char name[32];
  std::snprintf(name, sizeof name, "credenet-%016" PRIx64, problem_);
  return directory_ / (name + suffix);
}

std::filesystem::path LayerStore::manifest_path() const { return path(".manifest"); }

std::filesystem::path LayerStore::layer_path(std::size_t k) const {
  return path(std::string("-").append(std::to_string(k)).append(".layer"));
}

std::span<const LayerNode> LayerStore::layer(std::size_t k) const {
  if (directory_.empty()) return layers_[k];
  return {reinterpret_cast<const LayerNode*>(files_[k].bytes().data()), sizes_[k]};
}

void LayerStore::append(std::vector<LayerNode>&& nodes) {
  open_size_ += nodes.size();
  if (!directory_.empty()) {
    if (!open_file_) open_file_.emplace(layer_path(n_layers()));
    open_file_->write(std::as_bytes(std::span(nodes)));
  } else {
    nodes.shrink_to_fit();
    n_open_ += nodes.size();
    open_parts_.push_back(std::move(nodes));
  }
}

void LayerStore::complete_layer(const LayerNote& note) {
  note_ = note;
  if (!directory_.empty()) {
    append({});  // This makes a file even without nodes.
    open_file_->close();
    files_.emplace_back(layer_path(n_layers()));
    open_file_.reset();
    sizes_.push_back(open_size_);
    write_manifest();
  } else {
    std::vector<LayerNode>& layer = layers_.emplace_back();
    layer.reserve(open_size_);
    for (auto& part : open_parts_) {
      layer.insert(layer.end(), part.begin(), part.end());
      std::vector<LayerNode>().swap(part);
    }
    open_parts_.clear();
    n_complete_ += n_open_;
    n_open_ = 0;
    sizes_.push_back(open_size_);
  }
  open_size_ = 0;
}

void LayerStore::write_manifest() const {
  std::vector<std::uint64_t> words{kFormat, problem_,
                                   std::bit_cast<std::uint64_t>(note_.kept_above),
                                   std::bit_cast<std::uint64_t>(note_.bound)};
  words.insert(words.end(), sizes_.begin(), sizes_.end());
  const std::filesystem::path part = path(".manifest.part");
  ScratchWriter writer(part);
  writer.write(std::as_bytes(std::span(words)));
  writer.close();
  std::error_code error;
  std::filesystem::rename(part, manifest_path(), error);
  if (error)
    throw ScratchError("cannot write scratch file '" + manifest_path().string() +
                       "': " + error.message());
}

// Resumes from the layers of an earlier run; from nothing if a file is missing or damaged.
void LayerStore::resume() {
  std::error_code error;
  if (!std::filesystem::exists(manifest_path(), error)) return;
  const MappedFile manifest(manifest_path());
  std::vector<std::uint64_t> words(manifest.bytes().size() / sizeof(std::uint64_t));
  if (words.size() < kHeader) return;
  std::memcpy(words.data(), manifest.bytes().data(), words.size() * sizeof(std::uint64_t));
  if (words[0] != kFormat || words[1] != problem_) return;
  for (std::size_t at = kHeader; at < words.size(); ++at) {
    const std::filesystem::path path = layer_path(at - kHeader);
    const auto bytes = std::filesystem::file_size(path, error);
    if (error || bytes != words[at] * sizeof(LayerNode)) {
      files_.clear();
      sizes_.clear();
      return;
    }
    files_.emplace_back(path);
    sizes_.push_back(words[at]);
  }
  note_ = {std::bit_cast<double>(words[2]), std::bit_cast<double>(words[3])};
}

void LayerStore::remove_files() {
  if (directory_.empty()) return;
  std::error_code ignored;
  open_file_.reset();
  std::filesystem::remove(manifest_path(), ignored);
  std::filesystem::remove(path(".manifest.part"), ignored);
  for (std::size_t k = 0; std::filesystem::remove(layer_path(k), ignored); ++k) continue;
}

}  // namespace credenet
