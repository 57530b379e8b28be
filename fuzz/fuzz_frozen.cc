// Fuzzes the readers of an index's files: frozen files, blobs, postings, documents, the removed and
// the deleted ones, the manifest. Its log is fuzz_log's.
//
// By its first byte the rest of the input is such a file, or describes one whose checksums are
// right and whose content is anything. Any input must give an Error, or no more than the file has
// bytes for.
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/input.h"
#include "index/document_set.h"
#include "index/indexed_document.h"
#include "index/manifest.h"
#include "rows/frozen_blobs.h"
#include "rows/postings.h"
#include "system/memory_files.h"

namespace {

using namespace twinset;
using fuzzing::FuzzInput;
using fuzzing::require;

constexpr FrozenKind kind{.format = "segment", .version = 1, .fingerprint = 7};

void read_blobs(FileSystem& files, std::uint64_t file_bytes) {
  const auto opened = FrozenBlobs::open(files, "f", kind);
  if (!opened.ok()) return;
  // A length of 4 bytes for each, or eight bytes for 64 of no length.
  require(opened.value().size() / 8 <= file_bytes);
  for (std::uint64_t i = 0; i < opened.value().size(); ++i) {
    const auto blob = opened.value().read(i);
    if (!blob.ok()) continue;
    require(blob.value().size() <= file_bytes);
    IndexedDocument document;
    if (!read_document(blob.value(), document)) continue;
    std::string again;
    append_document(document, again);
    IndexedDocument read_again;
    std::string third;
    require(read_document(again, read_again));
    append_document(read_again, third);
    require(third == again);
  }
}

void read_postings(FileSystem& files, std::uint64_t documents, std::uint64_t file_bytes) {
  const auto file = FrozenFile::open(files, "f", kind);
  if (!file.ok()) return;
  const auto part = file.value()->part("blobs");
  if (!part.ok()) return;
  const auto opened = Postings::open(part.value(), documents);
  if (!opened.ok()) return;
  const Postings& postings = opened.value();
  require(postings.count() <= file_bytes * 8);
  for (std::uint64_t key = 0; key < 64; ++key) {
    const auto found = postings.find(key << 58);
    if (!found.ok()) continue;
    require(found.value().end <= postings.count());
    for (std::uint64_t i = found.value().begin; i < found.value().end; ++i) {
      const auto document = postings.document(i);
      if (document.ok()) require(document.value() < documents);
    }
  }
  const auto cursor = postings.read();
  std::uint64_t rows = 0;
  for (; cursor.value()->peek() != nullptr; cursor.value()->advance()) ++rows;
  require(rows <= postings.count());
}

void read_set(FileSystem& files, std::uint64_t documents) {
  const auto set = DocumentSet::read(files, "f", kind, documents);
  if (!set.ok()) return;
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < documents; ++i) count += set.value().has(i) ? 1 : 0;
  require(count == set.value().count());
}

/// A file with right checksums, of parts with any content.
void forge(FuzzInput& told) {
  MemoryFiles files;
  RunContext context;
  context.files = &files;
  const std::uint64_t documents = told.below(200);
  std::string groups;
  for (std::size_t i = told.below(5); i > 0; --i)
    groups.append(8, static_cast<char>(told.below(9)));
  {
    FrozenWriter writer(context, "f", kind);
    require(writer.begin("groups").ok() && writer.append(groups).ok());
    const std::string_view rest = told.rest();
    require(writer.begin("documents").ok() && writer.append(rest).ok());
    require(writer.begin("blobs").ok() && writer.append(rest).ok());
    require(writer.finish().ok());
  }
  const std::uint64_t bytes = files.read("f").size();
  read_blobs(files, bytes);
  read_postings(files, documents, bytes);
  read_set(files, documents);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  FuzzInput told(data + 1, size - 1);
  MemoryFiles files;
  switch (data[0] % 3) {
    case 0:
      require(files.write("f", told.rest()).ok());
      read_blobs(files, size);
      break;
    case 1:
      require(files.write("x/manifest", told.rest()).ok());
      if (const auto manifest = read_manifest(files, "x"); manifest.ok()) {
        require(write_manifest(files, "y", manifest.value()).ok());
        require(read_manifest(files, "y").value().segments == manifest.value().segments);
      }
      break;
    default:
      forge(told);
  }
  return 0;
}
