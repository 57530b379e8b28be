// Two files of blobs. That of pages has one for each line of the input, empty where no page is, so
// that a document's number is its dense index. That of notes has one for each page, so that who
// counts pages need not read their tokens.
//
// This file's interface is run/page_file.h; the rest is private.
#include "run/page_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace twinset {
namespace {

/// The tokens of a block, and whether it is links.
constexpr std::uint64_t stored_block_bytes = sizeof(std::uint32_t) + 1;

struct PageHeader {
  std::uint64_t site = 0;
  std::uint64_t replaced = 0;
  std::uint32_t rank = 0;
  std::uint32_t tokens = 0;
  std::uint32_t blocks = 0;
  std::uint32_t reserved = 0;
};
struct NoteHeader {
  std::uint64_t source = 0;
  std::uint64_t record = 0;
  std::uint32_t rank = 0;
  std::uint32_t has_tokens = 0;
};

std::string_view view(const void* bytes, std::size_t size) {
  return {static_cast<const char*>(bytes), size};
}

}  // namespace

std::uint32_t page_rank(const RecordView& view) {
  return static_cast<std::uint32_t>(view.lexical_fingerprint().low >> 32);
}

void encode_page(std::uint64_t site, std::uint32_t rank, const Analysis& analysis,
                 std::span<const PageBlock> blocks, std::string& out) {
  const PageHeader header{site,
                          analysis.replaced,
                          rank,
                          static_cast<std::uint32_t>(analysis.tokens.size()),
                          static_cast<std::uint32_t>(blocks.size()),
                          0};
  out += view(&header, sizeof header);
  out += view(analysis.tokens.data(), analysis.tokens.size() * sizeof(std::uint64_t));
  for (const PageBlock& block : blocks) {
    const std::uint32_t size = block.size();
    out += view(&size, sizeof size);
    out += block.links ? '\1' : '\0';
  }
}

bool decode_page(std::string_view bytes, PageTokens& page) {
  PageHeader header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  const std::uint64_t of_tokens = std::uint64_t{header.tokens} * sizeof(std::uint64_t);
  if (bytes.size() != of_tokens + header.blocks * stored_block_bytes) return false;
  page.site = header.site;
  page.rank = header.rank;
  page.replaced = header.replaced;
  page.tokens.resize(header.tokens);
  if (header.tokens > 0) std::memcpy(page.tokens.data(), bytes.data(), of_tokens);
  page.blocks.resize(header.blocks);
  const char* at = bytes.data() + of_tokens;
  std::uint64_t token = 0;
  for (PageBlock& block : page.blocks) {
    std::uint32_t size = 0;
    std::memcpy(&size, at, sizeof size);
    const auto begin = static_cast<std::uint32_t>(token);
    token += size;
    if (size == 0 || token > header.tokens) return false;
    block = {begin, static_cast<std::uint32_t>(token), at[sizeof size] != 0};
    at += stored_block_bytes;
  }
  return token == header.tokens;
}

void PageRows::begin(const BatchPlace& batch) {
  place = batch;
  lines.clear();
  pages.clear();
  notes.clear();
  hosts.clear();
}

void PageRows::release_large() { *this = {}; }

PageFile::PageFile(const RowsOptions& options, Keeps keeps, std::string url_field, bool texts)
    : keeps_(keeps),
      url_field_(std::move(url_field)),
      texts_(texts),
      prefix_(options.path),
      pages_(options),
      notes_({options.context, options.path + ".notes", 0, options.fingerprint}) {}

Status PageFile::open(const StateFile*) { return {}; }

std::uint64_t PageFile::stored_bytes() const {
  return (keeps_tokens() ? pages_.stored_bytes() : 0) + notes_.stored_bytes();
}

Status PageFile::seal(std::uint64_t memory_bytes) {
  TWINSET_TRY(notes_.seal());
  if (!keeps_tokens()) return {};
  TWINSET_TRY(pages_.seal());
  return pages_.hold_places(memory_bytes);
}

Status PageFile::take(const ReadRecord& read, PageRows& rows) const {
  if (!read.is_document() || !takes(read.view)) return {};
  const Analysis& analysis = read.view.whole_analysis();
  const std::string host = read.view.site();
  const bool has_tokens = !analysis.tokens.empty();
  const std::uint32_t rank = page_rank(read.view);
  rows.hosts += host;
  rows.notes.push_back({read.id, rank, has_tokens, rows.hosts.size()});
  if (!keeps_tokens() || !has_tokens) return {};
  encode_page(site_hash(host), rank, analysis, read.view.blocks(), rows.pages);
  rows.lines.push_back({read.id.record(), rows.pages.size()});
  return {};
}

Status PageFile::begin_source(std::uint64_t source) {
  while (first_.size() <= source) first_.push_back(pages_.blobs());
  return {};
}

Status PageFile::put(PageRows& rows) {
  TWINSET_TRY(begin_source(rows.place.source));
  std::size_t begin = 0;
  std::string note;
  for (const PageRows::Note& each : rows.notes) {
    const NoteHeader header{each.id.source(), each.id.record(), each.rank,
                            each.has_tokens ? 1U : 0U};
    note = view(&header, sizeof header);
    note += std::string_view(rows.hosts).substr(begin, each.end - begin);
    begin = each.end;
    TWINSET_TRY(notes_.append(note));
  }
  if (!keeps_tokens()) return {};
  begin = 0;
  std::uint64_t line = rows.place.first_line;
  for (const PageRows::Line& page : rows.lines) {
    while (++line < page.number) TWINSET_TRY(pages_.append({}));
    TWINSET_TRY(pages_.append(std::string_view(rows.pages).substr(begin, page.end - begin)));
    begin = page.end;
  }
  while (++line <= rows.place.last_line) TWINSET_TRY(pages_.append({}));
  return {};
}

Error PageFile::damaged(std::uint64_t number) const {
  return io_error(prefix_ + " is damaged at its entry " + std::to_string(number) +
                  "; remove it and run again");
}

Result<bool> PageFile::read(DocumentId document, std::string& bytes, PageTokens& page) const {
  if (document.source() >= first_.size()) return false;
  const std::uint64_t number = first_[document.source()] + document.record() - 1;
  const std::uint64_t end =
      document.source() + 1 < first_.size() ? first_[document.source() + 1] : pages_.blobs();
  if (number >= end) return false;
  TWINSET_TRY(pages_.read(number, bytes));
  if (bytes.empty()) return false;
  if (!decode_page(bytes, page)) return damaged(number);
  return true;
}

Status PageFile::for_each(
    const BatchPlace& place, PageTokens& page,
    const std::function<Status(std::uint64_t line, PageTokens* page)>& use) const {
  if (place.source >= first_.size()) return {};
  const std::uint64_t first = first_[place.source];
  const std::uint64_t end =
      place.source + 1 < first_.size() ? first_[place.source + 1] : pages_.blobs();
  return pages_.for_each(first + place.first_line, std::min(end, first + place.last_line),
                         [&](std::uint64_t number, std::string_view blob) -> Status {
                           if (!blob.empty() && !decode_page(blob, page)) return damaged(number);
                           return use(number - first + 1, blob.empty() ? nullptr : &page);
                         });
}

Status PageFile::for_each_note(const std::function<Status(const PageNote& note)>& use) const {
  return notes_.for_each([&](std::uint64_t number, std::string_view blob) -> Status {
    NoteHeader header;
    if (blob.size() < sizeof header) return damaged(number);
    std::memcpy(&header, blob.data(), sizeof header);
    const DocumentId id(header.source, header.record);
    return use({number, id, header.rank, header.has_tokens != 0, blob.substr(sizeof header)});
  });
}

Result<std::string> PageFile::host_of_note(std::uint64_t number) const {
  std::string note;
  TWINSET_TRY(notes_.read(number, note));
  if (note.size() < sizeof(NoteHeader)) return damaged(number);
  return note.substr(sizeof(NoteHeader));
}

Status PageFile::for_each_page(
    const std::function<Status(DocumentId document, const PageTokens& page)>& use) const {
  PageTokens page;
  std::uint64_t source = 0;
  return pages_.for_each([&](std::uint64_t number, std::string_view blob) -> Status {
    if (blob.empty()) return {};
    while (source + 1 < first_.size() && first_[source + 1] <= number) ++source;
    if (!decode_page(blob, page)) return damaged(number);
    return use(DocumentId(source, number - first_[source] + 1), page);
  });
}

}  // namespace twinset
