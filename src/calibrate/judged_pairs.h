// Pairs of documents that somebody has judged, from lines {"a": ID, "b": ID, "same": true} or, as
// judges write them, {"a", "b", "verdict": "same"}; other verdicts than same and different are
// passed over.
//
//   TWINSET_ASSIGN(JudgedPairs judged, JudgedPairs::read(files, "pairs.jsonl"));
//   judged.take("mail-7", 0);                     // document 0 of the sample has this id
//   TWINSET_TRY(judged.check());
//   for (const KnownPair& pair : judged.pairs()) ...
//
// Threads: belongs to one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// Two ids by their numbers, a < b.
struct KnownPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  bool same = false;
};

class JudgedPairs {
 public:
  /// Errors: io (a file or a line that cannot be read); usage: a line of another form, a document
  /// paired with itself, two verdicts on one pair, or no verdict at all.
  static Result<JudgedPairs> read(FileSystem& files, const std::string& path);

  const std::vector<KnownPair>& pairs() const { return pairs_; }
  std::uint64_t passed_over() const { return passed_over_; }
  std::size_t ids() const { return documents_.size(); }

  /// True if a pair has this id; `document` is then its document. Error (usage) if another document
  /// had the same id.
  Result<bool> take(std::string_view id, std::uint32_t document);
  /// Error (usage) that names ids without a document.
  Status check() const;
  /// The document of an id.
  std::uint32_t document(std::uint32_t id) const { return *documents_[id]; }

 private:
  std::uint32_t number_of(const std::string& id);

  std::string path_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::optional<std::uint32_t>> documents_;  ///< by number
  std::vector<KnownPair> pairs_;
  std::uint64_t passed_over_ = 0;
};

}  // namespace twinset
