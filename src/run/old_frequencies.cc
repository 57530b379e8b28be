#include "run/old_frequencies.h"

#include "base/message.h"
#include "scheme/features.h"
#include "words/numbers.h"

namespace twinset {
namespace {

/// Then at least half of the documents are not in the table. Less would be told of a table that was
/// counted before short or bad documents came back.
constexpr std::uint64_t lasts_for_tables = 2;

}  // namespace

std::string old_frequencies_warning(const Scheme& scheme, std::optional<std::uint64_t> most,
                                    std::uint64_t documents) {
  const std::uint64_t counted = scheme.facts().df_documents;
  if (counted == 0) return {};
  if (documents <= most.value_or(saturating_product(lasts_for_tables, counted))) return {};
  return format_count(documents, "document was", "documents were") +
         " read with frequencies counted in " + format_count(counted, "document", "documents") +
         ": words that came into use since weigh as if one document had them. Count them again (" +
         verb("lexicon count") + ") and make all signatures again, or allow more documents (" +
         option("df_documents") + ")";
}

}  // namespace twinset
