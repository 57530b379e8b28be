// In the file each record follows its own head.
//
// This file's interface is collection/spooled_collection.h; the rest is private.
#include "collection/spooled_collection.h"

#include <algorithm>

#include "io/scratch.h"

namespace twinset {
namespace {

struct Head {
  std::uint64_t number = 0;
  std::uint64_t length = 0;     ///< Record::length
  std::uint64_t raw_bytes = 0;  ///< that follow the head
  std::uint64_t stored_offset = 0;
  Markup markup = Markup::none;
  BadReason bad = BadReason::none;
  bool carried = false;
  std::uint8_t padding[5] = {};
};
static_assert(sizeof(Head) == 40);

}  // namespace

/// Reads a source for the first time and writes its records into the file.
class SpooledCollection::Spooling final : public Reader {
 public:
  Spooling(SpooledCollection& collection, std::uint64_t source, std::unique_ptr<Reader> below)
      : collection_(collection), span_(collection.spans_[source]), below_(std::move(below)) {
    span_.begin = span_.end = collection.size_;
  }

  Result<bool> read(RecordBatch& batch) override {
    TWINSET_ASSIGN(bool more, below_->read(batch));
    std::string bytes;
    for (Record& record : batch.records) {
      const Head head{record.number, record.length, record.raw.size(), record.stored_offset,
                      record.markup, record.bad,    record.carried};
      bytes.append(reinterpret_cast<const char*>(&head), sizeof head);
      record.offset = collection_.size_ + bytes.size();
      bytes += record.raw;
    }
    TWINSET_TRY(collection_.file_->append(bytes));
    collection_.size_ += bytes.size();
    span_.end = collection_.size_;
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

/// Reads a source from the file.
class SpooledCollection::Spooled final : public Reader {
 public:
  Spooled(SpooledCollection& collection, std::uint64_t source, const ReaderLimits& limits)
      : collection_(collection),
        source_(source),
        limits_(limits),
        at_(collection.spans_[source].begin) {}

  Result<bool> read(RecordBatch& batch) override {
    const Span& span = collection_.spans_[source_];
    prepare_batch(batch, 0);
    std::vector<Head> heads;
    std::vector<std::uint64_t> places;
    std::uint64_t bytes = 0;
    while (at_ < span.end && bytes < std::max<std::uint64_t>(limits_.batch_bytes, 1)) {
      Head head;
      TWINSET_TRY(read_exactly(at_, reinterpret_cast<char*>(&head), sizeof head));
      heads.push_back(head);
      places.push_back(at_ + sizeof head);
      at_ += sizeof head + head.raw_bytes;
      bytes += head.raw_bytes;
    }
    prepare_batch(batch, bytes);
    char* out = batch.bytes.data();
    for (std::size_t i = 0; i < heads.size(); ++i) {
      TWINSET_TRY(read_exactly(places[i], out, heads[i].raw_bytes));
      Record& record = batch.records.emplace_back();
      record.number = heads[i].number;
      record.offset = places[i];
      record.length = heads[i].length;
      record.raw = {out, heads[i].raw_bytes};
      record.markup = heads[i].markup;
      record.bad = heads[i].bad;
      record.carried = heads[i].carried;
      record.stored_offset = heads[i].stored_offset;
      out += heads[i].raw_bytes;
    }
    batch.lines = at_ == span.end ? span.lines : batch.records.back().number;
    return !batch.records.empty();
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
  Status read_exactly(std::uint64_t offset, char* out, std::uint64_t size) const {
    TWINSET_ASSIGN(const std::size_t got,
                   collection_.file_->read_at(offset, out, static_cast<std::size_t>(size)));
    if (got == size) return {};
    return io_error(collection_.path_ + " is shorter than the records put into it");
  }

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
  if (file_ == nullptr) {
    TWINSET_ASSIGN(file_, files_.open(path_, OpenMode::create));
  }
  TWINSET_ASSIGN(std::unique_ptr<Reader> below, below_->open(source, limits));
  return std::unique_ptr<Reader>(std::make_unique<Spooling>(*this, source, std::move(below)));
}

}  // namespace twinset
