// A ByteSink that cuts its bytes into blocks of one size, encodes each by itself
// on threads of its own, and writes them in order: the same file for any number.
//
// Threads: write() and finish() from one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/files.h"
#include "io/bytes.h"

namespace twinset {

/// Encodes blocks that do not depend on each other. Belongs to one thread.
class BlockEncoder {
 public:
  virtual ~BlockEncoder() = default;
  /// Replaces `out`.
  virtual Status encode(std::string_view block, std::string& out) = 0;
};

/// Without threads blocks are encoded as they fill. If nothing is written, one empty block is
/// encoded. Holds about two blocks a thread.
std::unique_ptr<ByteSink> make_block_sink(
    std::unique_ptr<File> file, std::string path, std::size_t block_bytes, unsigned threads,
    const std::function<std::unique_ptr<BlockEncoder>()>& make_encoder);

}  // namespace twinset
