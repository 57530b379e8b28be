// Only the shape of a line is read here: an object whose field "members" is an array, of
// which some are held at a time: a window of the bytes, as long as one value needs. What a value
// says, its reader checks.
#include "look/cluster_lines.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "io/bytes.h"

namespace twinset {
namespace {

constexpr std::size_t read_bytes = std::size_t{1} << 20;
/// A name longer than this was not written by twinset: an id and a path, both escaped.
constexpr std::size_t most_value_bytes = std::size_t{1} << 30;
constexpr int no_byte = -1;

/// Bytes at which a scan has to look: most are neither of these.
struct SeenBytes {
  constexpr SeenBytes() {
    for (const char c : {'"', '\\', '\n'}) in_string[static_cast<unsigned char>(c)] = true;
    for (const char c : {'"', '\n', '{', '[', ' ', ',', '}', ']'}) {
      outside[static_cast<unsigned char>(c)] = true;
    }
  }
  static const char* skip(const std::array<bool, 256>& seen, const char* p, const char* end) {
    while (p != end && !seen[static_cast<unsigned char>(*p)]) ++p;
    return p;
  }
  std::array<bool, 256> in_string{};
  std::array<bool, 256> outside{};
};
constexpr SeenBytes seen_bytes;

/// The decoded bytes of a file, in a window that holds one value whole.
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
  /// The JSON value that comes next, as far as its brackets and quotes tell; valid until the next
  /// call of any of these.
  bool take_value(std::string_view& out) {
    if (peek_past_space() == no_byte) return false;
    Scan scan;
    for (;;) {
      const char* const begin = buffer_.data() + at_;
      const Scan::State state = scan.run(begin, buffer_.data() + size_);
      if (state == Scan::State::broken) return false;
      if (state == Scan::State::whole) {
        out = std::string_view(begin, scan.length);
        at_ += scan.length;
        return true;
      }
      if (size_ - at_ > most_value_bytes || !refill()) return false;
    }
  }
  const Status& status() const { return status_; }

 private:
  /// Finds the end of a value, and goes on where it stopped once there are more bytes.
  struct Scan {
    enum class State : std::uint8_t { whole, partial, broken };
    std::size_t length = 0;
    std::size_t depth = 0;
    bool in_string = false;

    State run(const char* begin, const char* end) {
      const char* p = begin + length;
      const State state = go(p, end);
      length = static_cast<std::size_t>(p - begin);
      return state == State::whole && length == 0 ? State::broken : state;
    }

   private:
    State go(const char*& p, const char* end) {
      for (; p != end; ++p) {
        if (in_string) {
          p = SeenBytes::skip(seen_bytes.in_string, p, end);
          if (p == end) break;
          if (*p == '\n') return State::broken;
          if (*p == '\\') {
            if (p + 1 == end) break;
            ++p;
            continue;
          }
          in_string = false;
          if (depth > 0) continue;
          ++p;
          return State::whole;
        }
        p = SeenBytes::skip(seen_bytes.outside, p, end);
        if (p == end) break;
        switch (*p) {
          case '\n':
            return State::broken;
          case '"':
            in_string = true;
            break;
          case '{':
          case '[':
            ++depth;
            break;
          case ' ':
          case ',':
            if (depth == 0) return State::whole;
            break;
          case '}':
          case ']':
            if (depth == 0) return State::whole;
            if (--depth > 0) break;
            ++p;
            return State::whole;
          default:
            break;
        }
      }
      return State::partial;
    }
  };

  /// More bytes behind those that are left. False at the end.
  bool refill() {
    if (ended_) return false;
    std::copy(buffer_.data() + at_, buffer_.data() + size_, buffer_.data());
    size_ -= at_;
    at_ = 0;
    if (size_ > buffer_.size() / 2) buffer_.resize(2 * buffer_.size());
    Result<std::size_t> got = source_->read(buffer_.data() + size_, buffer_.size() - size_);
    ended_ = !got.ok() || got.value() == 0;
    if (got.ok()) size_ += got.value();
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
      if (bytes_.peek_past_space() != '"' || !bytes_.take_value(value_)) return damaged("");
      const std::string key(value_);
      if (!take(':')) return damaged("");
      if (key == "\"members\"") {
        if (!begun) return damaged("");
        TWINSET_TRY(read_members());
        listed = true;
        continue;
      }
      if (!bytes_.take_value(value_)) return damaged("");
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
      if (!bytes_.take_value(value_)) return damaged("");
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

  Error damaged(const std::string& why) const {
    return io_error(path_ + ":" + std::to_string(line_) + " is damaged" + why);
  }

  Bytes bytes_;
  const std::string& path_;
  const ClusterUse& use_;
  std::uint64_t line_ = 0;
  std::string_view value_;
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
