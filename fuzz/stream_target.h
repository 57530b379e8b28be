// Shared by the targets of compressed files: the input is a stored file, or text that is compressed
// here and then damaged in a few places, which reaches deeper code than random bytes.
//
// Threads: one thread at a time.
#pragma once

#include <memory>
#include <string>

#include "fuzz/input.h"
#include "io/bytes.h"
#include "system/memory_files.h"

namespace twinset::fuzzing {

inline void fuzz_stream(FuzzInput input, Compression compression) {
  constexpr std::uint64_t max_decoded_bytes = 1 << 20;
  MemoryFiles files;
  std::string text;
  const std::size_t damages = input.below(6);
  const bool made_here = damages > 0;
  if (made_here) {
    std::string damage(input.take(4 * (damages - 1)));
    text = input.rest();
    // The first half as one frame, the second as another.
    for (const std::string& part :
         {text.substr(0, text.size() / 2), text.substr(text.size() / 2)}) {
      const std::unique_ptr<ByteSink> sink = create_bytes(files, "part", compression).value();
      require(sink->write(part).ok() && sink->finish().ok());
      require(files.write("x", files.read("x") + files.read("part")).ok());
      require(files.remove_file("part").ok());
    }
    std::string stored = files.read("x");
    FuzzInput places(reinterpret_cast<const std::uint8_t*>(damage.data()), damage.size());
    for (std::size_t i = 1; i < damages; ++i) {
      stored[places.below(65536) % stored.size()] = static_cast<char>(places.below(65536));
    }
    require(files.write("x", stored).ok());
  } else {
    require(files.write("x", input.rest()).ok());
  }

  ReaderLimits limits;
  limits.max_decoded_bytes = max_decoded_bytes;
  limits.max_window_bytes = 1 << 23;
  const std::unique_ptr<ByteSource> source = open_bytes(files, "x", compression, limits).value();
  std::string decoded;
  std::string buffer(1000, '\0');
  std::size_t faults = 0;
  while (true) {
    const Result<std::size_t> got = source->read(buffer.data(), buffer.size());
    if (!got.ok()) return;  // The window is too large.
    decoded.append(buffer, 0, got.value());
    if (got.value() > 0) continue;
    if (source->fault().reason == BadReason::none) break;
    require(source->fault().stored_offset <= files.read("x").size());
    require(++faults <= 1000);
    if (!source->resume()) break;
  }
  require(decoded.size() <= max_decoded_bytes + buffer.size());
  if (damages == 1) require(decoded == text && faults == 0);
}

}  // namespace twinset::fuzzing
