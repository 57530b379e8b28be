// TSV: as CSV (io/formats/csv.cc), with tabs between the fields.
//
// This file's interface is io/reader.h (tsv_format); the rest is private.
#include <array>

#include "io/format_list.h"
#include "io/table_rows.h"

namespace twinset {
namespace {

constexpr char delimiter = '\t';

void decode_tsv(const FieldNames& fields, RecordBatch& batch) {
  decode_table(fields, batch, delimiter);
}

std::unique_ptr<Reader> make_tsv_reader(std::unique_ptr<ByteSource> bytes,
                                        const ReaderLimits& limits) {
  return make_table_reader(std::move(bytes), limits, delimiter, decode_tsv);
}

std::string look_at_tsv(std::string_view header, std::string_view text) {
  return look_at_table_header(header, text, delimiter);
}

constexpr std::array<std::string_view, 1> extensions{".tsv"};

constexpr FormatDeclaration declaration{
    .name = "tsv", .extensions = extensions, .summary = "TSV: CSV with tabs between the fields"};

constexpr HeaderFormat headed{.find = find_table_header, .look = look_at_tsv};

}  // namespace

extern const FormatEntry tsv_format;
const FormatEntry tsv_format{&declaration, make_tsv_reader, decode_tsv, nullptr, &headed};

}  // namespace twinset
