// The stores that dedup and cluster fill in their first pass and join afterwards.
//
//   Stores stores = make_stores(job, DocumentKeys::Stored::count);
//   TWINSET_TRY(stores.open(checkpoint));
//   TWINSET_TRY(read_collection(job, stores.all(), save, state));
//
// Threads: each as a Collector.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "run/collector.h"
#include "run/document_keys.h"
#include "run/fingerprints.h"
#include "run/job.h"
#include "run/quarantine.h"
#include "run/record_files.h"
#include "twinset/result.h"

namespace twinset {

struct Stores {
  std::unique_ptr<Quarantine> quarantine;
  std::unique_ptr<Fingerprints> fingerprints;
  std::unique_ptr<Fingerprints> sets;     ///< of shingles; null unless copies are folded by these
  std::unique_ptr<DocumentKeys> bands;    ///< null if the scheme has none
  std::unique_ptr<DocumentKeys> counted;  ///< null if no keys are counted
  std::unique_ptr<RecordFiles> records;

  /// All stores that are not null. The records come last, because they may use up a document's
  /// shingles.
  std::vector<Collector*> all() const;
  Status open(const StateFile* checkpoint);
  Status checkpoint(StateFile& file);
};

/// `counted`: the part of each document that is stored beside its counted keys.
Stores make_stores(const Job& job, DocumentKeys::Stored counted);

/// The bytes that the stores keep for each document besides rows, names and places.
std::size_t stored_bytes_of(const Job& job, DocumentKeys::Stored counted);

}  // namespace twinset
