// The options of sketch and join; this file's interface is their options_of().
#include "run/common_options.h"
#include "twinset/sketch.h"

namespace twinset {

std::vector<Option> options_of(SketchOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      inputs_option(options),
      {"--scheme SPEC", &options.scheme, decides, most_used,
       "scheme that makes the signatures, simhash if none is given; repeat it for several in one "
       "pass"},
      {"-o, --output FILE", &options.output, unrecorded, most_used,
       "file to make, .jsonl or .jsonl.zst", "standard output"},
      {"--features N", &options.features, decides, most_used,
       "add the N heaviest features of each document to its line, with their weights and bits, and "
       "show those of the first documents; of schemes that weigh features, such as simhash"},
      {"--report FILE", &options.report, unrecorded, output,
       "HTML page: how evenly the signatures spread, with chi-square; its facts as FILE.json "
       "beside it"},
      input_options(options.input),
      analyzer_option(options.analyzer),
      template_options(options),
      min_tokens_option(options.min_tokens, input),
      max_bad_option(options.max_bad, unrecorded, input),
      seed_option(options),
      df_documents_option(options),
      resource_options(options.resources),
  });
}

std::vector<Option> options_of(JoinOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      required({"inputs FILE", &options.inputs, decides, most_used,
                "files of lines that sketch made, plain, .gz or .zst; - for standard input"}),
      {"-o, --output FILE", &options.output, unrecorded, most_used,
       "file to make, .jsonl or .jsonl.zst", "standard output"},
      {"--distance BITS", &options.distance, decides, most_used,
       "join signatures that differ in at most so many bits, 0 to 7", "3"},
      {"--max-meetings N", &options.max_meetings, unrecorded, method,
       "refuse to start if more comparisons than this are needed"},
      resource_options(options.resources),
  });
}

}  // namespace twinset
