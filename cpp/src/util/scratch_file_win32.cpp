#include "credenet/util/scratch_file.hpp"

#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <string>
#include <system_error>

namespace credenet {
namespace {

std::error_code last_error() {
  return {static_cast<int>(::GetLastError()), std::system_category()};
}

HANDLE handle(std::intptr_t file) {
  return reinterpret_cast<HANDLE>(file);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

// The view keeps the file open after its handles are closed.
MappedFile::MappedFile(const std::filesystem::path& path) {
  HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE,
                              nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) fail_with_scratch("cannot read", path, last_error());
  std::error_code error;
  LARGE_INTEGER size = {};
  if (::GetFileSizeEx(file, &size) == 0) error = last_error();
  void* start = nullptr;
  if (!error && size.QuadPart > 0) {  // An empty file has no map.
    HANDLE map = ::CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
    if (map != nullptr) start = ::MapViewOfFile(map, FILE_MAP_READ, 0, 0, 0);
    if (start == nullptr) error = last_error();
    if (map != nullptr) ::CloseHandle(map);
  }
  ::CloseHandle(file);
  if (error) fail_with_scratch("cannot read", path, error);
  if (start != nullptr) {
    bytes_ = {static_cast<const std::byte*>(start), static_cast<std::size_t>(size.QuadPart)};
  }
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::UnmapViewOfFile(bytes_.data());
}

// A file that shares nothing is open once at a time. Windows removes it with its last handle.
ScratchLock::ScratchLock(const std::filesystem::path& path)
    : path_(path),
      file_(reinterpret_cast<std::intptr_t>(
          ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_ALWAYS,
                        FILE_ATTRIBUTE_NORMAL | FILE_FLAG_DELETE_ON_CLOSE, nullptr))) {
  if (handle(file_) != INVALID_HANDLE_VALUE) return;
  const std::error_code reason = last_error();
  if (reason.value() == ERROR_SHARING_VIOLATION) {
    throw ScratchError("another run is using scratch file '" + path_.string() + "'");
  }
  fail_with_scratch("cannot write", path_, reason);
}

ScratchLock::~ScratchLock() { ::CloseHandle(handle(file_)); }

}  // namespace credenet
