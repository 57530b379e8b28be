// Folding: the first of several equal documents in keep order stands for the others, before
// anything more expensive is done with them (B 5.2).
//
// Identical is equal bytes of the decoded text; lexical is equal canonical
// tokens. A text without tokens is equal only to identical bytes.
//
// Threads: one call at a time; uses the context's threads.
#pragma once

#include "base/hash.h"
#include "join/documents.h"
#include "rows/rows.h"

namespace twinset {

/// A document under its fingerprints, as scheme/identity.h makes them.
struct FingerprintRow {
  Key128 key;       ///< of its tokens
  Fingerprint raw;  ///< of its bytes
  DocumentId document;
};

/// Sets the standing of every copy, except the first of each class.
Status fold_copies(PartitionedRows<FingerprintRow>& rows, DocumentTable& documents);

}  // namespace twinset
