// The state that all passes of a run share, for any verb: the checked options, the collection, and
// the progress of a pass.
//
// Threads: set up by one, then read by all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collection/collection.h"
#include "collection/input_troubles.h"
#include "io/reader.h"
#include "join/threshold.h"
#include "run/keep_rule.h"
#include "run/memory_plan.h"
#include "run/shard.h"
#include "scheme/signer.h"
#include "system/context.h"
#include "system/process_memory.h"
#include "twinset/collection.h"

namespace twinset {

/// The templates of a run that drops these, in its output.
inline constexpr const char* templates_file = "templates.table";

class PageFile;
class KnownDocuments;

/// Where a run has its files.
enum class WorksIn : std::uint8_t {
  folder,  ///< VerbOptions::output, which a run that was killed continues
  own,     ///< a folder of its own, removed at the end
  memory   ///< no disk at all
};

/// The copies by sets of shingles that a run folds, beside those of equal words.
enum class FoldsSets : std::uint8_t {
  no,
  of_texts,   ///< all shingles
  of_samples  ///< those that the scheme samples
};

/// A file that a run makes, and that must be new.
struct NewFile {
  std::string option;  ///< the option that asks for it
  std::string path;    ///< empty: it is not asked for
};

/// The options of a verb, besides the collection's, that the shared parts of a run need.
struct VerbOptions {
  std::string name;      ///< "dedup", "cluster"
  std::string identity;  ///< the verb and all its options that affect the output, as text
  std::vector<std::string> references;  ///< protected inputs: compared, never written
  std::string output;                   ///< folder to make
  std::string report;                   ///< HTML page to make, with its facts as .json; empty: none
  std::vector<NewFile> new_files;       ///< besides the folder and a report in it
  std::vector<std::string> fields;      ///< of records, that the verb's own collectors read
  std::vector<std::string> own_names;   ///< names in the output that no input file may have
  bool writes_records = false;          ///< the output has a file with the name of each input
  std::optional<std::uint64_t> level;   ///< --level
  bool folds_empty = true;  ///< texts without tokens are copies if their bytes are equal
  bool signs = true;        ///< else the run has no scheme, and makes no signature
  WorksIn works_in = WorksIn::folder;
  Threshold thresholds;
  std::string keep = "first";    ///< a KeepRule, as text
  bool sketches_decide = false;  ///< sketches judge pairs, so the scheme must estimate
  FoldsSets folds_sets = FoldsSets::no;
  bool stores_nothing = false;  ///< the run only reads
  bool reads_again = false;     ///< texts are read again after pass 1
  bool as_it_comes = false;     ///< InputOptions::as_it_comes
  bool keeps_urls = false;      ///< TemplateSettings::url is read, whatever becomes of templates
  bool needs_tokens = true;     ///< else no text is tokenized, and none is checked for UTF-8
  std::string shard;  ///< "3/8": the run reads its share of the inputs, and keeps what it has of
                      ///< them; empty: it does all
  std::vector<std::string> shards;  ///< folders of all shards, taken over in place of reading
};

/// The options, parsed and checked; nothing here changes during the run.
struct Job {
  CollectionOptions options;
  VerbOptions verb;
  RunContext context;  ///< its memory is the whole budget; after pass 1 it is the rows' part
  MemoryPlan memory;
  MemoryLease lease;  ///< of that memory, for as long as the run
  std::shared_ptr<Collection> collection;
  std::uint64_t reference_sources = 0;  ///< protected sources; they come first
  SourceRange read;                     ///< the sources that pass 1 reads: all, or those of a shard
  FieldNames fields;
  ReaderLimits limits;
  KeepRule keep;
  Threshold thresholds;
  Signer signer;                    ///< how every text is analyzed and signed; its fingerprint is
                                    ///< that of every spilled file
  const PageFile* pages = nullptr;  ///< as an earlier reading saw them, or null
  KnownDocuments* known = nullptr;  ///< the documents of an index, which come before all, or null
  bool reads_named = true;          ///< the options name its inputs; else the caller gave them
  RecordSink* kept = nullptr;       ///< receives the kept records, or null
  std::string work;                 ///< folder of the run; holds `out/`
  std::string spill;                ///< prefix of spilled files

  const Source& source(std::uint64_t index) const { return collection->sources()[index]; }
  std::uint64_t sources() const { return collection->sources().size(); }
  /// A reader of a source, for decode() with the job's fields. The job outlives it. `frames`:
  /// ReaderLimits::frames.
  Result<std::unique_ptr<Reader>> open(std::uint64_t source,
                                       std::vector<StoredFrame>* frames = nullptr) const {
    ReaderLimits with_fields = limits;
    with_fields.fields = &fields;
    with_fields.frames = frames;
    return collection->open(source, with_fields);
  }
  /// The output for records of a source, in `folder` of the run's output.
  Result<std::unique_ptr<ByteSink>> create_output(std::uint64_t source,
                                                  const std::string& folder) const {
    // That of a smaller input is compressed by the caller alone.
    constexpr std::uint64_t least_large_bytes = std::uint64_t{1} << 20;
    // Two outputs, of kept and of removed records, take a quarter of the workers' shares.
    constexpr std::uint64_t waiting_part = 8;
    RunContext means = context;
    means.level = static_cast<unsigned>(verb.level.value_or(0));
    means.memory_bytes = memory.worker / waiting_part * std::max(1U, context.threads);
    if (this->source(source).stored_bytes < least_large_bytes) means.threads = 0;
    return collection->create_output(source, means, work + "/out", folder);
  }
};

/// Records of one kind, and the sources that have some.
struct SourceCount {
  std::uint64_t records = 0;
  std::uint64_t sources = 0;
  std::uint64_t first = 0;  ///< the first of these sources
  std::uint64_t last = 0;   ///< and the last

  /// Sources come in order.
  void add(std::uint64_t source, std::uint64_t more) {
    if (more == 0) return;
    if (sources == 0) first = source;
    if (sources == 0 || last != source) ++sources;
    last = source;
    records += more;
  }
  /// `later` counts later sources.
  void append(const SourceCount& later) {
    if (sources == 0) first = later.first;
    if (later.sources > 0) last = later.last;
    sources += later.sources;
    records += later.records;
  }
};

/// The progress of a pass: everything that a checkpoint needs besides the collectors.
struct ReadState {
  bool finished = false;
  std::uint64_t source = 0;              ///< the source being read
  std::uint64_t source_lines = 0;        ///< committed lines of `source`
  std::uint64_t source_checksum = 0;     ///< of the raw bytes of these
  std::vector<std::uint64_t> lines;      ///< by finished source
  std::vector<std::uint64_t> checksums;  ///< of their raw bytes
  std::uint64_t source_records = 0;      ///< of `source`, quarantined ones included
  std::uint64_t source_carried = 0;      ///< of these, no documents by their kind
  std::uint64_t records = 0;             ///< read, quarantined ones included
  std::uint64_t bad = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t tokens = 0;
  std::uint64_t documents = 0;    ///< neither bad nor filtered
  std::uint64_t large_bytes = 0;  ///< the most that records and windows took of MemoryPlan::large
  InputTroubles troubles;
  SourceCount not_utf8;
  SourceCount raw_html;
  bool text_per_line = false;         ///< of the only source: has_text_per_line()
  std::uint64_t exact_only = 0;       ///< documents below CollectionOptions::exact_below
  std::uint64_t short_documents = 0;  ///< with fewer tokens than a shingle, but one or more
  SourceCount without_document;       ///< all records of such sources
  SourceCount mended;                 ///< Record::mended
  SourceCount without_value;          ///< documents without the field of CollectionOptions::within
  LeftOutContent left_out;
  DecodedCounts decoded;

  /// Adds that of a pass over the next sources alone, which has nothing of the sources before.
  void append(const ReadState& later);
};

}  // namespace twinset
