// Recognizes the content of a file by its first bytes, whatever its name says.
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

#include "text/markup.h"

namespace twinset {

/// The number of first bytes that are looked at.
inline constexpr std::size_t content_bytes = std::size_t{64} << 10;

struct Content {
  enum class Kind : std::uint8_t {
    unknown,  ///< no known first bytes: text, or nothing we know
    gzip,
    zstd,
    packed,  ///< by a compressor we have no reader for; `command` unpacks it
    table,   ///< rows and columns, of which a format reads one as a record
    foreign  ///< a document, a picture, a program, a database
  };
  Kind kind = Kind::unknown;
  std::string_view name;  ///< "a PNG picture"; empty if unknown
  /// A shell command that makes something twinset reads, empty if there is none. `%f` stands for
  /// the file and `%s` for it without its last extension, and a word with one of them, between two
  /// spaces, is quoted if the name needs that. For `packed` it is a filter from standard input to
  /// standard output.
  std::string_view command;
};

/// `head`: the first bytes of a file, at least 262 unless the file is shorter.
Content content_of(std::string_view head);

/// True if this is not text: a tenth of its bytes are NUL or control characters, or a twentieth and
/// it is not UTF-8. Those that a terminal obeys (tab, line end, form feed, backspace, escape) are
/// not counted, and fewer than eight prove nothing, unless they are a third of eight bytes or more.
bool is_binary(std::string_view head);

/// Does a whole page begin so: a doctype of HTML, or one of the tags that only a page has (`html`,
/// `head`, `title`, `body` ...), after space, a byte order mark, comments and an XML declaration?
/// `head`: UTF-8.
bool begins_like_page(std::string_view head);
/// Does a page or a part of one begin so, such as `<div class=...>`? The tags are those by which
/// browsers take bytes of no type for HTML (WHATWG MIME Sniffing, section 7.1), and a few more.
bool begins_like_html(std::string_view head);

/// The markup of a text in an input of this markup.
Markup markup_of(Markup of_input, std::string_view text);

}  // namespace twinset
