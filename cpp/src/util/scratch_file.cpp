#include "credenet/util/scratch_file.hpp"

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace credenet {

void fail_with_scratch(const char* what, const std::filesystem::path& path,
                       std::error_code reason) {
  throw ScratchError(std::string(what) + " scratch file '" + path.string() +
                     "': " + reason.message());
}

namespace {

std::FILE* open_to_write(const std::filesystem::path& path) {
#if defined(_WIN32)
  return ::_wfopen(path.c_str(), L"wb");
#else
  return std::fopen(path.c_str(), "wb");
#endif
}

}  // namespace

ScratchWriter::ScratchWriter(const std::filesystem::path& path)
    : path_(path), file_(open_to_write(path)) {
  if (!file_) fail();
}

void ScratchWriter::fail() const {
  fail_with_scratch("cannot write", path_, {errno, std::generic_category()});
}

void ScratchWriter::write(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail();
}

void ScratchWriter::close() {
  if (std::fclose(file_.release()) != 0) fail();
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

}  // namespace credenet
