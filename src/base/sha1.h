// SHA-1 (FIPS 180-4), with which datasketch hashes its elements. Also hashes the terms of an
// I-Match signature, as the papers do, and SecretKey's random choices, with the key in front. Not
// against forgers, who can make two texts of one digest.
//
//   sha1("abc")   // a9 99 3e 36 47 06 81 6a ba 3e 25 71 78 50 c2 6c 9c d0 d8 9d
//
// Threads: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace twinset {

/// The digest of any bytes. About 0.5 GB/s.
std::array<std::uint8_t, 20> sha1(std::string_view bytes);

}  // namespace twinset
