// Shared by the tests of search: an index of JSON Lines in a folder of its own, and what is asked
// of it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "io/json_read.h"
#include "support/scratch_folder.h"
#include "support_runs/job_fixture.h"
#include "twinset/index.h"

namespace twinset::testing {

/// Takes lines in place of a file.
class LineSink final : public RecordSink {
 public:
  Status write(std::string_view bytes) override {
    text += bytes;
    return {};
  }
  std::string text;
};

inline std::string record_line(const std::string& id, const std::string& text,
                               const std::string& more = "") {
  return "{\"id\": \"" + id + "\", \"text\": \"" + text + "\"" + more + "}\n";
}

/// `words` words, the same for a seed.
inline std::string words_of(std::uint64_t seed, std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    text += (i > 0 ? " w" : "w") + std::to_string(mix64(seed << 20 | i) % 20'000);
  }
  return text;
}

struct SearchFolder {
  ScratchFolder folder;
  IndexOptions options;

  SearchFolder() { options.index = folder / "x"; }
  Result<IndexSummary> create() { return create_index(options, quiet_control()); }
  Result<IndexSummary> add(const std::string& lines) {
    folder.write("in.jsonl", lines);
    options.inputs = {folder / "in.jsonl"};
    return add_to_index(options, quiet_control());
  }
  Result<IndexSummary> remove(std::vector<std::string> ids) {
    options.inputs = std::move(ids);
    return delete_from_index(options, quiet_control());
  }
  /// The lines of an export.
  std::vector<std::string> all() {
    LineSink lines;
    RunControl control = quiet_control();
    control.kept = &lines;
    const auto done = export_index(options, control);
    EXPECT_TRUE(done.ok()) << done.error().message;
    return lines_of(lines.text);
  }
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      lines.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return lines;
  }
};

}  // namespace twinset::testing
