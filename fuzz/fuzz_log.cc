// Fuzzes the readers of logs, and of the batches that the log of an index has.
//
// By its first byte the rest of the input is a log, a log of a few batches that is damaged then, or
// a batch with right checksums. Any input must give an Error, or no more than the file has bytes
// for, and what was synced and is not damaged is there.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_header.h"
#include "fuzz/input.h"
#include "index/index_log.h"
#include "system/memory_files.h"

namespace {

using namespace twinset;
using fuzzing::FuzzInput;
using fuzzing::require;

constexpr std::uint64_t fingerprint = 7;

/// The number of batches; 0 after an Error.
std::uint64_t read_log(FileSystem& files, OpenMode mode) {
  RunContext context;
  context.files = &files;
  const auto log = LogFile::open(context, "x", fingerprint, mode);
  if (!log.ok()) return 0;
  std::uint64_t bytes = file_header_bytes;
  std::uint64_t batches = 0;
  require(log.value()
              ->for_each([&](std::string_view batch) -> Status {
                bytes += block_bytes(batch.size(), 1);
                ++batches;
                return {};
              })
              .ok());
  require(batches == log.value()->batches() && bytes == log.value()->bytes());
  return batches;
}

/// A log of a few batches, damaged or truncated.
void damage_log(FuzzInput& told) {
  MemoryFiles files;
  RunContext context;
  context.files = &files;
  require(LogFile::create(files, "x", fingerprint).ok());
  {
    const auto log = LogFile::open(context, "x", fingerprint, OpenMode::append);
    require(log.ok());
    for (std::size_t batches = told.below(6); batches > 0; --batches) {
      require(log.value()->append(std::string(1 + told.below(50), 'b')).ok());
      if (told.below(2) == 1) require(log.value()->sync().ok());
    }
    require(read_log(files, OpenMode::read) == log.value()->batches());
  }
  std::string bytes = files.read("x");
  for (std::size_t changes = told.below(4); changes > 0; --changes) {
    bytes[told.below(bytes.size())] = static_cast<char>(told.below(256));
  }
  if (told.below(4) == 1) bytes.resize(told.below(bytes.size() + 1));
  require(files.write("x", bytes + std::string(told.rest())).ok());
  const std::uint64_t seen = read_log(files, OpenMode::read);
  require(read_log(files, OpenMode::append) == seen);
}

/// A batch of anything in the log of an index.
void read_batch(std::string_view batch) {
  if (batch.empty()) return;
  MemoryFiles files;
  RunContext context;
  context.files = &files;
  static const IndexSigner signer =
      IndexSigner::make({.scheme = {"fss", "simhash"}, .texts = true}, files).value();
  require(LogFile::create(files, "x", fingerprint).ok());
  const auto log = LogFile::open(context, "x", fingerprint, OpenMode::append);
  require(log.ok() && log.value()->append(batch).ok());
  const auto logged = read_index_log(*log.value(), signer);
  if (!logged.ok()) return;
  require(logged.value().added.size() + logged.value().removed.size() <= batch.size());
  const auto segment = segment_of(logged.value().added, signer);
  if (!segment.ok()) return;
  require(segment.value()->documents() == logged.value().added.size());
  require(segment.value()->verify(context).ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  FuzzInput told(data + 1, size - 1);
  MemoryFiles files;
  switch (data[0] % 3) {
    case 0:
      require(files.write("x", told.rest()).ok());
      read_log(files, OpenMode::read);
      break;
    case 1:
      damage_log(told);
      break;
    default:
      read_batch(told.rest());
  }
  return 0;
}
