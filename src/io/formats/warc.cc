// Web archives in WARC (ISO 28500, versions 0.17 to 1.1), also WET and WAT: each record is a head,
// as of HTTP, and a block of as many bytes as the head says.
//
// Documents are the texts of responses, resources and conversions (WET). Records of other types
// are carried, and so are parts of a record that is split over several (WARC-Segment-Number).
//
// This file's interface is io/reader.h (warc_format); the rest is private.
#include <algorithm>
#include <array>

#include "base/characters.h"
#include "io/archive_reader.h"
#include "io/archived_page.h"
#include "io/format_list.h"

namespace twinset {
namespace {

constexpr std::string_view magic = "WARC/";

/// "WARC/1.0" and a line end, perhaps after space.
bool begins_with_version(std::string_view bytes) {
  if (!bytes.starts_with(magic)) return false;
  std::size_t at = magic.size();
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < bytes.size() && is_digit(bytes[at])) ++at;
    return at > begin && at <= begin + 3;
  };
  if (!digits() || at == bytes.size() || bytes[at++] != '.' || !digits()) return false;
  while (at < bytes.size() && (bytes[at] == ' ' || bytes[at] == '\r')) ++at;
  return at < bytes.size() && bytes[at] == '\n';
}

/// The lines of a head after the first.
HeaderLines lines_of(std::string_view head) {
  const std::size_t first = head.find('\n');
  return {first == std::string_view::npos ? std::string_view() : head.substr(first + 1)};
}

/// Does another head's first line stand at the end of this line? A head that was searched for ends
/// there in any case: otherwise a page of such lines would be read again for each of them. One that
/// stands where it was promised may have a header whose value looks like that.
bool begins_another(std::string_view bytes, std::size_t line, std::size_t line_end, bool strict) {
  if (!strict) return begins_with_version(bytes.substr(line));
  const std::size_t last = bytes.substr(line, line_end - line).rfind(magic);
  return last != std::string_view::npos && begins_with_version(bytes.substr(line + last));
}

/// Looks for the blank line that ends a head; sets `head_bytes` if it is there before the next
/// head, and `looked_at`.
ArchiveHead find_end(std::string_view bytes, bool strict) {
  ArchiveHead head;
  for (std::size_t at = bytes.find('\n'); at != std::string_view::npos;) {
    const std::size_t line = at + 1;
    if (const std::size_t blank = blank_line(bytes.substr(line)); blank > 0) {
      head.head_bytes = head.looked_at = line + blank;
      return head;
    }
    at = bytes.find('\n', line);
    if (begins_another(bytes, line, std::min(at, bytes.size()), strict)) {
      head.looked_at = std::min(at, bytes.size());
      return head;
    }
  }
  head.state = ArchiveHead::State::more;
  head.looked_at = bytes.size();
  return head;
}

ArchiveHead read_warc_head(std::string_view bytes, bool strict) {
  ArchiveHead head;
  constexpr std::size_t longest_version = 24;
  head.looked_at = std::min(bytes.size(), longest_version);
  if (bytes.size() < longest_version) {
    const std::string_view begins = bytes.substr(0, magic.size());
    if (!magic.starts_with(begins)) return head;
    head.state = ArchiveHead::State::more;
  } else if (!begins_with_version(bytes)) {
    return head;
  }
  head = find_end(bytes, strict);
  if (head.head_bytes == 0) return head;
  if (!begins_with_version(bytes)) return head;
  const HeaderLines lines = lines_of(bytes.substr(0, head.head_bytes));
  const std::int64_t length = decimal(lines.find("Content-Length"));
  if (length < 0 || lines.find("WARC-Type").empty()) return head;
  if (strict && lines.find("WARC-Record-ID").empty() && lines.find("WARC-Date").empty()) {
    return head;
  }
  head.state = ArchiveHead::State::whole;
  head.content_bytes = static_cast<std::uint64_t>(length);
  return head;
}

std::size_t find_warc_head(std::string_view bytes, std::size_t from) {
  return bytes.find(magic, from);
}

/// "<http://example.org/>", as wget writes it, without the brackets.
std::string_view without_brackets(std::string_view url) {
  if (url.size() > 2 && url.starts_with('<') && url.ends_with('>')) {
    url = url.substr(1, url.size() - 2);
  }
  return url;
}

bool read_warc_page(std::string_view raw, ArchivedPage& page) {
  const ArchiveHead head = read_warc_head(raw, false);
  if (head.state != ArchiveHead::State::whole) return false;
  page.record_headers = lines_of(raw.substr(0, head.head_bytes));
  const HeaderLines& headers = page.record_headers;
  page.content = raw.substr(head.head_bytes);
  page.content = page.content.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(
                                            head.content_bytes, page.content.size())));
  page.type = headers.find("WARC-Type");
  page.url = without_brackets(headers.find("WARC-Target-URI"));
  page.date = headers.find("WARC-Date");
  page.record_id = headers.find("WARC-Record-ID");
  page.truncated = headers.find("WARC-Truncated");
  page.content_type = headers.find("Content-Type");
  const bool response = same_letters(page.type, "response") || same_letters(page.type, "revisit");
  const bool holds =
      response || same_letters(page.type, "resource") || same_letters(page.type, "conversion");
  page.whole = holds && headers.find("WARC-Segment-Number").empty();
  page.has_http = response;
  // A response to something else than HTTP, such as a name server's.
  if (response && !page.content.starts_with("HTTP/")) {
    page.has_http = false;
    page.whole = page.whole && !mime_of(page.content_type).empty() &&
                 mime_of(page.content_type) != "application/http";
  }
  return true;
}

void decode_warc(const FieldNames& fields, RecordBatch& batch) {
  decode_archived_pages(read_warc_page, fields, batch);
}

std::uint64_t warc_text_bytes(std::string_view record, std::uint64_t most, bool scripts) {
  ArchivedPage page;
  if (!read_warc_page(record, page) || !page.has_http) return 0;
  look_into(page, scripts);
  return archived_text_bytes(page, most);
}

}  // namespace

const ArchiveSyntax warc_syntax{.read_head = read_warc_head,
                                .find_head = find_warc_head,
                                .record_end = "\r\n\r\n",
                                .text_bytes = warc_text_bytes,
                                .decode = decode_warc};

namespace {

std::unique_ptr<Reader> make_warc_reader(std::unique_ptr<ByteSource> bytes,
                                         const ReaderLimits& limits) {
  return make_archive_reader(std::move(bytes), limits, warc_syntax);
}

constexpr std::array<std::string_view, 3> extensions{".warc", ".wet", ".wat"};

constexpr FormatDeclaration declaration{.name = "warc",
                                        .extensions = extensions,
                                        .summary = "web archives: WARC and WET, a page a record",
                                        .begins = magic,
                                        .markup = Markup::html,
                                        .own_members = true};

}  // namespace

extern const FormatEntry warc_format;
const FormatEntry warc_format{&declaration, make_warc_reader, decode_warc};

}  // namespace twinset
