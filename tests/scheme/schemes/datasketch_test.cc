// tests src/scheme/schemes/datasketch.cc through its spec, against sketches of texts
// that datasketch itself made: tests/golden/make_datasketch_minhash.py.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "scheme/kernels/datasketch_minhash.h"
#include "scheme/shingle_sets.h"

namespace twinset {
namespace {

TEST(Datasketch, ATextHasTheSketchOfItsShinglesInDatasketch) {
  std::ifstream golden(std::filesystem::path(__FILE__).parent_path() /
                       "../../golden/datasketch_minhash.txt");
  std::size_t checked = 0;
  for (std::string line; std::getline(golden, line);) {
    std::istringstream fields(line);
    std::string release;
    std::string seed;
    std::string count;
    std::string input;
    fields >> release >> seed >> count >> input;
    if (!input.starts_with("text:")) continue;
    std::string text;
    for (std::size_t i = 5; i < input.size(); i += 2) {
      text += static_cast<char>(std::stoi(input.substr(i, 2), nullptr, 16));
    }
    const auto scheme = must_make(
        "datasketch(values=" + count + ", seed=" + seed + ", release=" + release + ")", 0.9);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t value = 0; fields >> std::hex >> value;) expected.push_back(value);
    ASSERT_EQ(sketch_text(*scheme, text).values, expected) << text;
    ++checked;
  }
  EXPECT_EQ(checked, 8U);
}

// The analyzer handles case, punctuation and white space.
TEST(Datasketch, ElementsAreCanonicalTokens) {
  const auto scheme = must_make("datasketch");
  const Sketch plain = sketch_text(*scheme,
                                   "stra\xc3\x9f"
                                   "e und caf\xc3\xa9 am abend heute");
  EXPECT_EQ(sketch_text(*scheme,
                        " STRA\xc3\x9f"
                        "E,\n\tund \"CAF\xc3\x89\" am-Abend: heute!")
                .stored,
            plain.stored);
  EXPECT_NE(sketch_text(*scheme, "strasse und cafe am abend heute").stored, plain.stored);
}

// Features that are numbers are their eight bytes, as struct.pack("<Q", x) has them.
TEST(Datasketch, NumbersAreTheirBytes) {
  const auto scheme = must_make("datasketch(values=64)");
  const DatasketchMinHash minhash(64, 1, DatasketchRelease::one);
  std::vector<std::uint32_t> values(64, UINT32_MAX);
  minhash.update(std::string_view("\x88\x77\x66\x55\x44\x33\x22\x11", 8), values);
  minhash.update(std::string_view("\x01\0\0\0\0\0\0\0", 8), values);
  EXPECT_EQ(sketch_of(*scheme, {0x1122334455667788, 1}).values,
            std::vector<std::uint64_t>(values.begin(), values.end()));
}

}  // namespace
}  // namespace twinset
