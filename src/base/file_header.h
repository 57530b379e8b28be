// The first 48 bytes of every file twinset writes for itself: its format, its scheme and
// its length.
//
//   FileHeader header{.format = "bands", .version = 1, .row_bytes = 24,
//                     .fingerprint = scheme_fingerprint, .rows = count};
//   file.write_at(0, encode_file_header(header));
//   ...
//   Result<FileHeader> read = decode_file_header(path, bytes, {.format = "bands", ...});
//
// Little-endian: magic "twinset\n" 8, format 8 (padded with NUL), version u32,
// row_bytes u32, fingerprint u64, rows u64, checksum u64 (XXH3-64 of the 40 bytes
// before it). The caller writes the rows and their checksums.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "twinset/result.h"

namespace twinset {

inline constexpr std::size_t file_header_bytes = 48;

struct FileHeader {
  std::string format;             ///< 1 to 8 bytes, no NUL
  std::uint32_t version = 1;      ///< of the format
  std::uint32_t row_bytes = 0;    ///< 0: rows of varying length
  std::uint64_t fingerprint = 0;  ///< of the scheme, its analyzer and its hashes
  std::uint64_t rows = 0;
  bool operator==(const FileHeader&) const = default;
};

/// The header that the opener of a file expects.
struct ExpectedHeader {
  std::string_view format;
  std::uint32_t version = 1;
  std::uint32_t row_bytes = 0;
  std::uint64_t fingerprint = 0;
};

/// Exactly file_header_bytes bytes.
std::string encode_file_header(const FileHeader& header);

/// The header at the front of `bytes`. Errors (io) name `path` and say which of
/// these failed: too short, not a twinset file, damaged, another format, another
/// version, other rows, another scheme (both fingerprints are named).
Result<FileHeader> decode_file_header(const std::string& path, std::string_view bytes,
                                      const ExpectedHeader& expected);

/// The same for any format, to inspect an unknown file.
Result<FileHeader> decode_any_file_header(const std::string& path, std::string_view bytes);

/// A fingerprint as people read it: 16 hexadecimal digits, or 32.
std::string fingerprint_text(std::uint64_t fingerprint);
inline std::string fingerprint_text(const Fingerprint& fingerprint) {
  return fingerprint_text(fingerprint.high) + fingerprint_text(fingerprint.low);
}

}  // namespace twinset
