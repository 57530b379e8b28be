// The names of options are those of ChunkSettings; what goes together is checked in chunk_rules().
//
// This file's interface is web/chunk_options.h; the rest is private.
#include "web/chunk_options.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/message.h"

namespace twinset {
namespace {

constexpr std::pair<std::string_view, std::uint8_t> element_names[] = {
    {"p", chunk_elements::paragraphs}, {"div", chunk_elements::divisions},
    {"table", chunk_elements::tables}, {"cell", chunk_elements::cells},
    {"frame", chunk_elements::frames}, {"ends", chunk_elements::ends}};

Result<std::uint8_t> elements_of(std::string_view list) {
  std::uint8_t elements = 0;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view name = list.substr(0, comma);
    const auto* const found =
        std::ranges::find(element_names, name, &std::pair<std::string_view, std::uint8_t>::first);
    if (found == std::end(element_names)) {
      return usage_error(option("at", std::string(name)) +
                         " is no element to cut at; known are p, div, table, cell, frame, ends");
    }
    elements |= found->second;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  if ((elements & ~chunk_elements::ends) == 0)
    return usage_error(option("at") +
                       " names no element; known are p, div, table, cell, frame, ends");
  return elements;
}

}  // namespace

std::vector<Option> chunk_options(ChunkSettings& settings) {
  using enum OptionRole;
  using enum Heading;
  return {
      {"--chunks", Choice(&settings.chunks, {"html", "hadoop", "auntietuna", "paragraphs"}),
       decides, method,
       "how texts are cut: html: pages at --at, other texts at blank lines; hadoop and auntietuna: "
       "as the programs of the paper's authors; paragraphs: all at blank lines"},
      {"--at ELEMENTS", &settings.at, decides, method,
       "the elements whose start tags cut a page, of p, div, table, cell, frame; with ends, where "
       "they end, too"},
      {"--content", Choice(&settings.content, {"markup", "text"}), decides, method,
       "what of a chunk is compared: its markup, or what a reader sees"},
      {"--chunk-attributes", Choice(&settings.chunk_attributes, {"keep", "ignore"}), decides,
       method,
       "the attributes of tags in markup that is compared; ignored, ids and classes of a site's or "
       "page's own hide no copy"},
      {"--white-space", Choice(&settings.white_space, {"normalize", "keep"}), decides, method,
       "white space in what is compared; normalized, lines that are broken elsewhere hide no "
       "copy"},
      {"--hash", Choice(&settings.hash, chunk_hash_names()), decides, method,
       "the hash of chunks; xxh3 of 128 bits is fast, blake3 and sha256 resist people who forge "
       "chunks",
       "xxh3; of hadoop sha1, of auntietuna sha256"},
      {"--hash-seed N", &settings.hash_seed, decides, method, "the seed of xxh3"},
      {"--min-chars N", &settings.min_chars, decides, most_used,
       "shorter chunks are stop chunks: what pages have in common without copying",
       "101; of hadoop 0, of auntietuna 29"},
  };
}

Result<ChunkRules> chunk_rules(const ChunkSettings& settings) {
  ChunkRules rules;
  if (settings.chunks == ChunkSettings::Cuts::hadoop) rules = hadoop_chunks();
  if (settings.chunks == ChunkSettings::Cuts::auntietuna) rules = auntietuna_chunks();
  if (settings.chunks == ChunkSettings::Cuts::paragraphs) rules.cuts = ChunkCuts::paragraphs;
  const bool is_html = settings.chunks == ChunkSettings::Cuts::html;
  if (settings.white_space == ChunkSettings::WhiteSpace::keep) {
    rules.white_space = ChunkWhiteSpace::keep;
    if (!is_html && settings.chunks != ChunkSettings::Cuts::paragraphs) {
      return usage_error(option("white_space", "keep") + " is for " + option("chunks", "html") +
                         " and paragraphs; the authors' programs have a way of their own");
    }
  }
  TWINSET_ASSIGN(rules.elements, elements_of(settings.at));
  rules.content =
      settings.content == ChunkSettings::Content::text ? ChunkContent::text : ChunkContent::markup;
  const bool ignores = settings.chunk_attributes == ChunkSettings::Attributes::ignore;
  rules.attributes = ignores ? ChunkAttributes::ignore : ChunkAttributes::keep;
  if (!is_html && (settings.at != ChunkSettings().at ||
                   settings.content != ChunkSettings::Content::markup || ignores)) {
    return usage_error(option("at") + ", " + switch_on("content") + " and " +
                       switch_on("chunk_attributes") + " are for " + option("chunks", "html"));
  }
  if (ignores && rules.content == ChunkContent::text) {
    return usage_error(option("chunk_attributes", "ignore") + " is for " +
                       option("content", "markup") + "; text has no attributes");
  }
  if (!is_html) rules.elements = ChunkRules().elements;
  if (settings.hash.has_value()) {
    static_assert(static_cast<int>(ChunkSettings::Hash::xxh3) == static_cast<int>(ChunkHash::xxh3));
    static_assert(static_cast<int>(ChunkSettings::Hash::blake3_128) ==
                  static_cast<int>(ChunkHash::blake3_128));
    rules.hash = static_cast<ChunkHash>(*settings.hash);
  }
  if (settings.hash_seed != 0 && rules.hash != ChunkHash::xxh3) {
    return usage_error(option("hash_seed") + " is for " + option("hash", "xxh3") + "; " +
                       std::string(chunk_hash_name(rules.hash)) + " has no seed");
  }
  rules.seed = settings.hash_seed;
  if (settings.min_chars.has_value()) {
    if (*settings.min_chars > std::numeric_limits<std::uint32_t>::max()) {
      return usage_error(option("min_chars", std::to_string(*settings.min_chars)) +
                         " is more than a chunk can have");
    }
    rules.least_characters = static_cast<std::uint32_t>(*settings.min_chars);
  }
  return rules;
}

}  // namespace twinset
