#include "io/spool.h"

#include "system/clean_up.h"

namespace twinset {
namespace {

/// Held bytes are in blocks of this size, so that more of them are not copied.
constexpr std::uint64_t block_bytes = std::uint64_t{1} << 20;

}  // namespace

Spool::Spool(const RunContext& context, const std::string& name)
    : files_(*context.files),
      path_(context.tmp + "/" + name),
      most_held_(context.memory_bytes / block_bytes * block_bytes) {}

Spool::~Spool() {
  if (file_ == nullptr) return;
  file_.reset();
  clean_up([&] { return files_.remove_file(path_); });  // No byte of it is needed.
}

Result<std::uint64_t> Spool::append(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t place = held_ + spilled_;
  while (!bytes.empty() && held_ < most_held_) {
    const std::uint64_t at = held_ % block_bytes;
    if (at == 0) blocks_.emplace_back().reserve(block_bytes);
    const std::string_view part = bytes.substr(0, static_cast<std::size_t>(block_bytes - at));
    blocks_.back() += part;
    held_ += part.size();
    bytes.remove_prefix(part.size());
  }
  if (!bytes.empty()) TWINSET_TRY(spill(bytes));
  return place;
}

Status Spool::spill(std::string_view bytes) {
  if (file_ == nullptr) {
    TWINSET_ASSIGN(file_, files_.open(path_, OpenMode::append));
    TWINSET_TRY(file_->truncate(0));  // Of a killed run.
  }
  TWINSET_TRY(file_->append(bytes));
  spilled_ += bytes.size();
  return {};
}

Status Spool::read_at(std::uint64_t place, char* out, std::size_t size) {
  const std::lock_guard lock(mutex_);
  if (place > held_ + spilled_ || size > held_ + spilled_ - place) {
    return io_error(path_ + " ends early");
  }
  while (size > 0 && place < held_) {
    const std::string& block = blocks_[static_cast<std::size_t>(place / block_bytes)];
    const auto at = static_cast<std::size_t>(place % block_bytes);
    const std::size_t got = block.copy(out, size, at);
    out += got;
    place += got;
    size -= got;
  }
  while (size > 0) {
    TWINSET_ASSIGN(const std::size_t got, file_->read_at(place - held_, out, size));
    if (got == 0) return io_error(path_ + " ends early");
    out += got;
    place += got;
    size -= got;
  }
  return {};
}

std::uint64_t Spool::size() const {
  const std::lock_guard lock(mutex_);
  return held_ + spilled_;
}

Status Spool::clear() {
  const std::lock_guard lock(mutex_);
  blocks_.clear();
  held_ = 0;
  spilled_ = 0;
  return file_ == nullptr ? Status() : file_->truncate(0);
}

}  // namespace twinset
