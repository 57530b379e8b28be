// A run of any verb: how a caller controls it, the memory and threads it may use, and the
// facts that it returns.
//
//   std::atomic<bool> stop = false;            // set it to stop soon
//   DedupOptions options;
//   options.resources.memory = std::uint64_t{4} << 30;
//   Result<DedupSummary> done = dedup(options, RunControl{&stop});
//   done.value().warnings;                     // every summary is a RunFacts
//
// Nothing here fails by itself. A sink that returns an Error ends the run with it.
//
// Runs at once in one process: call each from a thread of its own, with an output of its own; a
// second run into one folder is refused. Each makes the bytes that it makes alone. A run with
// `memory` gets it, whatever others have. A run without takes half of what the others have
// left of the machine's memory; if that is too little for one thread, it is refused (usage), and
// the message says how much is leased. A run gives its memory back when it ends. A run that is
// started in a callback of another, on the same thread, shares that one's memory. Threads are not
// shared: give each run its part of the processors in `threads`. The peak of memory and the
// processor time that a run returns are those of the process, and so of all its runs.
//
// Threads: plain values. A run reads `cancel` and calls its sinks from any of its threads;
// RecordSink is called by one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/result.h"

namespace twinset {

struct Field;

class FileSystem;  // twinset/files.h

/// How far a run has come.
struct Progress {
  std::string_view stage;         ///< "read", "match", "verify", "write"
  std::uint64_t done_bytes = 0;   ///< of the stage's input as stored
  std::uint64_t total_bytes = 0;  ///< 0 when not known
  std::uint64_t records = 0;
};

/// Receives a run's progress from any thread, at most about ten times a second.
/// Implementations lock.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void report(const Progress& progress) = 0;
  /// One line that the user should see now, not only after the run.
  virtual void notice(const std::string&) {}
};

/// Takes records in place of a file, some at a time.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  /// All of `bytes`, whole records. An Error ends the run.
  virtual Status write(std::string_view bytes) = 0;
};

/// A document, as results name it. The views live until the callback that gets them returns.
struct NamedDocument {
  std::string_view id;            ///< a JSON value; "file:record" if its record has none
  std::string_view file;          ///< as the user wrote it, or a column's name
  std::uint64_t record = 0;       ///< from 1
  std::uint64_t fingerprint = 0;  ///< of its bytes
};

/// As clusters.jsonl.zst names a document (twinset/field.h).
std::vector<Field> fields_of(NamedDocument& document);

/// A caller's control of a running job. All members may be null.
struct RunControl {
  const std::atomic<bool>* cancel = nullptr;  ///< set it to stop the run soon
  ProgressSink* progress = nullptr;
  FileSystem* files = nullptr;  ///< null: the disk
  /// dedup: takes the kept records of all inputs in order, decompressed; the run makes no
  /// folder. A record without a line end gets one if another record follows.
  RecordSink* kept = nullptr;
};

/// The share of the machine that a job may use. Never changes a result.
struct Resources {
  std::uint64_t memory = 0;  ///< peak resident size; 0: half of what other runs have left
  unsigned threads = 0;      ///< 0: as many as fit into the memory, at most one a processor
  std::string tmp;           ///< folder for spills; empty: beside the output
  std::uint64_t checkpoint = std::uint64_t{2} << 30;  ///< bytes of input between checkpoints
};

/// The time of one stage of a run: read, fold, pair, verify, prove, write.
struct StageTime {
  std::string stage;
  double seconds = 0;
  double cpu_seconds = 0;  ///< of the process
  /// Of these, those while only one thread could work; none of a stage that is predicted.
  std::optional<double> alone_seconds = {};
  /// Of the others, those of what is done in order, by one thread beside the others; likewise.
  std::optional<double> ordered_seconds = {};
};

/// A file of the output folder.
struct OutputFile {
  std::string name;  ///< below the folder
  std::uint64_t bytes = 0;
};

/// An input as a run read it: enough to read it again and to see whether it has changed.
struct InputFacts {
  std::string file;            ///< as the user wrote it
  std::string name;            ///< its output's name
  bool reference = false;      ///< protected: read, never removed nor written
  std::string format;          ///< "jsonl", "text", "html"
  bool html = false;           ///< its texts are pages
  bool html_by_text = false;   ///< ... those that begin like one
  std::string compression;     ///< "", "gzip", "zstd"
  std::uint64_t lines = 0;     ///< read of it; 1 if the file is one document
  std::uint64_t checksum = 0;  ///< of the bytes of all its records; 0: not readable
};

/// An input that was lost in whole or part.
struct LostInput {
  std::string file;                ///< as the user would write it
  std::string reason;              ///< one word, as docs/formats/summary.md lists them
  std::string cause;               ///< in words, with a command that repairs it if there is one
  std::uint64_t bytes_read = 0;    ///< of the file as stored, up to the damage
  std::uint64_t records_read = 0;  ///< of this input
};

/// Records of one kind, such as those whose texts hold bytes that are not UTF-8.
struct CountedRecords {
  std::uint64_t records = 0;
  std::uint64_t files = 0;
  std::string first;  ///< the first of the files; empty if there is none
};

/// Records of archives that hold what people do not read, by kind.
struct LeftOutContent {
  std::uint64_t scripts = 0;
  std::uint64_t style_sheets = 0;
  std::uint64_t empty_pages = 0;
};

/// Inputs whose format was told by their content, because their names do not say it.
struct GuessedInputs {
  std::string format;  ///< "jsonl", "html"
  std::uint64_t files = 0;
  std::string first;  ///< the first of these files
};

/// Records whose texts are in a charset other than UTF-8, which were decoded.
struct DecodedTexts {
  std::string charset;        ///< "windows-1251"
  std::uint64_t records = 0;  ///< by a guess, too
  std::uint64_t guessed = 0;  ///< of them, those that no mark and no name tells
};

/// Documents that have no signature, and so match nothing but copies, by reason.
struct WithoutSignature {
  std::uint64_t no_words = 0;
  std::uint64_t few_terms = 0;    ///< of the lexicon
  std::uint64_t small_share = 0;  ///< of their different words are in the lexicon
  std::uint64_t no_features = 0;  ///< all were cut, or weigh nothing
  std::uint64_t total() const { return no_words + few_terms + small_share + no_features; }
};

/// The records of a run. A verb sets the counts that it has.
struct RecordCounts {
  std::uint64_t read = 0;
  std::uint64_t documents = 0;    ///< that were used; evaluate, calibrate: that have a token
  std::uint64_t quarantined = 0;  ///< that could not be read
  std::uint64_t filtered = 0;     ///< documents that are too short
  std::uint64_t carried = 0;      ///< of an archive, passed on: they are not documents
};

/// The coordinates at which documents with a word have a signature (imatch).
struct SignedCoordinates {
  std::uint64_t coordinates = 0;  ///< of the scheme
  double mean = 0;                ///< of those of a document
};

/// The share of copies that match although terms that decide their signatures differ.
struct FoundByEdits {
  unsigned edits = 0;   ///< terms added or taken away; a replaced one counts twice
  double found = 0;     ///< expected, from the coordinates at which documents have a signature
  double lexicons = 0;  ///< parts of the lexicon by which 95 % of such copies are found
};

/// How a run of any verb over a collection went.
struct RunFacts : RecordCounts {
  std::string verb;      ///< "dedup", "cluster", "recut"
  std::string folder;    ///< relative names of inputs start here
  std::string identity;  ///< of the command and its inputs: a later run of the same is recognized
  std::string command;   ///< CollectionOptions::command
  std::string version;   ///< of twinset
  std::string analyzer;  ///< its name
  std::uint32_t analyzer_version = 0;
  std::vector<InputFacts> inputs;     ///< inputs in order, then references
  std::vector<std::string> warnings;  ///< one sentence each, for render_message()
  std::vector<std::string> skipped;   ///< paths not read, and why
  std::vector<LostInput> lost_inputs;
  std::vector<GuessedInputs> guessed;  ///< by format, in the order of their first files
  CountedRecords invalid_utf8;
  /// Texts of JSON that begin like HTML and were compared with their tags.
  CountedRecords raw_html;
  /// The only input, if it was read as one text and seems to have a text a line; else empty.
  std::string text_per_line;
  /// Documents below CollectionOptions::exact_below, kept ones and copies.
  std::uint64_t exact_only = 0;
  /// Documents with fewer tokens than a shingle, all of which counts as one (B 2).
  std::uint64_t short_documents = 0;
  /// Archives without any document; `records` are those they have.
  CountedRecords without_document;
  /// Records of archives whose lengths count bytes that are gone.
  CountedRecords mended_lengths;
  LeftOutContent left_out_content;
  /// Documents without the field of `within`, which meet each other.
  CountedRecords without_value;
  std::vector<DecodedTexts> decoded;  ///< by charset
  /// Pages named XHTML that are not well-formed XML, and were read by looser rules.
  std::uint64_t loose_xhtml = 0;
  /// Mails whose MIME is broken, or a charset of theirs unknown, that were read as far as it goes.
  std::uint64_t broken_mails = 0;
  /// Of schemes that match by whole signatures, copies counted too.
  std::optional<WithoutSignature> without_signature;
  std::optional<SignedCoordinates> coordinates;  ///< of schemes that have several
  std::vector<FoundByEdits> by_edits;            ///< likewise
  std::uint64_t text_bytes = 0;
  std::uint64_t spilled_bytes = 0;
  std::string started;  ///< UTC, as in "2026-01-31T23:59:59Z"
  double seconds = 0;
  double cpu_seconds = 0;
  std::vector<StageTime> stages;        ///< in order
  std::uint64_t peak_memory_bytes = 0;  ///< of the process since it began
  bool resumed = false;
  /// A finished run of the same command was found: all else is of that run, times too.
  bool already_done = false;
  /// Files written, by name, without summary.json; none of a dry run.
  std::vector<OutputFile> outputs;
  /// summary.json byte for byte, also if the run was already done; for a dry run, the one it would
  /// write.
  std::string json;
};

}  // namespace twinset
