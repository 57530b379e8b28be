// The options of serve; this file's interface is options_of() of serve.h.
#include "serve.h"

namespace twinset::service {

std::vector<Option> options_of(ServeOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return {
      required({"folders DIR", &options.folders, unrecorded, most_used,
                "an index, the output folder of a run, or one of each"}),
      {"--listen ADDRESS", &options.listen, unrecorded, most_used,
       "address and port; port 0: any that is free"},
      {"--token-file FILE", &options.token_file, unrecorded, most_used,
       "file with the token that each request must have; without it only this machine is served"},
      {"--host NAME", &options.host, unrecorded, most_used,
       "a name by which it is asked, such as that of a proxy; repeat it for several"},
      {"--read-only", &options.read_only, unrecorded, most_used,
       "add and delete nothing, and keep no decisions: another process may change the index"},
      {"--decisions FILE", &options.decisions, unrecorded, most_used,
       "file that decisions about records are added to", "the output's name and .decisions.jsonl"},
      {"--max-body SIZE", Bytes{&options.max_body, true}, unrecorded, resources,
       "most bytes of a request's body"},
      {"--time-limit MS", &options.time_limit, unrecorded, resources,
       "milliseconds that a question may take; /query and /filter then answer with what they "
       "have found"},
      {"--rate N", &options.rate, unrecorded, resources,
       "requests a second of each client address; more get 429", "any number"},
      {"-j, --threads N", &options.resources.threads, unrecorded, resources,
       "threads that compute answers", "one for each processor"},
      {"--memory SIZE", Bytes{&options.resources.memory, true}, unrecorded, resources,
       "memory for bodies of requests and for the rows of a run, beside the index",
       "half of the machine's"},
      {"--tmp DIR", &options.resources.tmp, unrecorded, resources, "folder for temporary files",
       "the system's"},
  };
}

}  // namespace twinset::service
