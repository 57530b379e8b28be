// Values are sorted as keys of fixed width, which may spill. The order of a document is the number
// of distinct values before its own. This file's interface is keep_values and set_keep_order; the
// rest is private.
#include "run/keep_order.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "rows/rows.h"
#include "words/numbers.h"

namespace twinset {
namespace {

enum class Value : std::uint8_t { present = 0, missing = 1 };

struct OrderRow {
  std::array<char, order_key_bytes> key{};
  Value value = Value::present;
  DocumentId document;
};

int compare_values(const OrderRow& a, const OrderRow& b, bool descending) {
  if (a.value != b.value) return a.value < b.value ? -1 : 1;
  const int order = std::memcmp(a.key.data(), b.key.data(), order_key_bytes);
  return descending ? -order : order;
}

struct OrderLess {
  bool descending = false;
  bool operator()(const OrderRow& a, const OrderRow& b) const {
    const int order = compare_values(a, b, descending);
    return order != 0 ? order < 0 : a.document < b.document;
  }
};

/// The sort key of one record under the rule.
Status make_key(const KeepRule& rule, KeepValues::Kind kind, const RecordFiles& records,
                std::uint64_t index, const RecordRow& row, OrderRow& out) {
  std::string id;
  std::string value;
  if (rule.by == KeepRule::By::field) TWINSET_TRY(records.names(index, id, value));
  if (!keep_key(rule, kind, row.size, value, out.key.data())) out.value = Value::missing;
  return {};
}

/// In the order of the numbers.
void put_number(std::uint32_t number, char* out) {
  for (unsigned i = 0; i < 4; ++i) out[i] = static_cast<char>(number >> (8 * (3 - i)) & 0xff);
}

/// The first of some values, short enough for a message; nothing if it is not known.
std::string first_of_them(const std::string& value) {
  constexpr std::size_t shown = 40;
  if (value.empty()) return "";
  return " (the first: '" + value.substr(0, shown) + (value.size() > shown ? "...')" : "')");
}

}  // namespace

std::string KeepValues::warning(const KeepRule& rule) const {
  if (rule.by != KeepRule::By::field || documents == 0) return {};
  const std::string field = "'" + rule.field + "'";
  if (missing == documents) {
    return "no document has a field " + field + " of text or a number, so the input order decides";
  }
  const std::uint64_t present = documents - missing;
  std::string said;
  if (rule.length) {
    // Any text has a length.
  } else if (compared_as == Kind::dates && dates < present) {
    said = format_count(present - dates) + " of " + format_count(present) + " values of " + field +
           " can't be read as a date" + first_of_them(not_a_date) +
           " and count as missing, after all others";
  } else if (compared_as == Kind::bytes && rule.dates) {
    said = "no value of " + field + " can be read as a date" + first_of_them(not_a_date) +
           ", so they compare as text";
  } else if (compared_as == Kind::bytes && numbers > 0) {
    said = format_count(present - numbers) + " of " + format_count(present) + " values of " +
           field + " are not numbers" + first_of_them(other) + ", so all compare as text";
  }
  if (missing > 0) {
    const std::string count =
        format_count(missing) + " of " + format_count(documents, "document", "documents");
    if (said.empty()) return count + " without a field " + field + " come after all others";
    said += "; " + count + " have no such field";
  }
  return said;
}

void KeepValues::add(std::string_view value) {
  ++documents;
  if (value.empty()) {
    ++missing;
    return;
  }
  std::array<char, order_key_bytes> key{};
  const bool number = number_order_key(value, key.data());
  const bool date = date_order_key(value, key.data());
  numbers += number;
  dates += date;
  if (!number && other.empty()) other = value;
  if (!date && not_a_date.empty()) not_a_date = value;
}

void KeepValues::choose(const KeepRule& rule) {
  const std::uint64_t present = documents - missing;
  if (rule.dates && dates == present) {
    compared_as = Kind::dates;  // Also for numbers: Unix times differ in units.
  } else if (numbers == present) {
    compared_as = Kind::numbers;
  } else if (dates == present || (rule.dates && dates > 0)) {
    compared_as = Kind::dates;
  }
}

bool keep_key(const KeepRule& rule, KeepValues::Kind kind, std::uint32_t size,
              std::string_view value, char* out) {
  if (rule.by == KeepRule::By::size) {
    put_number(size, out);
    return true;
  }
  if (value.empty()) return false;
  if (rule.length) {
    put_number(static_cast<std::uint32_t>(value.size()), out);
    std::memcpy(out + 4, value.data(), std::min(value.size(), order_key_bytes - 4));
    return true;
  }
  if (kind == KeepValues::Kind::numbers && number_order_key(value, out)) return true;
  if (kind == KeepValues::Kind::dates) return date_order_key(value, out);
  std::memcpy(out, value.data(), std::min(value.size(), order_key_bytes));
  return true;
}

Result<KeepValues> keep_values(const Job& job, const RecordFiles& records,
                               const DocumentTable& documents) {
  KeepValues found;
  if (job.keep.by != KeepRule::By::field) return found;
  std::string id;
  std::string value;
  TWINSET_TRY(records.for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
    if (row.fate() != Fate::kept || documents.reference(documents.document(index))) return {};
    TWINSET_TRY(records.names(index, id, value));
    found.add(value);
    return {};
  }));
  found.choose(job.keep);
  return found;
}

Status set_keep_order(const Job& job, const RecordFiles& records, KeepValues::Kind kind,
                      DocumentTable& documents, std::uint64_t memory_bytes) {
  if (job.keep.by == KeepRule::By::input) return {};
  documents.use_orders();
  SortedRows<OrderRow, OrderLess> sorted(
      RowsOptions{&job.context, job.spill + "order", memory_bytes, job.signer.fingerprint},
      OrderLess{job.keep.descending});
  TWINSET_TRY(records.for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
    if (row.fate() != Fate::kept) return {};
    OrderRow key;
    key.document = documents.document(index);
    if (documents.reference(key.document)) return {};
    TWINSET_TRY(make_key(job.keep, kind, records, index, row, key));
    return sorted.append(std::span(&key, 1));
  }));
  TWINSET_TRY(sorted.seal());
  OrderRow previous;
  std::uint64_t order = 0;  // 0 is for references
  return for_each_row(sorted, [&](const OrderRow& row) {
    if (order == 0 || compare_values(previous, row, false) != 0) ++order;
    previous = row;
    documents.set_order(documents.index(row.document), order);
  });
}

}  // namespace twinset
