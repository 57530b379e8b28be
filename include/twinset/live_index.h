// An index in a process that stays, such as a service: it is asked and changed by many threads at
// once, and a small change costs one sync.
//
//   const LiveIndex live = LiveIndex::open("crawl.index", LiveAccess::change).value();
//   NewDocument page{.id = "\"p-17\"", .text = "the text of a page", .url = "https://a.org/17"};
//   const AddedDocuments added = live.add({&page, 1}).value();   // durable when it returns
//   const std::shared_ptr<const Index> now = live.current();     // as the last change left it
//   const IndexAnswer answer = now->query("a text that may be known").value();
//
// One process at a time changes an index; others, and the batch verbs of twinset/index.h, may read
// it meanwhile. Changes that are made at the same time share a sync. Segments are merged in the
// background.
//
// An index that is replaced or removed beneath it is noticed: what was opened is asked on until
// what stands there then is opened.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "twinset/index.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct Field;

/// A document to be added to an index.
struct NewDocument {
  std::string id;        ///< a JSON value, which is not null; a document of the index goes for it
  std::string text;      ///< any bytes
  bool html = false;     ///< the text is a page
  std::string url{};     ///< empty: none
  std::string date{};    ///< in any form that keep orders read; empty: none
  std::string fields{};  ///< a JSON object, which hits tell again; empty: none
};

/// What add() did.
struct AddedDocuments {
  std::uint64_t added = 0;      ///< replacing ones, too
  std::uint64_t replaced = 0;   ///< of them, those whose id the index had
  std::uint64_t unchanged = 0;  ///< that the index had already, equal in everything
  std::uint64_t repeated = 0;   ///< whose id came again later in the same call, which counts
};

/// What remove() did.
struct DeletedDocuments {
  std::uint64_t deleted = 0;
  std::vector<std::string> not_there;  ///< ids that the index does not have, as they were given
};

enum class LiveAccess : std::uint8_t {
  read,   ///< another process may change it
  change  ///< no other process does
};

class LiveIndex {
 public:
  /// Errors (io): as Index::open(); another process changes the index. What `control` has outlives
  /// it; setting its `cancel` ends nothing.
  static Result<LiveIndex> open(const std::string& folder, LiveAccess access,
                                const RunControl& control = {});
  LiveIndex(LiveIndex&&) noexcept;
  LiveIndex& operator=(LiveIndex&&) noexcept;
  /// No call is under way.
  ~LiveIndex();

  LiveAccess access() const;
  /// The index as the last change left it; if another process changes it, as it was a second ago
  /// or later. O(1), but for whoever opens it anew.
  std::shared_ptr<const Index> current() const;
  /// Looks whether the index on disk is another one now, and opens that; true: current() is another
  /// one. Of an index that is changed here, segments that were merged in the background are used
  /// from then on, or from the next change: call it every few seconds. Error (io): the index cannot
  /// be opened; current() is as it was.
  Result<bool> refresh() const;
  /// Why the index on disk could not be opened again when this was tried last; nullopt: it could.
  std::optional<Error> trouble() const;

  /// Adds documents, durably: all of them, or if it fails none. Errors: usage (a document has no
  /// id, or one that is not JSON; its fields are no JSON object; a text of more than 4 GiB - 64
  /// bytes; it was opened for reading alone), io: then it is not known whether they are there, and
  /// a later call tries anew.
  Result<AddedDocuments> add(std::span<const NewDocument> documents) const;
  /// Deletes the documents of these ids, JSON values, likewise.
  Result<DeletedDocuments> remove(std::span<const std::string> ids) const;

 private:
  struct Parts;
  explicit LiveIndex(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

std::vector<Field> fields_of(NewDocument& document);
std::vector<Field> fields_of(AddedDocuments& added);
std::vector<Field> fields_of(DeletedDocuments& deleted);

}  // namespace twinset
