// What pages are held against: a file of labels, the rules by which it was cut, and stop chunks of
// the same rules.
//
//   TWINSET_ASSIGN(KnownChunks known, open_known_chunks(files, options.labels, options.stop));
//   page_rule.chunks = known.rules;
//
// Threads: values.
#pragma once

#include <memory>
#include <string>

#include "base/file_header.h"
#include "labels/label_file.h"
#include "system/files.h"
#include "twinset/result.h"
#include "web/chunks.h"

namespace twinset {

/// The labels, and the stop chunks or null.
struct KnownChunks {
  std::unique_ptr<LabelFile> labels;
  ChunkRules rules;
  std::unique_ptr<LabelFile> stop;

  std::string stop_hash() const {
    return stop == nullptr ? std::string() : fingerprint_text(stop->hash());
  }
  /// The warning for a run that found nothing because of what was given: no label, or labels of
  /// pages and inputs that are none. Empty: there is nothing to warn of.
  std::string warning(std::uint64_t labels_in_file, std::uint64_t pages_read, bool are_pages) const;
};

/// Errors: usage (no file is named; stop chunks of other rules), io (no file of labels, damaged, or
/// of rules that this program does not know).
Result<KnownChunks> open_known_chunks(FileSystem& files, const std::string& labels,
                                      const std::string& stop);

}  // namespace twinset
