// A file is an array of blocks, so that growing it copies nothing.
//
// This file's interface is system/memory_files.h; the rest is private.
#include "system/memory_files.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <shared_mutex>
#include <utility>

namespace twinset {
namespace {

constexpr std::uint64_t block_bytes = std::uint64_t{64} << 10;

Error failure(const std::string& verb, const std::string& path) {
  return io_error("cannot " + verb + " " + path + ": No such file in memory");
}

}  // namespace

/// The content of a file; an open file outlives its name.
class MemoryFiles::Bytes {
 public:
  explicit Bytes(std::shared_ptr<Budget> budget) : budget_(std::move(budget)) {}
  ~Bytes() { budget_->used -= blocks_.size() * block_bytes; }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  std::uint64_t size() const {
    const std::shared_lock reading(mutex_);
    return size_;
  }
  std::size_t read(std::uint64_t offset, char* out, std::size_t size) const {
    const std::shared_lock reading(mutex_);
    std::size_t got = 0;
    while (got < size && offset < size_) {
      const std::uint64_t begin = offset % block_bytes;
      const auto now = static_cast<std::size_t>(
          std::min({std::uint64_t{size - got}, block_bytes - begin, size_ - offset}));
      std::memcpy(out + got, blocks_[offset / block_bytes].get() + begin, now);
      got += now;
      offset += now;
    }
    return got;
  }
  Status append(std::string_view bytes) {
    const std::lock_guard writing(mutex_);
    return put(size_, bytes);
  }
  Status write(std::uint64_t offset, std::string_view bytes) {
    const std::lock_guard writing(mutex_);
    return put(offset, bytes);
  }
  Status resize(std::uint64_t size) {
    const std::lock_guard writing(mutex_);
    TWINSET_TRY(reserve(size));
    if (size < size_) {
      const std::uint64_t kept = (size + block_bytes - 1) / block_bytes;
      budget_->used -= (blocks_.size() - kept) * block_bytes;
      blocks_.resize(kept);
      // Bytes beyond the end must read as zeros when the file grows again.
      if (size % block_bytes != 0) {
        std::memset(blocks_.back().get() + size % block_bytes, 0, block_bytes - size % block_bytes);
      }
    }
    size_ = size;
    return {};
  }

 private:
  Status put(std::uint64_t offset, std::string_view bytes) {
    TWINSET_TRY(reserve(offset + bytes.size()));
    size_ = std::max(size_, offset + bytes.size());
    while (!bytes.empty()) {
      const std::uint64_t begin = offset % block_bytes;
      const auto now =
          static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), block_bytes - begin));
      bytes.copy(blocks_[offset / block_bytes].get() + begin, now);
      bytes.remove_prefix(now);
      offset += now;
    }
    return {};
  }

  Status reserve(std::uint64_t size) {
    while (blocks_.size() * block_bytes < size) {
      if (budget_->used + block_bytes > budget_->most) {
        return io_error("the files of this run take more than " + std::to_string(budget_->most) +
                        " bytes of memory" + budget_->remedy);
      }
      std::unique_ptr<char[]> block(new (std::nothrow) char[block_bytes]());
      if (block == nullptr) return io_error("the system gives no more memory" + budget_->remedy);
      blocks_.push_back(std::move(block));
      budget_->used += block_bytes;
    }
    return {};
  }

  const std::shared_ptr<Budget> budget_;
  mutable std::shared_mutex mutex_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::uint64_t size_ = 0;
};

class MemoryFiles::OpenFile final : public File {
 public:
  explicit OpenFile(std::shared_ptr<Bytes> bytes) : bytes_(std::move(bytes)) {}
  Result<std::size_t> read(char* out, std::size_t size) override {
    const std::size_t got = bytes_->read(position_, out, size);
    position_ += got;
    return got;
  }
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
    return bytes_->read(offset, out, size);
  }
  Status append(std::string_view bytes) override { return bytes_->append(bytes); }
  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    return bytes_->write(offset, bytes);
  }
  Status truncate(std::uint64_t size) override { return bytes_->resize(size); }
  Status sync() override { return {}; }
  Result<std::uint64_t> size() override { return bytes_->size(); }

 private:
  const std::shared_ptr<Bytes> bytes_;
  std::uint64_t position_ = 0;
};

std::shared_ptr<MemoryFiles::Bytes> MemoryFiles::find(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : found->second;
}

Status MemoryFiles::write(const std::string& path, std::string_view bytes) {
  auto content = std::make_shared<Bytes>(budget_);
  TWINSET_TRY(content->append(bytes));
  const std::lock_guard lock(mutex_);
  files_[path] = std::move(content);
  return {};
}

std::string MemoryFiles::read(const std::string& path) const {
  const std::shared_ptr<Bytes> content = find(path);
  if (content == nullptr) return {};
  std::string out(static_cast<std::size_t>(content->size()), '\0');
  content->read(0, out.data(), out.size());
  return out;
}

Result<std::unique_ptr<File>> MemoryFiles::open(const std::string& path, OpenMode mode) {
  const std::lock_guard lock(mutex_);
  auto found = files_.find(path);
  if (mode == OpenMode::read && found == files_.end()) return failure("open", path);
  if (mode == OpenMode::create && found != files_.end()) {
    return io_error("cannot make " + path + ": it exists");
  }
  if (found == files_.end()) found = files_.emplace(path, std::make_shared<Bytes>(budget_)).first;
  return std::unique_ptr<File>(std::make_unique<OpenFile>(found->second));
}

Result<FileStatus> MemoryFiles::status(const std::string& path) {
  FileStatus status;
  status.inode = std::hash<std::string>()(path);
  if (const std::shared_ptr<Bytes> content = find(path); content != nullptr) {
    status.kind = FileStatus::Kind::regular;
    status.size = content->size();
  } else if (!path.empty() && !list(path).value().empty()) {
    status.kind = FileStatus::Kind::directory;
  }
  return status;
}

Result<bool> MemoryFiles::readable(const std::string& path) { return find(path) != nullptr; }

Result<std::vector<std::string>> MemoryFiles::list(const std::string& path) {
  std::string prefix = path == "." || path.empty() ? "" : path;
  if (!prefix.empty() && prefix.back() != '/') prefix += '/';
  std::vector<std::string> names;
  const std::lock_guard lock(mutex_);
  for (const auto& [file, bytes] : files_) {
    if (!file.starts_with(prefix) || file.size() == prefix.size()) continue;
    const std::string rest = file.substr(prefix.size());
    names.push_back(rest.substr(0, rest.find('/')));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Status MemoryFiles::rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(from);
  if (found == files_.end()) return failure("rename", from);
  files_[to] = std::move(found->second);
  files_.erase(from);
  return {};
}

Status MemoryFiles::remove_file(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (files_.erase(path) == 0) return failure("remove", path);
  return {};
}

Status MemoryFiles::remove_tree(const std::string& path) {
  const std::lock_guard lock(mutex_);
  std::erase_if(files_, [&](const auto& file) { return file.first.starts_with(path + '/'); });
  return {};
}

Result<std::unique_ptr<FileLock>> MemoryFiles::lock(const std::string& path, std::string_view note,
                                                    std::string& /*holder*/) {
  TWINSET_TRY(write(path, note));
  return std::make_unique<FileLock>();
}

Result<std::uint64_t> MemoryFiles::free_bytes(const std::string&) {
  return budget_->most - std::min<std::uint64_t>(budget_->used, budget_->most);
}

}  // namespace twinset
