#include "detect/label_search.h"

#include <algorithm>
#include <utility>

#include "words/visible.h"

namespace twinset {
namespace {

/// Buffers of a long page are freed after its batch.
constexpr std::size_t kept_bytes = std::size_t{1} << 20;

}  // namespace

void LabelSearchRows::begin(const BatchPlace&) {
  counts = {};
  shares = {};
  pages.clear();
  recursion_errors.clear();
  neighborhoods.clear();
  blobs.clear();
  ends.clear();
  looked_up = 0;
}

void LabelSearchRows::release_large() {
  reader.reset();
  page = {};
  labeled = {};
  if (blobs.capacity() > kept_bytes) blobs = {};
}

Status LabelSearch::take(const ReadRecord& record, LabelSearchRows& rows) const {
  if (!record.is_document()) return {};
  if (!rows.reader.has_value()) rows.reader.emplace(rule_, job_.collection->sources());
  ReadPage& page = rows.page;
  TWINSET_TRY(rows.reader->read(record, page));
  if (!page.repeated.empty()) {
    ++rows.counts.recursion_errors;
    rows.recursion_errors.push_back(
        {readable_text(page.url), readable_text(job_.source(record.id.source()).shown),
         record.id.record(), readable_text(page.repeated), page.repeats});
    return {};
  }
  rows.labeled.clear();
  for (std::size_t i = 0; i < page.chunks.size(); ++i) {
    TWINSET_ASSIGN(const bool known,
                   lookup_.contains(LabelKind::chunk, page.chunks[i].hash, rows.looked_up));
    if (known) rows.labeled.push_back(i);
  }
  bool file_labeled = false;
  if (lookup_.files() > 0 && !page.file_stops) {
    TWINSET_ASSIGN(file_labeled, lookup_.contains(LabelKind::file, page.file, rows.looked_up));
  }
  const bool holds_label = file_labeled || !rows.labeled.empty();
  ++rows.counts.pages;
  rows.counts.chunks += page.chunks.size();
  rows.counts.short_chunks += page.short_chunks;
  rows.counts.stop_chunks += page.stop_chunks;
  rows.counts.labeled_chunks += rows.labeled.size();
  rows.counts.labeled_pages += holds_label ? 1 : 0;
  rows.counts.labeled_files += file_labeled ? 1 : 0;
  if (page.chunks.empty()) {
    ++rows.counts.pages_without_chunks;
  } else {
    rows.shares.add(share_units(rows.labeled.size(), page.chunks.size()));
  }
  note_neighborhoods(holds_label, rows);
  if (holds_label) note_page(record, file_labeled, rows);
  return {};
}

void LabelSearch::note_neighborhoods(bool holds_label, LabelSearchRows& rows) const {
  const ReadPage& page = rows.page;
  const NeighborhoodSums sums{{},
                              1,
                              holds_label ? std::uint64_t{1} : 0,
                              page.chunks.size(),
                              rows.labeled.size(),
                              share_units(rows.labeled.size(), page.chunks.size())};
  for (std::size_t i = 0; i < page.neighborhoods.size(); ++i) {
    const std::string_view prefix = page.neighborhoods[i];
    auto found = rows.neighborhoods.find(prefix);
    if (found == rows.neighborhoods.end()) {
      found = rows.neighborhoods.emplace(std::string(prefix), NeighborhoodSums()).first;
    }
    found->second.add(sums);
  }
}

/// The page, and its matches: the file first, then chunks in their order.
void LabelSearch::note_page(const ReadRecord& record, bool is_label, LabelSearchRows& rows) const {
  const ReadPage& page = rows.page;
  LabeledPage& noted = rows.pages.emplace_back();
  noted.url = readable_text(page.url);
  noted.file = readable_text(job_.source(record.id.source()).shown);
  noted.record = record.id.record();
  noted.chunks = page.chunks.size();
  noted.labeled = rows.labeled.size();
  noted.file_labeled = is_label;
  std::uint64_t matches = 0;
  PageMatch match;
  const auto add = [&] {
    append_match(match, rows.blobs);
    if (++matches % matches_in_blob == 0) rows.ends.push_back(rows.blobs.size());
  };
  if (is_label) {
    const std::string_view text = record.record.text;
    match = {LabelKind::file,
             page.file,
             0,
             text.size(),
             rows.reader->quote(text, most_quoted_bytes),
             {}};
    add();
  }
  for (const std::size_t i : rows.labeled) {
    const Chunk& chunk = page.chunks[i];
    match = {LabelKind::chunk,
             chunk.hash,
             chunk.bytes.begin,
             chunk.bytes.end - chunk.bytes.begin,
             {},
             {}};
    if (matches < most_quoted_matches) {
      match.text = rows.reader->quote(rows.reader->content(chunk), most_quoted_bytes);
    }
    add();
  }
  if (matches % matches_in_blob != 0) rows.ends.push_back(rows.blobs.size());
  noted.matches_blobs = (matches + matches_in_blob - 1) / matches_in_blob;
}

Status LabelSearch::put(LabelSearchRows& rows) {
  found_.counts.add(rows.counts);
  found_.shares.add(rows.shares);
  lookup_.count(rows.looked_up);
  std::size_t begin = 0;
  std::size_t blob = 0;
  std::vector<std::string_view> blobs;
  for (LabeledPage& page : rows.pages) {
    blobs.clear();
    for (std::uint64_t i = 0; i < page.matches_blobs; ++i) {
      const std::size_t end = rows.ends[blob++];
      blobs.push_back(std::string_view(rows.blobs).substr(begin, end - begin));
      begin = end;
    }
    TWINSET_ASSIGN(page.first_matches, found_.add_matches(blobs));
    TWINSET_TRY(found_.add(std::move(page)));
  }
  for (auto& [prefix, sums] : rows.neighborhoods) {
    sums.prefix = readable_text(prefix);
    TWINSET_TRY(found_.add(std::move(sums)));
  }
  for (RecursionError& error : rows.recursion_errors) {
    TWINSET_TRY(found_.add(std::move(error)));
  }
  return {};
}

}  // namespace twinset
