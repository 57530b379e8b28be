// RunBrowser: opens a folder, and puts the answers together from its parts. What the parts hold
// does not change once they are made, but for caches that lock.
//
// This file's interface is twinset/browse.h; the rest is private.
#include <algorithm>
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
#include "browse/shown_texts.h"
#include "io/field_json.h"
#include "look/decisions_file.h"
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
/// What the parts take beside the rows of their tables.
constexpr std::uint64_t base_bytes = std::uint64_t{4} << 20;

Status check_page(std::uint64_t limit, std::uint64_t most = most_page_rows) {
  if (limit <= most) return {};
  return usage_error(option("limit") + " is at most " + std::to_string(most));
}

/// [first, end) of `total` rows.
struct PageOfRows {
  PageOfRows(std::uint64_t offset, std::uint64_t limit, std::uint64_t total)
      : first(std::min(offset, total)), end(first + std::min(limit, total - first)) {}
  std::uint64_t first;
  std::uint64_t end;
};

}  // namespace

struct RunBrowser::Parts {
  Parts(FileSystem& all_files, const std::atomic<bool>* stop) : files(all_files), cancel(stop) {}

  FileSystem& files;
  const std::atomic<bool>* cancel;
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

  Status open(const BrowseOptions& options);
  Status read_clusters();
  Status check_memory() const;
  Status check_folder() const;
  Status check_clusters() const;
  std::uint64_t memory_bytes() const;
  Result<SharedOrder> order_of(const ClustersOptions& options) const;
  const RowList* find_list(std::string_view name) const;
  /// The place of a record that is named; a usage error if it is none or several.
  Result<RecordPlace> place(const std::string& name) const;
  Status set_removals(std::uint64_t begin, const PageOfRows& page, ClusterMembers& out) const;
  Status set_edges(std::uint64_t cluster, const PageOfRows& page, ClusterMembers& out) const;
  Result<std::map<std::string, std::string>> decided() const;
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
  orders.emplace(limits.memory_bytes - memory_bytes());
  for (const std::unique_ptr<RowList>& list : lists) {
    described.push_back({list->name(), list->rows(), list->columns()});
  }
  if (!table.has_value()) return {};
  // The first page that anybody sees.
  TWINSET_TRY(order_of({}));
  return {};
}

Result<SharedOrder> RunBrowser::Parts::order_of(const ClustersOptions& options) const {
  return orders->get("clusters " + choice_key(options),
                     [&] { return choose_clusters(*table, options, cancel); });
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
  if (now.kind == summary_status.kind && now.size == summary_status.size &&
      now.mtime_ns == summary_status.mtime_ns && now.inode == summary_status.inode &&
      now.device == summary_status.device) {
    return {};
  }
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

Result<std::string> RunBrowser::overview() const {
  TWINSET_TRY(parts_->check_folder());
  return overview_json(
      parts_->files, parts_->run,
      {parts_->table ? &*parts_->table : nullptr, parts_->texts ? &*parts_->texts : nullptr});
}

std::map<std::string, std::string> RunBrowser::schemas() { return report_schemas(); }

// ---- Clusters ----

Result<ClusterPage> RunBrowser::clusters(const ClustersOptions& options) const {
  TWINSET_TRY(parts_->check_clusters());
  TWINSET_TRY(check_page(options.limit));
  const ClusterTable& table = *parts_->table;
  TWINSET_ASSIGN(const SharedOrder order, parts_->order_of(options));
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
      switch (*kind) {
        case RemovalKind::identical:
          ++shown.kinds.identical;
          break;
        case RemovalKind::lexical:
          ++shown.kinds.lexical;
          break;
        case RemovalKind::near:
          ++shown.kinds.near;
          break;
        case RemovalKind::contained:
          ++shown.kinds.contained;
          break;
        case RemovalKind::shingles:
          ++shown.kinds.shingles;
          break;
      }
    }
  }
  if (!options.words) return out;
  TWINSET_ASSIGN(std::vector<ShownRecord> words, parts_->texts->words(places));
  for (std::size_t i = 0; i < words.size(); ++i) {
    out.clusters[i].words = std::move(words[i].words);
    out.clusters[i].missing = std::move(words[i].missing);
  }
  return out;
}

Result<std::optional<ClusterMembers>> RunBrowser::members(const MembersOptions& options) const {
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
            decided.find(place.document.file + ":" + std::to_string(place.document.record));
        if (found != decided.end()) shown.decision = found->second;
        places.push_back(place);
        return true;
      }));
  if (parts_->run.verb == "dedup") TWINSET_TRY(parts_->set_removals(begin, page, out));
  TWINSET_TRY(parts_->set_edges(cluster, page, out));
  if (options.words) {
    TWINSET_ASSIGN(std::vector<ShownRecord> words, parts_->texts->words(places));
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
  const RowStore& lines = *find_list("removed")->lines();
  FieldLine<Removal> line;
  std::string raw;
  for (std::size_t i = 0; i < out.members.size(); ++i) {
    const std::optional<std::uint64_t> number = table->removed_line(begin + page.first + i);
    if (!number.has_value()) continue;
    TWINSET_TRY(lines.read(*number, raw));
    TWINSET_TRY(line.read(raw, std::string(removed_file_name) + ":" + std::to_string(*number + 1)));
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

Result<ClusterTiles> RunBrowser::tiles(const TilesOptions& options) const {
  TWINSET_TRY(parts_->check_clusters());
  TWINSET_TRY(check_page(options.limit, most_tiles));
  const ClusterTable& table = *parts_->table;
  ClusterTiles out;
  if (options.by == TileBy::cluster) {
    TWINSET_ASSIGN(const SharedOrder order, parts_->order_of({}));
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
    for (std::uint64_t i = 0; i < table.members(); ++i) ++documents[table.document(i).source()];
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

Result<RecordPlace> RunBrowser::Parts::place(const std::string& name) const {
  TWINSET_ASSIGN(const std::vector<std::uint64_t> found, table->find(name));
  if (found.size() > 1) {
    std::vector<RecordPlace> places;
    for (const std::uint64_t member : found) {
      TWINSET_ASSIGN(places.emplace_back(), table->name(member));
    }
    return several_records(name, places);
  }
  if (found.size() == 1) return table->name(found.front());
  // A record in no cluster: its input says whether there is one.
  RunControl control;
  control.cancel = cancel;
  control.files = &files;
  ExplainOptions options;
  options.folder = run.path;
  options.id = name;
  options.numbers = true;
  TWINSET_ASSIGN(Explanation why, explain(options, control));
  return RecordPlace{std::move(why.document), 0};
}

Result<std::string> RunBrowser::pair(const SidesOptions& options) const {
  TWINSET_TRY(parts_->check_clusters());
  TWINSET_ASSIGN(const RecordPlace a, parts_->place(options.a));
  TWINSET_ASSIGN(const RecordPlace b, parts_->place(options.b));
  const ClusterTable& table = *parts_->table;
  // The kind of the later one, if the two are of one cluster.
  std::string tag = "pair";
  Fate color = Fate::near;
  TWINSET_ASSIGN(const std::vector<std::uint64_t> of_a, table.find(options.a));
  TWINSET_ASSIGN(const std::vector<std::uint64_t> of_b, table.find(options.b));
  if (!of_a.empty() && !of_b.empty() &&
      table.cluster_of(of_a.front()) == table.cluster_of(of_b.front())) {
    const std::uint64_t later = std::max(of_a.front(), of_b.front());
    const std::uint64_t first = table.begin(table.cluster_of(later));
    const bool with_first = std::min(of_a.front(), of_b.front()) == first;
    const std::optional<RemovalKind> kind = table.kind(later);
    if (kind.has_value() && parts_->run.verb == "dedup" && with_first) {
      tag = name_of(*kind);
      color = fate_of(*kind);
    }
  }
  TWINSET_ASSIGN(ShownPair shown, parts_->texts->pair(a, b, std::move(tag), color));
  return pair_json(std::move(shown));
}

Result<std::string> RunBrowser::compare(std::string_view a, std::string_view b, bool html) {
  TWINSET_ASSIGN(ShownPair shown, compared_pair(a, b, html));
  return pair_json(std::move(shown));
}

Result<BrowsedRecord> RunBrowser::record(const std::string& name) const {
  TWINSET_TRY(parts_->check_clusters());
  RunControl control;
  control.cancel = parts_->cancel;
  control.files = &parts_->files;
  ExplainOptions options;
  options.folder = parts_->run.path;
  options.id = name;
  options.numbers = true;
  BrowsedRecord out;
  TWINSET_ASSIGN(out.explanation, explain(options, control));
  const RecordName& document = out.explanation.document;
  RecordPlace place{document, 0};
  TWINSET_ASSIGN(const std::vector<std::uint64_t> found,
                 parts_->table->find(document.file + ":" + std::to_string(document.record)));
  if (!found.empty()) {
    TWINSET_ASSIGN(place, parts_->table->name(found.front()));
  }
  TWINSET_ASSIGN(SeenText seen, parts_->texts->text(place));
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

Result<std::optional<ListRows>> RunBrowser::rows(const ListRowsOptions& options) const {
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
  TWINSET_ASSIGN(const SharedOrder order, parts_->orders->get(key, [&] {
    return sort_rows(*list, parts_->files, parts_->limits, options);
  }));
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

Result<VersionsPage> RunBrowser::versions(const VersionsOptions& options) const {
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
    TWINSET_ASSIGN(order, parts_->orders->get("versions " + options.search, [&] {
      return pages.with_text(options.search, parts_->cancel);
    }));
  }
  out.total = order != nullptr ? order->rows.size() : pages.pages();
  const PageOfRows page(options.offset, options.limit, out.total);
  for (std::uint64_t row = page.first; row < page.end; ++row) {
    TWINSET_ASSIGN(out.pages.emplace_back(), pages.page(order != nullptr ? order->rows[row] : row));
  }
  return out;
}

// ---- Decisions ----

Result<std::map<std::string, std::string>> RunBrowser::Parts::decided() const {
  TWINSET_ASSIGN(const RecordDecisions all, DecisionsFile(files, decisions_path).read());
  std::map<std::string, std::string> out;
  for (const RecordDecision& one : all.decisions) {
    out[one.name.file + ":" + std::to_string(one.name.record)] = name_of(one.decision);
  }
  return out;
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
