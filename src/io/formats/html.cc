// HTML pages: the whole file is one document, record 1, its bytes the text, read as
// plain text is. What of them is seen, the analysis finds (text/html.h), so that
// copies are written back byte for byte.
//
// This file's interface is io/reader.h (html_format); the rest is private.
#include <array>

#include "io/bytes.h"
#include "io/format_list.h"

namespace twinset {

extern const FormatEntry text_format;

namespace {

// The other format's constant may not be there yet when this one's is made.
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
