// The options of discover; this file's interface is its options_of().
#include "reuse/reuse_options.h"
#include "run/common_options.h"
#include "twinset/reuse.h"
#include "web/chunk_options.h"

namespace twinset {

std::vector<Option> options_of(DiscoverOptions& options) {
  using enum OptionRole;
  using enum Heading;
  Option inputs = inputs_option(options);
  inputs.is_required = false;
  return together({
      inputs,
      {"--from IN", &options.from, decides, most_used,
       "known content, read as the inputs are: all its chunks and files are labels. Without inputs "
       "only these"},
      {"-o, --output FILE", &options.output, unrecorded, most_used, "file of labels to make"},
      {"--over-files N", &options.over_files, decides, most_used,
       "a file of the inputs seen more often than this is a label"},
      {"--over-chunks N", &options.over_chunks, decides, most_used,
       "a chunk of the inputs seen more often than this is a label"},
      {"--stop FILE", &options.stop, decides, most_used,
       "a file of labels that are stop chunks: common without copying, and never labels", "none"},
      {"--stop-in-site N", &options.stop_in_site, decides, most_used,
       "a chunk on more pages of one site is a stop chunk: its template; 0: none is"},
      {"--stop-over-sites N", &options.stop_over_sites, decides, most_used,
       "a chunk on more sites is a stop chunk: a common idiom; 0: none is"},
      chunk_options(options.cutting),
      page_options(options.pages),
      {"--report FILE", &options.report, unrecorded, most_used,
       "HTML page to make: with plots of what is seen how often; its facts are beside it as .json"},
      {"--top N", &options.top, unrecorded, output, "labels to print, the most frequent first"},
      input_options(options.input),
      max_bad_option(options.max_bad, unrecorded, input),
      resource_options(options.resources),
  });
}

}  // namespace twinset
