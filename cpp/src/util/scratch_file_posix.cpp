#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "credenet/util/scratch_file.hpp"

namespace credenet {
namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail_with_scratch("cannot read", path, last_error());
  std::error_code error;
  const auto size = static_cast<std::size_t>(std::filesystem::file_size(path, error));
  void* start = nullptr;
  if (!error && size > 0) {
    start = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
    if (start == MAP_FAILED) error = last_error();
  }
  ::close(file);
  if (error) fail_with_scratch("cannot read", path, error);
  if (start != nullptr) bytes_ = {static_cast<const std::byte*>(start), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

ScratchLock::ScratchLock(const std::filesystem::path& path)
    : path_(path), file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (file_ < 0) fail_with_scratch("cannot write", path_, last_error());
  if (::flock(static_cast<int>(file_), LOCK_EX | LOCK_NB) == 0) return;
  const std::error_code reason = last_error();
  ::close(static_cast<int>(file_));
  if (reason == std::errc::operation_would_block) {
    throw ScratchError("another run is using scratch file '" + path_.string() + "'");
  }
  fail_with_scratch("cannot lock", path_, reason);
}

ScratchLock::~ScratchLock() {
  ::unlink(path_.c_str());
  ::close(static_cast<int>(file_));
}

}  // namespace credenet
