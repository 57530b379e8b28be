// This file's interface is io/archived_page.h; the rest is private.
#include "io/archived_page.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "io/content.h"
#include "io/json.h"
#include "io/scratch.h"
#include "text/charset.h"
#include "text/xhtml.h"

namespace twinset {
namespace {

using namespace std::string_view_literals;

/// The number of bytes in which a body without a media type shows what it is.
constexpr std::size_t sniffed_bytes = 512;

constexpr std::string_view xhtml_type = "application/xhtml+xml";
constexpr std::array<std::string_view, 2> page_types{"text/html", xhtml_type};
/// Texts that no reader reads.
constexpr std::array<std::string_view, 3> carried_texts{"text/xml", "text/dns",
                                                        "text/cache-manifest"};
constexpr std::array<std::string_view, 8> script_types{
    "text/javascript",          "text/ecmascript",       "text/x-javascript",
    "text/x-ecmascript",        "text/jscript",          "application/javascript",
    "application/x-javascript", "application/ecmascript"};
/// Types that say nothing of the content: what servers and crawlers write when they do not know.
constexpr std::array<std::string_view, 11> unknown_types{"application/octet-stream",
                                                         "binary/octet-stream",
                                                         "application/unknown",
                                                         "application/x-unknown",
                                                         "application/force-download",
                                                         "application/download",
                                                         "application/x-download",
                                                         "unknown/unknown",
                                                         "content/unknown",
                                                         "application/binary",
                                                         "*/*"};

bool is_one_of(std::string_view mime, std::span<const std::string_view> types) {
  return std::ranges::find(types, mime) != types.end();
}

bool is_page_type(std::string_view mime) { return is_one_of(mime, page_types); }

bool is_text_type(std::string_view mime) {
  return mime.starts_with("text/") && !is_one_of(mime, carried_texts);
}

/// "unk", "no-type", "html": no media type has no slash.
bool is_unknown_type(std::string_view mime) {
  return mime.find('/') == std::string_view::npos || is_one_of(mime, unknown_types);
}

PageContent content_of_type(std::string_view mime) {
  if (mime == "text/css") return PageContent::style_sheet;
  return is_one_of(mime, script_types) ? PageContent::script : PageContent::other;
}

/// Is a body of the page's type, which is known, a document?
void decide(ArchivedPage& page, bool scripts) {
  if (is_page_type(page.mime)) {
    page.markup = page.mime == xhtml_type ? Markup::xhtml : Markup::html;
  }
  page.kind = content_of_type(page.mime);
  page.document =
      page.kind == PageContent::other ? is_page(page.markup) || is_text_type(page.mime) : scripts;
}

/// The type of a body that comes without one: by its beginning, as browsers do.
std::string sniffed(std::string_view body) {
  if (begins_like_html(body.substr(0, sniffed_bytes))) return "text/html";
  if (content_of(body.substr(0, content_bytes)).kind != Content::Kind::unknown) return {};
  if (body.find('\0') < sniffed_bytes || is_binary(body.substr(0, content_bytes))) return {};
  return "text/plain";
}

/// The charset of a body, which its header may name.
FoundCharset charset_of_body(const ArchivedPage& page, std::string_view body) {
  const std::string_view header =
      page.http.headers.lines.empty() ? page.content_type : page.http.headers.find("Content-Type");
  return find_charset(body, charset_of_label(charset_of(header)), is_page(page.markup));
}

/// Keeps strings as JSON tokens for Record::fields.
class Tokens {
 public:
  explicit Tokens(RecordBatch& batch) : batch_(batch) {}

  std::string_view string(std::string_view value) {
    if (value.empty()) return {};
    std::string token;
    append_json_string(token, value);
    return batch_.scratch->keep(std::move(token));
  }

  std::string_view field(const ArchivedPage& page, std::string_view name) {
    if (name == "url") return string(page.url);
    if (name == "date") return string(page.date);
    if (name == "type") return string(page.type);
    if (name == "mime") return string(page.mime);
    if (name == "record-id" || name == "id") return string(page.record_id);
    if (name == "truncated") return string(page.truncated);
    if (name == "status") {
      return page.http.status == 0 ? ""sv : batch_.scratch->keep(std::to_string(page.http.status));
    }
    if (name.starts_with("http.")) return string(page.http.headers.find(name.substr(5)));
    if (name.starts_with("warc.")) return string(page.record_headers.find(name.substr(5)));
    return {};
  }

 private:
  RecordBatch& batch_;
};

/// A text in RecordBatch::Scratch::texts, which may still move.
struct MadeText {
  std::size_t record = 0;
  std::size_t begin = 0;
  std::size_t bytes = 0;
};

}  // namespace

void look_into(ArchivedPage& page, bool scripts) {
  page.http = {};
  page.http.body = page.content;
  const bool message = page.has_http && parse_http(page.content, page.http);
  if (message) {
    page.mime = mime_of(page.http.headers.find("Content-Type"));
  } else {
    page.mime = page.has_http && page.content_type.empty() ? "" : mime_of(page.content_type);
  }
  // A redirect stands for the page it leads to: its own body is not one to lose or to keep.
  const bool redirect = page.http.status >= 300 && page.http.status < 400;
  if (!page.whole || redirect) return;
  if (page.http.body.empty()) {
    if (is_page_type(page.mime) || is_text_type(page.mime)) page.kind = PageContent::empty;
    page.document = scripts && page.kind == PageContent::empty;
    return;
  }
  page.undecided = is_unknown_type(page.mime);
  if (page.undecided && names_coding(page.http.headers)) {
    page.document = true;
    return;
  }
  if (page.undecided) page.mime = sniffed(page.http.body);
  page.undecided = false;
  decide(page, scripts);
}

std::uint64_t archived_text_bytes(const ArchivedPage& page, std::uint64_t most) {
  if (!page.document || page.http.headers.lines.empty()) return 0;
  return BodyDecoder().bytes_of_body(page.http, most);
}

void decode_archived_pages(bool (*read)(std::string_view raw, ArchivedPage& page),
                           const FieldNames& fields, RecordBatch& batch) {
  BodyDecoder decoder;
  Tokens tokens(batch);
  std::vector<std::string_view>& values = batch.scratch->fields;
  values.clear();
  values.reserve(fields.named.size() * batch.records.size());
  std::string& texts = batch.scratch->texts;
  // The texts of one batch do not keep the memory of a far larger one.
  if (texts.capacity() / 4 > batch.bytes.size()) std::string().swap(texts);
  texts.clear();
  std::vector<MadeText> made;
  std::string room;
  for (std::size_t i = 0; i < batch.records.size(); ++i) {
    Record& record = batch.records[i];
    if (record.bad != BadReason::none || record.carried) continue;
    ArchivedPage page;
    if (read(record.raw, page)) look_into(page, fields.scripts);
    DecodedBody body;
    if (page.document && (page.undecided || !fields.features)) {
      body = decoder.decode(page.http, room);
    }
    if (page.undecided) {
      page.mime = body.fault.empty() ? sniffed(body.bytes) : "";
      decide(page, fields.scripts);
    }
    if (!page.document) {
      record.carried = true;
      record.content = page.kind;
      continue;
    }
    // A reader that takes no markup off has set none.
    if (is_page(record.markup)) record.markup = page.markup;
    record.id = tokens.field(page, fields.id);
    record.url = page.url;
    const std::size_t first = values.size();
    for (const std::string& name : fields.named) values.push_back(tokens.field(page, name));
    record.fields = std::span(values).subspan(first);
    record.field_names = fields.named;
    if (fields.features) {
      record.bad = BadReason::text_not_features;
      record.detail = "a page of an archive is not an array of features";
      continue;
    }
    if (!body.fault.empty()) {
      record.bad = BadReason::undecodable_body;
      record.detail = batch.scratch->keep("the body " + std::move(body.fault));
      continue;
    }
    record.charset = charset_of_body(page, body.bytes);
    const Charset charset = record.charset.charset;
    const bool in_record = body.bytes.data() != room.data();
    if (charset == Charset::utf8 && in_record) {
      record.text = without_mark(body.bytes);
      continue;
    }
    made.push_back({i, texts.size(), 0});
    append_utf8(charset, body.bytes, texts);
    made.back().bytes = texts.size() - made.back().begin;
  }
  for (const MadeText& text : made) {
    batch.records[text.record].text = std::string_view(texts).substr(text.begin, text.bytes);
  }
  for (Record& record : batch.records) {
    if (record.markup == Markup::xhtml) record.markup = xhtml_rules(record.text);
  }
}

}  // namespace twinset
