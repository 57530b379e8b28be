// Fuzzes the readers of files of rows: whole files, files to be continued, and partitions.
//
// Bytes that merely fail a checksum would teach the fuzzer nothing. So if the first byte is odd,
// the rest describes a file with valid checksums and any lengths, tags, counts and offsets. Any
// input must give an Error, or no more rows than the file has bytes for.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/file_header.h"
#include "base/hash.h"
#include "rows/rows.h"
#include "system/files.h"

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

/// One file in memory, at any path; no other file exists.
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
  Result<bool> readable(const std::string& path) override { return path == path_; }
  Status remove_directory(const std::string&) override { return {}; }
  Status sync_tree(const std::string&) override { return {}; }
  Status sync_directory(const std::string&) override { return {}; }
  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view,
                                         std::string&) override {
    return io_error("cannot lock " + path);
  }
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
void put(std::string& out, Number number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// A file with valid checksums. A few bytes describe each block: the number of rows (each from one
/// byte, so that keys are shared), the tag, and its faults.
std::string build(std::string_view told, const char* format, std::uint64_t rows, unsigned bits) {
  std::string file = encode_file_header(
      {.format = format, .row_bytes = sizeof(Row), .fingerprint = fingerprint, .rows = rows});
  const auto next = [&]() -> std::uint8_t {
    if (told.empty()) return 0;
    const auto byte = static_cast<std::uint8_t>(told.front());
    told.remove_prefix(1);
    return byte;
  };
  while (!told.empty()) {
    const std::uint32_t held = next() % 16;
    const std::uint32_t part = next();
    const std::uint8_t wrong = next();
    std::string header = "tblk";
    put<std::uint32_t>(header, wrong % 16 == 1 ? next() : held);
    put<std::uint32_t>(header, (wrong % 16 == 2 ? next() : bits) << 24 | part);
    put<std::uint32_t>(header, wrong % 16 == 3 ? next() : std::uint32_t{sizeof(Row)});
    put<std::uint64_t>(header, wrong % 16 == 4 ? next() : file.size());
    std::string held_rows;
    for (std::uint32_t i = 0; i < held; ++i) {
      const std::uint8_t byte = next();
      put<std::uint64_t>(held_rows, mix64(byte % 16));
      put<std::uint64_t>(held_rows, byte / 16);
    }
    put(header, checksum(held_rows, checksum(header, fingerprint)));
    file += header + held_rows;
  }
  return file;
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
  if (size < 3) return 0;
  const std::uint64_t rows = data[1];
  const std::string_view rest(reinterpret_cast<const char*>(data) + 3, size - 3);
  if (data[0] % 2 == 0) {  // The bytes are the file.
    read_row_file(std::string(rest));
    continue_row_file(std::string(rest), rows);
    continue_partitions(std::string(rest), rows);
  } else {
    read_row_file(build(rest, "rows", rows, 0));
    continue_row_file(build(rest, "rows", rows, 0), rows);
    continue_partitions(build(rest, "parts", rows, data[2] % 16), rows);
  }
  return 0;
}
