// The parts of a report that every verb over a collection has: names and first words of the
// documents, pairs side by side, the facts of the run; and the two files, report.json and the page
// that is drawn from it.
//
//   RunReport report(job, records, documents, {{resemblance, containment}, "A", "B"});
//   report.facts.title = "Clusters";
//   report.facts.sections.push_back({.name = "largest", .list = ...});   // documents by index
//   item.links = {report.show(pair, "weakest pair")};
//   Result<ReportFiles> files = report.finish(summary, rules);
//
// Documents are given by their dense index alone; finish() reads their names and texts. If an
// input has changed since the run found it, by size or time, the page says so and does not show
// its texts. That is not an Error.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "collection/output_files.h"
#include "faces/facts.h"
#include "join/threshold.h"
#include "run/job.h"
#include "run/names.h"
#include "run/pair_collector.h"
#include "run/record_files.h"
#include "run/texts.h"
#include "twinset/pair.h"
#include "twinset/result.h"
#include "twinset/run.h"
#include "words/left_out.h"

namespace twinset {

/// How a verb speaks of its pairs: the thresholds, and the roles of the earlier and the later
/// document.
struct PairTerms {
  Threshold thresholds;
  std::string earlier;
  std::string later;
  /// If not 0, pairs are compared by runs of so many words, in place of the run's shingles.
  unsigned run_tokens = 0;
};

/// Fills the head of a report: what was run, when, by which version, and its warnings.
void fill_head(ReportFacts& facts, std::string_view output, std::string_view command,
               const RunFacts& run);
/// The time and the memory of a run.
Fact time_of(const RunFacts& run);
Fact memory_of(const RunFacts& run);

/// Both files of a report, the page drawn from report.json alone. Error (io): the facts cannot be
/// read back.
Result<ReportFiles> drawn_report(ReportFacts facts);

class RunReport {
 public:
  RunReport(const Job& job, const RecordFiles& records, const DocumentTable& documents,
            PairTerms terms);

  ReportFacts facts;

  /// Adds a pair to those shown side by side, once. `tag` is the reason to show it.
  Anchor show(const SeenPair& pair, std::string tag);

  /// Adds a cluster to a treemap, with the name of its first document: its id, or "file:record".
  Status add_tile(std::vector<Tile>& tiles, std::uint64_t first, std::uint64_t documents);

  /// Adds the list of the oddest pairs, if there are any.
  void add_suspicious(const PairCollector& pairs, std::string lead);

  /// Adds the section of pairs and that of the run, with `rules`, the verb's own facts. Then reads
  /// the names and texts to show.
  Result<ReportFiles> finish(const RunFacts& run, std::vector<Fact> rules);

  Value share(double resemblance) const {
    return Value::share(resemblance, terms_.thresholds.resemblance.value());
  }
  Value containment(double share) const;
  /// "resemblance 0.500 or more, or containment 0.900 or more"
  std::string threshold_text() const;
  /// The name of an input in the report.
  std::string file_name(std::string_view shown) const;

 private:
  std::optional<Fact> fact_of(const Link& link) const;
  void describe_run(const RunFacts& run, std::vector<Fact> rules);
  Status name(ReportDocument& document);
  Result<std::string> extract();
  Status read_text(std::uint64_t index, std::string& out, TokenRanges& left_out);
  Status read_words(ReportDocument& document);
  Status read_pair(const SeenPair& seen, ShownPair& shown);
  std::vector<Fact> numbers_of(const Passages& found) const;

  const Job& job_;
  const DocumentTable& documents_;
  PairTerms terms_;
  Names names_;
  DocumentName name_;
  Texts texts_;
  std::size_t folder_bytes_ = 0;  ///< length of the folder that all inputs' names begin with
  std::string unread_;            ///< why no text of a compressed input can be shown
  std::vector<SeenPair> seen_;    ///< of shown_
  std::vector<ShownPair> shown_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> numbers_;
};

}  // namespace twinset
