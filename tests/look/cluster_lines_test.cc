#include "look/cluster_lines.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using testing::ScratchFolder;

/// The clusters read from a file, as "representative: member member" lines.
std::string read(const std::string& text, bool packed = false) {
  const ScratchFolder folder;
  const std::string path = folder / (packed ? "clusters.jsonl.zst" : "clusters.jsonl");
  testing::put_file(path, text, packed ? Compression::zstd : Compression::none);
  std::string out;
  ClusterUse use;
  use.begin = [&](std::string_view raw) {
    out += std::string(raw) + ":";
    return Status{};
  };
  use.member = [&](std::string_view raw) {
    out += " " + std::string(raw);
    return Status{};
  };
  use.end = [&]() -> Result<bool> {
    out += "\n";
    return true;
  };
  const Status done = for_each_cluster(testing::unsynced(), path, use);
  return done.ok() ? out : "error: " + done.error().message.substr(path.size());
}

TEST(ClusterLines, GivesOneNameAfterTheOther) {
  const std::string text =
      "{\"representative\": {\"id\": \"a ]}\\\"\"}, \"members\": [{\"id\": [1, 2]}, {\"id\": 7}]}\n"
      "{\"representative\": \"x\", \"other\": [1, {\"y\": 2}], \"members\": [\"y\",3]}\n";
  const std::string expected =
      "{\"id\": \"a ]}\\\"\"}: {\"id\": [1, 2]} {\"id\": 7}\n"
      "\"x\": \"y\" 3\n";
  EXPECT_EQ(read(text), expected);
  EXPECT_EQ(read(text, true), expected);
  EXPECT_EQ(read(""), "");
}

// A line may be longer than one read, and may lack a line end.
TEST(ClusterLines, OfAnyLength) {
  std::string text = "{\"representative\": 0, \"members\": [1";
  std::string expected = "0: 1";
  for (int i = 0; i < 300'000; ++i) {
    text += ", " + std::to_string(i);
    expected += " " + std::to_string(i);
  }
  EXPECT_EQ(read(text + "]}"), expected + "\n");
}

// Wherever a read ends: in a string, after a backslash, between brackets.
TEST(ClusterLines, OfValuesLongerThanARead) {
  std::mt19937_64 random(1);
  std::string text;
  std::string expected;
  const auto name = [&](std::size_t most) {
    std::string value = "{\"id\": \"";
    const std::string_view pieces[] = {"a", "\\\"", "\\\\", "]", "}", "{[", ", ", "\xc3\xa9"};
    for (std::size_t i = random() % most; i > 0; --i) value += pieces[random() % 8];
    return value + "\", \"more\": [[1, {\"x\": \"}\"}], " + std::to_string(random() % 1000) + "]}";
  };
  for (int i = 0; i < 40; ++i) {
    const std::size_t most = i % 10 == 3 ? std::size_t{1} << 21 : 2000;
    std::string value = name(most);
    text += "{\"representative\": " + value + ", \"members\": [";
    expected += value + ":";
    for (std::uint64_t j = 0; j < 1 + random() % 5; ++j) {
      value = name(2000);
      text += (j == 0 ? "" : ", ") + value;
      expected += " " + value;
    }
    text += "]}\n";
    expected += "\n";
  }
  EXPECT_TRUE(read(text) == expected);
  EXPECT_TRUE(read(text, true) == expected);
  // A value that never ends.
  EXPECT_EQ(read(text + "{\"representative\": \"" + std::string(std::size_t{3} << 20, '\\')),
            "error: :41 is damaged");
}

TEST(ClusterLines, NamesTheLineOfDamage) {
  const std::string good = "{\"representative\": 0, \"members\": [1]}\n";
  for (const char* bad :
       {"[]", "{}", "{\"members\": [1], \"representative\": 0}", "{\"representative\": 0}",
        "{\"representative\": 0, \"members\": [1", "{\"representative\": 0, \"members\": [1,]}",
        "{\"representative\": 0, \"members\": [1}",
        "{\"representative\": {\"a\": 0, \"members\": [1]}", "{\"representative\": \"", "\xff"}) {
    EXPECT_EQ(read(good + bad + "\n"), "error: :2 is damaged") << bad;
  }
}

}  // namespace
}  // namespace twinset
