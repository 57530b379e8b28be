// A key of 128 bits that decides random choices nobody may guess, such as the words of a random
// lexicon.
//
//   SecretKey key = SecretKey::load(files, "mail.secret").value();   // 32 hexadecimal digits
//   KeyedHash hash(key, "bag primary");
//   hash(1, 0);                                              // 20 bytes, the same on every machine
//
// SHA-1 is used as a function that cannot be told from a random one without its key: the key and
// the purpose stand in front of input of fixed length.
//
// Threads: values; a KeyedHash belongs to one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

struct SecretKey {
  std::array<std::uint8_t, 16> bytes{};

  /// The key of a public seed: no secret.
  static SecretKey of_seed(std::uint64_t seed);
  /// The key in a file: 32 hexadecimal digits and nothing else but white space around them. Errors:
  /// io (it cannot be read), usage (it holds anything else, which the message does not repeat; all
  /// users of the machine may read or write it).
  static Result<SecretKey> load(FileSystem& files, const std::string& path);

  /// A number for one purpose.
  std::uint64_t number(std::string_view purpose, std::uint64_t counter) const;
  /// Tells keys apart, and does not tell the key.
  Fingerprint name() const;
};

/// The digest of a key, a purpose and two numbers.
class KeyedHash {
 public:
  KeyedHash(const SecretKey& key, std::string_view purpose);
  std::array<std::uint8_t, 20> operator()(std::uint64_t first, std::uint64_t second);

 private:
  std::string input_;
  std::size_t front_ = 0;
};

}  // namespace twinset
