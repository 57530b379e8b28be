// A row is its length, as a varint, and its bytes.
#include "browse/row_store.h"

#include <algorithm>
#include <span>

#include "base/plain_bytes.h"
#include "base/varint.h"
#include "run/scratch_folder.h"

namespace twinset {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

Error lost_rows() { return io_error("the temporary file of the rows has been cut short"); }

}  // namespace

Result<RowStore> RowStore::make(FileSystem& files, const std::string& tmp) {
  Resources place;
  place.tmp = tmp;
  const std::string path = scratch_path(place, "browse");
  RowStore out;
  TWINSET_ASSIGN(out.file_, files.open(path, OpenMode::create));
  TWINSET_TRY(files.remove_file(path));
  return out;
}

Status RowStore::append(std::string_view row) {
  if (groups_.empty() || rows_ - groups_.back().first_row >= group_rows ||
      end_ - groups_.back().offset >= group_bytes) {
    groups_.push_back({rows_, end_});
  }
  const std::size_t before = pending_.size();
  append_varint(row.size(), pending_);
  pending_ += row;
  end_ += pending_.size() - before;
  ++rows_;
  return pending_.size() < buffer_bytes ? Status() : flush();
}

Status RowStore::flush() {
  TWINSET_TRY(file_->append(pending_));
  pending_.clear();
  return {};
}

Status RowStore::seal() {
  TWINSET_TRY(flush());
  pending_ = std::string();
  groups_.shrink_to_fit();
  return {};
}

std::size_t RowStore::group_of(std::uint64_t number) const {
  const auto after =
      std::upper_bound(groups_.begin(), groups_.end(), number,
                       [](std::uint64_t row, const Group& group) { return row < group.first_row; });
  return static_cast<std::size_t>(after - groups_.begin()) - 1;
}

Status RowStore::read(std::uint64_t number, std::string& out) const {
  bool found = false;
  TWINSET_TRY(for_each(number, number + 1, [&](std::uint64_t, std::string_view row) {
    out = row;
    found = true;
    return Result<bool>(true);
  }));
  return found ? Status() : lost_rows();
}

Status RowStore::for_each(
    std::uint64_t first, std::uint64_t end,
    const std::function<Result<bool>(std::uint64_t number, std::string_view row)>& use) const {
  end = std::min(end, rows_);
  if (first >= end) return {};
  std::string bytes;
  for (std::size_t group = group_of(first); group < groups_.size();) {
    const std::uint64_t begin = groups_[group].offset;
    std::uint64_t number = groups_[group].first_row;
    if (number >= end) break;
    // Several groups at once, but none for the sake of rows that are not asked for.
    std::size_t last = group;
    while (last + 1 < groups_.size() && groups_[last + 1].first_row < end &&
           end_of(last + 1) - begin <= buffer_bytes) {
      ++last;
    }
    bytes.resize(end_of(last) - begin);
    TWINSET_ASSIGN(const std::size_t got, file_->read_at(begin, bytes.data(), bytes.size()));
    if (got != bytes.size()) return lost_rows();
    std::span<const std::uint8_t> rest = byte_span(bytes);
    for (; !rest.empty() && number < end; ++number) {
      std::uint64_t size = 0;
      if (!take_varint(rest, size) || size > rest.size()) return lost_rows();
      if (number >= first) {
        const std::string_view row(reinterpret_cast<const char*>(rest.data()), size);
        TWINSET_ASSIGN(const bool on, use(number, row));
        if (!on) return {};
      }
      rest = rest.subspan(size);
    }
    group = last + 1;
  }
  return {};
}

}  // namespace twinset
