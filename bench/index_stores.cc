// index_stores: how long an index takes to open and to answer, and how its postings compare with
// RocksDB and sqlite that hold the same keys.
//
//   collection write --documents 1000000 --mean-words 800 --largest 1000 | twinset index add x -
//   index_stores x --documents 1000000 --mean-words 800 --largest 1000 --queries 2000
//   index_stores x ... --stores /tmp/stores          # and the same keys in the other stores
//
// The questions are texts of the collection and as many that it has not, in turn. All are asked
// once before they are timed. Times are wall times of one thread each; of the longest questions it
// tells whether they waited for a page, or for a core.
#include <fmt/core.h>
#include <sys/resource.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "index/find.h"
#include "index/snapshot.h"
#include "support_runs/synthetic.h"
#include "system/files.h"
#include "twinset/index.h"

#ifdef TWINSET_BENCH_ROCKSDB
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#endif
#ifdef TWINSET_BENCH_SQLITE
#include <sqlite3.h>
#endif

namespace twinset {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <class Value>
Value must(Result<Value> result) {
  if (result.ok()) return std::move(result).value();
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::exit(1);
}

void must(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.error().message.c_str());
  std::exit(1);
}

/// Prints the median, the 99th of a hundred, and the longest, in milliseconds.
void print_times(const std::string& what, std::vector<double> seconds, double total) {
  std::ranges::sort(seconds);
  const auto at = [&](double share) {
    return 1000 *
           seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
  };
  fmt::print("{:34} p50 {:8.3f} ms  p99 {:8.3f} ms  longest {:8.3f} ms  {:8.0f}/s\n", what, at(0.5),
             at(0.99), at(1), static_cast<double>(seconds.size()) / total);
}

std::vector<std::string> questions(const SyntheticOptions& options, std::size_t count) {
  SyntheticOptions other = options;
  other.seed += 1;
  const SyntheticCollection known = must(SyntheticCollection::make(options));
  const SyntheticCollection unknown = must(SyntheticCollection::make(other));
  std::vector<std::string> texts(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t document = mix64(i) % options.documents;
    (i % 2 == 0 ? known : unknown).text(document, texts[i]);
  }
  return texts;
}

/// What a thread has taken and was made to wait for.
struct Waits {
  double seconds = 0;  ///< of the clock of the wall
  double cpu_seconds = 0;
  long read_pages = 0;  ///< that were not in memory
  long new_pages = 0;   ///< that were in memory, but not in this process
  long taken_away = 0;  ///< the times that another process got the core

  static Waits now() {
    rusage used{};
    ::getrusage(RUSAGE_THREAD, &used);
    timespec cpu{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    return {std::chrono::duration<double>(Clock::now().time_since_epoch()).count(),
            static_cast<double>(cpu.tv_sec) + 1e-9 * static_cast<double>(cpu.tv_nsec),
            used.ru_majflt, used.ru_minflt, used.ru_nivcsw};
  }
  Waits since(const Waits& before) const {
    return {seconds - before.seconds, cpu_seconds - before.cpu_seconds,
            read_pages - before.read_pages, new_pages - before.new_pages,
            taken_away - before.taken_away};
  }
};

/// Of the longest questions, where their time went.
void print_longest(std::vector<Waits> all) {
  const std::size_t count = std::min<std::size_t>(all.size(), 3);
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(count), std::greater(),
                            &Waits::seconds);
  for (std::size_t i = 0; i < count; ++i) {
    fmt::print(
        "  {:8.3f} ms, {:.3f} of them on a core; {} pages read, {} mapped; the core lost {} "
        "times\n",
        1000 * all[i].seconds, 1000 * all[i].cpu_seconds, all[i].read_pages, all[i].new_pages,
        all[i].taken_away);
  }
}

void ask_index(const std::string& folder, const std::vector<std::string>& texts,
               const QuerySettings& settings, unsigned threads, unsigned rounds) {
  double open = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto begin = Clock::now();
    must(Index::open(folder));
    open = std::min(open, seconds_since(begin));
  }
  const Index index = must(Index::open(folder));
  const IndexStats stats = index.stats();
  fmt::print("{} documents, {} segments, {:.0f} bytes a document; open {:.1f} ms\n",
             stats.documents, stats.segments,
             static_cast<double>(stats.bytes) / static_cast<double>(stats.documents), 1000 * open);
  std::uint64_t hits = 0;
  for (const std::string& text : texts) hits += must(index.query(text, settings)).hits.size();
  fmt::print("{} questions, {} hits\n", texts.size(), hits);
  for (unsigned round = 0; round < rounds; ++round) {
    std::vector<std::vector<Waits>> times(threads);
    const auto begin = Clock::now();
    std::vector<std::jthread> running;
    for (unsigned thread = 0; thread < threads; ++thread) {
      running.emplace_back([&, thread] {
        for (std::size_t i = thread; i < texts.size(); i += threads) {
          const Waits before = Waits::now();
          must(index.query(texts[i], settings));
          times[thread].push_back(Waits::now().since(before));
        }
      });
    }
    running.clear();
    const double total = seconds_since(begin);
    std::vector<double> seconds;
    std::vector<Waits> all;
    for (const auto& some : times) all.insert(all.end(), some.begin(), some.end());
    for (const Waits& each : all) seconds.push_back(each.seconds);
    print_times(fmt::format("query, {} thread{}", threads, threads == 1 ? "" : "s"),
                std::move(seconds), total);
    print_longest(std::move(all));
  }
}

/// A key of one of the schemes, as stores hold it: 40 bits.
struct StoreKey {
  std::uint8_t scheme = 0;
  std::uint64_t kept = 0;
};

/// Calls `use(key, document)` for all postings of the schemes, segment by segment in order;
/// documents are numbered over all segments.
template <class Use>
std::uint64_t for_each_key(const IndexSnapshot& snapshot, const Use& use) {
  std::uint64_t rows = 0;
  std::uint64_t first = 0;
  for (const IndexSnapshot::Part& part : snapshot.parts()) {
    for (std::size_t scheme = 0; scheme < snapshot.signer().schemes().size(); ++scheme) {
      must(for_each_row(part.segment->keys(scheme), [&](const Posting& row) {
        use(StoreKey{static_cast<std::uint8_t>(scheme), row.key},
            static_cast<std::uint32_t>(first + row.document));
        ++rows;
      }));
    }
    first += part.segment->documents();
  }
  return rows;
}

std::uint64_t bytes_below(const std::string& folder) {
  std::uint64_t bytes = 0;
  for (const auto& each : std::filesystem::recursive_directory_iterator(folder)) {
    if (each.is_regular_file()) bytes += each.file_size();
  }
  return bytes;
}

/// Looks the keys of each question up by `find(key)`, which returns the number of documents.
template <class Find>
void look_up(const std::string& what, const std::vector<std::vector<StoreKey>>& asked,
             const Find& find) {
  std::uint64_t found = 0;
  for (const auto& keys : asked) {
    for (const StoreKey& key : keys) found += find(key);
  }
  std::vector<double> times;
  const auto begin = Clock::now();
  for (const auto& keys : asked) {
    const auto one = Clock::now();
    std::uint64_t documents = 0;
    for (const StoreKey& key : keys) documents += find(key);
    times.push_back(seconds_since(one));
    if (documents > UINT32_MAX) return;
  }
  print_times(fmt::format("{}, {} found", what, found), std::move(times), seconds_since(begin));
}

#ifdef TWINSET_BENCH_ROCKSDB
std::string big_endian(const StoreKey& key, const std::uint32_t* document) {
  std::string out(1, static_cast<char>(key.scheme));
  for (int shift = 32; shift >= 0; shift -= 8) out += static_cast<char>(key.kept >> shift & 0xff);
  if (document == nullptr) return out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(*document >> shift & 0xff);
  return out;
}

void use_rocksdb(const std::string& folder, const IndexSnapshot& snapshot,
                 const std::vector<std::vector<StoreKey>>& asked) {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.PrepareForBulkLoad();
  options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(6));
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.block_cache = rocksdb::NewLRUCache(std::size_t{4} << 30);
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocksdb::DB* opened = nullptr;
  if (const rocksdb::Status status = rocksdb::DB::Open(options, folder, &opened); !status.ok()) {
    fmt::print("RocksDB: {}\n", status.ToString());
    return;
  }
  const std::unique_ptr<rocksdb::DB> store(opened);
  rocksdb::WriteOptions writing;
  writing.disableWAL = true;
  const auto begin = Clock::now();
  const std::uint64_t rows =
      for_each_key(snapshot, [&](const StoreKey& key, std::uint32_t document) {
        store->Put(writing, big_endian(key, &document), "");
      });
  store->CompactRange({}, nullptr, nullptr);
  fmt::print("RocksDB: {} rows in {:.1f} s, {:.2f} bytes a row\n", rows, seconds_since(begin),
             static_cast<double>(bytes_below(folder)) / static_cast<double>(rows));
  rocksdb::ReadOptions reading;
  reading.prefix_same_as_start = true;
  look_up("RocksDB", asked, [&](const StoreKey& key) {
    const std::string prefix = big_endian(key, nullptr);
    const std::unique_ptr<rocksdb::Iterator> at(store->NewIterator(reading));
    std::uint64_t found = 0;
    for (at->Seek(prefix); at->Valid() && at->key().starts_with(prefix); at->Next()) ++found;
    return found;
  });
}
#endif

#ifdef TWINSET_BENCH_SQLITE
void use_sqlite(const std::string& folder, const IndexSnapshot& snapshot,
                const std::vector<std::vector<StoreKey>>& asked) {
  std::filesystem::create_directories(folder);
  sqlite3* store = nullptr;
  if (sqlite3_open((folder + "/keys.db").c_str(), &store) != SQLITE_OK) return;
  const auto run = [&](const char* sql) { sqlite3_exec(store, sql, nullptr, nullptr, nullptr); };
  run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-4000000;");
  run("CREATE TABLE keys(key INTEGER, document INTEGER, PRIMARY KEY(key, document)) WITHOUT ROWID");
  const auto whole = [](const StoreKey& key) {
    return static_cast<sqlite3_int64>(std::uint64_t{key.scheme} << 40 | key.kept);
  };
  const auto begin = Clock::now();
  run("BEGIN");
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(store, "INSERT INTO keys VALUES(?, ?)", -1, &insert, nullptr);
  const std::uint64_t rows =
      for_each_key(snapshot, [&](const StoreKey& key, std::uint32_t document) {
        sqlite3_bind_int64(insert, 1, whole(key));
        sqlite3_bind_int64(insert, 2, document);
        sqlite3_step(insert);
        sqlite3_reset(insert);
      });
  sqlite3_finalize(insert);
  run("COMMIT");
  fmt::print("sqlite: {} rows in {:.1f} s, {:.2f} bytes a row\n", rows, seconds_since(begin),
             static_cast<double>(bytes_below(folder)) / static_cast<double>(rows));
  sqlite3_stmt* select = nullptr;
  sqlite3_prepare_v2(store, "SELECT document FROM keys WHERE key = ?", -1, &select, nullptr);
  look_up("sqlite", asked, [&](const StoreKey& key) {
    sqlite3_bind_int64(select, 1, whole(key));
    std::uint64_t found = 0;
    while (sqlite3_step(select) == SQLITE_ROW) ++found;
    sqlite3_reset(select);
    return found;
  });
  sqlite3_finalize(select);
  sqlite3_close(store);
}
#endif

void compare_stores(const std::string& folder, const std::string& stores,
                    const std::vector<std::string>& texts) {
  const IndexSnapshot snapshot = must(IndexSnapshot::open(disk(), folder));
  std::vector<std::vector<StoreKey>> asked;
  RecordView view(snapshot.signer().view());
  std::vector<Marks> marks;
  for (const std::string& text : texts) {
    Record record;
    record.text = text;
    view.look_at(record);
    snapshot.signer().mark(view, marks);
    std::vector<StoreKey>& keys = asked.emplace_back();
    for (std::size_t scheme = 0; scheme < marks.size(); ++scheme) {
      for (const std::uint64_t key : marks[scheme].keys) {
        keys.push_back({static_cast<std::uint8_t>(scheme), Posting::kept(key)});
      }
    }
  }
  std::filesystem::create_directories(stores);
  std::uint64_t bytes = 0;
  for (const IndexSnapshot::Part& part : snapshot.parts()) {
    bytes += std::filesystem::file_size(part.listed.folder(folder) + "/keys");
  }
  const std::uint64_t rows = for_each_key(snapshot, [](const StoreKey&, std::uint32_t) {});
  fmt::print("postings: {} rows, {:.2f} bytes a row (ids, URLs and tokens included)\n", rows,
             static_cast<double>(bytes) / static_cast<double>(rows));
  look_up("postings", asked, [&](const StoreKey& key) {
    std::uint64_t found = 0;
    for (const IndexSnapshot::Part& part : snapshot.parts()) {
      const Postings& postings = part.segment->keys(key.scheme);
      const PostingRange range = must(postings.find(key.kept << (64 - Posting::kept_bits)));
      must(postings.for_each_document(range, [&](std::uint64_t) {
        ++found;
        return true;
      }));
    }
    return found;
  });
#ifdef TWINSET_BENCH_ROCKSDB
  use_rocksdb(stores + "/rocksdb", snapshot, asked);
#else
  fmt::print("RocksDB is not installed: librocksdb-dev\n");
#endif
#ifdef TWINSET_BENCH_SQLITE
  use_sqlite(stores + "/sqlite", snapshot, asked);
#else
  fmt::print("sqlite is not installed: libsqlite3-dev\n");
#endif
}

}  // namespace
}  // namespace twinset

int main(int argc, char** argv) {
  CLI::App app("Times questions to an index, and stores of the same keys");
  std::string index;
  std::string stores;
  twinset::SyntheticOptions options;
  twinset::QuerySettings settings;
  std::size_t count = 2000;
  unsigned threads = 1;
  unsigned rounds = 1;
  app.add_option("index", index, "Folder of the index")->required();
  app.add_option("--documents", options.documents, "As of collection");
  app.add_option("--seed", options.seed, "As of collection");
  app.add_option("--largest", options.largest_cluster, "As of collection");
  app.add_option("--mean-words", options.mean_words, "As of collection");
  app.add_option("--queries", count, "Questions");
  app.add_option("--threads", threads, "Threads that ask");
  app.add_option("--rounds", rounds, "Times that all are asked");
  app.add_option("--top", settings.top, "Hits of an answer");
  app.add_option("--stores", stores, "A new folder for the other stores");
  CLI11_PARSE(app, argc, argv);
  const std::vector<std::string> texts = twinset::questions(options, count);
  twinset::ask_index(index, texts, settings, threads, rounds);
  if (!stores.empty()) twinset::compare_stores(index, stores, texts);
  return 0;
}
