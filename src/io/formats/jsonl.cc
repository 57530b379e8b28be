// JSON Lines: one object a line, of which only the named fields are used.
//
// Splitting looks for line ends only. A batch begins with the unfinished line of the one before;
// for a longer line the batch grows up to the longest record allowed, and a line beyond that is
// counted, not kept. json_fields.h parses the lines, not simdjson: simdjson refuses bytes that are
// not UTF-8 and unpaired surrogate escapes, which found text has and twinset keeps; its On-Demand
// front end accepts unread values unchecked; and its index takes up to four bytes a byte. The tests
// require both to agree.
//
// This file's interface is io/reader.h (jsonl_format); the rest is private.
#include <algorithm>
#include <array>
#include <cstring>

#include "io/bytes.h"
#include "io/decoded_text.h"
#include "io/feature_list.h"
#include "io/format_list.h"
#include "io/json_fields.h"
#include "io/json_string.h"
#include "io/scratch.h"
#include "text/utf8.h"
#include "text/utf8_check.h"
#include "text/xhtml.h"

namespace twinset {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// A record's line without the byte order mark that a file may begin with.
std::string_view line_of(const Record& record) {
  std::string_view line = record.raw;
  if (record.offset == 0 && line.starts_with(byte_order_mark)) {
    line.remove_prefix(byte_order_mark.size());
  }
  return line;
}

bool is_blank(std::string_view line) {
  return skip_json_space(line.data(), line.data() + line.size()) == line.data() + line.size();
}

// ---- Decoding ----

/// `token` with U+FFFD for bytes that are not UTF-8, so that it can be written as JSON.
std::string repaired(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size();) {
    const utf8::Decoded decoded = utf8::decode(token, i);
    out += decoded.valid ? token.substr(i, decoded.bytes) : std::string_view("\xEF\xBF\xBD");
    i += decoded.bytes;
  }
  return out;
}

/// A field as written; empty if it is missing or null.
std::string_view token_of(const FoundField& field, RecordBatch& batch) {
  const JsonValue& value = field.value;
  if (value.kind == JsonKind::none || value.kind == JsonKind::null) return {};
  return is_utf8(value.raw) ? value.raw : batch.scratch->keep(repaired(value.raw));
}

/// The text of a record that must be a list of features: the array as written.
void decode_features(const FieldNames& fields, const JsonValue& value, Record& record,
                     RecordBatch& batch) {
  const std::string fault =
      value.kind == JsonKind::array
          ? feature_fault(value.raw)
          : "is " + std::string(json_kind_name(value.kind)) + ", not an array of features";
  if (fault.empty()) {
    record.text = value.raw;
    return;
  }
  record.bad = BadReason::text_not_features;
  record.detail = batch.scratch->keep("\"" + fields.text + "\"" +
                                      (value.kind == JsonKind::array ? ": " : " ") + fault);
}

/// The text of a record. In charsets such as Shift_JIS a letter may have a backslash for its second
/// byte, so a string that is not UTF-8 is decoded as written, and then unescaped.
void set_string(const FoundField& text, Record& record, RecordBatch& batch) {
  record.text = text.text;
  if (is_utf8(text.text)) return;
  const std::string_view body = text.value.raw.substr(1);
  set_text_of_utf8(body, record, batch);
  if (record.charset.charset == Charset::utf8) {
    record.text = text.text;
    return;
  }
  std::string unescaped(record.text.size() + json_string_slack, '\0');
  const JsonString read = read_json_string(
      record.text.data(), record.text.data() + record.text.size(), unescaped.data());
  if (read.end == nullptr) {
    set_text_of_utf8(text.text, record, batch);
    return;
  }
  unescaped.resize(read.decoded_bytes);
  record.text = batch.scratch->keep(std::move(unescaped));
}

/// Finds the fields in the line as UTF-8, if it is in a charset in which a closing quote may have
/// seemed escaped.
bool find_in_decoded_line(std::string_view line, const FieldPaths& paths,
                          std::span<FoundField> found, Record& record, RecordBatch& batch) {
  if (is_utf8(line)) return false;
  const FoundCharset charset{guess_charset(line), FoundCharset::Why::guess};
  if (!has_ascii_pairs(charset.charset)) return false;
  std::string decoded;
  append_utf8(charset.charset, line, decoded);
  const std::string_view kept = batch.scratch->keep(std::move(decoded));
  std::string& room = batch.scratch->words.emplace_back(kept.size() + json_string_slack, '\0');
  JsonFault fault;
  if (!find_json_fields(kept, paths, found, room.data(), fault)) return false;
  record.charset = charset;
  return true;
}

void decode_jsonl(const FieldNames& fields, RecordBatch& batch) {
  std::vector<std::string_view> names{fields.text, fields.id};
  names.insert(names.end(), fields.named.begin(), fields.named.end());
  const FieldPaths paths(names);
  std::vector<FoundField> found(names.size());
  std::vector<std::string_view>& values = batch.scratch->fields;
  values.clear();
  values.reserve(fields.named.size() * batch.records.size());
  std::size_t room_bytes = json_string_slack;
  for (const Record& record : batch.records) {
    if (record.bad == BadReason::none) room_bytes += record.raw.size();
  }
  char* room = batch.scratch->make_room(room_bytes);
  for (Record& record : batch.records) {
    if (record.bad != BadReason::none) continue;
    const std::string_view line = line_of(record);
    JsonFault fault;
    if (!find_json_fields(line, paths, found, room, fault) &&
        !find_in_decoded_line(line, paths, found, record, batch)) {
      record.bad = BadReason::invalid_json;
      record.detail =
          batch.scratch->keep(std::string(fault.what) + " at byte " +
                              std::to_string(fault.at - record.raw.data()) + " of the record");
      continue;
    }
    record.id = token_of(found[1], batch);
    const std::size_t first = values.size();
    for (std::size_t i = 2; i < found.size(); ++i) values.push_back(token_of(found[i], batch));
    record.fields = std::span(values).subspan(first);
    record.field_names = fields.named;
    const FoundField& text = found[0];
    if (text.value.kind == JsonKind::none) {
      record.bad = BadReason::missing_text;
      record.detail = batch.scratch->keep("no field \"" + fields.text + "\"");
    } else if (fields.features) {
      decode_features(fields, text.value, record, batch);
    } else if (text.value.kind != JsonKind::string) {
      record.bad = BadReason::text_not_string;
      record.detail = batch.scratch->keep("\"" + fields.text + "\" is " +
                                          std::string(json_kind_name(text.value.kind)));
    } else {
      set_string(text, record, batch);
      if (text.text.data() == room) room += text.text.size();
      if (record.markup == Markup::xhtml) record.markup = xhtml_rules(record.text);
    }
  }
}

// ---- Splitting ----

class JsonlReader final : public Reader {
 public:
  JsonlReader(std::unique_ptr<ByteSource> bytes, const ReaderLimits& limits)
      : bytes_(std::move(bytes)),
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
    decode_jsonl(fields, batch);
  }

 private:
  /// How the bytes read so far end.
  enum class Ending : std::uint8_t { more, end, fault };

  /// Reads until bytes[used, room) are full or the stream stops.
  Result<Ending> read_into(RecordBatch& batch, std::size_t& used, std::size_t room) {
    while (used < room) {
      TWINSET_ASSIGN(const std::size_t got, bytes_->read(batch.bytes.data() + used, room - used));
      if (got == 0) {
        return bytes_->fault().reason == BadReason::none ? Ending::end : Ending::fault;
      }
      used += got;
    }
    return Ending::more;
  }

  /// A batch of whole lines, beginning with the one carried over.
  Status fill(RecordBatch& batch) {
    std::size_t used = carried_.size();
    carried_.copy(batch.bytes.data(), used);
    const std::uint64_t offset = offset_ - used;
    carried_ = keep_small(std::move(carried_));
    std::size_t scanned = used;
    while (true) {
      const std::size_t room = batch.bytes.size() - batch_padding_bytes;
      const std::size_t before = used;
      TWINSET_ASSIGN(const Ending ending, read_into(batch, used, room));
      offset_ += used - before;
      const char* const bytes = batch.bytes.data();
      const bool whole_line = std::memchr(bytes + scanned, '\n', used - scanned) != nullptr;
      scanned = used;
      if (!whole_line && ending == Ending::more) {
        if (used > most_held_) {
          begin_skipping(batch, used);
          return {};
        }
        grow(batch, used);
        continue;
      }
      const std::size_t split = split_lines(batch, used, offset);
      finish_batch(batch, {bytes + split, used - split}, offset + split, ending);
      return {};
    }
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
    } else if (is_blank(line_of(record))) {
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
    TWINSET_ASSIGN(const Ending ending, read_into(batch, used, batch_bytes_));
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

  /// Empties `text`, and frees its memory if that far exceeds a batch.
  std::string keep_small(std::string text) const {
    if (text.capacity() > 4 * batch_bytes_) return {};
    text.clear();
    return text;
  }

  const std::unique_ptr<ByteSource> bytes_;
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

std::unique_ptr<Reader> make_jsonl_reader(std::unique_ptr<ByteSource> bytes,
                                          const ReaderLimits& limits) {
  return std::make_unique<JsonlReader>(std::move(bytes), limits);
}

constexpr std::array<std::string_view, 2> extensions{".jsonl", ".ndjson"};

constexpr FormatDeclaration declaration{
    .name = "jsonl", .extensions = extensions, .summary = "JSON Lines: one object a line"};

}  // namespace

extern const FormatEntry jsonl_format;
const FormatEntry jsonl_format{&declaration, make_jsonl_reader, decode_jsonl};

}  // namespace twinset
