// Fuzzes what is read back from files of rows: whole files, files to be continued,
// and partitions.
//
// Bytes that merely fail a checksum would teach the fuzzer nothing, so an odd
// first byte has the checksums of the rest mended: then every length, tag, count
// and offset in it is believed as far as the code believes it. Whatever comes,
// there is an Error, or no more rows than the file has bytes for.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/file_header.h"
#include "base/files.h"
#include "base/hash.h"
#include "rows/rows.h"

namespace {

using namespace twinset;

constexpr std::uint64_t fingerprint = 7;

struct Row {
  std::uint64_t key = 0;
  std::uint64_t value = 0;
};
struct ByValue {
  bool operator()(const Row& a, const Row& b) const { return a.value < b.value; }
};

/// One file in memory, whatever its path; others do not exist.
class OneFile final : public FileSystem {
 public:
  OneFile(std::string path, std::string bytes) : path_(std::move(path)), bytes_(std::move(bytes)) {}

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode) override {
    if (path != path_) return io_error("cannot open " + path);
    return std::unique_ptr<File>(std::make_unique<Opened>(bytes_));
  }
  Result<FileStatus> status(const std::string& path) override {
    FileStatus status;
    if (path == path_) {
      status.kind = FileStatus::Kind::regular;
      status.size = bytes_.size();
    }
    return status;
  }
  Result<std::vector<std::string>> list(const std::string&) override {
    return std::vector<std::string>{path_};
  }
  Status make_directory(const std::string&) override { return {}; }
  Status rename(const std::string&, const std::string&) override { return {}; }
  Status remove_file(const std::string&) override { return {}; }
  Status remove_tree(const std::string&) override { return {}; }
  Status sync_directory(const std::string&) override { return {}; }
  Result<std::uint64_t> free_bytes(const std::string&) override { return std::uint64_t{0}; }

 private:
  class Opened final : public File {
   public:
    explicit Opened(std::string& bytes) : bytes_(bytes) {}
    Result<std::size_t> read(char*, std::size_t) override { return std::size_t{0}; }
    Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
      if (offset >= bytes_.size()) return std::size_t{0};
      const std::size_t got = std::min<std::size_t>(size, bytes_.size() - offset);
      std::memcpy(out, bytes_.data() + offset, got);
      return got;
    }
    Status append(std::string_view) override { return io_error("full"); }
    Status write_at(std::uint64_t, std::string_view) override { return io_error("full"); }
    Status truncate(std::uint64_t size) override {
      bytes_.resize(size);
      return {};
    }
    Status sync() override { return {}; }
    Result<std::uint64_t> size() override { return std::uint64_t{bytes_.size()}; }

   private:
    std::string& bytes_;
  };

  std::string path_;
  std::string bytes_;
};

void require(bool holds) {
  if (!holds) std::abort();
}

template <class Number>
Number number_at(const std::string& bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// Gives the file a header it may have, and each block its magic, place and
/// checksum, as far as the blocks' row counts can be followed.
void mend(std::string& bytes, const char* format) {
  if (bytes.size() < file_header_bytes) return;
  FileHeader header;
  header.format = format;
  header.row_bytes = sizeof(Row);
  header.fingerprint = fingerprint;
  header.rows = number_at<std::uint64_t>(bytes, 32);
  bytes.replace(0, file_header_bytes, encode_file_header(header));
  for (std::size_t at = file_header_bytes; at + block_header_bytes <= bytes.size();) {
    const std::uint32_t rows = number_at<std::uint8_t>(bytes, at + 4);  // Few, so that many fit.
    const std::uint64_t size = block_bytes(rows, sizeof(Row));
    if (size > bytes.size() - at) return;
    const std::uint32_t row_bytes = sizeof(Row);
    const std::uint64_t place = at;
    std::memcpy(bytes.data() + at, "tblk", 4);
    std::memcpy(bytes.data() + at + 4, &rows, 4);
    std::memcpy(bytes.data() + at + 12, &row_bytes, 4);
    std::memcpy(bytes.data() + at + 16, &place, 8);
    const std::string_view block(bytes.data() + at, size);
    const std::uint64_t sum =
        checksum(block.substr(block_header_bytes), checksum(block.substr(0, 24), fingerprint));
    std::memcpy(bytes.data() + at + 24, &sum, 8);
    at += size;
  }
}

void read_row_file(const std::string& bytes) {
  OneFile files("rows", bytes);
  RunContext context;
  context.files = &files;
  auto opened = RowFile<Row>::open(context, "rows", fingerprint);
  if (!opened.ok()) return;
  auto cursor = opened.value()->read();
  require(cursor.ok());
  std::uint64_t rows = 0;
  for (; cursor.value()->peek() != nullptr; cursor.value()->advance()) ++rows;
  require(rows * sizeof(Row) <= bytes.size());
  if (cursor.value()->status().ok()) require(rows == opened.value()->rows());
}

void continue_row_file(const std::string& bytes, std::uint64_t rows) {
  OneFile files("rows", bytes);
  RunContext context;
  context.files = &files;
  RowFile<Row> file({.context = &context, .path = "rows", .fingerprint = fingerprint});
  if (!file.restore({"rows", bytes.size(), rows}).ok()) return;
  require(file.rows() == rows && rows * sizeof(Row) <= bytes.size());
}

struct CountRows {
  std::uint64_t* rows;
  Status row(const Row&, bool) {
    ++*rows;
    return {};
  }
  Status finish() { return {}; }
};

void continue_partitions(const std::string& bytes, std::uint64_t rows) {
  OneFile files("keys.parts", bytes);
  RunContext context;
  context.files = &files;
  PartitionedRows<Row> store({.context = &context, .path = "keys", .fingerprint = fingerprint});
  if (!store.restore(std::vector<PartLength>{{"keys.parts", bytes.size(), rows}}).ok()) return;
  require(rows * sizeof(Row) <= bytes.size());
  std::uint64_t seen = 0;
  const Status grouped = store.for_each_group([](Row&) { return true; }, ByValue{},
                                              [&](unsigned) { return CountRows{&seen}; });
  require(seen <= rows);
  if (!grouped.ok()) require(!grouped.error().message.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const bool mended = data[0] % 2 == 1;
  const std::uint64_t rows = data[1];
  const std::string rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  std::string row_file = rest;
  std::string partitions = rest;
  if (mended) {
    mend(row_file, "rows");
    mend(partitions, "parts");
  }
  read_row_file(row_file);
  continue_row_file(row_file, rows);
  continue_partitions(partitions, rows);
  return 0;
}
