// Splits a fuzz input into small numbers from its front and the rest as bytes.
//
//   FuzzInput input(data, size);
//   std::size_t batch = input.below(300) + 1;
//   std::string_view file = input.rest();
//
// Threads: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace twinset::fuzzing {

class FuzzInput {
 public:
  FuzzInput(const std::uint8_t* data, std::size_t size)
      : bytes_(reinterpret_cast<const char*>(data), size) {}

  /// A number below `limit` (at most 65,536); 0 if no bytes are left.
  std::size_t below(std::size_t limit) {
    std::size_t number = 0;
    for (int i = 0; i < 2 && !bytes_.empty(); ++i) {
      number = number << 8 | static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
    }
    return number % limit;
  }

  std::string_view take(std::size_t size) {
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

/// Stops the program, so that libFuzzer keeps the input, unless `holds`.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace twinset::fuzzing
