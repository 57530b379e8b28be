// Clusters of a collection: the documents that resemble each other, at any threshold. None
// is removed (B section 4).
//
//   ClusterOptions options;
//   options.inputs = {"crawl.jsonl.zst"};
//   options.output = "clusters";
//   Result<ClusterSummary> done = cluster(options, RunControl{});
//
// Pairs are found by counting the keys that two documents share: below about 0.7 bands miss
// pairs, and counting does not. Then the texts decide, so every pair is exact. The pairs are
// kept, and recut() makes the clusters of another threshold without reading the inputs.
// With `check` sketch the counts decide, and some pairs are wrong. A scheme whose keys only
// name candidates clusters its candidates.
//
// Threads: one call at a time per output folder; a call uses resources.threads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/collection.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/run.h"
#include "twinset/scheme.h"

namespace twinset {

struct Field;

/// How pairs become clusters.
enum class ClusterShape : std::uint8_t {
  components,  ///< all connected documents (B 4.1): a chain of versions is one cluster
  stars        ///< each member reaches the threshold with the representative itself
};

/// The copies of a document that it stands for, so that only one of them is compared (B 5.2).
enum class Folding : std::uint8_t {
  words,    ///< of equal bytes or equal tokens
  shingles  ///< also those of the same set of shingles: of the sampled ones if samples decide
};

/// The only input may be the folder of an index (twinset/index.h): then what it holds decides, its
/// texts if it has them, and nothing else is read. Its settings say how texts are analyzed, and
/// `scheme` names one of its own; options that need the inputs are refused.
///
/// If a scheme joins signatures by distance, the distance decides, unless `check` is exact: then
/// the texts must reach the resemblance, too.
/// An empty scheme means mod(samples=64), or with containment mod(modulus=16). Beside a scheme
/// that joins by one key, such as fss, containment is counted by mod(modulus=16). If a scheme's
/// keys do not count, documents that share one key are candidates (B 5.3).
struct ClusterOptions : CollectionOptions {
  std::string output;  ///< folder to make; missing, or empty
  std::string report;  ///< HTML page to make, with its facts as .json; empty: none
  /// nullopt: exact, or sketch if the scheme's sketches tell a distance or a coordinate. Counted
  /// pairs four standard errors below the floor are not read.
  std::optional<Check> verify;
  Ratio resemblance{1, 2};
  /// Also joins two documents if one contains this share of the other.
  std::optional<Ratio> containment;
  ClusterShape shape = ClusterShape::components;
  Folding fold = Folding::words;
  /// Of stars: the document that leads one, as DedupOptions::keep, in place of the first.
  std::string lead;
  /// Keeps pairs of at least this resemblance for recut(); nullopt: the threshold. 0 keeps
  /// every counted pair and needs a `check`.
  std::optional<Ratio> floor;
  /// Of an index: a folder that cluster() made of it before. Its pairs are taken over, and those of
  /// the documents that were added since are looked for.
  std::string earlier;
  /// Of a scheme that joins by distance: also writes the neighbors of each document, all of those
  /// whose signatures are within the distance of its own. They make a star that it leads.
  bool neighbors = false;
  /// Also judges each pair by what is left of its two texts without templates, which are learned as
  /// for Templates::drop. Pairs and clusters are those of the whole texts. A pair that reaches the
  /// thresholds, and whose rests do not, is a template pair.
  bool mark_templates = false;
  /// Refuses to count if documents would meet more often than this under their keys.
  std::uint64_t max_meetings = 100'000'000'000;
  std::string shard;                ///< as DedupOptions::shard
  std::vector<std::string> shards;  ///< as DedupOptions::shards
};

std::vector<Option> options_of(ClusterOptions& options);

/// Clusters of one kind, and the documents in them.
struct ClusterCounts {
  std::uint64_t clusters = 0;
  std::uint64_t documents = 0;
};

struct CommonShingle {
  std::uint64_t documents = 0;
  std::string sample_id;  ///< id of the first document that has it, a JSON value
  std::string text;       ///< its words there
};

/// Random edges that estimates decided, compared by their texts.
struct CheckedEdges {
  std::uint64_t checked = 0;
  std::uint64_t wrong = 0;  ///< below the thresholds by their texts
  Interval share;           ///< wrong ones among all edges
};

/// The documents whose signatures differ in at most so many bits.
struct DistanceCounts {
  std::uint32_t distance = 0;
  std::uint64_t pairs = 0;      ///< all of them, those of copies included
  std::uint64_t clusters = 0;   ///< of the run's shape
  std::uint64_t documents = 0;  ///< in these
  /// The mean number of documents near a document, itself included, over the documents that are
  /// near another one at the largest distance: each leads a cluster of its own (papers/003, 6.2).
  double mean_size = 0;
  double mean_size_without_self = 0;
};

struct ClusterSummary : RunFacts {
  std::string shard;  ///< ClusterOptions::shard; then only the facts of what was read are set
  std::uint64_t identical = 0;  ///< copies folded before anything is counted
  std::uint64_t lexical = 0;
  std::uint64_t shingles = 0;              ///< copies by their set of shingles alone
  std::optional<TemplateFacts> templates;  ///< if they were left out, or learned to mark pairs
  /// With `mark_templates`: of `edges` those that are alike for their templates' sake.
  std::optional<std::uint64_t> template_pairs;
  std::string scheme;       ///< full spec
  Ratio resemblance{1, 2};  ///< the threshold, which a profile may have set
  Check check = Check::exact;
  /// Documents that cannot be compared, because most of their keys are common or they have
  /// none. Copies need no keys and are not included.
  std::uint64_t mostly_common = 0;
  std::uint64_t without_keys = 0;
  /// Pairs left out with `containment`: similar by their counts, but with fewer than least_keys
  /// keys.
  std::uint64_t too_few_keys = 0;
  std::uint32_t least_keys = 1;
  std::optional<CheckedEdges> checked_edges;  ///< with `check` sketch, if there are edges
  /// With `containment`: the share of the pairs at the resemblance that have no common key.
  std::optional<Interval> unseen_pairs;
  bool counts_keys = true;           ///< false: one shared key makes a candidate
  Tells tells = Tells::resemblance;  ///< what the sketches tell, if they decide
  /// By distance, from 0 to the run's, if distances decide.
  std::vector<DistanceCounts> distances;
  std::string plan;                 ///< the pairs that candidates find, in words; empty if unknown
  bool tells_containment = false;   ///< by the counts: recut() may ask for it
  std::uint64_t lines = 0;          ///< of all inputs, blank ones too
  std::uint64_t keys = 0;           ///< rows <key, document>, without copies
  std::uint64_t groups = 0;         ///< keys of several documents
  std::uint64_t common_keys = 0;    ///< cut, in more than max_group documents
  std::uint64_t meetings = 0;       ///< of two documents under a key
  std::uint64_t counted_pairs = 0;  ///< whose keys were added up
  std::uint64_t candidate_pairs = 0;  ///< that share a key, where keys do not count
  std::uint64_t verified_pairs = 0;   ///< compared by their texts
  std::uint64_t verified_texts = 0;   ///< documents of these
  std::uint64_t kept_pairs = 0;       ///< that reach the floor
  std::uint64_t edges = 0;            ///< that reach the threshold
  ClusterCounts all;
  ClusterCounts identical_only;       ///< clusters of nothing but copies of one text
  std::uint64_t largest = 0;          ///< documents of the largest cluster
  std::vector<std::uint64_t> sizes;   ///< [i]: clusters of 2^i to 2^(i+1) - 1 documents
  std::vector<CommonShingle> common;  ///< the most common ones that were cut, at most 100
};
/// What summary.json holds, without the options (twinset/field.h).
std::vector<Field> fields_of(ClusterSummary& summary);

/// A document of a cluster of two or more.
struct ClusterMember {
  std::uint64_t cluster = 0;     ///< from 0, in input order of the representatives
  NamedDocument representative;  ///< the first of them
  NamedDocument member;          ///< another one
};

/// Takes results one by one, cluster by cluster. A Status that is not ok ends the run as its error.
struct ClusterResults {
  std::function<Status(const ClusterMember&)> member;
};

/// Runs the job. Errors: as dedup(); usage also if counting would take more than
/// max_meetings, with the option to change.
Result<ClusterSummary> cluster(const ClusterOptions& options, const RunControl& control,
                               const ClusterResults& results = {});

/// Sets the parameters of a paper's own system. "broder97" is the only one: shingles of 10
/// words, 1 in 25 kept, 40 bits, 50 %, a thousand documents a shingle, every pair kept, and
/// judged by estimates unless options.verify says otherwise.
/// Error (usage) for another name.
Status use_paper(std::string_view paper, ClusterOptions& options);

struct RecutOptions {
  std::string from;                  ///< a folder that cluster() made
  std::string output;                ///< folder to make; empty: count only
  std::optional<Ratio> resemblance;  ///< nullopt: as before
  std::optional<std::uint64_t> distance;
  std::optional<Ratio> containment;
  std::optional<ClusterShape> shape;
  std::string command;  ///< as typed, for the summary
  Resources resources;
};

std::vector<Option> options_of(RecutOptions& options);

/// Makes the clusters of another threshold from the pairs kept (B 6.1): the same that
/// cluster() would make. Errors: usage (no such folder; a threshold below the floor), io.
Result<ClusterSummary> recut(const RecutOptions& options, const RunControl& control);

/// The counts of either, for a terminal; `verbose`: how cluster found the pairs, too.
std::string to_text(const ClusterSummary& summary, bool verbose = false);

}  // namespace twinset
