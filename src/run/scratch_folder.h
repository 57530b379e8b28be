// A folder for temporary files, removed at the end of its scope.
//
//   const ScratchFolder scratch(files, scratch_path(options.resources, "evaluate"));
//   TWINSET_TRY(files.make_directory(scratch.path()));
//
// Threads: belongs to one.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "system/clean_up.h"
#include "system/files.h"
#include "twinset/run.h"

namespace twinset {

class ScratchFolder {
 public:
  ScratchFolder(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}
  ~ScratchFolder() {
    clean_up([&] { return files_.remove_tree(path_); });
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  FileSystem& files_;
  std::string path_;
};

/// A path that no other run has, below resources.tmp, the environment's TMPDIR, or `usual`.
std::string scratch_path(const Resources& resources, std::string_view verb,
                         std::string_view usual = "/tmp");

}  // namespace twinset
