// Other clusters of the pairs that cluster kept: phase 4 alone (B 6.1). Reads
// pairs.jsonl.zst once, holds its documents' ids in memory, and writes a folder
// with the clusters and a summary.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/message.h"
#include "cluster/cluster_fields.h"
#include "cluster/clustering.h"
#include "cluster/distance_table.h"
#include "cluster/lead_order.h"
#include "cluster/made_folder.h"
#include "cluster/pair_lines.h"
#include "collection/input_troubles.h"
#include "collection/output_files.h"
#include "join/distance_limit.h"
#include "run/names.h"
#include "run/options_json.h"
#include "run/prepare.h"
#include "run/shares.h"
#include "run/stage_clock.h"
#include "run/summary.h"
#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {
namespace {

/// The documents that lines name, numbered over all inputs, which clustering needs.
class HeldDocuments {
 public:
  static constexpr std::uint32_t unknown = UINT32_MAX;

  explicit HeldDocuments(std::span<const InputFacts> inputs) : inputs_(inputs) {
    for (const InputFacts& input : inputs) first_.push_back(first_.back() + input.lines);
    begins_.assign(first_.back(), none);
    fingerprints_.resize(first_.back());
  }

  /// Holds the document of a line; its number, or `unknown` if no input has it.
  std::uint32_t hold(const PairLine& line) {
    const std::uint32_t number = number_of(line.document());
    if (number == unknown) return unknown;
    begins_[number] = bytes_.size();
    fingerprints_[number] = line.fingerprint;
    bytes_ += line.id;
    bytes_ += '\n';  // No JSON value as written on one line has one.
    return number;
  }
  /// The number of a document, `unknown` if it is not held.
  std::uint32_t find(DocumentId document) const {
    const std::uint32_t number = number_of(document);
    return number == unknown || begins_[number] == none ? unknown : number;
  }
  void name(std::uint64_t number, DocumentName& name) const {
    const std::size_t begin = begins_[number];
    name.id.assign(bytes_, begin, bytes_.find('\n', begin) - begin);
    const auto after = std::upper_bound(first_.begin(), first_.end(), number);
    const auto input = static_cast<std::size_t>(after - first_.begin()) - 1;
    name.file = inputs_[input].file;
    name.record = number - first_[input] + 1;
    name.fingerprint = fingerprints_[number];
  }
  std::uint64_t bytes() const { return bytes_.capacity() + bytes_needed(begins_.size()); }
  static constexpr std::uint64_t bytes_needed(std::uint64_t documents) {
    return documents * (sizeof(std::size_t) + sizeof(std::uint64_t));
  }

 private:
  std::uint32_t number_of(DocumentId document) const {
    const std::uint64_t input = document.source();
    if (input >= inputs_.size() || document.record() > first_[input + 1] - first_[input]) {
      return unknown;
    }
    return static_cast<std::uint32_t>(first_[input] + document.record() - 1);
  }

  static constexpr std::size_t none = SIZE_MAX;
  std::span<const InputFacts> inputs_;
  std::vector<std::uint64_t> first_{0};  ///< number of each input, then that of all documents
  std::vector<std::size_t> begins_;      ///< of the ids
  std::vector<std::uint64_t> fingerprints_;
  std::string bytes_;
};

/// The plan of memory has room for a line so long.
constexpr std::uint64_t longest_line = std::uint64_t{1} << 20;
/// Memory beside the documents: buffers, links, code.
constexpr std::uint64_t own_memory = std::uint64_t{64} << 20;

class Recut {
 public:
  Recut(const RecutOptions& options, const RunControl& control)
      : options_(options), context_(context_of(control)) {}

  Result<ClusterSummary> run() {
    TWINSET_TRY(set_resources());
    TWINSET_TRY(read_summary());
    TWINSET_TRY(check_memory(HeldDocuments::bytes_needed(lines_)));
    TWINSET_TRY(check_thresholds());
    summary_.identity = "recut of " + options_.from + " " + std::to_string(lines_);
    TWINSET_ASSIGN(folder_,
                   MadeFolder::open(context_, {options_.output, options_.resources, "recut",
                                               summary_.identity, options_.command}));
    TWINSET_TRY(folder_->end(cut_and_write(), summary_, cut_));
    return std::move(summary_);
  }

 private:
  FileSystem& files() const { return *context_.files; }

  Status set_resources() {
    TWINSET_ASSIGN(const MemoryPlan memory, plan_memory(options_.resources, longest_line,
                                                        *context_.files, context_, lease_));
    memory_ = memory;
    return {};
  }

  /// The run's own facts and options.
  Status read_summary() {
    options_.from = folder_path(std::move(options_.from));
    TWINSET_ASSIGN(const std::optional<SummaryFile> file,
                   find_summary_file(files(), options_.from));
    TWINSET_ASSIGN(const FileStatus pairs, files().status(pairs_path()));
    if (!file.has_value() || pairs.kind != FileStatus::Kind::regular) {
      return usage_error(options_.from + " is no folder that cluster made: it has no " +
                         (file.has_value() ? "pairs.jsonl.zst" : "summary.json"));
    }
    TWINSET_TRY(file->read(summary_, cut_));
    forget_clusters();
    return take_summary(file->path);
  }

  /// Keeps what the run read and counted, for the summary to be: its clusters are of another cut.
  void forget_clusters() {
    summary_.verb = "recut";
    summary_.command = options_.command;
    summary_.version = version();
    summary_.templates.reset();
    summary_.checked_edges.reset();
    summary_.unseen_pairs.reset();
    summary_.distances.clear();
    summary_.common.clear();
    summary_.warnings.clear();
    summary_.skipped.clear();
    summary_.spilled_bytes = 0;
    summary_.resumed = false;
    summary_.outputs.clear();
  }

  std::string pairs_path() const { return options_.from + "/pairs.jsonl.zst"; }

  Status take_summary(const std::string& path) {
    lines_ = summary_.lines;
    cut_.verify = summary_.check;
    planned_for_ = cut_.resemblance;
    kept_ = {cut_.floor.value_or(cut_.resemblance), cut_.containment};
    kept_.kind = link_kind_of(summary_);
    TWINSET_ASSIGN(const DistanceLimit limit, DistanceLimit::parse(cut_.distance));
    kept_.distance = limit.most();
    cut_.inputs = {options_.from};
    cut_.report.clear();
    cut_.command = options_.command;
    // Also of folders whose summary does not say it: they were made by the same keys.
    Result<std::unique_ptr<Scheme>> scheme =
        make_scheme(summary_.scheme, planned_for_.value(), files());
    if (!scheme.ok() || lines_ < summary_.read || lines_ > UINT32_MAX) {
      return io_error(path + " is damaged, or of another version");
    }
    summary_.least_keys = least_keys(*scheme.value(), summary_.check);
    cut_.resemblance = options_.resemblance.value_or(cut_.resemblance);
    summary_.resemblance = cut_.resemblance;
    if (options_.containment.has_value()) cut_.containment = options_.containment;
    cut_.shape = options_.shape.value_or(cut_.shape);
    if (cut_.shape != ClusterShape::stars) cut_.lead.clear();
    if (options_.distance.has_value()) cut_.distance = std::to_string(*options_.distance);
    return {};
  }

  bool by_signatures() const {
    return kept_.kind == LinkKind::distance || kept_.kind == LinkKind::signature;
  }

  /// Of signatures that are marked as template pairs, the exact rests are held against the shares.
  Status check_thresholds() const {
    const std::string again = "; run cluster again with ";
    if (summary_.check == Check::none &&
        (options_.resemblance.has_value() || options_.containment.has_value())) {
      return usage_error(options_.from + " joined documents by a shared key alone (" +
                         option("verify", "none") +
                         "): its pairs have no numbers to hold against a threshold" + again +
                         option("verify", "exact"));
    }
    TWINSET_TRY(check_distance());
    TWINSET_TRY(check_shares(cut_.resemblance, cut_.containment));
    if (by_signatures()) return {};
    if (cut_.resemblance.value() < kept_.resemblance.value()) {
      return usage_error(options_.from + " keeps pairs from a resemblance of " +
                         kept_.resemblance.text() + " on, none below" + again +
                         option("floor", cut_.resemblance.text()));
    }
    if (!options_.containment.has_value()) return {};
    if (!summary_.tells_containment) {
      return usage_error(options_.from + " was counted by " + cut_.scheme +
                         ", which does not tell containment" + again +
                         option("containment", options_.containment->text()));
    }
    const bool all_kept = kept_.resemblance.numerator() == 0;
    const bool enough = kept_.containment.has_value() &&
                        kept_.containment->value() <= options_.containment->value();
    if (all_kept || enough) return {};
    return usage_error(options_.from + " keeps no pairs for a containment of " +
                       options_.containment->text() + again +
                       option("containment", options_.containment->text()) + ", or " +
                       option("floor", "0") + " to keep every pair");
  }

  /// Distances and shares do not replace each other.
  Status check_distance() const {
    if (by_signatures() && !summary_.template_pairs.has_value() &&
        (options_.resemblance.has_value() || options_.containment.has_value())) {
      return usage_error(
          options_.from +
          " joined documents by their signatures, which tell no resemblance; run cluster again "
          "with " +
          option("verify", "exact") + ", or with " + switch_on("mark_templates") +
          " to tell template pairs by the rests of their texts");
    }
    if (!options_.distance.has_value()) return {};
    if (kept_.kind != LinkKind::distance) {
      return usage_error(options_.from + " was not joined by distances; leave " +
                         option("distance") + " out");
    }
    if (*options_.distance <= kept_.distance) return {};
    return usage_error(options_.from + " keeps pairs up to a distance of " +
                       std::to_string(kept_.distance) + "; run cluster again with " +
                       option("distance", std::to_string(*options_.distance)));
  }

  /// Checks the memory that grows with the collection, with `id_bytes` for the ids.
  Status check_memory(std::uint64_t id_bytes) const {
    std::uint64_t needed =
        own_memory + id_bytes + Clustering::bytes_needed(lines_, led()) + (led() ? 4 * lines_ : 0);
    if (kept_.kind == LinkKind::distance) {
      needed += DistanceTable::bytes_needed(lines_, kept_.distance, led());
    }
    if (needed <= memory_.budget) return {};
    return memory_.too_little("holding the documents in pairs", needed,
                              "or more, if they have long ids");
  }

  /// Are stars led by the documents that the run chose?
  bool led() const { return !cut_.lead.empty() && cut_.shape == ClusterShape::stars; }

  Status cut_and_write() {
    PairFloor threshold = kept_;
    threshold.resemblance = cut_.resemblance;
    threshold.containment = cut_.containment;
    threshold.least_keys = summary_.least_keys;
    threshold.distance = static_cast<std::uint32_t>(options_.distance.value_or(kept_.distance));
    const bool distances = threshold.kind == LinkKind::distance;
    DistanceTable table(distances ? static_cast<std::uint32_t>(lines_) : 0, threshold.distance,
                        cut_.shape);
    Clustering clustering(static_cast<std::uint32_t>(lines_), threshold, cut_.shape);
    HeldDocuments held(summary_.inputs);
    std::vector<std::uint32_t> ranks(led() ? lines_ : 0, UINT32_MAX);
    std::uint64_t pairs = 0;
    std::uint64_t copies = 0;
    const PairFloor of_rests{cut_.resemblance, cut_.containment};
    if (summary_.template_pairs.has_value()) summary_.template_pairs = 0;
    TWINSET_TRY(for_each_pair_line(files(), pairs_path(), [&](const PairLine& line) -> Status {
      constexpr std::uint32_t unknown = HeldDocuments::unknown;
      const std::uint32_t number = held.hold(line);
      if (number == unknown) return unknown_document(pairs_path(), line);
      if (led()) {
        if (!line.rank.has_value()) {
          return io_error(pairs_path() + ":" + std::to_string(line.number) +
                          " has no rank, though the run chose its leads by " + cut_.lead);
        }
        ranks[number] = *line.rank;
      }
      if (line.kind() != Fate::near) {
        const std::uint32_t original = held.find(line.original());
        if (original == unknown) return unknown_document(pairs_path(), line);
        clustering.fold(number, original, line.kind() == Fate::identical);
        if (distances) table.fold(number, original);
        ++copies;
      }
      for (const auto& [document, keys] : line.pairs) {
        const std::uint32_t earlier = held.find(document);
        if (earlier == unknown) return unknown_document(pairs_path(), line);
        if (led()) continue;
        const SharedPair pair{number, earlier, keys};
        clustering.add(pair);
        if (distances && threshold.reached_by(keys)) table.add(pair);
      }
      for (std::size_t i = 0; summary_.template_pairs.has_value() && i < line.pairs.size(); ++i) {
        const bool both = threshold.reached_by(line.pairs[i].keys) && line.is_template(i, of_rests);
        *summary_.template_pairs += both ? 1 : 0;
      }
      pairs += line.pairs.size();
      if (line.number % 4096 == 0) TWINSET_TRY(context_.check_cancelled());
      return check_memory(held.bytes());
    }));
    if (pairs != summary_.kept_pairs ||
        copies != summary_.identical + summary_.lexical + summary_.shingles) {
      return io_error(pairs_path() + " is damaged: it has not as many pairs and copies as " +
                      options_.from + "/summary.json says");
    }
    if (led()) {
      TWINSET_TRY(add_by_lead(
          folder_->rows("led", context_.memory_bytes / 4),
          [&](const UsePair& use) { return for_each_pair(held, use); }, ranks, clustering,
          distances ? &table : nullptr));
    }
    if (distances) {
      table.end_adding();
      TWINSET_TRY(for_each_pair(held, [&](const SharedPair& pair) -> Status {
        if (threshold.reached_by(pair.keys)) table.count(pair);
        return {};
      }));
      summary_.distances = table.rows();
    }
    clock_.end("read");
    if (!summary_.counts_keys && !by_signatures() &&
        cut_.resemblance.value() < planned_for_.value()) {
      summary_.warnings.push_back("candidates were looked for at a resemblance of " +
                                  planned_for_.text() + "; of pairs below it fewer were seen");
    }
    summary_.edges = clustering.edges();
    summary_.too_few_keys = clustering.too_few_keys();
    TWINSET_ASSIGN(auto links, ClusterLinks::make(folder_->rows("links", context_.memory_bytes / 4),
                                                  clustering, summary_));
    clock_.end("cluster");
    if (!options_.output.empty()) TWINSET_TRY(write(*links, held));
    clock_.end("write");
    clock_.describe(summary_);
    return {};
  }

  /// The pairs, from the file again, which may be another one now.
  Status for_each_pair(const HeldDocuments& held, const UsePair& use) {
    return for_each_pair_line(files(), pairs_path(), [&](const PairLine& line) -> Status {
      for (const auto& [document, keys] : line.pairs) {
        const SharedPair pair{held.find(line.document()), held.find(document), keys};
        if (std::max(pair.a, pair.b) == HeldDocuments::unknown) {
          return unknown_document(pairs_path(), line);
        }
        TWINSET_TRY(use(pair));
      }
      return context_.check_cancelled();
    });
  }

  Status write(ClusterLinks& links, const HeldDocuments& held) {
    TWINSET_ASSIGN(auto sink,
                   create_output(files(), folder_->workspace().out(), "clusters.jsonl.zst",
                                 Compression::zstd, context_.threads));
    LineFile lines(std::move(sink));
    std::vector<FieldLine<NamedDocument>> names(std::max(1U, context_.threads));
    return write_cluster_lines(
        context_, lines, [&](ClusterLink& link) { return links.next(link); },
        [&](unsigned worker, std::uint64_t index, std::string& json) -> Status {
          DocumentName name;
          held.name(index, name);
          *names[worker] = named(name);
          json.clear();
          names[worker].append_json(json);
          return {};
        });
  }

  RecutOptions options_;
  RunContext context_;
  MemoryLease lease_;
  MemoryPlan memory_;
  StageClock clock_;
  ClusterOptions cut_;  ///< what the run cut now would have been asked
  PairFloor kept_;      ///< pairs that the folder holds
  Ratio planned_for_;   ///< the run's own threshold, which its candidates were found for
  std::uint64_t lines_ = 0;
  std::unique_ptr<MadeFolder> folder_;
  ClusterSummary summary_;
};

}  // namespace

Result<ClusterSummary> recut(const RecutOptions& options, const RunControl& control) {
  return Recut(options, control).run();
}

}  // namespace twinset
