#include "browse/page_versions.h"

#include <algorithm>
#include <iterator>

#include "base/hash.h"
#include "browse/cluster_choice.h"
#include "io/field_json.h"
#include "system/context.h"
#include "track/track_run.h"
#include "twinset/field.h"

namespace twinset {
namespace {

constexpr std::uint64_t stop_pages = 4096;

std::uint32_t url_hash(std::string_view url) { return static_cast<std::uint32_t>(checksum(url)); }

/// Adds the versions of a later line of the page.
void add_part(TrackedPage& page, TrackedPage part) {
  page.versions.insert(page.versions.end(), std::make_move_iterator(part.versions.begin()),
                       std::make_move_iterator(part.versions.end()));
  if (part.moved_to) page.moved_to = std::move(part.moved_to);
  if (part.moved_from) page.moved_from = std::move(part.moved_from);
  page.born = page.born || part.born;
  page.gone = page.gone || part.gone;
  if (part.recrawl_days) page.recrawl_days = part.recrawl_days;
}

}  // namespace

Result<PageVersions> PageVersions::read(const RowStore& lines, const std::atomic<bool>* cancel) {
  PageVersions out(lines);
  if (lines.rows() > UINT32_MAX) return io_error("the list of changes has too many pages");
  FieldLine<TrackedPage> line;
  std::string last;
  TWINSET_TRY(
      lines.for_each(0, lines.rows(), [&](std::uint64_t row, std::string_view raw) -> Result<bool> {
        if (row % stop_pages == 0) TWINSET_TRY(check_stop(cancel));
        const std::string what = std::string(changes_list) + ":" + std::to_string(row + 1);
        *line = TrackedPage();
        TWINSET_TRY(line.read(raw, what));
        if (row > 0 && line->url == last) return true;
        last = line->url;
        out.by_url_.push_back({url_hash(last), static_cast<std::uint32_t>(out.first_.size())});
        out.first_.push_back(static_cast<std::uint32_t>(row));
        return true;
      }));
  std::sort(out.by_url_.begin(), out.by_url_.end(), [](const UrlHash& a, const UrlHash& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.page < b.page;
  });
  return out;
}

Result<TrackedPage> PageVersions::page(std::uint64_t number) const {
  const std::uint64_t end = number + 1 < pages() ? first_[number + 1] : lines_->rows();
  TrackedPage out;
  bool begun = false;
  FieldLine<TrackedPage> line;
  TWINSET_TRY(lines_->for_each(
      first_[number], end, [&](std::uint64_t row, std::string_view raw) -> Result<bool> {
        *line = TrackedPage();
        TWINSET_TRY(line.read(raw, std::string(changes_list) + ":" + std::to_string(row + 1)));
        if (begun) {
          add_part(out, std::move(*line));
        } else {
          out = std::move(*line);
        }
        begun = true;
        return true;
      }));
  return out;
}

Result<std::optional<TrackedPage>> PageVersions::find(const std::string& url) const {
  const std::uint32_t hash = url_hash(url);
  auto at =
      std::lower_bound(by_url_.begin(), by_url_.end(), hash,
                       [](const UrlHash& a, std::uint32_t wanted) { return a.hash < wanted; });
  for (; at != by_url_.end() && at->hash == hash; ++at) {
    TWINSET_ASSIGN(TrackedPage found, page(at->page));
    if (found.url == url) return std::optional(std::move(found));
  }
  return std::optional<TrackedPage>();
}

Result<RowOrder> PageVersions::with_text(const std::string& search,
                                         const std::atomic<bool>* cancel) const {
  RowOrder out;
  const std::string wanted = lowered(search);
  std::string room;
  std::uint64_t page = 0;
  TWINSET_TRY(lines_->for_each(
      0, lines_->rows(), [&](std::uint64_t row, std::string_view raw) -> Result<bool> {
        if (row % stop_pages == 0) TWINSET_TRY(check_stop(cancel));
        if (page < pages() && first_[page] == row) {
          TWINSET_ASSIGN(const JsonNode line, read_json(raw, changes_list));
          if (has_text(line["url"].text(), wanted, room)) {
            out.rows.push_back(static_cast<std::uint32_t>(page));
          }
          ++page;
        }
        return true;
      }));
  return out;
}

}  // namespace twinset
