// Answers about a finished run: the fate of a record, clusters and removed records with their
// first words, and what a file or folder is; and its removed records, restored byte for byte.
//
//   const Explanation why = explain({.folder = "clean", .id = "n4"}, RunControl{}).value();
//   why.survivor.id;                                    // "n1"
//   std::fputs(to_text(why).c_str(), stdout);
//
//   const Shown seen = show({.folder = "clean"}, RunControl{}).value();
//   seen.clusters.front().documents;                    // of the largest one
//
//   RestoreOptions options;
//   options.folder = "clean";
//   options.records = {"n4"};
//   options.output = "again";
//   const RestoreSummary back = restore(options, RunControl{}).value();
//
// Files are streamed, never held in memory. Words are read from the inputs, and shown only for
// records that have not changed since the run.
//
// Threads: any; the functions only read, but restore() makes a folder: one call at a time for each.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/dedup.h"
#include "twinset/option.h"
#include "twinset/pair.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/reuse.h"
#include "twinset/run.h"

namespace twinset {

struct Field;

/// A record, as an answer names it.
struct RecordName {
  std::string id = {};       ///< its own, or file:record
  std::string file = {};     ///< as the user wrote it
  std::uint64_t record = 0;  ///< from 1
};

struct ExplainOptions {
  std::string folder = {};  ///< folder that dedup, cluster or recut made
  std::string id = {};      ///< a record's id, or file:record
  bool numbers = false;     ///< the two texts are not read: no passages
};

std::vector<Option> options_of(ExplainOptions& options);

/// A record, and how alike it is to the one asked for.
struct AlikeRecord {
  RecordName name;
  std::optional<RemovalKind> kind = {};        ///< of removed records
  std::optional<double> resemblance = {};      ///< nullopt: not known
  double containment = 0;                      ///< of removed records, in the survivor
  std::optional<std::uint32_t> distance = {};  ///< of pairs by distance: the bits that differ
  /// Of an estimated resemblance its 95 % interval: of counted keys that of Clopper and Pearson, of
  /// sketches Wilson's.
  std::optional<Interval> interval = {};
  /// Of the rests of the two texts, in a run that marks template pairs; nullopt also if nothing is
  /// left of both.
  std::optional<double> rest_resemblance = {};
  bool is_template = false;  ///< a template pair (ClusterOptions::mark_templates)
};

/// The cluster of a document, and its pairs, in a folder of cluster or recut.
struct ClusterPlace {
  std::uint64_t documents = 0;           ///< of its cluster, itself included; 0: it is in none
  RecordName representative;             ///< the first of them
  std::optional<RemovalKind> copy_kind;  ///< of a copy of `original`, whose pairs are its own
  std::optional<RecordName> original;
  bool has_pairs = true;             ///< false: of recut(), or quarantined
  std::uint64_t pairs = 0;           ///< that reach the threshold
  std::uint64_t template_pairs = 0;  ///< of these, in a run that marks them
  std::vector<AlikeRecord> nearest;  ///< of the pairs, most alike first; at most 20
  /// The source of the pairs' numbers: "shingles" (exact), "keys", "estimate",
  /// "distance", "signature", "nothing".
  std::string pairs_count;
};

/// The fate of one record.
struct Explanation {
  RecordName document;
  enum class Fate : std::uint8_t {
    kept,
    removed,
    reference,    ///< nothing of its input is written or removed
    quarantined,  ///< in any folder
    filtered,
    clustered,  ///< in a folder of cluster or recut
    alone       ///< likewise
  };
  Fate fate = Fate::kept;
  std::string reason;  ///< why it was filtered or quarantined

  // If removed: the survivor, and how alike the two are.
  RemovalKind kind = RemovalKind::identical;
  RecordName survivor;
  double resemblance = 0;
  double containment = 0;           ///< of the record in its survivor
  double survivor_containment = 0;  ///< of the survivor in the record
  /// Of whole pages, if the run compared pages without their templates and the texts were read.
  std::optional<double> whole_resemblance;
  bool exact = true;                   ///< false: the numbers are estimates by sketches
  std::optional<Interval> interval;    ///< of an estimated resemblance, as Removal has it
  double threshold = 0;                ///< the run's threshold of resemblance
  std::optional<ComparedTexts> texts;  ///< survivor and record; none if not read again

  // If kept: the records that it stands for.
  std::uint64_t stands_for = 0;
  std::vector<AlikeRecord> examples;  ///< at most 20 of them

  std::optional<ClusterPlace> cluster;  ///< of folders of cluster and recut
  std::vector<std::string> notes;       ///< caveats of the answer, a sentence each
};

/// Its word in JSON: "kept".
std::string_view name_of(Explanation::Fate fate);
/// What JSON holds (twinset/field.h).
std::vector<Field> fields_of(RecordName& name);
std::vector<Field> fields_of(AlikeRecord& alike);
std::vector<Field> fields_of(ClusterPlace& place);
std::vector<Field> fields_of(Explanation& explanation);

/// Why a record went, and the passages that it shares with its survivor; or which records a
/// kept one stands for; or its cluster. Errors: usage (no such folder, unknown id, an id of
/// several records), io, interrupted.
Result<Explanation> explain(const ExplainOptions& options, const RunControl& control);

std::string to_text(const Explanation& explanation, const AnswerOptions& answer = {});
/// An object on one line, without passages.
std::string to_json(const Explanation& explanation);

struct ShowOptions {
  std::string folder = {};   ///< folder that dedup, cluster, recut, detect or spans made
  std::string cluster = {};  ///< id or file:record of a document in it; empty: the largest ones
  std::optional<RemovalKind> kind = {};  ///< removed records (or pairs) of this kind; unset: any
  RatioRange resemblance = {};           ///< ... of at least and at most this resemblance
  std::uint64_t top = 20;                ///< clusters, members, records, pages or texts shown
};

std::vector<Option> options_of(ShowOptions& options);

struct ShownRecord {
  RecordName name;
  std::optional<std::string> words = {};   ///< its first words; nullopt: see `missing`
  std::string missing = {};                ///< why there are none, a sentence
  std::optional<double> resemblance = {};  ///< to the survivor, if one cluster of dedup is shown
};

struct ShownCluster {
  std::uint64_t documents = 0;
  std::vector<ShownRecord> records;  ///< the representative or survivor, then others
};

/// A removed record and its survivor, or a pair.
struct ShownLink {
  RemovalKind kind = RemovalKind::identical;
  double resemblance = 0;  ///< 1 for pairs that share a key or a signature, and no more is known
  std::optional<std::uint32_t> distance;  ///< of pairs by distance: the bits that differ
  ShownRecord record;
  ShownRecord other;
  bool is_template = false;  ///< a template pair (ClusterOptions::mark_templates)
};

/// A text with passages that stand at an earlier place.
struct ShownReuse {
  RecordName name = {};
  std::uint64_t spans = 0;  ///< with the first place of a passage, and with the nearest one
  std::uint64_t bytes = 0;  ///< of the text that are in any of them
};

/// The clusters, or removed records, or pairs, that were asked for; of a folder of detect or spans
/// its worst pages and neighborhoods, or the texts with the most reused bytes.
struct Shown {
  enum class Kind : std::uint8_t {
    largest_clusters,
    one_cluster,
    removed,
    pairs,
    detected,
    reused_texts
  };
  Kind kind = Kind::largest_clusters;
  std::uint64_t found = 0;                     ///< of that kind, shown or not
  std::uint64_t documents = 0;                 ///< in all these clusters
  std::vector<ShownCluster> clusters;          ///< largest first
  std::vector<ShownLink> links;                ///< least alike first, then in input order
  std::optional<DetectSummary> detected = {};  ///< with the first lines of its lists
  std::vector<ShownReuse> reused = {};         ///< most bytes first, then in order of names
  std::vector<std::string> notes = {};         ///< caveats, a sentence each
};

/// What JSON holds (twinset/field.h).
std::vector<Field> fields_of(ShownRecord& shown);
std::vector<Field> fields_of(ShownCluster& cluster);
std::vector<Field> fields_of(ShownLink& link);
std::vector<Field> fields_of(ShownReuse& text);

/// Errors: usage (no such folder or cluster; an id of several records; no pairs in it), io,
/// interrupted.
Result<Shown> show(const ShowOptions& options, const RunControl& control);

std::string to_text(const Shown& shown);
/// An object on a line for each cluster, link, text, page and neighborhood.
std::string to_json(const Shown& shown);

/// The lists of output folders (docs/formats/).
enum class ResultList : std::uint8_t {
  kept,           ///< of dedup with Emit::ids
  removed,        ///< of dedup
  clusters,       ///< of dedup, cluster and recut: a row for each member, with its representative
  pairs,          ///< of cluster: a row for each ClusterPair
  spans,          ///< of spans
  pages,          ///< of detect
  matches,        ///< of detect: the labels in its pages
  neighborhoods,  ///< of detect
  recursion,      ///< of detect: pages left out for their URLs
  signatures,     ///< lines of sketch
  joined,         ///< lines of join: a row for each pair
  hits,           ///< lines of query: a row for each hit, with what was asked for
  documents,      ///< lines of index export
};

/// A pair that cluster() kept, or a copy and its original. A number that the run did not have is
/// missing.
struct ClusterPair {
  NamedDocument document;
  NamedDocument other;  ///< earlier in input order
  RemovalKind kind = RemovalKind::near;
  std::optional<double> resemblance = {};
  std::optional<double> containment = {};        ///< of the document in the other
  std::optional<double> other_containment = {};  ///< of the other in it
  std::optional<std::uint32_t> distance = {};    ///< bits that differ
  bool is_template = false;                      ///< a template pair (ClusterOptions)
};
std::vector<Field> fields_of(ClusterPair& pair);

/// Fields of a row, each of whose names has the prefix before it.
using ListColumns = std::function<void(std::string_view prefix, std::vector<Field> fields)>;

/// Reads a list: gives `columns` the fields once, in groups, then sets them to each row and calls
/// `row`. Of pairs it holds the ids, some 100 bytes for each document in one. An Error of `row`
/// ends it. Errors: usage (a folder that has no pairs), io (no such list; damaged), interrupted.
/// Of lines, `folder` is the file that has them, plain or .zst.
Status read_list(const std::string& folder, ResultList list, const RunControl& control,
                 const ListColumns& columns, const std::function<Status()>& row);
/// The same of lines in memory. Error (usage): `list` is in folders.
Status read_lines(std::string_view lines, ResultList list, const RunControl& control,
                  const ListColumns& columns, const std::function<Status()>& row);

/// A fact about a file: a name, empty if it continues the fact before, and a value in words.
struct FileFact {
  std::string name;
  std::string value;
};
using FileFacts = std::vector<FileFact>;

/// Reads `path` through: an input (format, records, bad ones), a file that twinset made for
/// itself (header, rows), or the output folder of a run. Errors: io; usage if there is no such
/// file; interrupted.
Result<FileFacts> inspect(const std::string& path, const RunControl& control);

/// A line for each.
std::string to_text(const FileFacts& facts);

/// A decision of a person about a record of a run, a line of a file (docs/formats/decisions.md).
enum class Decided : std::uint8_t {
  restore,  ///< a removed record comes back
  remove,   ///< a record goes
  none      ///< neither: takes a decision back
};

struct RecordDecision {
  std::string record;  ///< as people name it: its id, or file:record
  RecordName name;     ///< without a file where only `record` is known
  Decided decision = Decided::restore;
  std::string judge;  ///< the name of the person; empty: not told
  std::string time;   ///< UTC, as in "2026-01-31T23:59:59Z"
};

struct RecordDecisions {
  std::vector<RecordDecision> decisions;
  std::vector<std::string> notes;  ///< caveats, a sentence each
};

/// Its word in JSON: "restore".
std::string_view name_of(Decided decision);
std::vector<Field> fields_of(RecordDecision& decision);
std::vector<Field> fields_of(RecordDecisions& decisions);

/// An object on a line.
std::string to_json(const RecordDecisions& decisions);

struct RestoreOptions {
  std::string folder;                ///< folder that dedup made
  std::vector<std::string> records;  ///< ids, or file:record
  bool all = false;                  ///< every removed record
  std::string decisions;             ///< file of decisions: the records that are to come back
  /// Folder to make, with the inputs' own names and compression; empty: control.kept takes
  /// the records, as it takes dedup's.
  std::string output;
};

std::vector<Option> options_of(RestoreOptions& options);

struct RestoreSummary {
  std::uint64_t records = 0;
  std::uint64_t files = 0;              ///< inputs they are from
  std::vector<std::string> notes = {};  ///< lines of `decisions` that are none, in a sentence
};

std::vector<Field> fields_of(RestoreSummary& summary);

/// Restores in input order, each record once. Errors: usage (no such folder or record; an id of
/// several records; a folder that exists), io (also: an input is not what the run read;
/// then no folder is made), interrupted.
Result<RestoreSummary> restore(const RestoreOptions& options, const RunControl& control);

}  // namespace twinset
