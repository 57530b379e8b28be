// Reads texts again, one document at a time, for verification, compare, explain and the report.
//
// A record is read in place if its source has random access. From other sources the records that
// are needed are first extracted into one file of the run. Each text must have the length that
// pass 1 saw; the write pass checks every byte.
//
// Threads: shingles(), see() and analyze() from any; extract() before them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "join/documents.h"
#include "join/verify.h"
#include "report/left_out.h"
#include "rows/cached_file.h"
#include "rows/rows.h"
#include "run/job.h"
#include "run/record_files.h"
#include "twinset/result.h"

namespace twinset {

class Texts final : public ShingleSource {
 public:
  Texts(const Job& job, const RecordFiles& records, const DocumentTable& documents);
  ~Texts() override;

  /// Extracts the documents of `edges` that cannot be read in place, and remembers which are the
  /// earlier one of several edges.
  Status extract(RowCursor<Edge>& edges);
  /// Extracts the marked documents, by dense index.
  Status extract(const std::vector<bool>& wanted);
  /// Notes that this document, by dense index, will be the earlier one of a pair.
  void expect_earlier(std::uint64_t index);

  Status shingles(DocumentId document, std::vector<std::uint64_t>& out) override;
  bool earlier_once(DocumentId document) const override;
  Result<bool> is_long(DocumentId document) override;
  /// Replaces `out` by the text of a document as a reader sees it, and `left_out` by the tokens of
  /// it that the run does not compare.
  Status see(DocumentId document, std::string& out, TokenRanges& left_out);
  /// Replaces `out` by the tokens of a document. Their offsets are those in its text, or in the raw
  /// page.
  Status analyze(DocumentId document, Offsets offsets, Analysis& out);

  std::uint64_t extracted_bytes() const { return extracted_bytes_; }

 private:
  struct Scratch;
  class Borrowed;

  Status open_extracted();
  Status hold_offsets();
  Status extract_source(std::uint64_t source, const std::vector<bool>& wanted);
  /// The place of an extracted record.
  struct ExtractedPlace {
    std::uint64_t index = 0;
    std::uint64_t offset = 0;  ///< from the first byte extracted for its batch
  };
  Status put_offsets(std::span<const ExtractedPlace> places);
  Result<std::uint64_t> extracted_offset(std::uint64_t index) const;
  Status read_record(DocumentId document, const RecordRow& row, Scratch& scratch);
  bool at_random(std::uint64_t source) const;
  Error changed(std::uint64_t source) const;

  const Job& job_;
  const RecordFiles& records_;
  const DocumentTable& documents_;
  std::unique_ptr<File> extracted_;
  std::unique_ptr<File> offsets_;
  std::unique_ptr<CachedFile> cached_offsets_;  ///< set when all are written
  std::uint64_t extracted_bytes_ = 0;
  std::vector<bool> earlier_;        ///< the earlier one of a pair; empty until one is known
  std::vector<bool> earlier_again_;  ///< the earlier one of two or more pairs
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_scratch_;
};

}  // namespace twinset
