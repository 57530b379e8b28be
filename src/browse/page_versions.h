// The pages of a folder of track, found by URL: the lines of a page that has several are one page
// here.
//
//   TWINSET_ASSIGN(const PageVersions pages, PageVersions::read(*changes->lines(), cancel));
//   TWINSET_ASSIGN(const std::optional<TrackedPage> page, pages.find("http://a.org/x"));
//
// Memory: 12 bytes a page.
//
// Threads: any once read.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "browse/order_cache.h"
#include "browse/row_store.h"
#include "twinset/index.h"
#include "twinset/result.h"

namespace twinset {

class PageVersions {
 public:
  static constexpr std::uint64_t page_bytes = 12;

  /// `lines` outlives it. Errors (io): a line is damaged.
  static Result<PageVersions> read(const RowStore& lines, const std::atomic<bool>* cancel);

  std::uint64_t pages() const { return first_.size(); }
  /// The page of that number, in the order of the list.
  Result<TrackedPage> page(std::uint64_t number) const;
  Result<std::optional<TrackedPage>> find(const std::string& url) const;
  /// The pages whose URLs have this text (browse/cluster_choice.h).
  Result<RowOrder> with_text(const std::string& search, const std::atomic<bool>* cancel) const;

 private:
  struct UrlHash {
    std::uint32_t hash = 0;
    std::uint32_t page = 0;
  };
  explicit PageVersions(const RowStore& lines) : lines_(&lines) {}

  const RowStore* lines_;
  std::vector<std::uint32_t> first_;  ///< line of each page
  std::vector<UrlHash> by_url_;
};

}  // namespace twinset
