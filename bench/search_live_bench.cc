// An index in a process that stays, without a service before it: questions to a LiveIndex, alone
// and while documents are added, and documents added one at a time by as many threads.
//
//   build/bench/bench/search_live_bench          # TWINSET_DOCUMENTS=10000000 for more
//
// Documents are texts of 120 words; the questions are texts that the index has, one word replaced.
// `p50_ms` and `p99_ms` are of questions on one thread; `syncs` are those of files, for each
// document added. The folder is made where temporary files are, and removed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "system/forwarding_file.h"
#include "twinset/files.h"
#include "twinset/live_index.h"

namespace twinset {
namespace {

constexpr std::size_t words_each = 120;
constexpr std::size_t documents_an_add = 5'000;

std::uint64_t first_documents() {
  const char* const set = std::getenv("TWINSET_DOCUMENTS");
  return set == nullptr ? 100'000 : std::strtoull(set, nullptr, 10);
}

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

std::string text_of(std::uint64_t document) {
  std::string text;
  for (std::uint64_t i = 0; i < words_each; ++i) {
    text += "w" + std::to_string(mixed((document + 1) << 8 | i) % 100'000) + " ";
  }
  return text;
}

NewDocument document_of(std::uint64_t document) {
  return {.id = std::to_string(document),
          .text = text_of(document),
          .url = "https://h" + std::to_string(document % 997) + ".org/" + std::to_string(document)};
}

/// Counts syncs.
class CountedSyncs final : public ForwardingFiles {
 public:
  CountedSyncs() : ForwardingFiles(disk()) {}
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override;
  std::atomic<std::uint64_t> syncs = 0;
};

class CountedFile final : public ForwardingFile {
 public:
  CountedFile(CountedSyncs& files, std::unique_ptr<File> below)
      : ForwardingFile(std::move(below)), files_(files) {}
  Status sync() override {
    ++files_.syncs;
    return below().sync();
  }

 private:
  CountedSyncs& files_;
};

Result<std::unique_ptr<File>> CountedSyncs::open(const std::string& path, OpenMode mode) {
  TWINSET_ASSIGN(auto file, below().open(path, mode));
  return std::unique_ptr<File>(std::make_unique<CountedFile>(*this, std::move(file)));
}

/// The index of all benchmarks, which only grows.
struct Made {
  Made() {
    std::filesystem::remove_all(folder);
    IndexOptions options;
    options.index = folder / "x";
    options.settings.scheme = {"fss", "mod(samples=16)"};
    options.settings.resemblance = Ratio(4, 5);
    std::filesystem::create_directories(folder);
    if (!create_index(options, {}).ok()) std::abort();
    RunControl control;
    control.files = &files;
    live = std::make_unique<LiveIndex>(
        LiveIndex::open(options.index, LiveAccess::change, control).value());
    for (std::uint64_t first = 0; first < first_documents(); first += documents_an_add) {
      std::vector<NewDocument> some;
      for (std::uint64_t i = 0; i < documents_an_add; ++i) some.push_back(document_of(next++));
      if (!live->add(some).ok()) std::abort();
    }
  }
  ~Made() {
    live.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  static Made& get() {
    static Made made;
    return made;
  }

  std::filesystem::path folder = std::filesystem::temp_directory_path() / "twinset_live_bench";
  CountedSyncs files;
  std::unique_ptr<LiveIndex> live;
  std::atomic<std::uint64_t> next = 0;
};

/// With an argument so many documents are added a second meanwhile.
void questions(benchmark::State& state) {
  Made& made = Made::get();
  std::atomic<bool> ends = false;
  std::thread adder([&] {
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; state.range(0) > 0 && !ends; ++i) {
      std::this_thread::sleep_until(begin +
                                    std::chrono::microseconds(i * 1'000'000 / state.range(0)));
      const NewDocument document = document_of(made.next++);
      if (!made.live->add({&document, 1}).ok()) std::abort();
    }
  });
  std::vector<double> times;
  std::uint64_t asked = 0;
  std::uint64_t found = 0;
  for (auto _ : state) {
    std::string text = text_of(mixed(++asked) % first_documents());
    text.replace(text.find(' ', 300), 1, " another ");
    const auto begin = std::chrono::steady_clock::now();
    found += made.live->current()->query(text).value().hits.empty() ? 0 : 1;
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  ends = true;
  adder.join();
  std::ranges::sort(times);
  state.counters["p50_ms"] = 1000 * times[times.size() / 2];
  state.counters["p99_ms"] = 1000 * times[times.size() * 99 / 100];
  state.counters["found"] = static_cast<double>(found) / static_cast<double>(asked);
  state.counters["segments"] = static_cast<double>(made.live->current()->stats().segments);
}
BENCHMARK(questions)->Arg(0)->Arg(200)->UseRealTime()->MinTime(2);

void additions(benchmark::State& state) {
  Made& made = Made::get();
  const std::uint64_t before = made.files.syncs;
  for (auto _ : state) {
    const NewDocument document = document_of(made.next++);
    if (!made.live->add({&document, 1}).ok()) std::abort();
  }
  if (state.thread_index() == 0) {
    state.counters["syncs"] = static_cast<double>(made.files.syncs - before) /
                              static_cast<double>(state.iterations() * state.threads());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(additions)->Threads(1)->Threads(8)->Threads(64)->UseRealTime();

}  // namespace
}  // namespace twinset
