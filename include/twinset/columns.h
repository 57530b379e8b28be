// Columns of texts in memory, as a run reads them: strings of C++, or Arrow's three layouts. They
// are views: nothing is copied, so what they view must live, unchanged, while a run lasts. The
// compiler refuses a string or a vector that is a temporary.
//
//   std::vector<std::string> texts{"one text", "another"};
//   options.columns = {TextColumn(texts)};
//
//   // pyarrow's string is 32-bit offsets, large_string 64-bit ones, polars' strings are views:
//   TWINSET_ASSIGN(const StringColumn body, StringColumn::from_offsets(bytes, offsets, validity));
//   TextColumn column(body);
//   TWINSET_TRY(column.set_ids(ids));               // in results, in place of "memory:1"
//   TWINSET_TRY(column.add_field("date", dates));   // for keep = "newest:date", url_field, ...
//
// Errors (usage) name the value, from 1, and the reason. A column that was made is valid.
//
// Threads: values; any number may read.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/result.h"

namespace twinset {

/// Which values of a column are there: value i is there if bit `offset` + i is set, counted from
/// the lowest bit of each byte. Without bits, all values are there. A slice of an Arrow array has
/// an offset.
struct Validity {
  std::span<const std::uint8_t> bits = {};
  std::uint64_t offset = 0;

  bool operator[](std::uint64_t i) const {
    return bits.empty() || (bits[(offset + i) / 8] >> ((offset + i) % 8) & 1) != 0;
  }
};

/// A value of Arrow's view layout: one of up to 12 bytes is in the view itself, a longer one in a
/// buffer.
struct ArrowView {
  std::int32_t bytes = 0;
  char first[4] = {};       ///< the first bytes; those of a short value go on into what follows
  std::int32_t buffer = 0;  ///< its number
  std::int32_t begin = 0;   ///< in the buffer
};
static_assert(sizeof(ArrowView) == 16);

/// Strings of any bytes, some of which may be missing.
class StringColumn {
 public:
  StringColumn() = default;
  StringColumn(std::span<const std::string> values)  // NOLINT
      : layout_(Layout::strings), data_(values.data()), size_(values.size()) {}
  StringColumn(std::span<const std::string_view> values)  // NOLINT
      : layout_(Layout::string_views), data_(values.data()), size_(values.size()) {}
  StringColumn(const std::vector<std::string>& values)  // NOLINT
      : StringColumn(std::span<const std::string>(values)) {}
  StringColumn(const std::vector<std::string_view>& values)  // NOLINT
      : StringColumn(std::span<const std::string_view>(values)) {}
  StringColumn(const std::vector<std::string>&&) = delete;
  StringColumn(const std::vector<std::string_view>&&) = delete;

  /// Value i is bytes[offsets[i], offsets[i + 1]): Arrow's string and binary. Errors: offsets that
  /// fall, are negative or pass the end of the bytes; too few bits of validity. O(offsets).
  static Result<StringColumn> from_offsets(std::string_view bytes,
                                           std::span<const std::int32_t> offsets,
                                           Validity validity = {});
  /// The same of Arrow's large_string and large_binary.
  static Result<StringColumn> from_offsets(std::string_view bytes,
                                           std::span<const std::int64_t> offsets,
                                           Validity validity = {});
  template <std::same_as<std::string> Temporary, class Offsets>
  static Result<StringColumn> from_offsets(Temporary&& bytes, const Offsets& offsets,
                                           Validity validity = {}) = delete;
  template <class Offset>
  static Result<StringColumn> from_offsets(std::string_view bytes,
                                           const std::vector<Offset>&& offsets,
                                           Validity validity = {}) = delete;

  /// Arrow's string_view: each value stands in its view, or in one of `buffers`. Errors: a value of
  /// negative length, of a buffer that is not there, or that passes its end; too few bits of
  /// validity. Missing values are not checked. O(views).
  static Result<StringColumn> from_views(std::span<const ArrowView> views,
                                         std::span<const std::string_view> buffers,
                                         Validity validity = {});
  static Result<StringColumn> from_views(const std::vector<ArrowView>&& views,
                                         std::span<const std::string_view> buffers,
                                         Validity validity = {}) = delete;
  static Result<StringColumn> from_views(std::span<const ArrowView> views,
                                         const std::vector<std::string_view>&& buffers,
                                         Validity validity = {}) = delete;

  std::uint64_t size() const { return size_; }
  bool has(std::uint64_t i) const { return validity_[i]; }
  /// Value i; has(i) must be true.
  std::string_view operator[](std::uint64_t i) const;

 private:
  enum class Layout : std::uint8_t { strings, string_views, offsets_32, offsets_64, views };

  template <class Offset>
  static Result<StringColumn> checked_offsets(std::string_view bytes,
                                              std::span<const Offset> offsets, Validity validity,
                                              Layout layout);
  template <class Offset>
  std::string_view between_offsets(std::uint64_t i) const;

  Layout layout_ = Layout::strings;
  const void* data_ = nullptr;  ///< strings, offsets or views
  std::uint64_t size_ = 0;
  std::string_view bytes_;
  std::span<const std::string_view> buffers_;
  Validity validity_;
};

/// Texts, one document each, numbered from 1; a missing text is a bad record. With ids, results
/// name documents by them; fields stand for those of a JSON record.
class TextColumn {
 public:
  struct NamedValues {
    std::string name;
    StringColumn values;
  };

  TextColumn(StringColumn texts) : texts_(std::move(texts)) {}  // NOLINT
  TextColumn(const std::vector<std::string>& texts) : texts_(texts) {}
  TextColumn(const std::vector<std::string_view>& texts) : texts_(texts) {}
  TextColumn(std::span<const std::string> texts) : texts_(texts) {}
  TextColumn(std::span<const std::string_view> texts) : texts_(texts) {}
  TextColumn(const std::vector<std::string>&&) = delete;
  TextColumn(const std::vector<std::string_view>&&) = delete;

  /// A document without an id is named by its place. Errors: not one value for each text; two
  /// equal ids. O(ids), with 50 bytes of memory for each while it is checked.
  Status set_ids(StringColumn ids);
  /// `field` as options name it, such as "date" of keep = "newest:date". Errors: not one value for
  /// each text; no name, or one that is taken.
  Status add_field(std::string field, StringColumn values);

  std::uint64_t size() const { return texts_.size(); }
  const StringColumn& texts() const { return texts_; }
  const StringColumn& ids() const { return ids_; }  ///< of size 0: there are none
  std::span<const NamedValues> fields() const { return fields_; }

  std::string name = "memory";  ///< in results and messages
  bool html = false;            ///< the texts are pages
  bool reference = false;       ///< protected: compared with others, never removed

 private:
  Status check_size(const StringColumn& values, const std::string& what) const;

  StringColumn texts_;
  StringColumn ids_;
  std::vector<NamedValues> fields_;
};

}  // namespace twinset
