// A batch begins with the message that the one before left unfinished. For a longer one it grows,
// up to the longest record held; of a message beyond that, bytes are dropped until the next From_
// line.
//
// A Content-Length is asked about only if a From_ line stands within what it promises, since
// without one the message ends at the next From_ line anyway. To see whether it is right, so many
// bytes must be at hand. After a few wrong ones only small ones are tried: a file of messages that
// all promise megabytes would otherwise be read again for each of them.
//
// This file's interface is io/mbox_reader.h; the rest is private.
#include "io/mbox_reader.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "io/batch_filling.h"
#include "io/mail_scan.h"
#include "io/scratch.h"

namespace twinset {
namespace {

constexpr std::string_view line_begins = "\nFrom ";
/// Wrong lengths in a file before only those up to `small_length_bytes` are tried.
constexpr unsigned most_wrong_lengths = 8;
constexpr std::uint64_t small_length_bytes = std::uint64_t{256} << 10;
/// Line ends after a promised length that belong to the message.
constexpr unsigned most_line_ends = 2;

class MboxReader final : public StreamReader {
 public:
  MboxReader(std::unique_ptr<ByteSource> bytes, const ReaderLimits& limits,
             const MboxSyntax& syntax)
      : StreamReader(std::move(bytes), limits), syntax_(syntax) {}

  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    syntax_.decode(fields, batch);
  }

 private:
  enum class Begins : std::uint8_t { file, message, gap };

  /// The bytes of a batch, and how far they are split.
  struct View {
    std::string_view bytes;
    Ending ending = Ending::more;
    std::size_t at = 0;
    std::uint64_t wanted = 0;  ///< bytes from the beginning that the next step needs
    bool ended() const { return ending != Ending::more; }
    std::string_view rest() const { return bytes.substr(at); }
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
      if (view.at > 0 || view.ended()) break;
      grow_batch(batch, used, std::max(view.wanted, most_held_ + from_line_bytes));
    }
    if (view.ending == Ending::fault) {
      end_at_fault(batch, view);
    } else if (view.ending == Ending::end) {
      finished_ = true;
    }
    offset_ += view.at;
    carried_.assign(view.rest());
    return {};
  }

  /// Makes records as far as the bytes tell.
  void split(RecordBatch& batch, View& view) {
    while (view.at < view.bytes.size() || (skipped_ > 0 && view.ended())) {
      const std::size_t end = find_end(view);
      if (end == std::string_view::npos) {
        if (view.ended()) return;  // The rest is the fault's.
        const bool waits = view.wanted > view.bytes.size();
        // The record goes on after looked_.
        if (!waits && (skipped_ > 0 || looked_ >= most_held_)) skip(view);
        return;
      }
      add(batch, view, end);
    }
  }

  // ---- Where a message ends ----

  /// The number of bytes of the rest that belong to the record there; npos if more must be read.
  std::size_t find_end(View& view) {
    const std::string_view rest = view.rest();
    if (begins_ != Begins::message && looked_ == 0 && skipped_ == 0) {
      const FromLine first = from_line(rest, true, view.ended());
      if (first == FromLine::more) return std::string_view::npos;
      if (first == FromLine::yes) begins_ = Begins::message;
    }
    while (true) {
      const std::size_t found = rest.find(line_begins, looked_);
      if (found == std::string_view::npos) {
        looked_ = std::max(looked_, rest.size() - std::min(rest.size(), line_begins.size()));
        return view.ending == Ending::end ? rest.size() : std::string_view::npos;
      }
      looked_ = found;
      const std::size_t line = found + 1;
      switch (from_line(rest.substr(line), ends_blank(rest.substr(0, line)), view.ended())) {
        case FromLine::more:
          return std::string_view::npos;
        case FromLine::no:
          looked_ = line;
          continue;
        case FromLine::yes:
          break;
      }
      return promised_or(view, line);
    }
  }

  /// Is the last line blank? `bytes` end with a line end.
  static bool ends_blank(std::string_view bytes) {
    bytes.remove_suffix(1);
    if (bytes.ends_with('\r')) bytes.remove_suffix(1);
    return bytes.empty() || bytes.ends_with('\n');
  }

  /// The end that the message's Content-Length promises, if it is right and after `line`; else
  /// `line`.
  std::size_t promised_or(View& view, std::size_t line) {
    if (begins_ != Begins::message || skipped_ > 0) return line;
    const std::string_view rest = view.rest();
    const std::uint64_t promised = promised_end(rest);
    const std::uint64_t most =
        wrong_lengths_ < most_wrong_lengths ? most_held_ : std::min(most_held_, small_length_bytes);
    if (promised <= line || promised > most) return line;
    auto end = static_cast<std::size_t>(promised);
    const std::uint64_t wanted = promised + from_line_bytes;
    if (rest.size() < wanted && !view.ended()) {
      view.wanted = view.at + wanted;
      return std::string_view::npos;
    }
    if (end <= rest.size()) {
      bool line_end = rest[end - 1] == '\n';
      for (unsigned i = 0; i < most_line_ends; ++i) {
        const std::size_t after = end + (rest.substr(end).starts_with("\r\n") ? 2 : 1);
        if (after > rest.size() || rest[after - 1] != '\n') break;
        end = after;
        line_end = true;
      }
      if (end == rest.size() && view.ending == Ending::end) return end;
      if (line_end && from_line(rest.substr(end), true, true) == FromLine::yes) return end;
    }
    ++wrong_lengths_;
    return line;
  }

  // ---- Records ----

  void add(RecordBatch& batch, View& view, std::size_t end) {
    const std::string_view bytes = view.rest().substr(0, end);
    Record record;
    record.number = ++records_;
    record.offset = offset_ + view.at - skipped_;
    record.length = skipped_ + bytes.size();
    record.raw = bytes;
    view.at += end;
    const bool blank = skipped_ == 0 && bytes.find_first_not_of("\r\n") == std::string_view::npos;
    const bool last = view.at == view.bytes.size() && view.ending == Ending::end;
    if (record.length > most_held_) {
      record.bad = why_not_held(record.length);
      keep_head(head_, bytes);
      record.raw = batch.scratch->keep(std::move(head_));
    } else if (begins_ == Begins::message) {
      record.text_bytes = syntax_.text_bytes(record.raw);
      if (record.text_bytes > most_held_) {
        record.bad = why_not_held(record.text_bytes);
        record.detail = batch.scratch->keep("its text decodes to " +
                                            std::to_string(record.text_bytes) + " bytes");
      }
    } else if (blank || (begins_ == Begins::file && !last)) {
      record.carried = true;
    } else {
      record.bad = BadReason::damaged_record;
      record.detail = "no message begins here";
    }
    batch.records.push_back(record);
    begin(Begins::message);
  }

  void begin(Begins what) {
    begins_ = what;
    looked_ = 0;
    skipped_ = 0;
    head_.clear();
  }

  /// Drops bytes of a record that is too long to be held, up to those that tell whether the next
  /// line follows a blank one.
  void skip(View& view) {
    const std::size_t known = looked_ - std::min<std::size_t>(looked_, 3);
    keep_head(head_, view.rest().substr(0, known));
    skipped_ += known;
    view.at += known;
    looked_ -= known;
  }

  /// The stream is damaged at the view's end: what is left there is one bad record, and reading
  /// goes on where the stream does.
  void end_at_fault(RecordBatch& batch, View& view) {
    Record record;
    record.number = ++records_;
    record.offset = offset_ + view.at - skipped_;
    record.length = skipped_ + view.rest().size();
    record.raw = view.rest();
    if (skipped_ > 0) {
      keep_head(head_, view.rest());
      record.raw = batch.scratch->keep(std::move(head_));
    }
    record.bad = bytes_->fault().reason;
    record.detail = batch.scratch->keep(fault_words(bytes_->fault()));
    record.stored_offset = bytes_->fault().stored_offset;
    batch.records.push_back(record);
    view.at = view.bytes.size();
    begin(Begins::gap);
    finished_ = !bytes_->resume();
  }

  const MboxSyntax& syntax_;

  // The record that is being split.
  Begins begins_ = Begins::file;
  std::size_t looked_ = 0;     ///< from its beginning in the view: no From_ line begins before
  std::uint64_t skipped_ = 0;  ///< of its bytes, before the view
  std::string head_;           ///< its first bytes, if some were skipped
  unsigned wrong_lengths_ = 0;
};

}  // namespace

std::unique_ptr<Reader> make_mbox_reader(std::unique_ptr<ByteSource> bytes,
                                         const ReaderLimits& limits, const MboxSyntax& syntax) {
  return std::make_unique<MboxReader>(std::move(bytes), limits, syntax);
}

}  // namespace twinset
