// Segments of an index made one by a thread of its own, while others read the index and one writes
// it.
//
//   BackgroundMerge merge(files, "crawl.index", settings, sources, 17);   // into the folder 17
//   if (merge.is_done()) TWINSET_TRY(merge.wait());
//
// The sources stay as they are until it is done: segments never change, and their deleted documents
// are those of the moment when it began.
//
// Threads: one at a time, but for its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "index/document_set.h"
#include "index/manifest.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

class BackgroundMerge {
 public:
  struct Source {
    ListedSegment listed;
    DocumentSet deleted;
  };

  /// Begins. The folder of the segment `number` exists, and is empty.
  BackgroundMerge(FileSystem& files, std::string index, const IndexSettings& settings,
                  std::vector<Source> sources, std::uint64_t number);
  /// Stops it.
  ~BackgroundMerge();
  BackgroundMerge(const BackgroundMerge&) = delete;
  BackgroundMerge& operator=(const BackgroundMerge&) = delete;

  const std::vector<Source>& sources() const { return sources_; }
  std::uint64_t number() const { return number_; }
  bool is_done() const { return done_.load(); }
  /// How it went, once it is done. Errors: as merge_segments().
  Status wait();

 private:
  Status run() const;

  FileSystem& files_;
  const std::string index_;
  const IndexSettings settings_;
  const std::vector<Source> sources_;
  const std::uint64_t number_;
  std::atomic<bool> stops_ = false;
  std::atomic<bool> done_ = false;
  Status status_;  ///< read once the thread has ended
  std::thread thread_;
};

}  // namespace twinset
