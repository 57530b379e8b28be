// This file's interface is index/snapshot.h.
#include "index/snapshot.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/file_header.h"
#include "base/message.h"
#include "index/index_log.h"

namespace twinset {
namespace {

/// A log that cannot be read is read again so often, after 1 ms, 2 ms, 4 ms.
constexpr unsigned most_read_again = 3;

/// The segment, if a snapshot has it open; else null. Its hash tells that it is the same.
std::shared_ptr<const Segment> open_in(const IndexSnapshot* earlier, const ListedSegment& listed,
                                       const IndexSigner& signer) {
  if (earlier == nullptr || earlier->parts().empty() || &earlier->signer() != &signer)
    return nullptr;
  for (const IndexSnapshot::Part& part : earlier->parts()) {
    if (part.listed.number == listed.number && part.listed.hash == listed.hash) {
      return part.segment;
    }
  }
  return nullptr;
}

Result<IndexSnapshot::Part> open_part(FileSystem& files, const std::string& index,
                                      const ListedSegment& listed, const IndexSigner& signer,
                                      const IndexSnapshot* earlier) {
  IndexSnapshot::Part part;
  part.listed = listed;
  const std::string folder = listed.folder(index);
  part.segment = open_in(earlier, listed, signer);
  if (part.segment == nullptr) {
    TWINSET_ASSIGN(part.segment, Segment::open(files, folder, signer));
  }
  const SegmentFacts& facts = part.segment->facts();
  if (facts.documents != listed.documents || fingerprint_text(facts.hash) != listed.hash) {
    return io_error(folder +
                    " is another segment than the manifest of the index says; take a "
                    "copy of the whole index");
  }
  part.deleted = DocumentSet(listed.documents);
  if (listed.deletions != 0) {
    const SegmentFiles names(folder, signer.fingerprint());
    const std::string name = listed.deletions_file();
    TWINSET_ASSIGN(part.deleted,
                   DocumentSet::read(files, names.path(name), names.kind(name), listed.documents));
  }
  if (part.deleted.count() != listed.deleted) {
    return io_error(folder +
                    " has other deleted documents than the manifest of the index says; "
                    "take a copy of the whole index");
  }
  part.hidden = part.deleted;
  part.hidden.add(part.segment->removed());
  return part;
}

Result<std::shared_ptr<const IndexSigner>> signer_of(
    const Manifest& manifest, FileSystem& files, const std::string& index,
    const std::shared_ptr<const IndexSigner>& known) {
  const auto is_its = [&](const IndexSigner& signer) {
    return fingerprint_text(signer.fingerprint()) == manifest.fingerprint &&
           signer.settings() == manifest.settings;
  };
  if (known != nullptr && is_its(*known)) return known;
  TWINSET_ASSIGN(IndexSigner signer, IndexSigner::make(manifest.settings, files));
  if (!is_its(signer)) {
    return io_error(index +
                    " was made by another version of twinset, whose sketches are not "
                    "those of this one; make it again");
  }
  return std::make_shared<const IndexSigner>(std::move(signer));
}

}  // namespace

Result<IndexSnapshot> IndexSnapshot::open(FileSystem& files, const std::string& index,
                                          const IndexSnapshot* earlier) {
  // A writer may replace the manifest and remove a segment while this opens it: then there is
  // another manifest, which is tried in its turn.
  unsigned read_again = 0;
  for (std::uint64_t tried = 0;;) {
    IndexSnapshot snapshot;
    TWINSET_ASSIGN(snapshot.manifest_, read_manifest(files, index));
    const Manifest& manifest = snapshot.manifest_;
    TWINSET_ASSIGN(snapshot.signer_, signer_of(manifest, files, index,
                                               earlier != nullptr ? earlier->signer_ : nullptr));
    Status opened;
    for (const ListedSegment& listed : manifest.segments) {
      Result<Part> part = open_part(files, index, listed, *snapshot.signer_, earlier);
      if (!part.ok()) {
        opened = part.error();
        break;
      }
      snapshot.parts_.push_back(std::move(part).value());
    }
    const bool reads_log = opened.ok();
    if (reads_log) opened = snapshot.read_log(files, index);
    if (opened.ok()) return snapshot;
    TWINSET_ASSIGN(const Manifest now, read_manifest(files, index));
    const bool is_same = now.changes == manifest.changes && now.next == manifest.next;
    // A batch that a writer is writing may look damaged; one that is stays so.
    if (is_same && reads_log && read_again < most_read_again) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1U << read_again++));
      continue;
    }
    if (is_same || ++tried == 100) return opened.error();
  }
}

/// Makes the changes of the log.
Status IndexSnapshot::read_log(FileSystem& files, const std::string& index) {
  if (manifest_.log == 0) return {};
  RunContext context;
  context.files = &files;
  TWINSET_ASSIGN(const auto log,
                 LogFile::open(context, index + "/" + index_log_name(manifest_.log),
                               index_log_fingerprint(manifest_.log, *signer_), OpenMode::read));
  TWINSET_ASSIGN(const LoggedChanges logged, read_index_log(*log, *signer_));
  logged_changes_ = logged.batches;
  logged_documents_ = logged.added.size();
  log_bytes_ = logged.bytes;
  if (!logged.added.empty()) {
    TWINSET_ASSIGN(auto segment, segment_of(logged.added, *signer_));
    DocumentSet none(segment->documents());
    add_part(std::move(segment), std::move(none));
    manifest_.serials = std::max(manifest_.serials, logged.next_serial);
  }
  for (const std::uint64_t serial : logged.removed) {
    // One of a segment that was merged since is gone.
    TWINSET_ASSIGN(const std::optional<IndexPlace> place, find_serial(serial));
    if (place.has_value()) hide(*place);
  }
  return {};
}

void IndexSnapshot::add_part(std::shared_ptr<const Segment> segment, DocumentSet deleted) {
  Part part;
  part.listed.documents = segment->documents();
  part.segment = std::move(segment);
  part.hidden = part.segment->removed();
  part.hidden.add(deleted);
  part.deleted = std::move(deleted);
  parts_.push_back(std::move(part));
}

void IndexSnapshot::hide(IndexPlace place) {
  parts_[place.segment].deleted.add(place.number);
  parts_[place.segment].hidden.add(place.number);
}

std::uint64_t IndexSnapshot::documents() const {
  std::uint64_t documents = 0;
  for (const Part& part : parts_) documents += part.listed.documents - part.hidden.count();
  return documents;
}

/// Documents of the postings of a key for which `is(document)` holds, and that are not deleted.
template <class Is>
Result<std::vector<IndexPlace>> IndexSnapshot::find_named(std::size_t postings, std::uint64_t key,
                                                          const Is& is) const {
  std::vector<IndexPlace> found;
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    const Postings& of = parts_[i].segment->postings(postings);
    TWINSET_ASSIGN(const PostingRange range, of.find(key));
    for (std::uint64_t at = range.begin; at < range.end; ++at) {
      TWINSET_ASSIGN(const std::uint64_t number, of.document(at));
      if (parts_[i].deleted.has(number)) continue;
      const IndexPlace place{i, static_cast<std::uint32_t>(number)};
      TWINSET_ASSIGN(const IndexedDocument document, this->document(place));
      if (is(document)) found.push_back(place);
    }
  }
  return found;
}

Result<std::optional<IndexPlace>> IndexSnapshot::find_id(std::string_view id) const {
  TWINSET_ASSIGN(const std::vector<IndexPlace> found, find_ids(id));
  if (found.empty()) return std::optional<IndexPlace>();
  const auto last = std::find_if(found.rbegin(), found.rend(),
                                 [&](IndexPlace place) { return !is_hidden(place); });
  return std::optional<IndexPlace>(last == found.rend() ? found.back() : *last);
}

Result<std::vector<IndexPlace>> IndexSnapshot::find_ids(std::string_view id) const {
  return find_named(SegmentFiles::ids, name_key(id),
                    [&](const IndexedDocument& document) { return document.id == id; });
}

Result<std::vector<IndexPlace>> IndexSnapshot::find_url(std::string_view url) const {
  return find_named(SegmentFiles::urls, name_key(url),
                    [&](const IndexedDocument& document) { return document.url == url; });
}

Result<std::vector<IndexPlace>> IndexSnapshot::find_tokens(const Fingerprint& tokens) const {
  return find_named(SegmentFiles::tokens, tokens_key(tokens), [&](const IndexedDocument& document) {
    return document.tokens_hash == tokens;
  });
}

Result<std::optional<IndexPlace>> IndexSnapshot::find_serial(std::uint64_t serial) const {
  for (std::size_t i = parts_.size(); i-- > 0;) {
    const Segment& segment = *parts_[i].segment;
    if (segment.documents() == 0) continue;
    TWINSET_ASSIGN(const IndexedDocument first, segment.document(0));
    if (first.serial > serial) continue;
    TWINSET_ASSIGN(const std::optional<std::uint64_t> number, segment.find_serial(serial));
    if (!number.has_value() || parts_[i].deleted.has(*number)) break;
    return std::optional(
        IndexPlace{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(*number)});
  }
  return std::optional<IndexPlace>();
}

Result<IndexDocument> IndexSnapshot::named(IndexPlace place) const {
  TWINSET_ASSIGN(const IndexedDocument document, this->document(place));
  IndexDocument named = named_document(document);
  if (!document.survivor.has_value()) return named;
  TWINSET_ASSIGN(const std::optional<IndexPlace> survivor, find_serial(document.survivor->serial));
  if (!survivor.has_value()) return named;
  TWINSET_ASSIGN(const IndexedDocument other, this->document(*survivor));
  named.survivor = other.id;
  return named;
}

}  // namespace twinset
