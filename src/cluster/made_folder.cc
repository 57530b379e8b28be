// This file's interface is cluster/made_folder.h.
#include "cluster/made_folder.h"

#include "base/message.h"
#include "collection/output_files.h"
#include "run/prepare.h"
#include "run/scratch_folder.h"
#include "run/summary.h"

namespace twinset {

Result<std::unique_ptr<MadeFolder>> MadeFolder::open(const RunContext& context, Settings settings) {
  TWINSET_TRY(check_folder_names(settings.output, settings.resources.tmp));
  std::unique_ptr<MadeFolder> folder(new MadeFolder(context, std::move(settings)));
  const Settings& of = folder->settings_;
  FileSystem& files = *context.files;
  const std::string output =
      of.output.empty() ? scratch_path(of.resources, of.verb) : folder_path(of.output);
  TWINSET_ASSIGN(const FileStatus there, files.status(output));
  TWINSET_ASSIGN(const bool empty, is_empty_folder(files, output));
  if (there.kind != FileStatus::Kind::missing && !empty) {
    return usage_error(output + " exists; choose another " + option("output"));
  }
  TWINSET_ASSIGN(folder->workspace_,
                 Workspace::open(files, {output, of.resources.tmp, of.identity, of.command}));
  TWINSET_TRY(folder->workspace_->start_over());
  return folder;
}

Status MadeFolder::end(const Status& done, ClusterSummary& summary,
                       const ClusterOptions& options) const {
  if (done.ok() && !settings_.output.empty()) {
    const Status published = publish(summary, options);
    if (published.ok()) return published;
    [[maybe_unused]] const Status abandoned = workspace_->abandon();  // `published` tells why.
    return published;
  }
  const Status abandoned = workspace_->abandon();
  TWINSET_TRY(done);
  TWINSET_TRY(abandoned);
  summary.json = summary_json(summary, options);
  return {};
}

Status MadeFolder::publish(ClusterSummary& summary, const ClusterOptions& options) const {
  TWINSET_ASSIGN(summary.outputs, files_below(*context_.files, workspace_->out()));
  summary.json = summary_json(summary, options);
  TWINSET_TRY(write_file_atomically(
      *context_.files, workspace_->out() + "/" + std::string(summary_file), summary.json));
  return workspace_->publish();
}

}  // namespace twinset
