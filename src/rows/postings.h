// Postings: the numbers of the documents that have a key, of many keys in a small part of a frozen
// file (rows/frozen_file.h).
//
//   TWINSET_TRY(write_postings(writer, "0.keys", *sorted_rows, count, documents));
//
//   TWINSET_ASSIGN(const Postings postings, Postings::open(part, documents));
//   TWINSET_ASSIGN(const PostingRange found, postings.find(key));   // found.size() documents
//   TWINSET_ASSIGN(const std::uint32_t first, postings.document(found.begin));
//
// Keys are uniform hashes, of which the upper 40 bits are kept. So a key finds its documents, and
// with chance (postings / 2^40) one that lacks it: 0.03 % at 3 * 10^8 postings. Whoever asks
// compares what it has found.
//
// A posting takes 40 + log2(documents) - log2(postings / 32) bits, and one more: 42 bits for ten
// million documents with 34 keys each (docs/formats/index_folder.md). A lookup touches two places.
//
// Threads: a Postings any.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "rows/cursor.h"
#include "rows/frozen_file.h"
#include "twinset/result.h"

namespace twinset {

/// A row to be sorted before it is written.
struct Posting {
  static constexpr unsigned kept_bits = 40;
  static constexpr std::uint64_t kept(std::uint64_t key) { return key >> (64 - kept_bits); }
  /// A key that is found as the row's was.
  constexpr std::uint64_t whole_key() const { return key << (64 - kept_bits); }

  std::uint64_t key = 0;  ///< kept() of the key
  std::uint64_t document = 0;
  auto operator<=>(const Posting&) const = default;
};

struct PostingLess {
  bool operator()(const Posting& a, const Posting& b) const { return a < b; }
  static std::uint64_t radix(const Posting& row) { return row.whole_key(); }
};

/// The most postings of one part, and the most documents.
inline constexpr std::uint64_t most_postings = 0xffff'ffff;

/// Writes the part `name`: `count` different rows in ascending order, whose documents are below
/// `documents`. Errors (io): writing fails; the rows are not as promised.
Status write_postings(FrozenWriter& writer, std::string_view name, RowCursor<Posting>& rows,
                      std::uint64_t count, std::uint64_t documents);

/// Postings [begin, end), those of a key.
struct PostingRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - begin; }
};

class Postings {
 public:
  /// Error (io): the part is damaged, or its documents are not below `documents`.
  static Result<Postings> open(const FrozenPart& part, std::uint64_t documents);

  std::uint64_t count() const { return count_; }
  /// Those of the key, in the order of their documents. Error (io): a block is damaged.
  Result<PostingRange> find(std::uint64_t key) const;
  /// The document of a posting below count(). Error (io): a block is damaged.
  Result<std::uint64_t> document(std::uint64_t posting) const {
    TWINSET_ASSIGN(const Posting row, at(posting));
    return row.document;
  }
  /// Calls `use(document)`, which returns false to stop, for those of a range, in order. Error
  /// (io): a block is damaged.
  template <class Use>
  Status for_each_document(const PostingRange& range, const Use& use) const {
    for (std::uint64_t begin = range.begin; begin < range.end; begin += read_at_once) {
      const std::uint64_t end = std::min(begin + read_at_once, range.end);
      TWINSET_ASSIGN(const Bytes bytes, bytes_of(begin, end));
      for (std::uint64_t posting = begin; posting < end; ++posting) {
        const Posting row = decode(bytes.bytes, bytes.begin, posting);
        if (row.document >= documents_) return no_document(bytes.begin);
        if (!use(row.document)) return {};
      }
    }
    return {};
  }
  /// All of them in order. The cursor does not outlive this.
  Result<std::unique_ptr<RowCursor<Posting>>> read() const {
    return std::unique_ptr<RowCursor<Posting>>(std::make_unique<Cursor>(*this));
  }

 private:
  class Cursor final : public RowCursor<Posting> {
   public:
    explicit Cursor(const Postings& postings) : postings_(postings) {}

   private:
    Result<bool> refill() override;

    const Postings& postings_;
    std::uint64_t bucket_ = 0;
    std::vector<Posting> rows_;
  };

  /// Of the part, from byte `begin` on.
  struct Bytes {
    std::string_view bytes;
    std::uint64_t begin = 0;
  };
  static constexpr std::uint64_t read_at_once = 512;

  Result<std::uint64_t> bucket_begin(std::uint64_t bucket) const;
  /// Those of postings [begin, end).
  Result<Bytes> bytes_of(std::uint64_t begin, std::uint64_t end) const;
  Error no_document(std::uint64_t byte) const {
    return part_.damaged(byte, "a posting is of no document");
  }
  /// A posting, whose key lacks the bits that its bucket tells.
  Result<Posting> at(std::uint64_t posting) const;
  Posting decode(std::string_view bytes, std::uint64_t first_byte, std::uint64_t posting) const;
  std::uint64_t buckets() const { return std::uint64_t{1} << bucket_bits_; }
  unsigned key_bits() const { return Posting::kept_bits - bucket_bits_; }
  unsigned row_bits() const { return key_bits() + document_bits_; }

  FrozenPart part_;
  std::uint64_t count_ = 0;
  std::uint64_t documents_ = 0;
  std::uint64_t buckets_at_ = 0;  ///< in the part
  unsigned bucket_bits_ = 0;
  unsigned document_bits_ = 0;
};

}  // namespace twinset
