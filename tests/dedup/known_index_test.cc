// dedup against an index: months one after the other keep what one run over all of them keeps, byte
// for byte; an index without texts decides by its sketches, and says so.
#include "dedup/known_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/scratch_folder.h"
#include "support_runs/job_fixture.h"
#include "twinset/index.h"

namespace twinset::testing {
namespace {

/// Records that are dealt to months: texts, versions of them that drift, and copies.
class MadeMonths {
 public:
  static constexpr std::size_t months = 5;

  explicit MadeMonths(std::uint64_t seed) : random_(seed) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 60; ++i) {
      std::vector<std::string> words(40 + random_() % 160);
      for (std::string& word : words) word = "w" + std::to_string(random_() % 20'000);
      const std::size_t versions = 1 + random_() % 8;
      for (std::size_t version = 0; version < versions; ++version) {
        texts.push_back(joined(words, " "));
        if (random_() % 4 == 0) texts.push_back(texts.back());
        if (random_() % 4 == 0) texts.push_back(joined(words, ", "));
        // A version has some 3 % of other words, next to each other.
        const std::size_t edits = 1 + words.size() / 33;
        const std::size_t first = random_() % (words.size() - edits);
        for (std::size_t at = first; at < first + edits; ++at) {
          words[at] = "e" + std::to_string(random_());
        }
      }
    }
    for (const char* text : {"", "...", "few words"}) texts.insert(texts.end(), 3, text);
    std::shuffle(texts.begin(), texts.end(), random_);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::size_t month = i * months / texts.size();
      const std::string number = std::to_string(random_() % 50);
      // Many have the id of another, and some none.
      const std::string id = i % 7 == 0 ? "" : "\"id\": \"d" + number + "\", ";
      const std::size_t day = 1 + random_() % 28;
      lines_[month] += "{" + id + "\"text\": \"" + texts[i] + "\", \"date\": \"2026-0" +
                       std::to_string(month + 1) + (day < 10 ? "-0" : "-") + std::to_string(day) +
                       "\"}\n";
    }
    for (std::size_t month = 0; month < months; ++month) {
      paths_.push_back(folder_.write("m" + std::to_string(month) + ".jsonl", lines_[month]));
    }
  }

  const std::vector<std::string>& paths() const { return paths_; }
  const ScratchFolder& folder() const { return folder_; }

  DedupOptions options(const std::string& output) const {
    DedupOptions options;
    options.output = folder_ / output;
    options.input.id = "id";
    return options;
  }
  IndexOptions index_options(bool texts) const {
    IndexOptions options;
    options.index = folder_ / (texts ? "texts.index" : "sketches.index");
    options.settings.scheme = {"fss"};
    options.settings.resemblance = Ratio(4, 5);
    options.settings.texts = texts;
    return options;
  }

  std::string kept(const std::string& output, std::size_t month) const {
    return folder_.read(output + "/m" + std::to_string(month) + ".jsonl");
  }

 private:
  static std::string joined(const std::vector<std::string>& words, const std::string& between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
  }

  std::mt19937_64 random_;
  ScratchFolder folder_;
  std::map<std::size_t, std::string> lines_;
  std::vector<std::string> paths_;
};

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// Adds month after month to a new index; the outputs are PREFIX0, PREFIX1 and so on.
std::vector<DedupSummary> add_months(const MadeMonths& made, const std::string& keep, bool texts,
                                     const std::string& prefix) {
  const IndexOptions index = made.index_options(texts);
  EXPECT_TRUE(create_index(index, quiet_control()).ok());
  std::vector<DedupSummary> summaries;
  for (std::size_t month = 0; month < MadeMonths::months; ++month) {
    DedupOptions options = made.options(prefix + std::to_string(month));
    options.keep = keep;
    options.against = {index.index};
    options.add = true;
    options.inputs = {made.paths()[month]};
    auto done = dedup(options, quiet_control());
    EXPECT_TRUE(done.ok()) << done.error().message;
    if (!done.ok()) return summaries;
    summaries.push_back(std::move(done).value());
  }
  return summaries;
}

TEST(KnownIndex, MonthsKeepWhatOneRunOverAllKeeps) {
  for (const std::string keep : {"first", "oldest:date"}) {
    std::uint64_t removed_later = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const MadeMonths made(seed);
      DedupOptions all = made.options("all");
      all.keep = keep;
      all.inputs = made.paths();
      ASSERT_TRUE(dedup(all, quiet_control()).ok());
      const std::vector<DedupSummary> months = add_months(made, keep, true, "month");
      ASSERT_EQ(months.size(), MadeMonths::months);
      for (std::size_t month = 0; month < MadeMonths::months; ++month) {
        EXPECT_EQ(made.kept("month" + std::to_string(month), month), made.kept("all", month))
            << keep << ", seed " << seed << ", month " << month;
        EXPECT_EQ(months[month].added, months[month].total.kept);
        EXPECT_FALSE(months[month].by_known_sketch.has_value());
        if (month > 0) removed_later += months[month].total.near;
      }
    }
    EXPECT_GT(removed_later, 200U) << "too little was planted";
  }
}

TEST(KnownIndex, HoldsEachDocumentOnceWithItsSurvivor) {
  const MadeMonths made(7);
  const std::vector<DedupSummary> months = add_months(made, "first", true, "month");
  ASSERT_EQ(months.size(), MadeMonths::months);
  std::uint64_t kept = 0;
  for (const DedupSummary& month : months) kept += month.total.kept;
  IndexOptions options = made.index_options(true);
  const auto before = verify_index(options, quiet_control());
  ASSERT_TRUE(before.ok()) << before.error().message;
  EXPECT_EQ(before.value().stats.documents, kept);
  EXPECT_GT(before.value().stats.removed, 100U);
  // The same after all is one segment.
  ASSERT_TRUE(compact_index(options, quiet_control()).ok());
  const auto after = verify_index(options, quiet_control());
  ASSERT_TRUE(after.ok()) << after.error().message;
  EXPECT_EQ(after.value().stats.documents, kept);
  EXPECT_EQ(after.value().stats.removed, before.value().stats.removed);

  // Nothing that it has seen stays, whatever became of it; the same command says so again.
  for (std::size_t month = 0; month < MadeMonths::months; ++month) {
    DedupOptions again = made.options("again" + std::to_string(month));
    again.against = {options.index};
    again.inputs = {made.paths()[month]};
    const auto done = dedup(again, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().total.kept, 0U) << month;
  }
  EXPECT_EQ(index_stats(options, quiet_control()).value().stats.changes,
            after.value().stats.changes);
}

TEST(KnownIndex, WithoutTextsDecidesByItsSketches) {
  std::uint64_t kept = 0;
  std::uint64_t other = 0;
  std::uint64_t by_sketch = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const MadeMonths made(seed);
    ASSERT_EQ(add_months(made, "first", true, "text").size(), MadeMonths::months);
    const std::vector<DedupSummary> months = add_months(made, "first", false, "sketch");
    ASSERT_EQ(months.size(), MadeMonths::months);
    for (std::size_t month = 0; month < MadeMonths::months; ++month) {
      const std::string by_text = made.kept("text" + std::to_string(month), month);
      const std::string by_sketches = made.kept("sketch" + std::to_string(month), month);
      const std::size_t a = count_lines(by_text);
      const std::size_t b = count_lines(by_sketches);
      kept += a;
      other += a < b ? b - a : a - b;
      by_sketch += *months[month].by_known_sketch;
      EXPECT_EQ(*months[month].by_known_sketch > 0,
                std::ranges::any_of(months[month].warnings, [](const std::string& warning) {
                  return warning.find("it keeps no texts") != std::string::npos;
                }));
    }
  }
  EXPECT_GT(by_sketch, 100U);
  EXPECT_LT(other, kept / 20) << "of " << kept;
}

TEST(KnownIndex, AFinishedRunIsHeldAgainstTheIndexAsItIs) {
  const MadeMonths made(2);
  const IndexOptions index = made.index_options(true);
  ASSERT_TRUE(create_index(index, quiet_control()).ok());
  DedupOptions add = made.options("added");
  add.against = {index.index};
  add.add = true;
  add.inputs = {made.paths()[0]};
  DedupOptions ask = made.options("asked");
  ask.against = {index.index};
  ask.inputs = {made.paths()[1]};
  const auto first = dedup(ask, quiet_control());
  ASSERT_TRUE(first.ok()) << first.error().message;
  const auto added = dedup(add, quiet_control());
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_TRUE(dedup(add, quiet_control()).ok()) << "nothing is left to do";
  EXPECT_FALSE(dedup(ask, quiet_control()).ok()) << "the output answers for the old index";
  ASSERT_EQ(std::filesystem::remove_all(index.index) > 0, true);
  ASSERT_TRUE(create_index(index, quiet_control()).ok());
  const auto lost = dedup(add, quiet_control());
  ASSERT_FALSE(lost.ok());
  EXPECT_NE(lost.error().message.find("has none of its records"), std::string::npos)
      << lost.error().message;
}

TEST(KnownIndex, TakesItsOwnSchemeAndWarnsBelowItsPlan) {
  const MadeMonths made(4);
  const IndexOptions index = made.index_options(true);
  ASSERT_TRUE(create_index(index, quiet_control()).ok());
  for (const Ratio least : {Ratio(4, 5), Ratio(1, 2)}) {
    DedupOptions options = made.options("at" + least.text());
    options.against = {index.index};
    options.inputs = {made.paths()[0]};
    options.resemblance = least;
    options.typed = {"scheme"};
    const auto done = dedup(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    const auto warns = [](const std::string& warning) {
      return warning.find("was made for a resemblance of 4/5") != std::string::npos ||
             warning.find("was made for a resemblance of 0.8") != std::string::npos;
    };
    EXPECT_EQ(std::ranges::any_of(done.value().warnings, warns), least.value() < 0.8);
  }
}

TEST(KnownIndex, IsInReportsWithAndWithoutTexts) {
  const MadeMonths made(3);
  for (const bool texts : {false, true}) {
    const IndexOptions index = made.index_options(texts);
    ASSERT_TRUE(create_index(index, quiet_control()).ok());
    for (std::size_t month = 0; month < 2; ++month) {
      const std::string output = (texts ? "t" : "s") + std::to_string(month);
      DedupOptions options = made.options(output);
      options.against = {index.index};
      options.add = true;
      options.inputs = {made.paths()[month]};
      options.report = made.folder() / (output + ".html");
      const auto done = dedup(options, quiet_control());
      ASSERT_TRUE(done.ok()) << done.error().message;
      const std::string facts = made.folder().read(output + ".json");
      EXPECT_EQ(facts.find("keeps no texts") != std::string::npos, month == 1 && !texts);
    }
  }
}

TEST(KnownIndex, RefusesWhatItCannotDo) {
  const MadeMonths made(1);
  const IndexOptions index = made.index_options(true);
  ASSERT_TRUE(create_index(index, quiet_control()).ok());
  const auto refusal = [&](const std::function<void(DedupOptions&)>& change) {
    DedupOptions options = made.options("out");
    options.inputs = {made.paths()[0]};
    options.against = {index.index};
    change(options);
    const auto done = dedup(options, quiet_control());
    EXPECT_FALSE(done.ok());
    return done.ok() ? "" : done.error().message;
  };
  const auto says = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  says(refusal([&](DedupOptions& options) { options.against.push_back(made.paths()[1]); }),
       "is an index");
  says(refusal([](DedupOptions& options) { options.containment = Ratio(9, 10); }), "whole texts");
  says(refusal([](DedupOptions& options) { options.within = "date"; }), "no parts");
  says(refusal([](DedupOptions& options) { options.templates = Templates::drop; }), "whole texts");
  says(refusal([](DedupOptions& options) { options.add = options.dry_run = true; }),
       "changes no index");
  says(refusal([&](DedupOptions& options) {
         options.against = {made.paths()[1]};
         options.add = true;
       }),
       "is for an index");
  says(refusal([](DedupOptions& options) { options.date = "date"; }), "is kept by");
  says(refusal([](DedupOptions& options) {
         options.scheme = "minhash";
         options.typed = {"scheme"};
       }),
       "has no scheme minhash");
  says(refusal([](DedupOptions& options) {
         options.analyzer = "code";
         options.typed = {"analyzer"};
       }),
       "is not that of the index");
  says(refusal([](DedupOptions& options) { options.url = "date"; }), "is kept by");
  says(refusal([&](DedupOptions& options) { options.output = index.index + "/7"; }),
       "lies in the index");
  EXPECT_FALSE(std::filesystem::exists(made.folder() / "out"));

  // Schemes that find nothing in an index, or that cannot decide without texts.
  IndexOptions other = made.index_options(false);
  other.settings.scheme = {"simhash", "super_shingle"};
  ASSERT_TRUE(create_index(other, quiet_control()).ok());
  says(refusal([&](DedupOptions& options) { options.against = {other.index}; }),
       "needs a scheme of bands, such as fss, that estimates resemblance");
}

}  // namespace
}  // namespace twinset::testing
