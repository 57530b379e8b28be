// Files of bytes for tests: written, and read back whole with their faults.
//
// Threads: one thread at a time.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes.h"
#include "support/scratch_folder.h"
#include "system/memory_files.h"

namespace twinset::testing {

/// The content of a stream that was read to its end, resumed wherever possible.
struct WholeStream {
  std::string bytes;
  std::vector<StreamFault> faults;
  std::vector<std::size_t> fault_places;  ///< how many bytes had come before each
  std::string error;                      ///< of the file system; empty if none
};

inline WholeStream read_stream(const std::string& path, Compression compression,
                               const ReaderLimits& limits = {}, std::size_t step = 1 << 16,
                               FileSystem& files = disk()) {
  WholeStream whole;
  Result<std::unique_ptr<ByteSource>> source = open_bytes(files, path, compression, limits);
  if (!source.ok()) {
    whole.error = source.error().message;
    return whole;
  }
  std::string buffer(step, '\0');
  while (true) {
    const Result<std::size_t> got = source.value()->read(buffer.data(), buffer.size());
    if (!got.ok()) {
      whole.error = got.error().message;
      return whole;
    }
    whole.bytes += std::string_view(buffer).substr(0, got.value());
    if (got.value() > 0) continue;
    if (source.value()->fault().reason == BadReason::none) return whole;
    whole.faults.push_back(source.value()->fault());
    whole.fault_places.push_back(whole.bytes.size());
    if (!source.value()->resume()) return whole;
  }
}

/// `bytes` as our own writers compress them.
inline std::string compressed(std::string_view bytes, Compression compression) {
  MemoryFiles files;
  const std::unique_ptr<ByteSink> sink = create_bytes(files, "x", compression).value();
  EXPECT_TRUE(sink->write(bytes).ok());
  EXPECT_TRUE(sink->finish().ok());
  return files.read("x");
}

/// Words that compress about as text does; the same for the same seed.
inline std::string sample_text(std::size_t bytes, std::uint64_t seed = 1) {
  std::string text;
  std::uint64_t state = seed * 0x9e3779b97f4a7c15ULL + 1;
  while (text.size() < bytes) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const std::uint64_t word = state >> 33;
    for (std::uint64_t rest = word % 5000 + 1; rest > 0; rest /= 26) {
      text += static_cast<char>('a' + rest % 26);
    }
    text += word % 11 == 0 ? '\n' : ' ';
  }
  text.resize(bytes);
  return text;
}

}  // namespace twinset::testing
