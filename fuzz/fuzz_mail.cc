// Any bytes as a mailbox, with the mails in it, whose parser is GMime.
#include "fuzz/archive_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  twinset::fuzzing::fuzz_records(
      twinset::fuzzing::FuzzInput(data, size), "mbox",
      "From a@b.example Tue May  5 10:00:00 2026\nContent-Length: ", "subject");
  return 0;
}
