// Texts read again, one document at a time: what verification, compare, explain
// and the report look at.
//
// A record of a plain file is read where it stands. Records of compressed inputs
// are first extracted, those in pairs only, into one file of the run. Each text
// read again must have the length pass 1 saw; the write pass proves every byte.
//
// Threads: shingles() and text() from any; extract() before them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "job/dedup_job.h"
#include "join/documents.h"
#include "join/verify.h"
#include "rows/rows.h"
#include "twinset/result.h"

namespace twinset {

class Texts final : public ShingleSource {
 public:
  Texts(const DedupJob& job, const RecordFiles& records, const DocumentTable& documents);
  ~Texts() override;

  /// Brings the documents of `edges` that stand in compressed inputs into reach.
  Status extract(RowCursor<Edge>& edges);

  /// Brings what was extracted to disk, before a checkpoint relies on it.
  Status sync();
  /// Takes up what a killed run extracted.
  Status reopen();

  Status shingles(DocumentId document, std::vector<std::uint64_t>& out) override;
  /// The decoded text of a document; replaces `out`.
  Status text(DocumentId document, std::string& out);

  std::uint64_t extracted_bytes() const { return extracted_bytes_; }

 private:
  struct Scratch;
  class Borrowed;

  Status open_extracted(OpenMode mode);
  Status extract_source(std::uint64_t source, const std::vector<bool>& wanted);
  /// Where an extracted record stands: a word per document, with its own check.
  Status put_offset(std::uint64_t index, std::uint64_t offset);
  Result<std::uint64_t> extracted_offset(std::uint64_t index) const;
  Status read_record(DocumentId document, const RecordRow& row, Scratch& scratch);
  Result<std::shared_ptr<File>> input_file(std::uint64_t source);
  Error changed(std::uint64_t source) const;

  const DedupJob& job_;
  const RecordFiles& records_;
  const DocumentTable& documents_;
  std::unique_ptr<File> extracted_;
  std::unique_ptr<File> offsets_;
  std::uint64_t extracted_bytes_ = 0;
  std::mutex large_mutex_;  ///< held while a large record is worked on; taken before mutex_
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_scratch_;
  /// Inputs kept open, most recently used last; a few, whatever their number.
  std::vector<std::pair<std::uint64_t, std::shared_ptr<File>>> open_files_;
};

}  // namespace twinset
