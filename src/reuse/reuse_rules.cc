#include "reuse/reuse_rules.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "base/message.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_repeats = 256;  ///< parts that are read

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

Result<ChunkRules> chunk_rules(const ChunkSettings& settings) {
  ChunkRules rules;
  if (settings.chunks == ChunkSettings::Cuts::hadoop) rules = hadoop_chunks();
  if (settings.chunks == ChunkSettings::Cuts::auntietuna) rules = auntietuna_chunks();
  if (settings.chunks == ChunkSettings::Cuts::paragraphs) rules.cuts = ChunkCuts::paragraphs;
  const bool is_html = settings.chunks == ChunkSettings::Cuts::html;
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
    static_assert(static_cast<int>(ChunkSettings::Hash::sha1) == static_cast<int>(ChunkHash::sha1));
    static_assert(static_cast<int>(ChunkSettings::Hash::sha256) ==
                  static_cast<int>(ChunkHash::sha256));
    static_assert(static_cast<int>(ChunkSettings::Hash::blake3) ==
                  static_cast<int>(ChunkHash::blake3));
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

Status check_page_settings(const PageSettings& pages) {
  if (pages.repeats == 1 || pages.repeats > most_repeats) {
    return usage_error(option("repeats", std::to_string(pages.repeats)) +
                       " is not 0, nor from 2 to " + std::to_string(most_repeats));
  }
  return {};
}

Result<LabelFile> open_stop_chunks(FileSystem& files, const std::string& path,
                                   const ChunkRules& rules) {
  TWINSET_ASSIGN(LabelFile stop, LabelFile::open(files, path));
  std::optional<ChunkRules> of_stop = parse_chunk_rules(stop.facts().rules);
  if (of_stop.has_value()) of_stop->least_characters = rules.least_characters;
  if (of_stop != rules) {
    return usage_error(option("stop", path) + " has chunks of other rules, " + stop.facts().rules +
                       "; this run's are " + to_text(rules));
  }
  return stop;
}

}  // namespace twinset
