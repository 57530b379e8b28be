// This file's interface is scheme/term_weights.h.
#include "scheme/term_weights.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "scheme/fixed_point.h"
#include "stats/term_file.h"
#include "text/token_hash.h"

namespace twinset {

std::uint64_t idf_weight(Idf idf, std::uint64_t documents, std::uint64_t df) {
  if (idf == Idf::inverse) return (std::uint64_t{1} << 32) / df;
  if (df >= documents) return 0;
  constexpr unsigned unit_bits = std::countr_zero(idf_units);
  constexpr unsigned dropped = log2_fraction_bits - unit_bits;
  const std::uint64_t difference = log2_fixed(documents) - log2_fixed(df);
  return (difference + (std::uint64_t{1} << (dropped - 1))) >> dropped;
}

Result<TermWeights> TermWeights::read(FileSystem& files, const std::string& path, Idf idf) {
  TWINSET_ASSIGN(const TermFile file, TermFile::open_named(files, path));
  if (file.table().is_lexicon()) {
    return usage_error(path +
                       " is a lexicon, which lacks the most frequent terms; give the df file that "
                       "it was built from");
  }
  std::vector<TermCount> terms;
  TWINSET_TRY(file.for_each([&](const CountedTerm& term) -> Status {
    terms.push_back({token_hash(term.text), term.documents});
    return {};
  }));
  TermWeights weights(terms, file.table().documents, idf);
  weights.analyzer_ = file.table().analyzer;
  weights.analyzer_version_ = file.table().analyzer_version;
  return weights;
}

TermWeights::TermWeights(std::span<const TermCount> terms, std::uint64_t documents, Idf idf)
    : slots_(std::bit_ceil(terms.size() + terms.size() / 3 + 1)),
      uncounted_(idf_weight(idf, documents, 1)),
      documents_(documents) {
  const std::size_t mask = slots_.size() - 1;
  for (const TermCount& term : terms) {
    std::size_t at = mix64(term.hash) & mask;
    while (slots_[at].weight != free_slot && slots_[at].hash != term.hash) at = (at + 1) & mask;
    if (slots_[at].weight != free_slot) continue;
    slots_[at] = {term.hash,
                  idf_weight(idf, documents, std::max<std::uint64_t>(1, term.documents))};
  }
}

std::uint64_t TermWeights::of(std::uint64_t hash) const {
  if (slots_.empty()) return uncounted_;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = mix64(hash) & mask; slots_[at].weight != free_slot; at = (at + 1) & mask) {
    if (slots_[at].hash == hash) return slots_[at].weight;
  }
  return uncounted_;
}

}  // namespace twinset
