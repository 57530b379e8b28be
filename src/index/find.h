// Answers to a query: the documents of an index that share a key with a text, compared by what the
// index holds of them (B 6.1).
//
//   IndexFinder finder(snapshot);
//   TWINSET_ASSIGN(const IndexAnswer answer, finder.find(view, {.resemblance = Ratio(4, 5)}));
//
// The shares of a hit are those that a comparison of all stored sketches with the query's would
// give, by the scheme that knows them best. It finds the same documents, but for those that share
// only skipped keys, or no band of a scheme whose keys are bands.
//
// Threads: a finder belongs to one; many may use one snapshot.
#pragma once

#include <cstdint>
#include <vector>

#include "index/snapshot.h"
#include "scheme/record_view.h"
#include "scheme/shingle_set.h"
#include "twinset/index.h"
#include "twinset/result.h"

namespace twinset {

class IndexFinder {
 public:
  explicit IndexFinder(const IndexSnapshot& snapshot)
      : snapshot_(snapshot), other_(snapshot.signer().view()) {}

  /// `view` is of the index's own rule. Errors (io): the index is damaged.
  Result<IndexAnswer> find(const RecordView& view, const QuerySettings& query);
  /// The same for a document of the index. Without its text its keys are looked for among all keys
  /// of its segment: some seconds for ten million documents.
  Result<IndexAnswer> find(IndexPlace place, const QuerySettings& query);

 private:
  struct Found {
    IndexPlace place;
    IndexHit hit;
  };

  Result<IndexAnswer> answer(const QuerySettings& query);
  Status gather(const QuerySettings& query, IndexAnswer& answer);
  Status gather_key(std::size_t scheme, std::uint64_t key, std::uint64_t most, bool& skipped);
  Result<std::uint64_t> count_live(std::size_t scheme, std::uint64_t most) const;
  Result<bool> compare(const QuerySettings& query, Found& found);
  Status compare_texts(Found& found);

  const IndexSnapshot& snapshot_;
  // Of the query:
  std::vector<Marks> marks_;
  std::uint64_t bytes_hash_ = 0;
  Fingerprint tokens_hash_;
  const RecordView* view_ = nullptr;  ///< null: its text is not known
  // Scratch:
  std::vector<IndexPlace> candidates_;
  std::vector<PostingRange> ranges_;  ///< of a key, by segment
  RecordView other_;
  ShingleProber prober_;
};

}  // namespace twinset
