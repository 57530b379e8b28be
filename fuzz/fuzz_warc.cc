// Any bytes as WARC, with the HTTP messages, bodies and charsets in it.
#include "fuzz/archive_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  twinset::fuzzing::fuzz_records(twinset::fuzzing::FuzzInput(data, size), "warc",
                                 "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: x\r\n"
                                 "Content-Length: ",
                                 "http.content-type");
  return 0;
}
