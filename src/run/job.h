// The state that all passes of a run share, for any verb: the checked options, the collection,
// and how far a pass has come.
//
// Threads: set up by one, then read by all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/context.h"
#include "collection/collection.h"
#include "collection/input_troubles.h"
#include "io/reader.h"
#include "join/threshold.h"
#include "run/keep_rule.h"
#include "run/memory_plan.h"
#include "scheme/scheme.h"
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
  std::string report;                   ///< HTML page to make, with its facts as .json; empty: none
  std::vector<NewFile> new_files;
  std::vector<std::string> own_names;  ///< names in the output that no input's may be
  bool writes_records = false;         ///< the output has files of its inputs' names
  bool dry_run = false;                ///< works in a folder of its own and removes it
  Threshold thresholds;
  std::string keep = "first";    ///< a KeepRule, as text
  bool sketches_decide = false;  ///< pairs are judged by sketches, so these must estimate
  bool stores_nothing = false;   ///< a run that only looks
  bool reads_again = false;      ///< texts are read again after pass 1
};

/// The options, parsed and checked; nothing here changes during the run.
struct Job {
  CollectionOptions options;
  VerbOptions verb;
  RunContext context;  ///< its memory is the whole budget; after pass 1 the part for rows
  MemoryPlan memory;
  std::shared_ptr<Collection> collection;
  std::uint64_t reference_sources = 0;  ///< protected ones, which stand first
  FieldNames fields;
  ReaderLimits limits;
  KeepRule keep;
  Threshold thresholds;
  ViewRule view;  ///< of every text that the run reads
  std::unique_ptr<Scheme> scheme;
  std::unique_ptr<Scheme> containment_scheme;  ///< counted keys for --containment, or null
  std::uint64_t fingerprint = 0;               ///< scheme fingerprint of every spilled file
  bool in_memory = false;                      ///< no input of the options is read
  RecordSink* kept = nullptr;                  ///< takes the kept records, or null
  std::string work;                            ///< folder of the run; holds `out/`
  std::string spill;                           ///< prefix of spilled files

  const Source& source(std::uint64_t index) const { return collection->sources()[index]; }
  std::uint64_t sources() const { return collection->sources().size(); }
  /// Does one shared key make two documents candidates? Documents of equal bytes or tokens
  /// need no keys: they are folded.
  bool uses_bands() const {
    const SharedKey meaning = scheme->declaration().shared_key;
    return meaning == SharedKey::candidate ||
           (meaning == SharedKey::equal && scheme->shingle_tokens() != 0);
  }
  /// The scheme whose keys are counted: the containment one or a counting main one.
  const Scheme* counted_scheme() const {
    if (containment_scheme != nullptr) return containment_scheme.get();
    return scheme->declaration().shared_key == SharedKey::count ? scheme.get() : nullptr;
  }
};

/// The progress of a pass: everything that a checkpoint needs besides the collectors.
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
  std::uint64_t documents = 0;    ///< neither bad nor filtered
  std::uint64_t large_bytes = 0;  ///< most that records and windows took of that share
  InputTroubles troubles;
  std::uint64_t not_utf8_records = 0;
  std::uint64_t not_utf8_sources = 0;
  std::uint64_t first_not_utf8 = 0;  ///< the first of these sources
  std::uint64_t last_not_utf8 = 0;   ///< and the last
};

}  // namespace twinset
