#include "spans/span_lines.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "collection/input_changed.h"
#include "io/field_json.h"
#include "spans/follow_places.h"
#include "spans/placed_tokens.h"
#include "system/ordered.h"

namespace twinset {
namespace {

/// Rows and texts that a task takes, but never a part of a text's rows. Neighbors are versions of
/// each other where there are any: the more of them are in one task, the fewer texts are read
/// twice.
constexpr std::size_t task_rows = std::size_t{1} << 14;
constexpr std::size_t followed_texts = 32;
/// All texts' tokens that are kept take this part of the memory.
constexpr std::uint64_t cache_part = 3;
constexpr std::uint64_t reused_part = 8;

SpanLine::Place place_of(const FollowedRun& span) {
  using enum SpanLine::Place;
  return span.is_first && span.is_nearest ? both : span.is_first ? first : nearest;
}

}  // namespace

/// Texts with their places, or two texts with the places of their spans.
struct SpanLines::Task {
  std::vector<EarlierStretch> places;
  std::vector<RunPair> pairs;  ///< of one later text
  bool is_long = false;
  std::string lines;
  std::vector<SharedPassages> shared;
  std::vector<std::uint64_t> by_tokens;
  std::uint64_t spans = 0;
  std::vector<ReusedStretch> reused;
};

/// Makes the lines of tasks.
class SpanLines::Worker {
 public:
  Worker(const SpanLines& all, TokenCache& cache)
      : all_(all), tokens_(cache), names_(all.job_, all.records_, all.documents_) {}

  Status make(Task& task) {
    task.lines.clear();
    task.shared.clear();
    task.reused.clear();
    task.by_tokens.assign(32, 0);
    task.spans = 0;
    const std::span<const EarlierStretch> places(task.places);
    for (std::size_t begin = 0; begin < places.size();) {
      std::size_t end = begin;
      while (end < places.size() && places[end].place.text == places[begin].place.text) ++end;
      TWINSET_TRY(follow_text(places.subspan(begin, end - begin), task));
      begin = end;
    }
    if (!task.pairs.empty()) TWINSET_TRY(write_pairs(task));
    return {};
  }

  /// Frees the tokens that it has itself.
  void drop_tokens() { tokens_.drop(); }

 private:
  Status open_later(std::uint32_t text) {
    TWINSET_ASSIGN(later_, tokens_.follow(all_.documents_.document(text)));
    return names_.find(text, later_name_);
  }

  Status follow_text(std::span<const EarlierStretch> places, Task& task) {
    TWINSET_TRY(open_later(places.front().place.text));
    const auto tokens_of = [this](std::uint32_t text) -> Result<std::span<const std::uint64_t>> {
      TWINSET_ASSIGN(const PlacedTokens* const found, tokens_.of(all_.documents_.document(text)));
      return std::span<const std::uint64_t>(found->tokens);
    };
    TWINSET_ASSIGN(const bool fits,
                   follow_places(places, all_.rule_.run_tokens, later_->tokens, tokens_of, spans_));
    if (!fits) return changed();
    for (const FollowedRun& span : spans_) TWINSET_TRY(add_line(span, place_of(span), task));
    add_shared(task);
    return {};
  }

  /// Neighbors on a diagonal are one run.
  Status write_pairs(Task& task) {
    TWINSET_TRY(open_later(task.pairs.front().later.text));
    spans_.clear();
    const std::uint32_t run_tokens = all_.rule_.run_tokens;
    for (std::size_t i = 0; i < task.pairs.size();) {
      const RunPair& begin = task.pairs[i];
      std::uint32_t length = 0;
      for (; i < task.pairs.size(); ++i, ++length) {
        const RunPair& next = task.pairs[i];
        if (next.earlier != RunPlace{begin.earlier.text, begin.earlier.begin + length} ||
            next.later.begin != begin.later.begin + length) {
          break;
        }
      }
      const FollowedRun span{{begin.earlier.begin, begin.later.begin, length - 1 + run_tokens},
                             begin.earlier.text};
      spans_.push_back(span);
      TWINSET_TRY(add_line(span, {}, task));
    }
    add_shared(task);
    return {};
  }

  Status add_line(const FollowedRun& span, std::optional<SpanLine::Place> place, Task& task) {
    const DocumentId earlier = all_.documents_.document(span.earlier);
    TWINSET_ASSIGN(const PlacedTokens* const text, tokens_.of(earlier));
    const CommonRun& run = span.run;
    if (std::uint64_t{run.b} + run.tokens > later_->tokens.size() ||
        std::uint64_t{run.a} + run.tokens > text->tokens.size()) {
      return changed();
    }
    if (earlier_ != earlier) {
      TWINSET_TRY(names_.find(span.earlier, earlier_name_));
      earlier_ = earlier;
    }
    const TokenOffsets in_a = text->bytes_of(run.a, run.tokens);
    const TokenOffsets in_b = later_->bytes_of(run.b, run.tokens);
    *line_ = {{named(earlier_name_), in_a.begin, in_a.end},
              {named(later_name_), in_b.begin, in_b.end},
              run.tokens,
              place};
    line_.append(task.lines);
    ++task.spans;
    ++task.by_tokens[static_cast<std::size_t>(std::bit_width(run.tokens)) - 1];
    return {};
  }

  /// Adds up the spans of a text: by the other text, and the stretches that they cover.
  void add_shared(Task& task) {
    sums_.clear();
    for (const FollowedRun& span : spans_) {
      sums_.push_back({all_.documents_.document(span.earlier), later_->document, 1, span.run.tokens,
                       span.run.tokens});
    }
    std::stable_sort(
        sums_.begin(), sums_.end(),
        [](const SharedPassages& x, const SharedPassages& y) { return x.earlier < y.earlier; });
    for (const SharedPassages& sum : sums_) {
      SharedPassages* const last = task.shared.empty() ? nullptr : &task.shared.back();
      if (last != nullptr && last->earlier == sum.earlier && last->later == sum.later) {
        last->spans += sum.spans;
        last->tokens += sum.tokens;
        last->longest = std::max(last->longest, sum.longest);
      } else {
        task.shared.push_back(sum);
      }
    }
    std::sort(spans_.begin(), spans_.end(),
              [](const FollowedRun& x, const FollowedRun& y) { return x.run.b < y.run.b; });
    for (std::size_t i = 0; i < spans_.size();) {
      const std::uint32_t begin = spans_[i].run.b;
      std::uint32_t end = begin;
      for (; i < spans_.size() && spans_[i].run.b <= end; ++i) {
        end = std::max(end, spans_[i].run.b + spans_[i].run.tokens);
      }
      task.reused.push_back({later_->document, begin, end});
    }
  }

  Error changed() const { return input_changed(all_.job_.source(later_->document.source())); }

  const SpanLines& all_;
  TextTokens tokens_;
  Names names_;
  const PlacedTokens* later_ = nullptr;
  DocumentName later_name_;
  DocumentId earlier_;
  DocumentName earlier_name_;
  std::vector<FollowedRun> spans_;
  std::vector<SharedPassages> sums_;
  FieldLine<SpanLine> line_;
};

SpanLines::SpanLines(const Job& job, const RecordFiles& records, const DocumentTable& documents,
                     const AnchorRule& rule, Texts& texts, std::unique_ptr<ByteSink> sink,
                     TakeShared take_shared)
    : job_(job),
      records_(records),
      documents_(documents),
      rule_(rule),
      texts_(texts),
      lines_(std::move(sink)),
      take_shared_(std::move(take_shared)),
      reused_({&job.context, job.spill + "reused", job.context.memory_bytes / reused_part,
               job.signer.fingerprint}) {}

Status SpanLines::follow(const EarlierPlaceRows& places) {
  TWINSET_ASSIGN(const auto cursor, places.read());
  // Neighbors mostly have their earlier places in the same texts.
  std::uint32_t short_first = UINT32_MAX;
  std::uint32_t short_nearest = UINT32_MAX;
  const auto is_long_place = [&](const EarlierStretch& row) -> Result<bool> {
    if (row.first.text == short_first && row.nearest.text == short_nearest) return false;
    TWINSET_ASSIGN(const bool first, is_long(row.first.text));
    TWINSET_ASSIGN(const bool nearest, is_long(row.nearest.text));
    if (first || nearest) return true;
    short_first = row.first.text;
    short_nearest = row.nearest.text;
    return false;
  };
  return run([&](Task& task) -> Result<bool> {
    const EarlierStretch* next = cursor->peek();
    for (std::size_t texts = 0; next != nullptr && !task.is_long && texts < followed_texts &&
                                task.places.size() < task_rows;
         ++texts) {
      const std::uint32_t text = next->place.text;
      TWINSET_ASSIGN(const bool itself_long, is_long(text));
      if (itself_long && !task.places.empty()) break;
      task.is_long = itself_long;
      for (; next != nullptr && next->place.text == text; next = cursor->peek()) {
        TWINSET_ASSIGN(const bool from_long, is_long_place(*next));
        task.is_long |= from_long;
        task.places.push_back(*next);
        cursor->advance();
      }
    }
    TWINSET_TRY(cursor->status());
    return !task.places.empty();
  });
}

Status SpanLines::write(const RunPairRows& pairs) {
  TWINSET_ASSIGN(const auto cursor, pairs.read());
  return run([&](Task& task) -> Result<bool> {
    const RunPair* next = cursor->peek();
    if (next != nullptr) {
      TWINSET_ASSIGN(task.is_long, is_long(next->later.text));
    }
    // Pairs of one later text; a task ends between two earlier ones.
    for (; next != nullptr; next = cursor->peek()) {
      if (!task.pairs.empty()) {
        const RunPair& last = task.pairs.back();
        if (next->later.text != last.later.text) break;
        if (next->earlier.text != last.earlier.text && task.pairs.size() >= task_rows) break;
      }
      if (task.pairs.empty() || next->earlier.text != task.pairs.back().earlier.text) {
        TWINSET_ASSIGN(const bool from_long, is_long(next->earlier.text));
        task.is_long |= from_long;
      }
      task.pairs.push_back(*next);
      cursor->advance();
    }
    TWINSET_TRY(cursor->status());
    return !task.pairs.empty();
  });
}

Result<bool> SpanLines::is_long(std::uint32_t text) {
  return texts_.is_long(documents_.document(text));
}

Status SpanLines::run(const std::function<Result<bool>(Task&)>& take) {
  const unsigned threads = std::max(1U, job_.context.threads);
  TokenCache cache(texts_, job_.context.memory_bytes / cache_part);
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned i = 0; i < threads; ++i) workers.push_back(std::make_unique<Worker>(*this, cache));
  bool after_long = false;
  OrderedSteps<Task> steps;
  steps.take = [&](Task& task, TaskPlace) -> Result<bool> {
    TWINSET_TRY(job_.context.check_cancelled());
    task.places.clear();
    task.pairs.clear();
    task.is_long = false;
    TWINSET_ASSIGN(const bool more, take(task));
    // A long text stays in the cache for the long tasks right after it, which may quote it, too.
    // After a long task no worker has another one at hand.
    if (after_long) {
      for (const auto& worker : workers) worker->drop_tokens();
      if (!task.is_long) cache.clear();
    }
    after_long = task.is_long;
    return more;
  };
  steps.alone = [](const Task& task) { return task.is_long; };
  steps.work = [&](unsigned worker, Task& task) -> Status {
    TWINSET_TRY(workers[worker]->make(task));
    return reused_.append(task.reused);
  };
  steps.put = [&](Task& task) { return put(task); };
  TWINSET_TRY(run_in_order(threads, steps));
  return finish();
}

Status SpanLines::put(Task& task) {
  lines_.buffer() += task.lines;
  TWINSET_TRY(lines_.added());
  spans_ += task.spans;
  by_tokens_.resize(std::max(by_tokens_.size(), task.by_tokens.size()));
  for (std::size_t i = 0; i < task.by_tokens.size(); ++i) by_tokens_[i] += task.by_tokens[i];
  for (const SharedPassages& shared : task.shared) {
    if (shared.earlier == open_.earlier && shared.later == open_.later) {
      open_.spans += shared.spans;
      open_.tokens += shared.tokens;
      open_.longest = std::max(open_.longest, shared.longest);
    } else {
      TWINSET_TRY(end_shared());
      open_ = shared;
    }
  }
  return {};
}

Status SpanLines::end_shared() {
  if (open_.spans == 0) return {};
  const Status taken = take_shared_(open_);
  open_ = {};
  return taken;
}

Status SpanLines::finish() {
  TWINSET_TRY(end_shared());
  while (!by_tokens_.empty() && by_tokens_.back() == 0) by_tokens_.pop_back();
  TWINSET_TRY(lines_.finish());
  return reused_.seal();
}

}  // namespace twinset
