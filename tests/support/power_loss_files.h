// A disk in memory that can lose power: writes that were not synced are dropped, torn or reordered,
// as system/files.h says.
//
//   PowerLossFiles files;
//   files.put("/in/a.jsonl", "{}\n");            // durable from the start
//   files.lose_power_at(17);                      // its 17th sync point from now
//   ...                                           // fails: every call is an error from there
//   files.restore_power(PowerLossFiles::Loss::torn, seed);
//   ...                                           // the remaining state, as after a restart
//
// Bytes and names are separate: a file that was synced, in a folder that was not, can lose its
// name. A rename is atomic, but may not have happened. Power is lost before the sync point does
// anything; all its effects are seen at the next one.
//
// ignore() makes some kind of sync do nothing, so that a test can show that it would notice a
// missing one.
//
// Threads: any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "system/files.h"

namespace twinset::testing {

class PowerLossFiles final : public FileSystem {
 public:
  /// The fate of writes and names that were not synced.
  enum class Loss : std::uint8_t {
    dropped,   ///< all of them are lost
    torn,      ///< a beginning of them is kept, the last write of it in part
    reordered  ///< each is kept, kept in part, or lost, whatever became of those before
  };
  /// Syncs that do nothing.
  enum class Ignored : std::uint8_t { nothing, files, folders, trees };

  PowerLossFiles() : root_(make_node(true)) {}

  /// A durable file, with the folders it needs.
  void put(const std::string& path, std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    Node* folder = root_.get();
    const std::vector<std::string> names = split(path);
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::shared_ptr<Node>& node = folder->names[names[i]];
      if (node == nullptr) node = make_node(i + 1 < names.size());
      folder->durable_names[names[i]] = node;
      folder = node.get();
    }
    folder->bytes = folder->durable = bytes;
  }

  /// The files below a folder, as they are now, by name.
  std::map<std::string, std::string> below(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    std::map<std::string, std::string> found;
    if (const std::shared_ptr<Node> node = find(path)) collect(*node, "", found);
    return found;
  }

  void ignore(Ignored ignored) { ignored_ = ignored; }
  /// The k-th sync point from now, counted from 0, and every call after it fails.
  void lose_power_at(std::uint64_t k) { lost_at_ = sync_points_ + k; }
  bool power_is_lost() const { return lost_; }
  std::uint64_t sync_points() const { return sync_points_; }
  /// The number of completed renames to `path`.
  std::uint64_t renames_to(const std::string& path) const {
    const auto found = renames_.find(path);
    return found == renames_.end() ? 0 : found->second;
  }

  /// Starts the machine again. Files opened before must not be used any more.
  void restore_power(Loss loss, std::uint64_t seed) {
    const std::lock_guard lock(mutex_);
    std::mt19937_64 random(seed);
    const std::size_t kept = random() % (changes_.size() + 1);
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      const bool survives = loss == Loss::torn        ? i < kept
                            : loss == Loss::reordered ? random() % 2 == 0
                                                      : false;
      if (survives) apply(changes_[i]);
    }
    changes_.clear();
    settle(*root_, loss, random);
    locks_.clear();
    lost_ = false;
    lost_at_ = never;
  }

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    const std::lock_guard lock(mutex_);
    if (lost_) return no_power("open", path);
    std::shared_ptr<Node> node = find(path);
    if (node != nullptr && node->folder) return failure("open", path, "Is a directory");
    if (node == nullptr && mode == OpenMode::read) return missing("open", path);
    if (node != nullptr && mode == OpenMode::create) return failure("create", path, "File exists");
    if (node == nullptr) {
      const std::shared_ptr<Node> folder = find(parent_of(path));
      if (folder == nullptr || !folder->folder) return missing("create", path);
      node = make_node(false);
      change({{folder, last_name(path), node}});
    }
    return std::unique_ptr<File>(std::make_unique<OpenFile>(*this, std::move(node), path));
  }

  Result<FileStatus> status(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    if (lost_) return no_power("stat", path);
    FileStatus status;
    const std::shared_ptr<Node> node = find(path);
    if (node == nullptr) return status;
    status.kind = node->folder ? FileStatus::Kind::directory : FileStatus::Kind::regular;
    status.size = node->bytes.size();
    status.device = 1;
    status.inode = node->number;
    return status;
  }

  Result<bool> readable(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    if (lost_) return no_power("stat", path);
    return find(path) != nullptr;
  }

  Result<std::vector<std::string>> list(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    if (lost_) return no_power("list", path);
    const std::shared_ptr<Node> node = find(path);
    if (node == nullptr || !node->folder) return missing("list", path);
    std::vector<std::string> names;
    for (const auto& [name, entry] : node->names) names.push_back(name);
    return names;
  }

  Status make_directory(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    if (lost_) return no_power("make the folder", path);
    if (const std::shared_ptr<Node> node = find(path)) {
      return node->folder ? Status() : failure("make the folder", path, "File exists");
    }
    const std::shared_ptr<Node> folder = find(parent_of(path));
    if (folder == nullptr || !folder->folder) return missing("make the folder", path);
    change({{folder, last_name(path), make_node(true)}});
    return {};
  }

  Status rename(const std::string& from, const std::string& to) override {
    const std::lock_guard lock(mutex_);
    if (lost_) return no_power("rename", from);
    const std::shared_ptr<Node> node = find(from);
    const std::shared_ptr<Node> folder = find(parent_of(to));
    if (node == nullptr || folder == nullptr) return missing("rename", from);
    const std::shared_ptr<Node> there = find(to);
    if (there != nullptr && there->folder && !there->names.empty()) {
      return failure("rename " + from + " to", to, "Directory not empty");
    }
    change({{find(parent_of(from)), last_name(from), nullptr}, {folder, last_name(to), node}});
    if (!reach_sync_point()) return no_power("sync", parent_of(to));
    if (ignored_ != Ignored::folders) sync_names(*folder);
    ++renames_[to];
    return {};
  }

  Status remove_file(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    if (lost_) return no_power("remove", path);
    const std::shared_ptr<Node> node = find(path);
    if (node == nullptr || node->folder) return missing("remove", path);
    change({{find(parent_of(path)), last_name(path), nullptr}});
    return {};
  }

  Status remove_directory(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    if (lost_) return no_power("remove", path);
    const std::shared_ptr<Node> node = find(path);
    if (node == nullptr || !node->folder) return missing("remove", path);
    if (!node->names.empty()) return failure("remove", path, "Directory not empty");
    change({{find(parent_of(path)), last_name(path), nullptr}});
    return {};
  }

  Status remove_tree(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    if (lost_) return no_power("remove", path);
    const std::shared_ptr<Node> node = find(path);
    if (node == nullptr) return {};
    empty(node);
    change({{find(parent_of(path)), last_name(path), nullptr}});
    return {};
  }

  Status sync_tree(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    if (lost_ || !reach_sync_point()) return no_power("sync", path);
    const std::shared_ptr<Node> node = find(path);
    if (node == nullptr) return missing("sync", path);
    if (ignored_ != Ignored::trees) sync_below(*node);
    return {};
  }

  Status sync_directory(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    if (lost_ || !reach_sync_point()) return no_power("sync", path);
    const std::shared_ptr<Node> node = find(path);
    if (node == nullptr) return missing("sync", path);
    if (ignored_ != Ignored::folders) sync_names(*node);
    return {};
  }

  Result<std::unique_ptr<FileLock>> lock(const std::string& path, std::string_view note,
                                         std::string& holder) override {
    Result<std::unique_ptr<File>> file = open(path, OpenMode::append);
    TWINSET_TRY(file);
    const std::lock_guard guard(mutex_);
    const std::shared_ptr<Node> node = find(path);
    if (!locks_.insert(node->number).second) {
      holder = node->bytes;
      return std::unique_ptr<FileLock>();
    }
    write(*node, {0, "", true});
    write(*node, {0, std::string(note), false});
    return std::unique_ptr<FileLock>(std::make_unique<Lock>(*this, node->number));
  }

  Result<std::uint64_t> free_bytes(const std::string&) override { return std::uint64_t{1} << 40; }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  struct Write {
    std::uint64_t offset = 0;
    std::string bytes;
    bool cuts = false;  ///< the file ends at `offset` then
  };
  struct Node {
    bool folder = false;
    std::uint64_t number = 0;
    std::string bytes;    ///< as they are read now
    std::string durable;  ///< as the last sync left them
    std::vector<Write> writes;
    std::map<std::string, std::shared_ptr<Node>> names;
    std::map<std::string, std::shared_ptr<Node>> durable_names;
  };
  /// A name in a folder that gets a node, or none.
  struct Entry {
    std::shared_ptr<Node> folder;
    std::string name;
    std::shared_ptr<Node> node;
    bool same_name(const Entry& other) const {
      return folder == other.folder && name == other.name;
    }
  };
  /// The changes of one call: all of them are kept, or none.
  using Change = std::vector<Entry>;

  class Lock final : public FileLock {
   public:
    Lock(PowerLossFiles& files, std::uint64_t number) : files_(files), number_(number) {}
    ~Lock() override {
      const std::lock_guard lock(files_.mutex_);
      files_.locks_.erase(number_);
    }

   private:
    PowerLossFiles& files_;
    std::uint64_t number_;
  };

  class OpenFile final : public File {
   public:
    OpenFile(PowerLossFiles& files, std::shared_ptr<Node> node, std::string path)
        : files_(files), node_(std::move(node)), path_(std::move(path)) {}

    Result<std::size_t> read(char* out, std::size_t size) override {
      const Result<std::size_t> got = read_at(position_, out, size);
      if (got.ok()) position_ += got.value();
      return got;
    }
    Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
      const std::lock_guard lock(files_.mutex_);
      if (files_.lost_) return no_power("read", path_);
      if (offset >= node_->bytes.size()) return std::size_t{0};
      return node_->bytes.copy(out, size, static_cast<std::size_t>(offset));
    }
    Status append(std::string_view bytes) override {
      const std::lock_guard lock(files_.mutex_);
      if (files_.lost_) return no_power("write", path_);
      write(*node_, {node_->bytes.size(), std::string(bytes), false});
      return {};
    }
    Status write_at(std::uint64_t offset, std::string_view bytes) override {
      const std::lock_guard lock(files_.mutex_);
      if (files_.lost_) return no_power("write", path_);
      write(*node_, {offset, std::string(bytes), false});
      return {};
    }
    Status truncate(std::uint64_t size) override {
      const std::lock_guard lock(files_.mutex_);
      if (files_.lost_) return no_power("truncate", path_);
      write(*node_, {size, "", true});
      return {};
    }
    Status sync() override {
      const std::lock_guard lock(files_.mutex_);
      if (files_.lost_ || !files_.reach_sync_point()) return no_power("sync", path_);
      if (files_.ignored_ != Ignored::files) sync_bytes(*node_);
      return {};
    }
    Result<std::uint64_t> size() override {
      const std::lock_guard lock(files_.mutex_);
      if (files_.lost_) return no_power("stat", path_);
      return std::uint64_t{node_->bytes.size()};
    }

   private:
    PowerLossFiles& files_;
    const std::shared_ptr<Node> node_;
    const std::string path_;
    std::uint64_t position_ = 0;
  };

  static Error failure(const std::string& verb, const std::string& path, const std::string& why) {
    return io_error("cannot " + verb + " " + path + ": " + why);
  }
  static Error missing(const std::string& verb, const std::string& path) {
    return failure(verb, path, "No such file or directory");
  }
  static Error no_power(const std::string& verb, const std::string& path) {
    return failure(verb, path, "the power is lost");
  }

  static std::vector<std::string> split(const std::string& path) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at < path.size();) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      const std::string name = path.substr(at, end - at);
      if (!name.empty() && name != ".") names.push_back(name);
      at = end + 1;
    }
    return names;
  }
  static std::string last_name(const std::string& path) { return split(path).back(); }

  std::shared_ptr<Node> make_node(bool folder) {
    auto node = std::make_shared<Node>();
    node->folder = folder;
    node->number = ++nodes_;
    return node;
  }

  std::shared_ptr<Node> find(const std::string& path) const {
    std::shared_ptr<Node> node = root_;
    for (const std::string& name : split(path)) {
      const auto found = node->names.find(name);
      if (found == node->names.end()) return nullptr;
      node = found->second;
    }
    return node;
  }

  static void collect(const Node& node, const std::string& prefix,
                      std::map<std::string, std::string>& found) {
    for (const auto& [name, entry] : node.names) {
      if (entry->folder) {
        collect(*entry, prefix + name + "/", found);
      } else {
        found[prefix + name] = entry->bytes;
      }
    }
  }

  /// False if power is lost here.
  bool reach_sync_point() {
    if (sync_points_++ == lost_at_) lost_ = true;
    return !lost_;
  }

  static void store(std::string& bytes, const Write& write) {
    const auto offset = static_cast<std::size_t>(write.offset);
    if (write.cuts) {
      bytes.resize(offset);
      return;
    }
    if (bytes.size() < offset + write.bytes.size()) bytes.resize(offset + write.bytes.size());
    write.bytes.copy(bytes.data() + offset, write.bytes.size());
  }
  static void write(Node& node, Write write) {
    store(node.bytes, write);
    node.writes.push_back(std::move(write));
  }
  static void sync_bytes(Node& node) {
    node.durable = node.bytes;
    node.writes.clear();
  }

  void change(Change entries) {
    for (const Entry& entry : entries) set_name(entry.folder->names, entry);
    changes_.push_back(std::move(entries));
  }
  static void set_name(std::map<std::string, std::shared_ptr<Node>>& names, const Entry& entry) {
    if (entry.node == nullptr) {
      names.erase(entry.name);
    } else {
      names[entry.name] = entry.node;
    }
  }
  static void apply(const Change& change) {
    for (const Entry& entry : change) set_name(entry.folder->durable_names, entry);
  }

  /// Makes the changes that concern `folder` durable, and drops earlier changes of names that these
  /// have set since.
  void sync_names(const Node& folder) {
    std::vector<Change> left;
    for (Change& change : changes_) {
      const bool concerns = std::any_of(change.begin(), change.end(), [&](const Entry& entry) {
        return entry.folder.get() == &folder;
      });
      if (!concerns) {
        left.push_back(std::move(change));
        continue;
      }
      apply(change);
      for (Change& earlier : left) {
        std::erase_if(earlier, [&](const Entry& old) {
          return std::any_of(change.begin(), change.end(),
                             [&](const Entry& entry) { return entry.same_name(old); });
        });
      }
    }
    std::erase_if(left, [](const Change& change) { return change.empty(); });
    changes_ = std::move(left);
  }

  void sync_below(Node& node) {
    if (!node.folder) return sync_bytes(node);
    for (const auto& [name, entry] : node.names) sync_below(*entry);
    sync_names(node);
  }

  /// Removes all that is below a folder, a change each.
  void empty(const std::shared_ptr<Node>& node) {
    while (!node->names.empty()) {
      const auto [name, entry] = *node->names.begin();
      empty(entry);
      change({{node, name, nullptr}});
    }
  }

  /// Sets the names and bytes below to those that survive the loss.
  void settle(Node& node, Loss loss, std::mt19937_64& random) {
    if (!node.folder) {
      lose_writes(node, loss, random);
      return;
    }
    node.names = node.durable_names;
    for (const auto& [name, entry] : node.names) settle(*entry, loss, random);
  }

  static void lose_writes(Node& node, Loss loss, std::mt19937_64& random) {
    const auto in_part = [&](Write write) {
      write.bytes.resize(random() % (write.bytes.size() + 1));
      return write;
    };
    const std::size_t kept = random() % (node.writes.size() + 1);
    for (std::size_t i = 0; i < node.writes.size(); ++i) {
      const Write& write = node.writes[i];
      if (loss == Loss::dropped) break;
      if (loss == Loss::torn) {
        if (i < kept) store(node.durable, write);
        if (i == kept) store(node.durable, in_part(write));
        continue;
      }
      switch (random() % 4) {
        case 0:
          break;
        case 1:  // The file is as long, but its new blocks were never written.
          if (write.offset >= node.durable.size()) {
            store(node.durable, {write.offset, std::string(write.bytes.size(), '\0'), false});
          }
          break;
        case 2:
          store(node.durable, in_part(write));
          break;
        default:
          store(node.durable, write);
      }
    }
    node.bytes = node.durable;
    node.writes.clear();
  }

  mutable std::mutex mutex_;
  std::uint64_t nodes_ = 0;
  const std::shared_ptr<Node> root_;
  std::vector<Change> changes_;  ///< of names, not durable yet, in order
  std::set<std::uint64_t> locks_;
  std::map<std::string, std::uint64_t> renames_;
  std::uint64_t sync_points_ = 0;
  std::uint64_t lost_at_ = never;
  bool lost_ = false;
  Ignored ignored_ = Ignored::nothing;
};

}  // namespace twinset::testing
