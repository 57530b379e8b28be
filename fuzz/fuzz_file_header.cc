// Any bytes as a file header: an accepted header has the bytes that the writer would write.
#include <string_view>

#include "base/file_header.h"
#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Result<FileHeader> header = decode_any_file_header("x", bytes);
  if (header.ok() && !header.value().format.empty()) {
    require(encode_file_header(header.value()).substr(0, 8) == bytes.substr(0, 8));
  }

  // The reader returns the fields that the writer was given.
  fuzzing::FuzzInput fuzz(data, size);
  FileHeader made;
  made.version = static_cast<std::uint32_t>(fuzz.below(65536));
  made.row_bytes = static_cast<std::uint32_t>(fuzz.below(65536));
  made.rows = fuzz.below(65536) << 40;
  made.fingerprint = fuzz.below(65536) << 48;
  made.format = "f" + std::string(fuzz.take(7));
  if (made.format.find('\0') != std::string::npos) return 0;
  const Result<FileHeader> back = decode_any_file_header("x", encode_file_header(made));
  require(back.ok() && back.value() == made);
  return 0;
}
