// How well dedup does on your own kind of documents: copies with known edits are planted among
// a sample of a collection, dedup runs on it, and its answer is compared with every pair that is
// truly alike, found exactly. With `schemes`, several schemes are tried beside it, each alone.
//
//   EvaluateOptions options;
//   options.inputs = {"crawl.jsonl.zst"};
//   const Evaluation seen = evaluate(options, RunControl{}).value();
//   const Share recall = seen.methods[0].at[seen.chosen].recall;   // dedup's, at your threshold
//   recall.value();                                                // 0.998, in [recall.low, high]
//   std::fputs(to_text(seen).c_str(), stdout);
//
// A pair of documents is *due* if its exact resemblance reaches a threshold. docs/evaluate.md
// explains each number.
//
// Threads: as dedup(); results are plain values.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/dedup.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/run.h"
#include "twinset/scheme.h"

namespace twinset {

struct Field;

struct DrawnSample;

/// The collection to sample, and the decisions to judge.
struct EvaluateOptions : ReadingOptions, ComparisonOptions, DecisionOptions {
  EvaluateOptions() { scheme = "fss"; }

  std::uint64_t sample_seed = 1;        ///< chooses documents and edits
  std::string schemes;                  ///< "all", or specs with commas between them; empty: none
  std::optional<std::uint64_t> sample;  ///< sample at most so many documents [2,000]
  std::string truth;    ///< the due pairs, "cosine:0.9"; empty: by resemblance at the threshold
  std::string utility;  ///< the label whose documents are queries, "spam"; empty: all are
  std::uint64_t cost = 100;            ///< of a found document with another label, for utility
  std::string labels;                  ///< field of a record's label, nested by dots; empty: none
  std::string labels_file;             ///< or a file of lines {"id": ..., "label": ...}
  bool ignore_unknown_labels = false;  ///< allow ids in labels_file that the inputs lack
  std::string copies_out;  ///< file to make: the planted copies as JSON Lines; empty: none
  /// The columns are what SampleScan left of a collection. Null: they are the collection.
  const DrawnSample* drawn = nullptr;
};

std::vector<Option> options_of(EvaluateOptions& options);

/// A count of a total. The 95 % interval of its share takes each cluster of pairs, or each label,
/// as one observation.
struct Share {
  std::uint64_t count = 0;
  std::uint64_t of = 0;
  double low = 0;
  double high = 1;

  bool known() const { return of > 0; }
  /// In [0, 1]; 0 if the total is 0 (see known()).
  double value() const {
    return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
  }
};

/// One method at one threshold. A run finds a pair for each removal: the removed document and
/// its survivor. It resolves a due pair, which counts as recall, if it does not keep both. A scheme
/// finds a pair by its keys; if keys are counted, also by its estimate. It passes a found pair that
/// its estimate, if it makes one, puts at the threshold or above. The last four members are a
/// scheme's.
struct ThresholdEvaluation {
  std::string spec;         ///< whole, as made for the threshold; empty if it cannot be
  std::string refusal;      ///< why not; empty for a run at a threshold that is not the user's
  std::uint64_t found = 0;  ///< pairs brought up, right or wrong
  Share recall;             ///< due pairs that were found
  Share precision;          ///< found pairs that are due
  std::uint64_t common_keys = 0;  ///< left out, in over max_group documents
  std::uint64_t passed = 0;       ///< found pairs that it passes
  Share passed_recall;
  Share passed_precision;

  bool made() const { return !spec.empty(); }
};

/// The costs of a scheme at the user's threshold. Times are processor time, the least of several
/// repetitions on one thread; only they differ from run to run.
struct SchemeCost {
  double stored_bytes = 0;  ///< a document, on average
  double keys = 0;          ///< a document
  double bytes = 0;         ///< stored bytes, and 8 for each key
  double microseconds = 0;  ///< a document: shingles, sketch and keys
  double megabytes_a_second = 0;
  double join_microseconds = 0;  ///< a document: finding and comparing pairs that share a key
  double candidates = 0;         ///< found pairs a document, which must be verified
  double work_microseconds = 0;  ///< sketching, joining, verifying
};

/// A pair that a run missed, or removed wrongly.
struct WrongPair {
  std::string document;    ///< its id, a JSON value; "planted-1" of a copy
  std::string other;       ///< its survivor, or the other one that was kept
  double resemblance = 0;  ///< exact
};

/// The judgment of a run, other than its recall. Lists hold at most 100 pairs.
struct RunEvaluation {
  std::string plan;               ///< of its keys, in words; may be empty
  std::vector<Share> right;       ///< removals that are due, by part
  std::vector<WrongPair> wrong;   ///< removals that are not due
  std::vector<WrongPair> missed;  ///< due pairs of which both are kept
};

/// A run of dedup, or one scheme.
struct MethodEvaluation {
  std::string name;   ///< short, for a table
  std::string given;  ///< the user's spec
  SharedKey shared_key = SharedKey::candidate;
  std::vector<ThresholdEvaluation> at;  ///< as Evaluation::thresholds
  std::vector<Share> recall;            ///< by part, at the user's threshold; empty if not made
  std::optional<SchemeCost> cost;       ///< none of a run
  std::optional<RunEvaluation> run;     ///< none of a scheme
};

/// One way to sort the due pairs into parts: by kind, label, edit, length, cluster size or
/// resemblance. MethodEvaluation::recall and RunEvaluation::right hold a share for each part of
/// each family.
struct PartFamily {
  std::string name;                 ///< "edit"
  std::string title;                ///< of a table's column
  std::size_t first = 0;            ///< index of its first part among all parts
  std::vector<std::string> labels;  ///< of its parts, in order
};

/// The copies planted with one edit.
struct PlantedEdit {
  std::string name;
  std::uint64_t planted = 0;
  double mean_resemblance = 0;
  double mean_containment = 0;  ///< mean of the larger containment of each pair
};

/// How well clusters agree with labels.
struct LabelMeasures {
  std::uint64_t documents = 0;
  std::uint64_t labels = 0;    ///< distinct
  std::uint64_t clusters = 0;  ///< singletons counted
  Share pair_precision;        ///< pairs in one cluster that have one label
  Share pair_recall;           ///< pairs of one label that are in one cluster
  /// Hubert and Arabie, "Comparing partitions", 1985: agreement on pairs, minus the agreement
  /// expected by chance; 1 for equal partitions, 0 expected by chance. 1 if chance leaves no room
  /// (both all singletons, or both one cluster).
  Interval adjusted_rand;
  /// Bagga and Baldwin, 1998: a document's precision is the share of its cluster that has its
  /// label, itself included; its recall is the share of its label that is in its cluster. Means
  /// over documents; f1 is of the two means.
  Interval bcubed_precision;
  Interval bcubed_recall;
  Interval bcubed_f1;
  std::uint64_t bytes = 0;              ///< of text, in all
  std::uint64_t removed_documents = 0;  ///< all but the first of each cluster
  std::uint64_t removed_bytes = 0;
  std::uint64_t lost_documents = 0;  ///< removed, and no kept document has their label
  std::uint64_t lost_bytes = 0;
  Interval lost_share;  ///< of the bytes
};

/// Clusters of one method, or of the truth, compared with labels.
struct LabelEvaluation {
  std::string name;      ///< a method's, or "every pair" for the truth
  std::string accepted;  ///< which pairs join: "exact", "estimate", "verified", "as run"
  bool stars = false;    ///< false: components
  LabelMeasures measures;
};

/// A scheme's answers to queries. The query i is a document; the scheme's answer is the documents
/// that it finds for i, without i. Means are over queries, their intervals over clusters of due
/// pairs (Kolcz and Chowdhury, 2008, section 6.4).
struct QueryMeasures {
  std::string name;            ///< the scheme's
  std::string accepted;        ///< which pairs it finds: "keys", "estimate"
  std::uint64_t found = 0;     ///< documents, of all queries
  std::uint64_t answered = 0;  ///< queries for which a document is found
  /// Over queries with a due partner: the share of these that is found; 1 without such a query.
  Interval recall{1, 0, 1};
  Interval precision{1, 0, 1};     ///< over answered queries: the share of the found that is due
  std::optional<double> increase;  ///< of recall over the first row, relative; none if that is 0
  Share pure;       ///< clusters of the found pairs, with a query, in which each found pair is due
  Share one_label;  ///< of those with two labeled documents or more: with one label
  std::uint64_t wanted = 0;    ///< found documents with the label of EvaluateOptions::utility
  std::uint64_t unwanted = 0;  ///< with another one
  Interval utility{1, 0, 1};   ///< over queries: wanted - cost * unwanted
};

/// Each document as a query against all others.
struct QueryEvaluation {
  std::uint64_t documents = 0;
  std::uint64_t queries = 0;
  std::uint64_t with_partner = 0;  ///< queries with a due partner
  std::string label;               ///< of the queries; empty: all documents
  std::uint64_t cost = 0;
  std::vector<QueryMeasures> rows;
};

/// What leaving out templates does to the sample. Copies are planted in the words that are
/// compared; for whole texts each has its page's templates before it.
struct TemplateEvaluation {
  std::uint64_t words = 0;            ///< of the sampled documents, whole
  std::uint64_t words_left_out = 0;   ///< those that are not compared
  std::uint64_t mostly_left_out = 0;  ///< documents that lose at least half of their words
  Share whole_recall;                 ///< of due pairs, by dedup over whole texts
  Share whole_right;                  ///< of its removals
};

/// The sample, the truth about it, and each method: the run first, then schemes as listed. Times,
/// megabytes a second and choice() differ from run to run; all else is the same for any number of
/// threads. The members folder, inputs, outputs and invalid_utf8 of RunFacts stay empty.
struct Evaluation : RunFacts {
  std::string sampled_so;          ///< why no more were sampled, in words; may be empty
  std::uint64_t originals = 0;     ///< sampled documents
  std::uint64_t copies = 0;        ///< planted
  std::uint64_t sample_bytes = 0;  ///< of text, copies too
  /// Pairs that were found exactly: of resemblance 0.5, or thresholds[0] if that is lower, or
  /// contained.
  std::uint64_t pairs = 0;
  /// Originals that are mostly text common to many: half or more of their shingles are in
  /// common_least other originals.
  std::uint64_t common_documents = 0;
  std::uint64_t common_least = 0;
  std::optional<TemplateEvaluation> templates;    ///< if they are left out
  std::vector<Ratio> thresholds = {Ratio(4, 5)};  ///< ascending, at least one
  std::size_t chosen = 0;                         ///< index of the user's threshold
  Ratio containment;
  double least_recall = 0;               ///< for choice()
  double analysis_microseconds = 0;      ///< a document, text to tokens: common to all
  double verification_microseconds = 0;  ///< a candidate
  std::vector<PartFamily> families;
  std::vector<PlantedEdit> edits;  ///< as the family "edit"
  std::vector<MethodEvaluation> methods;
  std::vector<LabelEvaluation> labels;  ///< empty without labels
  std::string labels_of;                ///< the labels, in words
  std::string truth;  ///< of EvaluateOptions, normalized; empty: resemblance at each threshold
  std::string due;    ///< that in words: "cosine 0.9 or more"
  std::optional<QueryEvaluation> queries;  ///< with truth or utility, and schemes

  /// The scheme to take: of those whose recall at the user's threshold is at least least_recall by
  /// its lower bound, the one with the least work. Null if there is none.
  const MethodEvaluation* choice() const;
};

std::vector<Field> fields_of(Evaluation& evaluation);

/// Standard input is stored in a folder under resources.tmp (default: the system's), which is
/// removed.
/// Errors: as dedup(); lost_input if inputs were lost and the rest holds no document with a token;
/// usage if the inputs hold no document with a token, if copies_out exists, or if labels_file names
/// documents the inputs lack.
Result<Evaluation> evaluate(const EvaluateOptions& options, const RunControl& control);

/// Tables of at most 100 columns, with a verdict; and a JSON object, in which members that differ
/// from run to run are in `measured`. Shares are cut, never rounded up.
std::string to_text(const Evaluation& evaluation);
std::string to_json(const Evaluation& evaluation);

// The sample in parts, for an engine that holds a collection and brings its texts to workers.
// Records have numbers from 1, in their order.
//
// 1. SampleRanker::rank() tells the ranks of texts, whatever other texts there are.
// 2. A SampleScan of each worker, without a limit of bytes, leaves out what cannot be sampled. What
//    it leaves of all workers, in the order of the records, goes through one more, which samples.
// 3. evaluate() gets the sampled texts alone, with EvaluateOptions::drawn.

struct SampleLimits {
  std::uint64_t documents = 2000;
  /// Longer documents are left out.
  std::uint64_t document_bytes = std::uint64_t{256} << 10;
  /// Of text in all; beyond it, fewer documents are sampled.
  std::uint64_t bytes = std::uint64_t{24} << 20;
};

/// How evaluate() ranks texts.
struct SampleRule {
  std::string analyzer = "words";
  unsigned shingle_tokens = 5;
  bool html = false;  ///< the texts are pages
  std::uint64_t seed = 1;
  SampleLimits limits;
};

/// That of evaluate() with these options. Errors: those of evaluate() that are of its options.
Result<SampleRule> sample_rule(const EvaluateOptions& options, const RunControl& control);

/// The place of a document among those that may be sampled: the least are.
struct SampleRank {
  double score = 0;
  std::uint64_t tie = 0;      ///< orders documents of one score
  std::uint64_t shingle = 0;  ///< the least hash of its shingles: at most ten have the same
  std::uint64_t bytes = 0;    ///< of what is compared
  std::uint64_t record = 0;   ///< its number
  auto operator<=>(const SampleRank&) const = default;
};

struct RankedText {
  std::uint64_t bytes = 0;  ///< of what is compared
  bool has_tokens = false;
  std::optional<SampleRank> rank;  ///< none without a token, or of a text that is too long
};

/// Threads: immutable; any may call.
class SampleRanker {
 public:
  /// Error (usage): no such analyzer.
  static Result<SampleRanker> make(const SampleRule& rule);

  /// Of as many texts as records. Error (usage): a text of more than 4 GiB - 64 bytes.
  Result<std::vector<RankedText>> rank(std::span<const std::string_view> texts,
                                       std::span<const std::uint64_t> records) const;

 private:
  explicit SampleRanker(const SampleRule& rule) : rule_(rule) {}

  SampleRule rule_;
};

/// Threads: belongs to one.
class SampleScan {
 public:
  explicit SampleScan(const SampleLimits& limits = {}) : limits_(limits) {}

  /// False: nothing of this score, or a higher one, can be sampled any more.
  bool may_take(double score) const { return score <= least_dropped_.score; }
  /// False: it is not sampled, whatever comes after it. O(log documents).
  bool add(const SampleRank& rank);
  /// Documents that another scan, of a part, refused because they are too like others.
  void add_alike(double score, std::uint64_t documents);

  /// Those that the last add() dropped, its own among them if it was held for a moment.
  const std::vector<SampleRank>& dropped() const { return dropped_; }
  /// The sampled ones so far.
  const std::set<SampleRank>& held() const { return held_; }
  std::uint64_t bytes() const { return bytes_; }
  /// Documents of lower scores than all that were dropped for others that are lower, but too like
  /// ten of the held ones.
  std::uint64_t too_alike() const;
  /// Those of them that add() refused, by score.
  const std::map<double, std::uint64_t>& refused_alike() const { return refused_alike_; }
  bool too_much_text() const { return too_much_text_; }  ///< fewer are held than asked for

 private:
  void drop(const SampleRank& rank);
  void drop_last();

  SampleLimits limits_;
  std::set<SampleRank> held_;
  std::map<std::uint64_t, std::set<SampleRank>> of_shingle_;  ///< those by their least hash
  std::vector<SampleRank> dropped_;
  SampleRank least_dropped_{std::numeric_limits<double>::infinity()};
  std::map<double, std::uint64_t> alike_;  ///< too like others, by score
  std::map<double, std::uint64_t> refused_alike_;
  std::uint64_t bytes_ = 0;
  bool too_much_text_ = false;
};

/// All labeled documents are held, if they are no more than this; else the sampled ones.
inline constexpr std::uint64_t most_labeled_documents = 20'000;
inline constexpr std::uint64_t most_labeled_bytes = std::uint64_t{64} << 20;

/// What is known of the collection of a sample.
struct DrawnSample {
  std::uint64_t documents = 0;  ///< with a token
  std::uint64_t too_long = 0;   ///< of these
  std::uint64_t too_alike = 0;
  bool too_much_text = false;
  /// With EvaluateOptions::labels. If the labeled ones are not too many, the columns have them all.
  std::uint64_t labeled = 0;
  std::uint64_t unlabeled = 0;
  std::uint64_t labeled_bytes = 0;  ///< of what is compared
  std::vector<bool> sampled;        ///< of each row: else it is there for its label
};

}  // namespace twinset
