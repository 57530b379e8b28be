// BLAKE3 (O'Connor, Aumasson, Neves, Wilcox-O'Hearn: BLAKE3, one function, fast everywhere, 2020),
// without a key.
//
//   blake3("abc")   // 64 37 b3 ac 38 46 51 33 ff b6 3b 75 27 3a 8d b5 ...
//
// Threads: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace twinset {

/// The first 256 bits of the output for any bytes; fewer of them are as even. About 0.6 GB/s.
std::array<std::uint8_t, 32> blake3(std::string_view bytes);

}  // namespace twinset
