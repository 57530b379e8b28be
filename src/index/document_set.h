// A set of the documents of a segment, such as the deleted ones: a bit for each, and how many there
// are before any.
//
//   DocumentSet deleted(segment.documents());
//   deleted.add(7);                                      // true: it was not in the set
//   TWINSET_TRY(deleted.write(context, path, kind));
//
// Memory: 1/8 of a byte a document, which copies share until one of them changes, and as much again
// for before().
//
// Threads: as any value. Copies are values of their own.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rows/frozen_file.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

class DocumentSet {
 public:
  explicit DocumentSet(std::uint64_t documents = 0)
      : words_(std::make_shared<Words>(static_cast<std::size_t>(documents / 64 + 1))) {}
  DocumentSet(const DocumentSet& other);
  DocumentSet(DocumentSet&& other) noexcept;
  DocumentSet& operator=(DocumentSet other) noexcept;
  ~DocumentSet() = default;

  /// Errors (io): as FrozenFile::open(), of a path; of another number of documents.
  static Result<DocumentSet> read(const FrozenFile& file, std::uint64_t documents);
  static Result<DocumentSet> read(FileSystem& files, const std::string& path,
                                  const FrozenKind& kind, std::uint64_t documents);
  Status write(const RunContext& context, const std::string& path, const FrozenKind& kind) const;

  bool has(std::uint64_t document) const {
    return ((*words_)[static_cast<std::size_t>(document / 64)] >> document % 64 & 1) != 0;
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
  using Words = std::vector<std::uint64_t>;
  /// The words, which no copy has from here on.
  Words& own();

  std::uint64_t count_ = 0;
  std::shared_ptr<Words> words_;
  /// A copy has, or had, the same words.
  mutable std::atomic<bool> is_shared_ = false;
};

}  // namespace twinset
