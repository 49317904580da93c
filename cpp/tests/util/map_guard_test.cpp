// The test checks that a mapped file that is cut off reads as zeros, and the guard says so; a
// SIGBUS that is not its own goes to the handler that was there before.
#include "credenet/util/map_guard.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "credenet/util/portable.hpp"

using credenet::CutOffError;
using credenet::MapGuard;

namespace {

const auto kPage = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));

// A file of ones in a folder for temporary files, mapped into memory.
class Mapping {
 public:
  explicit Mapping(std::size_t size) : size_(size) {
    std::string name = "/tmp/credenet_map_guard_XXXXXX";
    file_ = ::mkstemp(name.data());
    CHECK(file_ >= 0);
    ::unlink(name.c_str());
    const std::vector<char> ones(size, 1);
    CHECK(::write(file_, ones.data(), size) == static_cast<ssize_t>(size));
    void* start = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file_, 0);
    CHECK(start != MAP_FAILED);
    bytes_ = static_cast<const std::byte*>(start);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    ::munmap(const_cast<std::byte*>(bytes_), size_);
    ::close(file_);
  }
  void cut(std::size_t size) const { CHECK(::ftruncate(file_, static_cast<off_t>(size)) == 0); }
  [[nodiscard]] std::size_t sum() const {
    std::size_t sum = 0;
    const volatile std::byte* bytes = bytes_;
    for (std::size_t at = 0; at < size_; ++at) sum += static_cast<std::size_t>(bytes[at]);
    return sum;
  }
  [[nodiscard]] std::unique_ptr<MapGuard> guard() const {
    return std::make_unique<MapGuard>(std::span(bytes_, size_), file_, "a.cnb");
  }

 private:
  std::size_t size_;
  int file_ = -1;
  const std::byte* bytes_ = nullptr;
};

void check_cut(std::size_t size, std::size_t left) {
  const Mapping mapping(size);
  const auto guard = mapping.guard();
  guard->check();
  CHECK(mapping.sum() == size);
  mapping.cut(left);
  CHECK(mapping.sum() == left);
  CHECK_THROWS(guard->check(), CutOffError);
  try {
    guard->check();
  } catch (const CutOffError& error) {
    CHECK(error.path() == "a.cnb");
  }
}

void check_threads() {
  const Mapping first(20 * kPage);
  const Mapping second(20 * kPage);
  const auto guard = first.guard();
  const auto other = second.guard();
  first.cut(3 * kPage);
  {
    credenet::JoinedThreads readers;
    for (int at = 0; at < 4; ++at) {
      readers.start([&] { CHECK(first.sum() == 3 * kPage && second.sum() == 20 * kPage); });
    }
  }
  CHECK_THROWS(guard->check(), CutOffError);
  other->check();
}

// The signal that ends a process which reads a file that nobody guards any more; minus the exit
// status if there is none.
int signal_of_reader(void (*handler)(int)) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (handler != nullptr) std::signal(SIGBUS, handler);
    const Mapping mapping(4 * kPage);
    mapping.guard().reset();
    mapping.cut(kPage);
    std::_Exit(mapping.sum() == 0 ? 1 : 2);
  }
  int status = 0;
  CHECK(::waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

}  // namespace

int main() {
  check_cut(5 * kPage, 2 * kPage);
  check_cut(5 * kPage, 2 * kPage + 17);
  check_cut(5 * kPage + 100, 0);
  check_cut(100, 10);  // No page is gone, so there is no signal.
  check_threads();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK(signal_of_reader(nullptr) == SIGBUS);
#endif
  CHECK(signal_of_reader([](int) { std::_Exit(7); }) == -7);
  return 0;
}
