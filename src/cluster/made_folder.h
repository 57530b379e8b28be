// The output folder of a run that is made in one go: nothing of it is continued, and it is there
// whole or not at all.
//
//   TWINSET_ASSIGN(const auto folder, MadeFolder::open(context, {.output = "groups", ...}));
//   const Status done = write_into(folder->workspace().out());
//   TWINSET_TRY(folder->end(done, summary, options));
//
// Threads: one at a time.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rows/rows.h"
#include "run/workspace.h"
#include "system/context.h"
#include "twinset/cluster.h"
#include "twinset/result.h"

namespace twinset {

class MadeFolder {
 public:
  struct Settings {
    std::string output;  ///< empty: nothing is kept, and the work is done in a folder of the system
    Resources resources;
    std::string verb;
    std::string identity;
    std::string command;
  };

  /// Error (usage): the output exists and is not empty.
  static Result<std::unique_ptr<MadeFolder>> open(const RunContext& context, Settings settings);

  Workspace& workspace() const { return *workspace_; }
  /// Where rows spill, which need `memory_bytes`.
  RowsOptions rows(const std::string& name, std::uint64_t memory_bytes) const {
    return {&context_, workspace_->spill() + "/" + name, memory_bytes, 0};
  }

  /// Writes the summary and gives the folder its name if the work was `done` and is kept; else
  /// removes it. Returns the error of the work, or of ending it.
  Status end(const Status& done, ClusterSummary& summary, const ClusterOptions& options) const;

 private:
  MadeFolder(const RunContext& context, Settings settings)
      : context_(context), settings_(std::move(settings)) {}
  Status publish(ClusterSummary& summary, const ClusterOptions& options) const;

  const RunContext& context_;
  Settings settings_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace twinset
