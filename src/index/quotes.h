// Who quotes a text (B 6.4): the passages that documents of an index share with a query, where its
// common ones stand, and the hosts of those who have them.
//
//   IndexQuotes quotes;
//   TWINSET_TRY(quotes.begin(signer, view, marks, query));
//   if (quotes.may_quote(keys)) quotes.compare(text, markup, hit);   // or guess(keys, hit)
//   quotes.count(url, hit);
//   answer.hosts = quotes.hosts();
//
// A scheme with SketchFacts::sure_run finds every document that has a passage of so many tokens;
// texts then tell the passages themselves. Without texts they are guessed: from the first to the
// last of the keys in a row that both have.
//
// Threads: belongs to one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/index_signer.h"
#include "scheme/record_view.h"
#include "twinset/index.h"
#include "twinset/result.h"

namespace twinset {

class IndexQuotes {
 public:
  /// Begins a query; `view` is null if its text is not known, and then no passage is. Keys are
  /// numbered as in `marks`. All outlive the query. Error (usage): min_tokens out of range.
  Status begin(const IndexSigner& signer, const RecordView* view, const std::vector<Marks>& marks,
               const QuerySettings& query);

  /// May a document that has these of the query's keys, by number, have a passage?
  bool may_quote(const std::vector<std::uint32_t>& keys) const;
  /// Are passages found in texts, if the index has them?
  bool reads_texts() const { return reads_texts_; }
  /// The passages of a text.
  void compare(std::string_view text, Markup markup, IndexHit& hit);
  /// The passages of a document that has these of the query's keys.
  void guess(const std::vector<std::uint32_t>& keys, IndexHit& hit);
  /// Counts the document whose passages were found last, for its host.
  void count(std::string_view url, IndexHit& hit);

  /// By name.
  std::vector<QuotingHost> hosts();
  /// Where the query has keys that are skipped.
  void tell_common(const std::vector<bool>& skipped, std::vector<CommonPassage>& common) const;
  /// Every passage of so many tokens is found; nullopt: that is not known.
  std::optional<std::uint64_t> sure_tokens(const std::vector<bool>& skipped) const;

 private:
  /// A stretch of the query, by its tokens.
  struct Stretch {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  struct Host {
    QuotingHost facts;
    std::vector<Stretch> covered;
    std::size_t merge_at = 0;  ///< so many stretches are merged
  };
  template <class Has>
  std::vector<Stretch> stretches(Has has) const;
  static std::uint64_t tokens_of(const std::vector<Stretch>& merged);
  static TokenOffsets byte_range(const std::vector<TokenOffsets>& offsets, const Stretch& tokens);

  const Analyzer* analyzer_ = nullptr;
  const RecordView* view_ = nullptr;
  bool reads_texts_ = false;
  unsigned least_tokens_ = 0;
  unsigned sure_run_ = 0;        ///< 0: no scheme is sure
  std::uint32_t first_key_ = 0;  ///< the numbers of that scheme's keys
  std::uint32_t end_key_ = 0;
  std::vector<std::pair<KeyPlace, std::uint32_t>> places_;  ///< with the numbers of their keys
  Analysis mine_;                                           ///< with offsets
  Analysis other_;                                          ///< likewise
  std::vector<Stretch> quoted_;  ///< of the document that was looked at last
  std::map<std::string, Host, std::less<>> hosts_;
};

}  // namespace twinset
