#include "reuse/page_reader.h"

#include <algorithm>

#include "io/json_string.h"
#include "io/record.h"
#include "text/analyzer.h"
#include "web/repeated_parts.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// Scripts and styles often stand before the first words of a page.
constexpr std::size_t quoted_page_bytes = std::size_t{64} << 10;

/// Each run of white space is a space, and there is none at the ends.
std::string in_one_line(std::string_view text) {
  constexpr std::string_view space = " \n\t\r\f";
  std::string out;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
    if (text.empty()) return out;
    const std::string_view word = text.substr(0, text.find_first_of(space));
    if (!out.empty()) out += ' ';
    out += word;
    text.remove_prefix(word.size());
  }
}

/// Texts that are no pages have neither tags nor text between them.
ChunkRules rules_of_texts(ChunkRules rules) {
  if (rules.cuts == ChunkCuts::html) rules.cuts = ChunkCuts::paragraphs;
  return rules;
}

/// "http:" of "http://[", which is no URL, and no path either.
bool begins_with_scheme(std::string_view text) {
  std::size_t letters = 0;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  while (letters < text.size() && is_letter(text[letters])) ++letters;
  return letters > 1 && letters < text.size() && text[letters] == ':';
}

}  // namespace

PageReader::PageReader(const PageRule& rule, std::span<const Source> sources)
    : rule_(rule), sources_(sources), pages_(rule.chunks), texts_(rules_of_texts(rule.chunks)) {}

void PageReader::locate(const ReadRecord& record, ReadPage& page) {
  page.url.clear();
  page.repeated.clear();
  page.repeats = 0;
  if (!rule_.url_field.empty()) {
    append_json_token_value(page.url, record.record.field(rule_.url_field));
  }
  if (page.url.empty()) page.url = record.record.url;
  std::string_view path;
  page.stands_in_file = page.url.empty();
  if (page.stands_in_file) {
    const Source& source = sources_[record.id.source()];
    page.url = source.shown;
    if (!source.one_document) page.url += ":" + std::to_string(record.id.record());
    path_neighborhoods(source.one_document ? source.shown : source.shown + "/", page.neighborhoods);
    path = source.shown;
  } else if (const std::optional<Url> url = parse_url(page.url);
             url.has_value() && write_canonical(*url, canonical_)) {
    url_neighborhoods(page.url, page.neighborhoods);
    path = canonical_.path();
  } else if (begins_with_scheme(page.url)) {
    page.neighborhoods.text.clear();
    page.neighborhoods.ends.clear();
  } else {
    path_neighborhoods(page.url, page.neighborhoods);
    path = page.url;
  }
  if (rule_.repeats == 0) return;
  if (const auto found = find_repeated_parts(path, rule_.repeats)) {
    page.repeated = found->parts;
    page.repeats = found->count;
  }
}

Status PageReader::read(const ReadRecord& record, ReadPage& page) {
  page.chunks.clear();
  page.short_chunks = page.stop_chunks = 0;
  page.file_stops = false;
  locate(record, page);
  if (!page.repeated.empty()) return {};
  text_ = record.record.text;
  markup_ = record.record.markup;
  is_page_ = is_page(markup_);
  Chunker& chunker = is_page_ ? pages_ : texts_;
  chunker.read(text_, page.chunks);
  page.short_chunks = chunker.short_chunks();
  page.file = hash_chunk(text_, rule_.chunks.hash, rule_.chunks.seed);
  if (rule_.stop == nullptr) return {};
  std::size_t kept = 0;
  for (const Chunk& chunk : page.chunks) {
    TWINSET_ASSIGN(const bool stops, rule_.stop->contains(LabelKind::chunk, chunk.hash));
    if (!stops) page.chunks[kept++] = chunk;
  }
  page.stop_chunks = page.chunks.size() - kept;
  page.chunks.resize(kept);
  TWINSET_ASSIGN(page.file_stops, rule_.stop->contains(LabelKind::file, page.file));
  return {};
}

std::string_view PageReader::content(const Chunk& chunk) {
  return (is_page_ ? pages_ : texts_)
      .content(text_.substr(chunk.bytes.begin, chunk.bytes.end - chunk.bytes.begin));
}

std::string PageReader::quote(std::string_view content, std::size_t most_bytes) const {
  if (is_page_ && rule_.chunks.content == ChunkContent::markup) {
    const std::string words =
        in_one_line(without_markup(std::string(whole_prefix(content, quoted_page_bytes)), markup_));
    if (!words.empty()) return std::string(whole_prefix(words, most_bytes));
  }
  return std::string(whole_prefix(content, most_bytes));
}

}  // namespace twinset
