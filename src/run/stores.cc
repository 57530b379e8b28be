#include "run/stores.h"

namespace twinset {

std::vector<Collector*> Stores::all() const {
  std::vector<Collector*> there;
  for (Collector* collector :
       {static_cast<Collector*>(quarantine.get()), static_cast<Collector*>(fingerprints.get()),
        static_cast<Collector*>(sets.get()), static_cast<Collector*>(bands.get()),
        static_cast<Collector*>(counted.get()), static_cast<Collector*>(records.get())}) {
    if (collector != nullptr) there.push_back(collector);
  }
  return there;
}

Status Stores::open(const StateFile* checkpoint) {
  for (Collector* collector : all()) TWINSET_TRY(collector->open(checkpoint));
  return {};
}

Status Stores::checkpoint(StateFile& file) {
  for (Collector* collector : all()) TWINSET_TRY(collector->checkpoint(file));
  return {};
}

Stores make_stores(const Job& job, DocumentKeys::Stored counted) {
  // Shares in tenths of the budget; the rest is for the pairs of the match.
  const std::uint64_t tenth = job.context.memory_bytes / 10;
  const bool counts = job.signer.counted_scheme() != nullptr;
  const auto options = [&](const char* name, std::uint64_t tenths) {
    return RowsOptions{&job.context, job.spill + name, tenth * tenths, job.signer.fingerprint};
  };
  Stores stores;
  stores.quarantine = std::make_unique<Quarantine>(
      *job.context.files, job.work + "/out/" + std::string(quarantine_file), *job.collection);
  stores.fingerprints = std::make_unique<Fingerprints>(options("fold", 2), job.signer.scheme.get(),
                                                       FoldsSets::no, job.verb.folds_empty);
  if (job.verb.folds_sets != FoldsSets::no) {
    stores.sets = std::make_unique<Fingerprints>(options("sets", 2), job.signer.scheme.get(),
                                                 job.verb.folds_sets);
  }
  if (job.signer.uses_bands()) {
    stores.bands = std::make_unique<DocumentKeys>(options("bands", counts ? 2 : 4),
                                                  *job.signer.scheme, DocumentKeys::Stored::sketch);
  }
  if (counts) {
    stores.counted = std::make_unique<DocumentKeys>(
        options("counted", job.signer.uses_bands() ? 2 : 4), *job.signer.counted_scheme(), counted);
  }
  stores.records = std::make_unique<RecordFiles>(job.context, job.spill + "run",
                                                 job.thresholds.containment.has_value()
                                                     ? RecordFiles::Size::distinct_shingles
                                                     : RecordFiles::Size::tokens,
                                                 job.keep.by == KeepRule::By::field);
  return stores;
}

std::size_t stored_bytes_of(const Job& job, DocumentKeys::Stored counted) {
  std::size_t bytes = 0;
  if (job.signer.uses_bands()) {
    bytes += DocumentKeys::stored_bytes_of(*job.signer.scheme, DocumentKeys::Stored::sketch);
  }
  if (const Scheme* scheme = job.signer.counted_scheme(); scheme != nullptr) {
    bytes += DocumentKeys::stored_bytes_of(*scheme, counted);
  }
  return bytes;
}

}  // namespace twinset
