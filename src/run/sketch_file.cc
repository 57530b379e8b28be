#include "run/sketch_file.h"

#include <algorithm>

namespace twinset {
namespace {

constexpr std::size_t written_bytes = std::size_t{1} << 20;  ///< at once

}  // namespace

Status SketchFile::flush() {
  if (pending_.empty()) return {};
  TWINSET_TRY(file_.append(pending_));
  pending_.clear();
  return {};
}

Status SketchFile::append(std::uint64_t lines, std::span<const Piece> pieces,
                          std::string_view sketches) {
  drop_held();
  if (sketch_bytes_ == 0) return {};
  std::size_t next = 0;
  for (std::uint64_t line = 0; line < lines; ++line) {
    const std::size_t begin = pending_.size();
    if (next < pieces.size() && pieces[next].line == line) {
      const std::string_view sketch = sketches.substr(0, pieces[next++].bytes);
      pending_.insert(pending_.end(), sketch.begin(), sketch.end());
      sketches.remove_prefix(sketch.size());
    }
    pending_.resize(begin + row_bytes());
    if (pending_.size() + row_bytes() > written_bytes) TWINSET_TRY(flush());
  }
  return flush();
}

Status SketchFile::read(std::uint64_t index, std::vector<std::uint8_t>& out) const {
  out.clear();
  if (sketch_bytes_ == 0) return {};
  out.resize(row_bytes());
  TWINSET_TRY(file_.read(index, {reinterpret_cast<char*>(out.data()), out.size()}));
  out.resize(sketch_bytes_);
  return {};
}

Status SketchFile::for_each(
    const std::function<Status(std::uint64_t, std::span<const std::uint8_t>)>& use) const {
  return file_.for_each([&](std::uint64_t index, const char* row) {
    return use(index, {reinterpret_cast<const std::uint8_t*>(row), sketch_bytes_});
  });
}

}  // namespace twinset
