#include "detect/detect_fields.h"

#include "detect/share_sums.h"
#include "io/field_json.h"
#include "run/run_fields.h"

namespace twinset {
namespace {

std::vector<Field> count_fields(DetectSummary& summary) {
  return {
      {"read", &summary.read, Unit::count, "records"},
      {"quarantined", &summary.quarantined, Unit::count, "... that could not be read"},
      {"pages", &summary.pages, Unit::count, "pages that were looked at"},
      {"recursion_errors", &summary.recursion_errors, Unit::count, "pages left out for their URLs"},
      {"chunks", &summary.chunks, Unit::count, "chunks of the pages"},
      {"short_chunks", &summary.short_chunks, Unit::count,
       "chunks left out because they are short"},
      {"stop_chunks", &summary.stop_chunks, Unit::count,
       "chunks left out because they are in the file of stop chunks"},
      {"labeled_chunks", &summary.labeled_chunks, Unit::count, "chunks that are labels"},
      {"labeled_pages", &summary.labeled_pages, Unit::count, "pages that hold one"},
      {"labeled_files", &summary.labeled_files, Unit::count, "pages that are one as a whole"},
      {"neighborhoods", &summary.neighborhoods, Unit::count,
       "lines of [`neighborhoods.jsonl.zst`](detect.md)"},
      {"labels", &summary.labels, Unit::count, "labels in the file"}};
}

/// A word that is always the same.
Computed word(std::string_view name) {
  return {[name] { return std::string(name); }};
}

std::vector<Field> neighborhood_fields(DetectedNeighborhood& of, bool with_sum) {
  const auto badness = [&of](Badness by) { return Computed{[&of, by] { return of.badness(by); }}; };
  return {{"prefix", &of.prefix, Unit::text, "host and folder; ends in `/`"},
          {"pages", &of.pages, Unit::count, "pages below it"},
          {"labeled_pages", &of.labeled_pages, Unit::count, "pages that hold a label"},
          {"chunks", &of.chunks, Unit::count, "chunks of its pages"},
          {"labeled", &of.labeled, Unit::count, "chunks that are labels"},
          {"badness", badness(Badness::chunks), Unit::share, "`labeled` / `chunks`"},
          {"badness_pages", badness(Badness::pages), Unit::share,
           "the mean of `contains` over `pages`"},
          shown_if(with_sum, {"contains_sum", &of.contains_sum, Unit::count,
                              "the sum of `contains` over `pages`, each rounded down to units of "
                              "2^-32: what a merge adds up"}),
          {"bad", &of.bad, Unit::text,
           "whether the badness that `--badness` chose is above the threshold"},
          {"labeled <= chunks", FieldRule{[&of] { return of.labeled <= of.chunks; }}},
          {"labeled_pages <= pages", FieldRule{[&of] { return of.labeled_pages <= of.pages; }}}};
}

}  // namespace

std::string_view badness_name(Badness badness) {
  return badness == Badness::chunks ? "chunks" : "pages";
}

std::vector<Field> page_line_fields(DetectedPage& page) {
  return {{"url", &page.url, Unit::text,
           "as its record has it; else the file, with `:RECORD` if that has many"},
          {"file", &page.file, Unit::text, "its file, as you would write it"},
          {"record", &page.record, Unit::count, "its number in the file"},
          {"chunks", &page.chunks, Unit::count, "its chunks, without short ones and stop chunks"},
          {"labeled", &page.labeled, Unit::count, "chunks that are labels"},
          {"contains", Computed{[&page] { return page.contains(); }}, Unit::share,
           "`labeled` / `chunks`, with 6 decimals; 0 of no chunks"},
          {"file_label", &page.file_labeled, Unit::text, "whether the whole page is a label"},
          {"bad", &page.bad, Unit::text, "whether its share is above the threshold of pages"},
          {"labeled <= chunks", FieldRule{[&page] { return page.labeled <= page.chunks; }}}};
}

std::vector<Field> fields_of(DetectedPage& page) {
  std::vector<Field> fields = {{"kind", word("page"), Unit::text, "the kind of the line"}};
  add_fields(fields, page_line_fields(page));
  return fields;
}

std::vector<Field> fields_of(DetectedNeighborhood& neighborhood) {
  std::vector<Field> fields = {{"kind", word("neighborhood"), Unit::text, "the kind of the line"}};
  add_fields(fields, neighborhood_fields(neighborhood, false));
  return fields;
}

std::vector<Field> neighborhood_line_fields(DetectedNeighborhood& neighborhood) {
  return neighborhood_fields(neighborhood, true);
}

std::vector<Field> totals_fields(DetectSummary& summary, Badness by) {
  DetectThreshold& page = summary.page_threshold;
  DetectThreshold& neighborhood = summary.neighborhood_threshold;
  return {{"kind", word("totals"), Unit::text},
          {"pages", &summary.pages},
          {"labeled_pages", &summary.labeled_pages},
          {"bad_pages", &page.bad},
          {"page_threshold", Real{&page.threshold}, Unit::share},
          {"neighborhoods", &summary.neighborhoods},
          {"bad_neighborhoods", &neighborhood.bad},
          {"neighborhood_threshold", Real{&neighborhood.threshold}, Unit::share},
          {"badness", word(badness_name(by)), Unit::text},
          {"chunks", &summary.chunks},
          {"labeled_chunks", &summary.labeled_chunks},
          {"labels", &summary.labels},
          {"quarantined", &summary.quarantined},
          {"recursion_errors", &summary.recursion_errors},
          {"expected_false_labels", Real{&summary.expected_false_labels, Real::Digits::two}}};
}

std::vector<Field> fields_of(DetectThreshold& threshold) {
  return {
      {"of", &threshold.of, Unit::count, "how many of them have chunks"},
      {"mean", Real{&threshold.mean}, Unit::share, "mean of their shares"},
      {"deviation", Real{&threshold.deviation}, Unit::share, "standard deviation of these"},
      {"threshold", Real{&threshold.threshold}, Unit::share, "the share above which one is bad"},
      {"bad", &threshold.bad, Unit::count, "how many are above it"}};
}

std::vector<Field> fields_of(DetectSummary& summary) {
  std::vector<Field> fields = count_fields(summary);
  add_fields(
      fields,
      {{"badness",
        Choice(&summary.badness, {badness_name(Badness::chunks), badness_name(Badness::pages)}),
        Unit::text, "`chunks` or `pages`: `--badness`"},
       {"page_threshold", Nested(&summary.page_threshold), Unit::share,
        "the threshold of pages, and what it is made of"},
       {"neighborhood_threshold", Nested(&summary.neighborhood_threshold), Unit::share,
        "likewise of neighborhoods"},
       {"by_contains", &summary.by_contains, Unit::count,
        "pages that have chunks, by twentieths of their share; the 21st number is of those whose "
        "share is 1"},
       {"by_badness", &summary.by_badness, Unit::count, "neighborhoods likewise"},
       {"expected_false_labels", Real{&summary.expected_false_labels, Real::Digits::two},
        Unit::count, "chunks that a label is expected to name wrongly"},
       {"rules", &summary.rules, Unit::code, "how the chunks were cut and hashed"},
       {"labels_hash", &summary.labels_hash, Unit::code,
        "hash of the content of the file of labels"},
       {"stop_hash", &summary.stop_hash, Unit::code,
        "likewise of the file of stop chunks; empty if there is none"},
       {"page_threshold.of <= pages",
        FieldRule{[&summary] { return summary.page_threshold.of <= summary.pages; }}},
       {"labeled_chunks <= chunks",
        FieldRule{[&summary] { return summary.labeled_chunks <= summary.chunks; }}},
       {"labels_hash and rules are not empty",
        FieldRule{[&summary] { return !summary.labels_hash.empty() && !summary.rules.empty(); }}}});
  add_fields(fields, trouble_fields(summary));
  fields.push_back(inputs_field(summary));
  fields.push_back(run_field(summary));
  return fields;
}

std::string to_json(const DetectSummary& summary, Badness by) {
  std::string out;
  const auto add = [&out](const std::vector<Field>& fields) { out += fields_json(fields) + '\n'; };
  for (const DetectedPage& page : summary.top_pages) add(fields_of(to_write(page)));
  for (const DetectedNeighborhood& each : summary.top_neighborhoods) {
    add(fields_of(to_write(each)));
  }
  add(totals_fields(to_write(summary), by));
  return out;
}

std::uint64_t DetectedNeighborhood::units(Badness by) const {
  if (by == Badness::chunks) return share_units(labeled, chunks);
  return pages == 0 ? 0 : contains_sum / pages;
}

double DetectedNeighborhood::badness(Badness by) const {
  if (by == Badness::chunks) {
    return chunks == 0 ? 0 : static_cast<double>(labeled) / static_cast<double>(chunks);
  }
  if (pages == 0) return 0;
  return static_cast<double>(contains_sum) / static_cast<double>(pages) * share_of_units(1);
}

}  // namespace twinset
