// An index that is asked and changed for as long as a process runs. Who changes it makes sketches
// and keys in a thread of his own, and waits for a sync that he shares with others.
//
// This file's interface is twinset/live_index.h; the rest is private.
#include "twinset/live_index.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <set>
#include <utility>

#include "index/shared_writer.h"
#include "io/json_fields.h"
#include "io/json_read.h"
#include "io/json_scan.h"
#include "io/json_string.h"
#include "search/index.h"

namespace twinset {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

/// Whoever only reads an index looks so often whether it is another one.
constexpr std::chrono::seconds looks_every{1};

/// What an index on disk is known by without opening it.
struct IndexState {
  std::uint64_t changes = 0;
  std::uint64_t next = 0;
  std::string fingerprint;
  std::uint64_t log = 0;
  std::uint64_t log_bytes = 0;
  std::vector<ListedSegment> segments;
  bool operator==(const IndexState&) const = default;

  static Result<IndexState> read(FileSystem& files, const std::string& index) {
    TWINSET_ASSIGN(const Manifest manifest, read_manifest(files, index));
    IndexState state{manifest.changes, manifest.next, manifest.fingerprint, manifest.log, 0, {}};
    state.segments = manifest.segments;
    if (manifest.log == 0) return state;
    TWINSET_ASSIGN(const FileStatus log, files.status(index + "/" + index_log_name(manifest.log)));
    state.log_bytes = log.size;
    return state;
  }
};

/// The number of a document in messages.
std::string numbered(std::size_t i) { return "document " + std::to_string(i + 1); }

/// An id in the form in which the index has it. Error (usage): it is none.
Result<std::string> checked_id(std::string_view json, const std::string& what) {
  const auto read = read_json(json, "the id");
  if (!read.ok() || read.value().kind() == JsonKind::null) {
    return usage_error(what + " has no id: that is a string, a number or another JSON value");
  }
  std::string id;
  append_id(read.value().raw(), id);
  return id;
}

/// Makes the fields of a document readable for schemes.
class DocumentFields {
 public:
  explicit DocumentFields(const IndexSigner& signer) {
    for (const IndexScheme& of : signer.schemes()) {
      for (std::string& name : of.scheme->record_fields()) {
        if (std::ranges::find(names_, name) == names_.end()) names_.push_back(std::move(name));
      }
    }
    found_.resize(names_.size() + 1);
    values_.resize(names_.size());
  }

  /// Error (usage) if `json` is no object. The views are of `json`.
  Status look_at(const std::string& json, const std::string& what, Record& record) {
    std::ranges::fill(values_, std::string_view());
    if (!json.empty()) {
      // The first one is decoded, and there is none to be.
      std::vector<std::string_view> paths{""};
      paths.insert(paths.end(), names_.begin(), names_.end());
      std::string room(json.size() + json_string_slack, '\0');
      JsonFault fault;
      if (!find_json_fields(json, FieldPaths(paths), found_, room.data(), fault)) {
        return usage_error(what + ": its fields are no JSON object");
      }
      for (std::size_t i = 0; i < names_.size(); ++i) values_[i] = found_[i + 1].value.raw;
    }
    record.fields = values_;
    record.field_names = names_;
    return {};
  }

 private:
  std::vector<std::string> names_;
  std::vector<FoundField> found_;
  std::vector<std::string_view> values_;
};

/// The documents as the index has them, each id once; `repeated` counts the others.
Result<IndexBatch> batch_of(const IndexSigner& signer, std::span<const NewDocument> documents,
                            std::uint64_t& repeated) {
  IndexBatch batch;
  batch.fingerprint = signer.fingerprint();
  std::vector<std::string> ids;
  ids.reserve(documents.size());
  DocumentFields fields(signer);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    TWINSET_TRY(check_text_bytes(documents[i].text));
    TWINSET_ASSIGN(std::string id, checked_id(documents[i].id, numbered(i)));
    ids.push_back(std::move(id));
  }
  std::set<std::string_view> later;
  std::vector<bool> counts(documents.size());
  for (std::size_t i = documents.size(); i-- > 0;) counts[i] = later.insert(ids[i]).second;
  RecordView view(signer.view());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const NewDocument& document = documents[i];
    Record record;
    TWINSET_TRY(fields.look_at(document.fields, numbered(i), record));
    if (!counts[i]) {
      ++repeated;
      continue;
    }
    record.text = document.text;
    record.markup = document.html ? Markup::html : Markup::none;
    record.url = document.url;
    view.look_at(record);
    IndexedDocument names;
    names.id = ids[i];
    names.url = document.url;
    names.date = document.date;
    names.fields = document.fields;
    batch.added.push_back(mark_document(signer, view, names));
  }
  return batch;
}

}  // namespace

struct LiveIndex::Parts {
  Parts(std::string named, LiveAccess wanted, const RunControl& control)
      : folder(std::move(named)), access(wanted), context(context_of(control)) {
    // What was begun is done.
    context.cancel = nullptr;
  }

  Result<bool> look_again();
  /// Shows what the writer has, or else `opened`; the same again changes nothing.
  std::shared_ptr<const Index> show(std::shared_ptr<const IndexSnapshot> opened = nullptr);
  void note(const Status& status);
  Status change(IndexBatch& batch);

  const std::string folder;
  const LiveAccess access;
  RunContext context;
  std::unique_ptr<SharedIndexWriter> writer;  ///< null: for reading alone

  // For reading alone:
  std::mutex looking;
  IndexState state;
  SteadyTime looked_at{};

  std::mutex published;
  std::shared_ptr<const IndexSnapshot> snapshot;
  std::shared_ptr<const Index> index;  ///< of the snapshot
  const std::shared_ptr<KnownDates> dates = std::make_shared<KnownDates>();
  std::optional<Error> trouble;
};

std::shared_ptr<const Index> LiveIndex::Parts::show(std::shared_ptr<const IndexSnapshot> opened) {
  const std::lock_guard lock(published);
  // Within the lock, so that nobody shows an earlier one after it.
  std::shared_ptr<const IndexSnapshot> now = writer != nullptr ? writer->snapshot() : opened;
  if (now == nullptr || now == snapshot) return index;
  index = std::make_shared<const Index>(OpenIndex::of(folder, now, dates));
  snapshot = std::move(now);
  return index;
}

void LiveIndex::Parts::note(const Status& status) {
  const std::lock_guard lock(published);
  trouble = status.ok() ? std::nullopt : std::optional(status.error());
}

/// Opens the index again if it is another one on disk. By one at a time.
Result<bool> LiveIndex::Parts::look_again() {
  // Before the index is opened: what changes meanwhile is seen the next time.
  TWINSET_ASSIGN(IndexState now, IndexState::read(*context.files, folder));
  if (snapshot != nullptr && now == state) return false;
  TWINSET_ASSIGN(IndexSnapshot opened, IndexSnapshot::open(*context.files, folder, snapshot.get()));
  state = std::move(now);
  show(std::make_shared<const IndexSnapshot>(std::move(opened)));
  return true;
}

LiveIndex::LiveIndex(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
LiveIndex::LiveIndex(LiveIndex&&) noexcept = default;
LiveIndex& LiveIndex::operator=(LiveIndex&&) noexcept = default;
LiveIndex::~LiveIndex() = default;

Result<LiveIndex> LiveIndex::open(const std::string& folder, LiveAccess access,
                                  const RunControl& control) {
  if (folder.empty()) return usage_error("no index given: name its folder");
  auto parts = std::make_unique<Parts>(folder_path(folder), access, control);
  if (access == LiveAccess::change) {
    TWINSET_ASSIGN(parts->writer, SharedIndexWriter::open(parts->context, parts->folder, "serve"));
    parts->show();
  } else {
    TWINSET_TRY(parts->look_again());
    parts->looked_at = std::chrono::steady_clock::now();
  }
  return LiveIndex(std::move(parts));
}

LiveAccess LiveIndex::access() const { return parts_->access; }

std::shared_ptr<const Index> LiveIndex::current() const {
  Parts& parts = *parts_;
  if (parts.writer != nullptr) return parts.show();
  if (const std::unique_lock looks(parts.looking, std::try_to_lock); looks) {
    const SteadyTime now = std::chrono::steady_clock::now();
    if (now - parts.looked_at >= looks_every) {
      const Result<bool> looked = parts.look_again();
      parts.note(looked.ok() ? Status() : Status(looked.error()));
      // A disk that takes long to tell is not asked all the time.
      parts.looked_at = std::chrono::steady_clock::now();
    }
  }
  return parts.show();
}

Result<bool> LiveIndex::refresh() const {
  Parts& parts = *parts_;
  if (parts.writer != nullptr) {
    const auto before = parts.writer->snapshot();
    const Status looked = parts.writer->change({});
    parts.note(looked);
    TWINSET_TRY(looked);
    return parts.writer->snapshot() != before;
  }
  const std::lock_guard lock(parts.looking);
  Result<bool> looked = parts.look_again();
  parts.note(looked.ok() ? Status() : Status(looked.error()));
  parts.looked_at = std::chrono::steady_clock::now();
  return looked;
}

std::optional<Error> LiveIndex::trouble() const {
  const std::lock_guard lock(parts_->published);
  return parts_->trouble;
}

Status LiveIndex::Parts::change(IndexBatch& batch) {
  const Status made = writer->change({&batch, 1});
  note(made);
  // Segments that were merged go with whoever has the index as it was.
  show();
  return made;
}

Result<AddedDocuments> LiveIndex::add(std::span<const NewDocument> documents) const {
  if (parts_->writer == nullptr) return usage_error(parts_->folder + " was opened for reading");
  const std::shared_ptr<const IndexSnapshot> now = parts_->writer->snapshot();
  AddedDocuments added;
  TWINSET_ASSIGN(IndexBatch batch, batch_of(now->signer(), documents, added.repeated));
  TWINSET_TRY(parts_->change(batch));
  added.added = batch.made.added;
  added.replaced = batch.made.replaced;
  added.unchanged = batch.made.unchanged;
  return added;
}

Result<DeletedDocuments> LiveIndex::remove(std::span<const std::string> ids) const {
  if (parts_->writer == nullptr) return usage_error(parts_->folder + " was opened for reading");
  IndexBatch batch;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    TWINSET_ASSIGN(std::string id, checked_id(ids[i], numbered(i)));
    batch.removed.push_back(std::move(id));
  }
  TWINSET_TRY(parts_->change(batch));
  DeletedDocuments deleted;
  deleted.deleted = batch.made.deleted;
  // An id that is given twice is not there the second time.
  std::set<std::string_view> there;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (batch.was_there[i]) {
      there.insert(batch.removed[i]);
    } else if (!there.contains(batch.removed[i])) {
      deleted.not_there.push_back(ids[i]);
    }
  }
  return deleted;
}

}  // namespace twinset
