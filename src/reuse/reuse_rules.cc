#include "reuse/reuse_rules.h"

#include <string_view>

#include "base/message.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_repeats = 256;  ///< parts that are read

}  // namespace

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

Result<PageCutting> page_cutting(FileSystem& files, const ChunkRules& chunks,
                                 const PageSettings& pages, const std::string& stop) {
  PageCutting cutting;
  cutting.rule.chunks = chunks;
  cutting.rule.url_field = pages.url;
  cutting.rule.repeats = static_cast<std::uint32_t>(pages.repeats);
  if (stop.empty()) return cutting;
  TWINSET_ASSIGN(LabelFile opened, open_stop_chunks(files, stop, chunks));
  cutting.stop = std::make_unique<LabelFile>(std::move(opened));
  cutting.rule.stop = cutting.stop.get();
  return cutting;
}

}  // namespace twinset
