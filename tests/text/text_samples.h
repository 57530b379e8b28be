// Texts that try an analyzer: of chosen characters, of any bytes, and everything
// between; and what the statistical tests share.
//
// Threads: a Samples belongs to one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/tries.h"
#include "text/html.h"
#include "text/utf8.h"

namespace twinset {

/// The range of the page that has one of its text.
inline TokenOffsets page_range(const HtmlText& text, TokenOffsets range) {
  map_to_page(text, {&range, 1});
  return range;
}

inline std::string utf8_of(std::uint32_t code_point) {
  std::string text(utf8::max_bytes, '\0');
  text.resize(utf8::encode(code_point, reinterpret_cast<std::uint8_t*>(text.data())));
  return text;
}

inline std::string utf8_of(std::initializer_list<std::uint32_t> code_points) {
  std::string text;
  for (const std::uint32_t code_point : code_points) text += utf8_of(code_point);
  return text;
}

/// Bytes that are not UTF-8 or are easily taken for it, and those that the kernels treat apart.
inline const std::vector<std::string>& snippets() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> some{"\x80",
                                  "\xBF",
                                  "\x80\x80\x80\x80",  // continuations alone
                                  "\xC2",
                                  "\xC3(",
                                  "\xC0\xAF",
                                  "\xC1\xBF",  // cut and overlong
                                  "\xE2",
                                  "\xE2\x82",
                                  "\xE2(\xA1",
                                  "\xE2\x82(",  // cut
                                  "\xE0\x9F\xBF",
                                  "\xE0\x80\xAF",  // overlong
                                  "\xED\xA0\x80",
                                  "\xED\xBF\xBF",  // surrogates
                                  "\xF0",
                                  "\xF0\x9F",
                                  "\xF0\x9F\x98",
                                  "\xF0\x8F\xBF\xBF",
                                  "\xF4\x90\x80\x80",
                                  "\xF5\x80\x80\x80",
                                  "\xF8\x88\x80\x80\x80",
                                  "\xFE",
                                  "\xFF\xFF",
                                  std::string(1, '\0'),
                                  "\r\n",
                                  "a",
                                  "Z9",
                                  " ",
                                  "\x7F"};
    for (const std::uint32_t code_point :
         {0x80u,    0xDFu,    0xC4u,    0x416u,    0x7FFu,   0x800u,   0x2019u,  0xFFFDu,
          0xFFFFu,                                                                // any width
          0x4E00u,  0x6F22u,  0x3007u,  0x20000u,  0x2A6DFu,                      // ideographs
          0x3042u,  0x30ABu,  0xAC00u,  0xE01u,    0x301u,                        // runs
          0xADu,    0x200Bu,  0x200Du,  0xFEFFu,   0xFE0Fu,  0xE0100u, 0xE0001u,  // not seen
          0x212Au,  0x17Fu,   0x23Au,   0x1E9Eu,   0x2126u,  0x130u,  // folded to other lengths
          0x10400u, 0x1E921u, 0x1F600u, 0x10FFFFu, 0x323AFu, 0x32400u, 0x30FCu,  0xE33u,
          0x1000u,  0xFF76u,  0x11700u,                                          // unspaced letters
          0xDFu,    0xFB01u,  0x958u,   0xF900u,   0x2F800u, 0x1161u,  0x11A8u,  // slow ones
          0x323u,   0x345u,   0x5B0u,   0x5C1u,    0x651u,   0x93Cu,   0x94Du,   // marks
          0x3099u,  0xE38u,   0xE48u,   0x9BEu,    0x102Eu,  0x20E3u,  0x11930u, 0x1D165u}) {
      some.push_back(utf8_of(code_point));
    }
    some.push_back(utf8_of({0xE01, 0xE38, 0xE48, 0xE19}));      // Thai, two marks in order
    some.push_back(utf8_of({0xE01, 0xE48, 0xE38}));             // ... and not
    some.push_back(utf8_of({0x304B, 0x3099, 0x30AC}));          // kana, composed and not
    some.push_back(utf8_of({0x1112, 0x1161, 0x11AB, 0xD55C}));  // jamo
    some.push_back(utf8_of({0x9C7, 0x9BE, 0x995, 0x9BE}));      // a mark that may compose
    some.push_back(utf8_of({0x1025, 0x102E, 0x1000, 0x102E}));
    some.push_back("e" + utf8_of({0x301, 0x323}));
    some.push_back(utf8_of({0x3B1, 0x345, 0x301, 0x6F22, 0x345}));
    some.push_back(utf8_of({0x6F22, 0x3099, 0xE01, 0x200D, 0xE31}));
    some.push_back(utf8_of({0xE01, 0x200B, 0xE02, 0x200B}));  // hints of line ends
    some.push_back(utf8_of({0x1780, 0x17B6, 0x200B, 0x200B, 0x17B6, 0x1781}));
    some.push_back(utf8_of({0x6F22, 0x5B57}));
    some.push_back(utf8_of({0x1F44D, 0x1F3FD}));                    // a thumb with a skin tone
    some.push_back(utf8_of({0x2764, 0xFE0F, 0x200D, 0x1F525}));     // joined
    some.push_back(utf8_of({0x1F1E9, 0x1F1EA, 0x1F1E9}));           // a flag and a half
    some.push_back("5" + utf8_of({0xFE0F, 0x20E3}));                // a keycap
    some.push_back(utf8_of({0x1F3F4, 0xE0067, 0xE0062, 0xE007F}));  // a flag with tags
    some.push_back("a" + utf8_of(0xAD) + "b");
    some.push_back(utf8_of(0x6F22) + utf8_of(0xFE00) + "b");
    return some;
  }();
  return all;
}

/// Random texts of one seed.
class Samples {
 public:
  explicit Samples(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  std::uint64_t word() { return random_(); }

  std::string bytes(std::size_t size) {
    std::string text(size, '\0');
    for (char& byte : text) byte = static_cast<char>(random_());
    return text;
  }

  std::string ascii(std::size_t size) {
    std::string text(size, '\0');
    for (char& byte : text) byte = static_cast<char>(random_() % 128);
    return text;
  }

  /// Words of letters, with a share of everything else thrown in.
  std::string mixed(std::size_t size) {
    std::string text;
    while (text.size() < size) {
      switch (below(8)) {
        case 0:
          text += snippets()[below(snippets().size())];
          break;
        case 1:
          text += utf8_of(code_point());
          break;
        case 2:
          text += ' ';
          break;
        case 3:
          text += bytes(1);
          break;
        default:
          text += std::string(1 + below(12), static_cast<char>('A' + below(58)));
      }
    }
    text.resize(size);
    return text;
  }

  /// Any scalar value, those of the first planes more often.
  std::uint32_t code_point() {
    constexpr std::array<std::uint32_t, 6> bounds{0x80, 0x800, 0x3000, 0x10000, 0x33000, 0x110000};
    const std::uint64_t value = below(bounds[below(bounds.size())]);
    return value >> 11 == 0x1B ? 0xE000 : static_cast<std::uint32_t>(value);
  }

 private:
  std::mt19937_64 random_;
};

/// A text whose bytes end where their allocation ends and begin `offset` bytes after its start, so
/// that a sanitizer sees any read past it.
class TightText {
 public:
  TightText(std::string_view text, std::size_t offset)
      : bytes_(new char[offset + text.size()]), offset_(offset), size_(text.size()) {
    text.copy(bytes_.get() + offset, text.size());
  }
  std::string_view view() const { return {bytes_.get() + offset_, size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t offset_;
  std::size_t size_;
};

/// The largest deviation of the mean of `trials` draws in [0, 1] from its expectation, except for
/// one case in 1 / `alarm` (Hoeffding: no assumption on the draws).
inline double hoeffding(double trials, double alarm) {
  return std::sqrt(std::log(2 / alarm) / (2 * trials));
}

/// The number of times each of 64 bits was set, counted in bit planes.
class BitCounts {
 public:
  void add(std::uint64_t bits) {
    ++added_;
    for (std::uint64_t& plane : planes_) {
      const std::uint64_t carry = plane & bits;
      plane ^= bits;
      bits = carry;
      if (bits == 0) return;
    }
  }

  /// The largest distance of a bit's share of ones from one half.
  double imbalance() const {
    double worst = 0;
    for (int bit = 0; bit < 64; ++bit) {
      std::uint64_t count = 0;
      for (std::size_t i = 0; i < planes_.size(); ++i) count |= (planes_[i] >> bit & 1) << i;
      const double share = static_cast<double>(count) / static_cast<double>(added_);
      worst = std::max(worst, std::abs(share - 0.5));
    }
    return worst;
  }

 private:
  std::array<std::uint64_t, 32> planes_{};
  std::uint64_t added_ = 0;
};

/// Pairs of hashes that are equal, whole or cut to one of their halves.
struct Collisions {
  std::uint64_t whole = 0;
  std::uint64_t high = 0;
  std::uint64_t low = 0;
};
inline Collisions collisions(std::vector<std::uint64_t> hashes) {
  const auto pairs = [&](int cut) {
    std::uint64_t found = 0;
    std::uint64_t run = 0;
    for (std::size_t i = 1; i < hashes.size(); ++i) {
      run = hashes[i] >> cut == hashes[i - 1] >> cut ? run + 1 : 0;
      found += run;
    }
    return found;
  };
  Collisions found;
  std::sort(hashes.begin(), hashes.end());
  found.whole = pairs(0);
  found.high = pairs(32);
  for (std::uint64_t& hash : hashes) hash <<= 32;
  std::sort(hashes.begin(), hashes.end());
  found.low = pairs(32);
  return found;
}

/// The number of trials and hashes in the statistical tests.
inline constexpr std::size_t million = sanitized ? 100'000 : 1'000'000;

/// Reliability row A16: a million hashes cut to 32 bits have 116.4 equal pairs;
/// less than 64 or more than 178 once in 10^7 times.
inline constexpr std::size_t a16_hashes = 1'000'000;
inline bool is_chance(std::uint64_t pairs) { return pairs >= 64 && pairs <= 178; }

}  // namespace twinset
