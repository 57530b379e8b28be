// The options of filter; this file's interface is their options_of().
#include "run/common_options.h"
#include "twinset/filter.h"

namespace twinset {

std::vector<Option> options_of(MessageSettings& settings) {
  using enum OptionRole;
  using enum Heading;
  return together({
      {"-r, --resemblance SHARE", &settings.resemblance, decides, most_used,
       "a message matches a prototype of at least this resemblance"},
      {"-c, --containment SHARE", &settings.containment, decides, most_used,
       "and one that contains so much of it, or of which it contains so much"},
      {"--min-tokens N", &settings.min_tokens, decides, most_used,
       "a message of fewer tokens is unknown, and no prototype"},
      {"--time-limit MS", &settings.time_limit, decides, most_used,
       "a message of which nothing is found in so many milliseconds is unknown"},
      max_group_option(settings.max_group),
  });
}

std::vector<Option> options_of(FilterSettings& settings) {
  using enum OptionRole;
  using enum Heading;
  return together({
      options_of(static_cast<MessageSettings&>(settings)),
      {"--expire-after DAYS", &settings.expire_after, decides, most_used,
       "a prototype goes so many days after it was added"},
      {"--expire-unused DAYS", &settings.expire_unused, decides, most_used,
       "a prototype goes that no message has matched for so many days"},
  });
}

std::vector<Option> options_of(FilterOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      {"inputs IN", &options.inputs, decides, input, "messages to check, as files for dedup"},
      {"--prototypes IN", &options.prototypes, decides, most_used,
       "files and folders of prototypes, which are added to the set first; repeat it for several"},
      {"--set DIR", &options.set, decides, most_used,
       "the set of prototypes, an index, which is made if there is none",
       "one that is forgotten at the end"},
      {"--listen SOCKET", &options.listen, unrecorded, most_used,
       "in place of inputs, serve a local socket: a line of JSON for each request"},
      {"--emit", Choice(&options.emit, {"verdicts", "match", "pass"}), decides, most_used,
       "a line for each message; or the records that match; or all others"},
      options_of(static_cast<FilterSettings&>(options)),
      {"--scheme SPEC", &options.settings.scheme, decides, method,
       "of a set that is made: a scheme whose keys lead to prototypes, fss if none is given; "
       "repeat it for several"},
      {"--distance BITS", &options.settings.distance, decides, method,
       "of a set that is made: signatures that differ in at most so many bits are near, 0 to 7"},
      {"--sketches", &options.sketches, decides, method,
       "of a set that is made: keep no texts, so that sketches judge"},
      analyzer_option(options.settings.analyzer),
      {"-o, --output FILE", &options.output, unrecorded, output,
       "file to make, in place of standard output"},
      input_options(options.input),
      max_bad_option(options.max_bad, unrecorded, input),
      resource_options(options.resources),
  });
}

}  // namespace twinset
