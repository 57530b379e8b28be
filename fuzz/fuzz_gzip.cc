// Any bytes as a gzip file, and damaged gzip files.
#include "fuzz/stream_target.h"
#include "io/bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  twinset::fuzzing::fuzz_stream({data, size}, twinset::Compression::gzip);
  return 0;
}
