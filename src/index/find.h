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

#include <atomic>
#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/likeness.h"
#include "index/quotes.h"
#include "index/snapshot.h"
#include "io/record.h"
#include "join/threshold.h"
#include "scheme/record_view.h"
#include "scheme/shingle_set.h"
#include "twinset/index.h"
#include "twinset/result.h"

namespace twinset {

/// A document that shares keys with the query, or has its tokens.
struct RelatedDocument {
  IndexPlace place;
  IndexHit hit;                     ///< without its document
  std::vector<std::uint32_t> keys;  ///< of the query's keys those that it has, by number, rising
  /// Of the first scheme that counts keys: those that both samples could have.
  std::optional<SampleCounts> counts;
};

/// All documents of an index that are related to a query, in the order of adding.
struct RelatedDocuments {
  std::vector<RelatedDocument> documents;
  /// The query's keys are numbered by scheme: those of scheme i are [first_key[i], first_key[i+1]),
  /// those of nested samples the coarsest first: what another sample could have is a prefix.
  std::vector<std::uint32_t> first_key;
  std::vector<bool> skipped;  ///< by key: more documents have it than the limit
};

/// Which pairs of documents of an index are asked for, and by what they are judged. The answer is
/// the same whichever of the two is asked.
struct PairQuery {
  std::size_t scheme = 0;  ///< of the index: its keys find pairs
  PairFloor floor;         ///< of the numbers that decide
  bool exact = true;       ///< the texts decide, which the index has; else the sketches
  std::uint64_t max_group = 1000;
  /// By part of the snapshot, documents that make no pair and do not count in a group, beside the
  /// hidden ones, which it has too.
  const std::vector<DocumentSet>* left_out = nullptr;
  bool earlier_only = false;  ///< only pairs with documents that were added before
  /// Of documents of equal tokens the first stands for all: as if `left_out` had the others.
  bool copies_once = false;
};

/// Gives the keys of a document, in place of looking for them where its sketch does not tell them.
using StoredKeys = std::function<Status(IndexPlace place, std::vector<std::uint64_t>& keys)>;

/// Do the stored sketches of a scheme tell its keys (Scheme::restore())? Tries it with the first.
Result<bool> sketches_tell_keys(const IndexSnapshot& snapshot, std::size_t scheme);

/// When a query has taken its time.
class Deadline {
 public:
  Deadline() = default;
  explicit Deadline(std::optional<std::uint64_t> milliseconds);
  bool passed() const;

 private:
  std::optional<std::chrono::steady_clock::time_point> at_;
};

class IndexFinder {
 public:
  /// Takes another document of a pair, and the written numbers of their link: the asked one is the
  /// later.
  using UsePair = std::function<Status(IndexPlace other, const Overlap& numbers)>;

  /// `cancel` may be null; related() and pairs() heed it.
  explicit IndexFinder(const IndexSnapshot& snapshot, const std::atomic<bool>* cancel = nullptr)
      : snapshot_(snapshot),
        cancel_(cancel),
        mine_(snapshot.signer().view()),
        other_(snapshot.signer().view()) {}

  /// `view` is of the index's own rule. Errors (io): the index is damaged.
  Result<IndexAnswer> find(const RecordView& view, const QuerySettings& query);
  /// The same for a document of the index. Without its text, the keys of schemes whose stored
  /// sketches do not tell them (Scheme::restore()) are looked for among all of its segment: some
  /// seconds for ten million documents.
  Result<IndexAnswer> find(IndexPlace place, const QuerySettings& query);
  /// All documents that share a key with one of the index, however little they are like it, by
  /// their sketches, itself included; but for those of `left_out`, by part, which has the hidden
  /// ones, too. The finder then compares with that document.
  Result<RelatedDocuments> related(IndexPlace place, std::uint64_t max_group,
                                   const std::vector<DocumentSet>* left_out = nullptr);
  /// The pairs of a document of the index that reach the floor, by their places. Copies of it are
  /// no pairs. A finder answers one query.
  Status pairs(IndexPlace place, const PairQuery& query, const StoredKeys& keys,
               const UsePair& use);
  bool has_texts() const { return view_ != nullptr; }
  /// After find(): has the query a key? Without one only a copy of its tokens is found.
  bool has_keys() const { return key_count() > 0; }
  /// If it has: the number of the query's distinct shingles.
  std::size_t shingles() const { return view_->distinct_shingles().size(); }
  /// After related(), if the index has texts: the shares of one of them exactly, and which of the
  /// query's distinct shingles it has.
  Result<std::vector<bool>> compare_exactly(RelatedDocument& related);

 private:
  struct Candidate {
    IndexPlace place;
    std::uint32_t key = 0;  ///< its number; no_key: a copy by tokens
    auto operator<=>(const Candidate&) const = default;
  };

  Status look_at(IndexPlace place, std::optional<std::size_t> only = {},
                 const StoredKeys& keys = nullptr);
  Result<IndexAnswer> answer(const QuerySettings& query);
  Status gather(std::uint64_t max_group, std::vector<bool>& skipped, const Deadline& deadline = {});
  Status gather_key(std::size_t scheme, std::uint64_t key, std::uint64_t most,
                    std::vector<bool>& skipped);
  Result<std::uint64_t> count_live(std::size_t scheme, std::uint64_t most) const;
  Result<bool> is_common(std::size_t scheme, std::uint64_t key, std::uint64_t most);
  Result<bool> compare(const QuerySettings& query, RelatedDocument& found);
  Status find_hits(const QuerySettings& query, const Deadline& deadline, IndexAnswer& answer,
                   std::vector<RelatedDocument>& found);
  Status compare_texts(RelatedDocument& found);
  Result<std::optional<Overlap>> overlap_with(IndexPlace place);
  Result<std::optional<Overlap>> numbers_with(IndexPlace place, const PairQuery& query);
  const DocumentSet& left_out(std::size_t part) const {
    return left_out_ != nullptr ? (*left_out_)[part] : snapshot_.parts()[part].hidden;
  }
  Status find_passages(RelatedDocument& found);
  std::size_t key_count() const;
  void draw(const std::optional<std::uint64_t>& number);
  LeftOutKeys not_drawn();

  const IndexSnapshot& snapshot_;
  const std::atomic<bool>* cancel_;
  const PairQuery* of_pairs_ = nullptr;                 ///< null: every key of a candidate counts
  const std::vector<DocumentSet>* left_out_ = nullptr;  ///< by part; null: hidden ones
  std::optional<IndexPlace> before_;  ///< with PairQuery::earlier_only: candidates are before it
  // Of the query:
  std::vector<Marks> marks_;
  HeldDocument query_;
  std::optional<std::uint64_t> drawn_;  ///< the number that draws a part of each sample
  const RecordView* view_ = nullptr;    ///< null: its text is not known
  IndexQuotes quotes_;
  // Of a query that is a document of the index:
  std::string text_;
  Record record_;
  RecordView mine_;
  // Scratch:
  std::vector<Candidate> candidates_;     ///< sorted
  std::vector<PostingRange> ranges_;      ///< of a key, by segment
  std::vector<std::vector<bool>> met_;    ///< by part, with of_pairs_: the candidates
  std::map<std::uint64_t, bool> common_;  ///< with of_pairs_: keys of many postings
  HeldDocument held_;
  RecordView other_;
  ShingleProber prober_;
  Sketch other_sketch_;
  std::vector<std::uint64_t> not_drawn_;
};

}  // namespace twinset
