// A folder for temporary files, removed at the end of its scope.
//
//   const ScratchFolder scratch(files, scratch_path(options.resources, "evaluate"));
//   TWINSET_TRY(files.make_directory(scratch.path()));
//
// Threads: belongs to one.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "system/files.h"
#include "twinset/run.h"

namespace twinset {

class ScratchFolder {
 public:
  ScratchFolder(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}
  ~ScratchFolder() { [[maybe_unused]] const Status removed = files_.remove_tree(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  FileSystem& files_;
  std::string path_;
};

/// A path of this thread for `verb`, below resources.tmp or the system's temporary folder.
inline std::string scratch_path(const Resources& resources, std::string_view verb) {
  std::error_code failed;  // Then the folder cannot be made, which is reported.
  return (resources.tmp.empty() ? std::filesystem::temp_directory_path(failed).string()
                                : resources.tmp) +
         "/twinset-" + std::string(verb) + "-" + std::to_string(::getpid()) + "-" +
         std::to_string(std::hash<std::thread::id>()(std::this_thread::get_id()));
}

}  // namespace twinset
