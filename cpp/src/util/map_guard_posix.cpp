#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <utility>

#include "credenet/util/map_guard.hpp"

namespace credenet {

// Guarded addresses. The handler reads the list of all ranges without a lock, so no range is ever
// freed; one that ends before it begins guards nothing and is taken by the next guard.
struct MapGuard::Range {
  std::atomic<std::uintptr_t> begin = 0;
  std::atomic<std::uintptr_t> end = 0;
  std::atomic<bool> is_cut_off = false;
  Range* next = nullptr;
};

// The handler of SIGBUS and what it needs. Everything that it calls is a system call or atomic.
struct BusErrors {
  static inline std::atomic<MapGuard::Range*> first = nullptr;
  static inline std::mutex mutex;  // Protects the list of guards.
  static inline struct sigaction before = {};
  static inline std::uintptr_t page_bytes = 0;

  static MapGuard::Range* take(std::uintptr_t begin, std::uintptr_t end) {
    const std::lock_guard lock(mutex);
    install();
    MapGuard::Range* range = first.load();
    while (range != nullptr && range->end.load() != 0) range = range->next;
    if (range == nullptr) {
      range = new MapGuard::Range;
      range->next = first.load();
      first.store(range);
    }
    range->is_cut_off = false;
    range->begin = begin;
    range->end = end;
    return range;
  }

  static void give_back(MapGuard::Range* range) {
    const std::lock_guard lock(mutex);
    range->end = 0;
  }

 private:
  // Another library may have put its handler before ours since the last guard.
  static void install() {
    page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction now = {};
    ::sigaction(SIGBUS, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &handle) return;
    before = now;
    struct sigaction ours = {};
    ours.sa_sigaction = &handle;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);  // A macro on some systems.
    ::sigaction(SIGBUS, &ours, nullptr);
  }

  static void handle(int number, siginfo_t* info, void* context) {
    const int error = errno;
    const bool is_fault = info->si_code > 0;  // A signal that a process sends has another code.
    if (is_fault && fill(static_cast<std::byte*>(info->si_addr))) {
      errno = error;
      return;
    }
    if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(number, info, context);
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
      return before.sa_handler(number);
    }
    ::sigaction(SIGBUS, &before, nullptr);  // The fault comes again, without this handler.
    if (!is_fault) ::raise(number);
  }

  // Puts zeros from the page of an address on, if it is guarded. Returns whether it did.
  static bool fill(std::byte* start) {
    const auto address = reinterpret_cast<std::uintptr_t>(start);
    for (MapGuard::Range* range = first.load(); range != nullptr; range = range->next) {
      const std::uintptr_t end = range->end.load();
      if (address < range->begin.load() || address >= end) continue;
      range->is_cut_off = true;
      const std::uintptr_t within = address % page_bytes;  // Offset within its page.
      void* zeros = ::mmap(start - within, end - (address - within), PROT_READ,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
      return zeros != MAP_FAILED;
    }
    return false;
  }
};

MapGuard::MapGuard(std::span<const std::byte> bytes, int file, std::string path)
    : size_(bytes.size()),
      file_(::fcntl(file, F_DUPFD_CLOEXEC, 0)),
      path_(std::move(path)),
      range_(BusErrors::take(reinterpret_cast<std::uintptr_t>(bytes.data()),
                             reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size())) {}

MapGuard::~MapGuard() {
  BusErrors::give_back(range_);
  if (file_ >= 0) ::close(file_);
}

// A file that ends within a page has zeros after its end there, which no signal tells.
void MapGuard::check() const {
  struct stat now = {};
  const bool is_shorter =
      file_ >= 0 && ::fstat(file_, &now) == 0 && static_cast<std::size_t>(now.st_size) < size_;
  if (is_shorter || range_->is_cut_off.load()) throw CutOffError(path_);
}

}  // namespace credenet
