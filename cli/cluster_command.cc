// twinset cluster and twinset recut: which documents are alike, at any threshold.
#include <fmt/core.h>

#include "options.h"
#include "twinset/cluster.h"

namespace twinset::cli {
namespace {

struct ClusterArguments {
  ClusterOptions options;
  std::string paper;
  Talk talk;
};

struct RecutArguments {
  RecutOptions options;
  Talk talk;
};

std::string count_line(std::uint64_t count, std::string_view what) {
  return fmt::format("{:>14}  {}\n", with_separators(count), what);
}

std::string clusters_text(const ClusterSummary& summary) {
  const std::uint64_t mixed = summary.all.clusters - summary.identical_only.clusters;
  return fmt::format("{:>14}  cluster{} of {} documents; the largest has {}\n",
                     with_separators(summary.all.clusters), summary.all.clusters == 1 ? "" : "s",
                     with_separators(summary.all.documents), with_separators(summary.largest)) +
         fmt::format("{:>14}  of identical documents only ({}), {} of others ({})\n",
                     with_separators(summary.identical_only.clusters),
                     with_separators(summary.identical_only.documents), with_separators(mixed),
                     with_separators(summary.all.documents - summary.identical_only.documents));
}

std::string documents_text(const ClusterSummary& summary) {
  std::string text = count_line(summary.read, "records read");
  if (summary.quarantined > 0) {
    text += count_line(summary.quarantined, "could not be read: see quarantine.jsonl");
  }
  if (summary.filtered > 0) {
    text += count_line(summary.filtered, "shorter than --min-tokens, left out");
  }
  text +=
      count_line(summary.identical + summary.lexical,
                 fmt::format("exact copies: {} identical, {} differing only in case or "
                             "punctuation",
                             with_separators(summary.identical), with_separators(summary.lexical)));
  if (summary.mostly_common > 0) {
    text += count_line(summary.mostly_common, "not comparable (common shingles)");
  }
  if (summary.without_keys > 0) text += count_line(summary.without_keys, "not comparable (no key)");
  return text + clusters_text(summary);
}

/// "8.2 % (5.9 to 11.2)".
std::string share_text(const PairShare& share) {
  return fmt::format("{:.1f} % ({:.1f} to {:.1f})", share.value * 100, share.low * 100,
                     share.high * 100);
}

/// Pairs that this run does not see or may get wrong.
std::string limits_text(const ClusterSummary& summary, const ClusterOptions& options) {
  std::string text;
  if (summary.too_few_keys > 0) {
    text += fmt::format("{} more pairs look alike by fewer than {} shared keys and are left out\n",
                        with_separators(summary.too_few_keys), summary.least_keys);
  }
  if (const auto& edges = summary.checked_edges; edges.has_value()) {
    const std::string wrong = with_separators(edges->wrong);
    text += edges->checked == summary.edges
                ? "of the " + counted(summary.edges, "edge") + " " + wrong +
                      " are wrong by their texts\n"
                : fmt::format(
                      "of the edges {} are wrong: {} of {} random ones are, by their "
                      "texts\n",
                      share_text(edges->share), wrong, with_separators(edges->checked));
  }
  if (const auto& unseen = summary.unseen_pairs; unseen.has_value()) {
    text += fmt::format("of the pairs at {}, {} share no key and are not seen\n",
                        options.resemblance.text(), share_text(*unseen));
  }
  return text;
}

std::string pairs_text(const ClusterSummary& summary) {
  std::string text =
      counted(summary.counts_keys ? summary.counted_pairs : summary.candidate_pairs, "pair");
  text += summary.counts_keys ? " counted, " : " looked alike by a shared key, ";
  if (summary.check == Check::exact) {
    text += with_separators(summary.verified_pairs) + " checked against " +
            counted(summary.verified_texts, "text") + ", ";
  }
  return text + with_separators(summary.kept_pairs) + " kept, " + with_separators(summary.edges) +
         " at the threshold\n";
}

/// The engine's part, for --verbose.
std::string counting_text(const ClusterSummary& summary) {
  std::string text = "\n" + summary.scheme + "\n";
  if (!summary.plan.empty()) text += summary.plan + "\n";
  if (summary.counts_keys) {
    text += fmt::format("{} keys, {} of them shared, {} too common to count\n",
                        with_separators(summary.keys), with_separators(summary.groups),
                        with_separators(summary.common_keys));
  }
  return text + pairs_text(summary) + engine_text(summary);
}

std::string after_cluster(const ClusterOptions& options) {
  std::string text = "\noutput in " + options.output + "\n";
  if (!options.report.empty()) return text + "report in " + options.report + "\n";
  return text + "next: twinset recut " + shell_word(options.output) +
         " -r 0.7 counts the clusters of another threshold\n";
}

int run_cluster(ClusterArguments& arguments) {
  ClusterOptions& options = arguments.options;
  const Talk& talk = arguments.talk;
  if (!arguments.paper.empty()) {
    if (const Status known = use_paper(arguments.paper, options); !known.ok()) {
      return fail(known.error());
    }
  }
  std::unique_ptr<ProgressSink> progress = make_progress(talk);
  Result<ClusterSummary> done =
      cluster(options, RunControl{&interrupted(), progress.get(), nullptr});
  progress.reset();  // the bar goes before anything else is printed
  if (!done.ok()) return fail(done.error());
  const ClusterSummary& summary = done.value();
  if (summary.already_done) {
    if (talk.json) print_bytes(summary.json);
    say_already_done(options.output, summary, talk);
    return exit_code_of(summary, options.input);
  }
  print_facts(summary, talk);
  if (talk.json) {
    print_bytes(summary.json);
  } else if (!talk.quiet) {
    print(documents_text(summary) + limits_text(summary, options));
    if (talk.verbose) print(counting_text(summary));
    print(after_cluster(options));
    if (!arguments.paper.empty()) print("\n" + paper_text(summary));
  }
  return exit_code_of(summary, options.input);
}

int run_recut(RecutArguments& arguments) {
  const Talk& talk = arguments.talk;
  Result<ClusterSummary> done =
      recut(arguments.options, RunControl{&interrupted(), nullptr, nullptr});
  if (!done.ok()) return fail(done.error());
  const ClusterSummary& summary = done.value();
  print_facts(summary, talk);
  if (talk.json) print_bytes(summary.json);
  if (talk.quiet || talk.json) return 0;
  print(clusters_text(summary));
  print(with_separators(summary.edges) + " of " + counted(summary.kept_pairs, "pair") +
        " that cluster kept reach the threshold\n");
  if (!arguments.options.output.empty()) {
    print("\noutput in " + arguments.options.output + "\n");
  }
  return 0;
}

const std::vector<std::pair<std::string, ClusterShape>> cluster_shapes{
    {"components", ClusterShape::components}, {"stars", ClusterShape::stars}};

}  // namespace

void add_cluster(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<ClusterArguments>();
  ClusterOptions& options = arguments->options;
  options.command = std::move(command);
  CLI::App& verb =
      add_verb(app, "cluster", "group documents that are alike, at any threshold; removes none",
               {{"twinset cluster crawl.jsonl.gz -o groups --report groups.html",
                 "writes the clusters to groups/clusters.jsonl.zst and makes a page to look at"},
                {"twinset cluster crawl.jsonl.gz -o groups-0.7 -r 0.7 --shape stars",
                 "every member resembles its cluster's representative by at least 0.7"}});
  add_inputs(verb, options.inputs);
  add_text(verb, "-o,--output", options.output, "DIR", "folder to make; missing or empty")
      ->required()
      ->group(group::most_used);
  add_ratio(verb, "-r,--resemblance", options.resemblance,
            "join documents whose resemblance is at least this [0.5]")
      ->group(group::most_used);
  add_ratio(verb, "-c,--containment", options.containment,
            "also join documents if this share of one appears in the other")
      ->group(group::most_used);
  add_choice<ClusterShape, ClusterShape>(
      verb, "--shape", options.shape, cluster_shapes,
      "components: all documents that pairs connect; stars: each member resembles the "
      "representative [components]")
      ->group(group::most_used);
  add_text(verb, "--report", options.report, "FILE",
           "HTML page to make, with the clusters to look at")
      ->group(group::most_used);

  add_input_options(verb, options.input);
  add_count(verb, "--min-tokens", options.min_tokens, "leave out documents of fewer words [0]")
      ->group(group::input);
  add_count(verb, "--max-bad", options.max_bad,
            "write nothing and exit 3 if more than N records cannot be read")
      ->group(group::input);
  add_talk_options(verb, arguments->talk);
  add_choice<std::optional<Check>, Check>(
      verb, "--verify", options.check,
      {{"exact", Check::exact}, {"sketch", Check::sketch}, {"none", Check::none}},
      "exact: the two texts decide; sketch: an estimate decides, and the summary says how many "
      "edges are wrong; none: join documents that share one key [exact]")
      ->group(group::method);
  add_scheme(verb, options.scheme,
             "mod or min count shared keys; with other schemes one shared key makes a pair to "
             "check, so that pairs of low resemblance may be missed [mod(samples=64); with "
             "--containment mod(modulus=16)]")
      ->group(group::method);
  add_analyzer(verb, options.analyzer);
  add_ratio(verb, "--floor", options.floor,
            "keep pairs from this resemblance on, so that recut can go down to it; 0, with "
            "--verify, keeps every pair that shares a key [the value of --resemblance]")
      ->group(group::method);
  add_count(verb, "--max-group", options.max_group,
            "ignore phrases found in more than N documents (0: never) [1000]")
      ->group(group::method);
  add_count(verb, "--max-meetings", options.max_meetings,
            "refuse to start if more comparisons than this are needed [100000000000]")
      ->group(group::method);
  offer(add_text(verb, "--paper", arguments->paper, "NAME",
                 "broder97: use that paper's --scheme, --resemblance, --max-group and --floor, and "
                 "--verify sketch; print its figures beside this run's"),
        {"broder97"})
      ->group(group::method);
  add_seed(verb, options.seed);
  add_resource_options(verb, options.resources);
  verb.callback([arguments, &exit_code] { exit_code = run_cluster(*arguments); });
}

void add_recut(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<RecutArguments>();
  RecutOptions& options = arguments->options;
  options.command = std::move(command);
  CLI::App& verb = add_verb(
      app, "recut", "make the clusters of another threshold from the pairs that cluster kept",
      {{"twinset recut groups -r 0.7", "counts the clusters at 0.7 without reading the texts"},
       {"twinset recut groups -r 0.7 -o groups-again", "also writes them"}});
  add_text(verb, "DIR", options.from, "DIR", "folder that cluster made")->required();
  add_text(verb, "-o,--output", options.output, "DIR", "folder to make [count only]")
      ->group(group::most_used);
  add_ratio(verb, "-r,--resemblance", options.resemblance, "the new threshold [as it was]")
      ->group(group::most_used);
  add_ratio(verb, "-c,--containment", options.containment, "the new threshold [as it was]")
      ->group(group::most_used);
  add_choice<std::optional<ClusterShape>, ClusterShape>(verb, "--shape", options.shape,
                                                        cluster_shapes, "the shape [as it was]")
      ->group(group::most_used);
  verb.add_flag("-q,--quiet", arguments->talk.quiet, "print errors only")->group(group::output);
  verb.add_flag("--json", arguments->talk.json, "print the summary as JSON")->group(group::output);
  add_resource_options(verb, options.resources);
  verb.callback([arguments, &exit_code] { exit_code = run_recut(*arguments); });
}

}  // namespace twinset::cli
