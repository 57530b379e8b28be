#include "reuse/known_chunks.h"

#include <optional>
#include <utility>

#include "base/message.h"
#include "reuse/reuse_rules.h"

namespace twinset {

Result<KnownChunks> open_known_chunks(FileSystem& files, const std::string& labels,
                                      const std::string& stop) {
  if (labels.empty()) {
    return usage_error("no labels given: " + option("labels", "FILE") + ", which " +
                       verb("discover") + " makes");
  }
  KnownChunks known;
  TWINSET_ASSIGN(LabelFile opened, LabelFile::open(files, labels));
  const std::optional<ChunkRules> rules = parse_chunk_rules(opened.facts().rules);
  if (!rules.has_value() || rules->hash != opened.facts().hash) {
    return io_error(labels + " has chunks of the rules \"" + opened.facts().rules +
                    "\", which this twinset does not know; make it again with this one");
  }
  known.rules = *rules;
  known.labels = std::make_unique<LabelFile>(std::move(opened));
  if (!stop.empty()) {
    TWINSET_ASSIGN(LabelFile stops, open_stop_chunks(files, stop, known.rules));
    known.stop = std::make_unique<LabelFile>(std::move(stops));
  }
  return known;
}

std::string KnownChunks::warning(std::uint64_t labels_in_file, std::uint64_t pages_read,
                                 bool are_pages) const {
  if (labels_in_file == 0) {
    return labels->path() + " has no labels, so nothing can be found; " + verb("discover") +
           " says why it made none";
  }
  if (pages_read == 0 || are_pages || rules.cuts != ChunkCuts::html || !labels->facts().pages) {
    return {};
  }
  return "the labels of " + labels->path() +
         " are of pages, and no input is a page: " + option("format", "html") +
         " cuts its texts as pages";
}

}  // namespace twinset
