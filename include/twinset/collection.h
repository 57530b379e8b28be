// The collection that a run reads, and how it reads it. DedupOptions, ClusterOptions,
// PlanOptions and EvaluateOptions are each CollectionOptions with the verb's own options.
//
//   ClusterOptions options;
//   options.inputs = {"crawl.jsonl.zst", "notes/"};
//   options.input.text_field = "body.text";
//   options.resources.threads = 4;
//
// Nothing here fails by itself: the verb refuses a bad option (usage) before it reads
// anything.
//
// Threads: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/run.h"

namespace twinset {

/// How to read records.
struct InputSettings {
  /// A format's name; empty: by extension. With "html" the texts in JSON Lines are pages.
  std::string format;
  std::string text_field = "text";  ///< nested names are joined by dots
  std::string id_field = "id";
  std::uint64_t max_record_bytes = std::uint64_t{64} << 20;
  std::uint64_t limit = 0;  ///< read at most so many records; 0: all
  /// Leaves out inputs that cannot be read, and lets a run with damaged inputs succeed.
  bool allow_lost = false;
};

/// Inputs, how documents are read and compared, and the machine's share.
struct CollectionOptions {
  std::vector<std::string> inputs;  ///< files, folders, globs, "-"
  InputSettings input;
  std::string analyzer = "words";
  std::string scheme;  ///< a spec, as `twinset schemes` lists them; empty: the verb's default
  std::uint64_t min_tokens = 0;          ///< leaves out shorter documents
  std::optional<std::uint64_t> max_bad;  ///< stops if more records are quarantined
  std::uint64_t max_group = 1000;        ///< a key of more documents is common (B 5.1); 0: never
  std::uint64_t seed = 0;
  std::string command;  ///< as typed, for the report and the summary; changes nothing
  Resources resources;
};

}  // namespace twinset
