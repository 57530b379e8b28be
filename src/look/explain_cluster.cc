// Three files are streamed, none is held: clusters for the document's cluster, the quarantine, and
// pairs twice, for its pairs and for the names of the other documents. A document in none of these
// is searched in the inputs, if they are unchanged since the run.
#include "look/explain_cluster.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "cluster/pair_lines.h"
#include "collection/output_lines.h"
#include "look/asked_record.h"
#include "look/cluster_lines.h"
#include "look/input_again.h"
#include "look/pairs_folder.h"
#include "run/quarantine.h"
#include "run/record_files.h"
#include "run/summary.h"
#include "scheme/estimate.h"
#include "scheme/scheme.h"
#include "system/context.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t listed_edges = 20;

/// The other end of a pair, and the rests of the two if they are known.
struct SeenEdge {
  PairedDocument other;
  std::optional<Overlap> rest;
  bool is_template = false;
};

class ClusterExplainer {
 public:
  ClusterExplainer(const OutputFolder& folder, const ExplainOptions& options,
                   const RunControl& control)
      : files_(files_of(control)),
        cancel_(control.cancel),
        folder_(folder),
        options_(options),
        asked_(options.id),
        pairs_(folder) {}

  Result<Explanation> run() {
    TWINSET_TRY(find_cluster());
    TWINSET_TRY(find_quarantined());
    TWINSET_TRY(find_in_inputs());
    if (places_.all().size() > 1) return several_records(options_.id, places_.all());
    if (places_.all().empty()) return unknown();
    place_ = places_.all().front();
    return explain_place();
  }

  Result<Explanation> run(const KnownCluster& known) {
    known_ = &known;
    place_ = known.place;
    cluster_.representative = known.representative.document;
    cluster_.documents = known.documents;
    return explain_place();
  }

 private:
  Result<Explanation> explain_place() {
    if (explanation_.reason.empty() && folder_.verb == "cluster") TWINSET_TRY(find_edges());
    if (folder_.verb == "recut") {
      explanation_.notes.emplace_back(
          "recut writes no pairs: the folder that cluster made tells which this document is in");
    }
    explanation_.document = place_.document;
    explanation_.fate = !explanation_.reason.empty() ? Explanation::Fate::quarantined
                        : cluster_.documents == 0    ? Explanation::Fate::alone
                                                     : Explanation::Fate::clustered;
    cluster_.has_pairs = folder_.verb == "cluster" && explanation_.reason.empty();
    cluster_.pairs_count = link_kind_name(pairs_.kind());
    explanation_.cluster = std::move(cluster_);
    return std::move(explanation_);
  }

  Status find_cluster() {
    RecordPlace representative;
    std::uint64_t documents = 0;
    bool here = false;
    FieldLine<NamedDocument> name;
    const auto look = [&](std::string_view raw) -> Status {
      TWINSET_TRY(check_stop(cancel_));
      ++documents;
      if (documents > 1 && !asked_.may_be_in(raw)) return {};
      TWINSET_TRY(name.read(raw, folder_.file(clusters_file_name)));
      RecordPlace place = place_of(*name);
      if (documents == 1) representative = place;
      if (!asked_.names(place)) return {};
      here = places_.add(std::move(place)) || here;
      return {};
    };
    ClusterUse use;
    use.begin = [&](std::string_view raw) {
      documents = 0;
      here = false;
      return look(raw);
    };
    use.member = look;
    use.end = [&]() -> Result<bool> {
      if (here) {
        cluster_.representative = representative.document;
        cluster_.documents = documents;
      }
      return true;
    };
    return for_each_cluster(files_, folder_.file(clusters_file_name), use);
  }

  Status find_quarantined() {
    if (folder_.verb == "recut") return {};  // The folder of cluster has the quarantine.
    return for_each_value<BadRecord>(files_, folder_.file(quarantine_file_name),
                                     [&](const BadRecord& bad) -> Result<bool> {
                                       const RecordPlace place = place_of(bad.document);
                                       if (asked_.names(place) && places_.add(place)) {
                                         explanation_.reason = bad.why();
                                       }
                                       return true;
                                     });
  }

  /// Records of the same name that are in no cluster.
  Status find_in_inputs() {
    for (const MadeInput& input : folder_.inputs) {
      const bool is_place = options_.id.starts_with(input.input.shown + ":");
      if (is_place && !places_.all().empty()) return {};
      if (input.facts.lines == 1 && input.facts.checksum == 0) continue;
      InputAgain again(files_, folder_, input, cancel_);
      std::vector<RecordPlace> found;
      Result<bool> more = again.next();
      for (; more.ok() && more.value(); more = again.next()) {
        again.decode();
        for (const Record& record : again.batch().records) {
          if (record.bad != BadReason::none || !asked_.names(input.input, record)) {
            continue;
          }
          const Result<JsonNode> id = read_json(record.id, "id");
          found.push_back(
              {{id.ok() ? id_text(id.value())
                        : made_id(input.input.shown, is_one_document(input.input), record.number),
                input.input.shown, record.number},
               record_fingerprint(record.raw)});
        }
      }
      TWINSET_TRY(check_stop(cancel_));
      TWINSET_ASSIGN(const bool same, more.ok() ? again.same() : Result<bool>(false));
      if (!more.ok() || !same) {
        explanation_.notes.push_back(more.ok() ? changed_note(input.input.shown) +
                                                     "; its present content proves nothing"
                                               : more.error().text());
        continue;
      }
      for (RecordPlace& place : found) places_.add(std::move(place));
    }
    return {};
  }

  Error unknown() const {
    const std::string asked = "'" + visible_name(options_.id) + "'";
    if (explanation_.notes.empty()) {
      return usage_error("no record has the id " + asked + " in " + folder_.path +
                         " or its inputs; file:record names one without an id");
    }
    std::string message = "the fate of " + asked + " is unknown";
    for (const std::string& note : explanation_.notes) message += "; " + note;
    return io_error(std::move(message));
  }

  // ---- Pairs ----

  Status find_edges() {
    const std::optional<DocumentId> asked = pairs_.document(place_);
    if (!asked.has_value()) return {};
    DocumentId original;
    if (known_ != nullptr && known_->for_each_pair) {
      TWINSET_TRY(known_->for_each_pair(*asked, [&](const KnownCluster::Pair& pair) {
        const bool its_own = pair.later == *asked;
        if (pair.kind == RemovalKind::near) {
          add_edge({{its_own ? pair.earlier.document : pair.later, pair.earlier.keys},
                    {},
                    pair.is_template});
        } else if (its_own) {
          cluster_.copy_kind = pair.kind;
          original = pair.earlier.document;
        }
      }));
    } else {
      TWINSET_TRY(read_edges(*asked, original));
    }
    sort_edges();
    if (edges_.size() > listed_edges) edges_.resize(listed_edges);
    std::vector<DocumentId> wanted{original};
    for (const SeenEdge& edge : edges_) wanted.push_back(edge.other.document);
    TWINSET_ASSIGN(const auto names, names_of(wanted));
    const auto copied = names.find(original);
    if (cluster_.copy_kind.has_value() && copied != names.end()) {
      cluster_.original = copied->second.document;
    }
    const SketchFacts facts = sketch_facts();
    for (const SeenEdge& edge : edges_) {
      const auto name = names.find(edge.other.document);
      if (name == names.end()) continue;  // The folder has lost its line.
      cluster_.nearest.push_back({.name = name->second.document});
      AlikeRecord& alike = cluster_.nearest.back();
      const Link link = Link::read(pairs_.kind(), edge.other.keys);
      if (link.counts() || link.estimated()) {
        alike.resemblance = link.resemblance();
        alike.interval =
            link.estimated() ? estimate_again(link.resemblance(), facts) : link.interval();
      }
      if (link.kind == LinkKind::distance) alike.distance = link.numbers.shared;
      if (edge.rest.has_value() && edge.rest->all() > 0) {
        alike.rest_resemblance = edge.rest->resemblance();
      }
      alike.is_template = edge.is_template;
    }
    return {};
  }

  Status read_edges(DocumentId asked, DocumentId& original) {
    const std::string path = folder_.file(pairs_file_name);
    return for_each_pair_line(files_, path, [&](const PairLine& line) -> Status {
      TWINSET_TRY(check_stop(cancel_));
      const bool its_own = line.document() == asked;
      if (its_own && line.kind() != Fate::near) {
        cluster_.copy_kind = kind_of(line.kind());
        original = line.original();
      }
      for (std::size_t i = 0; i < line.pairs.size(); ++i) {
        const auto& [earlier, keys] = line.pairs[i];
        if (!its_own && earlier != asked) continue;
        SeenEdge edge{{its_own ? earlier : line.document(), keys}, {}, false};
        if (!line.rests.empty()) edge.rest = line.rests[i];
        edge.is_template = pairs_.is_template(line, i);
        add_edge(edge);
      }
      return {};
    });
  }

  Result<std::map<DocumentId, RecordPlace>> names_of(const std::vector<DocumentId>& wanted) const {
    if (known_ == nullptr || !known_->name) return pairs_.names(files_, wanted);
    std::map<DocumentId, RecordPlace> out;
    for (const DocumentId document : wanted) {
      RecordPlace place;
      TWINSET_ASSIGN(const bool found, known_->name(document, place));
      if (found) out.emplace(document, std::move(place));
    }
    return out;
  }

  /// Of the run's scheme, if its sketches made estimates whose errors the pairs do not have. A
  /// scheme whose files are gone tells none, and a note says so.
  SketchFacts sketch_facts() {
    if (pairs_.kind() != LinkKind::estimate) return {};
    const Result<std::unique_ptr<Scheme>> scheme =
        make_scheme(folder_.scheme, folder_.threshold.resemblance.value(), files_);
    if (scheme.ok()) return scheme.value()->facts();
    explanation_.notes.push_back(
        "the estimates have no intervals, because the run's scheme cannot "
        "be made again: " +
        scheme.error().text());
    return {};
  }

  void add_edge(const SeenEdge& edge) {
    if (!pairs_.threshold().reached_by(edge.other.keys)) return;
    ++cluster_.pairs;
    cluster_.template_pairs += edge.is_template ? 1 : 0;
    edges_.push_back(edge);
    if (edges_.size() < 4 * listed_edges) return;
    sort_edges();
    edges_.resize(listed_edges);
  }

  /// Most alike first, then by input order.
  void sort_edges() {
    const auto likeness = [this](const SeenEdge& edge) {
      return Link::read(pairs_.kind(), edge.other.keys).likeness();
    };
    std::ranges::sort(edges_, [&](const SeenEdge& x, const SeenEdge& y) {
      return likeness(x) != likeness(y) ? likeness(x) > likeness(y)
                                        : x.other.document < y.other.document;
    });
  }

  FileSystem& files_;
  const std::atomic<bool>* cancel_;
  const OutputFolder& folder_;
  const ExplainOptions& options_;
  AskedRecord asked_;
  PairsFolder pairs_;
  const KnownCluster* known_ = nullptr;
  PlaceList places_;
  RecordPlace place_;
  std::vector<SeenEdge> edges_;  ///< the nearest
  ClusterPlace cluster_;
  Explanation explanation_;
};

}  // namespace

Result<Explanation> explain_cluster(const OutputFolder& folder, const ExplainOptions& options,
                                    const RunControl& control) {
  return ClusterExplainer(folder, options, control).run();
}

Result<Explanation> explain_known(const OutputFolder& folder, const KnownCluster& known,
                                  const RunControl& control) {
  return ClusterExplainer(folder, ExplainOptions{}, control).run(known);
}

}  // namespace twinset
