// Versions of a page that an index holds: with texts they are what track() says of the same
// records, and without them what the sketches of the index can tell.
#include <algorithm>

#include "collection/output_lines.h"
#include "io/field_json.h"
#include "search/search_testing.h"
#include "track/track_run.h"
#include "track/track_testing.h"
#include "twinset/field.h"
#include "twinset/index.h"

namespace twinset::testing {
namespace {

std::string version_line(const std::string& id, const std::string& url, const std::string& date,
                         const std::string& text) {
  return record_line(id, text, ", \"url\": \"" + url + "\", \"date\": \"" + date + "\"");
}

/// `text` with its last words replaced.
std::string with_end(const std::string& text, const std::string& end) {
  return text.substr(0, text.size() - end.size()) + end;
}

struct VersionsFolder : SearchFolder {
  explicit VersionsFolder(std::vector<std::string> schemes, bool texts = false) {
    options.settings.scheme = std::move(schemes);
    options.settings.texts = texts;
    options.url = "url";
    options.date = "date";
    EXPECT_TRUE(create().ok());
  }
  TrackedPage track(const std::string& url) const {
    const Index index = Index::open(options.index).value();
    const auto page = index.track(url);
    EXPECT_TRUE(page.ok()) << page.error().message;
    return page.ok() ? page.value() : TrackedPage();
  }
};

std::string kinds_of(const TrackedPage& page) {
  std::string out;
  for (const TrackedVersion& each : page.versions) {
    out += each.kind.has_value() ? "=slbB"[static_cast<std::size_t>(*each.kind)] : '.';
  }
  return out;
}

const std::string first_text = words_of(1, 400);

std::string history() {
  const std::string url = "http://a.org/x";
  return version_line("v3", url, "2026-01-03", with_end(first_text, "one more end")) +
         version_line("v1", url, "2026-01-01", first_text) +
         version_line("v2", url, "2026-01-02", first_text) +
         version_line("v4", url, "2026-01-04", words_of(9, 20)) +
         version_line("v5", url, "2026-01-05", first_text) +
         version_line("v6", url, "2026-01-06", words_of(2, 400)) +
         version_line("v7", url, "no date", words_of(3, 400)) +
         version_line("o", "http://a.org/o", "2026-01-09", words_of(4, 400));
}

TEST(TrackIndex, WithTextsItIsWhatTrackSays) {
  VersionsFolder toy({"mod"}, true);
  ASSERT_TRUE(toy.add(history()).ok());
  const TrackedPage page = toy.track("http://a.org/x");
  EXPECT_EQ(kinds_of(page), ".=sbBl");
  ASSERT_EQ(page.versions.size(), 6U);
  EXPECT_EQ(page.versions[2].id, "\"v3\"");
  EXPECT_EQ(page.versions[2].date, "2026-01-03");
  EXPECT_TRUE(page.gone) << "not seen on the last day";
  // The same of a run over the same records.
  TrackOptions options;
  options.inputs = {toy.folder / "in.jsonl"};
  options.url = "url";
  options.date = "date";
  options.output = toy.folder / "changes";
  options.resources.threads = 1;
  ASSERT_TRUE(run_track(options, quiet_control(), nullptr).ok());
  std::uint64_t found = 0;
  const auto compare = [&](std::string_view raw) -> Result<bool> {
    TrackedPage of_run;
    TWINSET_TRY(read_fields(raw, "the line", fields_of(of_run)));
    if (!of_run.url.ends_with("a.org/x")) return true;
    ++found;
    EXPECT_EQ(of_run.versions.size(), page.versions.size());
    for (std::size_t i = 0; i < std::min(page.versions.size(), of_run.versions.size()); ++i) {
      EXPECT_EQ(of_run.versions[i].id, page.versions[i].id);
      EXPECT_EQ(of_run.versions[i].kind, page.versions[i].kind) << i;
      EXPECT_EQ(of_run.versions[i].distance, page.versions[i].distance) << i;
      EXPECT_NEAR(of_run.versions[i].resemblance.value_or(-1),
                  page.versions[i].resemblance.value_or(-1), 1e-5);
    }
    EXPECT_EQ(of_run.gone, page.gone);
    EXPECT_EQ(of_run.recrawl_days, page.recrawl_days);
    return true;
  };
  ASSERT_TRUE(for_each_raw_line(disk(), toy.folder / "changes/changes.jsonl.zst", compare).ok());
  EXPECT_EQ(found, 1U);
}

TEST(TrackIndex, WithoutTextsItsSketchesTell) {
  VersionsFolder both({"mod", "simhash"});
  ASSERT_TRUE(both.add(history()).ok());
  TrackedPage page = both.track("http://a.org/x");
  EXPECT_EQ(kinds_of(page), ".=sbBl");
  EXPECT_TRUE(page.versions[2].distance.has_value());
  EXPECT_GT(page.versions[2].resemblance.value(), 0.8);
  VersionsFolder samples({"mod"});
  ASSERT_TRUE(samples.add(history()).ok());
  page = samples.track("http://a.org/x");
  EXPECT_EQ(kinds_of(page), ".=sbBl");
  EXPECT_FALSE(page.versions[2].distance.has_value());
  VersionsFolder signatures({"simhash"});
  ASSERT_TRUE(signatures.add(history()).ok());
  page = signatures.track("http://a.org/x");
  EXPECT_EQ(kinds_of(page), ".=slll") << "nothing tells that it came back";
  EXPECT_FALSE(page.versions[3].resemblance.has_value());
}

TEST(TrackIndex, UnknownAndUndatedPages) {
  VersionsFolder toy({"mod"});
  ASSERT_TRUE(toy.add(history() + version_line("u", "http://a.org/u", "", "a text")).ok());
  const TrackedPage none = toy.track("http://a.org/none");
  EXPECT_EQ(none.url, "http://a.org/none");
  EXPECT_TRUE(none.versions.empty());
  const auto undated = Index::open(toy.options.index).value().track("http://a.org/u");
  ASSERT_FALSE(undated.ok());
  EXPECT_EQ(undated.error().code, ErrorCode::usage);
  EXPECT_EQ(toy.track("http://a.org/o").versions.size(), 1U);
  EXPECT_FALSE(toy.track("http://a.org/o").gone);
}

}  // namespace
}  // namespace twinset::testing
