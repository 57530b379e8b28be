#include "discover/seen_objects.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr std::size_t kept_bytes = std::size_t{1} << 20;  ///< of a worker's buffers

}  // namespace

void SeenObjectRows::begin(const BatchPlace& batch) {
  place = batch;
  files.clear();
  chunks.clear();
  lines.clear();
  urls.clear();
  recursion_errors.clear();
  recursion_count = short_chunks = stop_chunks = stop_files = 0;
}

void SeenObjectRows::release_large() {
  // The reader's memory grows with its longest page; a new one is made for the next.
  reader.reset();
  page = ReadPage();
  if (chunks.capacity() * sizeof(ObjectRow) > kept_bytes) chunks = {};
}

SeenObjects::SeenObjects(const Job& job, const PageRule& rule, std::uint64_t memory_bytes)
    : job_(job), rule_(rule), memory_bytes_(memory_bytes) {}

Status SeenObjects::open(const StateFile*) {
  const auto rows = [&](const char* name, std::uint64_t memory) {
    return RowsOptions{&job_.context, job_.spill + name, memory, job_.signer.fingerprint};
  };
  // A page has one file and many chunks.
  files_ = std::make_unique<PartitionedRows<ObjectRow>>(rows("files", memory_bytes_ / 8));
  chunks_ = std::make_unique<PartitionedRows<ObjectRow>>(
      rows("chunks", memory_bytes_ - memory_bytes_ / 8));
  urls_ = std::make_unique<BlobFile>(rows("urls", 0));
  return {};
}

Status SeenObjects::take(const ReadRecord& record, SeenObjectRows& rows) const {
  if (!record.is_document()) return {};
  if (!rows.reader) rows.reader.emplace(rule_, job_.collection->sources());
  ReadPage& page = rows.page;
  TWINSET_TRY(rows.reader->read(record, page));
  if (!page.repeated.empty()) {
    ++rows.recursion_count;
    if (rows.recursion_errors.size() < most_examples) rows.recursion_errors.push_back(page.url);
    return {};
  }
  rows.urls += page.url;
  rows.lines.push_back({record.id.record(), checksum(page.site()), rows.urls.size()});
  rows.short_chunks += page.short_chunks;
  rows.stop_chunks += page.stop_chunks;
  if (page.file_stops) {
    ++rows.stop_files;
  } else {
    rows.files.push_back(
        {page.file.key(), record.id, 0, static_cast<std::uint32_t>(record.record.text.size())});
  }
  for (const Chunk& chunk : page.chunks) {
    rows.chunks.push_back({chunk.hash.key(), record.id, chunk.bytes.begin,
                           static_cast<std::uint32_t>(chunk.bytes.end - chunk.bytes.begin)});
  }
  return {};
}

Status SeenObjects::add(SeenObjectRows& rows) {
  TWINSET_TRY(files_->append(rows.files));
  return chunks_->append(rows.chunks);
}

Status SeenObjects::put(SeenObjectRows& rows) {
  std::uint64_t line = rows.place.first_line;
  std::size_t url = 0;
  for (const SeenObjectRows::Line& page : rows.lines) {
    for (++line; line < page.number; ++line) {
      TWINSET_TRY(urls_->append(""));
      sites_.push_back(no_site);
    }
    TWINSET_TRY(urls_->append(std::string_view(rows.urls).substr(url, page.url_end - url)));
    url = page.url_end;
    const auto number = static_cast<std::uint32_t>(site_numbers_.size());
    sites_.push_back(site_numbers_.try_emplace(page.site, number).first->second);
  }
  for (; line < rows.place.last_line; ++line) {
    TWINSET_TRY(urls_->append(""));
    sites_.push_back(no_site);
  }
  pages_ += rows.lines.size();
  recursion_count_ += rows.recursion_count;
  for (std::string& page : rows.recursion_errors) {
    if (recursion_errors_.size() < most_examples) recursion_errors_.push_back(std::move(page));
  }
  short_chunks_ += rows.short_chunks;
  stop_chunks_ += rows.stop_chunks;
  stop_files_ += rows.stop_files;
  return {};
}

Status SeenObjects::seal(std::uint64_t memory_bytes) {
  TWINSET_TRY(urls_->seal());
  return urls_->hold_for_any_order(memory_bytes);
}

void SeenObjects::drop_rows() {
  files_.reset();
  chunks_.reset();
}

std::uint64_t SeenObjects::stored_bytes() const {
  return (files_ ? files_->spilled_bytes() : 0) + (chunks_ ? chunks_->spilled_bytes() : 0) +
         (urls_ ? urls_->stored_bytes() : 0);
}

}  // namespace twinset
