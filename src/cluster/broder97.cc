// "Syntactic Clustering of the Web" as a setting: its parameters (sections 4 to 7; row B-08).
#include <string>
#include <string_view>

#include "twinset/cluster.h"

namespace twinset {

Status use_paper(std::string_view paper, ClusterOptions& options) {
  if (paper != "broder97") {
    return usage_error("no paper '" + std::string(paper) + "'; there is: broder97");
  }
  options.scheme = "mod(shingle=10, modulus=25, bits=40, hash=rabin)";
  options.resemblance = Ratio(1, 2);
  options.typed.insert(options.typed.end(), {"scheme", "resemblance"});
  options.max_group = 1000;
  options.floor = Ratio(0, 1);
  // As in the paper, unless the caller asks for the texts.
  if (!options.verify.has_value()) options.verify = Check::sketch;
  return {};
}

}  // namespace twinset
