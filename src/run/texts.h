// Texts read again, one document at a time: what verification, compare, explain
// and the report look at.
//
// A record that its collection gives at random is read where it stands. Records of other
// sources are first extracted, those in pairs only, into one file of the run. Each text
// read again must have the length pass 1 saw; the write pass proves every byte.
//
// Threads: shingles() and text() from any; extract() before them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "join/documents.h"
#include "join/verify.h"
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

  /// Brings the documents of `edges` that cannot be read where they stand into reach, and
  /// remembers which are the earlier one of several.
  Status extract(RowCursor<Edge>& edges);
  /// The same of those marked, by dense index.
  Status extract(const std::vector<bool>& wanted);
  /// A pair to come has this document, by dense index, as its earlier one.
  void expect_earlier(std::uint64_t index);

  Status shingles(DocumentId document, std::vector<std::uint64_t>& out) override;
  bool earlier_once(DocumentId document) const override;
  Result<bool> is_long(DocumentId document) override;
  /// The text of a document as a reader sees it; replaces `out`.
  Status see(DocumentId document, std::string& out);

  std::uint64_t extracted_bytes() const { return extracted_bytes_; }

 private:
  struct Scratch;
  class Borrowed;

  Status open_extracted();
  Status hold_offsets();
  Status extract_source(std::uint64_t source, const std::vector<bool>& wanted);
  /// Where an extracted record stands: a word per document, with its own check.
  struct ExtractedPlace {
    std::uint64_t index = 0;
    std::uint64_t offset = 0;  ///< behind what was extracted before its batch
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
  std::unique_ptr<CachedFile> cached_offsets_;  ///< when all are there
  std::uint64_t extracted_bytes_ = 0;
  std::vector<bool> earlier_;        ///< of a pair to come; empty before the first is known
  std::vector<bool> earlier_again_;  ///< of two or more
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_scratch_;
};

}  // namespace twinset
