// A small dedup run with known answers, for the tests of the code around it: n1 and its copies (n2
// identical, n3 lexical, n4 near), n5 apart, one bad line.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/scratch_folder.h"
#include "twinset/dedup.h"

namespace twinset::testing {

struct SmallRun {
  ScratchFolder folder;
  DedupOptions options;
  DedupSummary summary;
  std::string input;

  SmallRun() {
    const std::string text =
        "The library will be closed on Monday for the yearly cleaning of its halls and the "
        "repair of the old heating; books may be returned at the front desk as usual and "
        "nothing falls due that day";
    const auto line = [](const std::string& id, const std::string& words) {
      return R"({"id":")" + id + R"(","text":")" + words + "\"}\n";
    };
    std::string loud = text;
    loud.replace(0, 11, "THE LIBRARY");
    std::string near = text;
    near.replace(near.rfind("day"), 3, "week");
    input = folder.write("notices.jsonl",
                         line("n1", text) + line("n2", text) + line("n3", loud) + line("n4", near) +
                             "{\"id\":\"broken\"\n" +
                             line("n5",
                                  "quite another matter altogether, with words of its own "
                                  "that nobody else in this collection has used"));
    options.inputs = {input};
    options.output = folder / "out";
    options.input.max_record = 1 << 20;
  }

  /// Runs and expects success.
  void run() {
    Result<DedupSummary> done = dedup(options, RunControl{});
    ASSERT_TRUE(done.ok()) << done.error().message;
    summary = std::move(done).value();
  }
};

}  // namespace twinset::testing
