// Looks at the first bytes of an input before any record is read, and says how to read it or why it
// cannot be read. A name that promises something is believed, and bytes that contradict it are a
// fault; where the name says nothing, or no more than ".txt" does, the bytes alone decide, in a
// folder as on the command line.
//
//   FirstLook look = look_at(files, "pages.jsonl.gz", {});
//   look.fault     // "is zstd, not gzip; rename it to pages.jsonl.zst"
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/reader.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// The reason why an input cannot be read, known before it is read. summary.json has the names of
/// unread_name().
enum class Unread : std::uint8_t {
  none,
  unreadable,       ///< the system refuses to open it
  wrong_extension,  ///< its name says gzip, zstd or neither, its bytes say another one
  foreign,          ///< a JSON array, JSON Lines in UTF-16 ...
  binary            ///< not text: a picture, a program, random bytes
};
std::string_view unread_name(Unread unread);

struct LookOptions {
  std::string_view format;      ///< forced for all; empty: by extension and content
  bool walked = false;          ///< found in a folder, not named
  bool standard_input = false;  ///< `path` is the spool of it
  /// The field that holds the text; empty: "text", which tables need not have. JSON in a folder
  /// whose name promises no records and that has no such field is no JSON Lines, but settings, say.
  std::string_view text = "text";
  bool spooled = false;  ///< `path` is a copy of a pipe's bytes, which no message names
  /// The first lines of a stream, plain and of no table, in place of the file; null: it is opened.
  const std::string* head = nullptr;
  bool mail = false;  ///< it lies where a Maildir has its messages, whose names say nothing
};

struct FirstLook {
  std::string_view format = "text";
  Compression compression = Compression::none;
  std::uint64_t window_bytes = 0;  ///< that its first zstd frame asks for
  Unread unread = Unread::none;
  std::string fault;     ///< after the name: the problem, and the command that solves it
  bool records = false;  ///< its name promises records: never skipped in a folder
  bool guessed = false;  ///< the content told the format, and the name did not
  std::string header;    ///< Input::header
};

/// "Permission denied" from "cannot open x: Permission denied".
std::string reason_in(const Error& error);

/// Opens `path` and reads at most content_bytes of it, and as many decoded ones.
FirstLook look_at(FileSystem& files, const std::string& path, const LookOptions& options);

}  // namespace twinset
