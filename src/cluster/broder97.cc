// "Syntactic Clustering of the Web" as a setting and as a yardstick: its parameters (sections 4 to
// 7), and its figures of 1996 beside those of a run (rows B-08, B-30, B-31).
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>

#include "report/numbers.h"
#include "twinset/cluster.h"

namespace twinset {
namespace {

// Section 7.
constexpr double paper_documents = 30e6;
constexpr double paper_bytes = 150e9;
constexpr double paper_keys = 600e6;
constexpr double paper_key_bytes = 5.5e9;
constexpr double paper_pair_bytes = 6e9;
constexpr double paper_clusters = 3.6e6;
constexpr double paper_clustered = 12.3e6;
constexpr double paper_identical_clusters = 2.1e6;
constexpr double paper_identical = 5.3e6;
constexpr double paper_mixed_clusters = 1.5e6;
constexpr double paper_mixed = 7e6;

/// A phase of section 7's table, and the stages of a run that do its work.
struct Phase {
  const char* name;
  double cpu_days;
  std::array<const char*, 2> stages;
};
constexpr std::array<Phase, 6> phases{{{"sketching", 4.6, {"read", ""}},
                                       {"duplicate elimination", 0.3, {"fold", ""}},
                                       {"shingle merging", 1.7, {"group", ""}},
                                       {"ID-ID pair formation", 0.7, {"count", ""}},
                                       {"ID-ID merging", 2.6, {"", ""}},
                                       {"cluster formation", 0.5, {"cluster", "write"}}}};

constexpr double seconds_a_day = 86400;
/// Bytes of twinset's rows: a key and its document; a pair and its counts.
constexpr double key_row_bytes = 16;
constexpr double pair_row_bytes = 20;

std::string per_document(double value, double documents) {
  return documents > 0 ? fmt::format("{:.3g}", value / documents) : "-";
}

void add_row(std::string& out, std::string_view what, double paper, double ours,
             double our_documents) {
  out += fmt::format(
      "{:<34}{:>14}{:>10}{:>18}{:>10}\n", what, format_count(static_cast<std::uint64_t>(paper)),
      per_document(paper, paper_documents), format_count(static_cast<std::uint64_t>(ours)),
      per_document(ours, our_documents));
}

double cpu_seconds(const ClusterSummary& summary, const Phase& phase) {
  double sum = 0;
  for (const StageTime& stage : summary.stages) {
    for (const char* name : phase.stages) sum += stage.stage == name ? stage.cpu_seconds : 0;
  }
  return sum;
}

std::string quantities(const ClusterSummary& summary) {
  const auto documents = static_cast<double>(summary.documents);
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  const std::uint64_t mixed_clusters = summary.all.clusters - summary.identical_only.clusters;
  const std::uint64_t mixed = summary.all.documents - summary.identical_only.documents;
  std::string out =
      fmt::format("{:<34}{:>14}{:>10}{:>18}{:>10}\n", "", "1996", "each", "this run", "each");
  add_row(out, "documents", paper_documents, documents, documents);
  add_row(out, "bytes of text", paper_bytes, number(summary.text_bytes), documents);
  add_row(out, "shingles kept", paper_keys, number(summary.keys), documents);
  add_row(out, "bytes of <shingle, ID>", paper_key_bytes, number(summary.keys) * key_row_bytes,
          documents);
  add_row(out, "bytes of <ID, ID, count>", paper_pair_bytes,
          number(summary.kept_pairs) * pair_row_bytes, documents);
  add_row(out, "clusters", paper_clusters, number(summary.all.clusters), documents);
  add_row(out, "  documents in them", paper_clustered, number(summary.all.documents), documents);
  add_row(out, "clusters of identical documents", paper_identical_clusters,
          number(summary.identical_only.clusters), documents);
  add_row(out, "  documents in them", paper_identical, number(summary.identical_only.documents),
          documents);
  add_row(out, "other clusters", paper_mixed_clusters, number(mixed_clusters), documents);
  add_row(out, "  documents in them", paper_mixed, number(mixed), documents);
  return out;
}

std::string phase_table(const ClusterSummary& summary) {
  double paper_days = 0;
  double seconds = 0;
  for (const Phase& phase : phases) {
    paper_days += phase.cpu_days;
    seconds += cpu_seconds(summary, phase);
  }
  const auto documents = static_cast<double>(summary.documents);
  const auto row = [&](std::string_view name, double days, double ours) {
    const double paper_rate = days * seconds_a_day / paper_documents * 1e6;
    return fmt::format("{:<34}{:>14.1f}{:>10.0f}{:>18.2f}{:>10}\n", name, days, paper_rate, ours,
                       documents > 0 ? fmt::format("{:.2f}", ours / documents * 1e6) : "-");
  };
  std::string out = fmt::format("{:<34}{:>14}{:>10}{:>18}{:>10}\n", "", "CPU days", "us each",
                                "CPU seconds", "us each");
  for (const Phase& phase : phases) {
    if (phase.stages[0][0] == '\0') {
      // twinset never writes the list that the paper's program sorts and merges.
      out +=
          fmt::format("{:<34}{:>14.1f}{:>10.0f}{:>18}{:>10}\n", phase.name, phase.cpu_days,
                      phase.cpu_days * seconds_a_day / paper_documents * 1e6, "with the above", "");
    } else {
      out += row(phase.name, phase.cpu_days, cpu_seconds(summary, phase));
    }
  }
  // The printed total is "~10.5"; its lines add up to 10.4.
  out += row("all", paper_days, seconds);
  return out;
}

}  // namespace

Status use_paper(std::string_view paper, ClusterOptions& options) {
  if (paper != "broder97") {
    return usage_error("no paper '" + std::string(paper) + "'; there is: broder97");
  }
  options.scheme = "mod(shingle=10, modulus=25, bits=40)";
  options.resemblance = Ratio(1, 2);
  options.typed.insert(options.typed.end(), {"scheme", "resemblance"});
  options.max_group = 1000;
  options.floor = Ratio(0, 1);
  // As in the paper, unless the caller asks for the texts.
  if (!options.check.has_value()) options.check = Check::sketch;
  return {};
}

std::string to_text(const ClusterSummary& summary, std::string_view paper) {
  if (paper != "broder97") return {};
  return "Broder, Glassman, Manasse, Zweig: Syntactic Clustering of the Web (1997), section 7\n"
         "shingles of 10 words, 1 in 25 kept, 40 bits; clusters at 50 %; shingles in more than "
         "1,000 documents cut\n\n" +
         quantities(summary) + "\n" + phase_table(summary);
}

}  // namespace twinset
