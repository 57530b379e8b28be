// Folding: copies of one document are stood for by the first of them in keep
// order, before anything costlier looks at them (B 5.2).
//
// Identical is equal bytes of the decoded text; lexical is equal canonical
// tokens. A text without tokens is equal only to identical bytes.
//
// Threads: one call at a time; uses the context's threads.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "join/documents.h"
#include "rows/rows.h"

namespace twinset {

/// A document under its fingerprints, as scheme/identity.h makes them.
struct FingerprintRow {
  std::uint64_t lexical_high = 0;  ///< the key rows are joined by
  std::uint64_t lexical_low = 0;
  Fingerprint raw;
  DocumentId document;
};

/// Sets the standing of every copy that is not its class's first.
Status fold_copies(PartitionedRows<FingerprintRow>& rows, DocumentTable& documents);

}  // namespace twinset
