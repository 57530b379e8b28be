// detect has ranked its lists: their first lines are read. spans writes its passages in input order
// of the later text; what they cover of it is added up, and the texts are ranked here.
#include "look/show_lists.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/best.h"
#include "base/message.h"
#include "collection/output_lines.h"
#include "detect/detect_lines.h"
#include "detect/detected_folder.h"
#include "look/asked_record.h"
#include "run/summary.h"
#include "spans/span_lines.h"
#include "system/context.h"

namespace twinset {
namespace {

struct MoreReused {
  bool operator()(const ShownReuse& a, const ShownReuse& b) const {
    if (a.bytes != b.bytes) return a.bytes > b.bytes;
    return std::pair(a.name.file, a.name.record) < std::pair(b.name.file, b.name.record);
  }
};

/// The bytes in any of the passages, which may overlap.
std::uint64_t covered(std::vector<std::pair<std::uint64_t, std::uint64_t>>& passages) {
  std::sort(passages.begin(), passages.end());
  std::uint64_t bytes = 0;
  std::uint64_t end = 0;
  for (const auto& [from, to] : passages) {
    if (to <= end) continue;
    bytes += to - std::max(from, end);
    end = to;
  }
  return bytes;
}

Result<Shown> show_detected(FileSystem& files, const std::string& path, std::uint64_t top) {
  TWINSET_ASSIGN(DetectedFolder folder, read_detected_folder(files, path));
  TWINSET_TRY(read_top_lines(files, folder.folder, top, folder.summary));
  Shown shown;
  shown.kind = Shown::Kind::detected;
  shown.found = folder.summary.labeled_pages;
  shown.documents = folder.summary.pages;
  shown.detected = std::move(folder.summary);
  return shown;
}

Result<Shown> show_reused(FileSystem& files, const std::string& path, std::uint64_t top,
                          const std::atomic<bool>* cancel) {
  Shown shown;
  shown.kind = Shown::Kind::reused_texts;
  Best<ShownReuse, MoreReused> best(top, MoreReused());
  ShownReuse text;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> passages;
  const auto end_text = [&] {
    if (text.spans == 0) return;
    ++shown.found;
    text.bytes = covered(passages);
    best.add(text);
  };
  const std::string file = path + "/" + spans_list;
  TWINSET_TRY(for_each_value<SpanLine>(files, file, [&](const SpanLine& line) -> Result<bool> {
    const NamedDocument& later = line.b.document;
    if (text.spans == 0 || later.record != text.name.record || later.file != text.name.file) {
      TWINSET_TRY(check_stop(cancel));
      end_text();
      text = {.name = place_of(later).document};
      passages.clear();
    }
    ++text.spans;
    passages.emplace_back(line.b.begin, line.b.end);
    return true;
  }));
  end_text();
  shown.reused = std::move(best).sorted();
  return shown;
}

}  // namespace

Result<std::optional<Shown>> show_lists(FileSystem& files, const ShowOptions& options,
                                        const std::atomic<bool>* cancel) {
  const std::string path = folder_path(options.folder);
  TWINSET_ASSIGN(const std::optional<SummaryFile> file, find_summary_file(files, path));
  const bool detected = file.has_value() && file->verb == "detect";
  if (!detected && !(file.has_value() && file->verb == "spans")) return std::optional<Shown>();
  if (!options.cluster.empty() || options.kind.has_value() ||
      options.resemblance.least.has_value() || options.resemblance.most.has_value()) {
    return usage_error(options.folder + " was made by twinset " + file->verb +
                       " and has no clusters or removed records: leave out all but " +
                       option("top"));
  }
  TWINSET_ASSIGN(Shown shown, detected ? show_detected(files, path, options.top)
                                       : show_reused(files, path, options.top, cancel));
  return std::optional<Shown>(std::move(shown));
}

}  // namespace twinset
