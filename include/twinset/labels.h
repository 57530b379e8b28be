// Files of labels: known chunks and files, which discover() makes and detect() finds again
// (docs/formats/labels.md). Shown, merged, and made from lists.
//
//   LabelsOptions options;
//   options.inputs = {"january.labels", "february.labels"};
//   options.output = "both.labels";
//   Result<LabelsSummary> merged = merge_labels(options, RunControl{});
//
// Threads: one call at a time per output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/option.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct Field;

/// A label has at most so many places where it was seen, by URLs of at most so many bytes.
inline constexpr std::size_t most_label_samples = 10;
inline constexpr std::size_t most_url_bytes = 2048;

struct LabelsOptions {
  /// Files of labels; of import: lists of AuntieTuna, or lines as show prints them, "-" for
  /// standard input.
  std::vector<std::string> inputs;
  std::string output{};   ///< merge, import: the file to make
  std::uint64_t top = 0;  ///< show: so many, the most frequent first; 0: all, by hash
  /// import: the rules by which the chunks of lines were made, if no line says it, such as
  /// "html(p,div) markup xxh3(seed=0) least=101"; empty: a line does.
  std::string rules{};
};

std::vector<Option> options_of(LabelsOptions& options);

struct LabelsSummary {
  std::uint64_t chunks = 0;
  std::uint64_t files = 0;
  std::string rules;  ///< how the chunks were cut
  std::string hash;   ///< of the file's content
};

/// What JSON holds (twinset/field.h).
std::vector<Field> fields_of(LabelsSummary& summary);

/// The labels of one file to `use`, with line ends: for a terminal one or two lines each or, with
/// `json`, a line that says the rules and then an object a line (docs/formats/labels.md).
/// Errors: usage, io, interrupted, and those of `use`.
Result<LabelsSummary> show_labels(const LabelsOptions& options, bool json,
                                  const std::function<Status(std::string_view lines)>& use,
                                  const RunControl& control);
/// One file of all of them: counts are summed. Errors: usage (labels of different rules or hashes,
/// naming both files; a file named twice; an output that exists), io, interrupted.
Result<LabelsSummary> merge_labels(const LabelsOptions& options, const RunControl& control);
/// A file of the labels that texts list. Errors: as merge, and io with file and line for what is no
/// label.
Result<LabelsSummary> import_labels(const LabelsOptions& options, const RunControl& control);

std::string to_text(const LabelsSummary& summary);
std::string to_json(const LabelsSummary& summary);

}  // namespace twinset
