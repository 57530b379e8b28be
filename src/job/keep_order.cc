// Values are sorted outside memory as fixed-width keys; the order of a document
// is the number of distinct values before its own. This file's interface is
// set_keep_order; the rest is private.
#include "job/keep_order.h"

#include <algorithm>
#include <array>
#include <cstring>

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

/// Are all present values of the --keep field numbers?
Result<bool> all_numbers(const RecordFiles& records) {
  bool all = true;
  std::string id;
  std::string value;
  std::array<char, order_key_bytes> key{};
  TWINSET_TRY(records.for_each([&](std::uint64_t, const RecordRow& row) -> Status {
    if (!all || row.order_bytes == 0) return {};
    TWINSET_TRY(records.names(row, id, value));
    all = number_order_key(value, key.data());
    return {};
  }));
  return all;
}

/// The sort key of one record under the rule.
Status make_key(const KeepRule& rule, bool numbers, const RecordFiles& records,
                const RecordRow& row, OrderRow& out) {
  if (rule.by == KeepRule::By::size) {
    for (unsigned i = 0; i < 4; ++i) {
      out.key[i] = static_cast<char>(row.size >> (8 * (3 - i)) & 0xff);
    }
    return {};
  }
  if (row.order_bytes == 0) {
    out.value = Value::missing;
    return {};
  }
  std::string id;
  std::string value;
  TWINSET_TRY(records.names(row, id, value));
  if (numbers && number_order_key(value, out.key.data())) return {};
  std::memcpy(out.key.data(), value.data(), std::min(value.size(), order_key_bytes));
  return {};
}

}  // namespace

Status set_keep_order(const DedupJob& job, const RecordFiles& records, DocumentTable& documents,
                      std::uint64_t memory_bytes) {
  if (job.keep.by == KeepRule::By::input) return {};
  documents.use_orders();
  bool numbers = false;
  if (job.keep.by == KeepRule::By::field) {
    Result<bool> all = all_numbers(records);
    TWINSET_TRY(all);
    numbers = all.value();
  }
  SortedRows<OrderRow, OrderLess> sorted(
      RowsOptions{&job.context, job.spill + "order", memory_bytes, job.fingerprint},
      OrderLess{job.keep.descending});
  TWINSET_TRY(records.for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
    if (row.fate() != Fate::kept) return {};
    OrderRow key;
    key.document = documents.document(index);
    if (documents.reference(key.document)) return {};
    TWINSET_TRY(make_key(job.keep, numbers, records, row, key));
    return sorted.append(std::span(&key, 1));
  }));
  TWINSET_TRY(sorted.seal());
  auto cursor = sorted.read();
  TWINSET_TRY(cursor);
  OrderRow previous;
  std::uint64_t order = 0;  // 0 is the references'
  for (;;) {
    Result<const OrderRow*> next = cursor.value()->next();
    TWINSET_TRY(next);
    if (next.value() == nullptr) return {};
    if (order == 0 || compare_values(previous, *next.value(), false) != 0) ++order;
    previous = *next.value();
    documents.set_order(documents.index(previous.document), order);
  }
}

}  // namespace twinset
