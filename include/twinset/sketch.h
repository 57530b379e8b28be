// Signatures as lines that others can store: written by sketch(), joined by join_sketches().
//
//   SketchOptions options;
//   options.inputs = {"crawl.jsonl.zst"};
//   options.scheme = {"simhash", "mod"};
//   options.output = "signatures.jsonl.zst";
//   Result<SketchSummary> done = sketch(options, RunControl{});
//
// docs/formats/signatures.md describes the lines.
//
// Threads: one call at a time per output; a call uses resources.threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/collection.h"
#include "twinset/option.h"
#include "twinset/result.h"
#include "twinset/run.h"
#include "twinset/scheme.h"

namespace twinset {

struct Field;

struct SketchOptions : ReadingOptions, SigningOptions {
  std::uint64_t min_tokens = 0;          ///< leaves out shorter documents
  std::optional<std::uint64_t> max_bad;  ///< stops if more records are quarantined
  std::vector<std::string> scheme;       ///< specs; all are made in one pass. Empty: simhash
  std::string output;                    ///< file to make; empty: lines go to RunControl::kept
  std::string report;  ///< HTML page to make, and its facts beside it; empty: none
  /// Adds so many of a document's heaviest features to its line, of schemes that weigh features.
  std::uint64_t features = 0;
};

std::vector<Option> options_of(SketchOptions& options);

/// The heaviest features of a document under a scheme.
struct ListedFeatures : DocumentFeatures {
  std::string document;  ///< its id, a JSON value
  std::string scheme;    ///< full spec
};
std::vector<Field> fields_of(WeightedFeature& feature);
std::vector<Field> fields_of(ListedFeatures& listed);

struct SketchSummary : RunFacts {
  std::vector<std::string> schemes;       ///< full specs
  std::vector<WithoutSignature> without;  ///< by scheme
  std::vector<std::string> bad_records;   ///< the first ones, "file:record: reason"
  std::vector<ListedFeatures> features;   ///< of the first documents, if they were asked for
};
/// What the terminal and JSON say of it (twinset/field.h).
std::vector<Field> fields_of(SketchSummary& summary);

/// Writes a line for each document and scheme, in input order. Errors: usage (an option, a spec, an
/// output that exists), io, bad_records, interrupted; no output is left then.
Result<SketchSummary> sketch(const SketchOptions& options, const RunControl& control);

/// The counts, for a terminal.
std::string to_text(const SketchSummary& summary);

struct JoinOptions {
  std::vector<std::string> inputs;  ///< files of lines; "-" is standard input
  std::string output;               ///< file to make; empty: lines go to RunControl::kept
  /// The most bits in which signatures differ that are joined by distance; nullopt: 3.
  std::optional<std::uint64_t> distance;
  std::uint64_t max_meetings = 10'000'000'000;  ///< refuses to compare more signatures
  Resources resources;
};

std::vector<Option> options_of(JoinOptions& options);

struct JoinSummary : RunFacts {
  std::uint64_t lines = 0;
  std::uint64_t without = 0;  ///< lines without a signature
  std::uint64_t pairs = 0;
  std::string scheme;  ///< of all lines
};
/// What the terminal and JSON say of it (twinset/field.h).
std::vector<Field> fields_of(JoinSummary& summary);

/// Writes a line for each pair of lines whose signatures are near or equal; a line of the signature
/// of earlier ones is paired with the first of them alone. Holds ids in memory, about 100 bytes a
/// line. Errors: usage (lines of two schemes, or of one whose signatures only estimate), io (a line
/// that is none, with its place), interrupted.
Result<JoinSummary> join_sketches(const JoinOptions& options, const RunControl& control);

/// The counts, for a terminal.
std::string to_text(const JoinSummary& summary);

}  // namespace twinset
