// Fields stand at fixed places and are written byte by byte, so the layout is the same on every
// CPU. A checksum over all of them is checked before any field is used.
//
// This file's interface is base/file_header.h; the rest is private.
#include "base/file_header.h"

#include <array>
#include <cassert>

#include "base/hash.h"
#include "base/varint.h"

namespace twinset {
namespace {

constexpr std::string_view magic = "twinset\n";
constexpr std::size_t format_bytes = 8;
constexpr std::size_t checksum_offset = file_header_bytes - 8;

template <class Number>
void put(std::string& out, Number value) {
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    out += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  }
}

}  // namespace

std::string encode_file_header(const FileHeader& header) {
  assert(!header.format.empty() && header.format.size() <= format_bytes);
  std::string bytes(magic);
  bytes += header.format;
  bytes.resize(magic.size() + format_bytes, '\0');
  put(bytes, header.version);
  put(bytes, header.row_bytes);
  put(bytes, header.fingerprint);
  put(bytes, header.rows);
  put(bytes, checksum(bytes));
  assert(bytes.size() == file_header_bytes);
  return bytes;
}

Result<FileHeader> decode_any_file_header(const std::string& path, std::string_view bytes) {
  if (bytes.substr(0, magic.size()) != magic.substr(0, bytes.size())) {
    return io_error(path + " is not a file twinset wrote");
  }
  if (bytes.size() < file_header_bytes) {
    return io_error(path + " is cut off within its first " + std::to_string(file_header_bytes) +
                    " bytes; remove it and run again");
  }
  bytes = bytes.substr(0, file_header_bytes);
  if (little_endian(bytes.substr(checksum_offset, 8)) !=
      checksum(bytes.substr(0, checksum_offset))) {
    return io_error(path + " is damaged: its header fails its checksum; remove it and run again");
  }
  FileHeader header;
  const std::string_view format = bytes.substr(magic.size(), format_bytes);
  header.format = format.substr(0, format.find('\0'));
  header.version = static_cast<std::uint32_t>(little_endian(bytes.substr(16, 4)));
  header.row_bytes = static_cast<std::uint32_t>(little_endian(bytes.substr(20, 4)));
  header.fingerprint = little_endian(bytes.substr(24, 8));
  header.rows = little_endian(bytes.substr(32, 8));
  return header;
}

Result<FileHeader> decode_file_header(const std::string& path, std::string_view bytes,
                                      const ExpectedHeader& expected) {
  Result<FileHeader> decoded = decode_any_file_header(path, bytes);
  if (!decoded.ok()) return decoded;
  const FileHeader& header = decoded.value();
  if (header.format != expected.format) {
    return io_error(path + " holds \"" + header.format + "\" where \"" +
                    std::string(expected.format) + "\" should be");
  }
  if (header.version != expected.version) {
    return io_error(path + " is of \"" + header.format + "\" version " +
                    std::to_string(header.version) + "; this twinset reads version " +
                    std::to_string(expected.version));
  }
  if (header.row_bytes != expected.row_bytes) {
    return io_error(path + " has rows of " + std::to_string(header.row_bytes) + " bytes where " +
                    std::to_string(expected.row_bytes) + " are expected");
  }
  if (header.fingerprint != expected.fingerprint) {
    return io_error(path + " was made with scheme fingerprint " +
                    fingerprint_text(header.fingerprint) + ", this run has " +
                    fingerprint_text(expected.fingerprint) +
                    "; unlike sketches can't be joined: use the same scheme, or make it again");
  }
  return decoded;
}

std::string fingerprint_text(std::uint64_t fingerprint) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = digits[fingerprint >> (60 - 4 * i) & 15];
  return text;
}

}  // namespace twinset
