// An index opened for questions.
//
// This file's interface is Index in twinset/index.h, and search/index.h.
#include "search/index.h"

#include <memory>
#include <mutex>
#include <utility>

#include "base/message.h"
#include "index/find.h"
#include "io/json.h"
#include "search/group.h"
#include "search/locate.h"
#include "search/lookup.h"
#include "system/context.h"
#include "system/stoppable_lock.h"
#include "twinset/index.h"

namespace twinset {

Result<IndexSnapshot> open_index(FileSystem& files, const std::string& index) {
  if (index.empty()) return usage_error("no index given: name its folder");
  return IndexSnapshot::open(files, folder_path(index));
}

IndexStats stats_of(const std::string& index, const IndexSnapshot& snapshot) {
  const Manifest& manifest = snapshot.manifest();
  IndexStats stats;
  stats.index = index;
  stats.settings = manifest.settings;
  stats.documents = snapshot.documents();
  stats.segments = manifest.segments.size();
  stats.bytes = snapshot.log_bytes();
  stats.changes = snapshot.changes();
  for (const IndexSnapshot::Part& part : snapshot.parts()) {
    stats.deleted += part.deleted.count();
    stats.removed += part.hidden.count() - part.deleted.count();
    stats.bytes += part.listed.number == 0 ? 0 : part.segment->facts().bytes;
  }
  return stats;
}

Result<std::optional<IndexPlace>> find_named(const IndexSnapshot& snapshot, std::string_view name,
                                             bool by_url) {
  std::string quoted;
  append_json_string(quoted, name);
  for (const std::string_view id : {std::string_view(quoted), name}) {
    TWINSET_ASSIGN(const std::optional<IndexPlace> place, snapshot.find_id(id));
    if (place.has_value()) return place;
  }
  if (!by_url) return std::optional<IndexPlace>();
  TWINSET_ASSIGN(const std::vector<IndexPlace> places, snapshot.find_url(name));
  if (places.empty()) return std::optional<IndexPlace>();
  return std::optional<IndexPlace>(places.back());
}

struct Index::Parts {
  Parts(std::string named, std::shared_ptr<const IndexSnapshot> asked)
      : folder(std::move(named)), opened(std::move(asked)), snapshot(*opened) {}

  std::string folder;
  std::shared_ptr<const IndexSnapshot> opened;
  const IndexSnapshot& snapshot;  ///< *opened
  std::mutex reading_dates;
  std::atomic<const SweepDates*> dates = nullptr;  ///< once they are read: of read_dates
  std::optional<SweepDates> read_dates;
  std::shared_ptr<KnownDates> known_dates;  ///< null: of no other Index
  std::mutex cache_mutex;
  ShingleCache cache{shingle_cache_bytes};  ///< of group()

  Result<const SweepDates*> all_dates(const std::atomic<bool>* cancel);
};

Index::Index(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;
Index::~Index() = default;

Result<Index> Index::open(const std::string& folder, const RunControl& control) {
  TWINSET_ASSIGN(IndexSnapshot snapshot, open_index(files_of(control), folder));
  return OpenIndex::of(folder, std::make_shared<const IndexSnapshot>(std::move(snapshot)));
}

Index OpenIndex::of(std::string folder, std::shared_ptr<const IndexSnapshot> snapshot,
                    std::shared_ptr<KnownDates> dates) {
  auto parts = std::make_unique<Index::Parts>(std::move(folder), std::move(snapshot));
  parts->known_dates = std::move(dates);
  return Index(std::move(parts));
}

const IndexSnapshot& OpenIndex::snapshot(const Index& index) { return index.parts_->snapshot; }

IndexStats Index::stats() const { return stats_of(parts_->folder, parts_->snapshot); }

Result<IndexAnswer> Index::query(std::string_view text, const QuerySettings& query,
                                 bool html) const {
  TWINSET_TRY(check_text_bytes(text));
  Record record;
  record.text = text;
  record.markup = html ? Markup::html : Markup::none;
  RecordView view(parts_->snapshot.signer().view());
  view.look_at(record);
  return IndexFinder(parts_->snapshot).find(view, query);
}

Result<IndexAnswer> Index::query_document(std::string_view id_or_url,
                                          const QuerySettings& query) const {
  const IndexSnapshot& snapshot = parts_->snapshot;
  TWINSET_ASSIGN(const std::optional<IndexPlace> place, find_named(snapshot, id_or_url, true));
  if (!place.has_value()) {
    return usage_error(parts_->folder + " has no document of the id or URL " +
                       std::string(id_or_url));
  }
  return IndexFinder(snapshot).find(*place, query);
}

/// One who asks reads them, and the others wait for him as long as they may.
Result<const SweepDates*> Index::Parts::all_dates(const std::atomic<bool>* cancel) {
  if (const SweepDates* const read = dates) return read;
  TWINSET_ASSIGN(const std::unique_lock lock, lock_unless_stopped(reading_dates, cancel));
  if (const SweepDates* const read = dates) return read;
  const std::shared_ptr<const SweepDates> earlier = known_dates ? known_dates->get() : nullptr;
  TWINSET_ASSIGN(read_dates, SweepDates::read(snapshot, earlier.get(), cancel));
  if (known_dates) known_dates->set(*read_dates);
  dates = &*read_dates;
  return dates.load();
}

Result<PageLocation> Index::locate(std::string_view url, const LocateSettings& settings,
                                   const std::atomic<bool>* cancel) const {
  TWINSET_ASSIGN(const SweepDates* const dates, parts_->all_dates(cancel));
  return locate_page(parts_->snapshot, *dates, url, settings, cancel);
}

Result<IndexLookup> Index::lookup(std::string_view id_or_url, const LookupSettings& settings,
                                  const std::atomic<bool>* cancel) const {
  return look_up(parts_->snapshot, id_or_url, settings, cancel);
}

Result<GroupedHits> Index::group(const HitList& list, const GroupSettings& settings,
                                 const std::atomic<bool>* cancel) const {
  TWINSET_ASSIGN(const GroupRules rules, group_rules(settings));
  // Whoever asks meanwhile reads the texts himself.
  const std::unique_lock lock(parts_->cache_mutex, std::try_to_lock);
  ShingleCache own(shingle_cache_bytes);
  return group_list(parts_->snapshot, list, rules, lock ? parts_->cache : own, cancel);
}

Result<std::optional<IndexDocument>> Index::find(std::string_view id) const {
  TWINSET_ASSIGN(const std::optional<IndexPlace> place, find_named(parts_->snapshot, id, false));
  if (!place.has_value()) return std::optional<IndexDocument>();
  TWINSET_ASSIGN(IndexDocument document, parts_->snapshot.named(*place));
  return std::optional(std::move(document));
}

Result<std::optional<StoredDocument>> Index::document(std::string_view id_or_url) const {
  const IndexSnapshot& snapshot = parts_->snapshot;
  TWINSET_ASSIGN(const std::optional<IndexPlace> place, find_named(snapshot, id_or_url, true));
  if (!place.has_value()) return std::optional<StoredDocument>();
  StoredDocument stored;
  TWINSET_ASSIGN(stored.document, snapshot.named(*place));
  TWINSET_ASSIGN(stored.text, snapshot.parts()[place->segment].segment->text(place->number));
  return std::optional(std::move(stored));
}

Result<std::vector<IndexLookup>> lookup(const LookupOptions& options, const RunControl& control) {
  if (options.names.empty()) return usage_error("no id or URL given to look up");
  TWINSET_ASSIGN(const Index index, Index::open(options.index, control));
  std::vector<IndexLookup> found;
  for (const std::string& name : options.names) {
    TWINSET_TRY(check_stop(control.cancel));
    TWINSET_ASSIGN(IndexLookup each, index.lookup(name, options, control.cancel));
    found.push_back(std::move(each));
  }
  return found;
}

Result<std::vector<PageLocation>> locate(const LocateOptions& options, const RunControl& control) {
  if (options.urls.empty()) return usage_error("no URL given to locate");
  TWINSET_ASSIGN(const Index index, Index::open(options.index, control));
  std::vector<PageLocation> found;
  for (const std::string& url : options.urls) {
    TWINSET_TRY(check_stop(control.cancel));
    TWINSET_ASSIGN(PageLocation location, index.locate(url, options, control.cancel));
    found.push_back(std::move(location));
  }
  return found;
}

}  // namespace twinset
