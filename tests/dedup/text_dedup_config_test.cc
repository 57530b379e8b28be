// Configurations of text-dedup as options.
#include <gtest/gtest.h>

#include <string>

#include "system/memory_files.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

constexpr std::string_view usual_config = R"([input]
input_type = "local_files"
file_type = "json"

[input.read_arguments]
path = "json"
data_files = "texts.jsonl"
split = "train"

[algorithm]
algorithm_name = "minhash"
text_column = "text"
index_column = "id"
seed = 42
batch_size = 10000
num_perm = 240
threshold = 0.5
ngram_size = 3
check_false_positive = true

[output]
output_dir = "clean"
clean_cache = false
save_clusters = true
)";

/// The usual configuration with `good`, once in it, replaced.
Result<TextDedupConfig> read_config(std::string_view good = "", std::string_view other = "") {
  std::string toml(usual_config);
  if (!good.empty()) toml.replace(toml.find(good), good.size(), other);
  MemoryFiles files;
  EXPECT_TRUE(files.write("c.toml", toml).ok());
  return read_text_dedup_config(files, "c.toml");
}

std::string options_text(const Result<TextDedupConfig>& config) {
  if (!config.ok()) return config.error().text(Door::command_line);
  std::string text;
  for (const auto& [name, value] : config.value().options) text += name + "=" + value + " ";
  return text;
}

TEST(TextDedupConfig, Minhash) {
  const Result<TextDedupConfig> config = read_config();
  EXPECT_EQ(options_text(config),
            "inputs=texts.jsonl output=clean text=text id=id min_tokens=5 resemblance=0.5 "
            "scheme=fss(shingle=3) seed=42 ");
  EXPECT_EQ(config.value().without_counterpart,
            (std::vector<std::string>{"algorithm.batch_size", "algorithm.num_perm",
                                      "output.clean_cache"}));
  EXPECT_NE(options_text(read_config("threshold = 0.5", "threshold = 1")).find("resemblance=1 "),
            std::string::npos);
}

TEST(TextDedupConfig, EachOptionIsOneOfDedup) {
  DedupOptions options;
  for (const auto& [name, value] : read_config().value().options) {
    bool found = false;
    for (const Option& option : options_of(options)) {
      if (option.name() != name) continue;
      found = true;
      EXPECT_TRUE(option.set(value).ok()) << name;
    }
    EXPECT_TRUE(found) << name;
  }
  EXPECT_EQ(options.resemblance, Ratio(1, 2));
  EXPECT_EQ(options.inputs, std::vector<std::string>{"texts.jsonl"});
}

TEST(TextDedupConfig, OtherAlgorithms) {
  EXPECT_EQ(options_text(read_config("\"minhash\"", "\"simhash\"\nbit_diff = 7\nf = 128")),
            "inputs=texts.jsonl output=clean text=text id=id min_tokens=5 distance=7 "
            "scheme=simhash(shingle=3,bits=128) ");
  EXPECT_EQ(options_text(read_config("\"minhash\"", "\"bloom_filter\"")),
            "inputs=texts.jsonl output=clean text=text id=id resemblance=1 ");
}

TEST(TextDedupConfig, FilesBelowAFolder) {
  const auto begin = [](std::string_view files) {
    std::string both = "path = \"data/\"\n";
    both += files;
    const std::string text =
        options_text(read_config("path = \"json\"\ndata_files = \"texts.jsonl\"", both));
    return text.substr(0, text.find(" output"));
  };
  EXPECT_EQ(begin(""), "inputs=data/");
  EXPECT_EQ(begin("data_files = \"a.jsonl\""), "inputs=data/a.jsonl");
  EXPECT_EQ(begin("data_files = [\"a.jsonl\", \"/b.jsonl\"]"),
            "inputs=data/a.jsonl inputs=/b.jsonl");
}

TEST(TextDedupConfig, RefusalsNameTheFileAndTheKey) {
  const auto why = [](std::string_view good, std::string_view bad) {
    const Result<TextDedupConfig> config = read_config(good, bad);
    EXPECT_FALSE(config.ok());
    if (!config.ok()) {
      EXPECT_EQ(config.error().code, ErrorCode::usage);
    }
    return options_text(config);
  };
  EXPECT_EQ(
      why("\"minhash\"", "\"suffix_array\""),
      "c.toml: suffix_array removes passages: twinset spans with --cut does, whose --min-tokens "
      "is in words, not bytes");
  EXPECT_EQ(why("\"minhash\"", "\"bloom\""),
            "c.toml: algorithm_name \"bloom\" is not one of text-dedup's");
  EXPECT_EQ(why("output_dir = \"clean\"", ""), "c.toml: output.output_dir is missing");
  EXPECT_EQ(why("threshold = 0.5", ""), "c.toml: algorithm.threshold is missing");
  EXPECT_EQ(why("threshold = 0.5", "threshold = \"high\""),
            "c.toml: algorithm.threshold has a value that text-dedup does not take");
  EXPECT_EQ(why("seed = 42", "seed = true"),
            "c.toml: algorithm.seed has a value that text-dedup does not take");
  EXPECT_EQ(why("data_files = \"texts.jsonl\"", "data_files = [1]"),
            "c.toml: input.read_arguments.data_files has a value that text-dedup does not take");
  EXPECT_EQ(why("data_files = \"texts.jsonl\"", ""),
            "c.toml: input.read_arguments.data_files is missing");
  EXPECT_EQ(why("clean_cache = false", "skip_filtering = true"),
            "c.toml: skip_filtering keeps all texts: twinset cluster tells the groups");
  EXPECT_EQ(why("\"local_files\"", "\"local_hf_dataset\"").substr(0, 47),
            "c.toml: input_type \"local_hf_dataset\" is a data");
  EXPECT_EQ(why("[output]", "[output").substr(0, 30), "c.toml: not TOML: line 21: Err");
  EXPECT_EQ(why("[algorithm]", "algorithm = 3\n[other]"),
            "c.toml: algorithm.algorithm_name is missing");
  MemoryFiles files;
  const Result<TextDedupConfig> none = read_text_dedup_config(files, "none.toml");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace twinset
