// This file's interface is collection/spooled_collection.h; the rest is private.
#include "collection/spooled_collection.h"

#include <algorithm>

#include "io/scratch.h"

namespace twinset {
namespace {

constexpr std::size_t heads_at_once = 1024;

struct Head {
  std::uint64_t number = 0;
  std::uint64_t length = 0;  ///< Record::length
  std::uint64_t raw_bytes = 0;
  std::uint64_t stored_offset = 0;
  Markup markup = Markup::none;
  BadReason bad = BadReason::none;
  bool carried = false;
  bool frame = false;
  std::uint32_t check = 0;  ///< as every row of a FixedFile
};
static_assert(sizeof(Head) == 40);

std::span<char> bytes_of(std::span<Head> heads) {
  return {reinterpret_cast<char*>(heads.data()), heads.size_bytes()};
}

}  // namespace

SpooledCollection::SpooledCollection(std::shared_ptr<Collection> below, const RunContext& context,
                                     const std::string& path)
    : below_(std::move(below)),
      heads_({.context = &context, .path = path + ".heads"}, "heads", sizeof(Head)),
      raws_({.context = &context, .path = path}),
      spans_(below_->sources().size()) {}

/// Reads a source for the first time and writes its records into the files.
class SpooledCollection::Spooling final : public Reader {
 public:
  Spooling(SpooledCollection& collection, std::uint64_t source, std::unique_ptr<Reader> below)
      : collection_(collection), span_(collection.spans_[source]), below_(std::move(below)) {
    span_.begin = span_.end = collection.heads_.rows();
  }

  Result<bool> read(RecordBatch& batch) override {
    TWINSET_ASSIGN(bool more, below_->read(batch));
    std::vector<Head> heads;
    for (Record& record : batch.records) {
      heads.push_back({record.number, record.length, record.raw.size(), record.stored_offset,
                       record.markup, record.bad, record.carried, record.frame});
      TWINSET_TRY(collection_.raws_.append(record.raw));
      record.offset = span_.end++;
    }
    TWINSET_TRY(collection_.raws_.flush());
    if (!heads.empty()) TWINSET_TRY(collection_.heads_.append(bytes_of(heads)));
    span_.lines = batch.lines;
    span_.whole = !more;
    return more;
  }
  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    below_->decode(fields, batch);
  }

 private:
  SpooledCollection& collection_;
  Span& span_;
  const std::unique_ptr<Reader> below_;
};

/// Reads a source from the files.
class SpooledCollection::Spooled final : public Reader {
 public:
  Spooled(SpooledCollection& collection, std::uint64_t source, const ReaderLimits& limits)
      : collection_(collection),
        source_(source),
        limits_(limits),
        at_(collection.spans_[source].begin) {}

  Result<bool> read(RecordBatch& batch) override {
    const Span& span = collection_.spans_[source_];
    std::vector<Head> heads(
        static_cast<std::size_t>(std::min<std::uint64_t>(heads_at_once, span.end - at_)));
    if (!heads.empty()) TWINSET_TRY(collection_.heads_.read(at_, bytes_of(heads)));
    std::uint64_t bytes = 0;
    std::size_t taken = 0;
    while (taken < heads.size() && (taken == 0 || bytes < limits_.batch_bytes)) {
      bytes += heads[taken++].raw_bytes;
    }
    prepare_batch(batch, bytes);
    char* out = batch.bytes.data();
    TWINSET_TRY(collection_.raws_.for_each(
        at_, at_ + taken, [&](std::uint64_t number, std::string_view raw) -> Status {
          const Head& head = heads[number - at_];
          if (raw.size() != head.raw_bytes) return collection_.heads_.damaged(number);
          std::ranges::copy(raw, out);
          Record& record = batch.records.emplace_back();
          record.number = head.number;
          record.offset = number;
          record.length = head.length;
          record.raw = {out, raw.size()};
          record.markup = head.markup;
          record.bad = head.bad;
          record.carried = head.carried;
          record.frame = head.frame;
          record.stored_offset = head.stored_offset;
          out += raw.size();
          return {};
        }));
    at_ += taken;
    batch.lines = at_ == span.end ? span.lines : batch.records.back().number;
    return taken > 0;
  }

  /// One by one, as callers of read_at() do, because the reader that knew their format is gone.
  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    RecordBatch one;
    std::vector<std::string_view>& values = batch.scratch->fields;
    values.clear();
    values.reserve(fields.named.size() * batch.records.size());
    for (Record& record : batch.records) {
      if (record.bad != BadReason::none || record.carried) continue;
      collection_.decode(source_, record.offset, record.raw, fields, one);
      const Record& decoded = one.records.front();
      record.text = batch.scratch->keep(std::string(decoded.text));
      record.id = batch.scratch->keep(std::string(decoded.id));
      record.bad = decoded.bad;
      record.detail = batch.scratch->keep(std::string(decoded.detail));
      const std::size_t first = values.size();
      for (const std::string_view value : decoded.fields) {
        values.push_back(batch.scratch->keep(std::string(value)));
      }
      record.fields = std::span(values).subspan(first);
      record.field_names = decoded.field_names;
    }
  }

 private:
  SpooledCollection& collection_;
  const std::uint64_t source_;
  const ReaderLimits limits_;
  std::uint64_t at_;
};

Result<std::unique_ptr<Reader>> SpooledCollection::open(std::uint64_t source,
                                                        const ReaderLimits& limits) {
  if (spans_[source].whole) {
    return std::unique_ptr<Reader>(std::make_unique<Spooled>(*this, source, limits));
  }
  TWINSET_ASSIGN(std::unique_ptr<Reader> below, below_->open(source, limits));
  return std::unique_ptr<Reader>(std::make_unique<Spooling>(*this, source, std::move(below)));
}

}  // namespace twinset
