// twinset cluster and twinset recut: similar documents, at any threshold.
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

/// The clusters at each distance; empty if distances did not decide.
std::string distances_text(const ClusterSummary& summary) {
  if (summary.distances.empty()) return {};
  std::string text = fmt::format("\n{:>8}  {:>14}  {:>10}  {:>10}  {:>22}\n", "distance", "pairs",
                                 "clusters", "documents", "near a document (self)");
  for (const DistanceCounts& at : summary.distances) {
    text += fmt::format("{:>8}  {:>14}  {:>10}  {:>10}  {:>13.2f} ({:>6.2f})\n",
                        fmt::format("<= {}", at.distance), with_separators(at.pairs),
                        with_separators(at.clusters), with_separators(at.documents),
                        at.mean_size_without_self, at.mean_size);
  }
  return text;
}

std::string documents_text(const ClusterSummary& summary) {
  std::string text;
  if (summary.templates) text += to_text(*summary.templates) + "\n";
  text += count_line(summary.read, "records read");
  if (summary.quarantined > 0) {
    text += count_line(summary.quarantined, "could not be read: see quarantine.jsonl");
  }
  if (summary.carried > 0) text += count_line(summary.carried, "carried: no documents");
  if (summary.filtered > 0) {
    text += count_line(summary.filtered, "shorter than --min-tokens, left out");
  }
  text +=
      count_line(summary.identical + summary.lexical,
                 fmt::format("exact copies: {} identical, {} differing only in case or "
                             "punctuation",
                             with_separators(summary.identical), with_separators(summary.lexical)));
  if (summary.mostly_common > 0) {
    text += count_line(summary.mostly_common, "of common shingles for the most part");
  }
  if (summary.without_keys > 0) text += count_line(summary.without_keys, "not comparable (no key)");
  if (summary.without_signature.has_value()) {
    text += without_signature_line(*summary.without_signature);
  }
  return text + clusters_text(summary) + distances_text(summary);
}

/// "8.2 % (5.9 to 11.2)".
std::string share_text(const Interval& share) {
  return fmt::format("{:.1f} % ({:.1f} to {:.1f})", share.value * 100, share.low * 100,
                     share.high * 100);
}

/// The pairs that this run does not see or may get wrong.
std::string limits_text(const ClusterSummary& summary) {
  std::string text;
  if (summary.too_few_keys > 0) {
    text += fmt::format("{} more pairs look alike by fewer than {} shared keys and are left out\n",
                        with_separators(summary.too_few_keys), summary.least_keys);
  }
  if (const auto& edges = summary.checked_edges; edges.has_value()) {
    // Of signatures: the texts resemble less than documents of a cluster should.
    const std::string how = summary.tells == Tells::resemblance
                                ? "wrong"
                                : "of a resemblance below " + summary.resemblance.text();
    const std::string wrong = with_separators(edges->wrong);
    text += edges->checked == summary.edges
                ? "of the " + counted(summary.edges, "edge") + " " + wrong + " are " + how +
                      " by their texts\n"
                : fmt::format(
                      "of the edges {} are {}: {} of {} random ones are, by their "
                      "texts\n",
                      share_text(edges->share), how, wrong, with_separators(edges->checked));
  }
  if (const auto& unseen = summary.unseen_pairs; unseen.has_value()) {
    text += fmt::format("of the pairs at {}, {} share no key and are not seen\n",
                        summary.resemblance.text(), share_text(*unseen));
  }
  return text;
}

std::string pairs_text(const ClusterSummary& summary) {
  std::string text =
      counted(summary.counts_keys ? summary.counted_pairs : summary.candidate_pairs, "pair");
  text += summary.counts_keys                ? " counted, "
          : summary.tells == Tells::distance ? " near by their signatures, "
                                             : " looked alike by a shared key, ";
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

std::string after_cluster(const ClusterOptions& options, const ClusterSummary& summary) {
  std::string text = "\noutput in " + options.output + "\n";
  if (!options.report.empty()) return text + "report in " + options.report + "\n";
  const bool coordinates = summary.check == Check::sketch && summary.tells == Tells::coordinate;
  if (summary.check == Check::none || coordinates) return text;
  return text + "next: twinset recut " + shell_word(options.output) +
         (summary.distances.empty() ? " -r 0.7 counts the clusters of another threshold\n"
                                    : " --distance 2 counts the clusters of another distance\n");
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
    print(documents_text(summary) + limits_text(summary));
    if (talk.verbose) print(counting_text(summary));
    print(after_cluster(options, summary));
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
  print(clusters_text(summary) + distances_text(summary));
  print(with_separators(summary.edges) + " of " + counted(summary.kept_pairs, "pair") +
        " that cluster kept reach the threshold\n");
  if (!arguments.options.output.empty()) {
    print("\noutput in " + arguments.options.output + "\n");
  }
  return 0;
}

}  // namespace

void add_cluster(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<ClusterArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb =
      add_verb(app, "cluster", "group documents that are alike, at any threshold; removes none",
               {{"twinset cluster crawl.jsonl.gz -o groups --report groups.html",
                 "writes the clusters to groups/clusters.jsonl.zst and makes a page to look at"},
                {"twinset cluster crawl.jsonl.gz -o groups-0.7 -r 0.7 --shape stars",
                 "every member resembles its cluster's representative by at least 0.7"}});
  const Option paper = offering(
      {"broder97"},
      {"--paper NAME", &arguments->paper, OptionRole::decides, Heading::method,
       "broder97: use that paper's --scheme, --resemblance, --max-group and --floor, and --verify "
       "sketch"});
  add_options(verb, {options_of(arguments->options), options_of(arguments->talk), {paper}});
  verb.callback([arguments, &exit_code] { exit_code = run_cluster(*arguments); });
}

void add_recut(CLI::App& app, std::string command, int& exit_code) {
  auto arguments = std::make_shared<RecutArguments>();
  arguments->options.command = std::move(command);
  CLI::App& verb = add_verb(
      app, "recut", "make the clusters of another threshold from the pairs that cluster kept",
      {{"twinset recut groups -r 0.7", "counts the clusters at 0.7 without reading the texts"},
       {"twinset recut groups -r 0.7 -o groups-again", "also writes them"}});
  Talk& talk = arguments->talk;
  add_options(
      verb,
      {options_of(arguments->options),
       {{"-q, --quiet", &talk.quiet, OptionRole::unrecorded, Heading::output, "print errors only"},
        {"--json", &talk.json, OptionRole::unrecorded, Heading::output,
         "print the summary as JSON"}}});
  verb.callback([arguments, &exit_code] { exit_code = run_recut(*arguments); });
}

}  // namespace twinset::cli
