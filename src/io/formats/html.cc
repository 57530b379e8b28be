// HTML pages: the whole file is one document, record 1. Its bytes are the text, read as plain text
// is; the analysis finds the visible part (text/html.h), so copies are written back byte for byte.
//
// This file's interface is io/reader.h (html_format); the rest is private.
#include <array>

#include "io/bytes.h"
#include "io/format_list.h"

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
}

constexpr std::array<std::string_view, 3> extensions{".html", ".htm", ".xhtml"};

constexpr FormatDeclaration declaration{.name = "html",
                                        .extensions = extensions,
                                        .summary = "one HTML page a file, read as it is seen",
                                        .markup = Markup::html,
                                        .one_document = true};

}  // namespace

extern const FormatEntry html_format;
const FormatEntry html_format{&declaration, make_html_reader, decode_html};

}  // namespace twinset
