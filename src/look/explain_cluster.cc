// Three files are read through, none is held: clusters for the document's cluster, the
// quarantine, and pairs twice, for its pairs and for the names of the others. A document in
// no line of these is looked for in the inputs, as long as they are what the run read.
#include "look/explain_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "cluster/cluster_lines.h"
#include "cluster/cluster_summary.h"
#include "cluster/pair_lines.h"
#include "io/json.h"
#include "look/asked_record.h"
#include "look/input_again.h"
#include "look/pairs_folder.h"
#include "report/numbers.h"
#include "report/visible.h"
#include "run/output_lines.h"
#include "run/record_files.h"
#include "run/summary.h"

namespace twinset {
namespace {

constexpr std::size_t listed_edges = 20;

class ClusterExplainer {
 public:
  ClusterExplainer(FileSystem& files, const OutputFolder& folder, const ExplainOptions& options)
      : files_(files), folder_(folder), options_(options), asked_(options.id), pairs_(folder) {}

  Result<std::string> run() {
    TWINSET_TRY(pairs_.open());
    TWINSET_TRY(find_cluster());
    TWINSET_TRY(find_quarantined());
    TWINSET_TRY(find_in_inputs());
    if (places_.all().size() > 1) return several_records(options_.id, places_.all());
    if (places_.all().empty()) return unknown();
    place_ = places_.all().front();
    if (reason_.empty() && folder_.verb == "cluster") TWINSET_TRY(find_edges());
    if (folder_.verb == "recut") {
      notes_.emplace_back(
          "recut writes no pairs: the folder that cluster made tells which this document is in");
    }
    return options_.json ? json() : text();
  }

 private:
  Status find_cluster() {
    RecordPlace representative;
    std::uint64_t documents = 0;
    bool here = false;
    const auto look = [&](std::string_view raw) -> Status {
      ++documents;
      if (documents > 1 && !asked_.may_be_in(raw)) return {};
      TWINSET_ASSIGN(const JsonNode name, read_json(raw, folder_.file(clusters_file_name)));
      RecordPlace place = read_place(name, "");
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
        representative_ = representative;
        documents_ = documents;
      }
      return true;
    };
    return for_each_cluster(files_, folder_.file(clusters_file_name), use);
  }

  Status find_quarantined() {
    if (folder_.verb == "recut") return {};  // Its inputs' is in the folder of cluster.
    return for_each_line(files_, folder_.file(quarantine_file_name),
                         [&](const JsonNode& line) -> Result<bool> {
                           const RecordPlace place = read_place(line, "");
                           if (!asked_.names(place) || !places_.add(place)) return true;
                           reason_ = line["reason"].text();
                           const std::string detail = line["detail"].text();
                           if (!detail.empty()) reason_ += ": " + detail;
                           return true;
                         });
  }

  /// Records of the same name that are in no cluster.
  Status find_in_inputs() {
    for (const MadeInput& input : folder_.inputs) {
      const bool is_place = options_.id.starts_with(input.input.shown + ":");
      if (is_place && !places_.all().empty()) return {};
      if (input.facts.lines == 1 && input.facts.checksum == 0) continue;
      InputAgain again(files_, folder_, input);
      std::vector<RecordPlace> found;
      Result<bool> more = again.next();
      for (; more.ok() && more.value(); more = again.next()) {
        again.decode();
        for (const Record& record : again.batch().records) {
          if (record.bad != BadReason::none ||
              !asked_.names(record.id, input.input.shown, record.number)) {
            continue;
          }
          const Result<JsonNode> id = read_json(record.id, "id");
          found.push_back({{id.ok() ? id_text(id.value())
                                    : input.input.shown + ":" + std::to_string(record.number),
                            input.input.shown, record.number},
                           record_fingerprint(record.raw)});
        }
      }
      TWINSET_ASSIGN(const bool same, more.ok() ? again.same() : Result<bool>(false));
      if (!more.ok() || !same) {
        notes_.push_back(more.ok()
                             ? changed_note(input.input.shown) + "; what it says now is no proof"
                             : more.error().message);
        continue;
      }
      for (RecordPlace& place : found) places_.add(std::move(place));
    }
    return {};
  }

  Error unknown() const {
    const std::string asked = "'" + visible_name(options_.id) + "'";
    if (notes_.empty()) {
      return usage_error("no record has the id " + asked + " in " + folder_.path +
                         " or its inputs; file:record names one without an id");
    }
    std::string message = "it cannot be told what became of " + asked;
    for (const std::string& note : notes_) message += "; " + note;
    return io_error(std::move(message));
  }

  // ---- Pairs ----

  Status find_edges() {
    const std::optional<std::uint32_t> number = pairs_.number_of(place_);
    if (!number.has_value()) return {};
    PairLine line;
    std::string_view id;
    std::uint64_t line_number = 0;
    const std::string path = folder_.file(pairs_file_name);
    TWINSET_TRY(for_each_raw_line(files_, path, [&](std::string_view raw) -> Result<bool> {
      TWINSET_TRY(read_pair_line(raw, path, ++line_number, line, id));
      if (line.number == *number && line.kind != Fate::near) {
        copy_kind_ = line.kind;
        original_ = line.original;
      }
      for (const SharedPair& pair : line.pairs) {
        if (pair.a == *number || pair.b == *number) add_edge(pair, *number);
      }
      return true;
    }));
    std::sort(edges_.begin(), edges_.end(), before);
    if (edges_.size() > listed_edges) edges_.resize(listed_edges);
    std::vector<std::uint32_t> wanted{original_};
    for (const SharedPair& edge : edges_) wanted.push_back(other(edge, *number));
    TWINSET_ASSIGN(auto names, pairs_.names(files_, wanted));
    names_ = std::move(names);
    number_ = *number;
    return {};
  }

  void add_edge(const SharedPair& pair, std::uint32_t) {
    if (!pairs_.threshold().reached_by(pair.keys)) return;
    ++edge_count_;
    edges_.push_back(pair);
    if (edges_.size() < 4 * listed_edges) return;
    std::sort(edges_.begin(), edges_.end(), before);
    edges_.resize(listed_edges);
  }

  /// Most alike first, then by input order.
  static bool before(const SharedPair& x, const SharedPair& y) {
    const double of_x = x.keys.resemblance();
    const double of_y = y.keys.resemblance();
    if (of_x != of_y) return of_x > of_y;
    return SharedPairLess::radix(x) < SharedPairLess::radix(y);
  }

  static std::uint32_t other(const SharedPair& pair, std::uint32_t one) {
    return pair.a == one ? pair.b : pair.a;
  }

  // ---- The answer ----

  std::string text() const {
    std::string out = visible_name(place_.document.id) + "\n" + where(place_) + "\n\n";
    if (!reason_.empty()) {
      out += "quarantined: " + visible_name(reason_) + "\n";
    } else if (documents_ == 0) {
      out += "in no cluster: no document reaches the threshold with it\n";
    } else {
      out += "in a cluster of " + format_count(documents_, "document", "documents");
      out += is_representative()
                 ? "; it is the representative, the first of them\n"
                 : "; its representative is\n  " + visible_name(representative_.document.id) +
                       "\n  " + where(representative_) + "\n";
    }
    append_edges(out);
    if (!notes_.empty()) out += "\n";
    for (const std::string& note : notes_) out += "Note: " + visible_text(note) + ".\n";
    return out;
  }

  void append_edges(std::string& out) const {
    if (copy_kind_ != Fate::near) {
      const auto found = names_.find(original_);
      out += fmt::format("\na copy ({}) of {}; its pairs are that one's\n", fate_name(copy_kind_),
                         found == names_.end() ? "another" : one_line(found->second));
    }
    if (edge_count_ == 0) return;
    out += "\n" + format_count(edge_count_, "pair", "pairs") + " at the threshold" +
           pairs_.words_for_numbers() + "\n";
    for (const SharedPair& edge : edges_) {
      const auto found = names_.find(other(edge, number_));
      out += fmt::format("  {}  {}\n",
                         pairs_.has_numbers() ? format_share(edge.keys.resemblance()) : "-",
                         found == names_.end() ? "" : one_line(found->second));
    }
    if (edge_count_ > edges_.size()) {
      out += "  ... " + format_count(edge_count_ - edges_.size()) + " more ...\n";
    }
  }

  static std::string where(const RecordPlace& place) {
    return visible_name(place.document.file) + ", record " + format_count(place.document.record);
  }
  static std::string one_line(const RecordPlace& place) {
    return visible_name(place.document.id) + "  (" + where(place) + ")";
  }

  bool is_representative() const {
    return representative_.document.file == place_.document.file &&
           representative_.document.record == place_.document.record;
  }

  std::string json() const {
    std::string out;
    JsonObject object(out);
    add(object, place_);
    object.string("fate", !reason_.empty()  ? "quarantined"
                          : documents_ == 0 ? "alone"
                                            : "clustered");
    if (!reason_.empty()) object.string("reason", reason_);
    if (documents_ > 0) {
      std::string representative;
      JsonObject name(representative);
      add(name, representative_);
      name.end();
      object.raw("representative", representative).number("documents", documents_);
    }
    if (copy_kind_ != Fate::near && names_.contains(original_)) {
      std::string original;
      JsonObject name(original);
      add(name, names_.at(original_));
      name.end();
      object.raw(fate_name(copy_kind_), original);
    }
    if (folder_.verb == "cluster" && reason_.empty()) {
      object.number("edges", edge_count_).raw("nearest", edges_json());
    }
    if (!notes_.empty()) object.raw("notes", json_list(notes_));
    object.end();
    return out + "\n";
  }

  static void add(JsonObject& object, const RecordPlace& place) {
    object.string("id", place.document.id)
        .string("file", place.document.file)
        .number("record", place.document.record);
  }

  std::string edges_json() const {
    std::string out = "[";
    for (const SharedPair& edge : edges_) {
      const auto found = names_.find(other(edge, number_));
      if (found == names_.end()) continue;
      out += out.size() > 1 ? ", " : "";
      JsonObject object(out);
      add(object, found->second);
      if (pairs_.has_numbers()) object.real("resemblance", edge.keys.resemblance());
      object.end();
    }
    return out + "]";
  }

  FileSystem& files_;
  const OutputFolder& folder_;
  const ExplainOptions& options_;
  AskedRecord asked_;
  PairsFolder pairs_;
  PlaceList places_;
  RecordPlace place_;
  RecordPlace representative_;
  std::uint64_t documents_ = 0;  ///< of its cluster; 0: it is in none
  std::string reason_;           ///< of a quarantined one
  std::uint32_t number_ = 0;
  Fate copy_kind_ = Fate::near;  ///< identical, lexical: it is a copy of `original_`
  std::uint32_t original_ = 0;
  std::uint64_t edge_count_ = 0;
  std::vector<SharedPair> edges_;  ///< the nearest of them
  std::map<std::uint32_t, RecordPlace> names_;
  std::vector<std::string> notes_;
};

}  // namespace

Result<std::string> explain_cluster(FileSystem& files, const OutputFolder& folder,
                                    const ExplainOptions& options) {
  return ClusterExplainer(files, folder, options).run();
}

}  // namespace twinset
