#include "run/keys_per_document.h"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <string>

#include "base/message.h"

namespace twinset {
namespace {

long percent(double share) { return std::lround(share * 100); }

/// The documents, their keys, and the copies that are found of them.
struct Survival {
  const Scheme& scheme;
  const KeysPerDocument& counts;
  std::uint64_t documents = 0;
  std::uint64_t keys = 0;

  Survival(const Scheme& of, const KeysPerDocument& counted) : scheme(of), counts(counted) {
    for (std::size_t i = 0; i < counts.documents.size(); ++i) {
      documents += counts.documents[i];
      keys += counts.documents[i] * i;
    }
  }
  bool known() const { return documents > 0 && scheme.survival(1, 1).has_value(); }
  double mean() const { return static_cast<double>(keys) / static_cast<double>(documents); }
  double found(unsigned edits) const {
    double sum = 0;
    for (std::size_t i = 0; i < counts.documents.size(); ++i) {
      sum += static_cast<double>(counts.documents[i]) * *scheme.survival(edits, i);
    }
    return sum / static_cast<double>(documents);
  }

  /// How a promise is broken, with a remedy, if fewer copies are found than this share: to the
  /// percent, since a single short document takes a bit from it.
  std::optional<std::string> broken(double share) const {
    const Promise promise = scheme.promise();
    if (!known() || promise.edits == 0) return std::nullopt;
    const double all = found(promise.edits);
    if (percent(all) >= percent(share)) return std::nullopt;
    const bool accepted = percent(all) >= percent(promise.least);
    return fmt::format(
        "scheme {} finds some {} % of copies with {} edits, not {} %: documents have a signature "
        "at {:.1f} of {} coordinates, because so small a part of the lexicon leaves them too few "
        "terms; {}ask for fewer edits{}",
        scheme.declaration().name, percent(all), promise.edits, percent(promise.share), mean(),
        scheme.coordinates(),
        scheme.coordinates() < KeysPerDocument::most_keys ? "give more signatures, or " : "",
        accepted ? ""
                 : fmt::format(", or take so few with found={:.2f}",
                               static_cast<double>(percent(all)) / 100));
  }
};

}  // namespace

void describe_survival(const Scheme& scheme, const KeysPerDocument& counts, RunFacts& facts) {
  const Survival survival(scheme, counts);
  facts.coordinates = {};
  facts.by_edits.clear();
  if (!survival.known()) return;
  facts.coordinates = SignedCoordinates{scheme.coordinates(), survival.mean()};
  for (const unsigned edits : {1U, 2U, 3U, 5U, 10U, 20U}) {
    facts.by_edits.push_back({edits, survival.found(edits), scheme.keys_to_survive(edits, 0.95)});
  }
  if (auto broken = survival.broken(scheme.promise().share)) {
    facts.warnings.push_back(*std::move(broken));
  }
}

Status check_promise(const Scheme& scheme, const KeysPerDocument& counts) {
  if (auto broken = Survival(scheme, counts).broken(scheme.promise().least)) {
    return usage_error(*std::move(broken));
  }
  return {};
}

}  // namespace twinset
