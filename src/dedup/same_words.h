// Copies that have the words of their survivor and other signs, such as "C" and "C++", and copies
// of very short texts: what a user may not have meant to remove.
//
//   SameWords same(job, records, documents);
//   TWINSET_TRY(same.look(index, source, record, reader));   // each record, while they are written
//   TWINSET_TRY(same.count(out));
//
// The signs of a text are what stands between its tokens, without white space. Those of a lexical
// copy and of its survivor are compared by their hashes, out of core.
//
// Threads: look() from any, each with its own reader; count() after them.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "io/record.h"
#include "join/documents.h"
#include "rows/rows.h"
#include "run/job.h"
#include "run/record_files.h"
#include "scheme/record_view.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

class SameWords {
 public:
  /// Buffers of one thread.
  struct Reader {
    explicit Reader(const Job& job) : view(job.signer.view) {}
    RecordView view;
    RecordBatch decoded;
    Analysis analysis;
    std::string signs;
  };

  /// Takes a bit a document, and some of the job's memory.
  SameWords(const Job& job, const RecordFiles& records, const DocumentTable& documents);

  /// Looks at a record as it stands in its input, by dense index. Errors: of writing rows, io.
  Status look(std::uint64_t index, std::uint64_t source, const Record& record, Reader& reader);
  /// Counts the copies. Those of a record of `--against` are left out, which is not written.
  Status count(CopiesOfWords& out);

 private:
  struct Row {
    std::uint64_t survivor = 0;  ///< by dense index
    std::uint64_t is_copy = 0;   ///< 0 of the survivor itself
    std::uint64_t signs = 0;
    std::uint64_t copy = 0;  ///< likewise
    auto operator<=>(const Row&) const = default;
  };
  struct BySurvivor {
    bool operator()(const Row& a, const Row& b) const { return a < b; }
    static std::uint64_t radix(const Row& row) { return row.survivor; }
  };

  const Job& job_;
  const RecordFiles& records_;
  const DocumentTable& documents_;
  std::vector<bool> survivors_;  ///< of lexical copies; empty if there are none
  SortedRows<Row, BySurvivor> rows_;
  std::atomic<std::uint64_t> few_words_ = 0;
};

}  // namespace twinset
