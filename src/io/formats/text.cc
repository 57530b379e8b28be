// Plain text: the whole file is one document, record 1, its bytes the text. If they are not UTF-8,
// the text is what they encode in another charset (io/decoded_text.h).
//
// This file's interface is io/reader.h (text_format); the rest is private.
#include <algorithm>
#include <array>

#include "io/bytes.h"
#include "io/decoded_text.h"
#include "io/format_list.h"
#include "io/scratch.h"
#include "text/utf8_check.h"

namespace twinset {
namespace {

/// Most files are small; for others the batch grows.
constexpr std::uint64_t first_bytes = std::uint64_t{256} << 10;

void decode_document(const FieldNames& fields, RecordBatch& batch) {
  for (Record& record : batch.records) {
    if (record.bad != BadReason::none) continue;
    set_text(record.raw, Charset::unknown, record, batch);
    check_features(fields, record, batch);
  }
}

class TextReader final : public Reader {
 public:
  TextReader(std::unique_ptr<ByteSource> bytes, const ReaderLimits& limits)
      : bytes_(std::move(bytes)),
        limits_(limits),
        most_held_(std::min(limits.max_record_bytes, limits.max_held_bytes)) {}

  Result<bool> read(RecordBatch& batch) override {
    prepare_batch(batch, static_cast<std::size_t>(
                             std::clamp<std::uint64_t>(limits_.batch_bytes, 1, first_bytes)));
    batch.lines = finished_ ? 1 : 0;
    if (finished_) return false;
    const Result<bool> more = skipping_ ? skip(batch) : fill(batch);
    if (!more.ok()) return more;
    if (!more.value()) finish(batch);
    batch.stored_bytes = bytes_->stored_bytes_read();
    batch.window_bytes = bytes_->window_bytes();
    return true;
  }

  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    decode_document(fields, batch);
  }

 private:
  /// Reads the file to its end (false), or until it is too long to be held (true).
  Result<bool> fill(RecordBatch& batch) {
    while (length_ <= most_held_) {
      if (length_ == batch.bytes.size() - batch_padding_bytes) {
        const std::uint64_t wanted = std::min(2 * length_, most_held_ + 1);
        batch.bytes.resize(static_cast<std::size_t>(wanted) + batch_padding_bytes);
      }
      const auto used = static_cast<std::size_t>(length_);
      TWINSET_ASSIGN(
          const std::size_t got,
          bytes_->read(batch.bytes.data() + used, batch.bytes.size() - batch_padding_bytes - used));
      if (got == 0) return false;
      length_ += got;
    }
    keep_head(head_, std::string_view(batch.bytes).substr(0, static_cast<std::size_t>(length_)));
    skipping_ = true;
    return true;
  }

  /// Counts a batch of a file that is too long; false at its end.
  Result<bool> skip(RecordBatch& batch) {
    TWINSET_ASSIGN(const std::size_t got,
                   bytes_->read(batch.bytes.data(), batch.bytes.size() - batch_padding_bytes));
    keep_head(head_, std::string_view(batch.bytes).substr(0, got));
    length_ += got;
    return got > 0;
  }

  void finish(RecordBatch& batch) {
    finished_ = true;
    batch.lines = 1;
    Record& record = batch.records.emplace_back();
    record.number = 1;
    record.length = length_;
    record.raw = skipping_
                     ? batch.scratch->keep(std::move(head_))
                     : std::string_view(batch.bytes).substr(0, static_cast<std::size_t>(length_));
    if (bytes_->fault().reason != BadReason::none) {
      record.bad = bytes_->fault().reason;
      record.detail = batch.scratch->keep(fault_words(bytes_->fault()));
      record.stored_offset = bytes_->fault().stored_offset;
    } else if (skipping_) {
      record.bad =
          length_ > limits_.max_record_bytes ? BadReason::record_too_long : BadReason::over_memory;
    } else if (length_ > first_bytes && !is_utf8(record.raw)) {
      // A byte beyond ASCII may become three, two bytes of UTF-16 too.
      const auto high = static_cast<std::uint64_t>(
          std::count_if(record.raw.begin(), record.raw.end(), [](char c) { return c < 0; }));
      record.text_bytes = length_ + std::max(length_ / 2, 2 * high);
    }
  }

  const std::unique_ptr<ByteSource> bytes_;
  const ReaderLimits limits_;
  const std::uint64_t most_held_;
  std::uint64_t length_ = 0;
  std::string head_;  ///< of a file that is too long
  bool skipping_ = false;
  bool finished_ = false;
};

std::unique_ptr<Reader> make_text_reader(std::unique_ptr<ByteSource> bytes,
                                         const ReaderLimits& limits) {
  return std::make_unique<TextReader>(std::move(bytes), limits);
}

constexpr std::array<std::string_view, 2> extensions{".txt", ".text"};

constexpr FormatDeclaration declaration{.name = "text",
                                        .extensions = extensions,
                                        .summary = "one document a file, its bytes the text",
                                        .one_document = true};

}  // namespace

extern const FormatEntry text_format;
const FormatEntry text_format{&declaration, make_text_reader, decode_document};

}  // namespace twinset
