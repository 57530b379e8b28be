// Any bytes as a JSON array of objects: its elements do not depend on the ends of batches, and each
// decodes by itself as it does in its batch.
#include "fuzz/archive_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  twinset::fuzzing::fuzz_records(twinset::fuzzing::FuzzInput(data, size), "json",
                                 "[{\"text\": \"a\"},\n", "id", "[ \t\r\n\xef\xbb\xbf");
  return 0;
}
