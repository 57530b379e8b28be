// The files of tests/data/parquet, which other libraries made (make.py there).
//
// Threads: pure functions.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace twinset::testing {

inline std::string parquet_path(const std::string& name) {
  return (std::filesystem::path(__FILE__).parent_path() / "../data/parquet" / name).string();
}

inline std::string parquet_bytes(const std::string& name) {
  std::ostringstream bytes;
  bytes << std::ifstream(parquet_path(name), std::ios::binary).rdbuf();
  EXPECT_FALSE(bytes.str().empty()) << name;
  return bytes.str();
}

}  // namespace twinset::testing
