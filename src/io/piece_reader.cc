// A batch begins with the bytes left over from the one before; for a longer piece it grows up to
// the longest record allowed. Of a record beyond that, and of bytes where no record begins, only
// the beginning is kept, until the scanner finds the next record.
//
// This file's interface is io/piece_reader.h; the rest is private.
#include "io/piece_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "io/batch_filling.h"
#include "io/scratch.h"

namespace twinset {
namespace {

class PieceReader final : public StreamReader {
 public:
  PieceReader(std::unique_ptr<ByteSource> bytes, const ReaderLimits& limits,
              std::unique_ptr<PieceScanner> scanner, DecodeBatch decode)
      : StreamReader(std::move(bytes), limits),
        scanner_(std::move(scanner)),
        decode_(decode),
        shown_bytes_(static_cast<std::size_t>(std::max(most_held_, most_held_ + 1))) {}

  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    decode_(fields, batch);
  }

 private:
  using Rest = PieceScanner::Rest;

  /// A bad record that is being passed: only its beginning is kept.
  struct Passed {
    BadReason reason = BadReason::none;  ///< none: it is too long to be held
    std::string detail;
    std::string head;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
  };

  Status fill(RecordBatch& batch) override {
    std::size_t used = take_carried(batch);
    while (true) {
      const std::size_t room = batch.bytes.size() - batch_padding_bytes;
      TWINSET_ASSIGN(const Ending ending, read_more(batch, used, room));
      const std::string_view bytes = std::string_view(batch.bytes).substr(0, used);
      const std::size_t split_bytes = split(batch, bytes, ending == Ending::end);
      if (split_bytes == 0 && ending == Ending::more) {
        if (used == room) grow_batch(batch, used, most_held_ + 1);
        continue;
      }
      const std::string_view left = bytes.substr(split_bytes);
      if (ending == Ending::fault) {
        add_fault(batch, left, offset_ + split_bytes);
        offset_ += used;
      } else {
        carried_ = left;
        offset_ += split_bytes;
        finished_ = ending == Ending::end;
      }
      batch.header = scanner_->header();
      return {};
    }
  }

  /// Reads until the room is full, or as it comes.
  Result<Ending> read_more(RecordBatch& batch, std::size_t& used, std::size_t room) {
    if (!limits_.as_it_comes || used == room) return read_into(*bytes_, batch.bytes, used, room);
    return read_some(*bytes_, batch.bytes, used, room);
  }

  /// Makes records of the pieces that the bytes hold; returns where the rest begins.
  std::size_t split(RecordBatch& batch, std::string_view bytes, bool ended) {
    std::size_t at = 0;
    while (at < bytes.size()) {
      // No more than the longest record, whatever else the batch holds: pieces do not depend on it.
      const std::string_view rest = bytes.substr(at, shown_bytes_);
      const bool full = rest.size() > most_held_;
      const bool last = ended && rest.size() == bytes.size() - at;
      if (passing_) {
        const Rest after = full ? Rest::full : last ? Rest::end : Rest::more;
        const PieceScanner::Found found = scanner_->find(rest, after);
        pass(rest.substr(0, found.bytes));
        at += found.bytes;
        if (found.record) {
          end_passed(batch);
        } else if (found.bytes == 0) {
          return at;
        }
        continue;
      }
      // What is too long for the memory alone is no fault of the record.
      const bool longest = full && most_held_ == limits_.max_record_bytes;
      const Rest after = longest ? Rest::full : last && !full ? Rest::end : Rest::more;
      const RecordPiece piece = scanner_->next(rest, after);
      if (piece.kind == RecordPiece::Kind::lost) {
        begin_passing(piece.bad, piece.detail, offset_ + at);
      } else if (piece.bytes > 0) {
        add(batch, piece, rest.substr(0, piece.bytes), offset_ + at);
        at += piece.bytes;
      } else if (full) {
        begin_passing(BadReason::none, {}, offset_ + at);
      } else {
        return at;
      }
    }
    if (passing_ && ended) end_passed(batch);
    return at;
  }

  void add(RecordBatch& batch, const RecordPiece& piece, std::string_view raw,
           std::uint64_t offset) {
    if (piece.kind == RecordPiece::Kind::nothing) return;
    ++records_;
    if (piece.kind == RecordPiece::Kind::blank) return;
    Record record;
    record.number = records_;
    record.offset = offset;
    record.length = raw.size();
    record.raw = raw;
    record.bad = piece.bad;
    if (raw.size() > most_held_) {
      record.bad = why_not_held(raw.size());
      record.raw = raw.substr(0, kept_of_skipped_bytes);
    } else if (!piece.detail.empty()) {
      record.detail = batch.scratch->keep(std::string(piece.detail));
    }
    record.frame = piece.kind == RecordPiece::Kind::frame && record.bad == BadReason::none;
    record.carried =
        record.frame || (piece.kind == RecordPiece::Kind::carried && record.bad == BadReason::none);
    batch.records.push_back(record);
  }

  void begin_passing(BadReason reason, std::string_view detail, std::uint64_t offset) {
    passing_ = true;
    passed_ = {reason, std::string(detail), {}, offset, 0};
    scanner_->begin_search();
  }

  void pass(std::string_view bytes) {
    keep_head(passed_.head, bytes);
    passed_.length += bytes.size();
  }

  void end_passed(RecordBatch& batch) {
    passing_ = false;
    if (passed_.length == 0) return;  // A record stands right after a damaged place.
    Record record;
    record.number = ++records_;
    record.offset = passed_.offset;
    record.length = passed_.length;
    record.bad = passed_.reason;
    if (record.bad == BadReason::none && most_held_ == limits_.max_record_bytes) {
      record.bad = BadReason::record_too_long;
    } else if (record.bad == BadReason::none) {
      // It ends the run, and its length tells the memory that is wanted.
      record.length = std::max(record.length, most_held_ + 1);
      record.bad = why_not_held(record.length);
    }
    record.detail = batch.scratch->keep(std::move(passed_.detail));
    record.raw = batch.scratch->keep(std::move(passed_.head));
    batch.records.push_back(record);
  }

  /// The stream is damaged after `left`, which is then a part of a record.
  void add_fault(RecordBatch& batch, std::string_view left, std::uint64_t offset) {
    Record record;
    record.number = ++records_;
    record.offset = offset;
    record.length = left.size();
    record.raw = left;
    if (passing_) {
      pass(left);
      record.offset = passed_.offset;
      record.length = passed_.length;
      record.raw = batch.scratch->keep(std::move(passed_.head));
      passing_ = false;
    }
    record.bad = bytes_->fault().reason;
    record.detail = batch.scratch->keep(fault_words(bytes_->fault()));
    record.stored_offset = bytes_->fault().stored_offset;
    batch.records.push_back(record);
    finished_ = !bytes_->resume();
    if (!finished_ && scanner_->after_damage() != BadReason::none) {
      begin_passing(scanner_->after_damage(), "follows a damaged part of the file",
                    record.offset + record.length);
    }
  }

  const std::unique_ptr<PieceScanner> scanner_;
  const DecodeBatch decode_;
  const std::size_t shown_bytes_;  ///< to the scanner: enough to tell that a record is longer
  bool passing_ = false;
  Passed passed_;
};

}  // namespace

std::unique_ptr<Reader> make_piece_reader(std::unique_ptr<ByteSource> bytes,
                                          const ReaderLimits& limits,
                                          std::unique_ptr<PieceScanner> scanner,
                                          DecodeBatch decode) {
  return std::make_unique<PieceReader>(std::move(bytes), limits, std::move(scanner), decode);
}

}  // namespace twinset
