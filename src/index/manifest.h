// The manifest of an index: its settings, and the segments that it consists of. It is the one file
// of an index that is ever replaced, in one rename: what it names is the index, and everything else
// in the folder is left over from a change that did not happen, or from one that did.
//
//   TWINSET_ASSIGN(Manifest manifest, read_manifest(files, folder));
//   manifest.segments.push_back(...);
//   TWINSET_TRY(write_manifest(files, folder, manifest));     // durable
//
// It is a line with a checksum, and JSON (docs/formats/index_folder.md).
//
// Threads: pure functions but for the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "system/files.h"
#include "twinset/field.h"
#include "twinset/index.h"
#include "twinset/result.h"

namespace twinset {

struct ListedSegment {
  std::uint64_t number = 0;     ///< its folder's name
  std::uint64_t documents = 0;  ///< deleted ones, too
  std::uint64_t deleted = 0;
  std::uint64_t deletions = 0;  ///< the number in the name of the file that lists them; 0: none
  std::string hash;             ///< of its files, 32 hexadecimal digits

  std::string folder(const std::string& index) const {
    return index + "/" + std::to_string(number);
  }
  std::string deletions_file() const { return "deleted." + std::to_string(deletions); }
  bool operator==(const ListedSegment&) const = default;
};

/// A segment whose documents a run has kept or removed, written before its output has its name. It
/// counts once that has: `output` then has a summary of the run `identity`.
struct PendingSegment {
  ListedSegment segment;
  std::string output;  ///< the folder, from the root
  std::string identity;
  bool operator==(const PendingSegment&) const = default;
};

struct Manifest {
  IndexSettings settings;
  std::string fingerprint;              ///< IndexSigner::fingerprint(), 16 hexadecimal digits
  std::uint64_t changes = 0;            ///< made so far
  std::uint64_t next = 1;               ///< the number of the next segment or list of deletions
  std::uint64_t serials = 0;            ///< documents added so far: the next one's serial
  std::uint64_t log = 0;                ///< the number of the log with later changes; 0: none
  std::vector<ListedSegment> segments;  ///< the oldest documents first
  std::optional<PendingSegment> pending;
};

std::vector<Field> fields_of(ListedSegment& segment);
std::vector<Field> fields_of(PendingSegment& pending);
std::vector<Field> fields_of(Manifest& manifest);

/// Reads that of version 2, too, which knows no log. Errors (io): there is no index, or none of
/// these versions; its manifest is damaged.
Result<Manifest> read_manifest(FileSystem& files, const std::string& index);
Status write_manifest(FileSystem& files, const std::string& index, const Manifest& manifest);

std::string manifest_path(const std::string& index);
/// Is there an index, of whatever version?
Result<bool> is_index_folder(FileSystem& files, const std::string& path);

}  // namespace twinset
