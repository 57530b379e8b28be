// The main job: find the documents of a collection that are the same, nearly the
// same, or contained in one another, keep one of each, and prove why the others
// went.
//
//   DedupOptions options;
//   options.inputs = {"crawl.jsonl.zst"};
//   options.output = "clean";
//   Result<DedupSummary> done = dedup(options, RunControl{});
//
// or, without a file:
//
//   DedupOptions options;
//   options.columns = {TextColumn(texts)};      // a std::vector<std::string>
//   Result<DedupSummary> done = dedup(options, {}, {.kept = [](const NamedDocument& document) {
//                                       use(document.id);
//                                       return Status();
//                                     }});
//
// A document goes if and only if it has a verified edge to a kept document ahead of it in
// keep order. Output bytes depend on the inputs and options only, never on threads, memory
// or SIMD level. The same call continues a killed run.
//
// Threads: one call at a time per output folder; a call uses resources.threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twinset/collection.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct Field;

/// Why a record was removed.
enum class RemovalKind : std::uint8_t {
  identical,  ///< its text is that of its survivor, byte for byte
  lexical,    ///< its words are those of its survivor
  near,       ///< it resembles its survivor
  contained,  ///< it is contained in its survivor
  shingles    ///< its set of shingles is that of its original; of cluster() alone
};
/// Its word in all files, pages and answers: "identical".
std::string_view name_of(RemovalKind kind);

enum class Emit : std::uint8_t {
  records,  ///< kept records, under their files' names
  ids       ///< kept.jsonl: a line {"id","file","record"} each
};

/// What decides which documents go. Shared by dedup and by evaluate, which judges the decisions.
struct DecisionOptions {
  Ratio resemblance{4, 5};
  std::optional<Ratio> containment;
  /// "first", "longest", "shortest", "source", "newest:FIELD", "oldest:FIELD",
  /// "highest:FIELD", "lowest:FIELD"; empty: first, or longest with containment.
  std::string keep;
  /// exact or sketch. With sketch each proof holds the error of its estimate.
  Check verify = Check::exact;
  /// Refuses to count if documents would meet more often than this under counted keys.
  std::uint64_t max_meetings = 10'000'000'000;
};

struct DedupOptions : CollectionOptions, DecisionOptions {
  DedupOptions() { scheme = "fss"; }

  /// Inputs that are read, and never removed nor written; or one index (twinset/index.h), whose
  /// documents are not read again.
  std::vector<std::string> against;
  /// The kept documents go into that index, and the removed ones as leading to them.
  bool add = false;
  std::string date;    ///< with add: the field of a document's date
  std::string output;  ///< folder to make; missing, or empty
  std::string report;  ///< HTML page to make, with its facts as .json; empty: none
  /// Files to make if RunControl::kept takes the records; empty: none. `removed`
  /// ends in .jsonl or .jsonl.zst.
  std::string summary;
  std::string removed;
  Emit emit = Emit::records;
  bool write_removed = false;  ///< writes the removed records too, under removed/
  /// Of records written packed: 1 to 9 for gzip, 1 to 6 for zstd. Unset: 1 and 3.
  std::optional<std::uint64_t> level;
  std::optional<Ratio> max_removed;  ///< stops before writing if more would go
  bool dry_run = false;              ///< decides and writes nothing
  /// "3/8": reads only the third of eight shares of the input files, and leaves a folder for
  /// merge(), which has no kept records and no report. Empty: does all.
  std::string shard;
  /// Folders of all shards of this run: taken over in place of reading the inputs once.
  std::vector<std::string> shards;
};

std::vector<Option> options_of(DedupOptions& options);

/// What a configuration of text-dedup asks for, as options of dedup.
struct TextDedupConfig {
  /// Names of options, each with a value as it is typed; a list has its name once for each value.
  std::vector<std::pair<std::string, std::string>> options;
  /// "algorithm.num_perm": keys for which there is no option, in the file's order.
  std::vector<std::string> without_counterpart;
};

/// Reads a configuration of text-dedup (TOML, as of its release of 2026). Of minhash, `threshold`
/// is the resemblance, `ngram_size` the shingle, and each removal is verified; of simhash,
/// `bit_diff` is the distance; bloom_filter asks for equal words. Errors: io; usage (no TOML, a
/// missing key or one of another type, suffix_array, skip_filtering, a dataset on disk), which
/// name the file and the key.
Result<TextDedupConfig> read_text_dedup_config(FileSystem& files, const std::string& path);

/// The fates of the records of one input, or of all. Always read = kept + removed +
/// quarantined + filtered + carried.
struct Counts {
  std::uint64_t read = 0;
  std::uint64_t kept = 0;
  std::uint64_t identical = 0;
  std::uint64_t lexical = 0;
  std::uint64_t near = 0;
  std::uint64_t contained = 0;
  std::uint64_t quarantined = 0;
  std::uint64_t filtered = 0;
  std::uint64_t carried = 0;  ///< not documents: passed on in their place
  std::uint64_t removed() const { return identical + lexical + near + contained; }
};

struct FileCounts {
  std::string file;        ///< as the user wrote it
  std::string name;        ///< its output's name
  bool reference = false;  ///< protected: read, never removed nor written
  Counts counts;
};

/// Copies that may not be meant to go. Counted while records are written, so not by a dry run or
/// one without an output, and not of copies of a reference.
struct CopiesOfWords {
  std::uint64_t other_signs = 0;  ///< lexical copies whose signs differ, as in "C" and "C++"
  std::uint64_t few_words = 0;    ///< of fewer than five words, identical or lexical
};
std::vector<Field> fields_of(CopiesOfWords& copies);

struct DedupSummary : RunFacts {
  std::string shard;  ///< DedupOptions::shard; then only the facts of what was read are set
  Counts total;       ///< of the inputs, without references
  std::vector<FileCounts> files;           ///< inputs in order, then references
  std::string scheme;                      ///< full spec
  std::string plan;                        ///< the band plan in words; empty if none
  std::optional<TemplateFacts> templates;  ///< if they were left out
  std::uint64_t clusters = 0;
  std::uint64_t largest_cluster = 0;
  std::uint64_t candidate_pairs = 0;
  std::uint64_t checked_pairs = 0;   ///< candidates that passed the sketch check
  std::uint64_t verified_pairs = 0;  ///< compared in full, including those of repair
  std::uint64_t repair_rounds = 0;
  std::uint64_t repair_pairs = 0;  ///< pairs that repair added to the checked ones
  std::string index;               ///< that the records were compared with; empty: none
  /// Near copies removed by stored sketches of the index, if it keeps no texts.
  std::optional<std::uint64_t> by_known_sketch;
  std::optional<std::uint64_t> added;  ///< kept records that went into it
  /// Documents that it had been given by then, those of this run included.
  std::optional<std::uint64_t> index_serials;
  CopiesOfWords copies_of_words;
  /// The first bad records, "file:record: reason", of a run that leaves no quarantine.jsonl.
  std::vector<std::string> bad_records;
};
/// What summary.json holds, without the options (twinset/field.h).
std::vector<Field> fields_of(DedupSummary& summary);

/// A removed document, the kept one that stands for it, and how alike they are.
struct Removal {
  NamedDocument document;
  NamedDocument survivor;
  RemovalKind kind = RemovalKind::identical;
  double resemblance = 1;           ///< of their sets of shingles
  double containment = 1;           ///< of the document in its survivor
  double survivor_containment = 1;  ///< of the survivor in the document
  /// Set for an estimate by sketches (Check::sketch); then the containments are not known.
  std::optional<double> standard_error;
  /// Likewise: a 95 % interval of the resemblance, Wilson's for a sample of that standard error.
  std::optional<Interval> interval;
  std::uint64_t shared_shingles = 0;  ///< these three are 0 for copies and estimates
  std::uint64_t shingles = 0;
  std::uint64_t survivor_shingles = 0;
  /// With templates left out: the windows of the document (of five words, an equal one counted
  /// each time) that were not compared.
  std::optional<std::uint64_t> template_shingles;
};

/// What a line of removed.jsonl.zst holds.
std::vector<Field> fields_of(Removal& removal);

/// Takes results one by one, in input order, after everything is decided. Null members are not
/// called. A Status that is not ok ends the run as its error, and nothing is left behind.
/// References are not among the results.
struct DedupResults {
  std::function<Status(const NamedDocument&)> kept;
  std::function<Status(const Removal&)> removed;
};

/// Runs the job. Errors: usage (a bad option; an output that exists and belongs to another
/// run; too small a budget, with the bytes needed), bad_records (more than max_bad), io
/// (also if files of a finished run's output are missing), interrupted.
Result<DedupSummary> dedup(const DedupOptions& options, const RunControl& control,
                           const DedupResults& results = {});

/// The counts, for a terminal; `verbose`: how the pairs were found, too.
std::string to_text(const DedupSummary& summary, bool verbose = false);

}  // namespace twinset
