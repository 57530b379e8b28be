// The collection that a run reads, and how: asked alike of every verb that reads one.
// DedupOptions, ClusterOptions, PlanOptions and EvaluateOptions are each CollectionOptions
// with the verb's own beside them.
//
//   ClusterOptions options;
//   options.inputs = {"crawl.jsonl.zst", "notes/"};
//   options.input.text_field = "body.text";
//   options.resources.threads = 4;
//
// Nothing here fails by itself: the verb that is given an option refuses a bad one
// (usage), before it reads anything.
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

/// Inputs, how documents are read and compared, and the machine's share.
struct CollectionOptions {
  std::vector<std::string> inputs;  ///< files, folders, globs, "-"
  InputSettings input;
  std::string analyzer = "words";
  std::string scheme;  ///< a spec, as `twinset schemes` lists them; empty: the verb's default
  std::uint64_t min_tokens = 0;          ///< shorter documents are left out
  std::optional<std::uint64_t> max_bad;  ///< stop if more records are quarantined
  std::uint64_t max_group = 1000;        ///< keys of more documents are common (B 5.1); 0: none
  std::uint64_t seed = 0;
  std::string command;  ///< as typed, for the report and the summary; changes nothing
  Resources resources;
};

}  // namespace twinset
