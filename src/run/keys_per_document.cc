#include "run/keys_per_document.h"

#include <cmath>
#include <string>

#include "base/message.h"

namespace twinset {
namespace {

/// Fewer copies found than this break the promise of 95 %.
constexpr double least_kept = 0.9;

std::string percent(double share) { return std::to_string(std::lround(share * 100)) + " %"; }

std::string tenths(double number) {
  const long rounded = std::lround(number * 10);
  return std::to_string(rounded / 10) + "." + std::to_string(rounded % 10);
}

}  // namespace

void describe_survival(const Scheme& scheme, const KeysPerDocument& counts, RunFacts& facts) {
  std::uint64_t documents = 0;
  std::uint64_t keys = 0;
  for (std::size_t i = 0; i < counts.documents.size(); ++i) {
    documents += counts.documents[i];
    keys += counts.documents[i] * i;
  }
  facts.coordinates = {};
  facts.by_edits.clear();
  if (documents == 0 || !scheme.survival(1, 1)) return;
  facts.coordinates = SignedCoordinates{scheme.coordinates(),
                                        static_cast<double>(keys) / static_cast<double>(documents)};
  const auto found = [&](unsigned edits) {
    double sum = 0;
    for (std::size_t i = 0; i < counts.documents.size(); ++i) {
      sum += static_cast<double>(counts.documents[i]) * *scheme.survival(edits, i);
    }
    return sum / static_cast<double>(documents);
  };
  for (const unsigned edits : {1U, 2U, 3U, 5U, 10U, 20U}) {
    facts.by_edits.push_back({edits, found(edits), scheme.keys_to_survive(edits, 0.95)});
  }
  const unsigned promised = scheme.promised_edits();
  if (promised == 0 || found(promised) >= least_kept) return;
  facts.warnings.push_back(
      "scheme " + std::string(scheme.declaration().name) + " finds some " +
      percent(found(promised)) + " of copies with " + std::to_string(promised) +
      " edits, not 95 %: " + "documents have a signature at " + tenths(facts.coordinates->mean) +
      " of " + std::to_string(facts.coordinates->coordinates) +
      " coordinates, because so small a part of the lexicon leaves them too few terms; " +
      (scheme.coordinates() < KeysPerDocument::most_keys ? "give more signatures, or " : "") +
      "ask for fewer edits");
}

}  // namespace twinset
