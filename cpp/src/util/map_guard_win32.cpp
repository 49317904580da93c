#include <utility>

#include "credenet/util/map_guard.hpp"

namespace credenet {

// Windows refuses to cut off a file while a part of it is mapped, so that no page can be gone.
struct MapGuard::Range {};

MapGuard::MapGuard(std::span<const std::byte> bytes, int file, std::string path)
    : size_(bytes.size()), file_(file), path_(std::move(path)), range_(nullptr) {}

MapGuard::~MapGuard() = default;

void MapGuard::check() const {}

}  // namespace credenet
