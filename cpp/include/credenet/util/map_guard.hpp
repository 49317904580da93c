#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

namespace credenet {

// A file that is mapped into memory has become shorter, or its disk has failed.
class CutOffError : public std::runtime_error {
 public:
  explicit CutOffError(const std::string& path)
      : std::runtime_error("has been cut off since it was opened"), path_(path) {}
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Guards bytes that are a file mapped into memory. Another program may cut the file off while it is
// open. The system then sends SIGBUS to whoever reads a page that is gone, which would end the
// process. While a guard lives, the missing pages become zeros instead, and check() throws. A
// SIGBUS from elsewhere goes to the handler that was there before.
class MapGuard {
 public:
  // The bytes begin at a page and are those of the open file, from its beginning.
  MapGuard(std::span<const std::byte> bytes, int file, std::string path);
  MapGuard(const MapGuard&) = delete;
  MapGuard& operator=(const MapGuard&) = delete;
  ~MapGuard();

  // Throws CutOffError if bytes read so far may be missing from the file. To be called after
  // reading, before anything that was read is used as an answer.
  void check() const;

 private:
  struct Range;
  friend struct BusErrors;

  std::size_t size_;
  int file_;
  std::string path_;
  Range* range_;
};

}  // namespace credenet
