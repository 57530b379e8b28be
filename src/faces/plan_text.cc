// A plan in words.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/message.h"
#include "twinset/plan.h"
#include "words/numbers.h"

namespace twinset {
namespace {

std::uint64_t whole(double value) {
  return value <= 0 ? 0 : static_cast<std::uint64_t>(std::llround(value));
}

/// "1,234,567"; for an estimate "1,230,000", because more than three digits are not known.
std::string about(double value, bool exact) {
  std::uint64_t rounded = whole(value);
  std::uint64_t unit = 1;
  while (!exact && rounded / unit >= 1000) unit *= 10;
  rounded = (rounded + unit / 2) / unit * unit;
  return format_count(rounded);
}

/// The largest power of ten that is at most a twentieth of a width.
std::uint64_t unit_of(double width) {
  std::uint64_t unit = 1;
  while (static_cast<double>(unit) * 200 <= width) unit *= 10;
  return unit;
}

std::uint64_t nearest(double value, std::uint64_t unit) {
  return (whole(value) + unit / 2) / unit * unit;
}

class TextTable {
 public:
  explicit TextTable(const Plan& plan) : plan_(plan) {}

  std::string text() {
    head();
    counts();
    if (!plan_.bins.empty()) bins();
    if (plan_.coordinates) survival();
    costs();
    if (plan_.cluster.has_value()) shards(*plan_.cluster);
    return std::move(out_);
  }

 private:
  void head() {
    const StageTime read = plan_.costs.empty() ? StageTime() : plan_.costs.front();
    out_ += fmt::format("{} of {} of text, read in {}; nothing is written\n",
                        format_count(plan_.documents, "document", "documents"),
                        format_bytes(plan_.text_bytes), format_seconds(read.seconds));
    if (plan_.quarantined > 0) {
      out_ +=
          format_count(plan_.quarantined, "bad record", "bad records") + " would be quarantined\n";
    }
    if (plan_.counted()) {
      out_ += "every key was looked at; intervals (95 %) allow for the errors of sketches\n";
    } else {
      const std::string some = plan_.document_share == 1
                                   ? ""
                                   : fmt::format(", and the pairs of 1 document in {}",
                                                 format_count(whole(1 / plan_.document_share)));
      const std::string keys =
          plan_.key_share == 1
              ? "every key was looked at"
              : fmt::format("predicted from 1 key in {}, those of {}",
                            format_count(whole(1 / plan_.key_share)),
                            format_count(plan_.sampled_documents, "document", "documents"));
      out_ += keys + some + ", with 95 % intervals\n";
    }
    out_ += fmt::format("\n{} with {}\nat {}\n\n",
                        plan_.run == PlannedRun::dedup ? "dedup" : "cluster", plan_.scheme,
                        joins_signatures() ? "a distance of " + std::to_string(plan_.join->distance)
                                           : plan_.resemblance.text());
  }

  void line(const Predicted& predicted, const std::string& name) {
    if (!predicted.predictable) {
      out_ += fmt::format("{:>14}  {}: not predictable here\n", "-", name);
      all_predictable_ = false;
      return;
    }
    if (predicted.low == predicted.high) {
      out_ += fmt::format("{:>14}  {}\n", format_count(whole(predicted.value)), name);
      return;
    }
    // As many digits as the interval allows, so that its ends differ.
    const std::uint64_t unit = unit_of(predicted.high - predicted.low);
    out_ += fmt::format("{:>14}  {} ({} to {})\n", format_count(nearest(predicted.value, unit)),
                        name, format_count(whole(predicted.low) / unit * unit),
                        format_count((whole(predicted.high) + unit - 1) / unit * unit));
  }

  std::string of_documents(const Predicted& part) const {
    if (!part.predictable) return "";
    return ", " + format_percent(std::min(whole(part.value), plan_.documents), plan_.documents);
  }

  void counts() {
    line(plan_.copies, "copies folded, identical or lexical" + of_documents(plan_.copies));
    if (plan_.counts_keys) {
      line(plan_.groups, "keys that several documents share");
      line(plan_.common_keys, "more are common, and cut");
      line(plan_.meetings, "meetings of two documents under a key");
    }
    if (plan_.join.has_value()) join(*plan_.join);
    line(plan_.candidate_pairs,
         plan_.counts_keys ? "pairs of documents that share a key"
         : plan_.join.has_value()
             ? "pairs within " + format_count(plan_.join->distance, "bit", "bits")
             : "candidate pairs");
    if (joins_signatures()) {
      out_ += '\n';
      return;
    }
    if (!plan_.estimates) {
      out_ +=
          "\nsketches of this scheme do not estimate resemblance: the result is not known\n"
          "before the texts are read again\n\n";
      return;
    }
    line(plan_.pairs, "pairs that reach " + plan_.resemblance.text());
    if (plan_.run == PlannedRun::dedup) {
      line(plan_.removed, "documents removed, copies too" + of_documents(plan_.removed));
    }
    // A cluster seen in pieces would be counted several times.
    if (plan_.counted()) line(plan_.clusters, "clusters");
    line(plan_.clustered_documents,
         "documents in clusters" + of_documents(plan_.clustered_documents));
    if (!all_predictable_) {
      out_ +=
          "\nA few shingles, or one large cluster, are so common here that a sample has too many\n"
          "of them or none, so some numbers cannot be predicted.\n";
    }
    out_ += '\n';
  }

  void join(const PlannedJoin& join) {
    out_ += fmt::format("{:>14}  different signatures\n", about(join.signatures, plan_.counted()));
    out_ += fmt::format("{:>14}  {} to group them in, one after the other\n",
                        format_count(join.tables), join.tables == 1 ? "table" : "tables");
    out_ += fmt::format("{:>14}  comparisons of two signatures, in {} of one core{}\n",
                        about(join.comparisons, false), format_seconds(join.cpu_seconds),
                        join.refused ? ": refused without a larger " + option("max_meetings") : "");
  }

  void bins() {
    out_ += fmt::format("{:<14}{:>10}{:>18}{:>18}\n", "resemblance", "found", "candidates",
                        "pairs there");
    bool begun = false;
    for (const PlanBin& bin : plan_.bins) {
      begun = begun || whole(bin.candidates) > 0;
      if (!begun) continue;
      const std::string found =
          bin.found.has_value() ? fmt::format("{:.1f} %", *bin.found * 100) : "-";
      out_ += fmt::format("{:.2f} to {:.2f}  {:>10}{:>18}{:>18}\n", bin.from, bin.to, found,
                          about(bin.candidates, plan_.counted()),
                          bin.pairs.has_value()
                              ? about(*bin.pairs, plan_.counted() && bin.pairs == bin.candidates)
                              : "-");
    }
    out_ += '\n';
  }

  void survival() {
    out_ += fmt::format(
        "documents have a signature at {:.1f} of {} coordinates\n"
        "share of copies that match if so many of their lexicon words are added or taken away, "
        "and\n"
        "the parts of the lexicon (signatures) that 95 % would take\n",
        plan_.coordinates->mean, plan_.coordinates->coordinates);
    for (const FoundByEdits& each : plan_.by_edits) {
      const std::string lexicons = each.lexicons < 1e15 ? format_count(whole(each.lexicons))
                                                        : fmt::format("{:.1e}", each.lexicons);
      out_ += fmt::format("{:>14}{:>9.1f} %{:>20}\n", each.edits, each.found * 100, lexicons);
    }
    out_ += '\n';
  }

  void costs() {
    const bool fits = plan_.least_memory <= plan_.budget;
    out_ += fits ? fmt::format("memory   about {} at the peak, of the {} that {} allows\n",
                               format_bytes(whole(plan_.peak_memory)), format_bytes(plan_.budget),
                               option("memory"))
                 : fmt::format(
                       "memory   too little: the run ends without a result at the {} that "
                       "{} allows\n",
                       format_bytes(plan_.budget), option("memory"));
    out_ += fmt::format("         the least that works is {}; from {} on no row goes to disk\n",
                        format_bytes(plan_.least_memory), format_bytes(plan_.unspilled_memory));
    out_ += fmt::format("disk     {} of spills\n", format_bytes(whole(plan_.spilled)));
    out_ += fmt::format("time     {}{}:", format_seconds(plan_.total_seconds()),
                        all_predictable_ ? "" : " plus the unpredictable part");
    const char* separator = " ";
    for (const StageTime& stage : plan_.costs) {
      out_ += separator + stage.stage + " " + format_seconds(stage.seconds);
      separator = ", ";
    }
    out_ += plan_.estimates || joins_signatures() ? "\n" : ", and the texts of candidates\n";
  }

  void shards(const PlannedCluster& cluster) {
    out_ += fmt::format("\n{} on {} of {}, in shards that one of them merges\n\n",
                        format_count(cluster.documents, "document", "documents"),
                        format_count(cluster.machines, "machine", "machines"),
                        format_count(cluster.cores, "core", "cores"));
    out_ += fmt::format("{:<10}{:>9}{:>17}{:>19}{:>10}{:>11}{:>13}\n", "stage", "machines", "time",
                        "CPU of all", "moved", "of inputs", "memory each");
    PlannedStage all;
    for (const PlannedStage& stage : cluster.stages) {
      line(stage);
      all.seconds += stage.seconds;
      all.cpu_seconds += stage.cpu_seconds;
      all.moved_bytes += stage.moved_bytes;
      all.input_bytes += stage.input_bytes;
      all.memory_bytes = std::max(all.memory_bytes, stage.memory_bytes);
    }
    all.stage = "all";
    all.machines = cluster.machines;
    line(all);
    if (cluster.least_memory > plan_.budget) {
      out_ += fmt::format("the merge needs {} at least, more than the {} that {} allows\n",
                          format_bytes(cluster.least_memory), format_bytes(plan_.budget),
                          option("memory"));
    }
  }

  void line(const PlannedStage& stage) {
    out_ += fmt::format("{:<10}{:>9}{:>17}{:>19}{:>10}{:>11}{:>13}\n", stage.stage,
                        format_count(stage.machines), format_seconds(stage.seconds),
                        format_seconds(stage.cpu_seconds), format_bytes(whole(stage.moved_bytes)),
                        format_bytes(whole(stage.input_bytes)),
                        format_bytes(whole(stage.memory_bytes)));
  }

  /// Do distances alone decide?
  bool joins_signatures() const {
    return plan_.join.has_value() && plan_.run == PlannedRun::cluster;
  }

  const Plan& plan_;
  bool all_predictable_ = true;
  std::string out_;
};

}  // namespace

std::string to_text(const Plan& plan) { return TextTable(plan).text(); }

}  // namespace twinset
