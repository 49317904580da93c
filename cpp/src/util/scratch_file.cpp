#include "credenet/util/scratch_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace credenet {
namespace {

std::string message(const char* what, const std::filesystem::path& path) {
  return std::string(what) + " scratch file '" + path.string() +
         "': " + std::system_category().message(errno);
}

}  // namespace

ScratchWriter::ScratchWriter(const std::filesystem::path& path)
    : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) fail();
}

void ScratchWriter::fail() const { throw ScratchError(message("cannot write", path_)); }

void ScratchWriter::write(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail();
}

void ScratchWriter::close() {
  if (std::fclose(file_.release()) != 0) fail();
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw ScratchError(message("cannot read", path));
  std::error_code error;
  const auto size = static_cast<std::size_t>(std::filesystem::file_size(path, error));
  void* start = nullptr;
  if (!error && size > 0) start = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  const int reason = error ? error.value() : errno;
  ::close(file);
  if (error || start == MAP_FAILED) {
    errno = reason;
    throw ScratchError(message("cannot read", path));
  }
  if (start != nullptr) bytes_ = {static_cast<const std::byte*>(start), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

ScratchLock::ScratchLock(const std::filesystem::path& path)
    : path_(path), file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (file_ < 0) throw ScratchError(message("cannot write", path_));
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  const bool is_taken = errno == EWOULDBLOCK;
  const std::string reason = message("cannot lock", path_);
  ::close(file_);
  if (is_taken) throw ScratchError("another run is using scratch file '" + path_.string() + "'");
  throw ScratchError(reason);
}

ScratchLock::~ScratchLock() {
  ::unlink(path_.c_str());
  ::close(file_);
}

}  // namespace credenet
