// A set of the documents of a segment, such as the deleted ones: a bit for each, and how many there
// are before any.
//
//   DocumentSet deleted(segment.documents());
//   deleted.add(7);                                      // true: it was not in the set
//   TWINSET_TRY(deleted.write(context, path, kind));
//
// Memory: 1/8 of a byte a document, and as much again for before().
//
// Threads: as any value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rows/frozen_file.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

class DocumentSet {
 public:
  explicit DocumentSet(std::uint64_t documents = 0)
      : words_(static_cast<std::size_t>(documents / 64 + 1)) {}

  /// Errors (io): as FrozenFile::open(), of a path; of another number of documents.
  static Result<DocumentSet> read(const FrozenFile& file, std::uint64_t documents);
  static Result<DocumentSet> read(FileSystem& files, const std::string& path,
                                  const FrozenKind& kind, std::uint64_t documents);
  Status write(const RunContext& context, const std::string& path, const FrozenKind& kind) const;

  bool has(std::uint64_t document) const {
    return (words_[static_cast<std::size_t>(document / 64)] >> document % 64 & 1) != 0;
  }
  /// False if it is in the set already.
  bool add(std::uint64_t document);
  void add(const DocumentSet& other);
  std::uint64_t count() const { return count_; }
  /// Those before each 64th document, to be looked up while none is added.
  std::vector<std::uint64_t> counts_before() const;
  /// Of these counts: those before a document.
  std::uint64_t before(std::uint64_t document, const std::vector<std::uint64_t>& counts) const;

 private:
  std::uint64_t count_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace twinset
