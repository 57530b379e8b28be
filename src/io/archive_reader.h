// Splits web archives (WARC, ARC) into records: each has a head that says how long it is.
//
// A length is believed if the record's end, or the next record, stands where it says. Where it does
// not, or where no record begins, the next head is searched, and the bytes up to it are one bad
// record: every byte of the file belongs to exactly one record, good or bad. The records do not
// depend on the batches in which they come. No byte is looked at more than a few times, whatever
// the file holds.
//
// In ClueWeb09 carriage returns were removed and lengths count them still. A length that is too
// large by no more bytes than the record has lines, none of which ends with a carriage return in
// its head, is mended: the record ends where the next one begins.
//
// Threads: as a Reader; a syntax is a constant.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/bytes.h"
#include "io/reader.h"

namespace twinset {

/// No head of a record is longer.
inline constexpr std::size_t most_archive_head_bytes = std::size_t{32} << 10;

/// The head of a record, as far as splitting needs it.
struct ArchiveHead {
  enum class State : std::uint8_t {
    none,  ///< no record begins here
    more,  ///< one may begin here; more bytes are needed to tell
    whole
  };
  State state = State::none;
  std::size_t head_bytes = 0;       ///< its blank line or line end included
  std::uint64_t content_bytes = 0;  ///< that the head promises after it
  std::size_t looked_at = 0;        ///< bytes that it took to tell
};

/// One kind of archive.
struct ArchiveSyntax {
  /// The head at the beginning of `bytes`. `strict`: it is not where one was promised, so it must
  /// have all that a head has.
  ArchiveHead (*read_head)(std::string_view bytes, bool strict);
  /// The first place at or after `from` where a head may begin; npos if there is none.
  std::size_t (*find_head)(std::string_view bytes, std::size_t from);
  std::string_view record_end;  ///< follows each record's content
  /// The bytes that the text of a record takes, if these may be more than its own; at most
  /// `most` + 1 need be told. `scripts`: FieldNames::scripts.
  std::uint64_t (*text_bytes)(std::string_view record, std::uint64_t most, bool scripts);
  void (*decode)(const FieldNames& fields, RecordBatch& batch);
};

/// Of io/formats/warc.cc and arc.cc.
extern const ArchiveSyntax warc_syntax;
extern const ArchiveSyntax arc_syntax;

std::unique_ptr<Reader> make_archive_reader(std::unique_ptr<ByteSource> bytes,
                                            const ReaderLimits& limits,
                                            const ArchiveSyntax& syntax);

}  // namespace twinset
