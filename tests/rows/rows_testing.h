// Shared by the tests of rows: a context, small row types, files of bytes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "base/hash.h"
#include "rows/rows.h"
#include "support/scratch_folder.h"
#include "system/context.h"
#include "system/threads.h"

namespace twinset::testing {

inline std::size_t files_in(const ScratchFolder& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()),
                                                std::filesystem::directory_iterator()));
}

/// Does the message name what failed, a file of the folder, and a full disk?
inline bool tells_of_full_disk(const Error& error, const ScratchFolder& folder) {
  return error.message.starts_with("cannot ") &&
         error.message.find(folder.path()) != std::string::npos &&
         error.message.ends_with(": No space left on device");
}

struct KeyedRow {
  std::uint64_t key = 0;
  std::uint64_t value = 0;
  auto operator<=>(const KeyedRow&) const = default;
};

struct ByValue {
  bool operator()(const KeyedRow& a, const KeyedRow& b) const { return a.value < b.value; }
};
struct ByKeyAndValue {
  bool operator()(const KeyedRow& a, const KeyedRow& b) const { return a < b; }
};

inline RunContext context_on(FileSystem& files, unsigned threads = 1) {
  RunContext context;
  context.files = &files;
  context.threads = threads;
  return context;
}

/// The bytes of a file, and a file of given bytes.
inline std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}
inline void put_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Changes one byte in place.
inline void flip_byte(const std::string& path, std::size_t at, int flip) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(at));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(at));
  file.put(static_cast<char>(byte ^ flip));
}

/// All rows of a cursor, or its Error.
template <class Row>
Result<std::vector<Row>> rows_of(Result<std::unique_ptr<RowCursor<Row>>> cursor) {
  if (!cursor.ok()) return cursor.error();
  std::vector<Row> rows;
  while (const Row* row = cursor.value()->peek()) {
    rows.push_back(*row);
    cursor.value()->advance();
  }
  if (!cursor.value()->status().ok()) return cursor.value()->status().error();
  return rows;
}

/// Appends rows from all of the context's threads, in batches of varying size.
template <class Store, class Row>
Status append_from_threads(const RunContext& context, Store& store, const std::vector<Row>& rows,
                           std::size_t batch) {
  std::atomic<std::size_t> next = 0;
  return run_workers(context.threads, [&](unsigned) -> Status {
    while (true) {
      const std::size_t begin = next.fetch_add(batch);
      if (begin >= rows.size()) return {};
      const std::size_t size = std::min(batch, rows.size() - begin);
      TWINSET_TRY(store.append(std::span<const Row>(rows.data() + begin, size)));
    }
  });
}

/// What for_each_group yields, in the order of keys.
class Groups {
 public:
  struct Group {
    std::vector<KeyedRow> rows;
    bool operator==(const Group&) const = default;
  };

  /// Collects the groups of one worker.
  class Visitor {
   public:
    explicit Visitor(Groups& all) : all_(all) {}
    Status row(const KeyedRow& row, bool first) {
      if (first) {
        groups_.push_back({{row}});
      } else {
        EXPECT_FALSE(groups_.empty());
        EXPECT_EQ(groups_.back().rows.back().key, row.key) << "a group's rows are not together";
        groups_.back().rows.push_back(row);
      }
      return {};
    }
    Status finish() {
      const std::lock_guard lock(all_.mutex_);
      ++all_.finished_;
      all_.groups_.insert(all_.groups_.end(), groups_.begin(), groups_.end());
      return {};
    }

   private:
    Groups& all_;
    std::vector<Group> groups_;
  };

  std::vector<Group> sorted() {
    std::sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
      return a.rows.front().key < b.rows.front().key;
    });
    return groups_;
  }
  unsigned finished() const { return finished_; }

 private:
  std::mutex mutex_;
  std::vector<Group> groups_;
  unsigned finished_ = 0;
};

/// Runs for_each_group with order by value, keeping all but rows with value % 16 == 7.
template <class Store>
Result<std::vector<Groups::Group>> groups_of(Store& store,
                                             twinset::Groups which = twinset::Groups::shared) {
  Groups groups;
  const Status done =
      store.for_each_group([](KeyedRow& row) { return row.value % 16 != 7; }, ByValue{},
                           [&](unsigned) { return Groups::Visitor(groups); }, which);
  if (!done.ok()) return done.error();
  EXPECT_GE(groups.finished(), 1U);
  return groups.sorted();
}

/// The same by sorting everything; groups of `least` rows and more.
inline std::vector<Groups::Group> expected_groups(std::vector<KeyedRow> rows,
                                                  std::size_t least = 2) {
  std::erase_if(rows, [](const KeyedRow& row) { return row.value % 16 == 7; });
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::vector<Groups::Group> groups;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i;
    while (end < rows.size() && rows[end].key == rows[i].key) ++end;
    if (end - i >= least)
      groups.push_back({{rows.begin() + static_cast<std::ptrdiff_t>(i),
                         rows.begin() + static_cast<std::ptrdiff_t>(end)}});
    i = end;
  }
  return groups;
}

}  // namespace twinset::testing
