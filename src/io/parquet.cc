// The calls of parquet/src/lib.rs, and the bytes that go through it.
//
// This file's interface is io/parquet.h; the rest is private.
#include "io/parquet.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#ifdef TWINSET_HAS_PARQUET
extern "C" {
struct twinset_parquet_source {
  void* context;
  std::uint64_t size;
  std::int64_t (*read_at)(void* context, std::uint64_t offset, std::uint8_t* out, std::size_t size);
};
struct twinset_parquet_sink {
  void* context;
  int (*write)(void* context, const std::uint8_t* bytes, std::size_t size);
  int (*stopped)(void* context);
  std::int64_t (*spool)(void* context, const std::uint8_t* bytes, std::size_t size);
  int (*read_spool)(void* context, std::uint64_t place, std::uint8_t* out, std::size_t size);
};
struct twinset_parquet_room {
  char* text;
  std::size_t bytes;
};
struct twinset_parquet_table;
struct twinset_parquet_cursor;
struct twinset_parquet_copier;
twinset_parquet_table* twinset_parquet_open(twinset_parquet_source source,
                                            twinset_parquet_room error);
void twinset_parquet_close(twinset_parquet_table* table);
std::uint64_t twinset_parquet_groups(const twinset_parquet_table* table);
std::uint64_t twinset_parquet_group_rows(const twinset_parquet_table* table, std::uint64_t group);
std::uint64_t twinset_parquet_group_bytes(const twinset_parquet_table* table, std::uint64_t group);
void twinset_parquet_names(const twinset_parquet_table* table, twinset_parquet_room names);
std::int64_t twinset_parquet_find(const twinset_parquet_table* table, const char* path,
                                  std::size_t path_bytes, const char* shown,
                                  std::size_t shown_bytes, int text, twinset_parquet_room error);
twinset_parquet_cursor* twinset_parquet_read(const twinset_parquet_table* table,
                                             const std::uint64_t* leaves, const std::uint32_t* tags,
                                             std::size_t count, std::size_t texts);
int twinset_parquet_next(twinset_parquet_cursor* cursor, const char** frames, std::size_t* bytes,
                         twinset_parquet_room error);
std::uint64_t twinset_parquet_skip(twinset_parquet_cursor* cursor);
std::uint64_t twinset_parquet_passed(const twinset_parquet_cursor* cursor);
std::uint64_t twinset_parquet_place(const twinset_parquet_cursor* cursor);
void twinset_parquet_stop(twinset_parquet_cursor* cursor);
twinset_parquet_copier* twinset_parquet_copy(const twinset_parquet_table* table,
                                             twinset_parquet_sink sink, std::size_t threads,
                                             std::int64_t edited, twinset_parquet_room error);
int twinset_parquet_copy_groups(twinset_parquet_copier* copier, std::uint64_t first,
                                std::uint64_t count, const std::uint8_t* keep, std::size_t bytes,
                                const std::uint64_t* texts, twinset_parquet_room error);
int twinset_parquet_copy_finish(twinset_parquet_copier* copier, twinset_parquet_room error);
void twinset_parquet_copy_stop(twinset_parquet_copier* copier);
}
#endif

namespace twinset {

#ifdef TWINSET_HAS_PARQUET
namespace {

/// Room for the words of an error.
class Words {
 public:
  twinset_parquet_room room() { return {text_.data(), text_.size()}; }
  std::string text() const { return text_.data(); }

 private:
  std::array<char, 1024> text_{};
};

/// An open file, and the first Error that reading it gave.
class Bytes {
 public:
  explicit Bytes(std::unique_ptr<File> file) : file_(std::move(file)) {}

  static std::int64_t read_at(void* context, std::uint64_t offset, std::uint8_t* out,
                              std::size_t size) {
    auto& bytes = *static_cast<Bytes*>(context);
    const Result<std::size_t> got =
        bytes.file_->read_at(offset, reinterpret_cast<char*>(out), size);
    if (got.ok()) return static_cast<std::int64_t>(got.value());
    const std::lock_guard lock(bytes.mutex_);
    if (bytes.status_.ok()) bytes.status_ = got.error();
    return -1;
  }

  Status status() {
    const std::lock_guard lock(mutex_);
    return status_;
  }

 private:
  const std::unique_ptr<File> file_;
  std::mutex mutex_;
  Status status_;
};

class Rows final : public ParquetRows {
 public:
  Rows(twinset_parquet_cursor* cursor, Bytes& bytes) : cursor_(cursor), bytes_(bytes) {}
  ~Rows() override { twinset_parquet_stop(cursor_); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  Result<bool> next(std::string_view& frames) override {
    fault_.clear();
    Words words;
    const char* begin = nullptr;
    std::size_t bytes = 0;
    const int more = twinset_parquet_next(cursor_, &begin, &bytes, words.room());
    frames = {begin, bytes};
    if (more < 0) {
      TWINSET_TRY(bytes_.status());
      fault_ = words.text();
    }
    return more > 0;
  }
  const std::string& fault() const override { return fault_; }
  std::uint64_t skip_group() override { return twinset_parquet_skip(cursor_); }
  std::uint64_t passed() const override { return twinset_parquet_passed(cursor_); }
  std::uint64_t place() const override { return twinset_parquet_place(cursor_); }

 private:
  twinset_parquet_cursor* const cursor_;
  Bytes& bytes_;
  std::string fault_;
};

class Copy final : public ParquetCopy {
 public:
  Copy(const RunContext& context, Bytes& bytes, ByteSink& out, Spool& spool)
      : context_(context), bytes_(bytes), out_(out), spool_(spool) {}
  ~Copy() override {
    if (copier_ != nullptr) twinset_parquet_copy_stop(copier_);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  Status open(const twinset_parquet_table* table, std::optional<std::uint64_t> edited) {
    Words words;
    const std::int64_t leaf = edited.has_value() ? static_cast<std::int64_t>(*edited) : -1;
    copier_ = twinset_parquet_copy(table, {this, write, stopped, spool, read_spool},
                                   std::max(1U, context_.threads), leaf, words.room());
    return copier_ == nullptr ? failure(words) : bytes_.status();
  }

  Status add(std::uint64_t first, std::uint64_t count, std::span<const std::uint8_t> keep,
             std::span<const std::uint64_t> texts) override {
    Words words;
    const std::vector<std::uint64_t> none(static_cast<std::size_t>(count) + 1);
    const int done =
        twinset_parquet_copy_groups(copier_, first, count, keep.data(), keep.size(),
                                    texts.empty() ? none.data() : texts.data(), words.room());
    if (done == 0) return failure(words);
    TWINSET_TRY(bytes_.status());
    return spool_.clear();
  }

  Status finish() override {
    Words words;
    const int done = twinset_parquet_copy_finish(std::exchange(copier_, nullptr), words.room());
    return done == 0 ? failure(words) : bytes_.status();
  }

 private:
  static Copy& of(void* context) { return *static_cast<Copy*>(context); }
  static std::string_view view(const std::uint8_t* bytes, std::size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
  }
  static int write(void* context, const std::uint8_t* bytes, std::size_t size) {
    return of(context).passed(of(context).out_.write(view(bytes, size))) ? 0 : 1;
  }
  static int stopped(void* context) { return of(context).context_.cancelled() ? 1 : 0; }
  static std::int64_t spool(void* context, const std::uint8_t* bytes, std::size_t size) {
    const Result<std::uint64_t> place = of(context).spool_.append(view(bytes, size));
    if (place.ok()) return static_cast<std::int64_t>(place.value());
    of(context).passed(place.error());
    return -1;
  }
  static int read_spool(void* context, std::uint64_t place, std::uint8_t* out, std::size_t size) {
    const Status read = of(context).spool_.read_at(place, reinterpret_cast<char*>(out), size);
    return of(context).passed(read) ? 0 : 1;
  }

  /// Keeps the first Error of those that threads meet.
  bool passed(const Status& status) {
    if (status.ok()) return true;
    const std::lock_guard lock(mutex_);
    if (written_.ok()) written_ = status;
    return false;
  }

  Status failure(const Words& words) {
    TWINSET_TRY(context_.check_cancelled());
    TWINSET_TRY(written_);
    TWINSET_TRY(bytes_.status());
    return usage_error(words.text());
  }

  const RunContext& context_;
  Bytes& bytes_;
  ByteSink& out_;
  Spool& spool_;
  std::mutex mutex_;
  Status written_;
  twinset_parquet_copier* copier_ = nullptr;
};

class Table final : public ParquetTable {
 public:
  Table(std::unique_ptr<Bytes> bytes, twinset_parquet_table* table)
      : bytes_(std::move(bytes)), table_(table) {}
  ~Table() override { twinset_parquet_close(table_); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  std::uint64_t groups() const override { return twinset_parquet_groups(table_); }
  std::uint64_t group_rows(std::uint64_t group) const override {
    return twinset_parquet_group_rows(table_, group);
  }
  std::uint64_t group_bytes(std::uint64_t group) const override {
    return twinset_parquet_group_bytes(table_, group);
  }
  std::string names() const override {
    Words words;
    twinset_parquet_names(table_, words.room());
    return words.text();
  }

  ParquetColumn find(const TextPath& name, bool text) const override {
    std::string path;
    for (const TextPath::Step& step : name.steps) {
      path += step.name;
      path += '\0';
      path += static_cast<char>(step.lists);
    }
    Words words;
    const std::int64_t leaf =
        twinset_parquet_find(table_, path.data(), path.size(), name.shown.data(), name.shown.size(),
                             text ? 1 : 0, words.room());
    if (leaf < 0) return {std::nullopt, words.text()};
    return {static_cast<std::uint64_t>(leaf), {}};
  }

  std::unique_ptr<ParquetRows> read(std::span<const std::uint64_t> texts,
                                    std::span<const ParquetField> fields) const override {
    std::vector<std::uint64_t> leaves(texts.begin(), texts.end());
    std::vector<std::uint32_t> tags(texts.size());
    for (const ParquetField& field : fields) {
      leaves.push_back(field.leaf);
      tags.push_back(field.tag);
    }
    return std::make_unique<Rows>(
        twinset_parquet_read(table_, leaves.data(), tags.data(), leaves.size(), texts.size()),
        *bytes_);
  }

  Result<std::unique_ptr<ParquetCopy>> copy(const RunContext& context, ByteSink& out, Spool& spool,
                                            std::optional<std::uint64_t> edited) const override {
    auto made = std::make_unique<Copy>(context, *bytes_, out, spool);
    TWINSET_TRY(made->open(table_, edited));
    return std::unique_ptr<ParquetCopy>(std::move(made));
  }

 private:
  const std::unique_ptr<Bytes> bytes_;
  twinset_parquet_table* const table_;
};

}  // namespace

bool reads_parquet() { return true; }

Result<std::unique_ptr<ParquetTable>> ParquetTable::open(FileSystem& files,
                                                         const std::string& path) {
  TWINSET_ASSIGN(std::unique_ptr<File> file, files.open(path, OpenMode::read));
  TWINSET_ASSIGN(const std::uint64_t size, file->size());
  auto bytes = std::make_unique<Bytes>(std::move(file));
  Words words;
  twinset_parquet_table* const table =
      twinset_parquet_open({bytes.get(), size, Bytes::read_at}, words.room());
  if (table == nullptr) {
    TWINSET_TRY(bytes->status());
    return usage_error(words.text());
  }
  return std::unique_ptr<ParquetTable>(std::make_unique<Table>(std::move(bytes), table));
}

#else

bool reads_parquet() { return false; }

Result<std::unique_ptr<ParquetTable>> ParquetTable::open(FileSystem&, const std::string&) {
  return usage_error("is Parquet, which this build does not read; make build PARQUET=1 reads it");
}

#endif

}  // namespace twinset
