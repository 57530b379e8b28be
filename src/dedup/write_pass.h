// Pass 2: reads the inputs once more, in order, and writes kept records byte for byte, a line of
// proof for each removed record, and a line for each cluster.
//
// Every input must have the number of lines and the checksum that pass 1 saw. Otherwise it is an
// Error, and no output is published.
//
// Threads: one call at a time; compresses on a second thread if it may.
#pragma once

#include <vector>

#include "dedup/clusters.h"
#include "join/documents.h"
#include "match/match.h"
#include "rows/rows.h"
#include "run/job.h"
#include "run/record_files.h"
#include "sites/left_out_shingles.h"
#include "twinset/dedup.h"
#include "twinset/result.h"

namespace twinset {

/// Counts by fate for each file, in the order of the collection's sources. The caller checks them
/// against pass 1.
Result<std::vector<Counts>> count_fates(const Job& job, const RecordFiles& records,
                                        const DocumentTable& documents);

/// Writes kept records (or ids), removed.jsonl.zst and clusters.jsonl.zst into
/// job.work + "/out". Counts the copies that may not be meant to go.
Result<ClusterCount> write_outputs(const Job& job, const DedupOptions& options,
                                   const ReadState& state, const RecordFiles& records,
                                   const DocumentTable& documents, const RowFile<Proof>& proofs,
                                   const LeftOutShingles& left_out, CopiesOfWords& copies);

}  // namespace twinset
