// The main job: find the documents of a collection that are the same, nearly the
// same, or contained in one another, keep one of each, and prove why the others
// went.
//
//   DedupOptions options;
//   options.inputs = {"crawl.jsonl.zst"};
//   options.output = "clean";
//   Result<DedupSummary> done = dedup(options, RunControl{});
//
// A document goes if and only if it has a verified edge to a kept document ahead
// of it in keep order. Output bytes depend on the inputs and options alone: never
// on threads, memory, SIMD level. The same call continues a killed run.
//
// Threads: one call at a time per output folder; a call uses options.threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/progress.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

class FileSystem;

/// Takes records instead of a file, some at a time.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  /// All of `bytes`, whole records. An Error ends the run.
  virtual Status write(std::string_view bytes) = 0;
};

/// What a caller may do while a job runs. All may be null.
struct RunControl {
  const std::atomic<bool>* cancel = nullptr;  ///< set it to stop soon
  ProgressSink* progress = nullptr;
  FileSystem* files = nullptr;  ///< null: the disk
  /// dedup: takes the kept records of all inputs in order, decompressed, and no folder
  /// is made. A line end is added where a record has none and another follows.
  RecordSink* kept = nullptr;
};

/// How to read records. Shared by every job that reads a collection.
struct InputSettings {
  /// A format's name; empty: by extension. "html" leaves JSON Lines lines, of pages.
  std::string format;
  std::string text_field = "text";  ///< names nested by dots
  std::string id_field = "id";
  std::uint64_t max_record_bytes = std::uint64_t{64} << 20;
  std::uint64_t limit = 0;  ///< read at most so many records; 0: all
  /// Inputs that would not come through are left out, and ones found damaged are no
  /// failure of the run. Changes no result.
  bool allow_lost = false;
};

/// What a job may use of the machine. Never changes a result.
struct Resources {
  std::uint64_t memory_bytes = 0;  ///< peak resident size; 0: half of the machine's
  unsigned threads = 0;            ///< 0: as many as memory has room for, at most one a processor
  std::string tmp;                 ///< folder for spills; empty: beside the output
  std::uint64_t checkpoint_bytes = std::uint64_t{2} << 30;  ///< of input between checkpoints
};

enum class Verification : std::uint8_t {
  exact,  ///< shingle sets of the texts themselves
  sketch  ///< the sketches' estimates; faster, and the error is kept with each proof
};

enum class Emit : std::uint8_t {
  records,  ///< kept records, under their files' names
  ids       ///< kept.jsonl: a line {"id","file","record"} each
};

struct DedupOptions {
  std::vector<std::string> inputs;      ///< files, folders, globs, "-"
  std::vector<std::string> references;  ///< protected inputs (--against)
  std::string output;                   ///< folder to make; missing, or empty
  std::string report;                   ///< HTML file to make; empty: none
  /// Files to make where RunControl::kept takes the records; empty: none. `removed_file`
  /// ends in .jsonl or .jsonl.zst.
  std::string summary_file;
  std::string removed_file;
  InputSettings input;
  std::string analyzer = "words";
  std::string scheme = "fss";
  Ratio resemblance{4, 5};
  std::optional<Ratio> containment;
  /// "first", "longest", "shortest", "source", "newest:FIELD", "oldest:FIELD",
  /// "highest:FIELD", "lowest:FIELD"; empty: first, or longest with containment.
  std::string keep;
  Verification verification = Verification::exact;
  Emit emit = Emit::records;
  bool write_removed = false;  ///< the removed records too, under removed/
  std::uint64_t min_tokens = 0;
  std::optional<Ratio> max_removed;      ///< stop before writing if more would go
  std::optional<std::uint64_t> max_bad;  ///< stop if more records are quarantined
  std::uint64_t max_group = 1000;        ///< counted keys held by more are common (B 5.1)
  /// Refuse to count if documents would meet more often under counted keys.
  std::uint64_t max_meetings = 10'000'000'000;
  std::uint64_t seed = 0;
  bool dry_run = false;  ///< decide, write nothing
  std::string command;   ///< as typed, for the report and the summary; changes nothing
  Resources resources;
};

/// Where records of one input, or of all, went. read = kept + removed +
/// quarantined + filtered, always.
struct Counts {
  std::uint64_t read = 0;
  std::uint64_t kept = 0;
  std::uint64_t identical = 0;
  std::uint64_t lexical = 0;
  std::uint64_t near = 0;
  std::uint64_t contained = 0;
  std::uint64_t quarantined = 0;
  std::uint64_t filtered = 0;
  std::uint64_t removed() const { return identical + lexical + near + contained; }
};

struct FileCounts {
  std::string file;        ///< as the user wrote it
  std::string name;        ///< its output's name
  bool reference = false;  ///< protected: read, never removed nor written
  Counts counts;
};

/// What one stage of a run took: read, fold, pair, verify, prove, write.
struct StageTime {
  std::string stage;
  double seconds = 0;
  double cpu_seconds = 0;
};

/// A file of the output folder.
struct OutputFile {
  std::string name;  ///< below the folder
  std::uint64_t bytes = 0;
};

/// An input as a run read it: what it takes to read it again, and to see that it is
/// still the same.
struct InputFacts {
  std::string file;            ///< as the user wrote it
  std::string name;            ///< its output's name
  bool reference = false;      ///< protected: read, never removed nor written
  std::string format;          ///< "jsonl", "text", "html"
  bool html = false;           ///< its texts are pages
  std::string compression;     ///< "", "gzip", "zstd"
  std::uint64_t lines = 0;     ///< as far as it was read; 1 of a file that is one document
  std::uint64_t checksum = 0;  ///< of the bytes of all its records; 0: it could not be read
};

/// An input that was lost in whole or part.
struct LostInput {
  std::string file;                ///< as the user would write it
  std::string reason;              ///< one word, as docs/formats/summary.md lists them
  std::string cause;               ///< in words, with the command that mends it if there is one
  std::uint64_t bytes_read = 0;    ///< of the file as stored: where it was cut off or is damaged
  std::uint64_t records_read = 0;  ///< of it, in all
};

/// Records whose texts hold bytes that are not UTF-8.
struct InvalidText {
  std::uint64_t records = 0;
  std::uint64_t files = 0;
  std::string first;  ///< the first of the files; empty if there is none
};

/// How a run over a collection went, whatever it was for.
struct RunFacts {
  std::string verb;      ///< "dedup", "cluster", "recut"
  std::string folder;    ///< from which relative names of inputs start
  std::string analyzer;  ///< its name
  std::uint32_t analyzer_version = 0;
  std::vector<InputFacts> inputs;     ///< inputs in order, then references
  std::vector<std::string> warnings;  ///< one sentence each
  std::vector<std::string> skipped;   ///< paths not read, and why
  std::vector<LostInput> lost_inputs;
  InvalidText invalid_utf8;
  std::uint64_t text_bytes = 0;
  std::uint64_t spilled_bytes = 0;
  std::string started;  ///< UTC, as in "2026-01-31T23:59:59Z"
  double seconds = 0;
  double cpu_seconds = 0;
  std::vector<StageTime> stages;  ///< in order; together all but the ends of the run
  std::uint64_t peak_memory_bytes = 0;
  bool resumed = false;
  bool already_done = false;  ///< a finished run of the same command was found
  /// Files written, by name, without summary.json; none of a dry run.
  std::vector<OutputFile> outputs;
  /// summary.json byte for byte, also of a run found finished; of a dry run as it would be.
  std::string json;
};

struct DedupSummary : RunFacts {
  Counts total;                   ///< of the inputs; references are not in it
  std::vector<FileCounts> files;  ///< inputs in order, then references
  std::string scheme;             ///< full spec
  std::string plan;               ///< the band plan in words; empty if none
  std::uint64_t clusters = 0;
  std::uint64_t largest_cluster = 0;
  std::uint64_t candidate_pairs = 0;
  std::uint64_t checked_pairs = 0;   ///< candidates that passed the sketch check
  std::uint64_t verified_pairs = 0;  ///< compared in full, those of repair included
  std::uint64_t repair_rounds = 0;
  std::uint64_t repair_pairs = 0;  ///< pairs that repair added to the checked ones
  /// The first bad records, "file:record: reason", where no quarantine.jsonl is left.
  std::vector<std::string> bad_records;
};

/// Runs the job. Errors: usage (options; an output that exists and is another's;
/// too small a budget, with the bytes needed), bad_records (over max_bad), io (also if
/// a finished run's output is no longer complete), interrupted.
Result<DedupSummary> dedup(const DedupOptions& options, const RunControl& control);

}  // namespace twinset
