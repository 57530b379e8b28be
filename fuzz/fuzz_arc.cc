// Any bytes as ARC.
#include "fuzz/archive_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  twinset::fuzzing::fuzz_records(twinset::fuzzing::FuzzInput(data, size), "arc",
                                 "http://a.example/ 192.0.2.1 20080430204825 text/html ",
                                 "http.content-type");
  return 0;
}
