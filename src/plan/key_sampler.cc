#include "plan/key_sampler.h"

namespace twinset {

Status KeySampler::take(const ReadRecord& record, SampleRows& rows) const {
  rows.names_seen += record.record.id.size();
  if (!record.is_document()) return {};
  const Fingerprint lexical = in_part(record.part, record.view.lexical_fingerprint());
  sample_.take_fingerprint(lexical, rows.batch);
  if (record.view.analysis().tokens.empty()) return {};
  scheme_.sketch(record.view, rows.sketch);
  rows.keys.clear();
  scheme_.keys(rows.sketch, rows.keys);
  rows.keys_seen += rows.keys.size();
  rows.counts.add(rows.keys.size());
  for (std::uint64_t& key : rows.keys) key = scheme_.key_in(record.part, key);
  // A scheme without keys is sampled by its signatures, so that equal ones come together.
  if (scheme_.facts().signature_bits != 0 && !rows.sketch.empty) {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : rows.sketch.values) hash = mix64(hash ^ word);
    rows.keys.push_back(hash);
  }
  KeyHolder document;
  document.document = record.id;
  document.lexical = lexical;
  document.text_bytes = record.record.text.size();
  document.tokens = static_cast<std::uint32_t>(record.view.analysis().tokens.size());
  document.level = rows.sketch.level;
  sample_.take(document, rows.keys, rows.sketch.stored, rows.batch);
  return {};
}

Status KeySampler::add(SampleRows& rows) {
  sample_.add(rows.batch);
  keys_ += rows.keys_seen;
  name_bytes_ += rows.names_seen;
  return {};
}

Status KeySampler::put(SampleRows& rows) {
  counts_.add(rows.counts);
  return {};
}

}  // namespace twinset
