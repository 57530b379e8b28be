// A batch begins with the bytes left over from the one before. For a record that does not fit, it
// grows up to the longest record held; the head of a longer one, or a place where no record begins,
// starts skipping: bytes are read and dropped until the record's end or the next head.
//
// After one length that was wrong, no length in the file is believed over a head that stands within
// it, unless the record ends as it should right where the length says: a page may quote heads.
// Otherwise a file of heads that promise too much would be read again for each of them.
//
// This file's interface is io/archive_reader.h; the rest is private.
#include "io/archive_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/batch_filling.h"
#include "io/scratch.h"

namespace twinset {
namespace {

/// After a wrong length, the next head is looked for so far past the promised end.
constexpr std::size_t search_bytes = std::size_t{64} << 10;
/// No beginning of a head, with the byte before it, is longer; a search keeps so many undecided.
constexpr std::size_t undecided_bytes = 16;
/// Bytes of line ends after a record that belong to it, beyond those that must be there.
constexpr std::size_t most_line_ends = 4;

/// Of a file with a wrong length, a record in which heads stand is read so far to see whether its
/// own length is right.
constexpr std::size_t most_quoting_bytes = std::size_t{8} << 20;
/// Enough bytes of a head to see that one begins.
constexpr std::size_t head_begin_bytes = 64;

/// "no record begins here".
constexpr std::string_view no_head = "no record begins here";

class ArchiveReader final : public StreamReader {
 public:
  ArchiveReader(std::unique_ptr<ByteSource> bytes, const ReaderLimits& limits,
                const ArchiveSyntax& syntax)
      : StreamReader(std::move(bytes), limits), syntax_(syntax) {}

  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    syntax_.decode(fields, batch);
  }

 private:
  /// The bytes of a batch, and how far they are split.
  struct View {
    std::string_view bytes;
    Ending ending = Ending::more;
    std::size_t at = 0;
    std::size_t wanted = 0;  ///< bytes from the beginning that the next step needs; 0: no more
    bool ended() const { return ending != Ending::more; }
    std::string_view rest() const { return bytes.substr(at); }
  };

  /// A step of the splitter: so many bytes are a record, or why they are none.
  struct Piece {
    std::size_t bytes = 0;  ///< 0: more bytes are needed
    BadReason bad = BadReason::none;
    std::string detail;
    bool line_ends = false;  ///< nothing but these
    bool mended = false;     ///< its length counts bytes that are gone
  };

  /// The place where a search ended.
  struct Found {
    std::size_t at = 0;
    bool head = false;  ///< else everything before `at` has none
  };

  Status fill(RecordBatch& batch) override {
    std::size_t used = take_carried(batch);
    View view;
    while (true) {
      const std::size_t room = batch.bytes.size() - batch_padding_bytes;
      TWINSET_ASSIGN(view.ending, read_into(*bytes_, batch.bytes, used, room));
      view.bytes = std::string_view(batch.bytes).substr(0, used);
      view.wanted = 0;
      split(batch, view);
      if (view.at > 0 || view.ended() || skipping_) break;
      grow_batch(batch, used, view.wanted);
    }
    if (view.ending == Ending::fault) {
      end_at_fault(batch, view);
    } else if (view.ending == Ending::end && view.at == used) {
      finished_ = true;
    }
    offset_ += view.at;
    carried_.assign(view.rest());
    return {};
  }

  /// Makes records as far as the bytes tell.
  void split(RecordBatch& batch, View& view) {
    while (view.at < view.bytes.size() || (skipping_ && view.ended())) {
      if (skipping_) {
        if (!skip(batch, view)) return;
        continue;
      }
      const Piece piece = next_piece(view);
      if (piece.bytes == 0) return;
      add(batch, view, piece);
      view.at += piece.bytes;
    }
  }

  // ---- One record ----

  Piece next_piece(View& view) {
    const std::string_view rest = view.rest();
    const ArchiveHead head =
        syntax_.read_head(rest.substr(0, most_archive_head_bytes), /*strict=*/false);
    if (head.state == ArchiveHead::State::more && !view.ended() &&
        rest.size() < most_archive_head_bytes) {
      view.wanted = view.at + most_archive_head_bytes;
      return {};
    }
    if (head.state != ArchiveHead::State::whole) {
      if (view.ending == Ending::end && head.state == ArchiveHead::State::more) {
        return truncated(rest.size(), "ends within the head of a record");
      }
      return begin_gap();
    }
    const std::uint64_t total = head.head_bytes + head.content_bytes;
    if (total > most_held_) {
      begin_skipping(head.head_bytes, total);
      return {};
    }
    const std::size_t end = static_cast<std::size_t>(total);
    if (distrusts_) {
      const Found inner = find(rest.substr(0, end), head.head_bytes, true);
      if (inner.head) {
        const std::size_t wanted =
            end + syntax_.record_end.size() + most_line_ends + head_begin_bytes;
        if (rest.size() < wanted && !view.ended() && end <= most_quoting_bytes) {
          view.wanted = view.at + wanted;
          return {};
        }
        if (end > most_quoting_bytes || !ends_at(rest, end))
          return wrong_length(rest, head, end, inner.at);
      }
    }
    // A byte more, so that a fault of the stream right after the record is seen with it.
    const std::size_t with_ends = end + syntax_.record_end.size() + most_line_ends;
    if (rest.size() <= with_ends && !view.ended()) {
      view.wanted = view.at + with_ends + 1;
      return {};
    }
    // At a fault, a record without its end is not whole.
    const std::size_t least = end + (view.ending == Ending::fault ? syntax_.record_end.size() : 0);
    if (rest.size() < least) return cut_off(view, head, end);
    if (rest.substr(end).starts_with(syntax_.record_end)) {
      return {after_line_ends(rest, end + syntax_.record_end.size()),
              BadReason::none,
              {},
              false,
              false};
    }
    return odd_end(view, head, end);
  }

  /// Does a record end as it should at `end`, and another begin after it, or nothing follow?
  bool ends_at(std::string_view bytes, std::size_t end) const {
    if (bytes.size() < end || !bytes.substr(end).starts_with(syntax_.record_end)) return false;
    const std::size_t next = after_line_ends(bytes, end + syntax_.record_end.size());
    return next == bytes.size() ||
           syntax_.read_head(bytes.substr(next, head_begin_bytes), false).state !=
               ArchiveHead::State::none;
  }

  /// The file ends within a record, unless its length is wrong and others follow.
  Piece cut_off(const View& view, const ArchiveHead& head, std::size_t end) {
    const std::string_view rest = view.rest();
    const Found inner = find(rest, head.head_bytes, true);
    if (inner.head) return wrong_length(rest, head, end, inner.at);
    if (view.ending == Ending::fault) return {};  // end_at_fault() reports it.
    if (mends_ && lost_line_ends(rest, head, end, rest.size())) return mended(rest.size());
    return truncated(rest.size(), "ends within a record, of which " +
                                      std::to_string(end - rest.size()) + " bytes are missing");
  }

  /// The record does not end as it should: is its length wrong, or are the bytes after it?
  Piece odd_end(View& view, const ArchiveHead& head, std::size_t end) {
    const std::string_view rest = view.rest();
    const std::size_t wanted = end + search_bytes + most_archive_head_bytes;
    if (rest.size() < wanted && !view.ended()) {
      view.wanted = view.at + wanted;
      return {};
    }
    const std::size_t next = after_line_ends(rest, end);
    const auto begins = [&](std::size_t at) {
      return syntax_.read_head(rest.substr(at, most_archive_head_bytes), false).state !=
             ArchiveHead::State::none;
    };
    if (next == rest.size() || begins(next)) return {next, BadReason::none, {}, false, false};
    const Found found = find(rest.substr(0, std::min(rest.size(), wanted)), head.head_bytes, true);
    if (!found.head && view.ending == Ending::fault) return {};  // Nothing says that it is whole.
    // A record whose own bytes are right, before damage.
    if (!found.head || found.at >= end + search_bytes) {
      return {end, BadReason::none, {}, false, false};
    }
    if (found.at >= end && found.at <= end + 2 * most_line_ends) {
      return {found.at, BadReason::none, {}, false, false};
    }
    return wrong_length(rest, head, end, found.at);
  }

  /// May the record that promises `end` bytes and has `found` have lost the carriage returns of its
  /// lines?
  static bool lost_line_ends(std::string_view rest, const ArchiveHead& head, std::size_t end,
                             std::size_t found) {
    if (found >= end || rest.substr(0, head.head_bytes).find('\r') != std::string_view::npos) {
      return false;
    }
    const std::string_view content = rest.substr(head.head_bytes, found - head.head_bytes);
    const auto lines = std::count(content.begin(), content.end(), '\n');
    return end - found <= static_cast<std::size_t>(lines);
  }

  Piece mended(std::size_t found) {
    mends_ = true;
    return {found, BadReason::none, {}, false, true};
  }

  static std::size_t after_line_ends(std::string_view bytes, std::size_t at) {
    const std::size_t most = std::min(bytes.size(), at + most_line_ends);
    while (at < most && (bytes[at] == '\r' || bytes[at] == '\n')) ++at;
    return at;
  }

  Piece wrong_length(std::string_view rest, const ArchiveHead& head, std::size_t promised,
                     std::size_t found) {
    if (lost_line_ends(rest, head, promised, found)) return mended(found);
    return wrong_length(promised, found);
  }

  Piece wrong_length(std::size_t promised, std::size_t found) {
    distrusts_ = true;
    return {found, BadReason::damaged_record,
            "says that it has " + std::to_string(promised) + " bytes, and the next begins after " +
                std::to_string(found),
            false, false};
  }

  Piece truncated(std::size_t bytes, const std::string& how) const {
    return {bytes, BadReason::truncated_stream, fault_place(bytes_->stored_bytes_read()) + how,
            false, false};
  }

  /// No record begins here: skips to the next that does, or to the end.
  Piece begin_gap() {
    begin_skipping(1, UINT64_MAX);
    return {};
  }

  /// The next head that is whole at or after `from`. `all`: no more bytes will come.
  Found find(std::string_view bytes, std::size_t from, bool all) const {
    while (true) {
      const std::size_t at = syntax_.find_head(bytes, from);
      if (at == std::string_view::npos) break;
      const ArchiveHead head = syntax_.read_head(bytes.substr(at, most_archive_head_bytes), true);
      if (head.state == ArchiveHead::State::whole) return {at, true};
      if (head.state == ArchiveHead::State::more && !all &&
          bytes.size() - at < most_archive_head_bytes) {
        return {at, false};
      }
      from = at + 1;
    }
    if (all) return {bytes.size(), false};
    return {std::max(from, bytes.size() - std::min(bytes.size(), undecided_bytes)), false};
  }

  // ---- Skipping ----

  /// From here on; the first `looked_at` bytes have no head; `total` bytes if the end is known.
  void begin_skipping(std::size_t looked_at, std::uint64_t total) {
    skipping_ = true;
    skipped_ = 0;
    skip_total_ = total;
    head_.clear();
    look_from_ = looked_at;
  }

  /// Skips as far as the bytes tell; true if the record ends there and is added.
  bool skip(RecordBatch& batch, View& view) {
    const std::string_view rest = view.rest();
    const std::uint64_t left = skip_total_ - skipped_;  // Huge if the end is unknown.
    const std::size_t within = static_cast<std::size_t>(std::min<std::uint64_t>(left, rest.size()));
    const Found found = find(rest, std::min(look_from_, rest.size()), view.ended());
    if (found.head && found.at < left) {
      return end_skipping(batch, view, found.at, /*at_head=*/true);
    }
    if (found.at >= left || found.head) {
      const std::size_t end = static_cast<std::size_t>(left);
      const std::size_t with_end = end + syntax_.record_end.size();
      if (rest.size() < with_end && !view.ended()) return keep_skipping(view, within);
      return end_skipping(batch, view,
                          rest.substr(end).starts_with(syntax_.record_end) ? with_end : end, false);
    }
    if (view.ended()) {
      if (view.ending == Ending::fault) return false;
      return end_skipping(batch, view, rest.size(), false);
    }
    return keep_skipping(view, found.at);
  }

  /// Drops the bytes before `decided`, but for the one before the next search.
  bool keep_skipping(View& view, std::size_t decided) {
    const std::size_t drop = decided > 0 ? decided - 1 : 0;
    keep_head(head_, view.rest().substr(0, drop));
    skipped_ += drop;
    look_from_ = decided - drop;
    view.at += drop;
    view.wanted = view.bytes.size() + batch_bytes_;
    return false;
  }

  bool end_skipping(RecordBatch& batch, View& view, std::size_t bytes, bool at_head) {
    keep_head(head_, view.rest().substr(0, bytes));
    const std::uint64_t length = skipped_ + bytes;
    const bool gap = skip_total_ == UINT64_MAX;
    const bool whole = !gap && length >= skip_total_;
    Piece piece;
    if (whole) {
      piece.bad = why_not_held(length);
    } else if (gap) {
      piece.line_ends =
          length <= head_.size() && head_.find_first_not_of("\r\n") == std::string::npos;
      piece.bad = piece.line_ends ? BadReason::none : BadReason::damaged_record;
      piece.detail = no_head;
    } else if (at_head) {
      piece = wrong_length(0, 0);
      piece.detail = "says that it has " + std::to_string(skip_total_) +
                     " bytes, and the next begins after " + std::to_string(length);
    } else {
      piece = truncated(0, "ends within a record, of which " +
                               std::to_string(skip_total_ - length) + " bytes are missing");
    }
    Record record;
    record.number = ++records_;
    record.offset = offset_ + view.at - skipped_;
    record.length = length;
    record.bad = piece.bad;
    record.carried = piece.line_ends;
    record.raw = batch.scratch->keep(std::move(head_));
    record.detail = batch.scratch->keep(std::move(piece.detail));
    if (piece.bad == BadReason::truncated_stream) {
      record.stored_offset = bytes_->stored_bytes_read();
    }
    batch.records.push_back(record);
    head_.clear();
    skipping_ = false;
    view.at += bytes;
    return true;
  }

  // ---- Records ----

  void add(RecordBatch& batch, const View& view, const Piece& piece) {
    Record record;
    record.number = ++records_;
    record.offset = offset_ + view.at;
    record.length = piece.bytes;
    record.raw = view.bytes.substr(view.at, piece.bytes);
    record.bad = piece.bad;
    record.mended = piece.mended;
    record.carried = piece.line_ends;
    if (!piece.detail.empty()) record.detail = batch.scratch->keep(piece.detail);
    if (piece.bad == BadReason::truncated_stream) {
      record.stored_offset = bytes_->stored_bytes_read();
    }
    if (piece.bad == BadReason::none) {
      record.text_bytes = syntax_.text_bytes(record.raw, limits_.max_record_bytes, limits_.scripts);
      if (record.text_bytes > most_held_) {
        record.bad = why_not_held(record.text_bytes);
        record.detail = batch.scratch->keep(
            "its body decodes to more than " +
            std::to_string(std::min(record.text_bytes - 1, limits_.max_record_bytes)) + " bytes");
      }
    }
    batch.records.push_back(record);
  }

  /// The stream is damaged at the view's end: what is left there is one bad record, and reading
  /// goes on where the stream does.
  void end_at_fault(RecordBatch& batch, View& view) {
    const StreamFault fault = bytes_->fault();
    std::uint64_t begin = offset_ + view.at;
    std::string_view raw = view.rest();
    std::uint64_t length = raw.size();
    if (skipping_) {
      begin -= skipped_;
      length += skipped_;
      keep_head(head_, raw);
      raw = batch.scratch->keep(std::move(head_));
      head_.clear();
      skipping_ = false;
    } else if (raw.empty() && !batch.records.empty() &&
               batch.records.back().offset == fault.frame_offset) {
      // A member of its own, whose checksum differs: this record is the damaged one.
      const Record& last = batch.records.back();
      begin = last.offset;
      raw = last.raw;
      length = last.length;
      batch.records.pop_back();
      --records_;
    }
    view.at = view.bytes.size();
    finished_ = !bytes_->resume();
    Record record;
    record.number = ++records_;
    record.offset = begin;
    record.length = length;
    record.raw = raw;
    record.bad = fault.reason;
    record.stored_offset = fault.stored_offset;
    record.detail = batch.scratch->keep(
        fault_words(fault) +
        (finished_ ? "; nothing after it was read"
                   : "; read again from byte " + std::to_string(bytes_->stored_bytes_read())));
    batch.records.push_back(record);
  }

  const ArchiveSyntax& syntax_;
  bool distrusts_ = false;  ///< a length was wrong
  bool mends_ = false;      ///< a length was mended

  bool skipping_ = false;
  std::uint64_t skip_total_ = 0;  ///< of the record being skipped; UINT64_MAX: unknown
  std::uint64_t skipped_ = 0;     ///< of it, before the batch
  std::size_t look_from_ = 0;     ///< in the batch: no head begins before
  std::string head_;              ///< its first bytes
};

}  // namespace

std::unique_ptr<Reader> make_archive_reader(std::unique_ptr<ByteSource> bytes,
                                            const ReaderLimits& limits,
                                            const ArchiveSyntax& syntax) {
  return std::make_unique<ArchiveReader>(std::move(bytes), limits, syntax);
}

}  // namespace twinset
