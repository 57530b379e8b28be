// Sketches of the library, which the module of WebAssembly must equal:
//
//   native_sketches SCHEME text|html < paths   a file a line: the sketch, then its distance from
//   the one before, or the
//                                              resemblance with it in millionths, and "-" for none
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "twinset/scheme.h"

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const auto scheme =
      twinset::make_scheme(arguments[1], "words", std::string_view(arguments[2]) == "html");
  if (!scheme.ok()) {
    std::cerr << scheme.error().text() << "\n";
    return 2;
  }
  twinset::TextSketch before;
  std::string path;
  while (std::getline(std::cin, path)) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    const twinset::TextSketch sketch = scheme.value().sketch(text).value();
    constexpr std::string_view digits = "0123456789abcdef";
    for (const std::uint8_t byte : sketch.bytes())
      std::cout << digits[byte >> 4] << digits[byte & 15];
    const twinset::Comparison found = scheme.value().compare(before.bytes(), sketch.bytes());
    std::cout << " ";
    if (found.distance) {
      std::cout << found.distance->differ << "/" << found.distance->bits;
    } else if (found.resemblance) {
      std::cout << std::llround(found.resemblance->value * 1e6);
    } else {
      std::cout << "-";
    }
    std::cout << "\n";
    before = sketch;
  }
  return 0;
}
