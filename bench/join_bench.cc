// Grouping of shared keys and union-find as `cluster` uses them, each beside what
// one would write first, in the same run.
//
//   build/bench/bench/join_bench --benchmark_counters_tabular=true
//
// The rows are {key, document}, 40 keys a document: half of the keys are held once,
// half are drawn from a pool of an eighth of the rows, four documents a key. Grouping
// counts from the first row added to the last group seen. Edges come at random, or in
// the order of their later document, as pairs are stored; `per_second` is the thing
// to look at.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "join/shared_keys.h"
#include "join/union_find.h"
#include "scheme/scheme.h"
#include "system/files.h"

namespace twinset {
namespace {

constexpr std::uint64_t keys_a_document = 40;

void report(benchmark::State& state, std::size_t each) {
  state.counters["per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(each),
                         benchmark::Counter::kIsRate);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * each));
}

// ---- Grouping ----

const std::vector<KeyRow>& rows(std::int64_t count) {
  static std::vector<KeyRow> made;
  if (std::ssize(made) != count) {
    std::mt19937_64 random(1);
    made.clear();
    const auto size = static_cast<std::uint64_t>(count);
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t key = random() % 2 == 0 ? random() : mix64(1 + random() % (size / 8));
      made.push_back({key, DocumentId(0, 1 + i / keys_a_document)});
    }
  }
  return made;
}

struct ByKey {
  bool operator()(const KeyRow& a, const KeyRow& b) const {
    return a.key != b.key ? a.key < b.key : a.document < b.document;
  }
};

void group_by_std_sort(benchmark::State& state) {
  const std::vector<KeyRow>& from = rows(state.range(0));
  for (auto _ : state) {
    std::vector<KeyRow> sorted = from;
    std::sort(sorted.begin(), sorted.end(), ByKey());
    std::uint64_t shared = 0;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      shared += sorted[i].key == sorted[i - 1].key ? 1 : 0;
    }
    benchmark::DoNotOptimize(shared);
  }
  report(state, from.size());
}

/// A number for each key, then a counting sort by it.
void group_by_hash_map(benchmark::State& state) {
  const std::vector<KeyRow>& from = rows(state.range(0));
  for (auto _ : state) {
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;
    std::vector<std::uint32_t> ends(1, 0);
    std::vector<std::uint32_t> number(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto next = static_cast<std::uint32_t>(numbers.size());
      number[i] = numbers.try_emplace(from[i].key, next).first->second;
      if (number[i] == next) ends.push_back(0);
      ++ends[number[i] + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<DocumentId> documents(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) documents[ends[number[i]]++] = from[i].document;
    benchmark::DoNotOptimize(documents.data());
  }
  report(state, from.size());
}

void group_keys(benchmark::State& state) {
  const std::vector<KeyRow>& from = rows(state.range(0));
  RunContext context;
  context.files = &disk();
  const std::string path = (std::filesystem::temp_directory_path() / "twinset-join-bench").string();
  const auto scheme = make_scheme("mod(modulus=1)", 0.5);
  if (!scheme.ok()) return state.SkipWithError(scheme.error().text().c_str());
  const std::uint64_t documents = from.size() / keys_a_document + 1;
  const DocumentTable table(std::vector<std::uint64_t>{documents}, 0);
  std::vector<SampleSizes> sizes(documents);
  for (auto _ : state) {
    PartitionedRows<KeyRow> store(
        {.context = &context, .path = path, .memory_bytes = from.size() * sizeof(KeyRow) * 4});
    bool done = true;
    for (std::size_t i = 0; i < from.size(); i += 8192) {
      const std::size_t size = std::min<std::size_t>(8192, from.size() - i);
      done = done && store.append(std::span(from).subspan(i, size)).ok();
    }
    KeyGroups groups({.context = &context, .path = path, .memory_bytes = std::uint64_t{1} << 30});
    if (!done || !groups.gather(store, table, *scheme.value(), 1000, sizes).ok()) {
      state.SkipWithError("grouping failed");
    }
    benchmark::DoNotOptimize(groups.report().members);
  }
  report(state, from.size());
}

// ---- Union-find ----

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// As many edges as nodes, at most 20 million, between any two.
const std::vector<Edge>& random_edges(std::uint32_t nodes) {
  static std::vector<Edge> made;
  static std::uint32_t made_for = 0;
  if (made_for != nodes) {
    std::mt19937_64 random(2);
    made.resize(std::min<std::size_t>(nodes, 20'000'000));
    for (Edge& edge : made) {
      edge = {static_cast<std::uint32_t>(random() % nodes),
              static_cast<std::uint32_t>(random() % nodes)};
    }
    made_for = nodes;
  }
  return made;
}

/// In the order of the later document; every second has an earlier copy, up to a
/// hundredth of the collection away.
const std::vector<Edge>& edges_by_document(std::uint32_t nodes) {
  static std::vector<Edge> made;
  static std::uint32_t made_for = 0;
  if (made_for != nodes) {
    std::mt19937_64 random(3);
    made.clear();
    for (std::uint32_t a = nodes / 100; a < nodes && made.size() < 20'000'000; ++a) {
      if (random() % 2 == 0) {
        made.emplace_back(a, a - 1 - static_cast<std::uint32_t>(random() % (nodes / 100)));
      }
    }
    made_for = nodes;
  }
  return made;
}

/// Union by rank, paths compressed (Tarjan 1975), as textbooks have it.
class TextbookUnionFind {
 public:
  explicit TextbookUnionFind(std::uint32_t size) : parents_(size), ranks_(size, 0) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }
  std::uint32_t find(std::uint32_t member) {
    std::uint32_t root = member;
    while (parents_[root] != root) root = parents_[root];
    while (parents_[member] != root) member = std::exchange(parents_[member], root);
    return root;
  }
  bool unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (ranks_[a] < ranks_[b]) std::swap(a, b);
    parents_[b] = a;
    if (ranks_[a] == ranks_[b]) ++ranks_[a];
    return true;
  }

 private:
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint8_t> ranks_;
};

template <class Components>
void unite(benchmark::State& state, const std::vector<Edge>& (*make_edges)(std::uint32_t)) {
  const auto nodes = static_cast<std::uint32_t>(state.range(0));
  const std::vector<Edge>& edges = make_edges(nodes);
  for (auto _ : state) {
    state.PauseTiming();
    Components components(nodes);
    state.ResumeTiming();
    std::uint64_t joined = 0;
    for (const auto& [a, b] : edges) joined += components.unite(a, b) ? 1 : 0;
    benchmark::DoNotOptimize(joined);
  }
  report(state, edges.size());
}

BENCHMARK(group_by_std_sort)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(group_by_hash_map)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(group_keys)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);

const bool registered = [] {
  for (const std::int64_t nodes : {10'000'000, 100'000'000}) {
    const auto add = [nodes](const char* name, auto&&... arguments) {
      benchmark::RegisterBenchmark(name, arguments...)->Arg(nodes)->Unit(benchmark::kMillisecond);
    };
    add("unite/textbook/random", unite<TextbookUnionFind>, random_edges);
    add("unite/twinset/random", unite<UnionFind>, random_edges);
    add("unite/textbook/by_document", unite<TextbookUnionFind>, edges_by_document);
    add("unite/twinset/by_document", unite<UnionFind>, edges_by_document);
  }
  return true;
}();

}  // namespace
}  // namespace twinset
