// Reads clusters.jsonl.zst a member at a time, so a cluster of any size needs little memory.
//
//   for_each_cluster(files, "clean/clusters.jsonl.zst",
//                    {.begin = [&](const JsonNode& representative) { ... },
//                     .member = [&](std::string_view raw) { ... },
//                     .end = [&] { ... }});
//
// Threads: belongs to one.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// Each may be empty. A name is a JSON value as written: {"id", "file", "record", ...}.
struct ClusterUse {
  std::function<Status(std::string_view representative)> begin;
  std::function<Status(std::string_view member)> member;
  /// Returns false to stop.
  std::function<Result<bool>()> end;
};

/// Errors (io): the file cannot be read to its end, or is damaged.
Status for_each_cluster(FileSystem& files, const std::string& path, const ClusterUse& use);

}  // namespace twinset
