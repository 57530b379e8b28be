// Any bytes as a zstd file, and damaged zstd files.
#include "fuzz/stream_target.h"
#include "io/bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  twinset::fuzzing::fuzz_stream({data, size}, twinset::Compression::zstd);
  return 0;
}
