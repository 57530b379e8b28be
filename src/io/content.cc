// A table of first bytes that no text begins with. Two or three first bytes are in the table only
// if text does not begin with them: "BM" begins a bitmap, but also a text on "BMW".
//
// This file's interface is io/content.h; the rest is private.
#include "io/content.h"

#include <array>

#include "text/utf8.h"

namespace twinset {
namespace {

using Kind = Content::Kind;
using namespace std::string_view_literals;

struct Magic {
  std::size_t offset;
  std::string_view bytes;
  Content content;
};

constexpr std::string_view parquet_to_lines =
    "duckdb -c \"COPY (SELECT * FROM read_parquet('%f')) TO '%s.jsonl' (FORMAT json)\"";
constexpr std::string_view arrow_to_lines =
    "python3 -c \"import pyarrow.feather as f; "
    "f.read_feather('%f').to_json('%s.jsonl', orient='records', lines=True)\"";

constexpr std::array magics{
    Magic{0, "\x1f\x8b\x08"sv, {Kind::gzip, "gzip", ""}},
    Magic{0, "\x28\xb5\x2f\xfd"sv, {Kind::zstd, "zstd", ""}},
    Magic{0, "\xfd\x37zXZ\0"sv, {Kind::packed, "xz", "xz -dc"}},
    Magic{0, "LZIP\x01"sv, {Kind::packed, "lzip", "lzip -dc"}},
    Magic{0, "\x04\x22\x4d\x18"sv, {Kind::packed, "lz4", "lz4 -dc"}},
    Magic{0, "\x1f\x9d"sv, {Kind::packed, "compress", "gzip -dc"}},
    Magic{0, "PAR1"sv, {Kind::foreign, "Parquet", parquet_to_lines}},
    Magic{0, "ARROW1\0"sv, {Kind::foreign, "Arrow (Feather)", arrow_to_lines}},
    Magic{0, "Obj\x01"sv, {Kind::foreign, "Avro", "avro-tools tojson %f > %s.jsonl"}},
    Magic{0, "SQLite format 3\0"sv, {Kind::foreign, "a SQLite database", ""}},
    Magic{0, "\x89HDF\r\n\x1a\n"sv, {Kind::foreign, "HDF5", ""}},
    Magic{0, "\x93NUMPY"sv, {Kind::foreign, "a NumPy array", ""}},
    Magic{0, "%PDF-"sv, {Kind::foreign, "a PDF document", "pdftotext %f %s.txt"}},
    Magic{0,
          "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv,
          {Kind::foreign, "an Office document", "soffice --headless --convert-to txt:Text %f"}},
    Magic{0, "AT&TFORM"sv, {Kind::foreign, "a DjVu document", "djvutxt %f %s.txt"}},
    Magic{0,
          "PK\x03\x04"sv,
          {Kind::foreign, "a ZIP archive, as DOCX, EPUB and ODT are", "unzip %f -d %s"}},
    Magic{0, "PK\x05\x06"sv, {Kind::foreign, "a ZIP archive", ""}},
    Magic{0, "7z\xbc\xaf\x27\x1c"sv, {Kind::foreign, "a 7z archive", "7z x %f -o%s"}},
    Magic{0, "Rar!\x1a\x07"sv, {Kind::foreign, "a RAR archive", "unrar x %f"}},
    Magic{257, "ustar"sv, {Kind::foreign, "a tar archive", "tar -xf %f"}},
    Magic{0, "!<arch>\n"sv, {Kind::foreign, "an ar archive", ""}},
    Magic{0, "\x89PNG\r\n\x1a\n"sv, {Kind::foreign, "a PNG picture", ""}},
    Magic{0, "GIF87a"sv, {Kind::foreign, "a GIF picture", ""}},
    Magic{0, "GIF89a"sv, {Kind::foreign, "a GIF picture", ""}},
    Magic{0, "\xff\xd8\xff"sv, {Kind::foreign, "a JPEG picture", ""}},
    Magic{0, "II*\0"sv, {Kind::foreign, "a TIFF picture", ""}},
    Magic{0, "MM\0*"sv, {Kind::foreign, "a TIFF picture", ""}},
    Magic{0, "wOFF"sv, {Kind::foreign, "a font", ""}},
    Magic{0, "wOF2"sv, {Kind::foreign, "a font", ""}},
    Magic{0, "\0\1\0\0\0"sv, {Kind::foreign, "a font", ""}},
    Magic{0, "OTTO\0"sv, {Kind::foreign, "a font", ""}},
    Magic{0, "OggS\0"sv, {Kind::foreign, "Ogg sound or video", ""}},
    Magic{0, "fLaC\0"sv, {Kind::foreign, "FLAC sound", ""}},
    Magic{4, "ftyp"sv, {Kind::foreign, "MP4 sound or video", ""}},
    Magic{0,
          "\x7f"
          "ELF"sv,
          {Kind::foreign, "a program (ELF)", ""}},
    Magic{0, "\xca\xfe\xba\xbe"sv, {Kind::foreign, "a program (Java or macOS)", ""}},
    Magic{0, "\xcf\xfa\xed\xfe"sv, {Kind::foreign, "a program (macOS)", ""}},
    Magic{0, "\0asm\1\0\0\0"sv, {Kind::foreign, "a program (WebAssembly)", ""}},
};

constexpr std::size_t least_counted = 8;

bool has(std::string_view head, std::size_t offset, std::string_view bytes) {
  return head.size() >= offset && head.substr(offset, bytes.size()) == bytes;
}

/// "BZh" and a level, then the mark of a block or of the end.
bool is_bzip2(std::string_view head) {
  return head.starts_with("BZh") && head.size() > 4 && head[3] >= '1' && head[3] <= '9' &&
         (has(head, 4, "1AY&SY") || has(head, 4, "\x17\x72\x45\x38\x50\x90"));
}

/// A frame that zstd readers pass over (RFC 8878, section 3.1.2).
bool is_skippable_zstd(std::string_view head) {
  return head.size() >= 4 && has(head, 1, "\x2a\x4d\x18") &&
         (static_cast<unsigned char>(head[0]) & 0xf0) == 0x50;
}

bool is_riff(std::string_view head) {
  return head.starts_with("RIFF") &&
         (has(head, 8, "WEBP") || has(head, 8, "WAVE") || has(head, 8, "AVI "));
}

bool is_counted(unsigned char byte) {
  if (byte >= 0x20) return byte == 0x7f;
  return byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f' && byte != '\b' &&
         byte != 0x1b;
}

/// A sequence that the end of `head` cuts off is not a fault.
bool begins_as_utf8(std::string_view head) {
  for (std::size_t i = 0; i < head.size();) {
    const utf8::Decoded decoded = utf8::decode(head, i);
    if (!decoded.valid && head.size() - i >= utf8::max_bytes) return false;
    i += decoded.bytes;
  }
  return true;
}

}  // namespace

Content content_of(std::string_view head) {
  for (const Magic& magic : magics) {
    if (has(head, magic.offset, magic.bytes)) return magic.content;
  }
  if (is_bzip2(head)) return {Kind::packed, "bzip2", "bzip2 -dc"};
  if (is_skippable_zstd(head)) return {Kind::zstd, "zstd", ""};
  if (is_riff(head)) return {Kind::foreign, "a picture, sound or video (RIFF)", ""};
  return {};
}

bool is_binary(std::string_view head) {
  std::size_t counted = 0;
  for (const char byte : head) counted += is_counted(static_cast<unsigned char>(byte)) ? 1 : 0;
  if (counted < least_counted || counted * 20 < head.size()) return false;
  return counted * 10 >= head.size() || !begins_as_utf8(head);
}

}  // namespace twinset
