// XHTML pages, such as the chapters of a book (EPUB): as HTML pages, but by the rules of XML. A
// page that is not well formed is read by looser rules, which lose nothing of it (text/html.h).
//
// This file's interface is io/reader.h (xhtml_format); the rest is private.
#include "text/xhtml.h"

#include <array>

#include "io/bytes.h"
#include "io/format_list.h"

namespace twinset {

extern const FormatEntry text_format;

namespace {

// text_format is used only when called: it may be initialized after this format.
std::unique_ptr<Reader> make_xhtml_reader(std::unique_ptr<ByteSource> bytes,
                                          const ReaderLimits& limits) {
  return text_format.make(std::move(bytes), limits);
}

void decode_xhtml(const FieldNames& fields, RecordBatch& batch) {
  text_format.decode(fields, batch);
  for (Record& record : batch.records) {
    const bool page = record.bad == BadReason::none && is_page(record.markup);
    if (page) record.markup = xhtml_rules(record.text);
  }
}

constexpr std::array<std::string_view, 2> extensions{".xhtml", ".xht"};

constexpr FormatDeclaration declaration{
    .name = "xhtml",
    .extensions = extensions,
    .summary = "one XHTML page a file, read by the rules of XML",
    .markup = Markup::xhtml,
    .one_document = true};

}  // namespace

extern const FormatEntry xhtml_format;
const FormatEntry xhtml_format{&declaration, make_xhtml_reader, decode_xhtml};

}  // namespace twinset
