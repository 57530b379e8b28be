// The options of spans; this file's interface is its options_of().
#include "run/common_options.h"
#include "twinset/spans.h"

namespace twinset {

std::vector<Option> options_of(SpansOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      inputs_option(options),
      {"--against IN", &options.against, decides, removal,
       "texts that come before all inputs: passages of an input are looked for in them, too"},
      {"-o, --output DIR", &options.output, unrecorded, most_used,
       "folder to make; missing or empty. Without it two texts, FILE or FILE:RECORD, are compared "
       "and their spans printed"},
      {"--min-tokens N", &options.min_tokens, decides, most_used,
       "the fewest words in a row that make a span, 1 to 10000", "50; of two texts 20"},
      {"--all-pairs", &options.all_pairs, decides, most_used,
       "a span for every two places of a passage, not for the first and the nearest one before"},
      {"--across", &options.across, decides, most_used,
       "only passages that an earlier text has, not those that a text repeats within itself"},
      {"--cut", &options.cut, decides, most_used,
       "also write cut/: copies of the inputs whose texts keep only the first place of each "
       "passage"},
      level_option(options.level),
      within_option(options.within),
      input_options(options.input),
      analyzer_option(options.analyzer),
      max_bad_option(options.max_bad, unrecorded, input),
      {"--max-meetings N", &options.max_meetings, unrecorded, method,
       "with --all-pairs: refuse to start if there are more pairs of places than this"},
      report_option(options.report),
      resource_options(options.resources),
  });
}

}  // namespace twinset
