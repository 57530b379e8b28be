// The pages that hold labels, their matches, the neighborhoods of all pages and the recursion
// errors: what detection keeps, in bounded memory, whether pages or the folders of parts give it.
//
//   Detections found(context, spill, memory);
//   found.add(page, matches);            // in any order
//   found.add(NeighborhoodSums{...});    // equal prefixes are added up
//   found.seal();
//
// Threads: one at a time; the readers after seal().
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "detect/share_sums.h"
#include "labels/label.h"
#include "rows/blob_file.h"
#include "rows/sorted_records.h"
#include "system/context.h"
#include "twinset/result.h"
#include "twinset/reuse.h"

namespace twinset {

/// Bytes of a match that are quoted, and the matches of a page that are.
inline constexpr std::size_t most_quoted_bytes = 240;
inline constexpr std::uint64_t most_quoted_matches = 1000;

/// `text` as JSON would give it back: invalid UTF-8 replaced. What is written and read again is
/// then what was compared.
std::string readable_text(std::string_view text);

/// A label in a page.
struct PageMatch {
  LabelKind kind = LabelKind::chunk;
  ChunkDigest hash{};
  std::uint64_t offset = 0;  ///< in the text of the page
  std::uint64_t length = 0;
  std::string text{};    ///< the begin of its content; empty: not quoted
  LabelSample sample{};  ///< the first place of the label; no URL: it has none
};

/// A page that holds a label.
struct LabeledPage {
  std::string url;
  std::string file;
  std::uint64_t record = 0;
  std::uint64_t chunks = 0;
  std::uint64_t labeled = 0;
  bool file_labeled = false;
  std::uint64_t first_matches = 0;  ///< their first blob
  std::uint64_t matches_blobs = 0;

  std::uint64_t units() const { return share_units(labeled, chunks); }
  std::uint64_t matches() const { return labeled + (file_labeled ? 1 : 0); }

  void append_to(std::string& out) const;
  static bool take(EncodedBytes& rest, LabeledPage& out);
  std::uint64_t memory_bytes() const;
};

/// The larger share of labels first, then more labels, then by URL, file and record.
struct RanksBefore {
  bool operator()(const LabeledPage& a, const LabeledPage& b) const;
};

/// A URL prefix, and sums over the pages below it.
struct NeighborhoodSums {
  std::string prefix;
  std::uint64_t pages = 0;
  std::uint64_t labeled_pages = 0;
  std::uint64_t chunks = 0;
  std::uint64_t labeled = 0;
  std::uint64_t contains_sum = 0;  ///< in units of share_units()

  /// Adds all but the prefix.
  void add(const NeighborhoodSums& other);
  /// Its badness as a share.
  std::uint64_t units(Badness by) const;

  void append_to(std::string& out) const;
  static bool take(EncodedBytes& rest, NeighborhoodSums& out);
  std::uint64_t memory_bytes() const;
};

struct ByPrefix {
  bool operator()(const NeighborhoodSums& a, const NeighborhoodSums& b) const {
    return a.prefix < b.prefix;
  }
  static void add(NeighborhoodSums& sum, const NeighborhoodSums& other) { sum.add(other); }
};

/// Worse ones first, then those with more labels, then by prefix.
struct WorseBefore {
  Badness by = Badness::chunks;
  bool operator()(const NeighborhoodSums& a, const NeighborhoodSums& b) const;
};

/// A page that was left out: its URL has a recursion error.
struct RecursionError {
  std::string url;
  std::string file;
  std::uint64_t record = 0;
  std::string parts;        ///< that are repeated
  std::uint64_t times = 0;  ///< how often

  void append_to(std::string& out) const;
  static bool take(EncodedBytes& rest, RecursionError& out);
  std::uint64_t memory_bytes() const;
};

struct ByUrl {
  bool operator()(const RecursionError& a, const RecursionError& b) const {
    if (a.url != b.url) return a.url < b.url;
    return a.file != b.file ? a.file < b.file : a.record < b.record;
  }
};

/// Counts over all pages; sums of parts are those of the whole.
struct DetectCounts {
  std::uint64_t pages = 0;
  std::uint64_t recursion_errors = 0;
  std::uint64_t chunks = 0;
  std::uint64_t short_chunks = 0;
  std::uint64_t stop_chunks = 0;
  std::uint64_t labeled_chunks = 0;
  std::uint64_t labeled_pages = 0;
  std::uint64_t labeled_files = 0;
  std::uint64_t pages_without_chunks = 0;

  void add(const DetectCounts& other);
};

/// Detection sorts and holds in no less than this, which is part of a run's fixed memory: with
/// less, stores would write every record as a run of its own, and hold all of these when they
/// merge.
inline constexpr std::uint64_t least_detection_bytes = std::uint64_t{16} << 20;

/// Matches as blobs of up to so many.
inline constexpr std::size_t matches_in_blob = 1024;
void append_match(const PageMatch& match, std::string& out);
/// Removes a match from the front of `rest`; false if there is none.
bool take_match(EncodedBytes& rest, PageMatch& match);

class Detections {
 public:
  /// `spill` is a prefix of paths. `context` outlives it.
  Detections(const RunContext& context, const std::string& spill, std::uint64_t memory_bytes);

  /// Adds blobs of append_match(); returns the number of the first one.
  Result<std::uint64_t> add_matches(std::span<const std::string_view> blobs);
  Status add(LabeledPage page) { return pages_.append(std::move(page)); }
  Status add(NeighborhoodSums sums) { return neighborhoods_.append(std::move(sums)); }
  Status add(RecursionError error) { return recursion_errors_.append(std::move(error)); }
  Status seal();

  /// Calls `use` for the matches of a page in their order, in pieces.
  Status for_each_match(const LabeledPage& page,
                        const std::function<Status(PageMatch& match)>& use) const;

  const SortedRecords<LabeledPage, RanksBefore>& pages() const { return pages_; }
  const SortedRecords<NeighborhoodSums, ByPrefix>& neighborhoods() const { return neighborhoods_; }
  const SortedRecords<RecursionError, ByUrl>& recursion_errors() const { return recursion_errors_; }
  std::uint64_t spilled_bytes() const;

  DetectCounts counts;
  ShareSums shares;  ///< of labels in each page that has chunks

 private:
  std::uint64_t memory_bytes_;
  std::string path_;
  SortedRecords<LabeledPage, RanksBefore> pages_;
  SortedRecords<NeighborhoodSums, ByPrefix> neighborhoods_;
  SortedRecords<RecursionError, ByUrl> recursion_errors_;
  BlobFile matches_;
};

}  // namespace twinset
