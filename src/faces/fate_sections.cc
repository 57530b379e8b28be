#include "faces/fate_sections.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "words/numbers.h"

namespace twinset {

Section totals_section(const DedupSummary& summary) {
  const Counts& all = summary.total;
  Section section{.name = "totals"};
  std::string read = format_count(summary.files.size(), "file", "files");
  if (summary.text_bytes > 0) read += ", " + format_bytes(summary.text_bytes) + " of text";
  section.numbers = {
      {"Read", Value::count(all.read), std::move(read)},
      {"Kept", Value::count(all.kept), format_percent(all.kept, all.read)},
      {"Removed", Value::count(all.removed()), format_percent(all.removed(), all.read)},
      {"Clusters", Value::count(summary.clusters), "a survivor and its removed records"},
      {"Set aside", Value::count(all.filtered + all.quarantined),
       format_count(all.filtered) + " filtered, " + format_count(all.quarantined) +
           " quarantined"}};
  section.parts = {{"kept", Fate::kept, all.kept},
                   {"identical", Fate::identical, all.identical},
                   {"lexical", Fate::lexical, all.lexical},
                   {"near", Fate::near, all.near},
                   {"contained", Fate::contained, all.contained},
                   {"filtered", Fate::filtered, all.filtered},
                   {"quarantined", Fate::bad, all.quarantined},
                   {"carried", Fate::carried, all.carried}};
  return section;
}

Section files_section(const DedupSummary& summary,
                      const std::function<std::string(std::string_view file)>& name_of) {
  Section section{.name = "files", .title = "Files"};
  std::vector<const FileCounts*> shown;
  for (const FileCounts& file : summary.files) shown.push_back(&file);
  section.lead = "Every record read is kept, removed, filtered or quarantined.";
  if (shown.size() > most_listed_files) {
    std::stable_sort(shown.begin(), shown.end(), [](const FileCounts* a, const FileCounts* b) {
      return a->counts.removed() > b->counts.removed();
    });
    section.lead = "The " + format_count(most_listed_files) + " of " + format_count(shown.size()) +
                   " files that lost most; all are in summary.json.";
    shown.resize(most_listed_files);
  }
  Table table{{"file", "read", "kept", "removed", "identical", "lexical", "near", "contained",
               "filtered", "quarantined"},
              {}};
  const bool carries = summary.total.carried > 0;
  if (carries) table.columns.emplace_back("carried");
  for (const FileCounts* file : shown) {
    const Counts& counts = file->counts;
    std::vector<Value>& row = table.rows.emplace_back();
    row = {Value::text(name_of(file->file) + (file->reference ? " (reference)" : "")),
           Value::count(counts.read), Value::count(counts.kept),
           Value::percent(counts.removed(), counts.read)};
    for (const std::uint64_t count : {counts.identical, counts.lexical, counts.near,
                                      counts.contained, counts.filtered, counts.quarantined}) {
      row.push_back(Value::count(count));
    }
    if (carries) row.push_back(Value::count(counts.carried));
  }
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace twinset
