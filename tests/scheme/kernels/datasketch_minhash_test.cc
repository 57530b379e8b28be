// Against values that datasketch itself made: tests/golden/make_datasketch_minhash.py.
#include "scheme/kernels/datasketch_minhash.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace twinset {
namespace {

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

TEST(DatasketchMinHash, GivesTheValuesOfDatasketch) {
  std::ifstream golden(std::filesystem::path(__FILE__).parent_path() /
                       "../../golden/datasketch_minhash.txt");
  std::size_t checked = 0;
  std::size_t releases[3] = {};
  for (std::string line; std::getline(golden, line);) {
    std::istringstream fields(line);
    unsigned release = 0;
    std::uint32_t seed = 0;
    std::size_t count = 0;
    std::string input;
    fields >> release >> seed >> count >> input;
    if (!input.starts_with("elements:")) continue;
    input.erase(0, input.find(':') + 1);
    std::vector<std::uint32_t> expected(count);
    fields >> std::hex;
    for (std::uint32_t& value : expected) fields >> value;
    ASSERT_TRUE(fields) << line;

    const DatasketchMinHash minhash(count, seed, static_cast<DatasketchRelease>(release));
    std::vector<std::uint32_t> values(count, UINT32_MAX);
    for (std::size_t begin = 0;;) {
      const std::size_t comma = std::min(input.find(',', begin), input.size());
      minhash.update(from_hex(std::string_view(input).substr(begin, comma - begin)), values);
      if (comma == input.size()) break;
      begin = comma + 1;
    }
    ASSERT_EQ(values, expected) << line;
    ++checked;
    ++releases[release];
  }
  EXPECT_GE(checked, 40U);
  EXPECT_EQ(releases[1], releases[2]);
}

}  // namespace
}  // namespace twinset
