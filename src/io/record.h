// A batch of records: one buffer of bytes, with a view of each record as it is in its file.
//
// A Reader first splits (read), then decodes (decode): splitting is cheap and in
// order, decoding is the work and may run on any thread. Numbering: a record's
// number is its 1-based line for line formats, its row for tables, 1 for a file that is one
// document; blank lines have numbers but are not records.
//
// Threads: a batch belongs to one thread at a time. Reuse it: buffers keep
// their capacity.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/charset.h"
#include "text/markup.h"

namespace twinset {

/// Why bytes of an input are not a document. quarantine.jsonl has the names of reason_name().
enum class BadReason : std::uint8_t {
  none,
  invalid_json,
  missing_text,
  text_not_string,
  record_too_long,     ///< over --max-record; skipped streaming
  truncated_stream,    ///< compressed data ends early
  corrupt_stream,      ///< compressed data does not decode
  decompression_bomb,  ///< decoded size over the absolute cap
  unreadable,          ///< the file vanished, or the system refuses to read it
  text_not_features,   ///< a list of features was asked for, and this is none
  damaged_record,      ///< of an archive or mailbox: no record begins here, or it cannot be read
  undecodable_body,    ///< the body of a page is in a coding that does not decode
  invalid_row,         ///< of a table in text: its columns are too few or many, or a quote is open
  over_memory          ///< longer than ReaderLimits::max_held_bytes; ends a run, never quarantined
};
std::string_view reason_name(BadReason reason);

/// Is the input itself damaged? Such a record stands for the missing part.
bool is_stream_fault(BadReason reason);

/// Content of archives that people do not read, and that is left out unless it is asked for.
enum class PageContent : std::uint8_t { other, script, style_sheet, empty };

/// One record of a batch. Its views point into the batch.
struct Record {
  std::uint64_t number = 0;      ///< within its source, from 1
  std::uint64_t offset = 0;      ///< of its first byte in the decoded stream
  std::uint64_t length = 0;      ///< of the record there; raw.size() unless it was skipped
  std::string_view raw;          ///< bytes as in the file, line end included
  std::uint64_t text_bytes = 0;  ///< that its text may take, if they are more than length
  Markup markup = Markup::none;  ///< of its text
  // Set by decode():
  std::string_view text;  ///< decoded text value (any bytes)
  FoundCharset charset;   ///< of its text as it was stored
  std::string_view id;    ///< the id value as written (a JSON token); empty if none
  std::string_view url;   ///< of a page, if its format knows it; not a token
  /// The values of FieldNames::named, in that order, as written (JSON tokens); field() reads
  /// them.
  std::span<const std::string_view> fields;
  /// FieldNames::named itself, which outlives the record; empty in formats without fields.
  std::span<const std::string> field_names;
  BadReason bad = BadReason::none;
  /// Not a document, but bytes between documents that belong to the output, such as the part of a
  /// mailbox before its first message. It has no text.
  bool carried = false;
  /// Carried, and part of every output of its file, also of those of removed records: the line of a
  /// table's columns, the end of an array.
  bool frame = false;
  PageContent content = PageContent::other;  ///< of a carried record
  bool mended = false;       ///< its archive gives it a length that counts bytes which are gone
  bool broken_mail = false;  ///< its MIME is broken, and it was read as far as it goes
  std::string_view detail;   ///< a few words with the reason; may be empty
  /// If the stream was cut off or damaged: the place in the file as stored.
  std::uint64_t stored_offset = 0;

  /// The value of FieldNames::named[i]; empty if the record has none.
  std::string_view field(std::size_t i) const {
    return i < fields.size() ? fields[i] : std::string_view();
  }
  std::string_view field(std::string_view name) const {
    for (std::size_t i = 0; i < field_names.size(); ++i) {
      if (field_names[i] == name) return field(i);
    }
    return {};
  }
};

/// Records of one source in order, and the bytes they point into.
struct RecordBatch {
  RecordBatch();
  ~RecordBatch();
  RecordBatch(RecordBatch&&) noexcept;
  RecordBatch& operator=(RecordBatch&&) noexcept;

  std::string bytes;  ///< raw bytes, padded past the end for SIMD readers
  std::vector<Record> records;
  std::uint64_t lines = 0;         ///< numbers given so far in this source, blank lines included
  std::uint64_t stored_bytes = 0;  ///< of the input as stored, read so far in this source
  std::uint64_t window_bytes = 0;  ///< held by its decompressor
  std::string header;              ///< Input::header, for decoding; empty in most formats

  struct Scratch;  ///< a parser and decoded text; private to the readers
  std::unique_ptr<Scratch> scratch;
};

/// Calls `use` with the raw bytes of all records in order, neighbors in one piece.
template <class Use>
void for_each_piece(const RecordBatch& batch, Use use) {
  std::string_view piece;
  for (const Record& record : batch.records) {
    if (piece.data() + piece.size() == record.raw.data()) {
      piece = {piece.data(), piece.size() + record.raw.size()};
      continue;
    }
    if (!piece.empty()) use(piece);
    piece = record.raw;
  }
  if (!piece.empty()) use(piece);
}

}  // namespace twinset
