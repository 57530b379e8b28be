// The log of an index: small changes, each a batch that one sync makes durable, since its last
// segment was written.
//
//   TWINSET_ASSIGN(const LoggedChanges logged, read_index_log(*log, signer));
//   TWINSET_ASSIGN(const auto segment, segment_of(logged.added, signer));
//
// A batch has documents that are added, whole, and the serials of others that go
// (docs/formats/index_folder.md). Whoever opens the index makes a segment in memory of the added
// ones, which is searched as those on disk are.
//
// Memory: all documents of the log.
//
// Threads: pure functions but for the files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "index/index_signer.h"
#include "index/indexed_document.h"
#include "index/segment.h"
#include "rows/log_file.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// All that an index holds of a document, in bytes of its own.
struct WholeDocument {
  std::string document;  ///< append_document()
  std::string text;      ///< if the index keeps texts
  std::vector<Marks> marks;

  void append_to(std::string& out) const;
  /// Takes all of `rest`; false if that is damaged.
  static bool take(std::span<const std::uint8_t> rest, WholeDocument& out);
  std::uint64_t memory_bytes() const;
};

/// What the batches of a log come to.
struct LoggedChanges {
  std::vector<WholeDocument> added;    ///< in the order of their serials
  std::vector<std::uint64_t> removed;  ///< serials, of added ones too
  std::uint64_t next_serial = 0;       ///< after the last one added; 0: none was
  std::uint64_t batches = 0;
  std::uint64_t bytes = 0;  ///< of the log
};

/// Adds to a batch: a document under its serial, and the serial of one that goes.
void log_added(const WholeDocument& added, std::string& batch);
void log_removed(std::uint64_t serial, std::string& batch);

std::string index_log_name(std::uint64_t number);
/// A log in another's place, or of another index, is of another fingerprint.
std::uint64_t index_log_fingerprint(std::uint64_t number, const IndexSigner& signer);

/// Errors (io): as LogFile::open(); a batch is not in the form of one.
Result<LoggedChanges> read_index_log(const LogFile& log, const IndexSigner& signer);

/// Appends a document to a segment under its serial.
Status append_whole(const WholeDocument& document, SegmentWriter& writer);
/// A segment that is on no disk: write(context, folder) makes its files.
using SegmentWrite = std::function<Status(const RunContext&, const std::string&)>;
Result<std::unique_ptr<const Segment>> segment_in_memory(const IndexSigner& signer,
                                                         const SegmentWrite& write);
/// Such a segment of these documents.
Result<std::unique_ptr<const Segment>> segment_of(std::span<const WholeDocument> documents,
                                                  const IndexSigner& signer);

}  // namespace twinset
