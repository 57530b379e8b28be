#include "merge/merge.h"

#include <filesystem>
#include <system_error>

#include "base/message.h"
#include "run/output_paths.h"
#include "run/shard.h"
#include "run/summary.h"

namespace twinset {
namespace {

/// Relative names of inputs start from the folder where the shards were made.
Status check_folder(const std::string& part, const RunFacts& facts) {
  std::error_code failed;
  const std::string here = std::filesystem::current_path(failed).string();
  if (failed || facts.folder == here) return {};
  for (const InputFacts& input : facts.inputs) {
    if (std::filesystem::path(input.file).is_absolute()) continue;
    return usage_error(part + " was made in " + facts.folder + ", and names " + input.file +
                       " from there; merge its shards there, too");
  }
  return {};
}

/// The options of the run that all shards make, as the first of them tells.
template <class Options, class Summary>
Result<Options> shared_options(const SummaryFile& file, const MergeOptions& merge) {
  Options options;
  Summary part;
  part.shard = "any";
  TWINSET_TRY(file.read(part, options));
  TWINSET_TRY(check_folder(merge.parts.front(), part));
  options.shards = merge.parts;
  options.output = merge.output;
  options.resources = merge.resources;
  options.command = merge.command;
  return options;
}

}  // namespace

Result<MergeSummary> merge_shards(const MergeOptions& options, const RunControl& control,
                                  DrawReport<DedupFindings> draw_dedup,
                                  DrawReport<ClusterFindings> draw_cluster) {
  if (options.parts.empty()) return usage_error("there is no shard to merge");
  if (options.output.empty())
    return usage_error("a merge makes a folder: " + option("output", "DIR"));
  FileSystem& files = files_of(control);
  TWINSET_TRY(ShardFolder::open(files, options.parts.front()));
  const std::string first = folder_path(std::string(options.parts.front()));
  TWINSET_ASSIGN(const std::optional<SummaryFile> file, find_summary_file(files, first));
  if (file.has_value() && file->verb == "dedup") {
    TWINSET_ASSIGN(const DedupOptions all,
                   (shared_options<DedupOptions, DedupSummary>(*file, options)));
    TWINSET_ASSIGN(DedupSummary done, dedup_collection(nullptr, all, control, {}, draw_dedup));
    return MergeSummary{.dedup = std::move(done), .cluster = {}};
  }
  if (file.has_value() && file->verb == "cluster") {
    TWINSET_ASSIGN(const ClusterOptions all,
                   (shared_options<ClusterOptions, ClusterSummary>(*file, options)));
    TWINSET_ASSIGN(ClusterSummary done,
                   cluster_collection(nullptr, all, control, {}, draw_cluster));
    return MergeSummary{.dedup = {}, .cluster = std::move(done)};
  }
  return io_error(first + "/" + std::string(summary_file) +
                  " is missing or of another verb; make this shard again");
}

}  // namespace twinset
