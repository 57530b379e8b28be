// What a run over a collection will find and cost, before it is run: all documents
// are read once, a sample of their keys is kept, nothing is written.
//
//   PlanOptions options;
//   options.inputs = {"crawl.jsonl.zst"};
//   Result<Plan> seen = plan(options, RunControl{});
//   seen.value().removed.value;                     // about so many would go
//
// A sample of keys, not of documents: of near copies each share p of the documents
// holds p squared. A small collection is the whole of its sample, and then all is
// counted but what rests on sketches, where the run asks the texts: those numbers have
// intervals. A number that the sample does not tell is not predictable, and says so.
//
// Threads: each call works in a folder of its own, and uses resources.threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/collection.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

enum class PlannedRun : std::uint8_t { dedup, cluster };

/// A number predicted, and where it lies with 95 % confidence; only a number that is
/// known has no width.
struct Predicted {
  double value = 0;
  double low = 0;
  double high = 0;
  bool predictable = true;  ///< false: the sample does not tell, and the numbers mean nothing
};

/// The options of the run to predict; an empty scheme is that run's default. Of its
/// resources, memory_bytes and threads are those it would have, and no more is used.
struct PlanOptions : CollectionOptions {
  PlannedRun run = PlannedRun::dedup;
  std::optional<Ratio> resemblance;  ///< nullopt: the run's default
};

/// Pairs of one range of resemblance.
struct PlanBin {
  double from = 0;
  double to = 0;
  std::optional<double> found;  ///< S: share that the scheme brings up; none if it has no plan
  double candidates = 0;        ///< pairs it will bring up
  /// Pairs there are, of large groups those with their first members only; none where
  /// the scheme finds too few to tell.
  std::optional<double> pairs;
};

struct Plan : RunFacts {
  PlannedRun run = PlannedRun::dedup;
  std::uint64_t records = 0;
  std::uint64_t documents = 0;  ///< neither bad nor filtered
  std::uint64_t bad = 0;
  std::uint64_t keys = 0;
  std::string scheme;        ///< full spec
  bool counts_keys = false;  ///< the scheme's; else one shared makes a candidate
  Ratio resemblance{4, 5};
  double key_share = 1;                 ///< of the keys, that all here is from
  double document_share = 1;            ///< of the documents, whose pairs were looked at
  std::uint64_t sampled_documents = 0;  ///< that hold them
  Predicted copies;                     ///< documents folded into an identical or lexical one
  Predicted candidate_pairs;
  Predicted pairs;                     ///< that reach the threshold, by their sketches
  Predicted removed;                   ///< by dedup, copies too
  Predicted clusters;                  ///< as the run makes them: of dedup stars; copies' too
  Predicted clustered_documents;       ///< in clusters
  Predicted groups;                    ///< keys of several documents
  Predicted common_keys;               ///< in more than max_group documents
  Predicted meetings;                  ///< of two documents under a key, which cluster counts
  bool estimates = true;               ///< false: the sketches do not tell pairs from candidates
  std::vector<PlanBin> bins;           ///< by resemblance, ascending
  std::uint64_t budget = 0;            ///< bytes of memory it was given, or took
  std::uint64_t least_memory = 0;      ///< bytes that do
  std::uint64_t unspilled_memory = 0;  ///< bytes at which rows stay in memory
  double peak_memory = 0;              ///< bytes of the run, with the memory it was given
  double spilled = 0;                  ///< bytes
  std::vector<StageTime> costs;        ///< by stage, read first
  double total_seconds() const;
  /// Every key and every document's pairs were looked at; what rests on sketches is estimated.
  bool counted() const { return key_share == 1 && document_share == 1; }
};

/// Errors: as dedup(); usage if no document has a token.
Result<Plan> plan(const PlanOptions& options, const RunControl& control);

/// For a terminal, and as a JSON object.
std::string plan_text(const Plan& plan);
std::string plan_json(const Plan& plan);

}  // namespace twinset
