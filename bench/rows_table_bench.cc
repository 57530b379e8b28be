// A frozen table beside what else finds rows by key: std::lower_bound over a vector, and a hash
// map of the standard library.
//
//   build/bench/bench/rows_table_bench
//
// Rows are 16 bytes, a key that is a hash and a number; half of what is asked for is there.
// A blob read by number is held beside a read of the same bytes at a place that is known.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "rows/blob_file.h"
#include "rows/cached_file.h"
#include "rows/table.h"
#include "system/files.h"

namespace twinset {
namespace {

struct Row {
  std::uint64_t key = 0;
  std::uint64_t value = 0;
};

constexpr std::size_t asked_keys = std::size_t{1} << 16;

RunContext context() {
  RunContext made;
  made.files = &disk();
  return made;
}

std::string path_of(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("twinset-bench-" + name)).string();
}

/// Rows in order; keys are hashes of even numbers.
const std::vector<Row>& rows(std::int64_t count) {
  static std::vector<Row> made;
  if (std::ssize(made) != count) {
    made.clear();
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i) {
      made.push_back({mix64(2 * i), i});
    }
    std::sort(made.begin(), made.end(), [](const Row& a, const Row& b) { return a.key < b.key; });
  }
  return made;
}

/// Keys to be found, or keys that are not there.
std::vector<std::uint64_t> asked(std::int64_t count, bool there) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> keys(asked_keys);
  for (std::uint64_t& key : keys) {
    key = mix64(2 * (random() % static_cast<std::uint64_t>(count)) + (there ? 0 : 1));
  }
  return keys;
}

const Table<Row>& table(std::int64_t count) {
  static std::unique_ptr<Table<Row>> opened;
  if (opened == nullptr || opened->rows() != static_cast<std::uint64_t>(count)) {
    const RunContext here = context();
    const std::string path = path_of("table");
    const TableKind kind{"bench", 1, 7};
    TableWriter<Row> writer(here, path, kind, "");
    if (!writer.append(rows(count)).ok() || !writer.finish().ok()) std::abort();
    opened = std::make_unique<Table<Row>>(Table<Row>::open(disk(), path, kind).value());
    if (!opened->verify(here).ok()) std::abort();  // Every page is there.
    std::filesystem::remove(path);
  }
  return *opened;
}

/// Times `find(key)`, which returns a number, over the asked keys.
template <class Find>
void find_each(benchmark::State& state, const Find& find) {
  const std::vector<std::uint64_t> keys = asked(state.range(0), state.range(1) != 0);
  std::uint64_t sum = 0;
  for (auto _ : state) {
    for (const std::uint64_t key : keys) sum += find(key);
  }
  benchmark::DoNotOptimize(sum);
  state.counters["per_key"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * asked_keys,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void TableFind(benchmark::State& state) {
  const Table<Row>& found_in = table(state.range(0));
  find_each(state, [&](std::uint64_t key) {
    const std::span<const Row> found = found_in.find(key).value();
    return found.empty() ? 0 : found.front().value;
  });
}

void LowerBound(benchmark::State& state) {
  const std::vector<Row>& all = rows(state.range(0));
  find_each(state, [&](std::uint64_t key) {
    const auto found = std::lower_bound(
        all.begin(), all.end(), key, [](const Row& row, std::uint64_t k) { return row.key < k; });
    return found == all.end() || found->key != key ? 0 : found->value;
  });
}

void HashMap(benchmark::State& state) {
  std::unordered_map<std::uint64_t, std::uint64_t> map;
  map.reserve(static_cast<std::size_t>(state.range(0)));
  for (const Row& row : rows(state.range(0))) map.emplace(row.key, row.value);
  find_each(state, [&](std::uint64_t key) {
    const auto found = map.find(key);
    return found == map.end() ? 0 : found->second;
  });
}

#define TWINSET_TABLE_BENCH(name) \
  BENCHMARK(name)->ArgsProduct({{10'000'000, 100'000}, {1, 0}})->ArgNames({"rows", "there"})
TWINSET_TABLE_BENCH(TableFind);
TWINSET_TABLE_BENCH(LowerBound);
TWINSET_TABLE_BENCH(HashMap);

constexpr std::uint64_t blobs = 1'000'000;
constexpr std::size_t blob_bytes = 20;

void BlobRead(benchmark::State& state) {
  const RunContext here = context();
  BlobFile file({.context = &here, .path = path_of("blobs"), .fingerprint = 7});
  const std::string blob(blob_bytes, 'x');
  for (std::uint64_t i = 0; i < blobs; ++i) {
    if (!file.append(blob).ok()) std::abort();
  }
  if (!file.flush().ok() || !file.hold(std::uint64_t{1} << 30).ok()) std::abort();
  const std::vector<std::uint64_t> numbers = asked(blobs, true);
  std::string out;
  for (auto _ : state) {
    for (const std::uint64_t number : numbers) {
      if (!file.read(number % blobs, out).ok()) std::abort();
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(asked_keys));
  if (!file.discard().ok()) std::abort();
}
BENCHMARK(BlobRead);

void ReadAtAPlace(benchmark::State& state) {
  const std::string path = path_of("bytes");
  if (!write_file_atomically(disk(), path, std::string(blobs * blob_bytes, 'x')).ok()) std::abort();
  const auto file = disk().open(path, OpenMode::read);
  auto cached = CachedFile::make(*file.value(), blobs * blob_bytes, std::uint64_t{1} << 30);
  const std::vector<std::uint64_t> numbers = asked(blobs, true);
  std::string out;
  for (auto _ : state) {
    for (const std::uint64_t number : numbers) {
      out.resize(blob_bytes);
      if (!cached.value()->read_at(number % blobs * blob_bytes, out.data(), blob_bytes).ok()) {
        std::abort();
      }
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(asked_keys));
  std::filesystem::remove(path);
}
BENCHMARK(ReadAtAPlace);

}  // namespace
}  // namespace twinset
