#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <system_error>

namespace credenet {

// A scratch file could not be written or read; the message names it and the reason.
class ScratchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws a ScratchError: what could not be done with which file, and why.
[[noreturn]] void fail_with_scratch(const char* what, const std::filesystem::path& path,
                                    std::error_code reason);

// Writes raw bytes; the file is valid only once it is closed.
class ScratchWriter {
 public:
  explicit ScratchWriter(const std::filesystem::path& path);
  void write(std::span<const std::byte> bytes);
  void close();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

// A file mapped into memory; the system reads what is used and may drop it again.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

// A lock file that only one process, and one of its threads, holds at a time. It is removed with
// this object.
class ScratchLock {
 public:
  explicit ScratchLock(const std::filesystem::path& path);
  ScratchLock(const ScratchLock&) = delete;
  ScratchLock& operator=(const ScratchLock&) = delete;
  ~ScratchLock();

 private:
  std::filesystem::path path_;
  std::intptr_t file_;  // A descriptor, or a handle of Windows.
};

}  // namespace credenet
