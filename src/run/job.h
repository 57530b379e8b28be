// The state that all passes of a run share, for any verb: the checked options, and the
// stores that pass 1 fills and the later passes join.
//
// Threads: set up by one, then read by all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/context.h"
#include "io/inputs.h"
#include "io/reader.h"
#include "join/candidates.h"
#include "join/fold.h"
#include "join/key_sample.h"
#include "join/shared_keys.h"
#include "join/verify.h"
#include "rows/rows.h"
#include "run/input_troubles.h"
#include "run/keep_rule.h"
#include "run/memory_plan.h"
#include "run/record_files.h"
#include "scheme/scheme.h"
#include "text/analyzer.h"
#include "twinset/collection.h"

namespace twinset {

/// A file that a run makes beside its output.
struct NewFile {
  std::string option;  ///< by which it was asked for
  std::string path;    ///< empty: none
};

/// The options that a verb gives to the shared parts of a run, besides the collection.
struct VerbOptions {
  std::string name;      ///< "dedup", "cluster"
  std::string identity;  ///< the verb and all its options that decide the output, as text
  std::vector<std::string> references;  ///< protected inputs: compared, never written
  std::string output;                   ///< folder to make
  std::string report;                   ///< HTML file to make; empty: none
  std::vector<NewFile> new_files;
  std::vector<std::string> own_names;  ///< names in the output that no input's may be
  bool writes_records = false;         ///< the output has files of its inputs' names
  bool dry_run = false;                ///< works in a folder of its own and removes it
  Threshold thresholds;
  std::string keep = "first";    ///< a KeepRule, as text
  bool sketches_decide = false;  ///< pairs are judged by sketches, so these must estimate
};

/// The options, parsed and checked; nothing here changes during the run.
struct Job {
  CollectionOptions options;
  VerbOptions verb;
  RunContext context;  ///< its memory is the whole budget; after pass 1 the part for rows
  MemoryPlan memory;
  InputList list;
  std::uint64_t reference_sources = 0;
  FieldNames fields;
  ReaderLimits limits;
  KeepRule keep;
  Threshold thresholds;
  const Analyzer* analyzer = nullptr;
  std::unique_ptr<Scheme> scheme;
  std::unique_ptr<Scheme> containment_scheme;  ///< counted keys for --containment, or null
  std::uint64_t fingerprint = 0;               ///< scheme fingerprint of every spilled file
  unsigned shingle_tokens = 5;                 ///< width of the shingles of exact verification
  bool keeps_sample_sizes = false;             ///< of counted keys, in place of sketches
  KeySample* sample = nullptr;                 ///< pass 1 adds to it, or null
  bool only_samples = false;                   ///< pass 1 stores nothing else
  RecordSink* kept = nullptr;                  ///< takes the kept records, or null
  std::string work;                            ///< folder of the run; holds `out/`
  std::string spill;                           ///< prefix of spilled files

  const Input& source(std::uint64_t index) const { return list.inputs[index]; }
  std::uint64_t sources() const { return list.inputs.size(); }
  /// Does one shared key make two documents candidates? Documents of equal bytes or tokens
  /// need no keys: they are folded.
  bool uses_bands() const {
    const SharedKey meaning = scheme->declaration().shared_key;
    return meaning == SharedKey::candidate ||
           (meaning == SharedKey::equal && scheme->shingle_tokens() != 0);
  }
  /// Bytes of each document's stored sketch.
  std::size_t stored_sketch_bytes() const {
    if (keeps_sample_sizes) return sizeof(SampleSizes) + counted_sketch_bytes();
    return uses_bands() ? scheme->stored_bytes() : 0;
  }
  /// The part of them after the sample sizes: a counted sketch, its length before it.
  std::size_t counted_sketch_bytes() const {
    return scheme->counts_sketches() ? sizeof(std::uint32_t) + scheme->most_stored_bytes() : 0;
  }
  /// The scheme whose keys are counted: the containment one or a counting main one.
  const Scheme* counted_scheme() const {
    if (containment_scheme != nullptr) return containment_scheme.get();
    return scheme->declaration().shared_key == SharedKey::count ? scheme.get() : nullptr;
  }
};

/// The stores that pass 1 fills.
struct Stores {
  std::unique_ptr<RecordFiles> records;
  std::unique_ptr<PartitionedRows<FingerprintRow>> fingerprints;
  std::unique_ptr<PartitionedRows<KeyRow>> bands;    ///< null without bands
  std::unique_ptr<PartitionedRows<KeyRow>> counted;  ///< null without counting
  std::unique_ptr<File> quarantine;
};

/// The progress of pass 1: everything that a checkpoint needs.
struct ReadState {
  bool finished = false;
  std::uint64_t source = 0;              ///< being read
  std::uint64_t source_lines = 0;        ///< of it, committed
  std::vector<std::uint64_t> lines;      ///< of the sources finished
  std::vector<std::uint64_t> checksums;  ///< of their raw bytes
  std::uint64_t source_records = 0;      ///< of it, quarantined ones included
  std::uint64_t records = 0;             ///< read, quarantined ones included
  std::uint64_t bad = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t tokens = 0;
  std::uint64_t keys = 0;       ///< of bands and counted
  std::uint64_t documents = 0;  ///< neither bad nor filtered
  std::uint64_t name_bytes = 0;
  RecordLengths record_lengths;
  std::uint64_t quarantine_bytes = 0;
  std::uint64_t large_bytes = 0;  ///< most that records and windows took of that share
  InputTroubles troubles;
  std::uint64_t not_utf8_records = 0;
  std::uint64_t not_utf8_sources = 0;
  std::uint64_t first_not_utf8 = 0;  ///< the first of these sources
  std::uint64_t last_not_utf8 = 0;   ///< and the last
};

}  // namespace twinset
