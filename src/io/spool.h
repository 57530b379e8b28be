// Bytes that wait to be read again: in memory as long as they fit there, then in a file.
//
//   Spool spool(context, "columns");
//   TWINSET_ASSIGN(const std::uint64_t place, spool.append(bytes));
//   TWINSET_TRY(spool.read_at(place, out, bytes.size()));
//   TWINSET_TRY(spool.clear());
//
// The file is in the context's folder for spills, and goes with the spool.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

class Spool {
 public:
  /// Holds at most RunContext::memory_bytes. `name`: of the file, which no other spool has.
  Spool(const RunContext& context, const std::string& name);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  /// Returns the place of the first byte, which is the number of bytes before it.
  Result<std::uint64_t> append(std::string_view bytes);
  /// All of the `size` bytes at a place. Error (io) if they are not there.
  Status read_at(std::uint64_t place, char* out, std::size_t size);
  std::uint64_t size() const;
  /// Drops all bytes; the next one is at place 0.
  Status clear();

 private:
  Status spill(std::string_view bytes);

  FileSystem& files_;
  const std::string path_;
  const std::uint64_t most_held_;
  mutable std::mutex mutex_;
  std::vector<std::string> blocks_;  ///< the bytes from the first one on
  std::uint64_t held_ = 0;
  std::unique_ptr<File> file_;  ///< the bytes after these
  std::uint64_t spilled_ = 0;
};

}  // namespace twinset
