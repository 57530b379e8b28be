// This file's interface is index/manifest.h.
#include "index/manifest.h"

#include <string_view>

#include "base/file_header.h"
#include "base/hash.h"
#include "base/message.h"
#include "io/field_json.h"

namespace twinset {
namespace {

constexpr std::string_view kind_words = "twinset-index ";
constexpr std::string_view first_words = "twinset-index 3 ";
/// As long.
constexpr std::string_view first_words_before = "twinset-index 2 ";
static_assert(first_words.size() == first_words_before.size());
/// A manifest of the one version is not taken for that of the other.
constexpr std::uint64_t checksum_seed = 3;
constexpr std::size_t checksum_digits = 16;
constexpr std::uint64_t most_manifest_bytes = std::uint64_t{64} << 20;

}  // namespace

std::string manifest_path(const std::string& index) { return index + "/manifest"; }

Result<bool> is_index_folder(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(const FileStatus status, files.status(manifest_path(path)));
  if (status.kind != FileStatus::Kind::regular) return false;
  TWINSET_ASSIGN(const auto file, files.open(manifest_path(path), OpenMode::read));
  std::string begin(kind_words.size(), '\0');
  TWINSET_ASSIGN(const std::size_t got, file->read_at(0, begin.data(), begin.size()));
  return got == begin.size() && begin == kind_words;
}

Result<Manifest> read_manifest(FileSystem& files, const std::string& index) {
  const std::string path = manifest_path(index);
  TWINSET_ASSIGN(const FileStatus status, files.status(path));
  if (status.kind != FileStatus::Kind::regular) {
    return io_error("there is no index " + index + "; make it with " + verb("index create"));
  }
  TWINSET_ASSIGN(const std::string bytes, read_whole_file(files, path, most_manifest_bytes));
  const std::string_view all = bytes;
  const std::size_t json_at = first_words.size() + checksum_digits + 1;
  if (!all.starts_with(kind_words)) {
    return io_error(path + " is not the manifest of an index");
  }
  const bool is_before = all.starts_with(first_words_before);
  if (!is_before && !all.starts_with(first_words)) {
    return io_error(path + " is of another version of twinset; use that, or make the index again");
  }
  if (all.size() < json_at || all[json_at - 1] != '\n' ||
      all.substr(first_words.size(), checksum_digits) !=
          fingerprint_text(checksum(all.substr(json_at), is_before ? 0 : checksum_seed))) {
    return io_error(path + " is damaged: it fails its checksum; take a copy of the index");
  }
  Manifest manifest;
  TWINSET_TRY(read_fields(all.substr(json_at), path, fields_of(manifest)));
  return manifest;
}

Status write_manifest(FileSystem& files, const std::string& index, const Manifest& manifest) {
  const std::string json = fields_json(fields_of(to_write(manifest)), JsonLayout::lines);
  return write_file_atomically(
      files, manifest_path(index),
      std::string(first_words) + fingerprint_text(checksum(json, checksum_seed)) + "\n" + json);
}

}  // namespace twinset
