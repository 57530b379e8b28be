// A text a line, without any markup around it: each line is a record, and its bytes without the
// line end are the text. A file is read so only if --format says it, because a text may have many
// lines.
//
// This file's interface is io/reader.h (lines_format); the rest is private.
#include <string>
#include <utility>

#include "io/content.h"
#include "io/feature_list.h"
#include "io/format_list.h"
#include "io/line_reader.h"
#include "io/scratch.h"

namespace twinset {
namespace {

void decode_lines(const FieldNames& fields, RecordBatch& batch) {
  for (Record& record : batch.records) {
    if (record.bad != BadReason::none) continue;
    record.text = line_of(record.raw);
    if (record.text.ends_with('\n')) record.text.remove_suffix(1);
    if (record.text.ends_with('\r')) record.text.remove_suffix(1);
    record.markup = markup_of(record.markup, record.text);
    if (!fields.features) continue;
    std::string fault = find_feature_list(record.text, record.text);
    if (fault.empty()) continue;
    record.bad = BadReason::text_not_features;
    record.text = {};
    record.detail = batch.scratch->keep(std::move(fault));
  }
}

std::unique_ptr<Reader> make_lines_reader(std::unique_ptr<ByteSource> bytes,
                                          const ReaderLimits& limits) {
  return make_line_reader(std::move(bytes), limits, decode_lines);
}

constexpr FormatDeclaration declaration{.name = "lines",
                                        .extensions = {},
                                        .summary = "plain text, each line a document",
                                        .streams = true};

}  // namespace

extern const FormatEntry lines_format;
const FormatEntry lines_format{&declaration, make_lines_reader, decode_lines};

}  // namespace twinset
