// toml++ reads the file, whole; each key is taken out of its table by name, and what is left has
// no counterpart.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include "base/message.h"
#include "system/files.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_config_bytes = std::uint64_t{1} << 20;
/// The loaders of Hugging Face that `path` may name in place of a folder.
constexpr std::array<std::string_view, 5> loaders{"arrow", "csv", "json", "parquet", "text"};

/// A value as it could be typed; nothing if it is not of these types.
template <class T>
std::optional<std::string> text_of(const toml::node& node) {
  const auto* const value = node.as<T>();
  if (value == nullptr) return std::nullopt;
  if constexpr (std::is_same_v<T, bool>) {
    return value->get() ? "true" : "false";
  } else {
    return fmt::format("{}", value->get());
  }
}

/// Reads a file; the first Error stays.
class ConfigReader {
 public:
  ConfigReader(std::string path, toml::table table)
      : path_(std::move(path)), table_(std::move(table)) {}

  Result<TextDedupConfig> read() {
    const std::string name = need<std::string>("algorithm", "algorithm_name");
    read_inputs();
    add("output", need<std::string>("output", "output_dir"));
    add("text", need<std::string>("algorithm", "text_column"));
    if (take<bool>("output", "skip_filtering").value_or("") == "true") {
      refuse("skip_filtering keeps all texts: " + verb("cluster") + " tells the groups");
    }
    add("id", take<std::string>("algorithm", "index_column"));
    add("threads", take<std::int64_t>("algorithm", "num_proc"));
    read_algorithm(name);
    take<bool>("output", "save_clusters");  // clusters.jsonl.zst is always written.
    if (!status_.ok()) return status_.error();
    list_rest();
    return std::move(config_);
  }

 private:
  void refuse(const std::string& why) {
    if (status_.ok()) status_ = usage_error(path_ + ": " + why);
  }

  /// Takes a key out of a table, "input.read_arguments"; its value must be of one of the types.
  template <class... Types>
  std::optional<std::string> take(std::string_view table, std::string_view key) {
    toml::table* const found = table_.at_path(table).as_table();
    const toml::node* const node = found == nullptr ? nullptr : found->get(key);
    if (node == nullptr) return std::nullopt;
    std::optional<std::string> value;
    ((value = value.has_value() ? value : text_of<Types>(*node)), ...);
    if (!value.has_value()) {
      refuse(fmt::format("{}.{} has a value that text-dedup does not take", table, key));
    }
    found->erase(key);
    return value;
  }

  template <class... Types>
  std::string need(std::string_view table, std::string_view key) {
    std::optional<std::string> value = take<Types...>(table, key);
    if (!value.has_value()) refuse(fmt::format("{}.{} is missing", table, key));
    return value.value_or("");
  }

  void add(std::string name, std::optional<std::string> value) {
    if (value.has_value()) config_.options.emplace_back(std::move(name), *std::move(value));
  }

  void read_inputs() {
    constexpr std::string_view reading = "input.read_arguments";
    const std::string kind = take<std::string>("input", "input_type").value_or("local_files");
    if (kind != "local_files") {
      refuse("input_type \"" + kind +
             "\" is a dataset on disk: name its files as inputs, or pass the dataset in Python");
      return;
    }
    take<std::string>("input", "file_type");
    const std::string place = need<std::string>(reading, "path");
    std::vector<std::string> names = take_names(reading, "data_files");
    if (std::ranges::find(loaders, place) != loaders.end()) {
      if (names.empty()) refuse("input.read_arguments.data_files is missing");
    } else if (names.empty()) {
      names = {place};
    } else {
      for (std::string& name : names) {
        if (!name.starts_with('/')) name.insert(0, folder_path(place) + "/");
      }
    }
    for (std::string& name : names) add("inputs", std::move(name));
    const toml::table* const found = table_.at_path(reading).as_table();
    if (found != nullptr && (*found)["split"].value_or("") == std::string_view("train")) {
      take<std::string>(reading, "split");
    }
  }

  /// A string, or a list of strings.
  std::vector<std::string> take_names(std::string_view table, std::string_view key) {
    std::vector<std::string> names;
    if (const toml::array* const list = table_.at_path(fmt::format("{}.{}", table, key)).as_array();
        list != nullptr && list->is_homogeneous(toml::node_type::string)) {
      for (const toml::node& node : *list) names.push_back(node.value_or(std::string()));
      table_.at_path(table).as_table()->erase(key);
    } else if (std::optional<std::string> name = take<std::string>(table, key)) {
      names.push_back(*std::move(name));
    }
    return names;
  }

  void read_algorithm(const std::string& name) {
    const auto number = [&](std::string_view key, std::string_view usual) {
      return take<std::int64_t>("algorithm", key).value_or(std::string(usual));
    };
    const std::optional<std::string> seed = take<std::int64_t>("algorithm", "seed");
    if (name == "minhash") {
      add("min_tokens", number("min_length", "5"));
      add("resemblance", need<double, std::int64_t>("algorithm", "threshold"));
      add("scheme", "fss(shingle=" + number("ngram_size", "1") + ")");
      take<bool>("algorithm", "check_false_positive");
      add("seed", seed);
    } else if (name == "simhash") {
      add("min_tokens", number("min_length", "5"));
      add("distance", number("bit_diff", "3"));
      const std::string bits = number("f", "64");
      add("scheme", "simhash(shingle=" + number("ngram_size", "3") +
                        ",bits=" + number("hash_bits", bits) + ")");
    } else if (name == "bloom_filter") {
      add("resemblance", "1");
    } else if (name == "suffix_array") {
      refuse("suffix_array removes passages: " + verb("spans") + " with " + switch_on("cut") +
             " does, whose " + option("min_tokens") + " is in words, not bytes");
    } else if (status_.ok()) {
      refuse("algorithm_name \"" + name + "\" is not one of text-dedup's");
    }
  }

  /// Keys that are left, in the order of the file.
  void list_rest() {
    std::vector<std::pair<toml::source_index, std::string>> rest;
    const auto list = [&](const auto& self, const toml::table& table,
                          const std::string& prefix) -> void {
      for (const auto& [key, node] : table) {
        const std::string name = prefix + std::string(key.str());
        if (const toml::table* const inner = node.as_table()) {
          self(self, *inner, name + ".");
        } else {
          rest.emplace_back(key.source().begin.line, name);
        }
      }
    };
    list(list, table_, "");
    std::ranges::stable_sort(rest, {}, &std::pair<toml::source_index, std::string>::first);
    for (auto& [line, name] : rest) config_.without_counterpart.push_back(std::move(name));
  }

  const std::string path_;
  toml::table table_;
  TextDedupConfig config_;
  Status status_;
};

}  // namespace

Result<TextDedupConfig> read_text_dedup_config(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(const std::string bytes, read_whole_file(files, path, most_config_bytes));
  toml::parse_result parsed = toml::parse(bytes, path);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return usage_error(fmt::format("{}: not TOML: line {}: {}", path, error.source().begin.line,
                                   error.description()));
  }
  return ConfigReader(path, std::move(parsed).table()).read();
}

}  // namespace twinset
