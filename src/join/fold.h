// Folding: the first of several equal documents in keep order represents the others, before
// anything more expensive is done with them (B 5.2).
//
// Identical means equal bytes of the decoded text; lexical means equal canonical tokens. A text
// without tokens is equal only to identical bytes. Who is left may be folded once more, by the set
// of shingles.
//
// Threads: one call at a time; it uses the context's threads.
#pragma once

#include "base/hash.h"
#include "join/documents.h"
#include "join/earlier_documents.h"
#include "rows/rows.h"

namespace twinset {

/// A document under its fingerprints, as scheme/identity.h makes them.
struct FingerprintRow {
  Key128 key;       ///< of its tokens
  Fingerprint raw;  ///< of its bytes
  DocumentId document;
};

/// Sets the standing of every copy, except the first of each class. Documents that are copies
/// already take no part. One of `earlier` is the first of its class; null: there are none.
Status fold_copies(PartitionedRows<FingerprintRow>& rows, const EarlierDocuments* earlier,
                   DocumentTable& documents);

/// After fold_copies(), with keys of sets of shingles: the same for Fate::shingles. The copies of a
/// document that is one now are copies of its representative, by their shingles.
Status fold_sets(PartitionedRows<FingerprintRow>& rows, DocumentTable& documents);

}  // namespace twinset
