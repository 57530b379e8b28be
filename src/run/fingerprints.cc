#include "run/fingerprints.h"

#include "run/stored_rows.h"
#include "scheme/identity.h"

namespace twinset {

Status Fingerprints::take(const ReadRecord& record, FingerprintRows& rows) const {
  if (!record.is_document()) return {};
  rows.rows.push_back(
      {record.view.lexical_fingerprint(), identical_fingerprint(record.record.text), record.id});
  return {};
}

Status Fingerprints::open(const StateFile* checkpoint) {
  return open_rows(options_, checkpoint, "fold", rows_);
}

Status Fingerprints::checkpoint(StateFile& file) {
  return rows_ == nullptr ? Status() : checkpoint_rows(*rows_, "fold", file);
}

}  // namespace twinset
