// The options of cluster and recut; this file's interface is their options_of().
#include "run/common_options.h"
#include "run/keep_rule.h"
#include "twinset/cluster.h"

namespace twinset {
namespace {

template <class Shape>
Choice shapes(Shape& shape) {
  return {&shape, {"components", "stars"}};
}

}  // namespace

std::vector<Option> options_of(ClusterOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return noting_typed(
      options,
      together({
          inputs_option(options),
          required({"-o, --output DIR", &options.output, unrecorded, most_used,
                    "folder to make; missing or empty"}),
          input_options(options.input),
          content_option(options.input),
          analyzer_option(options.analyzer),
          scheme_option(options.scheme,
                        "mod or min count shared keys; with other schemes one shared key makes a "
                        "pair to check, so that pairs of low resemblance may be missed",
                        "mod(samples=64); with --containment mod(modulus=16)"),
          {"--verify", Choice(&options.verify, {"exact", "sketch", "none"}), decides, method,
           "exact: the two texts decide; sketch: an estimate decides, and the summary says how "
           "many edges are wrong; none: join documents that share one key",
           "exact; sketch with a scheme that tells a distance or equal signatures"},
          {"-r, --resemblance SHARE", &options.resemblance, decides, most_used,
           "join documents whose resemblance is at least this"},
          {"-c, --containment SHARE", &options.containment, decides, most_used,
           "also join documents if this share of one appears in the other"},
          {"--fold", Choice(&options.fold, {"words", "shingles"}), decides, method,
           "documents that one stands for, so that only it is compared: those of equal words, or "
           "also those of an equal set of shingles, which reading all shingles of all texts takes; "
           "of an equal sample if estimates decide"},
          {"--shape", shapes(options.shape), decides, most_used,
           "components: all documents that pairs connect; stars: each member resembles the "
           "representative"},
          offering(KeepRule::forms(),
                   {"--lead RULE", &options.lead, decides, method,
                    "with --shape stars: the document that leads a star, by a rule of dedup's "
                    "--keep, such as oldest:FIELD or shortest-url",
                    "the first"}),
          within_option(options.within),
          {"--floor SHARE", &options.floor, decides, method,
           "keep pairs from this resemblance on, so that recut can go down to it; 0, with "
           "--verify, keeps every pair that shares a key",
           "the value of --resemblance"},
          {"--earlier DIR", &options.earlier, decides, method,
           "of an index: a folder that cluster made of it before, whose pairs are taken over"},
          template_options(options),
          {"--mark-templates", &options.mark_templates, decides, method,
           "pairs are of whole texts; mark those that do not reach the threshold without the "
           "templates of their sites, which are learned as for --templates drop"},
          min_tokens_option(options.min_tokens, input),
          exact_below_option(options.exact_below, input),
          max_bad_option(options.max_bad, unrecorded, input),
          distance_option(options),
          {"--neighbors", &options.neighbors, decides, output,
           "with a scheme of signatures: also list for each document all within the distance, in "
           "neighbors.jsonl.zst"},
          profile_option(options),
          max_group_option(options.max_group),
          {"--max-meetings N", &options.max_meetings, unrecorded, method,
           "refuse to start if more comparisons than this are needed"},
          seed_option(options),
          df_documents_option(options),
          report_option(options.report),
          shard_option(options.shard),
          resource_options(options.resources),
      }));
}

std::vector<Option> options_of(RecutOptions& options) {
  using enum OptionRole;
  using enum Heading;
  const std::string_view as_before = "as it was";
  return together({
      required({"from DIR", &options.from, decides, most_used, "folder that cluster made"}),
      {"-o, --output DIR", &options.output, unrecorded, most_used, "folder to make", "count only"},
      {"-r, --resemblance SHARE", &options.resemblance, decides, most_used, "the new threshold",
       as_before},
      {"-c, --containment SHARE", &options.containment, decides, most_used, "the new threshold",
       as_before},
      {"--distance BITS", &options.distance, decides, most_used,
       "the new distance, of a folder made by a scheme of signatures", as_before},
      {"--shape", shapes(options.shape), decides, most_used, "the shape", as_before},
      resource_options(options.resources),
  });
}

}  // namespace twinset
