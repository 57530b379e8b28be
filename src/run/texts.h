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
#include <optional>
#include <string>
#include <vector>

#include "join/documents.h"
#include "join/verify.h"
#include "rows/blob_file.h"
#include "rows/rows.h"
#include "run/job.h"
#include "run/record_files.h"
#include "twinset/result.h"
#include "words/left_out.h"

namespace twinset {

class Texts final : public ShingleSource {
 public:
  Texts(const Job& job, const RecordFiles& records, const DocumentTable& documents);
  /// With another view of the texts than the run's.
  Texts(const Job& job, const RecordFiles& records, const DocumentTable& documents,
        const ViewRule& view);
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

  /// Documents by dense index, numbered from 0 in that order. Takes 2 bits a document.
  class Numbered {
   public:
    void assign(std::uint64_t documents);
    void add(std::uint64_t index) { marks_[index / 64] |= std::uint64_t{1} << index % 64; }
    /// After the last add().
    void number();
    /// Of a document that was added.
    std::uint64_t number_of(std::uint64_t index) const;

   private:
    std::vector<std::uint64_t> marks_;
    std::vector<std::uint64_t> before_;  ///< documents before each word of marks
  };

  Status extract_source(std::uint64_t source, const std::vector<bool>& wanted);
  Status read_record(DocumentId document, Scratch& scratch);
  bool is_known(DocumentId document) const;
  bool at_random(std::uint64_t source) const;
  Error changed(std::uint64_t source) const;

  const Job& job_;
  const ViewRule& view_;
  const RecordFiles& records_;
  const DocumentTable& documents_;
  std::optional<BlobFile> extracted_;  ///< raw records
  Numbered numbers_;                   ///< of these
  std::uint64_t extracted_bytes_ = 0;
  std::vector<bool> earlier_;        ///< the earlier one of a pair; empty until one is known
  std::vector<bool> earlier_again_;  ///< the earlier one of two or more pairs
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_scratch_;
};

}  // namespace twinset
