// The lists of a folder, whose rows are found by their numbers and searched.
//
//   TWINSET_ASSIGN(std::unique_ptr<RowList> spans, spans_rows(files, path, limits));
//   spans->columns();                            // a_id, a_file, ..., tokens, place
//   TWINSET_TRY(spans->for_each(0, 50, use));    // use(number, {"\"d7\"", "\"a.jsonl\"", "83"})
//
// Values are JSON. A nested value is a column for each of its own, with its name before theirs.
//
// Threads: any once read.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "browse/cluster_table.h"
#include "browse/pair_table.h"
#include "browse/row_store.h"
#include "system/files.h"
#include "twinset/browse.h"
#include "twinset/field.h"
#include "twinset/result.h"

namespace twinset {

class RowList {
 public:
  /// Takes a row until it returns false.
  using Use =
      std::function<Result<bool>(std::uint64_t number, const std::vector<std::string>& values)>;
  using UseValue = std::function<Status(std::uint64_t number, std::string_view value)>;
  using UseNumber = std::function<Status(std::uint64_t number)>;
  using UseReal = std::function<Status(std::uint64_t number, double value)>;

  RowList(std::string name, std::vector<ListColumn> columns)
      : name_(std::move(name)), columns_(std::move(columns)) {}
  virtual ~RowList() = default;

  const std::string& name() const { return name_; }
  const std::vector<ListColumn>& columns() const { return columns_; }
  virtual std::uint64_t rows() const = 0;
  /// Rows [first, end) in order.
  virtual Status for_each(std::uint64_t first, std::uint64_t end, const Use& use) const = 0;
  /// A column of all rows.
  virtual Status for_each_value(std::size_t column, const std::atomic<bool>* cancel,
                                const UseValue& use) const;
  /// Numbers by which all rows sort as by a column; not a number: the value is missing. False: the
  /// column has only values.
  virtual Result<bool> for_each_number(std::size_t /*column*/, const std::atomic<bool>* /*cancel*/,
                                       const UseReal& /*use*/) const {
    return false;
  }
  /// The rows that have a value with this text, whose letters are small ones.
  virtual Status for_each_with(std::string_view lowered, const std::atomic<bool>* cancel,
                               const UseNumber& use) const;
  virtual std::uint64_t memory_bytes() const { return 0; }
  /// The rows as they stand in the file of the list; nullptr: they are made of other lists.
  virtual const RowStore* lines() const { return nullptr; }

 private:
  std::string name_;
  std::vector<ListColumn> columns_;
};

/// The fields of a row, those of nested values with their names before them; and its columns.
struct FlatFields {
  std::vector<Field> fields;
  std::vector<ListColumn> columns;
};
FlatFields flat_fields(const std::vector<Field>& fields, const std::string& prefix = "");

/// A row as a JSON array.
std::string row_json(const std::vector<std::string>& values);

/// The lists of folders. Errors (io): the list is damaged, with its line.
std::unique_ptr<RowList> removed_list(RowStore lines);
Result<std::unique_ptr<RowList>> spans_rows(FileSystem& files, const std::string& path,
                                            const BrowseLimits& limits);
/// "pages", "matches", "neighborhoods", "reuse" (by site, made of the matches), "recursion" of
/// detect.
Result<std::vector<std::unique_ptr<RowList>>> detected_rows(FileSystem& files,
                                                            const std::string& folder,
                                                            const BrowseLimits& limits);
/// "changes" and "hosts" of track.
Result<std::vector<std::unique_ptr<RowList>>> tracked_rows(FileSystem& files,
                                                           const std::string& folder,
                                                           const BrowseLimits& limits);
/// The members of all clusters. `table` outlives it.
std::unique_ptr<RowList> member_rows(const ClusterTable& table);
/// Both outlive it, and `folder` too.
std::unique_ptr<RowList> pair_rows(const PairTable& pairs, const PairsFolder& folder,
                                   const std::vector<std::string>& sources);

}  // namespace twinset
