// A ByteSink that cuts its bytes into blocks of one size, or at the ends of records, encodes each
// by itself on threads of its own, and writes them in order: the same file for any number.
//
// Threads: write() and finish() from one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/bytes.h"
#include "system/files.h"

namespace twinset {

/// Encodes blocks that do not depend on each other. Belongs to one thread.
class BlockEncoder {
 public:
  virtual ~BlockEncoder() = default;
  /// Replaces `out`.
  virtual Status encode(std::string_view block, std::string& out) = 0;
};

/// How the bytes are cut.
struct Blocks {
  enum class Kind : std::uint8_t { of_size, of_records };
  using enum Kind;
  Kind kind = of_size;
  /// Of a block. Blocks of records, each of them one that end_record() ends, are handed to a thread
  /// together until they have so many bytes.
  std::size_t bytes = 0;
};

/// Without threads blocks are encoded as they fill. If nothing is written, one empty block is
/// encoded. Holds about two blocks a thread.
std::unique_ptr<ByteSink> make_block_sink(
    std::unique_ptr<File> file, std::string path, Blocks blocks, unsigned threads,
    const std::function<std::unique_ptr<BlockEncoder>()>& make_encoder);

}  // namespace twinset
