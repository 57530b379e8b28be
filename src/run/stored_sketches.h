// The sketches that pass 1 stored, by document, to check candidates.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <vector>

#include "join/documents.h"
#include "join/sketch_check.h"
#include "run/document_keys.h"
#include "run/job.h"
#include "run/known_documents.h"
#include "run/record_files.h"

namespace twinset {

/// Reads stored sketches.
class StoredSketches final : public SketchSource {
 public:
  /// `keys` may be null if nothing was stored; then stored() must not be called.
  StoredSketches(const Job& job, const DocumentKeys* keys, const RecordFiles& records,
                 const DocumentTable& documents)
      : known_(job.known), keys_(keys), records_(records), documents_(documents) {}
  Status stored(DocumentId document, std::vector<std::uint8_t>& out) override {
    if (is_known(document)) return known_->sketch(document, out);
    return keys_->stored().read(documents_.index(document), out);
  }
  Result<std::uint64_t> tokens(DocumentId document) override {
    if (is_known(document)) {
      TWINSET_ASSIGN(const IndexedDocument known, known_->document(document));
      return known.tokens;
    }
    TWINSET_ASSIGN(const RecordRow row, records_.row(documents_.index(document)));
    return row.size;
  }

 private:
  bool is_known(DocumentId document) const { return known_ != nullptr && known_->has(document); }

  const KnownDocuments* known_;
  const DocumentKeys* keys_;
  const RecordFiles& records_;
  const DocumentTable& documents_;
};

}  // namespace twinset
