// A web archive for benchmarks: the one that TWINSET_ARCHIVE names, else one made in memory.
//
//   const BenchArchive& read = bench_archive(900, [](std::uint64_t page) { return body(page); });
//   Reader reader(*read.files, read.input, ...);
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>

#include "io/bytes.h"
#include "io/first_look.h"
#include "io/reader.h"
#include "system/memory_files.h"

namespace twinset {

struct BenchArchive {
  MemoryFiles memory;
  FileSystem* files = nullptr;
  Input input;
};

/// Fills `archive` with pages of these bodies, a gzip member a record.
inline void make_archive(BenchArchive& archive, std::uint64_t pages,
                         const std::function<std::string(std::uint64_t page)>& body) {
  archive.files = &archive.memory;
  const auto sink =
      create_bytes(archive.memory, "made.warc.gz", Compression::gzip, 0, true).value();
  for (std::uint64_t page = 0; page < pages; ++page) {
    const std::string block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body(page);
    const std::string record =
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
        "WARC-Date: 2024-05-01T12:00:00Z\r\nWARC-Target-URI: http://a.example/" +
        std::to_string(page) + "\r\nContent-Length: " + std::to_string(block.size()) + "\r\n\r\n" +
        block + "\r\n\r\n";
    if (!sink->write(record).ok() || !sink->end_record().ok()) return;
  }
  if (!sink->finish().ok()) return;
  archive.input.path = "made.warc.gz";
  archive.input.format = "warc";
  archive.input.compression = Compression::gzip;
}

/// Made on the first call.
inline const BenchArchive& bench_archive(
    std::uint64_t pages, const std::function<std::string(std::uint64_t page)>& body) {
  static BenchArchive made;
  if (made.files != nullptr) return made;
  const char* const path = std::getenv("TWINSET_ARCHIVE");
  if (path == nullptr) {
    make_archive(made, pages, body);
  } else {
    const FirstLook look = look_at(disk(), path, {});
    made.files = &disk();
    made.input.path = path;
    made.input.format = look.format;
    made.input.compression = look.compression;
  }
  made.input.markup = Markup::html;
  return made;
}

}  // namespace twinset
