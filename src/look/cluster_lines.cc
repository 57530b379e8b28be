// Only the shape of a line is read here: an object whose field "members" is an array, of
// which one value is held at a time. What a value says, its reader checks.
#include "look/cluster_lines.h"

#include <cstdint>
#include <memory>

#include "io/bytes.h"

namespace twinset {
namespace {

constexpr std::size_t read_bytes = std::size_t{1} << 20;
/// A name longer than this was not written by twinset: an id and a path, both escaped.
constexpr std::size_t most_value_bytes = std::size_t{1} << 30;
constexpr int no_byte = -1;

/// The decoded bytes of a file, one by one.
class Bytes {
 public:
  explicit Bytes(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), buffer_(read_bytes, '\0') {}

  /// The next byte, which stays; no_byte at the end or where reading failed.
  int peek() {
    if (at_ == size_ && !refill()) return no_byte;
    return static_cast<unsigned char>(buffer_[at_]);
  }
  void skip() { ++at_; }
  /// White space within a line.
  int peek_past_space() {
    int c = peek();
    while (c == ' ' || c == '\t' || c == '\r') {
      skip();
      c = peek();
    }
    return c;
  }
  const Status& status() const { return status_; }

 private:
  bool refill() {
    if (ended_) return false;
    Result<std::size_t> got = source_->read(buffer_.data(), buffer_.size());
    at_ = 0;
    size_ = got.ok() ? got.value() : 0;
    ended_ = size_ == 0;
    if (!got.ok()) status_ = got.error();
    if (got.ok() && ended_ && source_->fault().reason != BadReason::none) {
      status_ = io_error("its compressed data ends early or is damaged");
    }
    return !ended_;
  }

  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::size_t size_ = 0;
  bool ended_ = false;
  Status status_;
};

class ClusterLines {
 public:
  ClusterLines(std::unique_ptr<ByteSource> source, const std::string& path, const ClusterUse& use)
      : bytes_(std::move(source)), path_(path), use_(use) {}

  Status run() {
    for (;;) {
      int c = bytes_.peek_past_space();
      if (c == '\n') {
        bytes_.skip();
        continue;
      }
      if (c == no_byte) {
        if (!bytes_.status().ok()) return damaged(": " + bytes_.status().error().message);
        return {};
      }
      ++line_;
      TWINSET_ASSIGN(const bool on, read_line());
      if (!on) return {};
    }
  }

 private:
  Result<bool> read_line() {
    bool begun = false;
    bool listed = false;
    if (!take('{')) return damaged("");
    do {
      std::string key;
      if (bytes_.peek_past_space() != '"' || !take_value(key) || !take(':')) return damaged("");
      if (key == "\"members\"") {
        if (!begun) return damaged("");
        TWINSET_TRY(read_members());
        listed = true;
        continue;
      }
      if (!take_value(value_)) return damaged("");
      if (key != "\"representative\"" || begun) continue;
      begun = true;
      if (use_.begin) TWINSET_TRY(use_.begin(value_));
    } while (take(','));
    if (!listed || !take('}')) return damaged("");
    return use_.end ? use_.end() : Result<bool>(true);
  }

  Status read_members() {
    if (!take('[')) return damaged("");
    if (take(']')) return {};
    do {
      if (!take_value(value_)) return damaged("");
      if (use_.member) TWINSET_TRY(use_.member(value_));
    } while (take(','));
    if (!take(']')) return damaged("");
    return {};
  }

  /// Steps over `wanted` if it comes next.
  bool take(char wanted) {
    if (bytes_.peek_past_space() != wanted) return false;
    bytes_.skip();
    return true;
  }

  /// The JSON value that comes next, as far as its brackets and quotes tell.
  bool take_value(std::string& out) {
    out.clear();
    std::size_t depth = 0;
    bool in_string = false;
    bytes_.peek_past_space();
    for (;;) {
      const int c = bytes_.peek();
      if (c == no_byte || c == '\n' || out.size() > most_value_bytes) return false;
      if (!in_string && depth == 0 && (c == ',' || c == ']' || c == '}' || c == ' ')) {
        return !out.empty();
      }
      bytes_.skip();
      out += static_cast<char>(c);
      if (in_string) {
        if (c == '\\') {
          if (bytes_.peek() == no_byte) return false;
          out += static_cast<char>(bytes_.peek());
          bytes_.skip();
        } else if (c == '"') {
          in_string = false;
          if (depth == 0) return true;
        }
      } else if (c == '"') {
        in_string = true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        if (--depth == 0) return true;
      }
    }
  }

  Error damaged(const std::string& why) const {
    return io_error(path_ + ":" + std::to_string(line_) + " is damaged" + why);
  }

  Bytes bytes_;
  const std::string& path_;
  const ClusterUse& use_;
  std::uint64_t line_ = 0;
  std::string value_;
};

}  // namespace

Status for_each_cluster(FileSystem& files, const std::string& path, const ClusterUse& use) {
  ReaderLimits limits;
  limits.max_ratio = 0;
  const Compression compression = path.ends_with(".zst") ? Compression::zstd : Compression::none;
  TWINSET_ASSIGN(std::unique_ptr<ByteSource> source, open_bytes(files, path, compression, limits));
  return ClusterLines(std::move(source), path, use).run();
}

}  // namespace twinset
