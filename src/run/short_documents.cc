#include "run/short_documents.h"

#include "base/message.h"
#include "words/numbers.h"

namespace twinset {

Result<std::string> short_documents_warning(const Job& job, const RecordFiles& records) {
  const std::uint64_t blind = job.signer.scheme->facts().blind_shingles;
  const bool joins =
      job.signer.uses_bands() || job.signer.counted_scheme() == job.signer.scheme.get();
  if (blind == 0 || !joins) return std::string();
  std::uint64_t short_documents = 0;
  TWINSET_TRY(records.for_each([&](std::uint64_t, const RecordRow& row) -> Status {
    const bool is_short = row.size < blind + job.signer.view.shingle_tokens - 1;
    if (row.fate() == Fate::kept && row.size != 0 && is_short) ++short_documents;
    return {};
  }));
  if (short_documents == 0) return std::string();
  return format_count(short_documents, "record has", "records have") + " fewer than " +
         format_count(blind) + " shingles, too few for scheme " +
         std::string(job.signer.scheme->declaration().name) + " to see all their near copies; " +
         option("scheme", "fss") + " has no such limit";
}

}  // namespace twinset
