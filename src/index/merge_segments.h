// Several segments of an index as one: their documents in order without the deleted ones, whose
// bytes are gone from the new files.
//
// Threads: one at a time.
#pragma once

#include <span>
#include <string>

#include "index/snapshot.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

/// Makes the files of a segment in `folder`, which exists and has none, and makes them durable.
/// Memory: 1/4 of a byte a document, 1/2 of a byte a posting of the scheme with most, and some MiB.
/// Errors (io): a segment is damaged; writing fails; there are 2^32 - 1 documents or keys.
Status merge_segments(const RunContext& context, std::span<const IndexSnapshot::Part> parts,
                      const IndexSigner& signer, const std::string& folder);

}  // namespace twinset
