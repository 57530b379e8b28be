#include "run/fingerprints.h"

#include "run/stored_rows.h"
#include "scheme/identity.h"
#include "scheme/little_endian.h"

namespace twinset {

Status Fingerprints::take(const ReadRecord& record, FingerprintRows& rows) const {
  if (!record.is_document()) return {};
  FingerprintRow row{record.view.lexical_fingerprint(), identical_fingerprint(record.record.text),
                     record.id};
  std::uint64_t part = record.part;
  if (reserving_ != nullptr) part ^= mix64(reserved_part(record, rows.sketch));
  row.key = in_part(part, row.key);
  rows.rows.push_back(row);
  return {};
}

/// The reserved bits of a document's signature. One without a signature matches nothing, and is no
/// copy of another: its part is its own, and above all bits that can be reserved.
std::uint64_t Fingerprints::reserved_part(const ReadRecord& record, Sketch& sketch) const {
  constexpr std::size_t first_word = 1;  // after the byte that says the form
  sketch.empty = true;
  if (!record.view.analysis().tokens.empty()) reserving_->sketch(record.view, sketch);
  if (sketch.empty) return ~record.id.value();
  return load_little_endian<std::uint64_t>(&sketch.stored[first_word]) >>
         (64 - reserving_->facts().reserved_bits);
}

Status Fingerprints::open(const StateFile* checkpoint) {
  return open_rows(options_, checkpoint, "fold", rows_);
}

Status Fingerprints::checkpoint(StateFile& file) {
  return rows_ == nullptr ? Status() : checkpoint_rows(*rows_, "fold", file);
}

}  // namespace twinset
