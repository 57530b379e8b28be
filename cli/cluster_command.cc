// twinset cluster and twinset recut: who is like whom, at any threshold.
#include <fmt/core.h>

#include <map>

#include "common.h"
#include "twinset/cluster.h"

namespace twinset::cli {
namespace {

struct ClusterArguments {
  ClusterOptions options;
  std::string paper;
  bool json = false;
  bool quiet = false;
};

struct RecutArguments {
  RecutOptions options;
};

void print_count(std::uint64_t count, std::string_view what) {
  fmt::print("{:>14}  {}\n", with_separators(count), what);
}

void print_clusters(const ClusterSummary& summary) {
  const std::uint64_t mixed = summary.all.clusters - summary.identical_only.clusters;
  fmt::print("{:>14}  cluster{} of {} documents, the largest of {}\n",
             with_separators(summary.all.clusters), summary.all.clusters == 1 ? "" : "s",
             with_separators(summary.all.documents), with_separators(summary.largest));
  fmt::print("{:>14}  of identical documents only ({}), {} of others ({})\n",
             with_separators(summary.identical_only.clusters),
             with_separators(summary.identical_only.documents), with_separators(mixed),
             with_separators(summary.all.documents - summary.identical_only.documents));
}

/// "about 8.2 % (5.9 to 11.2)".
std::string share_text(const PairShare& share) {
  return fmt::format("{:.1f} % ({:.1f} to {:.1f})", share.value * 100, share.low * 100,
                     share.high * 100);
}

/// Pairs that this run does not see or may get wrong.
void print_limits(const ClusterSummary& summary, const ClusterOptions& options) {
  if (summary.too_few_keys > 0) {
    fmt::print("{} more pairs look alike by fewer than {} shared keys and are left out\n",
               with_separators(summary.too_few_keys), summary.least_keys);
  }
  if (const auto& edges = summary.checked_edges; edges.has_value()) {
    if (edges->checked == summary.edges) {
      fmt::print("of these edges {} are wrong by their texts\n", with_separators(edges->wrong));
    } else {
      fmt::print("of these edges {} are wrong: {} of {} taken at random are, by their texts\n",
                 share_text(edges->share), with_separators(edges->wrong),
                 with_separators(edges->checked));
    }
  }
  if (const auto& unseen = summary.unseen_pairs; unseen.has_value()) {
    fmt::print("of the pairs at {}, {} share no key and are not seen\n", options.resemblance.text(),
               share_text(*unseen));
  }
}

void print_pairs(const ClusterSummary& summary) {
  const std::uint64_t pairs = summary.counts_keys ? summary.counted_pairs : summary.candidate_pairs;
  fmt::print("{} {}pair{}{}", with_separators(pairs), summary.counts_keys ? "" : "candidate ",
             pairs == 1 ? "" : "s", summary.counts_keys ? " counted, " : ", ");
  if (summary.check == PairCheck::exact) {
    fmt::print("{} verified by {} texts, ", with_separators(summary.verified_pairs),
               with_separators(summary.verified_texts));
  }
  fmt::print("{} kept, {} at the threshold\n", with_separators(summary.kept_pairs),
             with_separators(summary.edges));
}

void print_summary(const ClusterSummary& summary, const ClusterOptions& options) {
  print_count(summary.read, "records read");
  if (summary.quarantined > 0) print_count(summary.quarantined, "quarantined");
  if (summary.filtered > 0) print_count(summary.filtered, "filtered (--min-tokens)");
  print_count(summary.identical + summary.lexical,
              fmt::format("folded: {} identical, {} lexical", with_separators(summary.identical),
                          with_separators(summary.lexical)));
  if (summary.mostly_common > 0) {
    print_count(summary.mostly_common, "not comparable (common shingles)");
  }
  if (summary.without_keys > 0) print_count(summary.without_keys, "not comparable (no key)");
  print_clusters(summary);
  fmt::print("\n{}\n", summary.scheme);
  if (!summary.plan.empty()) fmt::print("{}\n", summary.plan);
  if (summary.counts_keys) {
    fmt::print("{} keys, {} of them shared, {} common\n", with_separators(summary.keys),
               with_separators(summary.groups), with_separators(summary.common_keys));
  }
  print_pairs(summary);
  print_limits(summary, options);
  fmt::print("{:.2f} s, {:.2f} s of CPU, {:.0f} MB of text at {:.0f} MB/s, {:.0f} MB of memory\n",
             summary.seconds, summary.cpu_seconds, static_cast<double>(summary.text_bytes) / 1e6,
             static_cast<double>(summary.text_bytes) / 1e6 / std::max(summary.seconds, 1e-3),
             static_cast<double>(summary.peak_memory_bytes) / 1e6);
  print_predictions(summary);
  fmt::print("output in {}\n", options.output);
  if (!options.report.empty()) fmt::print("report in {}\n", options.report);
}

int run(ClusterArguments& arguments) {
  ClusterOptions& options = arguments.options;
  if (!arguments.paper.empty()) {
    if (const Status known = use_paper(arguments.paper, options); !known.ok()) {
      return fail(known.error());
    }
  }
  std::unique_ptr<ProgressSink> progress = make_progress(arguments.quiet);
  Result<ClusterSummary> done =
      cluster(options, RunControl{&interrupted(), progress.get(), nullptr});
  progress.reset();  // the bar goes before anything else is printed
  if (!done.ok()) return fail(done.error());
  const ClusterSummary& summary = done.value();
  if (summary.already_done) {
    if (arguments.json) fmt::print("{}", summary.json);
    return say_already_done(options.output);
  }
  print_facts(summary);
  if (arguments.json) {
    fmt::print("{}", summary.json);
  } else {
    print_summary(summary, options);
    if (!arguments.paper.empty()) fmt::print("\n{}", paper_text(summary));
  }
  return 0;
}

int run_recut(RecutArguments& arguments) {
  Result<ClusterSummary> done =
      recut(arguments.options, RunControl{&interrupted(), nullptr, nullptr});
  if (!done.ok()) return fail(done.error());
  const ClusterSummary& summary = done.value();
  print_facts(summary);
  print_clusters(summary);
  fmt::print("{} of {} pairs kept reach the threshold, {:.2f} s\n", with_separators(summary.edges),
             with_separators(summary.kept_pairs), summary.seconds);
  if (!arguments.options.output.empty()) fmt::print("output in {}\n", arguments.options.output);
  return 0;
}

}  // namespace

void add_cluster(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<ClusterArguments>();
  ClusterOptions& options = arguments->options;
  options.command = std::move(command);
  CLI::App& verb = *app.add_subcommand(
      "cluster", "which documents are like each other, at any threshold; removes none");
  verb.add_option("IN", options.inputs,
                  "JSONL (.gz, .zst), text files, folders, globs; - is standard input")
      ->required();
  verb.add_option("-o,--output", options.output, "folder to make; missing or empty")->required();
  add_input_options(verb, options.input);
  add_ratio(verb, "--resemblance,-r", options.resemblance,
            "documents of this resemblance are one cluster [0.5]")
      ->group("What is a cluster");
  add_ratio(verb, "--containment,-c", options.containment,
            "... or of which one contains so much of the other")
      ->group("What is a cluster");
  const std::map<std::string, ClusterShape> shapes{{"components", ClusterShape::components},
                                                   {"stars", ClusterShape::stars}};
  verb.add_option("--shape", options.shape,
                  "components: all that is connected; stars: each like its representative "
                  "[components]")
      ->transform(CLI::Transformer(shapes).description(""))
      ->type_name("components|stars")
      ->group("What is a cluster");
  add_count(verb, "--min-tokens", options.min_tokens, "shorter documents are filtered out")
      ->group("What is a cluster");
  verb.add_option("--scheme", options.scheme,
                  "mod or min, whose shared keys count; of other schemes one shared key makes a "
                  "candidate, so that pairs are seen as far as the scheme's plan finds them "
                  "[mod(samples=64); with --containment mod(modulus=16)]")
      ->group("How");
  verb.add_option("--verify", options.check,
                  "exact: the two texts decide; sketch: an estimate decides, and the summary says "
                  "how many edges are wrong; none: documents that share a key are one cluster "
                  "[exact]")
      ->transform(CLI::Transformer(std::map<std::string, PairCheck>{{"exact", PairCheck::exact},
                                                                    {"sketch", PairCheck::sketch},
                                                                    {"none", PairCheck::none}})
                      .description(""))
      ->type_name("exact|sketch|none")
      ->group("How");
  verb.add_option("--analyzer", options.analyzer, "how text becomes tokens")
      ->capture_default_str()
      ->group("How");
  add_ratio(verb, "--floor", options.floor,
            "keep pairs from this resemblance on, for recut; 0, with --verify: all that are "
            "counted [--resemblance]")
      ->group("How");
  add_count(verb, "--max-group", options.max_group,
            "shingles in more documents are common and left out (0: none) [1000]")
      ->group("How");
  add_count(verb, "--max-meetings", options.max_meetings,
            "refuse to count if documents would meet more often under their keys "
            "[100000000000]")
      ->group("How");
  verb.add_option("--paper", arguments->paper,
                  "broder97: that paper's parameters, and its figures beside this run's; sets "
                  "--scheme, --resemblance, --max-group, --floor, and --verify sketch")
      ->group("How");
  add_count(verb, "--seed", options.seed, "seed of the sketches")->group("How");
  add_count(verb, "--max-bad", options.max_bad, "stop at more bad records than this")->group("How");
  verb.add_option("--report", options.report, "HTML file to make")->group("Output");
  verb.add_flag("--json", arguments->json, "the summary as JSON on standard output")
      ->group("Output");
  verb.add_flag("--quiet,-q", arguments->quiet, "no progress")->group("Output");
  add_resource_options(verb, options.resources);
  verb.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

void add_recut(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<RecutArguments>();
  RecutOptions& options = arguments->options;
  options.command = std::move(command);
  CLI::App& verb = *app.add_subcommand(
      "recut", "the clusters of another threshold, from the pairs that cluster kept");
  verb.add_option("DIR", options.from, "folder that cluster made")->required();
  verb.add_option("-o,--output", options.output, "folder to make [count only]");
  add_ratio(verb, "--resemblance,-r", options.resemblance, "as for cluster [as it was]");
  add_ratio(verb, "--containment,-c", options.containment, "as for cluster [as it was]");
  const std::map<std::string, ClusterShape> shapes{{"components", ClusterShape::components},
                                                   {"stars", ClusterShape::stars}};
  verb.add_option("--shape", options.shape, "as for cluster [as it was]")
      ->transform(CLI::Transformer(shapes).description(""))
      ->type_name("components|stars");
  add_resource_options(verb, options.resources);
  verb.callback([arguments, &exit_code] { exit_code = run_recut(*arguments); });
}

}  // namespace twinset::cli
