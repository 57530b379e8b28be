#include "phish/phish_search.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "words/visible.h"

namespace twinset {
namespace {

/// The key with the largest count, the first of equal ones.
template <class Counts>
const auto& most_of(const Counts& counts) {
  return *std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
}

}  // namespace

bool LikerImitation::operator()(const PhishPage& a, const PhishPage& b) const {
  const auto of_a = static_cast<unsigned __int128>(a.labeled) * b.chunks;
  const auto of_b = static_cast<unsigned __int128>(b.labeled) * a.chunks;
  if (of_a != of_b) return of_a > of_b;
  if (a.labeled != b.labeled) return a.labeled > b.labeled;
  return std::tie(a.url, a.file, a.record) < std::tie(b.url, b.file, b.record);
}

void PhishRows::begin(const BatchPlace&) {
  counts = {};
  best.reset();
  looked_up = 0;
}

void PhishRows::release_large() {
  reader.reset();
  page = {};
}

Result<std::optional<Label>> PhishSearch::find(const Chunk& chunk, PhishRows& rows) const {
  return lookup_.find(LabelKind::chunk, chunk.hash, rows.looked_up);
}

Result<PhishSearch::Parts> PhishSearch::parts_of_others(const std::string& site, bool& holds_own,
                                                        PhishRows& rows) const {
  Parts parts;
  std::set<std::pair<std::string, std::string>> pages;  // Of one chunk.
  for (const Chunk& chunk : rows.page.chunks) {
    TWINSET_ASSIGN(const std::optional<Label> label, find(chunk, rows));
    if (!label.has_value()) continue;
    pages.clear();
    bool is_own = false;
    sites_.of_label(*label, [&](const std::string& known, const std::string& page) {
      is_own = is_own || known == site;
      pages.emplace(known, page);
    });
    if (is_own) {
      holds_own = true;
      continue;
    }
    const std::string* last = nullptr;
    for (const auto& known : pages) {
      if (last == nullptr || *last != known.first) ++parts.sites[known.first];
      last = &known.first;
      ++parts.pages[known];
    }
  }
  return parts;
}

/// The first parts of the page that the site has.
Status PhishSearch::fill_parts(const std::string& site, PhishPage& found, PhishRows& rows) const {
  for (const Chunk& chunk : rows.page.chunks) {
    if (found.parts.size() == std::min<std::uint64_t>(found.labeled, most_phish_parts)) break;
    TWINSET_ASSIGN(const std::optional<Label> label, find(chunk, rows));
    if (!label.has_value()) continue;
    bool has_it = false;
    bool is_own = false;
    sites_.of_label(*label, [&](const std::string& known, const std::string&) {
      has_it = has_it || known == found.site;
      is_own = is_own || known == site;
    });
    if (!has_it || is_own) continue;
    found.parts.push_back({rows.reader->quote(rows.reader->content(chunk), most_part_bytes),
                           chunk.bytes.begin, chunk.bytes.end - chunk.bytes.begin});
  }
  return {};
}

Status PhishSearch::take(const ReadRecord& record, PhishRows& rows) const {
  if (!record.is_document()) return {};
  if (!rows.reader.has_value()) rows.reader.emplace(rule_, job_.collection->sources());
  if (!rows.best.has_value()) rows.best.emplace(options_.top, LikerImitation());
  ReadPage& page = rows.page;
  TWINSET_TRY(rows.reader->read(record, page));
  PhishSummary& counts = rows.counts;
  ++counts.pages;
  counts.chunks += page.chunks.size();
  counts.short_chunks += page.short_chunks;
  counts.stop_chunks += page.stop_chunks;
  const std::string site = page.stands_in_file ? std::string() : KnownSites::of_page(page.url);
  if (site.empty()) {
    if (counts.pages_without_site++ == 0) {
      counts.first_without_site = whole_prefix(page.url, most_url_bytes);
    }
  }
  bool holds_own = false;
  TWINSET_ASSIGN(const Parts parts, parts_of_others(site, holds_own, rows));
  if (sites_.allows(site)) {
    counts.own_pages += holds_own || !parts.sites.empty() ? 1 : 0;
    return {};
  }
  if (parts.sites.empty()) {
    counts.own_pages += holds_own ? 1 : 0;
    return {};
  }
  const auto& [imitated, labeled] = most_of(parts.sites);
  if (labeled < options_.min_parts || !options_.min_share.reached_by(labeled, page.chunks.size())) {
    return {};
  }
  ++counts.imitations;
  PhishPage found;
  found.url = whole_prefix(page.url, most_url_bytes);
  found.file = job_.source(record.id.source()).shown;
  found.record = record.id.record();
  found.site = imitated;
  found.chunks = page.chunks.size();
  found.labeled = labeled;
  if (!rows.best->wants(found)) return {};
  std::uint64_t most = 0;
  for (const auto& [known, count] : parts.pages) {
    if (known.first != imitated || count <= most) continue;
    most = count;
    found.imitates = known.second;
  }
  TWINSET_TRY(fill_parts(site, found, rows));
  rows.best->add(std::move(found));
  return {};
}

Status PhishSearch::put(PhishRows& rows) {
  lookup_.count(rows.looked_up);
  const PhishSummary& counts = rows.counts;
  summary_.pages += counts.pages;
  summary_.imitations += counts.imitations;
  summary_.own_pages += counts.own_pages;
  if (summary_.pages_without_site == 0) summary_.first_without_site = counts.first_without_site;
  summary_.pages_without_site += counts.pages_without_site;
  summary_.chunks += counts.chunks;
  summary_.short_chunks += counts.short_chunks;
  summary_.stop_chunks += counts.stop_chunks;
  if (!rows.best.has_value()) return {};
  for (PhishPage& page : std::move(*rows.best).sorted()) best_.add(std::move(page));
  rows.best.reset();
  return {};
}

}  // namespace twinset
