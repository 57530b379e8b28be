// Numbers are sorted apart from texts: most columns have but one of them, and numbers, of one
// width, are sorted by their digits.
#include "browse/row_order.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "base/varint.h"
#include "browse/cluster_choice.h"
#include "io/json_read.h"
#include "rows/sorted_records.h"
#include "rows/sorted_rows.h"
#include "run/scratch_folder.h"
#include "system/context.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// Strings that are equal so far keep the order of the list.
constexpr std::size_t most_key_bytes = 256;

/// A number and its row. Equal numbers keep the order of the list.
struct NumberedRow {
  std::uint64_t key = 0;
  std::uint64_t row = 0;
};

struct ByNumber {
  static std::uint64_t radix(const NumberedRow& row) { return row.key; }
  bool operator()(const NumberedRow& a, const NumberedRow& b) const {
    return a.key != b.key ? a.key < b.key : a.row < b.row;
  }
};

/// A string and its row.
struct TextRow {
  std::string key;
  std::uint64_t row = 0;

  void append_to(std::string& out) const {
    append_varint(row, out);
    out += key;
  }
  static bool take(EncodedBytes& rest, TextRow& out) {
    if (!take_varint(rest, out.row)) return false;
    out.key.assign(reinterpret_cast<const char*>(rest.data()), rest.size());
    rest = {};
    return true;
  }
  std::uint64_t memory_bytes() const { return sizeof *this + key.capacity(); }
};

struct ByText {
  bool operator()(const TextRow& a, const TextRow& b) const {
    const int order = a.key.compare(b.key);
    return order != 0 ? order < 0 : a.row < b.row;
  }
};

/// Sorts rows by a value of theirs: numbers, then strings, then those that have none.
class ValueOrder {
 public:
  /// Each has half of the memory.
  explicit ValueOrder(const RowsOptions& options)
      : numbers_(half(options, "-numbers")), texts_(half(options, "-texts")) {}

  /// Not a number: the row has none.
  Status append(double number, std::uint64_t row) {
    if (std::isnan(number)) {
      rest_.push_back(static_cast<std::uint32_t>(row));
      return {};
    }
    has_numbers_ = true;
    return numbers_.append({key_of(number), row});
  }

  Status append(std::string_view value, std::uint64_t row) {
    if (value.empty() || value == "null") {
      rest_.push_back(static_cast<std::uint32_t>(row));
      return {};
    }
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, number);
    if (read.ec == std::errc() && read.ptr == end && std::isfinite(number)) {
      return append(number, row);
    }
    const bool plain = value.front() != '"' || value.find('\\') == std::string_view::npos;
    if (value.front() == '"') value = value.substr(1, value.size() - 2);
    if (plain) return texts_.append({std::string(value.substr(0, most_key_bytes)), row});
    const std::string quoted = '"' + std::string(value) + '"';
    const Result<JsonNode> node = read_json(quoted, "");
    return texts_.append(
        {(node.ok() ? node.value().text() : std::string(value)).substr(0, most_key_bytes), row});
  }

  Status finish(std::vector<std::uint32_t>& out) {
    const auto add = [&](std::uint64_t row) { out.push_back(static_cast<std::uint32_t>(row)); };
    if (has_numbers_) {
      TWINSET_TRY(numbers_.seal());
      TWINSET_ASSIGN(const auto cursor, numbers_.read());
      TWINSET_TRY(for_each_row(*cursor, [&](const NumberedRow& row) -> Status {
        add(row.row);
        return {};
      }));
    }
    TWINSET_TRY(texts_.seal());
    TWINSET_ASSIGN(auto cursor, texts_.read());
    for (;;) {
      TWINSET_ASSIGN(const TextRow* const next, cursor.next());
      if (next == nullptr) break;
      add(next->row);
    }
    out.insert(out.end(), rest_.begin(), rest_.end());
    return {};
  }

 private:
  static RowsOptions half(RowsOptions options, const char* suffix) {
    options.path += suffix;
    options.memory_bytes /= 2;
    return options;
  }

  /// The bits of a double sort as it does once those of a negative one are turned over.
  static std::uint64_t key_of(double number) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    // 0 and -0 are equal.
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(number + 0.0);
    return (bits & sign) != 0 ? ~bits : bits | sign;
  }

  SortedRows<NumberedRow, ByNumber> numbers_;
  SortedRecords<TextRow, ByText> texts_;
  std::vector<std::uint32_t> rest_;
  bool has_numbers_ = false;
};

}  // namespace

Result<RowOrder> sort_rows(const RowList& list, FileSystem& files, const BrowseLimits& limits,
                           const ListRowsOptions& options) {
  const auto column = std::ranges::find(list.columns(), options.sort, &ListColumn::name);
  if (!options.sort.empty() && column == list.columns().end()) {
    return usage_error("'" + visible_name(options.sort) + "' is no column of the list " +
                       list.name());
  }
  if (list.rows() > UINT32_MAX) {
    return usage_error("the list " + list.name() + " has too many rows to be sorted or searched");
  }
  const auto place = static_cast<std::size_t>(column - list.columns().begin());
  RowOrder out;
  const auto add = [&](std::uint64_t number) -> Status {
    out.rows.push_back(static_cast<std::uint32_t>(number));
    return {};
  };
  std::vector<bool> found;
  if (!options.search.empty()) {
    TWINSET_TRY(list.for_each_with(lowered(options.search), limits.cancel, add));
    if (options.sort.empty()) {
      if (options.reverse) std::reverse(out.rows.begin(), out.rows.end());
      return out;
    }
    found.resize(list.rows());
    for (const std::uint32_t row : out.rows) found[row] = true;
    out.rows.clear();
  }
  RunContext context;
  context.files = &files;
  context.cancel = limits.cancel;
  Resources resources;
  resources.tmp = limits.tmp;
  ValueOrder order({.context = &context,
                    .path = scratch_path(resources, "browse"),
                    .memory_bytes = limits.sort_bytes});
  out.rows.reserve(list.rows());
  const auto take = [&](std::uint64_t number, const auto& value) -> Status {
    if (!found.empty() && !found[number]) return {};
    return order.append(value, number);
  };
  TWINSET_ASSIGN(const bool has_numbers, list.for_each_number(place, limits.cancel, take));
  if (!has_numbers) TWINSET_TRY(list.for_each_value(place, limits.cancel, take));
  TWINSET_TRY(order.finish(out.rows));
  if (options.reverse) std::reverse(out.rows.begin(), out.rows.end());
  return out;
}

}  // namespace twinset
