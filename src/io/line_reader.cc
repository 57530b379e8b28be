// Splitting looks for line ends only. A batch begins with the unfinished line of the one before;
// for a longer line the batch grows up to the longest record allowed, and a line beyond that is
// counted, not kept.
//
// This file's interface is io/line_reader.h; the rest is private.
#include "io/line_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/batch_filling.h"
#include "io/json_scan.h"
#include "io/scratch.h"

namespace twinset {
namespace {

bool is_blank(std::string_view line) {
  return skip_json_space(line.data(), line.data() + line.size()) == line.data() + line.size();
}

class LineReader final : public Reader {
 public:
  LineReader(std::unique_ptr<ByteSource> bytes, const ReaderLimits& limits, DecodeLines decode)
      : bytes_(std::move(bytes)),
        decode_(decode),
        limits_(limits),
        most_held_(std::min(limits.max_record_bytes, limits.max_held_bytes)),
        batch_bytes_(std::max<std::size_t>(static_cast<std::size_t>(limits.batch_bytes), 1)) {}

  Result<bool> read(RecordBatch& batch) override {
    prepare_batch(batch, std::max(batch_bytes_, carried_.size()));
    batch.lines = lines_;
    if (finished_) return false;
    const Status done = skipping_ ? skip(batch) : fill(batch);
    if (!done.ok()) return done.error();
    batch.lines = lines_;
    batch.stored_bytes = bytes_->stored_bytes_read();
    batch.window_bytes = bytes_->window_bytes();
    return !finished_ || !batch.records.empty();
  }

  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    decode_(fields, batch);
  }

 private:
  /// A batch of whole lines, beginning with the one carried over.
  Status fill(RecordBatch& batch) {
    std::size_t used = carried_.size();
    carried_.copy(batch.bytes.data(), used);
    const std::uint64_t offset = offset_ - used;
    carried_ = keep_small(std::move(carried_), batch_bytes_);
    std::size_t scanned = used;
    while (true) {
      const std::size_t room = batch.bytes.size() - batch_padding_bytes;
      const std::size_t before = used;
      TWINSET_ASSIGN(const Ending ending, read_more(batch, used, room));
      offset_ += used - before;
      const char* const bytes = batch.bytes.data();
      const bool whole_line = std::memchr(bytes + scanned, '\n', used - scanned) != nullptr;
      scanned = used;
      if (!whole_line && ending == Ending::more) {
        if (used > most_held_) {
          begin_skipping(batch, used);
          return {};
        }
        if (used == room) grow(batch, used);
        continue;
      }
      const std::size_t split = split_lines(batch, used, offset);
      finish_batch(batch, {bytes + split, used - split}, offset + split, ending);
      return {};
    }
  }

  /// Reads until the room is full, or as it comes.
  Result<Ending> read_more(RecordBatch& batch, std::size_t& used, std::size_t room) {
    if (!limits_.as_it_comes) return read_into(*bytes_, batch.bytes, used, room);
    return read_some(*bytes_, batch.bytes, used, room);
  }

  /// Doubles the room, up to just enough to tell that a record is too long to be held.
  void grow(RecordBatch& batch, std::size_t used) {
    const std::uint64_t wanted = std::min<std::uint64_t>(2 * std::uint64_t{used}, most_held_ + 1);
    std::string larger;
    larger.reserve(static_cast<std::size_t>(wanted) + batch_padding_bytes);
    larger.assign(batch.bytes, 0, used);
    larger.resize(static_cast<std::size_t>(wanted) + batch_padding_bytes);
    batch.bytes = std::move(larger);
  }

  /// Makes records of all whole lines of bytes[0, used); returns where the rest begins.
  std::size_t split_lines(RecordBatch& batch, std::size_t used, std::uint64_t offset) {
    const char* const bytes = batch.bytes.data();
    std::size_t begin = 0;
    while (const void* found = std::memchr(bytes + begin, '\n', used - begin)) {
      const std::size_t end = static_cast<std::size_t>(static_cast<const char*>(found) - bytes) + 1;
      add_line(batch, {bytes + begin, end - begin}, offset + begin);
      begin = end;
    }
    return begin;
  }

  /// One line, with a record unless it is blank.
  void add_line(RecordBatch& batch, std::string_view line, std::uint64_t offset) {
    ++lines_;
    Record record;
    record.number = lines_;
    record.offset = offset;
    record.length = line.size();
    record.raw = line;
    if (line.size() > most_held_) {
      record.bad = why_not_held(line.size());
      record.raw = line.substr(0, kept_of_skipped_bytes);
    } else if (is_blank(line_of(record.raw))) {
      return;
    }
    batch.records.push_back(record);
  }

  BadReason why_not_held(std::uint64_t length) const {
    return length > limits_.max_record_bytes ? BadReason::record_too_long : BadReason::over_memory;
  }

  /// Handles the bytes after the last line end: carries them over, or takes them as the last line,
  /// or as the part before a fault.
  void finish_batch(RecordBatch& batch, std::string_view rest, std::uint64_t offset,
                    Ending ending) {
    switch (ending) {
      case Ending::more:
        carried_ = rest;
        break;
      case Ending::end:
        if (!rest.empty()) add_line(batch, rest, offset);
        finished_ = true;
        break;
      case Ending::fault:
        add_fault(batch, rest, offset, rest.size());
        break;
    }
  }

  void add_fault(RecordBatch& batch, std::string_view raw, std::uint64_t offset,
                 std::uint64_t length) {
    Record record;
    record.number = ++lines_;
    record.offset = offset;
    record.length = length;
    record.raw = raw;
    record.bad = bytes_->fault().reason;
    record.detail = batch.scratch->keep(fault_words(bytes_->fault()));
    record.stored_offset = bytes_->fault().stored_offset;
    batch.records.push_back(record);
    finished_ = !bytes_->resume();
  }

  // A line that is too long to be held: only its beginning is kept.

  void begin_skipping(const RecordBatch& batch, std::size_t used) {
    skipping_ = true;
    skipped_ = used;
    head_.clear();
    keep_head(head_, std::string_view(batch.bytes).substr(0, used));
  }

  /// Reads a batch of that line and, if the line ends there, splits the lines after it.
  Status skip(RecordBatch& batch) {
    std::size_t used = 0;
    TWINSET_ASSIGN(const Ending ending, read_more(batch, used, batch_bytes_));
    const std::uint64_t offset = offset_;
    offset_ += used;
    const char* const bytes = batch.bytes.data();
    const void* const found = std::memchr(bytes, '\n', used);
    const std::size_t end =
        found == nullptr ? used
                         : static_cast<std::size_t>(static_cast<const char*>(found) - bytes) + 1;
    skipped_ += end;
    keep_head(head_, {bytes, end});
    if (found == nullptr && ending == Ending::more) return {};
    skipping_ = false;
    const std::uint64_t begin = offset + end - skipped_;
    const std::string_view raw = batch.scratch->keep(std::move(head_));
    if (found == nullptr && ending == Ending::fault) {
      add_fault(batch, raw, begin, skipped_);
      return {};
    }
    Record record;
    record.number = ++lines_;
    record.offset = begin;
    record.length = skipped_;
    record.raw = raw;
    record.bad = why_not_held(skipped_);
    batch.records.push_back(record);
    if (found == nullptr) {
      finished_ = true;
      return {};
    }
    // split_lines() works from the front of the batch.
    const std::size_t rest = used - end;
    std::memmove(batch.bytes.data(), batch.bytes.data() + end, rest);
    const std::size_t split = split_lines(batch, rest, offset + end);
    finish_batch(batch, {bytes + split, rest - split}, offset + end + split, ending);
    return {};
  }

  const std::unique_ptr<ByteSource> bytes_;
  const DecodeLines decode_;
  const ReaderLimits limits_;
  const std::uint64_t most_held_;  ///< bytes of a record
  const std::size_t batch_bytes_;
  std::string carried_;       ///< the unfinished line after the last batch
  std::uint64_t offset_ = 0;  ///< of the stream's next byte
  std::uint64_t lines_ = 0;
  std::string head_;  ///< of the line being skipped
  std::uint64_t skipped_ = 0;
  bool skipping_ = false;
  bool finished_ = false;
};

}  // namespace

std::unique_ptr<Reader> make_line_reader(std::unique_ptr<ByteSource> bytes,
                                         const ReaderLimits& limits, DecodeLines decode) {
  return std::make_unique<LineReader>(std::move(bytes), limits, decode);
}

std::string_view line_of(std::string_view raw) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (raw.starts_with(byte_order_mark)) raw.remove_prefix(byte_order_mark.size());
  return raw;
}

}  // namespace twinset
