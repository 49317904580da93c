#include "credenet/lattice/breadth_first.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "brute_force.hpp"
#include "check.hpp"
#include "credenet/lattice/subset_dp.hpp"
#include "credenet/util/scratch_file.hpp"

using credenet::breadth_first;
using credenet::BreadthFirstOptions;
using credenet::ComponentLists;
using credenet::Heuristic;
using credenet::NoControl;
using credenet::Random;
using credenet::ScratchError;
using credenet::SearchResult;
using credenet::SimpleHeuristic;
using credenet::Status;

namespace {

// A heuristic that adds nothing: scores are negative in these tests.
class NothingMore final : public Heuristic {
 public:
  [[nodiscard]] double operator()(std::uint64_t) const override { return 0; }
};

// A directory that is removed in the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "credenet-XXXXXX").string();
    CHECK(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::size_t n_files() const {
    std::size_t n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      n += entry.exists() ? 1 : 0;
    return n;
  }

 private:
  std::filesystem::path path_;
};

SearchResult solve(const ComponentLists& lists, const BreadthFirstOptions& options) {
  NoControl control;
  return breadth_first(lists, SimpleHeuristic(lists), options, control);
}

double optimum(const ComponentLists& lists) {
  NoControl control;
  return credenet::subset_dp(lists, {}, control).score;
}

// A network by placing variables wherever that is possible; nothing if it gets stuck.
std::vector<std::int32_t> some_network(const ComponentLists& lists) {
  const std::size_t n = lists.n_variables();
  std::vector<std::int32_t> families(n, 0);
  std::uint64_t placed = 0;
  for (std::size_t round = 0; round < n; ++round) {
    for (std::size_t v = 0; v < n; ++v) {
      const std::size_t k = lists.best(v, placed);
      if ((placed >> v & 1) != 0 || k == lists.size(v)) continue;
      families[v] = static_cast<std::int32_t>(k);
      placed |= std::uint64_t{1} << v;
    }
  }
  if (placed + 1 != std::uint64_t{1} << n) families.clear();
  return families;
}

void test_against_all_networks() {
  Random random(13);
  int n_infeasible = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + random.below(5);
    const ComponentLists lists = draw_lists(random, n, 6, 3, random.below(3) != 0);
    const double best = best_of_all_networks(lists);
    n_infeasible += best == kNoNetwork ? 1 : 0;
    NoControl control;
    check_finished(lists, breadth_first(lists, NothingMore(), {}, control), best);
    bool has_families = true;
    for (std::size_t v = 0; v < n; ++v) has_families = has_families && lists.size(v) > 0;
    if (!has_families) continue;
    check_finished(lists, solve(lists, {}), best);
    if (best == kNoNetwork) continue;
    check_finished(lists, solve(lists, {.start = some_network(lists)}), best);
  }
  CHECK(n_infeasible > 30 && n_infeasible < 80);
}

void test_against_all_orders() {
  Random random(15);
  for (int trial = 0; trial < 20; ++trial) {
    const ComponentLists lists = draw_lists(random, 6 + random.below(2), 30, 4, trial % 2 == 0);
    check_finished(lists, solve(lists, {.start = some_network(lists)}), best_of_all_orders(lists));
  }
}

// Checks a best network as the start, which leaves little to do; nothing is lost by ties.
void test_start() {
  Random random(17);
  for (int trial = 0; trial < 20; ++trial) {
    const ComponentLists lists = draw_lists(random, 12, 20, 3, true);
    const SearchResult plain = solve(lists, {});
    check_finished(lists, plain, optimum(lists));
    const SearchResult again = solve(lists, {.start = plain.families});
    check_finished(lists, again, plain.score);
    CHECK(again.families == plain.families);
    CHECK(again.n_expanded < plain.n_expanded);
    for (std::size_t at = 1; at < again.trace.size(); ++at) {
      CHECK(again.trace[at].bound <= again.trace[at - 1].bound);
      CHECK(again.trace[at].bound >= plain.score);
    }
  }
}

// Checks layers of more than one range; threads and files change nothing.
void test_ranges() {
  Random random(19);
  const ComponentLists lists = draw_lists(random, 16, 40, 4, true);
  const SearchResult plain = solve(lists, {});
  check_finished(lists, plain, optimum(lists));
  CHECK(plain.n_expanded == (1 << 16) - 1);
  // The start is a best network in which some variables have lost their parents.
  std::vector<std::int32_t> start = plain.families;
  for (std::size_t v = 0; v < 2; ++v) start[v] = static_cast<std::int32_t>(lists.size(v) - 1);
  const SearchResult pruned = solve(lists, {.start = start});
  CHECK(pruned.n_expanded < plain.n_expanded && pruned.n_expanded > 20'000);
  const TemporaryDirectory directory;
  for (const auto& scratch_dir : {std::filesystem::path(), directory.path()}) {
    for (const unsigned n_threads : {1U, 3U}) {
      const SearchResult other =
          solve(lists, {.scratch_dir = scratch_dir, .n_threads = n_threads, .start = start});
      CHECK(other.families == pruned.families && other.score == plain.score);
      CHECK(other.n_expanded == pruned.n_expanded && other.n_generated == pruned.n_generated);
      CHECK(directory.n_files() == 0);
    }
  }
}

void test_memory() {
  Random random(21);
  const ComponentLists lists = draw_lists(random, 15, 40, 4, true);
  const double best = optimum(lists);
  const SearchResult refused = solve(lists, {.max_bytes = 400'000});
  CHECK(refused.status == Status::kMemoryLimit && refused.families.empty());
  CHECK(refused.bound >= best && refused.peak_bytes <= 400'000);
  const std::vector<std::int32_t> start = some_network(lists);
  const SearchResult known = solve(lists, {.max_bytes = 300'000, .start = start});
  CHECK(known.status == Status::kMemoryLimit && known.families == start);
  CHECK(known.score == lists.score(start) && known.bound >= best);
  const TemporaryDirectory directory;
  const SearchResult filed = solve(lists, {.max_bytes = 400'000, .scratch_dir = directory.path()});
  check_finished(lists, filed, best);
  CHECK(filed.peak_bytes <= 400'000);
  CHECK(directory.n_files() == 0);
  const SearchResult tight = solve(lists, {.max_bytes = 1, .scratch_dir = directory.path()});
  CHECK(tight.status == Status::kMemoryLimit);
}

void test_stop_anywhere() {
  Random random(23);
  const ComponentLists lists = draw_lists(random, 9, 20, 3, true);
  const double best = optimum(lists);
  const std::vector<std::int32_t> start = some_network(lists);
  StopAtPoll all(~std::size_t{0});
  check_finished(lists, breadth_first(lists, SimpleHeuristic(lists), {}, all), best);
  CHECK(all.n_polls() > 10);
  for (std::size_t last = 1; last <= all.n_polls(); ++last) {
    StopAtPoll control(last);
    const SearchResult result =
        breadth_first(lists, SimpleHeuristic(lists), {.start = start}, control);
    if (result.status == Status::kOptimal) {
      check_finished(lists, result, best);
      continue;
    }
    CHECK(result.status == Status::kStopped && control.n_polls() == last);
    CHECK(result.families == start && result.score == lists.score(start));
    CHECK(result.bound >= best - 1e-9);
  }
}

// Checks that a run that was stopped goes on where it was, with more threads or another start, too.
// A file that is damaged or of other lists is not taken up.
void test_resume() {
  Random random(25);
  const ComponentLists lists = draw_lists(random, 12, 30, 3, true);
  const ComponentLists others = draw_lists(random, 12, 30, 3, true);
  const SearchResult whole = solve(lists, {});
  const std::vector<std::int32_t> start = some_network(lists);
  for (const std::size_t last : {1, 40, 70, 100}) {
    const TemporaryDirectory directory;
    const auto stop_in_the_middle = [&] {
      StopAtPoll control(last);
      const BreadthFirstOptions options{.scratch_dir = directory.path()};
      const SearchResult stopped = breadth_first(lists, SimpleHeuristic(lists), options, control);
      CHECK(stopped.status == Status::kStopped && (stopped.n_expanded > 0) == (last > 1));
      CHECK(directory.n_files() > 1);
      return stopped.n_expanded;
    };
    for (const auto& new_start : {std::vector<std::int32_t>{}, start}) {
      const std::uint64_t n_before = stop_in_the_middle();
      check_finished(others, solve(others, {.scratch_dir = directory.path()}), optimum(others));
      const SearchResult resumed =
          solve(lists, {.scratch_dir = directory.path(), .n_threads = 2, .start = new_start});
      check_finished(lists, resumed, whole.score);
      if (new_start.empty()) CHECK(resumed.n_expanded == whole.n_expanded - n_before);
      CHECK(directory.n_files() == 0);
    }
    stop_in_the_middle();
    for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
      if (entry.path().extension() == ".layer") std::filesystem::resize_file(entry.path(), 8);
    }
    const SearchResult afresh = solve(lists, {.scratch_dir = directory.path()});
    check_finished(lists, afresh, whole.score);
    CHECK(afresh.n_expanded == whole.n_expanded);
    CHECK(directory.n_files() == 0);
  }
}

// A control that starts the same search once more from within.
class StartAgain final : public credenet::Control {
 public:
  StartAgain(const ComponentLists& lists, const BreadthFirstOptions& options)
      : lists_(lists), options_(options) {}
  [[nodiscard]] bool poll(const credenet::Progress&) override {
    CHECK_THROWS(solve(lists_, options_), ScratchError);
    return true;
  }

 private:
  const ComponentLists& lists_;
  const BreadthFirstOptions& options_;
};

void test_two_runs() {
  Random random(26);
  const ComponentLists lists = draw_lists(random, 6, 10, 3, true);
  const TemporaryDirectory directory;
  const BreadthFirstOptions options{.scratch_dir = directory.path()};
  StartAgain control(lists, options);
  check_finished(lists, breadth_first(lists, SimpleHeuristic(lists), options, control),
                 optimum(lists));
  CHECK(directory.n_files() == 0);
}

void test_scratch_errors() {
  Random random(27);
  const ComponentLists lists = draw_lists(random, 5, 10, 3, true);
  const TemporaryDirectory directory;
  CHECK_THROWS(solve(lists, {.scratch_dir = directory.path() / "absent"}), ScratchError);
  const std::filesystem::path file = directory.path() / "file";
  std::ofstream(file) << "no directory";
  CHECK_THROWS(solve(lists, {.scratch_dir = file}), ScratchError);
  // The third layer cannot be written, as there is a directory of its name.
  StopAtPoll control(1);
  const BreadthFirstOptions options{.scratch_dir = directory.path()};
  (void)breadth_first(lists, SimpleHeuristic(lists), options, control);
  std::filesystem::path layer;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
    if (entry.path().extension() == ".layer") layer = entry.path();
  }
  std::string name = layer.string();
  name.replace(name.size() - std::string("0.layer").size(), 1, "2");
  std::filesystem::create_directories(std::filesystem::path(name) / "inside");
  CHECK_THROWS(solve(lists, options), ScratchError);
  CHECK(directory.n_files() == 2);  // The file and the directory made here are left.

  credenet::ScratchWriter full("/dev/full");
  const std::vector<std::byte> bytes(1 << 20);
  CHECK_THROWS(full.write(bytes), ScratchError);
}

void test_many_variables() {
  // A chain: every variable but the first has the one before as its only candidate, and 64 sets
  // are left in all.
  BitLists chain;
  for (int v = 0; v < 64; ++v) {
    chain.add_family(-1, v == 0 ? 0 : std::uint64_t{1} << (v - 1));
    chain.end_variable();
  }
  const ComponentLists lists(chain.view(), all_members(64));
  const SearchResult result = solve(lists, {});
  CHECK(result.status == Status::kOptimal && result.score == -64);
  CHECK(result.n_expanded == 64);
  Random random(29);
  const ComponentLists none = draw_lists(random, 0, 0, 1, true);
  CHECK(solve(none, {}).status == Status::kOptimal);
}

}  // namespace

int main() {
  test_against_all_networks();
  test_against_all_orders();
  test_start();
  test_ranges();
  test_memory();
  test_stop_anywhere();
  test_resume();
  test_two_runs();
  test_scratch_errors();
  test_many_variables();
}
