// The labels that detection found, from the matches of its folder: each with the text that was
// quoted and the pages that have it. Drawing counts the matches of each label found, so memory
// grows with those labels, not with the matches; what is shown is read in one more pass over them.
#include <map>
#include <unordered_map>

#include "collection/output_lines.h"
#include "io/json_read.h"
#include "judge/source.h"
#include "run/summary.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t most_places = 10;
constexpr const char* matches_file_name = "matches.jsonl.zst";

class MatchSource final : public JudgeSource {
 public:
  MatchSource(FileSystem& files, const std::string& folder, const std::atomic<bool>* cancel,
              const Analyzer& analyzer)
      : files_(files),
        path_(folder + "/" + matches_file_name),
        cancel_(cancel),
        analyzer_(analyzer) {}

  Judged kind() const override { return Judged::labels; }
  const Analyzer& analyzer() const override { return analyzer_; }
  unsigned shingle_tokens() const override { return 1; }

  Status draw(Sampler& sampler) override {
    TWINSET_TRY(check_label_classes(sampler.rule().by));
    std::unordered_map<std::string, std::uint64_t> found;  // By hash and kind.
    TWINSET_TRY(for_each_match([&](const std::string& name, const JsonNode&) -> Status {
      ++found[name];
      return {};
    }));
    for (const auto& [name, count] : found) {
      SamplePair pair;
      const std::size_t blank = name.find(' ');
      pair.a.document.id = name.substr(0, blank);
      pair.b.document.id = name.substr(blank + 1);
      pair.value.label = pair.b.document.id;
      pair.value.count = count;
      TWINSET_TRY(sampler.add(std::move(pair)));
    }
    return {};
  }

  Status name(std::vector<SamplePair>&) override { return {}; }

  Result<std::vector<JudgedPair>> read(std::span<const SamplePair> pairs) override {
    std::map<std::string, Found> wanted;
    for (const SamplePair& pair : pairs) wanted[name_of(pair)];
    TWINSET_TRY(for_each_match([&](const std::string& name, const JsonNode& line) -> Status {
      const auto at = wanted.find(name);
      if (at != wanted.end()) at->second.add(line);
      return {};
    }));
    std::vector<JudgedPair> out;
    for (const SamplePair& pair : pairs) {
      const Found& found = wanted[name_of(pair)];
      if (found.matches == 0) {
        return io_error(visible_name(path_) + " has no match of " + pair.a.document.id +
                        " any more");
      }
      JudgedPair& shown = out.emplace_back();
      shown.a = {found.text, is_cut(found.text, found.length)};
      shown.b = {found.places, false};
      shown.name_b = "found " + format_count(found.matches, "time", "times") + " on " +
                     format_count(found.pages, "page", "pages");
      if (!found.known.empty()) shown.name_b += "; known from " + found.known;
    }
    return out;
  }

 private:
  /// What the matches of a label say; those of a page follow each other.
  struct Found {
    std::uint64_t matches = 0;
    std::uint64_t pages = 0;
    std::uint64_t length = 0;  ///< of the text in its page
    std::string text;
    std::string known;
    std::string places;
    std::size_t listed = 0;
    std::string last_url;

    void add(const JsonNode& line) {
      const std::string url = line["url"].text();
      const std::uint64_t begin = line["offset"].integer().value_or(0);
      const std::uint64_t bytes = line["length"].integer().value_or(0);
      if (matches++ == 0 || url != last_url) ++pages;
      last_url = url;
      if (text.empty()) {
        text = line["text"].text();
        length = bytes;
      }
      if (known.empty()) known = visible_name(line["label"]["url"].text());
      if (listed++ < most_places) places += place_line(url, begin, bytes);
    }
  };

  static std::string name_of(const SamplePair& pair) {
    return pair.a.document.id + " " + pair.b.document.id;
  }

  /// `use(name, line)`, with the hash and the kind as the name.
  template <class Use>
  Status for_each_match(Use&& use) {
    std::uint64_t number = 0;
    return for_each_line(files_, path_, [&](const JsonNode& line) -> Result<bool> {
      if (++number % lines_between_checks == 0) TWINSET_TRY(check_stop(cancel_));
      const std::string hash = line["hash"].text();
      const std::string kind = line["kind"].text();
      if (hash.empty() || hash.find(' ') != hash.npos || kind.empty()) {
        return io_error(visible_name(path_) + ":" + std::to_string(number) +
                        " is damaged: a match has a hash and a kind; make its folder again");
      }
      TWINSET_TRY(use(hash + " " + kind, line));
      return true;
    });
  }

  FileSystem& files_;
  std::string path_;
  const std::atomic<bool>* cancel_;
  const Analyzer& analyzer_;
};

}  // namespace

Result<bool> is_detection(FileSystem& files, const std::string& folder) {
  TWINSET_ASSIGN(const std::optional<SummaryFile> file, find_summary_file(files, folder));
  return file.has_value() && file->verb == "detect";
}

Result<std::unique_ptr<JudgeSource>> open_matches(FileSystem& files, const std::string& folder,
                                                  const std::atomic<bool>* cancel) {
  TWINSET_ASSIGN(const Analyzer* const analyzer, require_analyzer("words"));
  return std::unique_ptr<JudgeSource>(
      std::make_unique<MatchSource>(files, folder, cancel, *analyzer));
}

}  // namespace twinset
