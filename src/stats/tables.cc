// This file's interface is stats/tables.h; the rest is private.
#include "stats/tables.h"

#include <algorithm>
#include <cstring>

#include "stats/table_list.h"

namespace twinset {
namespace {

const BuiltInTable* find_table(std::string_view name) {
  const auto tables = listed_tables();
  const auto found = std::ranges::find(tables, name, &BuiltInTable::name);
  return found == tables.end() ? nullptr : &*found;
}

/// Constant bytes as a file to read.
class ConstantFile final : public File {
 public:
  explicit ConstantFile(std::string_view bytes) : bytes_(bytes) {}
  Result<std::size_t> read(char* out, std::size_t size) override {
    TWINSET_ASSIGN(const std::size_t got, read_at(position_, out, size));
    position_ += got;
    return got;
  }
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
    if (offset >= bytes_.size()) return std::size_t{0};
    const std::size_t got = std::min(size, bytes_.size() - static_cast<std::size_t>(offset));
    std::memcpy(out, bytes_.data() + offset, got);
    return got;
  }
  Status append(std::string_view) override { return read_only(); }
  Status write_at(std::uint64_t, std::string_view) override { return read_only(); }
  Status truncate(std::uint64_t) override { return read_only(); }
  Status sync() override { return {}; }
  Result<std::uint64_t> size() override { return std::uint64_t{bytes_.size()}; }

 private:
  static Error read_only() { return io_error("a built-in table cannot be written"); }

  std::string_view bytes_;
  std::uint64_t position_ = 0;
};

}  // namespace

const std::string& table_names() {
  static const std::string names = [] {
    const auto tables = listed_tables();
    std::string list;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (i > 0) list += i + 1 == tables.size() ? " or " : ", ";
      list += tables[i].name;
    }
    return list;
  }();
  return names;
}

bool is_built_in_table(std::string_view name) { return find_table(name) != nullptr; }

std::unique_ptr<File> open_built_in_table(std::string_view name) {
  return std::make_unique<ConstantFile>(find_table(name)->bytes);
}

Result<Fingerprint> fingerprint_table(FileSystem& files, const std::string& path) {
  const BuiltInTable* table = find_table(path);
  if (table == nullptr) return fingerprint_file(files, path);
  RunningFingerprint fingerprint;
  fingerprint.add(table->bytes);
  return fingerprint.value();
}

}  // namespace twinset
