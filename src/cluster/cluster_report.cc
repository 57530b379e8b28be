// An id can be as long as a record may be, and a page shows hundreds: each is cut to what
// is shown of it as soon as it is read.
//
// A text read again must come from a file that is as it was when the run found it, by
// size and time, and have the length pass 1 saw: no other text is shown in its place.
//
// This file's interface is cluster_report.h; the rest is private.
#include "cluster/cluster_report.h"

#include <utility>

#include "report/cluster_html.h"
#include "report/visible.h"
#include "run/names.h"
#include "run/texts.h"
#include "twinset/version.h"

namespace twinset {
namespace {

/// Texts longer than this are cut for the side-by-side view.
constexpr std::size_t shown_text_bytes = std::size_t{256} << 10;

/// What is shown of an id: all of it, or so much of its beginning that the page, which
/// cuts names too, need not cut it again.
std::string shown_id(std::string_view json) {
  const std::string_view id = plain_id(json);
  if (id.size() <= most_name_bytes) return std::string(id);
  std::string shown = visible_name(id, most_name_bytes - 40);
  // Characters that are spelled out take up to eight times their room.
  return shown.size() <= most_name_bytes ? shown : visible_name(id, most_name_bytes / 10);
}

class ReportMaker {
 public:
  ReportMaker(const Job& job, const RecordFiles& records, const DocumentTable& documents,
              const ClusterFacts& facts, const ClusterOptions& options)
      : job_(job),
        documents_(documents),
        facts_(facts),
        options_(options),
        names_(job, records, documents),
        texts_(job, records, documents) {}

  Status fill(ClusterReport& report) {
    for (const ClusterFacts::Cluster& cluster : facts_.clusters) {
      ListedCluster listed;
      TWINSET_TRY(describe(cluster.representative, listed.representative));
      listed.documents = cluster.documents;
      listed.identical = cluster.identical;
      listed.lexical = cluster.lexical;
      listed.edges = cluster.edges;
      listed.contained = cluster.contained;
      listed.lowest = cluster.lowest;
      listed.mean = cluster.mean;
      listed.among_largest = cluster.among_largest;
      report.list.push_back(std::move(listed));
    }
    for (const ClusterFacts::Graph& graph : facts_.graphs) TWINSET_TRY(add_graph(graph, report));
    return add_pairs(report);
  }

 private:
  Status describe(std::uint64_t index, ReportDocument& out) {
    TWINSET_TRY(names_.find(index, name_));
    out = {shown_id(name_.id), std::string(name_.file), name_.record};
    return {};
  }

  Status add_graph(const ClusterFacts::Graph& graph, ClusterReport& report) {
    ClusterGraph drawn;
    drawn.cluster = graph.cluster;
    drawn.nearest = graph.nearest;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      GraphNode node;
      TWINSET_TRY(describe(graph.nodes[i], node.document));
      node.copies = graph.copies[i];
      drawn.nodes.push_back(std::move(node));
    }
    for (const SharedPair& edge : graph.edges) {
      drawn.edges.push_back({edge.a, edge.b, edge.keys.resemblance()});
    }
    report.graphs.push_back(std::move(drawn));
    return {};
  }

  Status add_pairs(ClusterReport& report) {
    Result<std::string> unread = extract();
    TWINSET_TRY(unread);
    for (const ClusterFacts::Graph& graph : facts_.graphs) {
      ClusterPair pair;
      pair.cluster = graph.cluster;
      pair.unread = unread.value();
      ClusterPair weakest = pair;
      weakest.weakest = true;
      TWINSET_TRY(add_pair(graph.weakest, std::move(weakest), report));
      if (graph.typical.a == graph.weakest.a && graph.typical.b == graph.weakest.b) continue;
      TWINSET_TRY(add_pair(graph.typical, std::move(pair), report));
    }
    return {};
  }

  /// Brings the texts of compressed inputs into reach; else says why it cannot.
  Result<std::string> extract() {
    RowFile<Edge> edges({&job_.context, job_.spill + "shown", 0, job_.fingerprint});
    for (const ClusterFacts::Graph& graph : facts_.graphs) {
      for (const SharedPair& pair : {graph.weakest, graph.typical}) {
        TWINSET_TRY(
            edges.append(Edge{.pair = {documents_.place_at(pair.a), documents_.place_at(pair.b)}}));
      }
    }
    TWINSET_TRY(edges.seal());
    auto cursor = edges.read();
    TWINSET_TRY(cursor);
    Result<std::string> unread = excuse(texts_.extract(*cursor.value()));
    TWINSET_TRY(unread);
    TWINSET_TRY(edges.discard());
    return unread;
  }

  /// Why a text cannot be shown, empty if it can. Only a stop is an Error.
  static Result<std::string> excuse(const Status& read) {
    if (read.ok()) return std::string();
    if (read.error().code == ErrorCode::interrupted) return read.error();
    return read.error().message;
  }

  Status add_pair(const SharedPair& shared, ClusterPair shown, ClusterReport& report) {
    shown.shared_keys = shared.keys.shared;
    shown.all_keys = shared.keys.all();
    ReportPair& pair = shown.pair;
    pair.resemblance = shared.keys.resemblance();
    pair.kind = options_.resemblance.reached_by(shared.keys.shared, shared.keys.all())
                    ? Fate::near
                    : Fate::contained;
    TWINSET_TRY(describe(shared.b, pair.survivor));
    TWINSET_TRY(describe(shared.a, pair.removed));
    if (shown.unread.empty()) TWINSET_TRY(read_text(shared.b, pair.survivor_text, shown));
    if (shown.unread.empty()) TWINSET_TRY(read_text(shared.a, pair.removed_text, shown));
    if (shown.unread.empty()) {
      Analysis earlier;
      Analysis later;
      job_.view.analyzer->analyze(pair.survivor_text, Offsets::keep, earlier);
      job_.view.analyzer->analyze(pair.removed_text, Offsets::keep, later);
      pair.passages = find_passages(earlier, later, job_.view.shingle_tokens);
    } else {
      pair.survivor_text.clear();
    }
    report.pairs.push_back(std::move(shown));
    return {};
  }

  Status read_text(std::uint64_t index, std::string& out, ClusterPair& shown) {
    const DocumentId document = documents_.document(index);
    if (job_.collection->has_changed(document.source())) {
      shown.unread = job_.source(document.source()).shown + " has changed since it was read";
      return {};
    }
    Result<std::string> unread = excuse(texts_.see(document, out));
    TWINSET_TRY(unread);
    shown.unread = std::move(unread).value();
    if (!shown.unread.empty()) return {};
    if (out.size() > shown_text_bytes) {
      out.resize(shown_text_bytes);
      shown.pair.cut = true;
    }
    return {};
  }

  const Job& job_;
  const DocumentTable& documents_;
  const ClusterFacts& facts_;
  const ClusterOptions& options_;
  Names names_;
  DocumentName name_;
  Texts texts_;
};

void describe_run(const Job& job, const ClusterSummary& summary, const ClusterOptions& options,
                  ClusterReport& report) {
  report.run.title = options.output;
  report.run.version = version();
  report.run.scheme = summary.scheme;
  report.run.analyzer = job.view.analyzer->name();
  report.run.threshold = options.resemblance.value();
  report.run.containment_threshold =
      options.containment.has_value() ? options.containment->value() : 0;
  report.run.verified_exactly = summary.check == Check::exact;
  report.run.command = options.command;
  report.run.started = summary.started;
  report.run.seconds = summary.seconds;
  report.run.text_bytes = summary.text_bytes;
  report.run.threads = job.context.threads;
  report.peak_memory_bytes = summary.peak_memory_bytes;
  for (const StageTime& stage : summary.stages) {
    report.stages.push_back({stage.stage, stage.seconds, stage.cpu_seconds});
  }
}

}  // namespace

Result<std::string> cluster_report_page(const Job& job, const RecordFiles& records,
                                        const DocumentTable& documents, const ClusterFacts& facts,
                                        const ClusterSummary& summary,
                                        const ClusterOptions& options) {
  ClusterReport report;
  describe_run(job, summary, options, report);
  report.stars = options.shape == ClusterShape::stars;
  report.all_pairs_seen = summary.counts_keys;
  report.plan = summary.plan;
  report.read = summary.read;
  report.files = job.sources();
  report.documents = summary.documents;
  report.filtered = summary.filtered;
  report.quarantined = summary.quarantined;
  report.identical = summary.identical;
  report.lexical = summary.lexical;
  report.kept_pairs = summary.kept_pairs;
  report.edges = summary.edges;
  report.clusters = summary.all.clusters;
  report.clustered = summary.all.documents;
  report.identical_clusters = summary.identical_only.clusters;
  report.identical_clustered = summary.identical_only.documents;
  report.largest = summary.largest;
  report.warnings = summary.warnings;
  report.sizes = summary.sizes;
  report.edge_resemblance = facts.edge_resemblance;
  report.other_resemblance = facts.other_resemblance;
  report.common_keys = summary.common_keys;
  report.max_group = options.max_group;
  for (const CommonShingle& shingle : summary.common) {
    if (report.common.size() == most_listed_shingles) break;
    report.common.push_back({shingle.text, shingle.documents, shown_id(shingle.sample_id)});
  }
  ReportMaker maker(job, records, documents, facts, options);
  TWINSET_TRY(maker.fill(report));
  return cluster_html_report(report);
}

}  // namespace twinset
