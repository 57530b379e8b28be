#include "run/common_options.h"
#include "twinset/merge.h"

namespace twinset {

std::vector<Option> options_of(MergeOptions& options) {
  return together({
      required({"parts PART", &options.parts, OptionRole::decides, Heading::input,
                "folders of all shards of one run, in any order"}),
      required({"-o, --output DIR", &options.output, OptionRole::unrecorded, Heading::most_used,
                "folder to make; missing or empty"}),
      resource_options(options.resources),
  });
}

}  // namespace twinset
