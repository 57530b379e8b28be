// This file's interface is cluster/index_cluster.h; the rest is private.
#include "cluster/index_cluster.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "cluster/cluster_fields.h"
#include "cluster/clustering.h"
#include "cluster/index_pairs.h"
#include "cluster/made_folder.h"
#include "cluster/pair_lines.h"
#include "collection/output_files.h"
#include "index/manifest.h"
#include "join/sketch_check.h"
#include "run/names.h"
#include "run/options_json.h"
#include "run/prepare.h"
#include "run/shares.h"
#include "run/stage_clock.h"
#include "run/summary.h"

namespace twinset {
namespace {

/// Memory beside what grows with the index: buffers, code, texts.
constexpr std::uint64_t own_memory = std::uint64_t{64} << 20;
constexpr std::uint64_t longest_text = std::uint64_t{1} << 20;

/// The options that an index heeds, with the values of `options`; all others are the defaults.
ClusterOptions heeded(const ClusterOptions& options) {
  ClusterOptions some;
  some.inputs = options.inputs;
  some.scheme = options.scheme;
  some.verify = options.verify;
  some.resemblance = options.resemblance;
  some.containment = options.containment;
  some.shape = options.shape;
  some.floor = options.floor;
  some.earlier = options.earlier;
  some.max_group = options.max_group;
  return some;
}

/// Error (usage) that names the first option that an index does not heed.
Status check_heeded(const ClusterOptions& options) {
  ClusterOptions given = options;
  ClusterOptions some = heeded(options);
  const std::vector<Option> mine = options_of(given);
  const std::vector<Option> theirs = options_of(some);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (mine[i].role != OptionRole::decides) continue;
    if (json_of({mine[i]}, OptionRole::decides) == json_of({theirs[i]}, OptionRole::decides)) {
      continue;
    }
    return usage_error(option(mine[i].name()) +
                       " is of no use with an index, which was made by options of its own");
  }
  if (!options.report.empty()) {
    return usage_error(option("report") + " shows texts of the inputs, and " +
                       options.inputs.front() + " is an index; leave it out");
  }
  return {};
}

class IndexClusterRun {
 public:
  IndexClusterRun(const ClusterOptions& options, const RunControl& control)
      : options_(options), control_(control), context_(context_of(control)) {}

  Result<ClusterSummary> run() {
    TWINSET_TRY(check_heeded(options_));
    TWINSET_TRY(check_shares(options_.resemblance, options_.containment, options_.floor));
    if (options_.output.empty()) return usage_error("no output given: name a folder");
    TWINSET_ASSIGN(const MemoryPlan memory,
                   plan_memory(options_.resources, longest_text, files(), context_, lease_));
    index_ = folder_path(options_.inputs.front());
    TWINSET_ASSIGN(snapshot_, IndexSnapshot::open(files(), index_));
    TWINSET_TRY(choose_scheme());
    TWINSET_TRY(choose_check());
    TWINSET_TRY(check_memory(memory));
    summary_.identity = options_identity("cluster", options_) + " of " + index_ + " " +
                        std::to_string(snapshot_.changes());
    TWINSET_ASSIGN(folder_,
                   MadeFolder::open(context_, {options_.output, options_.resources, "cluster",
                                               summary_.identity, options_.command}));
    TWINSET_TRY(folder_->end(work(), summary_, options_));
    return std::move(summary_);
  }

 private:
  FileSystem& files() const { return *context_.files; }
  const Scheme& scheme() const { return *snapshot_.signer().schemes()[scheme_].scheme; }
  std::uint64_t serials() const { return snapshot_.manifest().serials; }

  /// The scheme whose keys find pairs: the first of the index, or the one that the options name.
  Status choose_scheme() {
    if (options_.scheme.empty()) return {};
    std::string known;
    for (std::size_t i = 0; i < snapshot_.signer().schemes().size(); ++i) {
      const Scheme& each = *snapshot_.signer().schemes()[i].scheme;
      if (options_.scheme == each.spec() || options_.scheme == each.declaration().name) {
        scheme_ = i;
        return {};
      }
      known += (known.empty() ? "" : ", ") + each.spec();
    }
    return usage_error(index_ + " has no keys of scheme " + options_.scheme + ", but of " + known);
  }

  Status choose_check() {
    const bool texts = snapshot_.manifest().settings.texts;
    if (options_.containment.has_value() && !scheme().tells_containment()) {
      return usage_error(option("containment") +
                         " needs an index of a scheme that tells it, such as " +
                         option("scheme", "mod(modulus=16)"));
    }
    if (!options_.verify.has_value()) {
      options_.verify = texts && !scheme().makes_signatures() ? Check::exact : Check::sketch;
    }
    if (options_.verify == Check::none) {
      return usage_error(option("verify", "none") +
                         " is of no use with an index, whose sketches "
                         "decide without reading anything");
    }
    if (options_.verify == Check::exact && !texts) {
      return usage_error(index_ + " keeps no texts, so only its sketches can decide: leave out " +
                         option("verify"));
    }
    if (options_.verify == Check::sketch && scheme().declaration().tells == Tells::nothing) {
      return usage_error("the sketches of scheme " + scheme().spec() +
                         " do not tell how alike two documents are; make the index with another "
                         "scheme, or keep the texts");
    }
    options_.scheme = scheme().spec();
    summary_.check = *options_.verify;
    summary_.scheme = scheme().spec();
    summary_.resemblance = options_.resemblance;
    summary_.counts_keys = scheme().counts_keys();
    summary_.tells = scheme().declaration().tells;
    summary_.tells_containment = scheme().tells_containment();
    summary_.least_keys = least_keys(scheme(), summary_.check);
    return {};
  }

  Status check_memory(const MemoryPlan& memory) {
    if (serials() > UINT32_MAX) {
      return usage_error(index_ + " was given more than " + std::to_string(UINT32_MAX) +
                         " documents, and clusters are made of no more");
    }
    const std::uint64_t needed = own_memory +
                                 IndexPairs::bytes_needed(serials(), context_.threads) +
                                 Clustering::bytes_needed(serials());
    if (needed > memory.budget) {
      return memory.too_little("the documents of the index", needed, "");
    }
    rows_memory_ = (memory.budget - needed + own_memory / 2) / 4;
    return {};
  }

  PairFloor floor() const {
    PairFloor floor{options_.floor.value_or(options_.resemblance), options_.containment};
    floor.kind = link_kind_of(summary_);
    floor.distance = snapshot_.manifest().settings.distance;
    return floor;
  }
  PairFloor threshold() const {
    PairFloor threshold = floor();
    threshold.resemblance = options_.resemblance;
    threshold.least_keys = summary_.least_keys;
    return threshold;
  }

  Status work() {
    IndexPairs pairs(snapshot_, {{.scheme = scheme_,
                                  .floor = floor(),
                                  .exact = summary_.check == Check::exact,
                                  .max_group = options_.max_group},
                                 folder_->rows("", rows_memory_)});
    TWINSET_TRY(report_progress("fold"));
    TWINSET_TRY(pairs.fold());
    clock_.end("fold");
    TWINSET_TRY(report_progress("pairs"));
    if (!options_.earlier.empty()) TWINSET_TRY(take_over(pairs));
    TWINSET_ASSIGN(const auto found, pairs.find());
    clock_.end("pairs");
    Clustering clustering(static_cast<std::uint32_t>(serials()), threshold(), options_.shape);
    for (std::uint32_t serial = 0; serial < serials(); ++serial) {
      const std::uint32_t original = pairs.originals()[serial];
      if (original == IndexPairs::none) continue;
      const bool identical = pairs.is_identical(serial);
      clustering.fold(serial, original, identical);
      ++(identical ? summary_.identical : summary_.lexical);
    }
    TWINSET_TRY(for_each_row(*found, [&](const SharedPair& pair) { clustering.add(pair); }));
    summary_.edges = clustering.edges();
    summary_.too_few_keys = clustering.too_few_keys();
    TWINSET_ASSIGN(auto links,
                   ClusterLinks::make(folder_->rows("links", rows_memory_), clustering, summary_));
    clock_.end("cluster");
    TWINSET_TRY(report_progress("write"));
    TWINSET_TRY(write_pairs(pairs, *found));
    TWINSET_TRY(write_clusters(*links));
    TWINSET_TRY(write_known_documents());
    clock_.end("write");
    tell(pairs, found->rows_added());
    return {};
  }

  /// The pairs of an earlier run over the index.
  Status take_over(IndexPairs& pairs) const {
    const std::string folder = folder_path(options_.earlier);
    TWINSET_ASSIGN(const std::optional<SummaryFile> file, find_summary_file(files(), folder));
    if (!file.has_value() || file->verb != "cluster") {
      return usage_error(folder + " is no folder that cluster made");
    }
    ClusterSummary made;
    ClusterOptions as;
    TWINSET_TRY(file->read(made, as));
    if (made.inputs.size() != 1 || made.inputs.front().format != index_format) {
      return usage_error(folder + " was not made of an index");
    }
    if (made.inputs.front().checksum != snapshot_.signer().fingerprint()) {
      return usage_error(folder + " was made of an index of other settings, such as " +
                         option("analyzer") + " or " + option("distance"));
    }
    if (made.scheme != summary_.scheme || made.check != summary_.check ||
        as.max_group != options_.max_group ||
        as.containment.has_value() != options_.containment.has_value() ||
        as.floor.value_or(as.resemblance).value() > floor().resemblance.value() ||
        (as.containment.has_value() && as.containment->value() > options_.containment->value())) {
      return usage_error(folder +
                         " has not all pairs that are wanted now: it was made with other " +
                         option("scheme") + ", " + option("verify") + " or " + option("max_group") +
                         ", or a higher threshold");
    }
    return pairs.take_over(files(), folder, made.lines);
  }

  Result<LineFile> create_lines(const std::string& name) const {
    TWINSET_ASSIGN(auto sink, create_output(files(), folder_->workspace().out(), name,
                                            Compression::zstd, context_.threads));
    return LineFile(std::move(sink));
  }

  /// The documents of serials that were never hidden are found in ascending order.
  Result<IndexedDocument> document(std::uint64_t serial) const {
    TWINSET_ASSIGN(const std::optional<IndexPlace> place, snapshot_.find_serial(serial));
    if (!place.has_value()) return io_error(index_ + " is damaged; take a copy of the index");
    return snapshot_.document(*place);
  }

  static std::uint64_t fingerprint_of(const IndexedDocument& document) {
    return document.bytes_hash.low;
  }

  Status write_pairs(const IndexPairs& pairs, const SharedPairStore& found) {
    std::vector<bool> in_pairs(static_cast<std::size_t>(serials()));
    TWINSET_TRY(for_each_row(
        found, [&](const SharedPair& pair) { in_pairs[pair.a] = in_pairs[pair.b] = true; }));
    for (std::uint32_t serial = 0; serial < serials(); ++serial) {
      const std::uint32_t original = pairs.originals()[serial];
      if (original != IndexPairs::none) in_pairs[serial] = in_pairs[original] = true;
    }
    TWINSET_ASSIGN(LineFile file, create_lines("pairs.jsonl.zst"));
    TWINSET_ASSIGN(const auto cursor, found.read());
    FieldLine<PairLine> line;
    line->input = 0;
    for (std::uint32_t serial = 0; serial < serials(); ++serial) {
      if (!in_pairs[serial]) continue;
      if (serial % 4096 == 0) TWINSET_TRY(context_.check_cancelled());
      TWINSET_ASSIGN(const IndexedDocument named, document(serial));
      line->id = named.id;
      line->fingerprint = fingerprint_of(named);
      line->record = std::uint64_t{serial} + 1;
      line->identical.clear();
      line->lexical.clear();
      line->pairs.clear();
      if (const std::uint32_t original = pairs.originals()[serial]; original != IndexPairs::none) {
        line->original_as(pairs.is_identical(serial) ? Fate::identical : Fate::lexical)
            .assign({0, std::uint64_t{original} + 1});
      }
      for (const SharedPair* pair = cursor->peek(); pair != nullptr && pair->a == serial;
           pair = cursor->peek()) {
        line->pairs.push_back({{0, std::uint64_t{pair->b} + 1}, pair->keys});
        cursor->advance();
      }
      TWINSET_TRY(cursor->status());
      line.append(file.buffer());
      TWINSET_TRY(file.added());
    }
    return file.finish();
  }

  /// Some documents from all of the index, the last one too, whichever are deleted later.
  Status write_known_documents() const {
    constexpr std::uint64_t most = 64;
    constexpr std::uint64_t most_tries = 1000;
    TWINSET_ASSIGN(LineFile file, create_lines(std::string(known_documents)));
    FieldLine<PairLine> line;
    std::uint64_t begin = 0;
    for (std::uint64_t i = 1; i <= most; ++i) {
      const std::uint64_t end = serials() / most * i + serials() % most * i / most;
      const std::uint64_t first = std::max(begin, end - std::min(end, most_tries));
      for (std::uint64_t serial = end; serial-- > first;) {
        TWINSET_ASSIGN(const std::optional<IndexPlace> place, snapshot_.find_serial(serial));
        if (!place.has_value()) continue;
        TWINSET_ASSIGN(const IndexedDocument named, snapshot_.document(*place));
        line->id = named.id;
        line->fingerprint = fingerprint_of(named);
        line->record = serial + 1;
        line.append(file.buffer());
        TWINSET_TRY(file.added());
        break;
      }
      begin = end;
    }
    return file.finish();
  }

  Status write_clusters(ClusterLinks& links) const {
    TWINSET_ASSIGN(LineFile lines, create_lines("clusters.jsonl.zst"));
    std::vector<FieldLine<NamedDocument>> names(std::max(1U, context_.threads));
    return write_cluster_lines(
        context_, lines, [&](ClusterLink& link) { return links.next(link); },
        [&](unsigned worker, std::uint64_t serial, std::string& json) -> Status {
          TWINSET_ASSIGN(const IndexedDocument found, document(serial));
          *names[worker] = {found.id, options_.inputs.front(), serial + 1, fingerprint_of(found)};
          json.clear();
          names[worker].append_json(json);
          return {};
        });
  }

  /// Fills what is left of the summary.
  void tell(const IndexPairs& pairs, std::uint64_t kept) {
    summary_.verb = "cluster";
    summary_.command = options_.command;
    summary_.version = version();
    summary_.analyzer = snapshot_.manifest().settings.analyzer;
    summary_.analyzer_version = snapshot_.signer().view().analyzer->version();
    summary_.read = summary_.documents = pairs.documents();
    summary_.lines = serials();
    summary_.kept_pairs = kept;
    (summary_.counts_keys ? summary_.counted_pairs : summary_.candidate_pairs) = kept;
    InputFacts& input = summary_.inputs.emplace_back();
    input.file = options_.inputs.front();
    input.name = index_;
    input.format = index_format;
    input.lines = serials();
    input.checksum = snapshot_.signer().fingerprint();
    clock_.describe(summary_);
  }

  Status report_progress(std::string_view stage) const {
    if (control_.progress != nullptr) control_.progress->report({stage, 0, 0, 0});
    return context_.check_cancelled();
  }

  ClusterOptions options_;
  const RunControl& control_;
  RunContext context_;
  MemoryLease lease_;
  StageClock clock_;
  std::string index_;
  IndexSnapshot snapshot_;
  std::size_t scheme_ = 0;
  std::uint64_t rows_memory_ = 0;
  std::unique_ptr<MadeFolder> folder_;
  ClusterSummary summary_;
};

}  // namespace

Result<bool> is_of_index(FileSystem& files, const ClusterOptions& options) {
  if (options.inputs.size() != 1 || options.inputs.front() == "-") return false;
  return is_index_folder(files, folder_path(options.inputs.front()));
}

Result<ClusterSummary> cluster_index(const ClusterOptions& options, const RunControl& control) {
  return IndexClusterRun(options, control).run();
}

}  // namespace twinset
