// A run is a sequence of blocks of one tag, the run's number; a block holds whole entries: the
// length of a string as a variable-length integer (base/varint.h), its bytes, and its count.
//
// A merge reads a block of each run at a time. If the memory has no room for a block of every run,
// as many as fit are merged into a run of a second file, and so on until one merge is left.
//
// This file's interface is rows/string_counts.h; the rest is private.
#include "rows/string_counts.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <queue>

#include "base/hash.h"
#include "base/varint.h"

namespace twinset {
namespace {

constexpr std::uint64_t least_memory = std::uint64_t{1} << 20;
/// An entry's place in the arena has 32 bits.
constexpr std::uint64_t most_memory = std::uint64_t{4} << 30;
/// Of the memory, one entry for so many bytes: 24 of its own, up to 11 of slots, the rest text.
constexpr std::uint64_t bytes_an_entry = 48;
/// Of a full block.
constexpr std::uint32_t payload_bytes = (32U << 10) - block_header_bytes;

std::uint64_t prefix_of(std::string_view text) {
  std::uint64_t prefix = 0;
  std::memcpy(&prefix, text.data(), std::min(text.size(), sizeof prefix));
  return __builtin_bswap64(prefix);
}

}  // namespace

/// Appends a run to a file, a block at a time.
class StringCounts::RunWriter {
 public:
  RunWriter(const RunContext& context, BlockFile& file, std::uint32_t tag)
      : context_(context), file_(file), run_{file.bytes(), file.bytes(), tag} {
    block_.resize(block_header_bytes);
  }

  Status add(std::string_view string, std::uint64_t count) {
    if (block_.size() + string.size() + 2 * max_varint_bytes > block_header_bytes + payload_bytes) {
      TWINSET_TRY(flush());
    }
    append_varint(string.size(), block_);
    block_ += string;
    append_varint(count, block_);
    return {};
  }

  Result<Run> finish() {
    TWINSET_TRY(flush());
    run_.end = file_.bytes();
    return run_;
  }

 private:
  Status flush() {
    if (block_.size() == block_header_bytes) return {};
    TWINSET_TRY(context_.check_cancelled());
    const auto payload = static_cast<std::uint32_t>(block_.size() - block_header_bytes);
    const std::uint64_t offset = file_.reserve(block_.size());
    TWINSET_TRY(
        file_.write(offset, reinterpret_cast<std::byte*>(block_.data()), run_.tag, payload));
    block_.resize(block_header_bytes);
    return {};
  }

  const RunContext& context_;
  BlockFile& file_;
  Run run_;
  std::string block_;  ///< room for the header, then entries
};

/// Reads a run back, an entry at a time.
class StringCounts::RunReader {
 public:
  RunReader(const BlockFile& file, const Run& run)
      : file_(&file), run_(run), block_(block_header_bytes + payload_bytes) {}

  /// Goes to the next entry; false at the end.
  Result<bool> advance() {
    if (rest_.empty()) {
      if (run_.begin == run_.end) return false;
      TWINSET_ASSIGN(const std::uint32_t size,
                     file_->read(run_.begin, run_.tag, block_.data(), payload_bytes));
      rest_ = {reinterpret_cast<const std::uint8_t*>(block_.data()) + block_header_bytes, size};
      run_.begin += block_bytes(size, 1);
      if (run_.begin > run_.end) return damaged();
    }
    std::swap(string_, last_);
    std::uint64_t length = 0;
    if (!take_varint(rest_, length) || length > rest_.size()) return damaged();
    string_.assign(reinterpret_cast<const char*>(rest_.data()), static_cast<std::size_t>(length));
    rest_ = rest_.subspan(static_cast<std::size_t>(length));
    if (!take_varint(rest_, count_)) return damaged();
    if (begun_ && string_ <= last_) return damaged();
    begun_ = true;
    return true;
  }

  std::string_view string() const { return string_; }
  std::uint64_t count() const { return count_; }

 private:
  Error damaged() const {
    return io_error(file_->path() + " is damaged: a run of strings before byte " +
                    std::to_string(run_.begin) + " is not in order; remove it and run again");
  }

  const BlockFile* file_;
  Run run_;  ///< the part that is still to be read
  std::vector<std::byte> block_;
  std::span<const std::uint8_t> rest_;
  std::string string_;
  std::string last_;
  std::uint64_t count_ = 0;
  bool begun_ = false;
};

StringCounts::StringCounts(const RowsOptions& options)
    : context_(options.context),
      path_(options.path),
      memory_bytes_(std::clamp(options.memory_bytes, least_memory, most_memory)),
      fingerprint_(options.fingerprint),
      fan_in_(static_cast<std::size_t>(memory_bytes_ / (std::uint64_t{64} << 10))) {}

// Counting.

Status StringCounts::allocate() {
  TWINSET_ASSIGN(region_, Region::make(memory_bytes_));
  const std::uint64_t entries = memory_bytes_ / bytes_an_entry;
  const std::uint64_t slots = std::bit_ceil(entries + entries / 4);
  std::byte* at = region_.data();
  room_ = {reinterpret_cast<Entry*>(at), static_cast<std::size_t>(entries)};
  at += entries * sizeof(Entry);
  slots_ = {reinterpret_cast<std::uint32_t*>(at), static_cast<std::size_t>(slots)};
  at += slots * sizeof(std::uint32_t);
  arena_ = {reinterpret_cast<char*>(at),
            static_cast<std::size_t>(region_.data() + memory_bytes_ - at)};
  return {};
}

std::string_view StringCounts::text(const Entry& entry) const {
  return {arena_.data() + entry.offset, entry.bytes};
}

Status StringCounts::add(std::string_view string, std::uint64_t count) {
  if (sealed_) return io_error(path_ + " is sealed; no string can be added");
  if (string.size() > max_string_bytes) {
    return usage_error("a string of " + std::to_string(string.size()) + " bytes; at most " +
                       std::to_string(max_string_bytes) + " can be counted");
  }
  if (arena_.empty()) TWINSET_TRY(allocate());
  const std::size_t mask = slots_.size() - 1;
  const std::uint64_t prefix = prefix_of(string);
  std::size_t slot = static_cast<std::size_t>(checksum(string)) & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    Entry& entry = room_[slots_[slot] - 1];
    if (entry.prefix != prefix || entry.bytes != string.size() || text(entry) != string) continue;
    entry.count += count;
    return {};
  }
  if (entries_ == room_.size() || string.size() > arena_.size() - arena_used_) {
    TWINSET_TRY(spill());
    return add(string, count);
  }
  std::ranges::copy(string, arena_.data() + arena_used_);
  room_[entries_] = {prefix, count, static_cast<std::uint32_t>(arena_used_),
                     static_cast<std::uint32_t>(string.size())};
  arena_used_ += string.size();
  slots_[slot] = static_cast<std::uint32_t>(++entries_);
  return {};
}

void StringCounts::sort_entries() const {
  std::sort(room_.begin(), room_.begin() + static_cast<std::ptrdiff_t>(entries_),
            [this](const Entry& a, const Entry& b) {
              return a.prefix != b.prefix ? a.prefix < b.prefix : text(a) < text(b);
            });
}

std::string StringCounts::file_path(unsigned level) const {
  return path_ + ".strings" + (level == 0 ? "" : std::to_string(level));
}

BlockLayout StringCounts::layout() const {
  return {.format = "strings", .row_bytes = 1, .fingerprint = fingerprint_};
}

Status StringCounts::start_file() {
  if (file_ != nullptr) return {};
  TWINSET_ASSIGN(file_, BlockFile::create(*context_->files, file_path(0), layout()));
  return {};
}

/// Writes the counts in memory as a run.
Status StringCounts::spill() {
  if (entries_ == 0) return {};
  TWINSET_TRY(start_file());
  sort_entries();
  RunWriter writer(*context_, *file_, static_cast<std::uint32_t>(runs_.size()));
  for (const Entry& entry : room_.first(entries_)) {
    TWINSET_TRY(writer.add(text(entry), entry.count));
  }
  TWINSET_ASSIGN(const Run run, writer.finish());
  runs_.push_back(run);
  entries_ = 0;
  arena_used_ = 0;
  std::ranges::fill(slots_, 0U);
  return {};
}

Status StringCounts::seal() {
  if (sealed_) return {};
  if (!runs_.empty()) {
    TWINSET_TRY(spill());
    region_ = {};
  } else {
    sort_entries();
  }
  sealed_ = true;
  return {};
}

// Reading.

Status StringCounts::merge(const BlockFile& file, std::span<const Run> runs, const Use& use) const {
  std::vector<RunReader> readers;
  readers.reserve(runs.size());
  const auto after = [&](std::size_t a, std::size_t b) {
    return readers[a].string() > readers[b].string();
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(after)> least(after);
  for (const Run& run : runs) {
    readers.emplace_back(file, run);
    TWINSET_ASSIGN(const bool any, readers.back().advance());
    if (any) least.push(readers.size() - 1);
  }
  std::string string;
  while (!least.empty()) {
    string = readers[least.top()].string();
    std::uint64_t count = 0;
    while (!least.empty() && readers[least.top()].string() == string) {
      const std::size_t reader = least.top();
      least.pop();
      count += readers[reader].count();
      TWINSET_ASSIGN(const bool more, readers[reader].advance());
      if (more) least.push(reader);
    }
    TWINSET_TRY(use(string, count));
  }
  return context_->check_cancelled();
}

/// Merges as many runs at a time as the memory allows into runs of a new file.
Result<std::unique_ptr<BlockFile>> StringCounts::merge_some(const BlockFile& file, unsigned level,
                                                            std::vector<Run>& runs) const {
  TWINSET_ASSIGN(auto merged, BlockFile::create(*context_->files, file_path(level), layout()));
  std::vector<Run> longer;
  for (std::size_t first = 0; first < runs.size(); first += fan_in_) {
    RunWriter writer(*context_, *merged, static_cast<std::uint32_t>(longer.size()));
    TWINSET_TRY(merge(
        file, std::span(runs).subspan(first, std::min(fan_in_, runs.size() - first)),
        [&](std::string_view string, std::uint64_t count) { return writer.add(string, count); }));
    TWINSET_ASSIGN(const Run run, writer.finish());
    longer.push_back(run);
  }
  runs = std::move(longer);
  return merged;
}

Status StringCounts::for_each(
    const std::function<Status(std::string_view string, std::uint64_t count)>& use) const {
  if (!sealed_) return io_error(path_ + " is read before it is sealed");
  if (runs_.empty()) {
    for (const Entry& entry : room_.first(entries_)) TWINSET_TRY(use(text(entry), entry.count));
    return context_->check_cancelled();
  }
  std::vector<Run> runs = runs_;
  std::unique_ptr<BlockFile> merged;
  for (unsigned level = 1; runs.size() > fan_in_; ++level) {
    TWINSET_ASSIGN(merged, merge_some(merged == nullptr ? *file_ : *merged, level, runs));
    if (level > 1) TWINSET_TRY(context_->files->remove_file(file_path(level - 1)));
  }
  const Status done = merge(merged == nullptr ? *file_ : *merged, runs, use);
  if (merged == nullptr) return done;
  const std::string path = merged->path();
  merged.reset();
  const Status removed = context_->files->remove_file(path);
  TWINSET_TRY(done);
  return removed;
}

// Checkpoints.

Status StringCounts::checkpoint(std::vector<PartLength>& out) {
  TWINSET_TRY(spill());
  if (file_ == nullptr) return {};
  TWINSET_TRY(file_->sync());
  out.push_back({file_->path(), file_->bytes(), runs_.size()});
  return {};
}

Status StringCounts::restore(std::span<const PartLength> lengths) {
  if (lengths.empty()) return {};
  TWINSET_ASSIGN(file_,
                 BlockFile::open(*context_->files, file_path(0), layout(), OpenMode::append));
  TWINSET_TRY(file_->truncate(lengths[0].bytes));
  TWINSET_TRY(file_->scan([&](const BlockFile::BlockPlace& block) -> Status {
    if (runs_.empty() || runs_.back().tag != block.tag) {
      runs_.push_back({block.offset, block.offset, block.tag});
    }
    runs_.back().end = block.offset + block_bytes(block.rows, 1);
    return context_->check_cancelled();
  }));
  if (runs_.size() == lengths[0].rows) return {};
  return io_error(file_->path() + " holds " + std::to_string(runs_.size()) + " runs where " +
                  std::to_string(lengths[0].rows) + " were written; start anew");
}

Status StringCounts::discard() {
  file_.reset();
  region_ = {};
  entries_ = 0;
  runs_.clear();
  return remove_if_there(*context_->files, file_path(0));
}

std::uint64_t StringCounts::stored_bytes() const { return file_ == nullptr ? 0 : file_->bytes(); }

}  // namespace twinset
