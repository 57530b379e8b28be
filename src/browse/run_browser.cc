// RunBrowser: opens a folder, and puts the answers together from its parts. What the parts hold
// does not change once they are made, but for caches that lock.
//
// This file's interface is twinset/browse.h; the rest is private.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "base/message.h"
#include "browse/cluster_choice.h"
#include "browse/cluster_table.h"
#include "browse/finished_run.h"
#include "browse/order_cache.h"
#include "browse/overview.h"
#include "browse/page_versions.h"
#include "browse/pair_table.h"
#include "browse/row_list.h"
#include "browse/row_order.h"
#include "browse/shown_texts.h"
#include "io/field_json.h"
#include "look/decisions_file.h"
#include "look/explain_cluster.h"
#include "look/pairs_folder.h"
#include "run/prepare.h"
#include "run/stage_clock.h"
#include "run/summary.h"
#include "run/workspace.h"
#include "system/context.h"
#include "twinset/browse.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_page_rows = 1000;
constexpr std::uint64_t most_tiles = 10'000;
constexpr std::size_t most_edges = 2000;
constexpr std::uint64_t least_sort_bytes = std::uint64_t{8} << 20;
constexpr std::uint64_t most_sort_bytes = std::uint64_t{64} << 20;
/// What the parts take beside the rows of their tables.
constexpr std::uint64_t base_bytes = std::uint64_t{4} << 20;

Status check_page(std::uint64_t limit, std::uint64_t most = most_page_rows) {
  if (limit <= most) return {};
  return usage_error(option("limit") + " is at most " + std::to_string(most));
}

bool is_same_file(const FileStatus& a, const FileStatus& b) {
  return a.kind == b.kind && a.size == b.size && a.mtime_ns == b.mtime_ns && a.inode == b.inode &&
         a.device == b.device;
}

/// [first, end) of `total` rows.
struct PageOfRows {
  PageOfRows(std::uint64_t offset, std::uint64_t limit, std::uint64_t total)
      : first(std::min(offset, total)), end(first + std::min(limit, total - first)) {}
  std::uint64_t first;
  std::uint64_t end;
};

/// In the order of RemovalKind.
constexpr std::array counts_of_kinds{&KindCounts::identical, &KindCounts::lexical,
                                     &KindCounts::near, &KindCounts::contained,
                                     &KindCounts::shingles};

}  // namespace

struct RunBrowser::Parts {
  Parts(FileSystem& all_files, const std::atomic<bool>* stop) : files(all_files), cancel(stop) {}

  FileSystem& files;
  const std::atomic<bool>* cancel;  ///< of opening, and of a question that has none of its own
  BrowseLimits limits;
  FinishedRun run;
  std::string decisions_path;
  FileStatus summary_status;
  std::optional<OutputFolder> folder;  ///< of dedup, cluster and recut
  std::optional<PairsFolder> pairs_folder;
  std::optional<PairTable> pairs;  ///< of cluster
  std::optional<ClusterTable> table;
  std::optional<ShownTexts> texts;
  std::vector<std::unique_ptr<RowList>> lists;
  std::vector<BrowsedList> described;
  std::optional<PageVersions> pages;
  mutable std::optional<OrderCache> orders;
  std::mutex deciding;

  const std::atomic<bool>* stop_of(const std::atomic<bool>* question) const {
    return question != nullptr ? question : cancel;
  }
  Status open(const BrowseOptions& options);
  Status read_clusters();
  Status check_memory() const;
  Status check_folder() const;
  Status check_clusters() const;
  std::uint64_t memory_bytes() const;
  Result<SharedOrder> order_of(const ClustersOptions& options, const std::atomic<bool>* stop) const;
  const RowList* find_list(std::string_view name) const;
  /// The member of that name; none: it is in no cluster. Error (usage): there are several.
  Result<std::optional<std::uint64_t>> find_member(const std::string& name) const;
  /// A record in no cluster: its input says whether there is one.
  Result<Explanation> explain_other(const std::string& name, const std::atomic<bool>* stop) const;
  /// What explain() says of a member, by the tables.
  Result<Explanation> explain_member(std::uint64_t member, const RecordPlace& place,
                                     const std::atomic<bool>* stop) const;
  Result<Explanation> explain_clustered(std::uint64_t member, const RecordPlace& place,
                                        const std::atomic<bool>* stop) const;
  Status read_removal(std::uint64_t line, FieldLine<Removal>& out, std::string& raw) const;
  Status set_removals(std::uint64_t begin, const PageOfRows& page, ClusterMembers& out) const;
  Status set_edges(std::uint64_t cluster, const PageOfRows& page, ClusterMembers& out) const;
  /// By file:record, and the same until the file changes.
  using Decisions = std::map<std::string, std::string>;
  Result<std::shared_ptr<const Decisions>> decided() const;
  mutable std::mutex decided_mutex;
  mutable FileStatus decided_status;
  mutable std::shared_ptr<const Decisions> decided_lately;
};

// ---- Opening ----

Status RunBrowser::Parts::open(const BrowseOptions& options) {
  limits.tmp = options.tmp;
  limits.cancel = cancel;
  const std::uint64_t memory =
      options.memory != 0 ? options.memory : unleased_memory_bytes(files) / 2;
  if (memory <= base_bytes) {
    return usage_error(option("memory", std::to_string(memory)) + " is too little: at least " +
                       std::to_string(base_bytes) + " bytes are needed");
  }
  limits.memory_bytes = memory - base_bytes;
  limits.beside_bytes = base_bytes;
  TWINSET_ASSIGN(run, read_finished_run(files, options.folder));
  limits.clusters = run.clusters;
  limits.documents = run.documents;
  TWINSET_ASSIGN(summary_status, files.status(run.path + "/" + std::string(summary_file)));
  decisions_path = options.decisions.empty() ? run.path + ".decisions.jsonl" : options.decisions;
  if (run.verb == "dedup" || run.verb == "cluster" || run.verb == "recut") {
    TWINSET_TRY(read_clusters());
  } else if (run.verb == "spans") {
    TWINSET_ASSIGN(lists.emplace_back(), spans_rows(files, run.path, limits));
  } else if (run.verb == "detect") {
    TWINSET_ASSIGN(lists, detected_rows(files, run.path, limits));
  } else if (run.verb == "track") {
    TWINSET_ASSIGN(lists, tracked_rows(files, run.path, limits));
    TWINSET_ASSIGN(pages, PageVersions::read(*lists.front()->lines(), cancel));
  }
  TWINSET_TRY(check_memory());
  const std::uint64_t left = limits.memory_bytes - memory_bytes();
  limits.sort_bytes = std::clamp(left, least_sort_bytes, most_sort_bytes);
  orders.emplace(left);
  for (const std::unique_ptr<RowList>& list : lists) {
    described.push_back({list->name(), list->rows(), list->columns()});
  }
  if (!table.has_value()) return {};
  // The first page that anybody sees.
  TWINSET_TRY(order_of({}, cancel));
  return {};
}

Result<SharedOrder> RunBrowser::Parts::order_of(const ClustersOptions& options,
                                                const std::atomic<bool>* stop) const {
  return orders->get(
      "clusters " + choice_key(options), [&] { return choose_clusters(*table, options, stop); },
      stop);
}

Status RunBrowser::Parts::read_clusters() {
  TWINSET_ASSIGN(folder, open_output_folder(files, run.path));
  TWINSET_ASSIGN(RowStore removed, RowStore::make(files, limits.tmp));
  if (run.verb == "cluster") {
    TWINSET_ASSIGN(pairs, PairTable::make(files, limits.tmp));
    pairs_folder.emplace(*folder);
  }
  const bool dedup = run.verb == "dedup";
  TWINSET_ASSIGN(table, ClusterTable::read(files, *folder, limits, dedup ? &removed : nullptr,
                                           pairs ? &*pairs : nullptr));
  texts.emplace(files, *folder);
  if (dedup) {
    TWINSET_TRY(removed.seal());
    lists.push_back(removed_list(std::move(removed)));
  }
  lists.push_back(member_rows(*table));
  if (pairs) lists.push_back(pair_rows(*pairs, *pairs_folder, table->sources()));
  return {};
}

std::uint64_t RunBrowser::Parts::memory_bytes() const {
  std::uint64_t bytes = 0;
  if (table) bytes += table->memory_bytes();
  if (pairs) bytes += pairs->memory_bytes();
  if (pages) bytes += pages->pages() * PageVersions::page_bytes;
  for (const std::unique_ptr<RowList>& list : lists) bytes += list->memory_bytes();
  return bytes;
}

Status RunBrowser::Parts::check_memory() const {
  const std::uint64_t needed = memory_bytes() + base_bytes;
  if (needed - base_bytes <= limits.memory_bytes) return {};
  return usage_error(option("memory") + " is too little: the lists of " + run.path + " need " +
                     std::to_string(needed) + " bytes (" + format_bytes(needed) + ")");
}

/// Rows are in a file of their own; the folder is asked for what it says of itself.
Status RunBrowser::Parts::check_folder() const {
  TWINSET_ASSIGN(const FileStatus now, files.status(run.path + "/" + std::string(summary_file)));
  if (is_same_file(now, summary_status)) return {};
  return io_error(run.path +
                  (now.kind == FileStatus::Kind::missing
                       ? " is gone"
                       : " is another folder than the one that was opened") +
                  "; open it again");
}

Status RunBrowser::Parts::check_clusters() const {
  TWINSET_TRY(check_folder());
  if (table.has_value()) return {};
  return usage_error(run.path + " was made by twinset " + run.verb + " and has no clusters");
}

Result<RunBrowser> RunBrowser::open(const BrowseOptions& options, const RunControl& control) {
  auto parts = std::make_unique<Parts>(files_of(control), control.cancel);
  TWINSET_TRY(parts->open(options));
  return RunBrowser(std::move(parts));
}

RunBrowser::RunBrowser(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
RunBrowser::RunBrowser(RunBrowser&&) noexcept = default;
RunBrowser& RunBrowser::operator=(RunBrowser&&) noexcept = default;
RunBrowser::~RunBrowser() = default;

const std::string& RunBrowser::folder() const { return parts_->run.path; }
const std::string& RunBrowser::verb() const { return parts_->run.verb; }
const std::string& RunBrowser::title() const { return parts_->run.title; }
const std::string& RunBrowser::decisions_file() const { return parts_->decisions_path; }
const std::vector<BrowsedList>& RunBrowser::lists() const { return parts_->described; }

Result<std::string> RunBrowser::overview(const std::atomic<bool>* cancel) const {
  TWINSET_TRY(parts_->check_folder());
  return overview_json(parts_->files, parts_->run,
                       {parts_->table ? &*parts_->table : nullptr,
                        parts_->texts ? &*parts_->texts : nullptr, parts_->stop_of(cancel)});
}

std::map<std::string, std::string> RunBrowser::schemas() { return report_schemas(); }

// ---- Clusters ----

Result<ClusterPage> RunBrowser::clusters(const ClustersOptions& options,
                                         const std::atomic<bool>* cancel) const {
  const std::atomic<bool>* const stop = parts_->stop_of(cancel);
  TWINSET_TRY(parts_->check_clusters());
  TWINSET_TRY(check_page(options.limit));
  const ClusterTable& table = *parts_->table;
  TWINSET_ASSIGN(const SharedOrder order, parts_->order_of(options, stop));
  ClusterPage out{.total = order->rows.size(), .documents = order->documents};
  const PageOfRows page(options.offset, options.limit, out.total);
  std::vector<RecordPlace> places;
  for (std::uint64_t row = page.first; row < page.end; ++row) {
    const std::uint32_t cluster = order->rows[row];
    TWINSET_ASSIGN(RecordPlace place, table.name(table.begin(cluster)));
    BrowsedCluster& shown = out.clusters.emplace_back();
    shown.cluster = cluster + std::uint64_t{1};
    shown.documents = table.documents(cluster);
    shown.first = place.document;
    shown.resemblance = table.least(cluster);
    shown.sources = table.sources(cluster);
    places.push_back(std::move(place));
    for (std::uint64_t i = table.begin(cluster) + 1; i < table.end(cluster); ++i) {
      const std::optional<RemovalKind> kind = table.kind(i);
      if (!kind.has_value()) continue;
      ++(shown.kinds.*counts_of_kinds[static_cast<std::size_t>(*kind)]);
    }
  }
  if (!options.words) return out;
  TWINSET_ASSIGN(std::vector<ShownRecord> words, parts_->texts->words(places, stop));
  for (std::size_t i = 0; i < words.size(); ++i) {
    out.clusters[i].words = std::move(words[i].words);
    out.clusters[i].missing = std::move(words[i].missing);
  }
  return out;
}

Result<std::optional<ClusterMembers>> RunBrowser::members(const MembersOptions& options,
                                                          const std::atomic<bool>* cancel) const {
  const std::atomic<bool>* const stop = parts_->stop_of(cancel);
  TWINSET_TRY(parts_->check_clusters());
  TWINSET_TRY(check_page(options.limit));
  const ClusterTable& table = *parts_->table;
  if (options.cluster == 0 || options.cluster > table.clusters()) {
    return std::optional<ClusterMembers>();
  }
  const std::uint64_t cluster = options.cluster - 1;
  const PageOfRows page(options.offset, options.limit, table.documents(cluster));
  ClusterMembers out{.cluster = options.cluster, .documents = table.documents(cluster)};
  const std::uint64_t begin = table.begin(cluster);
  TWINSET_ASSIGN(const auto decided, parts_->decided());
  std::vector<RecordPlace> places;
  TWINSET_TRY(table.for_each_name(
      begin + page.first, begin + page.end,
      [&](std::uint64_t member, const RecordPlace& place) -> Result<bool> {
        BrowsedMember& shown = out.members.emplace_back();
        shown.name = place.document;
        shown.kind = table.kind(member);
        shown.resemblance = table.resemblance(member);
        shown.fate = parts_->run.verb != "dedup" ? "clustered"
                     : member == begin           ? "kept"
                                                 : "removed";
        const auto found =
            decided->find(place.document.file + ":" + std::to_string(place.document.record));
        if (found != decided->end()) shown.decision = found->second;
        places.push_back(place);
        return true;
      }));
  if (parts_->run.verb == "dedup") TWINSET_TRY(parts_->set_removals(begin, page, out));
  TWINSET_TRY(parts_->set_edges(cluster, page, out));
  if (options.words) {
    TWINSET_ASSIGN(std::vector<ShownRecord> words, parts_->texts->words(places, stop));
    for (std::size_t i = 0; i < words.size(); ++i) {
      out.members[i].words = std::move(words[i].words);
      out.members[i].missing = std::move(words[i].missing);
    }
  }
  return std::optional(std::move(out));
}

/// What the lines of removed records say of the members of a page.
Status RunBrowser::Parts::set_removals(std::uint64_t begin, const PageOfRows& page,
                                       ClusterMembers& out) const {
  FieldLine<Removal> line;
  std::string raw;
  for (std::size_t i = 0; i < out.members.size(); ++i) {
    const std::optional<std::uint64_t> number = table->removed_line(begin + page.first + i);
    if (!number.has_value()) continue;
    TWINSET_TRY(read_removal(*number, line, raw));
    BrowsedMember& member = out.members[i];
    member.resemblance = line->resemblance;
    if (!line->standard_error.has_value()) member.containment = line->containment;
    member.survivor = place_of(line->survivor).document;
  }
  return {};
}

Status RunBrowser::Parts::set_edges(std::uint64_t cluster, const PageOfRows& page,
                                    ClusterMembers& out) const {
  const std::uint64_t begin = table->begin(cluster);
  if (!pairs.has_value()) {
    // A star; of recut nothing but that the documents are in one cluster is known.
    if (run.verb != "dedup" || page.first > 0) return {};
    for (std::size_t i = 1; i < out.members.size() && out.edges.size() < most_edges; ++i) {
      out.edges.push_back({i, 0, out.members[i].resemblance});
    }
    return {};
  }
  for (std::uint64_t i = page.first; i < page.end && out.edges.size() < most_edges; ++i) {
    TWINSET_TRY(pairs->for_each_of(
        table->document(begin + i), [&](const PairTableRow& row) -> Result<bool> {
          const bool copy = row.kind() != RemovalKind::near;
          if (!copy && !pairs_folder->threshold().reached_by(row.keys)) return true;
          const std::optional<std::uint64_t> other = table->member(row.other);
          if (!other || *other < begin + page.first || *other >= begin + page.end) return true;
          const Link link = copy ? Link::copy() : Link::read(pairs_folder->kind(), row.keys);
          const bool known = link.counts() || link.estimated();
          out.edges.push_back({i - page.first, *other - begin - page.first,
                               known ? std::optional(link.resemblance()) : std::nullopt});
          return out.edges.size() < most_edges;
        }));
  }
  return {};
}

Result<ClusterTiles> RunBrowser::tiles(const TilesOptions& options,
                                       const std::atomic<bool>* cancel) const {
  const std::atomic<bool>* const stop = parts_->stop_of(cancel);
  TWINSET_TRY(parts_->check_clusters());
  TWINSET_TRY(check_page(options.limit, most_tiles));
  const ClusterTable& table = *parts_->table;
  ClusterTiles out;
  if (options.by == TileBy::cluster) {
    TWINSET_ASSIGN(const SharedOrder order, parts_->order_of({}, stop));
    out.rest_clusters = order->rows.size();
    out.rest_documents = order->documents;
    const PageOfRows page(0, options.limit, order->rows.size());
    for (std::uint64_t row = 0; row < page.end; ++row) {
      const std::uint32_t cluster = order->rows[row];
      TWINSET_ASSIGN(const RecordPlace place, table.name(table.begin(cluster)));
      out.tiles.push_back(
          {place.document.id, table.documents(cluster), cluster + std::uint64_t{1}});
    }
  } else {
    std::vector<std::uint64_t> documents(table.sources().size());
    for (std::uint64_t i = 0; i < table.members(); ++i) {
      if (i % 65536 == 0) TWINSET_TRY(check_stop(stop));
      ++documents[table.document(i).source()];
    }
    std::vector<std::size_t> order;
    for (std::size_t source = 0; source < documents.size(); ++source) {
      if (documents[source] == 0) continue;
      order.push_back(source);
      ++out.rest_clusters;
      out.rest_documents += documents[source];
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return documents[a] > documents[b]; });
    order.resize(std::min<std::uint64_t>(order.size(), options.limit));
    for (const std::size_t source : order) {
      out.tiles.push_back({table.sources()[source], documents[source], std::nullopt});
    }
  }
  for (const ClusterTile& tile : out.tiles) out.rest_documents -= tile.documents;
  out.rest_clusters -= out.tiles.size();
  return out;
}

// ---- Records ----

Result<std::optional<std::uint64_t>> RunBrowser::Parts::find_member(const std::string& name) const {
  TWINSET_ASSIGN(const std::vector<std::uint64_t> found, table->find(name));
  if (found.empty()) return std::optional<std::uint64_t>();
  if (found.size() == 1) return std::optional(found.front());
  std::vector<RecordPlace> places;
  for (const std::uint64_t member : found) {
    TWINSET_ASSIGN(places.emplace_back(), table->name(member));
  }
  return several_records(name, places);
}

Result<Explanation> RunBrowser::Parts::explain_other(const std::string& name,
                                                     const std::atomic<bool>* stop) const {
  RunControl control;
  control.cancel = stop;
  control.files = &files;
  ExplainOptions options;
  options.folder = run.path;
  options.id = name;
  options.numbers = true;
  return explain(options, control);
}

Result<std::string> RunBrowser::pair(const SidesOptions& options,
                                     const std::atomic<bool>* cancel) const {
  const std::atomic<bool>* const stop = parts_->stop_of(cancel);
  TWINSET_TRY(parts_->check_clusters());
  const ClusterTable& table = *parts_->table;
  const std::array<const std::string*, 2> names{&options.a, &options.b};
  std::array<std::optional<std::uint64_t>, 2> members;
  std::array<RecordPlace, 2> places;
  for (std::size_t i = 0; i < names.size(); ++i) {
    TWINSET_ASSIGN(members[i], parts_->find_member(*names[i]));
    if (members[i].has_value()) {
      TWINSET_ASSIGN(places[i], table.name(*members[i]));
    } else {
      TWINSET_ASSIGN(Explanation why, parts_->explain_other(*names[i], stop));
      places[i].document = std::move(why.document);
    }
  }
  // The kind of the later one, if the two are of one cluster.
  std::string tag = "pair";
  Fate color = Fate::near;
  if (parts_->run.verb == "dedup" && members[0].has_value() && members[1].has_value()) {
    const auto [first, later] = std::minmax(*members[0], *members[1]);
    const std::uint64_t cluster = table.cluster_of(later);
    const std::optional<RemovalKind> kind = table.kind(later);
    if (kind.has_value() && first == table.begin(cluster)) {
      tag = name_of(*kind);
      color = fate_of(*kind);
    }
  }
  TWINSET_ASSIGN(ShownPair shown,
                 parts_->texts->pair(places[0], places[1], std::move(tag), color, stop));
  return pair_json(std::move(shown));
}

Result<std::string> RunBrowser::compare(std::string_view a, std::string_view b, bool html) {
  TWINSET_ASSIGN(ShownPair shown, compared_pair(a, b, html));
  return pair_json(std::move(shown));
}

Status RunBrowser::Parts::read_removal(std::uint64_t number, FieldLine<Removal>& line,
                                       std::string& raw) const {
  TWINSET_TRY(find_list("removed")->lines()->read(number, raw));
  return line.read(raw, std::string(removed_file_name) + ":" + std::to_string(number + 1));
}

Result<Explanation> RunBrowser::Parts::explain_member(std::uint64_t member,
                                                      const RecordPlace& place,
                                                      const std::atomic<bool>* stop) const {
  constexpr std::uint64_t listed_members = 20;
  const std::uint64_t cluster = table->cluster_of(member);
  const std::uint64_t first = table->begin(cluster);
  if (run.verb != "dedup") return explain_clustered(member, place, stop);
  Explanation out;
  out.document = place.document;
  out.threshold = folder->threshold.resemblance.value();
  FieldLine<Removal> line;
  std::string raw;
  if (const std::optional<std::uint64_t> number = table->removed_line(member)) {
    TWINSET_TRY(read_removal(*number, line, raw));
    explain_removal(*line, out);
    return out;
  }
  const MadeInput* const input = folder->find(place.document.file);
  if (input != nullptr && input->input.reference) out.fate = Explanation::Fate::reference;
  out.stands_for = table->documents(cluster) - 1;
  for (std::uint64_t i = first + 1; i < table->end(cluster); ++i) {
    if (out.examples.size() == listed_members) break;
    const std::optional<std::uint64_t> number = table->removed_line(i);
    if (!number.has_value()) continue;
    TWINSET_TRY(read_removal(*number, line, raw));
    out.examples.push_back(
        {place_of(line->document).document, line->kind, line->resemblance, line->containment});
  }
  return out;
}

/// Of a folder of cluster or recut.
Result<Explanation> RunBrowser::Parts::explain_clustered(std::uint64_t member,
                                                         const RecordPlace& place,
                                                         const std::atomic<bool>* stop) const {
  const std::uint64_t cluster = table->cluster_of(member);
  KnownCluster known;
  known.place = place;
  known.documents = table->documents(cluster);
  TWINSET_ASSIGN(known.representative, table->name(table->begin(cluster)));
  if (pairs.has_value() && !pairs->left_rests_out()) {
    known.for_each_pair = [&](DocumentId document,
                              const std::function<void(const KnownCluster::Pair& pair)>& use) {
      return pairs->for_each(
          0, pairs->rows(), [&](std::uint64_t number, const PairTableRow& row) -> Result<bool> {
            if (number % 65536 == 0) TWINSET_TRY(check_stop(stop));
            if (row.document != document && row.other != document) return true;
            use({row.document, {row.other, row.keys}, row.kind(), row.is_template()});
            return true;
          });
    };
    known.name = [&](DocumentId document, RecordPlace& out) -> Result<bool> {
      TWINSET_ASSIGN(const bool found, pairs->name(document, out));
      if (found) out.document.file = table->sources()[document.source()];
      return found;
    };
  }
  RunControl control;
  control.cancel = stop;
  control.files = &files;
  return explain_known(*folder, known, control);
}

Result<BrowsedRecord> RunBrowser::record(const std::string& name,
                                         const std::atomic<bool>* cancel) const {
  const std::atomic<bool>* const stop = parts_->stop_of(cancel);
  TWINSET_TRY(parts_->check_clusters());
  BrowsedRecord out;
  RecordPlace place;
  TWINSET_ASSIGN(const std::optional<std::uint64_t> member, parts_->find_member(name));
  if (member.has_value()) {
    TWINSET_ASSIGN(place, parts_->table->name(*member));
    TWINSET_ASSIGN(out.explanation, parts_->explain_member(*member, place, stop));
  } else {
    TWINSET_ASSIGN(out.explanation, parts_->explain_other(name, stop));
    place.document = out.explanation.document;
  }
  TWINSET_ASSIGN(SeenText seen, parts_->texts->text(place, stop));
  out.text = std::move(seen.text);
  out.missing = std::move(seen.missing);
  if (out.text.has_value() && out.text->size() > ShownTexts::most_text_bytes) {
    out.text->resize(whole_prefix(*out.text, ShownTexts::most_text_bytes).size());
    out.cut = true;
  }
  return out;
}

// ---- Lists ----

const RowList* RunBrowser::Parts::find_list(std::string_view name) const {
  for (const std::unique_ptr<RowList>& list : lists) {
    if (list->name() == name) return list.get();
  }
  return nullptr;
}

Result<std::optional<ListRows>> RunBrowser::rows(const ListRowsOptions& options,
                                                 const std::atomic<bool>* cancel) const {
  TWINSET_TRY(parts_->check_folder());
  TWINSET_TRY(check_page(options.limit));
  const RowList* const list = parts_->find_list(options.list);
  if (list == nullptr) return std::optional<ListRows>();
  ListRows out;
  const RowList::Use take = [&](std::uint64_t, const std::vector<std::string>& values) {
    out.rows.push_back(row_json(values));
    return Result<bool>(true);
  };
  if (options.sort.empty() && options.search.empty()) {
    out.total = list->rows();
    const PageOfRows page(options.offset, options.limit, out.total);
    if (!options.reverse) {
      TWINSET_TRY(list->for_each(page.first, page.end, take));
    } else {
      TWINSET_TRY(list->for_each(out.total - page.end, out.total - page.first, take));
      std::reverse(out.rows.begin(), out.rows.end());
    }
    return std::optional(std::move(out));
  }
  const std::string key = "rows " + options.list + '\0' + options.sort + '\0' + options.search +
                          '\0' + (options.reverse ? "reverse" : "");
  BrowseLimits limits = parts_->limits;
  limits.cancel = parts_->stop_of(cancel);
  TWINSET_ASSIGN(
      const SharedOrder order,
      parts_->orders->get(
          key, [&] { return sort_rows(*list, parts_->files, limits, options); }, limits.cancel));
  out.total = order->rows.size();
  const PageOfRows page(options.offset, options.limit, out.total);
  for (std::uint64_t row = page.first; row < page.end; ++row) {
    TWINSET_TRY(list->for_each(order->rows[row], order->rows[row] + std::uint64_t{1}, take));
  }
  return std::optional(std::move(out));
}

// ---- Versions of pages ----

Result<std::optional<TrackedPage>> RunBrowser::versions(const std::string& url) const {
  TWINSET_TRY(parts_->check_folder());
  if (!parts_->pages.has_value()) return std::optional<TrackedPage>();
  return parts_->pages->find(url);
}

Result<VersionsPage> RunBrowser::versions(const VersionsOptions& options,
                                          const std::atomic<bool>* cancel) const {
  TWINSET_TRY(parts_->check_folder());
  TWINSET_TRY(check_page(options.limit));
  if (!parts_->pages.has_value()) {
    return usage_error(parts_->run.path + " was made by twinset " + parts_->run.verb +
                       " and has no versions of pages");
  }
  const PageVersions& pages = *parts_->pages;
  VersionsPage out;
  SharedOrder order;
  if (!options.search.empty()) {
    const std::atomic<bool>* const stop = parts_->stop_of(cancel);
    TWINSET_ASSIGN(order, parts_->orders->get(
                              "versions " + options.search,
                              [&] { return pages.with_text(options.search, stop); }, stop));
  }
  out.total = order != nullptr ? order->rows.size() : pages.pages();
  const PageOfRows page(options.offset, options.limit, out.total);
  for (std::uint64_t row = page.first; row < page.end; ++row) {
    TWINSET_ASSIGN(out.pages.emplace_back(), pages.page(order != nullptr ? order->rows[row] : row));
  }
  return out;
}

// ---- Decisions ----

Result<std::shared_ptr<const RunBrowser::Parts::Decisions>> RunBrowser::Parts::decided() const {
  const std::lock_guard lock(decided_mutex);
  // Read after its status, the file is at least as new: if it grew in between, it is read again.
  TWINSET_ASSIGN(const FileStatus now, files.status(decisions_path));
  if (decided_lately != nullptr && is_same_file(now, decided_status)) return decided_lately;
  TWINSET_ASSIGN(const RecordDecisions all, DecisionsFile(files, decisions_path).read());
  auto out = std::make_shared<Decisions>();
  for (const RecordDecision& one : all.decisions) {
    (*out)[one.name.file + ":" + std::to_string(one.name.record)] = name_of(one.decision);
  }
  decided_status = now;
  decided_lately = std::move(out);
  return decided_lately;
}

Result<RecordDecisions> RunBrowser::decisions() const {
  TWINSET_TRY(parts_->check_folder());
  return DecisionsFile(parts_->files, parts_->decisions_path).read();
}

Result<RecordDecisions> RunBrowser::decide(const std::vector<RecordDecision>& decisions) const {
  TWINSET_TRY(parts_->check_clusters());
  std::vector<RecordDecision> lines = decisions;
  const std::string now = utc_now();
  for (RecordDecision& one : lines) {
    TWINSET_ASSIGN(const std::vector<std::uint64_t> found, parts_->table->find(one.record));
    if (found.empty()) {
      return usage_error("'" + visible_name(one.record) + "' is in no cluster of " +
                         parts_->run.path);
    }
    std::vector<RecordPlace> places;
    for (const std::uint64_t member : found) {
      TWINSET_ASSIGN(places.emplace_back(), parts_->table->name(member));
    }
    if (places.size() > 1) return several_records(one.record, places);
    if (one.decision == Decided::restore &&
        !parts_->table->removed_line(found.front()).has_value()) {
      return usage_error("'" + visible_name(one.record) + "' was not removed, so it cannot be " +
                         "restored");
    }
    one.name = std::move(places.front().document);
    one.time = now;
  }
  const DecisionsFile file(parts_->files, parts_->decisions_path);
  const std::lock_guard lock(parts_->deciding);
  TWINSET_TRY(file.append(lines));
  return file.read();
}

}  // namespace twinset
