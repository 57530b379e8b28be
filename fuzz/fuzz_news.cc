// Any bytes as news in SGML, with the elements and references in them.
#include "fuzz/archive_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  twinset::fuzzing::fuzz_records(twinset::fuzzing::FuzzInput(data, size), "sgml",
                                 "<REUTERS NEWID=\"1\"><TOPICS><D>tea</D></TOPICS><TEXT>",
                                 "topics");
  return 0;
}
