// Any bytes as CSV or TSV: the rows do not depend on the ends of batches, their lengths add up to
// the input but for blank lines, and a row decodes by itself as it does in its batch.
#include "fuzz/archive_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using namespace twinset::fuzzing;
  FuzzInput input(data, size);
  const bool tabs = input.below(2) == 1;
  fuzz_records(input, tabs ? "tsv" : "csv", tabs ? "id\ttext\n" : "id,text\n", "id",
               "\r\n\xef\xbb\xbf");
  return 0;
}
