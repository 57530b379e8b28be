// The options of lexicon; this file's interface is options_of().
#include "run/common_options.h"
#include "stats/tables.h"
#include "twinset/lexicon.h"

namespace twinset {

std::vector<Option> options_of(LexiconOptions& options) {
  using enum OptionRole;
  using enum Heading;
  static const std::string inputs_help =
      "count: files to read, as for dedup; build: a df file, or files to count first; show: a df "
      "file or a lexicon, the built-in one of English if there is none; in place of a df file, the "
      "name of a built-in one: " +
      table_names();
  return together({
      {"inputs IN", &options.inputs, decides, input, inputs_help},
      {"-o, --output FILE", &options.output, unrecorded, most_used, "file to make"},
      {"--nidf LOW-HIGH", &options.nidf, decides, most_used,
       "build: the window of the terms to take; 0 is in all documents, 1 in one", "0.2:0.8"},
      {"--secondary LOW-HIGH", &options.secondary, decides, most_used,
       "build: a window of rarer terms, which documents of few terms fall back on; 0.8:1.0 goes "
       "on after the usual window",
       "none"},
      {"--secondary-terms N", &options.secondary_terms, decides, most_used,
       "build: take at most N of these, the most frequent first", "all"},
      {"--min-df N", &options.min_df, decides, most_used, "leave out terms of fewer documents",
       "count: 1, build: 2"},
      {"--note TEXT", &options.note, recorded, most_used,
       "a sentence to keep in the file, such as the source and its license"},
      input_options(options.input),
      analyzer_option(options.analyzer),
      min_tokens_option(options.min_tokens, method),
      max_bad_option(options.max_bad, unrecorded, input),
      resource_options(options.resources),
  });
}

}  // namespace twinset
