#include <algorithm>

#include "io/field_json.h"
#include "twinset/field.h"
#include "twinset/reuse.h"

namespace twinset {
namespace {

constexpr std::size_t most_frequencies = 10'000;  ///< the most frequent counts left out

Field frequencies_field(ObjectCounts& counts) {
  return {"frequencies",
          NestedList(
              ListLayout::rows,
              [&counts] { return std::min(counts.frequencies.size(), most_frequencies); },
              [&counts](std::size_t size) { counts.frequencies.resize(size); },
              [&counts](std::size_t i) { return fields_of(counts.frequencies[i]); }),
          Unit::count, "by rising count, at most 10,000"};
}

}  // namespace

std::vector<Field> fields_of(DiscoveredLabel& label) {
  return {{"kind", Choice(&label.is_file, {"chunk", "file"}), Unit::text, "`chunk` or `file`"},
          {"hash", &label.hash, Unit::code, "its hash, in hexadecimal digits"},
          {"count", &label.count, Unit::count, "how often it was seen"},
          {"documents", &label.documents, Unit::count, "pages that have it"},
          {"sites", &label.sites, Unit::count, "sites of these"},
          {"url", &label.url, Unit::text, "the first page that has it"},
          {"text", &label.text, Unit::text, "its first bytes"}};
}

std::vector<Field> fields_of(ObjectFrequency& frequency) {
  return {{"count", &frequency.count, Unit::count, "how often an object was seen"},
          {"objects", &frequency.objects, Unit::count, "distinct objects seen so often"},
          {"labels", &frequency.labels, Unit::count, "labels of these"}};
}

std::vector<Field> fields_of(ObjectCounts& counts) {
  return {{"seen", &counts.seen, Unit::count, "occurrences, those that are too short left out"},
          {"distinct", &counts.distinct, Unit::count, "distinct objects of these"},
          {"short_seen", &counts.short_seen, Unit::count, "occurrences that are too short"},
          {"stop_seen", &counts.stop_seen, Unit::count,
           "occurrences that are in the file of stop chunks"},
          {"in_site", &counts.in_site, Unit::count, "objects left out by `--stop-in-site`"},
          {"over_sites", &counts.over_sites, Unit::count, "... by `--stop-over-sites`"},
          {"labels", &counts.labels, Unit::count, "objects that are labels"},
          {"labels_seen", &counts.labels_seen, Unit::count, "their occurrences"},
          {"expected_false_matches", Real{&counts.expected_false_matches, Real::Digits::two},
           Unit::count, "unlike objects that are expected to have one hash"},
          frequencies_field(counts)};
}

std::vector<Field> fields_of(DiscoverSummary& summary) {
  return {
      {"read", &summary.read, Unit::count, "records"},
      {"quarantined", &summary.quarantined, Unit::count, "... that could not be read"},
      {"pages", &summary.pages, Unit::count, "pages whose chunks were counted"},
      {"sites", &summary.sites, Unit::count, "sites of the pages"},
      {"recursion_errors", &summary.recursion_errors, Unit::count, "pages left out for their URLs"},
      {"recursion_examples", &summary.recursion_examples, Unit::text, "at most ten of these"},
      {"rules", &summary.rules, Unit::code, "how the chunks were cut and hashed"},
      {"labels_hash", &summary.labels_hash, Unit::code,
       "hash of the content of the file of labels"},
      {"chunks", Nested(&summary.chunks), Unit::count, "chunks"},
      {"files", Nested(&summary.files), Unit::count, "pages as a whole"},
      {"top", NestedList(&summary.top, ListLayout::lines), Unit::count,
       "the most frequent labels"}};
}

std::string to_json(const DiscoverSummary& summary) {
  return fields_json(fields_of(to_write(summary))) + "\n";
}

}  // namespace twinset
