#include "run/fingerprints.h"

#include "run/stored_rows.h"
#include "scheme/identity.h"
#include "scheme/little_endian.h"

namespace twinset {

Status Fingerprints::take(const ReadRecord& record, FingerprintRows& rows) const {
  if (!record.is_document()) return {};
  if (sets_ != FoldsSets::no) return take_set(record, rows);
  const bool empty =
      record.view.whole_analysis().tokens.empty() && !record.view.compares_bytes_only();
  if (empty && !folds_empty_) return {};
  FingerprintRow row{record.view.lexical_fingerprint(), identical_fingerprint(record.record.text),
                     record.id};
  std::uint64_t part = record.part;
  if (reserving_ != nullptr) part ^= mix64(reserved_part(record, rows.sketch));
  row.key = in_part(part, row.key);
  rows.rows.push_back(row);
  return {};
}

/// A text without tokens, or without a sample, has no set to be equal by.
Status Fingerprints::take_set(const ReadRecord& record, FingerprintRows& rows) const {
  if (record.view.analysis().tokens.empty()) return {};
  Fingerprint set;
  if (sets_ == FoldsSets::of_samples) {
    scheme_->sketch(record.view, rows.sketch);
    if (rows.sketch.values.empty()) return {};
    const std::vector<std::uint8_t>& stored = rows.sketch.stored;
    set = fingerprint_bytes({reinterpret_cast<const char*>(stored.data()), stored.size()});
  } else {
    set = shingle_set_fingerprint(record.record.text,
                                  record.view.shingles(scheme_->shingle_tokens()), rows.shingles);
  }
  rows.rows.push_back({in_part(record.part, set), {}, record.id});
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
  return open_rows(options_, checkpoint, name(), rows_);
}

Status Fingerprints::take_over(const ShardFolder& shard) {
  return take_over_rows(shard, name(), *rows_);
}

Status Fingerprints::checkpoint(StateFile& file) {
  return rows_ == nullptr ? Status() : checkpoint_rows(*rows_, name(), file);
}

}  // namespace twinset
