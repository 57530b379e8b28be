// HTML pages: the whole file is one document, record 1. Its bytes are the text, read as plain text
// is; the analysis finds the visible part (text/html.h), so copies are written back byte for byte.
// A page that begins as XHTML does and is well-formed XML is read by the rules of XML: its author
// wrote it so, whatever the file is called.
//
// This file's interface is io/reader.h (html_format); the rest is private.
#include <array>

#include "io/bytes.h"
#include "io/format_list.h"
#include "text/xhtml.h"

namespace twinset {

extern const FormatEntry text_format;

namespace {

// text_format is used only when called: it may be initialized after this format.
std::unique_ptr<Reader> make_html_reader(std::unique_ptr<ByteSource> bytes,
                                         const ReaderLimits& limits) {
  return text_format.make(std::move(bytes), limits);
}

void decode_html(const FieldNames& fields, RecordBatch& batch) {
  text_format.decode(fields, batch);
  for (Record& record : batch.records) {
    const bool page = record.bad == BadReason::none && is_page(record.markup);
    if (page && says_xhtml(record.text) && is_well_formed(record.text)) {
      record.markup = Markup::xhtml;
    }
  }
}

constexpr std::array<std::string_view, 2> extensions{".html", ".htm"};

constexpr FormatDeclaration declaration{.name = "html",
                                        .extensions = extensions,
                                        .summary = "one HTML page a file, read as it is seen",
                                        .markup = Markup::html,
                                        .one_document = true};

}  // namespace

extern const FormatEntry html_format;
const FormatEntry html_format{&declaration, make_html_reader, decode_html};

}  // namespace twinset
