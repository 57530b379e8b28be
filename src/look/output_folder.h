// Reads back a finished output folder: the verb that made it, its inputs, and everything
// needed to read these again.
//
//   Result<OutputFolder> made = open_output_folder(files, "clean");
//   for (const MadeInput& input : made.value().inputs) ...
//
// Relative names of inputs start from the folder in which the run was made, which is in
// summary.json, or from the current folder if the inputs are no longer there.
//
// Threads: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/json_read.h"
#include "io/reader.h"
#include "join/threshold.h"
#include "scheme/document_view.h"
#include "system/files.h"
#include "text/analyzer.h"
#include "twinset/cluster.h"
#include "twinset/collection.h"
#include "twinset/dedup.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

/// The files of an output folder in twinset's own formats.
inline constexpr std::string_view removed_file_name = "removed.jsonl.zst";
inline constexpr std::string_view clusters_file_name = "clusters.jsonl.zst";
inline constexpr std::string_view pairs_file_name = "pairs.jsonl.zst";
inline constexpr std::string_view quarantine_file_name = "quarantine.jsonl";

/// An input of a finished run.
struct MadeInput {
  Input input;  ///< `shown` as the run named it, `path` where it is now; empty: gone
  InputFacts facts;
};

struct OutputFolder {
  std::string path;
  std::string verb;  ///< "dedup", "cluster", "recut"
  std::variant<DedupSummary, ClusterSummary> summary;
  std::string scheme;             ///< full spec
  bool drops_templates = false;   ///< compares pages without them
  bool drops_forms = false;       ///< or, if this is set, too, texts without markup
  std::string run_folder;         ///< relative names of inputs start here
  bool elsewhere = false;         ///< run_folder is not the current one, and a name is relative
  std::vector<MadeInput> inputs;  ///< inputs, then references
  CollectionOptions options;      ///< of the run, as far as its summary records them
  Threshold threshold;
  FieldNames fields;
  ReaderLimits limits;
  const Analyzer* analyzer = nullptr;
  std::uint32_t analyzer_version = 0;  ///< of the run

  std::string file(std::string_view name) const { return path + "/" + std::string(name); }
  /// The input of that name in the run, or nullptr.
  const MadeInput* find(std::string_view shown) const;
  /// The rule by which the run compared texts, in shingles of that width; reads its templates.
  /// Errors (io): templates.table is missing, damaged, or of another build.
  Result<ViewRule> view_rule(FileSystem& files, unsigned shingle_tokens) const;
  /// A sentence if this build's analyzer is of another version; else empty.
  std::string analyzer_note() const;
  /// A sentence if relative names start from another folder than the current one.
  std::string folder_note() const;
};

/// Errors: usage (no folder of dedup, cluster or recut; one of an older version), io.
Result<OutputFolder> open_output_folder(FileSystem& files, const std::string& path);

}  // namespace twinset
