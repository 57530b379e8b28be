// Texts that Python has, as the columns that a run reads: whatever has __arrow_c_stream__ or
// __arrow_c_array__ (tables and columns of pyarrow, polars, duckdb, pandas), datasets of Hugging
// Face, lists of str or bytes, and other iterables.
//
//   const auto texts = Texts::of(data, {"text", "id", {"newest:date"}});
//   options.columns = {texts->column("memory")};
//
// No byte of a text in Arrow's layouts is copied, nor of bytes or of a str in ASCII: a row costs 16
// bytes, 32 where some are missing. A str with other letters is encoded, into bytes that live as
// long as this object does, not into the cache that CPython keeps in each str for its life.
//
// Threads: made and destroyed by a thread that has the interpreter; any may read.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow_abi.h"
#include "twinset/columns.h"

namespace twinset::python {

/// Strings as views, some of which may be missing.
class Strings {
 public:
  /// Room for so many more; a column may come a row at a time.
  void make_room(std::size_t rows) {
    const std::size_t needed = views_.size() + rows;
    if (needed > views_.capacity()) views_.reserve(std::max(needed, 2 * views_.capacity()));
  }
  void add(std::string_view value) { views_.push_back(value); }
  void add_missing();
  /// A value that this object keeps.
  void add_own(std::string value) { add(own_.emplace_back(std::move(value))); }

  std::size_t size() const { return views_.size(); }
  bool has(std::size_t i) const {
    return missing_.size() <= i / 8 || (missing_[i / 8] >> i % 8 & 1) == 0;
  }
  std::span<const std::string_view> views() const { return views_; }

  /// All of them, once no more are added.
  StringColumn column();

 private:
  std::vector<std::string_view> views_;
  std::vector<std::uint8_t> missing_;  ///< a bit each, up to the last one that is
  std::vector<std::uint8_t> validity_;
  std::vector<ArrowView> arrow_views_;
  std::deque<std::string> own_;
};

/// The columns of a table that a run looks at.
struct WantedColumns {
  std::string text;                   ///< of its documents
  std::string id;                     ///< of their names, if there is such a column
  std::vector<std::string> mentions;  ///< values of options; columns that they name are fields
};

class Texts {
 public:
  /// Raises TypeError or ValueError that says what was found instead.
  static std::unique_ptr<Texts> of(nanobind::handle data, const WantedColumns& wanted);

  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;
  ~Texts();

  std::size_t size() const { return texts.size(); }
  /// `name` is that of the documents' file in results.
  TextColumn column(std::string name);

  Strings texts;
  std::optional<Strings> ids;
  std::deque<std::pair<std::string, Strings>> fields;

 private:
  Texts() = default;

  void take_stream(ArrowArrayStream& stream, const WantedColumns& wanted);
  void take_array(const ArrowSchema& schema, ArrowArray array, const WantedColumns& wanted);
  void take_batch(const ArrowSchema& schema, ArrowArray array, const WantedColumns& wanted);
  void take_objects(nanobind::handle items);
  void take_datasets(nanobind::handle data, const WantedColumns& wanted);
  bool take_capsules(nanobind::handle data, const WantedColumns& wanted);

  std::vector<ArrowArray> arrays_;
  std::vector<nanobind::object> objects_;  ///< encoded or held while they are viewed
};

}  // namespace twinset::python
