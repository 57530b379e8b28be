// An index as it was at one moment, to be read: later changes leave it as it is. What its log has
// stands in memory, as a part behind those of the segments on disk. Copies share all that is large.
//
//   TWINSET_ASSIGN(const IndexSnapshot snapshot, IndexSnapshot::open(files, "crawl.index"));
//   TWINSET_ASSIGN(const std::optional<IndexPlace> place, snapshot.find_id("\"a7\""));
//   TWINSET_ASSIGN(const IndexedDocument document, snapshot.document(*place));
//
// Threads: any.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/document_set.h"
#include "index/index_signer.h"
#include "index/manifest.h"
#include "index/segment.h"
#include "twinset/result.h"

namespace twinset {

/// A document of a snapshot. Documents that were added later have later places.
struct IndexPlace {
  std::uint32_t segment = 0;
  std::uint32_t number = 0;
  auto operator<=>(const IndexPlace&) const = default;
};

class IndexSnapshot {
 public:
  struct Part {
    ListedSegment listed;  ///< number 0: it is in memory
    std::shared_ptr<const Segment> segment;
    DocumentSet deleted;
    DocumentSet hidden;  ///< those, and removed ones
  };

  /// Errors (io): there is no index; it is damaged, or of another version of twinset, or of files
  /// that have changed, such as a lexicon. `earlier`: a snapshot of the index, whose signer and
  /// segments need not be made and opened again if the index still has them.
  static Result<IndexSnapshot> open(FileSystem& files, const std::string& index,
                                    const IndexSnapshot* earlier = nullptr);

  const IndexSigner& signer() const { return *signer_; }
  /// Its serials are those of the log, too.
  const Manifest& manifest() const { return manifest_; }
  const std::vector<Part>& parts() const { return parts_; }
  /// Without deleted and removed ones.
  std::uint64_t documents() const;
  /// Changes since the index was made, and of them those that the log has; to make a log counts as
  /// the first of these in the manifest.
  std::uint64_t changes() const {
    return manifest_.changes + logged_changes_ - (manifest_.log == 0 ? 0 : 1);
  }
  std::uint64_t logged_changes() const { return logged_changes_; }
  std::uint64_t log_bytes() const { return log_bytes_; }

  Result<IndexedDocument> document(IndexPlace place) const {
    return parts_[place.segment].segment->document(place.number);
  }
  bool is_deleted(IndexPlace place) const {
    return parts_[place.segment].deleted.has(place.number);
  }
  /// Is it deleted, or removed in favor of another?
  bool is_hidden(IndexPlace place) const { return parts_[place.segment].hidden.has(place.number); }

  /// The document of an id, a JSON value: the last one added, a removed one if there is no other;
  /// nullopt if there is none.
  Result<std::optional<IndexPlace>> find_id(std::string_view id) const;
  /// All documents of an id, the earliest added first, removed ones too.
  Result<std::vector<IndexPlace>> find_ids(std::string_view id) const;
  /// All documents of a URL, likewise.
  Result<std::vector<IndexPlace>> find_url(std::string_view url) const;
  /// All documents of equal tokens, likewise, without copies of others.
  Result<std::vector<IndexPlace>> find_tokens(const Fingerprint& tokens) const;
  /// The document of a serial that is not deleted; nullopt if there is none.
  Result<std::optional<IndexPlace>> find_serial(std::uint64_t serial) const;
  /// The names of a document, for callers.
  Result<IndexDocument> named(IndexPlace place) const;

 private:
  friend class IndexWriter;
  template <class Is>
  Result<std::vector<IndexPlace>> find_named(std::size_t postings, std::uint64_t key,
                                             const Is& is) const;

  Status read_log(FileSystem& files, const std::string& index);
  /// Adds a part that is in memory.
  void add_part(std::shared_ptr<const Segment> segment, DocumentSet deleted);
  /// Deletes a document.
  void hide(IndexPlace place);

  Manifest manifest_;
  std::shared_ptr<const IndexSigner> signer_;
  std::vector<Part> parts_;
  std::uint64_t logged_changes_ = 0;
  std::uint64_t logged_documents_ = 0;  ///< that were added
  std::uint64_t log_bytes_ = 0;
};

}  // namespace twinset
