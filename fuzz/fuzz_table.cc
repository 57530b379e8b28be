// Fuzzes the reader of frozen tables.
//
// If the first byte is odd, the rest describes a table with valid checksums, with rows in any order
// and any index. Any input must give an Error, or no more rows than the file has bytes for, and
// every row found must have the key that was looked up.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/file_header.h"
#include "base/hash.h"
#include "fuzz/input.h"
#include "rows/table.h"
#include "system/memory_files.h"

namespace {

using namespace twinset;
using fuzzing::FuzzInput;
using fuzzing::require;

struct Row {
  std::uint64_t key = 0;
  std::uint64_t value = 0;
};
constexpr std::uint64_t fingerprint = 7;

template <class Number>
void put(std::string& out, Number number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// A table with valid checksums, with the rows, index keys and counts that `told` describes.
std::string build(FuzzInput& told) {
  const std::uint64_t count = told.below(40);
  const auto block_rows = static_cast<std::uint32_t>(told.below(8));
  const std::uint64_t rows_said = told.below(8) == 1 ? told.below(1000) << 50 : count;
  std::string file = encode_file_header(
      {.format = "table", .row_bytes = sizeof(Row), .fingerprint = fingerprint, .rows = rows_said});
  for (std::uint64_t i = 0; i < count; ++i) {
    put<std::uint64_t>(file, told.below(16));
    put<std::uint64_t>(file, i);
  }
  std::string index;
  std::string sums;
  for (std::uint64_t i = 0; block_rows > 0 && i < count; i += block_rows) {
    put<std::uint64_t>(index, told.below(16));
    const std::string_view rows(file);
    put(sums,
        checksum(rows.substr(48 + 16 * i, std::min<std::uint64_t>(block_rows, count - i) * 16),
                 fingerprint));
  }
  index += sums + "fuzz";
  std::string checked;
  put(checked, fingerprint);
  const std::uint64_t index_checksum = checksum(checked + index);
  file += index;
  std::string footer;
  put(footer, block_rows);
  put<std::uint32_t>(footer, told.below(8) == 1 ? 16 : 8);
  put<std::uint32_t>(footer, 1);
  put<std::uint32_t>(footer, 4);
  put<std::uint64_t>(footer, told.below(8) == 1 ? told.below(1000) << 50 : 0);
  put(footer, Fingerprint{});
  put(footer, index_checksum);
  put(footer, checksum(footer, fingerprint));
  return file + footer;
}

void read_table(const std::string& bytes) {
  MemoryFiles files;
  RunContext context;
  context.files = &files;
  require(files.write("t", bytes).ok());
  const auto opened = Table<Row>::open(files, "t", {"fuzz", 1, fingerprint});
  if (!opened.ok()) return;
  const Table<Row>& table = opened.value();
  require(table.rows() * sizeof(Row) <= bytes.size());
  for (std::uint64_t key = 0; key < 17; ++key) {
    const auto found = table.find(key);
    if (!found.ok()) continue;
    for (const Row& row : found.value()) require(row.key == key);
  }
  const auto cursor = table.read();
  std::uint64_t rows = 0;
  for (; cursor.value()->peek() != nullptr; cursor.value()->advance()) ++rows;
  if (cursor.value()->status().ok()) require(rows == table.rows());
  [[maybe_unused]] const Status verified = table.verify(context);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  FuzzInput told(data + 1, size - 1);
  read_table(data[0] % 2 == 0 ? std::string(told.rest()) : build(told));
  return 0;
}
