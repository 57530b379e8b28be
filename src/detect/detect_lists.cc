#include "detect/detect_lists.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/message.h"
#include "base/varint.h"
#include "collection/output_files.h"
#include "detect/detect_fields.h"
#include "detect/detect_lines.h"
#include "io/field_json.h"
#include "reuse/label_lookup.h"
#include "system/ordered.h"
#include "twinset/ratio.h"

namespace twinset {
namespace {

constexpr std::size_t most_shown_matches = 12;
constexpr std::size_t most_shown_labels = 20;
constexpr std::size_t most_shown_errors = 20;
constexpr std::size_t most_samples = std::size_t{1} << 14;
/// Blobs of matches in a task.
constexpr std::uint64_t task_blobs = 4;

/// A list to write, or none. Its line is set, then added.
template <class T>
class ListFile {
 public:
  static Result<ListFile> create(const RunContext& context, const std::string& folder,
                                 const char* name, const FieldLine<T>& line = FieldLine<T>()) {
    ListFile list(line);
    if (folder.empty()) return list;
    TWINSET_ASSIGN(auto sink, create_output(*context.files, folder, name, Compression::zstd, 0));
    list.lines_ = std::make_unique<LineFile>(std::move(sink));
    return list;
  }
  T& line() { return *line_; }
  Status add() {
    if (lines_ == nullptr) return {};
    line_.append(lines_->buffer());
    return lines_->added();
  }
  Status add_lines(const std::string& lines) {
    if (lines_ == nullptr) return {};
    lines_->buffer() += lines;
    return lines_->added();
  }
  Status finish() { return lines_ == nullptr ? Status() : lines_->finish(); }

 private:
  explicit ListFile(const FieldLine<T>& line) : line_(line) {}

  std::unique_ptr<LineFile> lines_;
  FieldLine<T> line_;
};

bool is_more_often(const FoundOften& a, const FoundOften& b) {
  if (a.times != b.times) return a.times > b.times;
  return a.match.hash != b.match.hash ? a.match.hash < b.match.hash : a.match.kind < b.match.kind;
}

}  // namespace

Result<ThresholdRule> ThresholdRule::parse(const std::string& text, const char* option) {
  if (text == "auto") return ThresholdRule();
  const Result<Ratio> share = Ratio::parse(text);
  if (!share.ok()) {
    return usage_error(twinset::option(option, text) +
                       " is neither auto nor a share from 0 to 1, such as 0.163");
  }
  return ThresholdRule{share.value().value()};
}

DetectThreshold ThresholdRule::of(const ShareSums& sums) const {
  DetectThreshold threshold{sums.count(), sums.mean(), sums.deviation(), 0, 0};
  threshold.threshold = fixed.value_or(threshold.mean + threshold.deviation);
  return threshold;
}

bool DetectThreshold::is_above(std::uint64_t units) const {
  return share_of_units(units) > threshold;
}

Result<DetectThreshold> detect_threshold(const std::string& text, const char* option,
                                         const ShareSums& shares) {
  TWINSET_ASSIGN(const ThresholdRule rule, ThresholdRule::parse(text, option));
  return rule.of(shares);
}

Result<DetectRules> DetectRules::parse(const DetectOptions& options) {
  DetectRules rules;
  TWINSET_ASSIGN(rules.neighborhoods, ThresholdRule::parse(options.threshold, "threshold"));
  rules.pages = rules.neighborhoods;
  if (!options.page_threshold.empty()) {
    TWINSET_ASSIGN(rules.pages, ThresholdRule::parse(options.page_threshold, "page_threshold"));
  }
  rules.badness = options.badness;
  rules.top = options.top;
  rules.counts_labels = !options.report.empty();
  return rules;
}

// Labels that are found often.

void FoundOften::append_to(std::string& out) const {
  append_varint(times, out);
  append_match(match, out);
}

bool FoundOften::take(EncodedBytes& rest, FoundOften& out) {
  return take_varint(rest, out.times) && take_match(rest, out.match);
}

std::uint64_t FoundOften::memory_bytes() const {
  return sizeof *this + match.text.capacity() + match.sample.url.capacity();
}

bool DetectLists::ByLabelHash::operator()(const FoundOften& a, const FoundOften& b) const {
  return a.match.hash != b.match.hash ? a.match.hash < b.match.hash : a.match.kind < b.match.kind;
}

void DetectLists::ByLabelHash::add(FoundOften& sum, const FoundOften& other) {
  sum.times += other.times;
  if (sum.match.text.empty() || (!other.match.text.empty() && other.match.text < sum.match.text)) {
    sum.match.text = other.match.text;
  }
}

Status DetectLists::choose_labels() {
  if (times_ == nullptr) return {};
  TWINSET_TRY(times_->seal());
  TWINSET_ASSIGN(auto cursor, times_->read());
  for (;;) {
    TWINSET_ASSIGN(const FoundOften* label, cursor.next());
    if (label == nullptr) break;
    std::vector<FoundOften>& top = shown_.labels;
    if (top.size() == most_shown_labels && !is_more_often(*label, top.back())) continue;
    top.insert(std::ranges::upper_bound(top, *label, is_more_often), *label);
    if (top.size() > most_shown_labels) top.pop_back();
  }
  spilled_bytes_ += times_->spilled_bytes();
  times_.reset();
  return {};
}

// Matches, on all threads.

/// Some pages with their matches, or a part of those of a page with very many.
struct DetectLists::MatchesTask {
  struct Piece {
    LabeledPage page;                  ///< with its blobs of matches that the piece has
    bool begins = false;               ///< the page
    std::vector<PageMatch> matches{};  ///< if they are counted
  };
  std::vector<Piece> pieces;
  std::string lines;
};

/// Makes the lines of matches.
class DetectLists::MatchesWorker {
 public:
  explicit MatchesWorker(const DetectLists& lists) : lists_(lists) {}

  Status make(MatchesTask& task) {
    task.lines.clear();
    line_->hash = lists_.rules_.hash;
    for (MatchesTask::Piece& piece : task.pieces) {
      line_->url = piece.page.url;
      TWINSET_TRY(lists_.found_.for_each_match(piece.page, [&](PageMatch& match) -> Status {
        TWINSET_TRY(fill_sample(match));
        line_->set(match);
        line_.append(task.lines);
        if (lists_.rules_.counts_labels) piece.matches.push_back(line_->match);
        return {};
      }));
    }
    return {};
  }

 private:
  Status fill_sample(PageMatch& match) {
    const LabelFile* const labels = lists_.rules_.labels;
    if (labels == nullptr) return {};
    const std::uint64_t slot = match.hash.key().low * 2 + static_cast<std::uint64_t>(match.kind);
    const auto known = samples_.find(slot);
    if (known != samples_.end() && known->second.first == match.hash) {
      match.sample = known->second.second;
      return {};
    }
    TWINSET_ASSIGN(std::optional<Label> label, labels->find(match.kind, match.hash));
    const RunContext& context = lists_.context_;
    if (++looked_up_ * LabelLookup::looked_up_bytes * context.threads > context.memory_bytes / 2) {
      labels->release();
      looked_up_ = 0;
    }
    match.sample = {};
    if (label.has_value() && !label->samples.empty()) {
      match.sample = std::move(label->samples.front());
      match.sample.url = readable_text(match.sample.url);
    }
    if (samples_.size() >= most_samples) samples_.clear();
    samples_[slot] = {match.hash, match.sample};
    return {};
  }

  const DetectLists& lists_;
  FieldLine<MatchLine> line_;
  /// The samples of the latest labels, by key and kind.
  std::unordered_map<std::uint64_t, std::pair<ChunkDigest, LabelSample>> samples_;
  std::uint64_t looked_up_ = 0;  ///< labels, since their pages were released
};

// The lists.

Status DetectLists::write(const std::string& folder, DetectSummary& summary) {
  summary.pages = found_.counts.pages;
  summary.recursion_errors = found_.counts.recursion_errors;
  summary.chunks = found_.counts.chunks;
  summary.short_chunks = found_.counts.short_chunks;
  summary.stop_chunks = found_.counts.stop_chunks;
  summary.labeled_chunks = found_.counts.labeled_chunks;
  summary.labeled_pages = found_.counts.labeled_pages;
  summary.labeled_files = found_.counts.labeled_files;
  TWINSET_TRY(write_neighborhoods(folder, summary));
  TWINSET_TRY(write_pages(folder, summary));
  TWINSET_TRY(choose_labels());
  warn_of_thresholds(summary);
  return write_recursion_errors(folder);
}

/// With copies in half of the pages, their mean and one standard deviation are a whole.
void DetectLists::warn_of_thresholds(DetectSummary& summary) const {
  const auto is_out_of_reach = [](const ThresholdRule& rule, const DetectThreshold& threshold) {
    return !rule.fixed.has_value() && threshold.threshold >= 1;
  };
  const bool pages = is_out_of_reach(rules_.pages, summary.page_threshold);
  const bool neighborhoods = is_out_of_reach(rules_.neighborhoods, summary.neighborhood_threshold);
  if (!pages && !neighborhoods) return;
  const char* const things = !neighborhoods ? "page"
                             : pages        ? "page or neighborhood"
                                            : "neighborhood";
  summary.warnings.push_back("no " + std::string(things) + std::string(out_of_reach) +
                             " that the mean share and one standard deviation are 1 or more; give "
                             "a share, such as " +
                             option(neighborhoods ? "threshold" : "page_threshold", "0.5"));
}

Status DetectLists::write_pages(const std::string& folder, DetectSummary& summary) {
  DetectThreshold& threshold = summary.page_threshold;
  threshold = rules_.pages.of(found_.shares);
  summary.by_contains = found_.shares.by_twentieth();
  if (rules_.counts_labels) {
    times_ = std::make_unique<SortedRecords<FoundOften, ByLabelHash>>(
        RowsOptions{&context_, spill_ + "times", context_.memory_bytes / 8});
  }
  TWINSET_ASSIGN(auto pages,
                 ListFile<DetectedPage>::create(context_, folder, pages_list,
                                                FieldLine<DetectedPage>(page_line_fields)));
  TWINSET_ASSIGN(auto matches, ListFile<MatchLine>::create(context_, folder, matches_list));
  TWINSET_ASSIGN(auto cursor, found_.pages().read());
  const bool needs_matches = !folder.empty() || rules_.counts_labels;
  std::vector<MatchesWorker> workers(std::max(1U, context_.threads), MatchesWorker(*this));
  LabeledPage rest;  // The blobs of the last page that no task has yet.
  OrderedSteps<MatchesTask> steps;
  steps.take = [&](MatchesTask& task, TaskPlace) -> Result<bool> {
    TWINSET_TRY(context_.check_cancelled());
    task.pieces.clear();
    for (std::uint64_t blobs = 0; blobs < task_blobs;) {
      const bool begins = rest.matches_blobs == 0;
      if (begins) {
        TWINSET_ASSIGN(const LabeledPage* page, cursor.next());
        if (page == nullptr) break;
        rest = *page;
        if (!needs_matches) rest.matches_blobs = 0;
      }
      task.pieces.push_back({rest, begins});
      std::uint64_t& taken = task.pieces.back().page.matches_blobs;
      taken = std::min(taken, task_blobs - blobs);
      rest.first_matches += taken;
      rest.matches_blobs -= taken;
      blobs += std::max<std::uint64_t>(taken, 1);
    }
    return !task.pieces.empty();
  };
  steps.work = [&](unsigned worker, MatchesTask& task) { return workers[worker].make(task); };
  bool reports = false;  // Does a report show the page whose pieces come?
  steps.put = [&](MatchesTask& task) -> Status {
    for (MatchesTask::Piece& piece : task.pieces) {
      if (piece.begins) {
        const bool is_bad = threshold.is_above(piece.page.units());
        threshold.bad += is_bad ? 1 : 0;
        set_line(pages.line(), piece.page, is_bad);
        TWINSET_TRY(pages.add());
        const bool is_shown = summary.top_pages.size() < rules_.top;
        if (is_shown) summary.top_pages.push_back(pages.line());
        reports = is_shown && rules_.counts_labels;
        if (reports) shown_.pages.push_back({summary.top_pages.back(), {}, piece.page.matches()});
      }
      for (PageMatch& match : piece.matches) {
        shown_.sites.add(piece.page.url, match);
        if (reports && shown_.pages.back().matches.size() < most_shown_matches) {
          shown_.pages.back().matches.push_back(match);
        }
        TWINSET_TRY(times_->append({std::move(match), 1}));
      }
    }
    return matches.add_lines(task.lines);
  };
  TWINSET_TRY(run_in_order(context_.threads, steps));
  TWINSET_TRY(pages.finish());
  return matches.finish();
}

Status DetectLists::write_neighborhoods(const std::string& folder, DetectSummary& summary) {
  SortedRecords<NeighborhoodSums, WorseBefore> ranked(
      {&context_, spill_ + "ranked", context_.memory_bytes / 4}, WorseBefore{rules_.badness});
  ShareSums shares;
  summary.neighborhoods = 0;
  {
    TWINSET_ASSIGN(auto cursor, found_.neighborhoods().read());
    for (;;) {
      TWINSET_ASSIGN(const NeighborhoodSums* sums, cursor.next());
      if (sums == nullptr) break;
      ++summary.neighborhoods;
      if (sums->chunks > 0) shares.add(sums->units(rules_.badness));
      TWINSET_TRY(ranked.append(*sums));
    }
  }
  TWINSET_TRY(ranked.seal());
  DetectThreshold& threshold = summary.neighborhood_threshold;
  threshold = rules_.neighborhoods.of(shares);
  summary.by_badness = shares.by_twentieth();
  TWINSET_ASSIGN(auto lines, ListFile<DetectedNeighborhood>::create(
                                 context_, folder, neighborhoods_list,
                                 FieldLine<DetectedNeighborhood>(neighborhood_line_fields)));
  TWINSET_ASSIGN(auto cursor, ranked.read());
  for (;;) {
    TWINSET_ASSIGN(const NeighborhoodSums* sums, cursor.next());
    if (sums == nullptr) break;
    const bool is_bad = threshold.is_above(sums->units(rules_.badness));
    threshold.bad += is_bad ? 1 : 0;
    set_line(lines.line(), *sums, is_bad);
    TWINSET_TRY(lines.add());
    if (summary.top_neighborhoods.size() < rules_.top && sums->labeled_pages > 0) {
      summary.top_neighborhoods.push_back(lines.line());
    }
  }
  spilled_bytes_ += ranked.spilled_bytes();
  return lines.finish();
}

Status DetectLists::write_recursion_errors(const std::string& folder) {
  TWINSET_ASSIGN(auto lines, ListFile<RecursionError>::create(context_, folder, recursion_list));
  TWINSET_ASSIGN(auto cursor, found_.recursion_errors().read());
  for (;;) {
    TWINSET_ASSIGN(const RecursionError* error, cursor.next());
    if (error == nullptr) break;
    lines.line() = *error;
    TWINSET_TRY(lines.add());
    if (shown_.recursion_errors.size() < most_shown_errors) {
      shown_.recursion_errors.push_back(*error);
    }
  }
  return lines.finish();
}

}  // namespace twinset
