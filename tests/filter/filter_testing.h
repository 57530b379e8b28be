// Shared by the tests of filter: a set of prototypes in memory, by a clock of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "filter/prototypes.h"
#include "io/json.h"
#include "system/memory_files.h"

namespace twinset::testing {

/// `words` words, the same for a seed.
inline std::string message_of(std::uint64_t seed, std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    text += (i > 0 ? " w" : "w") + std::to_string(mix64(seed << 20 | i) % 20'000);
  }
  return text;
}

struct ToySet {
  ToySet() {
    options.set = "set";
    control.files = &files;
  }
  Prototypes& open() {
    prototypes.reset();
    auto opened =
        Prototypes::open(options, control, {[this] { return now; }, [this] { return now; }});
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    prototypes = std::move(opened).value();
    return *prototypes;
  }
  static PrototypeChange adding(const std::string& id, std::string text) {
    PrototypeChange change;
    append_json_string(change.id, id);
    change.text = std::move(text);
    return change;
  }
  static PrototypeChange removing(const std::string& id) {
    PrototypeChange change;
    change.removes = true;
    append_json_string(change.id, id);
    return change;
  }
  Status change(std::vector<PrototypeChange> changes) const { return prototypes->change(changes); }
  FilterAnswer check(const std::string& text) const {
    Record record;
    record.text = text;
    const auto answer = PrototypeChecker(*prototypes).check(record);
    EXPECT_TRUE(answer.ok()) << answer.error().message;
    return answer.value();
  }
  /// The id of the prototype that matches; empty: none does.
  std::string matched(const std::string& text) const {
    const FilterAnswer answer = check(text);
    EXPECT_EQ(answer.verdict == FilterVerdict::match, answer.prototype.has_value());
    return answer.prototype.has_value() ? answer.prototype->document.id : "";
  }

  MemoryFiles files;
  FilterOptions options;
  RunControl control;
  std::int64_t now = 1'000'000;
  std::unique_ptr<Prototypes> prototypes;
};

}  // namespace twinset::testing
