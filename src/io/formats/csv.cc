// CSV: a table whose first row names the columns, and a row a record (io/table_rows.h). Fields are
// delimited by commas; by semicolons or tabs if the first row has more of these.
//
// This file's interface is io/reader.h (csv_format); the rest is private.
#include <array>

#include "io/format_list.h"
#include "io/table_rows.h"

namespace twinset {
namespace {

/// Told by the first row.
constexpr char delimiter = 0;

void decode_csv(const FieldNames& fields, RecordBatch& batch) {
  decode_table(fields, batch, delimiter);
}

std::unique_ptr<Reader> make_csv_reader(std::unique_ptr<ByteSource> bytes,
                                        const ReaderLimits& limits) {
  return make_table_reader(std::move(bytes), limits, delimiter, decode_csv);
}

std::string look_at_csv(std::string_view header, std::string_view text) {
  return look_at_table_header(header, text, delimiter);
}

constexpr std::array<std::string_view, 1> extensions{".csv"};

constexpr FormatDeclaration declaration{
    .name = "csv",
    .extensions = extensions,
    .summary = "CSV: a row a record, its first row names the columns"};

constexpr HeaderFormat headed{.find = find_table_header, .look = look_at_csv};

}  // namespace

extern const FormatEntry csv_format;
const FormatEntry csv_format{&declaration, make_csv_reader, decode_csv, nullptr, &headed};

}  // namespace twinset
