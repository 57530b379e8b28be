// The counts of sketch and join for a terminal. This file's interface is to_text() of
// twinset/sketch.h.
#include <fmt/format.h>

#include "faces/run_text.h"
#include "twinset/sketch.h"
#include "twinset/visible.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::size_t most_feature_bytes = 48;

/// A table of the heaviest features of a document.
std::string features_text(const ListedFeatures& listed) {
  const std::string document = visible_name(listed.document);
  const std::string scheme = visible_name(listed.scheme.substr(0, listed.scheme.find('(')));
  if (listed.heaviest.empty()) return "\n" + document + " has no feature of " + scheme + "\n";
  std::string text = fmt::format("\n{}: the heaviest {} of {} of {}\n", document,
                                 format_count(listed.heaviest.size()),
                                 format_count(listed.features, "feature", "features"), scheme);
  const std::size_t digits = listed.heaviest.front().bits.size();
  text += fmt::format("{:>14}{:>9}  {:<{}}  {:>9}  {}\n", "weight", "share", "votes for bits",
                      digits, "agrees", "feature");
  for (const WeightedFeature& feature : listed.heaviest) {
    const std::string field = feature.field.empty() ? "" : visible_name(feature.field) + ": ";
    text += fmt::format("{:>14}{:>7.2f} %  {:<{}}  {:>9}  {}\n", format_count(feature.weight),
                        100 * feature.share, feature.bits, digits,
                        fmt::format("{}/{}", feature.agreeing, 4 * digits),
                        field + visible_name(feature.text, most_feature_bytes));
  }
  return text;
}

}  // namespace

std::string to_text(const SketchSummary& summary) {
  std::string text = format_count(summary.documents, "document", "documents") + " of " +
                     format_count(summary.read, "record", "records") + "\n";
  for (std::size_t i = 0; i < summary.schemes.size(); ++i) {
    text += count_line(summary.documents - summary.without[i].total(),
                       "with a signature of " + summary.schemes[i]);
    text += without_signature_line(summary.without[i]);
  }
  for (const ListedFeatures& listed : summary.features) text += features_text(listed);
  return text;
}

std::string to_text(const JoinSummary& summary) {
  return format_count(summary.pairs, "pair", "pairs") + " in " + format_count(summary.lines) +
         " lines, " + format_count(summary.without) + " of them without a signature\n";
}

}  // namespace twinset
