// Removed documents in the form of results: a line of removed.jsonl.zst, or a value for a caller.
//
//   RemovalMaker maker(job, records, documents);
//   FieldLine<Removal> line;
//   TWINSET_TRY(maker.make(index, fate, proof, *line));
//   line.append(out);
//
// Threads: a maker belongs to one.
#pragma once

#include <cstdint>
#include <string>

#include "join/documents.h"
#include "match/match.h"
#include "rows/rows.h"
#include "run/job.h"
#include "run/names.h"
#include "run/record_files.h"
#include "sites/left_out_shingles.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

class RemovalMaker {
 public:
  RemovalMaker(const Job& job, const RecordFiles& records, const DocumentTable& documents)
      : documents_(documents),
        own_names_(job, records, documents),
        survivor_names_(job, records, documents) {}

  /// Fills `out`, which is valid until the next call. `proof` is the document's, or null for a
  /// copy. Error (io) if a proof is missing.
  Status make(std::uint64_t index, Fate fate, const Proof* proof, Removal& out);

 private:
  const DocumentTable& documents_;
  Names own_names_;
  Names survivor_names_;
  DocumentName own_;
  DocumentName survivor_;
};

/// Gives the documents of all inputs except references to `results`, in input order.
Status tell_results(const Job& job, const RecordFiles& records, const DocumentTable& documents,
                    const RowFile<Proof>& proofs, const LeftOutShingles& left_out,
                    const DedupResults& results);

}  // namespace twinset
