// A table of first bytes that no text begins with. Two or three first bytes are in the table only
// if text does not begin with them: "BM" begins a bitmap, but also a text on "BMW".
//
// This file's interface is io/content.h; the rest is private.
#include "io/content.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/characters.h"
#include "io/mail_scan.h"
#include "io/text_lines.h"
#include "text/utf8.h"
#include "text/xhtml.h"

namespace twinset {
namespace {

using Kind = Content::Kind;
using namespace std::string_view_literals;

struct Magic {
  std::size_t offset;
  std::string_view bytes;
  Content content;
};

constexpr std::string_view arrow_to_lines =
    "python3 -c \"import sys, pyarrow.feather as f; f.read_feather(sys.argv[1]).to_json("
    "sys.argv[2], orient='records', lines=True)\" %f %s.jsonl";

constexpr std::string_view office_to_text = "soffice --headless --convert-to txt:Text %f";
constexpr std::string_view mhtml_to_page =
    "python3 -c \"import sys, email; open(sys.argv[2], 'wb').write([p for p in "
    "email.message_from_binary_file(open(sys.argv[1], 'rb')).walk() if p.get_content_type() == "
    "'text/html'][0].get_payload(decode=True))\" %f %s.html";

constexpr std::array magics{
    Magic{0, "\x1f\x8b\x08"sv, {Kind::gzip, "gzip", ""}},
    Magic{0, "\x28\xb5\x2f\xfd"sv, {Kind::zstd, "zstd", ""}},
    Magic{0, "\xfd\x37zXZ\0"sv, {Kind::packed, "xz", "xz -dc"}},
    Magic{0, "LZIP\x01"sv, {Kind::packed, "lzip", "lzip -dc"}},
    Magic{0, "\x04\x22\x4d\x18"sv, {Kind::packed, "lz4", "lz4 -dc"}},
    Magic{0, "\x1f\x9d"sv, {Kind::packed, "compress", "gzip -dc"}},
    Magic{0, "PAR1"sv, {Kind::table, "Parquet", ""}},
    Magic{0, "PARE"sv, {Kind::foreign, "encrypted Parquet", ""}},
    Magic{0, "ARROW1\0"sv, {Kind::foreign, "Arrow (Feather)", arrow_to_lines}},
    Magic{0, "Obj\x01"sv, {Kind::foreign, "Avro", "avro-tools tojson %f > %s.jsonl"}},
    Magic{0, "SQLite format 3\0"sv, {Kind::foreign, "a SQLite database", ""}},
    Magic{0, "\x89HDF\r\n\x1a\n"sv, {Kind::foreign, "HDF5", ""}},
    Magic{0, "\x93NUMPY"sv, {Kind::foreign, "a NumPy array", ""}},
    Magic{0, "%PDF-"sv, {Kind::foreign, "a PDF document", "pdftotext %f %s.txt"}},
    Magic{0,
          "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv,
          {Kind::foreign, "an Office document", office_to_text}},
    Magic{0, "{\\rtf"sv, {Kind::foreign, "an RTF document", office_to_text}},
    Magic{0, "AT&TFORM"sv, {Kind::foreign, "a DjVu document", "djvutxt %f %s.txt"}},
    Magic{0, "PK\x05\x06"sv, {Kind::foreign, "a ZIP archive", ""}},
    Magic{0, "7z\xbc\xaf\x27\x1c"sv, {Kind::foreign, "a 7z archive", "7z x %f -o%s"}},
    Magic{0, "Rar!\x1a\x07"sv, {Kind::foreign, "a RAR archive", "unrar x %f"}},
    Magic{257, "ustar"sv, {Kind::foreign, "a tar archive", "tar -xf %f"}},
    Magic{0, "!<arch>\n"sv, {Kind::foreign, "an ar archive", ""}},
    Magic{0, "\x89PNG\r\n\x1a\n"sv, {Kind::foreign, "a PNG picture", ""}},
    Magic{0, "GIF87a"sv, {Kind::foreign, "a GIF picture", ""}},
    Magic{0, "GIF89a"sv, {Kind::foreign, "a GIF picture", ""}},
    Magic{0, "\xff\xd8\xff"sv, {Kind::foreign, "a JPEG picture", ""}},
    Magic{0, "II*\0"sv, {Kind::foreign, "a TIFF picture", ""}},
    Magic{0, "MM\0*"sv, {Kind::foreign, "a TIFF picture", ""}},
    Magic{0, "wOFF"sv, {Kind::foreign, "a font", ""}},
    Magic{0, "wOF2"sv, {Kind::foreign, "a font", ""}},
    Magic{0, "\0\1\0\0\0"sv, {Kind::foreign, "a font", ""}},
    Magic{0, "OTTO\0"sv, {Kind::foreign, "a font", ""}},
    Magic{0, "OggS\0"sv, {Kind::foreign, "Ogg sound or video", ""}},
    Magic{0, "fLaC\0"sv, {Kind::foreign, "FLAC sound", ""}},
    Magic{4, "ftyp"sv, {Kind::foreign, "MP4 sound or video", ""}},
    Magic{0,
          "\x7f"
          "ELF"sv,
          {Kind::foreign, "a program (ELF)", ""}},
    Magic{0, "\xca\xfe\xba\xbe"sv, {Kind::foreign, "a program (Java or macOS)", ""}},
    Magic{0, "\xcf\xfa\xed\xfe"sv, {Kind::foreign, "a program (macOS)", ""}},
    Magic{0, "\0asm\1\0\0\0"sv, {Kind::foreign, "a program (WebAssembly)", ""}},
};

constexpr std::size_t least_counted = 8;

constexpr std::string_view blanks = " \t\r\n\f";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
/// Tags that begin a page, and nothing but one.
constexpr std::array page_tags{"html"sv, "head"sv, "title"sv, "body"sv, "meta"sv, "frameset"sv};
/// Tags that begin a part of one; source code may begin with <script>.
constexpr std::array part_tags{
    "script"sv, "style"sv, "div"sv,    "p"sv,  "table"sv, "h1"sv,         "h2"sv,     "h3"sv,
    "h4"sv,     "a"sv,     "b"sv,      "br"sv, "font"sv,  "iframe"sv,     "ul"sv,     "ol"sv,
    "span"sv,   "img"sv,   "strong"sv, "em"sv, "hr"sv,    "blockquote"sv, "center"sv, "pre"sv};

bool has(std::string_view head, std::size_t offset, std::string_view bytes) {
  return head.size() >= offset && head.substr(offset, bytes.size()) == bytes;
}

/// "BZh" and a level, then the mark of a block or of the end.
bool is_bzip2(std::string_view head) {
  return head.starts_with("BZh") && head.size() > 4 && head[3] >= '1' && head[3] <= '9' &&
         (has(head, 4, "1AY&SY") || has(head, 4, "\x17\x72\x45\x38\x50\x90"));
}

/// A frame that zstd readers pass over (RFC 8878, section 3.1.2).
bool is_skippable_zstd(std::string_view head) {
  return head.size() >= 4 && has(head, 1, "\x2a\x4d\x18") &&
         (static_cast<unsigned char>(head[0]) & 0xf0) == 0x50;
}

bool is_riff(std::string_view head) {
  return head.starts_with("RIFF") &&
         (has(head, 8, "WEBP") || has(head, 8, "WAVE") || has(head, 8, "AVI "));
}

/// `word` is in lower case.
bool begins_with(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(),
                                                  [](char a, char b) { return a == lower(b); });
}

/// "<", one of `names`, and the end of that word.
bool begins_with_tag(std::string_view text, std::span<const std::string_view> names) {
  if (!text.starts_with('<')) return false;
  return std::ranges::any_of(names, [&](std::string_view name) {
    if (!begins_with(text.substr(1), name)) return false;
    const std::string_view rest = text.substr(1 + name.size());
    return rest.empty() || rest[0] == '>' || rest[0] == '/' ||
           blanks.find(rest[0]) != std::string_view::npos;
  });
}

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

/// What stands after space, a mark, comments and declarations of XML.
std::string_view after_prolog(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  while (true) {
    text = without_blanks(text);
    const bool comment = text.starts_with("<!--");
    // "<?php" begins a program.
    if (!comment && !begins_with(text, "<?xml")) return text;
    const std::string_view ending = comment ? "-->" : "?>";
    const std::size_t end = text.find(ending);
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + ending.size());
  }
}

bool is_html_doctype(std::string_view text) {
  constexpr std::string_view doctype = "<!doctype";
  return begins_with(text, doctype) &&
         begins_with(without_blanks(text.substr(doctype.size())), "html");
}

/// What a ZIP archive holds, by the names of its first files.
Content zip_content(std::string_view head) {
  constexpr std::size_t name_begin = 30;
  const auto holds = [&](std::string_view name) {
    return head.find(name, name_begin) != std::string_view::npos;
  };
  if (has(head, name_begin, "mimetype") && holds("application/epub+zip")) {
    return {Kind::foreign, "an EPUB book", "pandoc -t plain -o %s.txt %f"};
  }
  if (has(head, name_begin, "mimetype") && holds("application/vnd.oasis.opendocument")) {
    return {Kind::foreign, "an OpenDocument file", office_to_text};
  }
  if (holds("word/")) return {Kind::foreign, "a Word document", office_to_text};
  if (holds("xl/")) {
    return {Kind::foreign, "an Excel workbook", "soffice --headless --convert-to csv %f"};
  }
  if (holds("ppt/")) {
    return {Kind::foreign, "a PowerPoint file", "soffice --headless --convert-to pdf %f"};
  }
  if (holds(".warc")) return {Kind::foreign, "web archives in a ZIP (WACZ)", "unzip %f -d %s"};
  return {Kind::foreign, "a ZIP archive, as DOCX, EPUB and ODT are", "unzip %f -d %s"};
}

/// The head of a message whose parts belong together, as browsers save pages. A mail says who gets
/// it, or who passed it on.
bool is_mhtml(std::string_view head) {
  if (field_name(head.substr(0, head.find('\n'))).empty()) return false;
  bool fields = true;
  bool mime = false;
  bool related = false;
  bool sent = false;
  for_each_line(head, [&](std::string_view line) {
    if (line.empty()) return false;
    const bool goes_on = line[0] == ' ' || line[0] == '\t';
    fields = fields && (goes_on || !field_name(line).empty());
    mime = mime || begins_with(line, "mime-version:");
    sent = sent || begins_with(line, "to:") || begins_with(line, "received:");
    related = related || (begins_with(line, "content-type:") &&
                          begins_with(without_blanks(line.substr(13)), "multipart/related"));
    return fields;
  });
  return fields && mime && related && !sent;
}

bool is_counted(unsigned char byte) {
  if (byte >= 0x20) return byte == 0x7f;
  return byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f' && byte != '\b' &&
         byte != 0x1b;
}

/// A sequence that the end of `head` cuts off is not a fault.
bool begins_as_utf8(std::string_view head) {
  for (std::size_t i = 0; i < head.size();) {
    const utf8::Decoded decoded = utf8::decode(head, i);
    if (!decoded.valid && head.size() - i >= utf8::max_bytes) return false;
    i += decoded.bytes;
  }
  return true;
}

}  // namespace

Content content_of(std::string_view head) {
  for (const Magic& magic : magics) {
    if (has(head, magic.offset, magic.bytes)) return magic.content;
  }
  if (is_bzip2(head)) return {Kind::packed, "bzip2", "bzip2 -dc"};
  if (is_skippable_zstd(head)) return {Kind::zstd, "zstd", ""};
  if (head.starts_with("PK\x03\x04")) return zip_content(head);
  if (is_mhtml(head)) return {Kind::foreign, "a page saved as MHTML", mhtml_to_page};
  if (is_riff(head)) return {Kind::foreign, "a picture, sound or video (RIFF)", ""};
  return {};
}

bool is_binary(std::string_view head) {
  std::size_t counted = 0;
  for (const char byte : head) counted += is_counted(static_cast<unsigned char>(byte)) ? 1 : 0;
  if (counted < least_counted) return head.size() >= least_counted && counted * 3 >= head.size();
  if (counted * 20 < head.size()) return false;
  return counted * 10 >= head.size() || !begins_as_utf8(head);
}

bool begins_like_page(std::string_view head) {
  head = after_prolog(head);
  return is_html_doctype(head) || begins_with_tag(head, page_tags);
}

bool begins_like_html(std::string_view head) {
  // Most texts begin with no tag.
  const std::size_t first = head.find_first_not_of(blanks);
  if (first == std::string_view::npos || (head[first] != '<' && head[first] != '\xef'))
    return false;
  return head.substr(first).starts_with("<!--") || begins_like_page(head) ||
         begins_with_tag(after_prolog(head), part_tags);
}

Markup markup_of(Markup of_input, std::string_view text) {
  if (of_input == Markup::xhtml) return xhtml_rules(text);
  if (of_input != Markup::by_text) return of_input;
  return begins_like_html(text) ? Markup::html : Markup::none;
}

}  // namespace twinset
