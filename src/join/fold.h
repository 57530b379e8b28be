// Folding: the first of several equal documents in keep order stands for the others, before
// anything more expensive is done with them (B 5.2).
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

/// Sets the standing of every copy, except the first of each class.
Status fold_copies(PartitionedRows<FingerprintRow>& rows, DocumentTable& documents);

}  // namespace twinset
