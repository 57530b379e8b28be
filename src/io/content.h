// The first bytes of a file tell what it holds, whatever its name says.
//
//   content_of("\x1f\x8b\x08...").kind      // Content::Kind::gzip
//   content_of("%PDF-1.7...").name          // "a PDF document"
//   content_of("Dear reader, ...").kind     // Content::Kind::unknown: perhaps text
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinset {

/// How many first bytes of a file are looked at.
inline constexpr std::size_t content_bytes = std::size_t{64} << 10;

struct Content {
  enum class Kind : std::uint8_t {
    unknown,  ///< no known beginning: text, or nothing we know
    gzip,
    zstd,
    packed,  ///< by a compressor we have no reader for; `command` unpacks it
    foreign  ///< a document, a picture, a program, a database
  };
  Kind kind = Kind::unknown;
  std::string_view name;  ///< "a PNG picture"; empty if unknown
  /// A shell command that makes something twinset reads, empty if there is none. `%f`
  /// stands for the file and `%s` for it without its last extension; of `packed` it is
  /// a filter from standard input to standard output.
  std::string_view command;
};

/// `head` is the beginning of a file, at least 262 bytes of it unless it is shorter.
Content content_of(std::string_view head);

/// Is this no text? A tenth of its bytes are NUL or control characters, or a twentieth
/// and it is not UTF-8. Those that a terminal obeys (tab, line end, form feed,
/// backspace, escape) are not counted, and fewer than eight say nothing.
bool is_binary(std::string_view head);

}  // namespace twinset
