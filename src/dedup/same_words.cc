#include "dedup/same_words.h"

#include <algorithm>

#include "base/hash.h"
#include "collection/one_record.h"
#include "dedup/clusters.h"

namespace twinset {
namespace {

constexpr std::size_t few_words = 5;
constexpr std::uint64_t memory_part = 16;

/// Replaces `out` by what stands between the tokens, without white space, and by a mark for each
/// token.
void find_signs(std::string_view text, std::span<const TokenOffsets> tokens, std::string& out) {
  out.clear();
  std::size_t at = 0;
  const auto take_to = [&](std::size_t end) {
    for (; at < end; ++at) {
      if (static_cast<unsigned char>(text[at]) > ' ') out += text[at];
    }
  };
  for (const TokenOffsets& token : tokens) {
    take_to(token.begin);
    at = std::max<std::size_t>(at, token.end);
    out += '\0';
  }
  take_to(text.size());
}

}  // namespace

SameWords::SameWords(const Job& job, const RecordFiles& records, const DocumentTable& documents)
    : job_(job),
      records_(records),
      documents_(documents),
      rows_({&job.context, job.spill + "same_words", job.context.memory_bytes / memory_part,
             job.signer.fingerprint}) {
  const std::uint64_t first = documents.first_index(job.reference_sources);
  for (std::uint64_t index = first; index < documents.size(); ++index) {
    if (final_fate(documents, index) != Fate::lexical) continue;
    const std::uint64_t survivor = final_survivor(documents, index);
    if (survivor < first || documents.is_earlier(survivor)) continue;
    if (survivors_.empty()) survivors_.resize(documents.size());
    survivors_[survivor] = true;
  }
}

Status SameWords::look(std::uint64_t index, std::uint64_t source, const Record& record,
                       Reader& reader) {
  const Fate fate = final_fate(documents_, index);
  const bool copy = fate == Fate::lexical;
  const std::uint64_t survivor = copy ? final_survivor(documents_, index) : index;
  const bool compared =
      !survivors_.empty() && !documents_.is_earlier(survivor) && survivors_[survivor];
  bool is_short = false;
  if (is_copy(fate)) {
    TWINSET_ASSIGN(const RecordRow row, records_.row(index));
    is_short = row.size < few_words;  // in shingles, which are not more than the words
  }
  if (!compared && !is_short) return {};
  job_.collection->decode(source, record.offset, record.raw, job_.fields, reader.decoded);
  reader.view.look_at(reader.decoded.records[0]);
  if (is_short) {
    const std::size_t words = reader.view.whole_analysis().tokens.size();
    if (words > 0 && words < few_words) ++few_words_;
  }
  if (!compared) return {};
  const std::string shown = shown_text(reader.view);
  reader.view.analyzer()->analyze(shown, Offsets::keep, reader.analysis);
  find_signs(shown, reader.analysis.offsets, reader.signs);
  return rows_.append({survivor, copy ? 1U : 0U, checksum(reader.signs), index});
}

Status SameWords::count(CopiesOfWords& out) {
  TWINSET_TRY(rows_.seal());
  TWINSET_ASSIGN(const auto cursor, rows_.read());
  std::uint64_t survivor_signs = 0;
  TWINSET_TRY(for_each_row(*cursor, [&](const Row& row) {
    if (row.is_copy == 0) survivor_signs = row.signs;
    if (row.is_copy != 0 && row.signs != survivor_signs) ++out.other_signs;
  }));
  out.few_words = few_words_;
  return {};
}

}  // namespace twinset
