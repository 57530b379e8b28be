// A segment of an index: documents that were added together, numbered from 0, in files that never
// change, and the keys that lead to them. Numbers mean something within a segment only.
//
//   SegmentWriter writer(context, folder, signer, memory_bytes);
//   writer.append(document, marks, text);                         // in order
//   TWINSET_TRY(writer.finish());
//
//   TWINSET_ASSIGN(const Segment segment, Segment::open(files, folder, signer));
//   TWINSET_ASSIGN(const PostingRange found, segment.keys(0).find(key));
//
// The files of the folder (docs/formats/index_folder.md):
//
//   documents       what IndexedDocument has, by number
//   texts           zstd frames, if the index keeps texts
//   0.sketches ...  stored sketches, of each scheme; empty: no signature
//   keys            postings of ids, URLs and tokens, and of the keys of each scheme
//   removed         which documents only lead to others (IndexedDocument::survivor)
//
// Each is written under the fingerprint of the index, the folder's name and its own, so that a file
// in another's place is refused.
//
// Memory: while writing, what it is given; while reading, mapped pages.
//
// Threads: a Segment any; a writer one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/document_set.h"
#include "index/index_signer.h"
#include "index/indexed_document.h"
#include "index/segment_files.h"
#include "io/block_sink.h"
#include "rows/frozen_blobs.h"
#include "rows/postings.h"
#include "rows/sorted_rows.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

struct SegmentFacts {
  std::uint64_t documents = 0;
  std::uint64_t bytes = 0;  ///< of all files
  Fingerprint hash;         ///< of all files' hashes
};

class Segment {
 public:
  /// Errors (io): a file is missing, damaged, of another index, or of other documents.
  static Result<std::unique_ptr<const Segment>> open(FileSystem& files, const std::string& folder,
                                                     const IndexSigner& signer);

  std::uint64_t documents() const { return facts_.documents; }
  /// The bytes live as long as the segment. Error (io): damaged.
  Result<IndexedDocument> document(std::uint64_t number) const;
  /// What a file of SegmentFiles::blobs() holds of it.
  Result<std::string_view> stored(std::size_t file, std::uint64_t number) const {
    return blobs_[file].read(number);
  }
  /// Empty if the document has no signature.
  Result<std::span<const std::uint8_t>> sketch(std::size_t scheme, std::uint64_t number) const;
  /// The text; nullopt if the index keeps none, or not of this one, because it was removed.
  Result<std::optional<std::string>> text(std::uint64_t number) const;

  /// Of a part of SegmentFiles::keys.
  const Postings& postings(std::size_t part) const { return postings_[part]; }
  const Postings& keys(std::size_t scheme) const {
    return postings_[SegmentFiles::first_scheme + scheme];
  }

  /// Those that were removed in favor of others.
  const DocumentSet& removed() const { return removed_; }
  /// The number of the document of a serial; nullopt if there is none. O(log documents).
  Result<std::optional<std::uint64_t>> find_serial(std::uint64_t serial) const;

  const SegmentFacts& facts() const { return facts_; }
  /// Reads all files: checksums and hashes, and each document and posting.
  Status verify(const RunContext& context) const;

 private:
  std::vector<const FrozenFile*> files() const;
  Error damaged(std::size_t file, std::uint64_t number, const std::string& how) const;

  std::vector<FrozenBlobs> blobs_;  ///< by file of SegmentFiles::blobs()
  bool has_texts_ = false;
  std::unique_ptr<const FrozenFile> keys_file_;
  std::vector<Postings> postings_;  ///< by part of SegmentFiles::keys
  std::unique_ptr<const FrozenFile> removed_file_;
  DocumentSet removed_;
  SegmentFacts facts_;
};

class SegmentWriter {
 public:
  /// `folder` exists, and has no files. Takes about `memory_bytes`.
  SegmentWriter(const RunContext& context, const std::string& folder, const IndexSigner& signer,
                std::uint64_t memory_bytes);

  /// Adds the next document. `text` counts only if the index keeps texts. Error (io): writing
  /// fails; there are 2^32 - 1 documents or keys.
  Status append(const IndexedDocument& document, std::span<const Marks> marks,
                std::string_view text);
  std::uint64_t documents() const { return blobs_[SegmentFiles::documents]->blobs(); }
  /// Makes all files durable.
  Status finish();

 private:
  using SortedPostings = SortedRows<Posting, PostingLess>;

  const RunContext& context_;
  SegmentFiles names_;
  bool keeps_texts_;
  std::vector<std::unique_ptr<FrozenBlobsWriter>> blobs_;  ///< by file of SegmentFiles::blobs()
  std::vector<std::unique_ptr<SortedPostings>> postings_;  ///< by part of SegmentFiles::keys
  std::vector<std::uint64_t> removed_;
  std::unique_ptr<BlockEncoder> packer_;
  std::string bytes_;  ///< scratch
};

}  // namespace twinset
