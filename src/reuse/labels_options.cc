// The options of labels; this file's interface is options_of().
#include "run/common_options.h"
#include "twinset/labels.h"

namespace twinset {

std::vector<Option> options_of(LabelsOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      required({"inputs FILE", &options.inputs, decides, most_used,
                "show: a file of labels; merge: files of labels; import: lists of AuntieTuna, or "
                "lines as show --json prints them, plain, .gz or .zst; - for standard input"}),
      {"-o, --output FILE", &options.output, unrecorded, most_used,
       "merge, import: file of labels to make"},
      {"--top N", &options.top, decides, most_used,
       "show: the N most frequent, these first; 0: all, by their hashes"},
      {"--rules RULES", &options.rules, decides, most_used,
       "import: how the chunks of the lines were made, if no line says it, as in show",
       "of the first line"},
  });
}

}  // namespace twinset
