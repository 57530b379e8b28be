// The options of the verbs of this room; this file's interface is their options_of().
#include "join/fate.h"
#include "run/common_options.h"
#include "twinset/look.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

Option numbers_option(bool& numbers) {
  return {"--numbers", &numbers, OptionRole::unrecorded, Heading::output,
          "print the numbers only, no passages"};
}

}  // namespace

std::vector<Option> options_of(CompareOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      required({"a A", &options.a, decides, most_used,
                "a text file, or FILE:RECORD for a record of a file"}),
      required({"b B", &options.b, decides, most_used, "the other document, named likewise"}),
      input_options(options.input),
      numbers_option(options.answer.numbers),
      analyzer_option(options.analyzer),
      template_options(options),
      {"--shingle N", &options.shingle, decides, method, "tokens in a shingle",
       "5; with --analyzer features 1"},
      {"--scheme SPEC", &options.scheme, decides, method,
       "also estimate the shares from the sketches of this scheme, with 95 % intervals: those of a "
       "run that does not read texts again",
       "no estimate"},
  });
}

std::vector<Option> options_of(ExplainOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      required({"folder DIR", &options.folder, decides, most_used, "folder that dedup made"}),
      required({"id ID", &options.id, decides, most_used, "the record's id, or FILE:RECORD"}),
      numbers_option(options.numbers),
  });
}

std::vector<Option> options_of(ShowOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return {
      required({"folder DIR", &options.folder, decides, most_used,
                "folder that dedup, cluster, recut, detect or spans made"}),
      {"cluster CLUSTER", &options.cluster, decides, most_used,
       "show the cluster of this document, an id or FILE:RECORD", "the largest clusters"},
      {"--kind", Choice(&options.kind, removal_kinds()), decides, most_used,
       "removed records of this kind, least alike first: identical, lexical, near or "
       "contained; pairs, in a folder of cluster"},
      {"-r, --resemblance LOW-HIGH", &options.resemblance, decides, most_used,
       "removed records (or pairs) of this resemblance, such as 0.8:0.85"},
      {"--top N", &options.top, decides, most_used, "show at most N"},
  };
}

std::vector<Option> options_of(RestoreOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return {
      required({"folder DIR", &options.folder, decides, most_used, "folder that dedup made"}),
      {"records RECORD", &options.records, decides, most_used,
       "ids of removed records, or FILE:RECORD"},
      {"--all", &options.all, decides, most_used, "restore every removed record"},
      {"--decisions FILE", &options.decisions, decides, most_used,
       "restore the records that this file of decisions says"},
      {"-o, --output DIR", &options.output, unrecorded, most_used,
       "folder to make, with the inputs' own names", "standard output"},
  };
}

}  // namespace twinset
