#include "collection/memory_collection.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/message.h"
#include "io/content.h"
#include "io/decoded_text.h"
#include "io/scratch.h"

namespace twinset {
namespace {

/// The most records in a batch, however short they are.
constexpr std::size_t most_records = 4096;

/// Sets the id and the named fields of a record from its row. The batch's list of fields has room.
void set_row(const TextColumn& column, std::uint64_t row, const FieldNames& fields, Record& record,
             RecordBatch& batch) {
  if (row < column.ids().size() && column.ids().has(row)) {
    record.id = string_token(column.ids()[row], batch);
  }
  if (column.fields().empty() || fields.named.empty()) return;
  std::vector<std::string_view>& values = batch.scratch->fields;
  const std::size_t first = values.size();
  for (const std::string& name : fields.named) {
    const auto found = std::ranges::find(column.fields(), name, &TextColumn::NamedValues::name);
    const bool has_value = found != column.fields().end() && found->values.has(row);
    values.push_back(has_value ? string_token(found->values[row], batch) : std::string_view());
  }
  record.fields = std::span(values).subspan(first);
  record.field_names = fields.named;
}

void set_text(const FieldNames& fields, Record& record, RecordBatch& batch) {
  set_text_of_utf8(record.raw, record, batch);
  record.markup = markup_of(record.markup, record.text);
  check_features(fields, record, batch);
}

class ColumnReader final : public Reader {
 public:
  ColumnReader(const TextColumn& column, Markup markup, const ReaderLimits& limits)
      : column_(column), markup_(markup), limits_(limits) {}

  Result<bool> read(RecordBatch& batch) override {
    prepare_batch(batch, 0);
    std::uint64_t bytes = 0;
    while (next_ < column_.size() && batch.records.size() < most_records &&
           bytes < limits_.batch_bytes) {
      bytes += add(batch);
    }
    read_bytes_ += bytes;
    batch.lines = next_;
    batch.stored_bytes = read_bytes_;
    return !batch.records.empty();
  }

  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    batch.scratch->fields.clear();
    batch.scratch->fields.reserve(fields.named.size() * batch.records.size());
    for (Record& record : batch.records) {
      if (record.bad != BadReason::none) continue;
      set_row(column_, record.offset, fields, record, batch);
      set_text(fields, record, batch);
    }
  }

 private:
  std::uint64_t add(RecordBatch& batch) {
    Record& record = batch.records.emplace_back();
    record.offset = next_;
    record.number = ++next_;
    record.markup = markup_;
    if (!column_.texts().has(record.offset)) {
      record.bad = BadReason::missing_text;
      record.detail = "null";
      return 0;
    }
    record.raw = column_.texts()[record.offset];
    record.length = record.raw.size();
    if (record.length > limits_.max_record_bytes) {
      record.bad = BadReason::record_too_long;
    } else if (record.length > limits_.max_held_bytes) {
      record.bad = BadReason::over_memory;
    }
    if (record.bad != BadReason::none) record.raw = record.raw.substr(0, kept_of_skipped_bytes);
    return record.length;
  }

  const TextColumn& column_;
  const Markup markup_;
  const ReaderLimits limits_;
  std::uint64_t next_ = 0;
  std::uint64_t read_bytes_ = 0;
};

std::uint64_t text_bytes(const TextColumn& column) {
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < column.size(); ++i) {
    bytes += column.texts().has(i) ? column.texts()[i].size() : 0;
  }
  return bytes;
}

}  // namespace

Result<std::shared_ptr<Collection>> MemoryCollection::make(std::span<const TextColumn> columns,
                                                           const std::string& format) {
  TWINSET_TRY(check_columns(columns));
  Markup markup = format == format_by_text ? Markup::by_text : Markup::none;
  if (markup == Markup::none && !format.empty()) {
    const FormatEntry* const found = find_format(format);
    if (found != nullptr && found->declaration->one_document) markup = found->declaration->markup;
    if (markup == Markup::none) {
      return usage_error(option("format", format) +
                         " is of files; texts in memory are html, xhtml, auto, or plain without");
    }
  }
  return std::shared_ptr<Collection>(std::make_shared<MemoryCollection>(columns, markup));
}

MemoryCollection::MemoryCollection(std::span<const TextColumn> columns, Markup markup)
    : columns_(columns.begin(), columns.end()), markup_(markup) {
  std::stable_partition(columns_.begin(), columns_.end(),
                        [](const TextColumn& column) { return column.reference; });
  for (const TextColumn& column : columns_) {
    Source& source = sources_.emplace_back();
    source.shown = source.name = column.name;
    source.role = column.reference ? Role::reference : Role::input;
    source.pages = is_page(markup_of_texts(column));
    source.pages_by_text = markup_of_texts(column) == Markup::by_text;
    source.stored_bytes = text_bytes(column);
  }
}

Result<std::unique_ptr<Reader>> MemoryCollection::open(std::uint64_t source,
                                                       const ReaderLimits& limits) {
  return std::unique_ptr<Reader>(
      std::make_unique<ColumnReader>(columns_[source], markup_of_texts(columns_[source]), limits));
}

Result<std::size_t> MemoryCollection::read_at(std::uint64_t source, std::uint64_t offset,
                                              std::string& raw) {
  const std::string_view text = columns_[source].texts()[offset];
  return text.copy(raw.data(), raw.size());
}

void MemoryCollection::decode(std::uint64_t source, std::uint64_t offset, std::string_view raw,
                              const FieldNames& fields, RecordBatch& batch) const {
  prepare_batch(batch, raw.size());
  raw.copy(batch.bytes.data(), raw.size());
  Record& record = batch.records.emplace_back();
  record.length = raw.size();
  record.raw = std::string_view(batch.bytes).substr(0, raw.size());
  record.markup = markup_of_texts(columns_[source]);
  batch.scratch->fields.clear();
  batch.scratch->fields.reserve(fields.named.size());
  set_row(columns_[source], offset, fields, record, batch);
  set_text(fields, record, batch);
}

Result<std::unique_ptr<ByteSink>> MemoryCollection::create_output(std::uint64_t source,
                                                                  const RunContext&,
                                                                  const std::string&,
                                                                  const std::string&) const {
  return usage_error(sources_[source].shown + " is in memory: its records go to no file");
}

Status check_columns(std::span<const TextColumn> columns) {
  std::set<std::string> names;
  for (const TextColumn& column : columns) {
    if (!names.insert(column.name).second) {
      return usage_error("two columns have the name \"" + column.name + "\"; give each its own");
    }
  }
  return {};
}

}  // namespace twinset
