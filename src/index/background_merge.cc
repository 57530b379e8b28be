// This file's interface is index/background_merge.h.
#include "index/background_merge.h"

#include <utility>

#include "index/merge_segments.h"
#include "system/guarded.h"
#include "system/steady_files.h"
#include "system/threads.h"

namespace twinset {

BackgroundMerge::BackgroundMerge(FileSystem& files, std::string index,
                                 const IndexSettings& settings, std::vector<Source> sources,
                                 std::uint64_t number)
    : files_(files),
      index_(std::move(index)),
      settings_(settings),
      sources_(std::move(sources)),
      number_(number),
      thread_([this] {
        let_others_first();
        status_ = guarded([this] { return run(); });  // It may run out of memory.
        done_ = true;
      }) {}

BackgroundMerge::~BackgroundMerge() {
  stops_ = true;
  if (thread_.joinable()) thread_.join();
}

Status BackgroundMerge::wait() {
  if (thread_.joinable()) thread_.join();
  return status_;
}

/// Nothing is shared with the writer but files: it opens the segments again.
Status BackgroundMerge::run() const {
  SteadyFiles files(files_);
  RunContext context;
  context.files = &files;
  context.cancel = &stops_;
  TWINSET_ASSIGN(const IndexSigner signer, IndexSigner::make(settings_, files_));
  std::vector<IndexSnapshot::Part> parts;
  for (const Source& source : sources_) {
    IndexSnapshot::Part& part = parts.emplace_back();
    part.listed = source.listed;
    TWINSET_ASSIGN(part.segment, Segment::open(files, source.listed.folder(index_), signer));
    part.deleted = source.deleted;
  }
  return merge_segments(context, parts, signer, index_ + "/" + std::to_string(number_));
}

}  // namespace twinset
