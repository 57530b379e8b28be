// Rows of any length, numbered from 0 as they are added, in a file without a name: it is gone when
// this is, however the process ends. Any row is read by its number.
//
//   TWINSET_ASSIGN(RowStore rows, RowStore::make(files, "/tmp"));
//   TWINSET_TRY(rows.append("{\"id\": \"n4\"}"));
//   TWINSET_TRY(rows.seal());
//   TWINSET_TRY(rows.read(0, row));
//
// In memory are 16 bytes for each 64 rows or 32 KiB, and a buffer of a MiB until seal().
//
// Threads: one until seal(), then any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

class RowStore {
 public:
  /// `tmp`: the folder of the file; empty: the system's. Error (io): it cannot be made.
  static Result<RowStore> make(FileSystem& files, const std::string& tmp);

  Status append(std::string_view row);
  /// Ends adding.
  Status seal();

  std::uint64_t rows() const { return rows_; }
  std::uint64_t memory_bytes() const { return groups_.capacity() * sizeof(Group); }
  /// Of groups of many bytes, among rows of so many; those of many rows are beside that.
  static std::uint64_t memory_of(std::uint64_t bytes) {
    return bytes / group_bytes * sizeof(Group);
  }

  /// Replaces `out` by a row. Error (io): the file has lost it.
  Status read(std::uint64_t number, std::string& out) const;
  /// Gives rows [first, end) in order until `use` returns false.
  Status for_each(
      std::uint64_t first, std::uint64_t end,
      const std::function<Result<bool>(std::uint64_t number, std::string_view row)>& use) const;

 private:
  /// Rows that are read together.
  struct Group {
    std::uint64_t first_row = 0;
    std::uint64_t offset = 0;
  };

  static constexpr std::uint64_t group_rows = 64;
  static constexpr std::uint64_t group_bytes = std::uint64_t{32} << 10;

  RowStore() = default;
  Status flush();
  std::size_t group_of(std::uint64_t number) const;
  std::uint64_t end_of(std::size_t group) const {
    return group + 1 < groups_.size() ? groups_[group + 1].offset : end_;
  }

  std::unique_ptr<File> file_;
  std::vector<Group> groups_;
  std::string pending_;
  std::uint64_t end_ = 0;  ///< of all rows, those in `pending_` too
  std::uint64_t rows_ = 0;
};

}  // namespace twinset
