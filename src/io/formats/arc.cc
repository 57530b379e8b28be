// Web archives in ARC, the format before WARC (versions 1 and 2, Internet Archive 1996): each
// record is a line of its address, the server's address, date, media type and length - five fields,
// or ten in version 2 - then as many bytes as the length says, and a line end.
//
//   http://example.org/ 192.0.2.1 20080430204825 text/html 1234
//   HTTP/1.1 200 OK ...
//
// Addresses may hold spaces, so the fields are told from the end of the line.
//
// This file's interface is io/reader.h (arc_format); the rest is private.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "io/archive_reader.h"
#include "io/archived_page.h"
#include "io/format_list.h"

namespace twinset {
namespace {

constexpr std::string_view magic = "filedesc://";
constexpr std::size_t longest_line = std::size_t{8} << 10;
constexpr std::size_t most_fields_after_url = 9;
constexpr std::size_t date_digits = 14;

struct ArcLine {
  std::string_view url;
  std::string_view date;
  std::string_view mime;
  std::uint64_t length = 0;
};

bool is_date(std::string_view field) {
  return field.size() == date_digits &&
         std::all_of(field.begin(), field.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "http://", "dns:", "filedesc://": letters, digits and "+-." before a colon.
bool begins_like_url(std::string_view line) {
  for (std::size_t i = 0; i < line.size() && i < 16; ++i) {
    const char c = line[i];
    if (c == ':') return i > 1;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) {
      return false;
    }
  }
  return false;
}

std::optional<ArcLine> read_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  // Fields from the last to the first; the rest is the address.
  std::array<std::string_view, most_fields_after_url> fields{};
  std::array<std::size_t, most_fields_after_url> begins{};
  std::size_t count = 0;
  for (std::size_t end = line.size(); count < fields.size();) {
    const std::size_t space = line.substr(0, end).rfind(' ');
    if (space == std::string_view::npos) break;
    fields[count] = line.substr(space + 1, end - space - 1);
    begins[count] = space;
    ++count;
    end = space;
  }
  // Version 1: address, server, date, type, length. Version 2: ..., status, checksum, location,
  // offset, file, length.
  const bool short_line = count >= 4 && is_date(fields[2]);
  const bool long_line = count >= 9 && is_date(fields[7]);
  if (!short_line && !long_line) return std::nullopt;
  const std::int64_t length = decimal(fields[0]);
  if (length < 0) return std::nullopt;
  ArcLine read;
  read.length = static_cast<std::uint64_t>(length);
  read.url = trimmed(line.substr(0, begins[short_line ? 3 : 8]));
  read.date = fields[short_line ? 2 : 7];
  read.mime = fields[short_line ? 1 : 6];
  if (!begins_like_url(read.url)) return std::nullopt;
  return read;
}

ArchiveHead read_arc_head(std::string_view bytes, bool /*strict*/) {
  ArchiveHead head;
  const std::string_view first = bytes.substr(0, longest_line);
  if (!begins_like_url(first)) {
    const bool may = first.size() < 16 && first.find_first_of("\r\n") == std::string_view::npos;
    head.state = may ? ArchiveHead::State::more : ArchiveHead::State::none;
    return head;
  }
  const std::size_t end = first.find('\n');
  head.looked_at = std::min(end, first.size());
  if (end == std::string_view::npos) {
    head.state = first.size() < longest_line ? ArchiveHead::State::more : ArchiveHead::State::none;
    return head;
  }
  const std::optional<ArcLine> line = read_line(first.substr(0, end));
  if (!line.has_value()) return head;
  head.state = ArchiveHead::State::whole;
  head.head_bytes = end + 1;
  head.content_bytes = line->length;
  return head;
}

/// A line that begins with a letter.
std::size_t find_arc_head(std::string_view bytes, std::size_t from) {
  for (std::size_t at = from == 0 ? 0 : bytes.find('\n', from - 1); at < bytes.size();
       at = bytes.find('\n', at)) {
    if (bytes[at] == '\n') ++at;
    if (at < bytes.size() && begins_like_url(bytes.substr(at, 16))) return at;
  }
  return std::string_view::npos;
}

/// "2008-04-30T20:48:25Z".
std::string iso_date(std::string_view digits) {
  const auto part = [&](std::size_t begin, std::size_t size) {
    return std::string(digits.substr(begin, size));
  };
  return part(0, 4) + "-" + part(4, 2) + "-" + part(6, 2) + "T" + part(8, 2) + ":" + part(10, 2) +
         ":" + part(12, 2) + "Z";
}

bool read_arc_page(std::string_view raw, ArchivedPage& page) {
  const ArchiveHead head = read_arc_head(raw, false);
  if (head.state != ArchiveHead::State::whole) return false;
  const std::optional<ArcLine> line = read_line(raw.substr(0, head.head_bytes - 1));
  if (!line.has_value()) return false;
  page.content = raw.substr(head.head_bytes);
  page.content = page.content.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(
                                            head.content_bytes, page.content.size())));
  page.url = line->url;
  page.date = iso_date(line->date);
  page.content_type = line->mime;
  page.has_http = page.content.starts_with("HTTP/");
  page.type = page.has_http ? "response" : "resource";
  page.whole = !page.url.starts_with(magic);
  return true;
}

void decode_arc(const FieldNames& fields, RecordBatch& batch) {
  decode_archived_pages(read_arc_page, fields, batch);
}

std::uint64_t arc_text_bytes(std::string_view record, std::uint64_t most, bool scripts) {
  ArchivedPage page;
  if (!read_arc_page(record, page) || !page.has_http) return 0;
  look_into(page, scripts);
  return archived_text_bytes(page, most);
}

}  // namespace

const ArchiveSyntax arc_syntax{.read_head = read_arc_head,
                               .find_head = find_arc_head,
                               .record_end = "\n",
                               .text_bytes = arc_text_bytes,
                               .decode = decode_arc};

namespace {

std::unique_ptr<Reader> make_arc_reader(std::unique_ptr<ByteSource> bytes,
                                        const ReaderLimits& limits) {
  return make_archive_reader(std::move(bytes), limits, arc_syntax);
}

constexpr std::array<std::string_view, 1> extensions{".arc"};

constexpr FormatDeclaration declaration{.name = "arc",
                                        .extensions = extensions,
                                        .summary = "web archives: ARC, a page a record",
                                        .begins = magic,
                                        .markup = Markup::html,
                                        .own_members = true};

}  // namespace

extern const FormatEntry arc_format;
const FormatEntry arc_format{&declaration, make_arc_reader, decode_arc};

}  // namespace twinset
