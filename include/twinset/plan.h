// Predicts the result and the cost of a run: reads all documents once, keeps a sample of
// their keys, and writes nothing.
//
//   PlanOptions options;
//   options.inputs = {"crawl.jsonl.zst"};
//   Result<Plan> seen = plan(options, RunControl{});
//   seen.value().removed.value;                     // about so many would go
//
// Keys are sampled, not documents: a share p of the documents has only p squared of the
// pairs. A small collection is sampled whole, and its numbers are counts, except those that
// depend on sketches, where the run reads the texts: these have intervals. A number that
// the sample cannot tell is marked as not predictable.
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

struct Field;

enum class PlannedRun : std::uint8_t { dedup, cluster };

/// A predicted number with its 95 % interval; the interval of an exact number has no width.
struct Predicted {
  double value = 0;
  double low = 0;
  double high = 0;
  bool predictable = true;  ///< false: the sample cannot tell; ignore the numbers
};

/// The options of the run to predict; an empty scheme means that run's default. plan() uses
/// no more than the memory and threads of the run.
struct PlanOptions : ReadingOptions, ComparisonOptions {
  std::uint64_t min_tokens = 0;   ///< leaves out shorter documents
  std::uint64_t exact_below = 0;  ///< as CollectionOptions::exact_below
  std::string within;             ///< as CollectionOptions::within
  PlannedRun run = PlannedRun::dedup;
  std::optional<Ratio> resemblance;  ///< nullopt: the run's default
  std::string cluster;               ///< "100x16": so many machines of so many cores; empty: none
  std::uint64_t documents = 0;       ///< of the run on these, all like those read; 0: those read
};

std::vector<Option> options_of(PlanOptions& options);

/// Pairs of one range of resemblance.
struct PlanBin {
  double from = 0;
  double to = 0;
  std::optional<double> found;  ///< S: the share that the scheme finds; none if it has no plan
  double candidates = 0;        ///< pairs it will find
  /// Pairs of the collection (in large groups only those with the first members); none if
  /// the scheme finds too few to tell.
  std::optional<double> pairs;
};

/// The join of signatures that decides or proposes the pairs of a run. All follows from the
/// signatures, which are sampled if memory does not hold them.
struct PlannedJoin {
  std::uint64_t distance = 0;  ///< bits
  double signatures = 0;       ///< different ones, of the documents that are no copies
  std::uint64_t tables = 0;    ///< in which the signatures are grouped, one after the other
  double comparisons = 0;      ///< of two signatures, in all tables
  bool refused = false;        ///< they are more than the run's default for max_meetings
  double cpu_seconds = 0;      ///< of the join alone
};

/// A stage of a run on many machines.
struct PlannedStage {
  std::string stage;           ///< of the shards: read; of the merge: take over, then as in costs
  std::uint64_t machines = 1;  ///< that work at it
  double seconds = 0;          ///< of the machine that takes longest, with nothing else on it
  double cpu_seconds = 0;      ///< of all of them
  double moved_bytes = 0;      ///< rows that come from other machines
  double input_bytes = 0;      ///< as stored, read by all of them, wherever the inputs are
  double memory_bytes = 0;     ///< the peak of one machine
};

/// The run in shards, one a machine, which one of the machines merges.
struct PlannedCluster {
  std::uint64_t machines = 0;
  std::uint64_t cores = 0;         ///< of each machine; as many as its memory has room for
  std::uint64_t documents = 0;     ///< of the run
  std::uint64_t least_memory = 0;  ///< bytes that are enough for the merging machine
  std::vector<PlannedStage> stages;
};

struct Plan : RunFacts {
  PlannedRun run = PlannedRun::dedup;
  std::uint64_t keys = 0;
  std::string scheme;        ///< full spec
  bool counts_keys = false;  ///< false: one shared key makes a candidate
  Ratio resemblance{4, 5};
  double key_share = 1;                 ///< share of the keys that were sampled
  double document_share = 1;            ///< share of the documents whose pairs were looked at
  std::uint64_t sampled_documents = 0;  ///< with a sampled key
  Predicted copies;                     ///< documents folded into an identical or lexical one
  Predicted candidate_pairs;
  Predicted pairs;                     ///< that reach the threshold, by their sketches
  Predicted removed;                   ///< by dedup, copies too
  Predicted clusters;                  ///< as the run makes them (dedup: stars), also of copies
  Predicted clustered_documents;       ///< in clusters
  Predicted groups;                    ///< keys of several documents
  Predicted common_keys;               ///< in more than max_group documents
  Predicted meetings;                  ///< of two documents under a key, which cluster counts
  bool estimates = true;               ///< false: the sketches do not tell pairs from candidates
  std::vector<PlanBin> bins;           ///< by resemblance, ascending
  std::optional<PlannedJoin> join;     ///< of a scheme that joins by distance
  std::uint64_t budget = 0;            ///< bytes of memory that the run would have
  std::uint64_t least_memory = 0;      ///< bytes that are enough
  std::uint64_t unspilled_memory = 0;  ///< bytes at which rows stay in memory
  double peak_memory = 0;              ///< bytes of the run, with the memory it was given
  double spilled = 0;                  ///< bytes
  std::vector<StageTime> costs;        ///< by stage, read first
  std::optional<PlannedCluster> cluster;
  double total_seconds() const;
  /// True if all keys and the pairs of all documents were looked at. Sketches remain estimates.
  bool counted() const { return key_share == 1 && document_share == 1; }
};

/// What JSON holds (twinset/field.h).
std::vector<Field> fields_of(Predicted& predicted);
std::vector<Field> fields_of(PlanBin& bin);
std::vector<Field> fields_of(PlannedJoin& join);
std::vector<Field> fields_of(PlannedStage& stage);
std::vector<Field> fields_of(PlannedCluster& cluster);
std::vector<Field> fields_of(Plan& plan);

/// Errors: as dedup(); usage if no document has a token.
Result<Plan> plan(const PlanOptions& options, const RunControl& control);

/// For a terminal, and as a JSON object.
std::string to_text(const Plan& plan);
std::string to_json(const Plan& plan);

}  // namespace twinset
