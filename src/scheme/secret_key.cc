#include "scheme/secret_key.h"

#include <algorithm>

#include "base/sha1.h"
#include "scheme/little_endian.h"

namespace twinset {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') return (c | 0x20) - 'a' + 10;
  return -1;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n";
  const std::size_t begin = std::min(text.find_first_not_of(spaces), text.size());
  return text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

}  // namespace

SecretKey SecretKey::of_seed(std::uint64_t seed) {
  SecretKey key;
  for (std::size_t byte = 0; byte < 8; ++byte) {
    key.bytes[byte] = static_cast<std::uint8_t>(seed >> 8 * byte);
  }
  return key;
}

Result<SecretKey> SecretKey::load(FileSystem& files, const std::string& path) {
  constexpr std::uint64_t longest = 4096;
  TWINSET_ASSIGN(const FileStatus status, files.status(path));
  if (status.for_all) {
    return usage_error(path +
                       " is not a secret: every user of this machine may read or change it; take "
                       "that away with chmod o= " +
                       path);
  }
  TWINSET_ASSIGN(const std::string text, read_whole_file(files, path, longest));
  const std::string_view digits = trimmed(text);
  SecretKey key;
  bool good = digits.size() == 2 * key.bytes.size();
  for (std::size_t i = 0; good && i < digits.size(); ++i) {
    const int value = hex_value(digits[i]);
    good = value >= 0;
    key.bytes[i / 2] = static_cast<std::uint8_t>(key.bytes[i / 2] << 4 | (value & 15));
  }
  if (good) return key;
  return usage_error(path +
                     " is not a secret: it must hold 32 hexadecimal digits, as openssl rand -hex "
                     "16 prints them");
}

std::uint64_t SecretKey::number(std::string_view purpose, std::uint64_t counter) const {
  return load_little_endian<std::uint64_t>(KeyedHash(*this, purpose)(counter, 0).data());
}

Fingerprint SecretKey::name() const { return {number("name", 0), number("name", 1)}; }

KeyedHash::KeyedHash(const SecretKey& key, std::string_view purpose)
    : input_(key.bytes.begin(), key.bytes.end()) {
  input_ += purpose;
  input_ += '\0';
  front_ = input_.size();
  input_.resize(front_ + 16);
}

std::array<std::uint8_t, 20> KeyedHash::operator()(std::uint64_t first, std::uint64_t second) {
  for (std::size_t byte = 0; byte < 8; ++byte) {
    input_[front_ + byte] = static_cast<char>(first >> 8 * byte);
    input_[front_ + 8 + byte] = static_cast<char>(second >> 8 * byte);
  }
  return sha1(input_);
}

}  // namespace twinset
