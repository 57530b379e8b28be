// The fields of versions, pages and their counts; this file's interface is their fields_of().
#include "io/field_json.h"
#include "run/run_fields.h"
#include "twinset/field.h"
#include "twinset/index.h"

namespace twinset {
namespace {

/// part / whole; null of nothing.
Computed share_of(std::function<std::pair<double, double>()> parts) {
  return {[parts = std::move(parts)]() -> Computed::Value {
    const auto [part, whole] = parts();
    return whole > 0 ? std::optional<double>(part / whole) : std::nullopt;
  }};
}

}  // namespace

std::vector<Field> fields_of(TrackedVersion& version) {
  return {
      {"date", &version.date, Unit::text, "as its record has it"},
      {"id",
       JsonForm{[&version] { return version.id; },
                [&version](std::string_view json) -> Status {
                  version.id = json;
                  return {};
                }},
       Unit::code, "its id; `file:record` if its record has none"},
      {"hash", checksum_form(version.hash), Unit::code, "XXH3-64 of the bytes of its text"},
      if_set({"resemblance", &version.resemblance, Unit::share, "to the version before it"}),
      if_set({"containment", &version.containment, Unit::share,
              "of the version before it in this one"}),
      if_set({"distance", &version.distance, Unit::count, "bits in which their signatures differ"}),
      if_set({"kind", Choice(&version.kind, {"same", "small", "large", "broken", "back"}),
              Unit::text,
              "`same`: equal words; `small`, `large`: by the distance; `broken`: unlike the "
              "page, which is `back` later; the first version has none"})};
}

std::vector<Field> fields_of(TrackedPage& page) {
  return {
      {"url", &page.url, Unit::text, "in [canonical form](../urls.md); as it is if it is no URL"},
      {"part", &page.part, Unit::count, "1; a page of many versions has several lines"},
      {"versions", NestedList(&page.versions), Unit::count, "by date"},
      if_set({"moved_to", &page.moved_to, Unit::text, "the URL where its content went"}),
      if_set({"moved_from", &page.moved_from, Unit::text, "the URL whence it came"}),
      {"born", &page.born, Unit::text,
       "it was first seen after the first day, and did not move there"},
      {"gone", &page.gone, Unit::text, "it was not seen in the last sweep, and did not move"},
      if_set({"recrawl_days", &page.recrawl_days, Unit::count,
              "when to read it again: the days between the last two versions, half as many "
              "after three changes, twice as many after three versions of one signature"})};
}

std::vector<Field> fields_of(TrackCounts& counts) {
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  const auto mean = [&counts, number](const double& sum) {
    return share_of([&counts, &sum, number] { return std::pair(sum, number(counts.changed())); });
  };
  const auto of_chances = [&counts, number](std::uint64_t TrackCounts::*part) {
    return share_of([&counts, part, number] {
      return std::pair(number(counts.*part), number(counts.chances()));
    });
  };
  return {
      {"pages", &counts.pages, Unit::count, "URLs"},
      {"versions", &counts.versions, Unit::count, "documents"},
      {"same", &counts.same, Unit::count, "versions of equal words"},
      {"bytes_only", &counts.bytes_only, Unit::count, "... of other bytes"},
      {"small", &counts.small, Unit::count, "changes within the distance, unimportant by weight"},
      {"small_of_much", &counts.small_of_much, Unit::count,
       "... of more than a tenth of the shingles"},
      {"large", &counts.large, Unit::count, "changes beyond it, important by weight"},
      {"large_of_little", &counts.large_of_little, Unit::count,
       "... of at most a tenth of the shingles"},
      {"broken", &counts.broken, Unit::count, "versions unlike their pages"},
      {"back", &counts.back, Unit::count, "versions like their pages again"},
      {"changed", share_of([&counts, number] {
         return std::pair(number(counts.changed()), number(counts.changed() + counts.same));
       }),
       Unit::share, "the share of versions that are small or large changes; without broken ones"},
      {"days_between_changes",
       share_of([&counts, number] { return std::pair(counts.days, number(counts.changed())); }),
       Unit::count, "of a page, on average"},
      {"resemblance", mean(counts.resemblance), Unit::share, "mean over small and large changes"},
      {"containment", mean(counts.containment), Unit::share,
       "likewise, of the version before in the changed one"},
      {"distance", mean(counts.distance), Unit::count, "likewise, in bits"},
      {"moved_within", &counts.moved_within, Unit::count, "pages that moved within their host"},
      {"moved_between", &counts.moved_between, Unit::count, "pages that moved to another host"},
      {"born", &counts.born, Unit::count, "pages first seen after the first day"},
      {"died", &counts.died, Unit::count, "pages that are gone"},
      {"moves_within", of_chances(&TrackCounts::moved_within), Unit::share,
       "`moved_within` by chances: from a version to the next sweep a page stays, moves or dies"},
      {"moves_between", of_chances(&TrackCounts::moved_between), Unit::share, "likewise"},
      {"births", of_chances(&TrackCounts::born), Unit::share, "likewise"},
      {"deaths", of_chances(&TrackCounts::died), Unit::share, "likewise"},
      {"lifetime_days", share_of([&counts, number] {
         const double survived = number(counts.compared());
         const double chances = number(counts.chances());
         return std::pair(survived > 0 ? counts.days * chances / survived : 0, number(counts.died));
       }),
       Unit::count, "of a page, expected by the share of deaths"}};
}

std::vector<Field> fields_of(TrackedHost& host) {
  std::vector<Field> fields{{"host", &host.host, Unit::text, "of its pages' URLs"}};
  add_fields(fields, fields_of(host.counts));
  return fields;
}

std::vector<Field> fields_of(TrackedMonth& month) {
  return {{"month", &month.month, Unit::text, "`2026-05`"},
          {"versions", &month.versions, Unit::count, "documents of the month"},
          {"changed", &month.changed, Unit::count, "... that are small or large changes"},
          {"born", &month.born, Unit::count, "pages that were first seen in it"},
          {"gone", &month.gone, Unit::count, "pages that were last seen in it"}};
}

std::vector<Field> fields_of(TrackSummary& summary) {
  std::vector<Field> fields{
      {"read", &summary.read, Unit::count, "records"},
      {"documents", &summary.documents, Unit::count, "... that have a text"},
      {"quarantined", &summary.quarantined, Unit::count, "... that could not be read"},
      {"without_url", &summary.without_url, Unit::count, "documents without a URL, left out"},
      {"without_date", &summary.without_date, Unit::count,
       "documents without a date that can be read, left out"},
      {"counts", Nested(&summary.counts), Unit::count, "of all pages"},
      {"hosts", &summary.hosts, Unit::count, "lines of `hosts.jsonl.zst`"},
      {"scheme", &summary.scheme, Unit::code, "whose signatures have the distance"},
      {"since", &summary.since, Unit::text, "when the last sweep began; empty with `--changes`"},
      {"by_resemblance", &summary.by_resemblance, Unit::count,
       "small and large changes, by twentieths of the resemblance; the last number is of 1"},
      {"by_distance", &summary.by_distance, Unit::count, "likewise, by bits"},
      {"months", NestedList(&summary.months, ListLayout::lines), Unit::count, "by time"},
      {"most_changed", NestedList(&summary.most_changed, ListLayout::lines), Unit::count,
       "hosts with the most changes"},
      {"broken_pages", &summary.broken_pages, Unit::text,
       "the first URLs that broke and came back"}};
  add_fields(fields, trouble_fields(summary));
  fields.push_back(inputs_field(summary));
  fields.push_back(run_field(summary));
  return fields;
}

}  // namespace twinset
