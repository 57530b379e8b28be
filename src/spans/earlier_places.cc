#include "spans/earlier_places.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "collection/input_changed.h"
#include "join/run_hash.h"
#include "rows/appender.h"
#include "run/stored_rows.h"
#include "system/ordered.h"

namespace twinset {
namespace {

constexpr std::size_t task_documents = 32;
/// The name of the anchors in a checkpoint.
constexpr const char* anchors_name = "anchors";
constexpr const char* tokens_name = "anchors.tokens";

struct AllRows {
  template <class Row>
  bool operator()(const Row&) const {
    return true;
  }
};

/// Orders runs of one key by what they are and then by place.
struct ByCheckAndPlace {
  bool operator()(const RunRow& a, const RunRow& b) const {
    if (a.check != b.check) return a.check < b.check;
    return a.text != b.text ? a.text < b.text : a.begin < b.begin;
  }
};

/// Splits the rows of a key into runs that are equal: calls `visitor.run(row, first)`.
template <class Visitor>
class EqualRuns {
 public:
  template <class... Arguments>
  explicit EqualRuns(Arguments&&... arguments) : visitor_(std::forward<Arguments>(arguments)...) {}

  Status row(const RunRow& row, bool first_of_key) {
    const bool first = first_of_key || row.check != check_;
    check_ = row.check;
    return visitor_.run(row, first);
  }
  Status finish() { return visitor_.finish(); }

 private:
  Visitor visitor_;
  std::uint64_t check_ = 0;
};

/// Orders anchors by place.
struct ByFirstRun {
  bool operator()(const AnchorRow& a, const AnchorRow& b) const {
    return a.document != b.document ? a.document < b.document : a.first_run < b.first_run;
  }
};

/// Of anchors that stand twice, the runs that chose them.
class RepeatedVisitor {
 public:
  explicit RepeatedVisitor(RepeatedRows& out) : out_(out) {}
  Status row(const AnchorRow& row, bool) {
    return out_.add({row.document, row.first_run, row.runs});
  }
  Status finish() { return out_.finish(); }

 private:
  Appender<RepeatedRows, RepeatedRuns> out_;
};

/// Adds up the counts of all workers.
struct AllCounts {
  RunCounts sum;
  std::mutex mutex;

  void add(const RunCounts& counts) {
    const std::lock_guard lock(mutex);
    sum.places += counts.places;
    sum.pairs += counts.pairs;
    sum.by_documents.resize(std::max(sum.by_documents.size(), counts.by_documents.size()));
    for (std::size_t i = 0; i < counts.by_documents.size(); ++i) {
      sum.by_documents[i] += counts.by_documents[i];
    }
  }
};

/// Counts runs alone.
class CountVisitor {
 public:
  CountVisitor(unsigned run_tokens, PlacesIn wanted, std::uint64_t references, AllCounts& out)
      : counter_(run_tokens, wanted, references), out_(out) {}

  Status run(const RunRow& row, bool first_of_group) {
    counter_.next(row, first_of_group);
    return {};
  }
  Status finish() {
    out_.add(counter_.take());
    return {};
  }

 private:
  RunCounter counter_;
  AllCounts& out_;
};

/// The first place of a run that stands twice or more, and its later ones.
class CutVisitor {
 public:
  CutVisitor(unsigned run_tokens, PlacesIn wanted, std::uint64_t references, CutPlaceRows& out)
      : wanted_(wanted), references_(references), in_document_(run_tokens), out_(out) {}

  Status run(const RunRow& row, bool first_of_group) {
    if (first_of_group) {
      first_ = row;
      first_is_kept_ = row.text < references_;
      in_document_.clear();
    } else if (row.text != last_text_) {
      in_document_.clear();
    }
    last_text_ = row.text;
    bool later = row.text != first_.text;
    if (wanted_ == PlacesIn::any_text) {
      later = later || in_document_.before(row.begin).has_value();
      in_document_.add(row.begin);
    }
    if (!later || row.text < references_) return {};
    if (!first_is_kept_) TWINSET_TRY(out_.add({first_.text, first_.begin, 0}));
    first_is_kept_ = true;
    return out_.add({row.text, row.begin, 1});
  }
  Status finish() { return out_.finish(); }

 private:
  PlacesIn wanted_;
  std::uint64_t references_;  ///< texts that come first, of which nothing is cut
  RunRow first_;
  bool first_is_kept_ = false;  ///< it is among the places, or needs not be
  std::uint32_t last_text_ = 0;
  PlacesApart in_document_;
  Appender<CutPlaceRows, CutPlace> out_;
};

/// Gives each place of a run its first place and the nearest one before; counts.
class PlacesVisitor {
 public:
  PlacesVisitor(unsigned run_tokens, PlacesIn wanted, std::uint64_t references,
                EarlierPlaceRows& out, CutPlaceRows* cut, AllCounts& counts)
      : finder_(run_tokens, wanted, references), out_(out), counts_(counts) {
    if (cut != nullptr) cut_.emplace(run_tokens, wanted, references, *cut);
  }

  Status run(const RunRow& row, bool first_of_group) {
    if (cut_) TWINSET_TRY(cut_->run(row, first_of_group));
    const std::optional<EarlierPlaces> places = finder_.next(row, first_of_group);
    return places.has_value() ? out_.add(*places) : Status();
  }
  Status finish() {
    counts_.add(finder_.take_counts());
    if (cut_) TWINSET_TRY(cut_->finish());
    return out_.finish();
  }

 private:
  EarlierPlaceFinder finder_;
  Appender<EarlierPlaceRows, EarlierPlaces> out_;
  AllCounts& counts_;
  std::optional<CutVisitor> cut_;
};

/// Every two places of a run.
class PairsVisitor {
 public:
  PairsVisitor(unsigned run_tokens, PlacesIn wanted, std::uint64_t references, RunPairRows& out)
      : run_tokens_(run_tokens), wanted_(wanted), references_(references), out_(out) {}

  Status run(const RunRow& row, bool first_of_group) {
    if (first_of_group) group_.clear();
    const RunPlace place{row.text, row.begin};
    if (row.text >= references_) {
      for (const RunPlace& earlier : group_) {
        if (earlier.text == row.text && (wanted_ == PlacesIn::other_texts ||
                                         std::uint64_t{earlier.begin} + run_tokens_ > row.begin)) {
          break;
        }
        TWINSET_TRY(out_.add({place, earlier}));
      }
    }
    group_.push_back(place);
    return {};
  }
  Status finish() { return out_.finish(); }

 private:
  unsigned run_tokens_;
  PlacesIn wanted_;
  std::uint64_t references_;  ///< texts that come first
  std::vector<RunPlace> group_;
  Appender<RunPairRows, RunPair> out_;
};

}  // namespace

Status SpanAnchors::open(const StateFile* checkpoint) {
  tokens_ = checkpoint == nullptr ? 0 : checkpoint->number(tokens_name);
  return open_rows(options_, checkpoint, anchors_name, rows_);
}

Status SpanAnchors::checkpoint(StateFile& file) {
  file.set(tokens_name, tokens_);
  return checkpoint_rows(*rows_, anchors_name, file);
}

Status SpanAnchors::take(const ReadRecord& record, AnchorRows& rows) const {
  if (!record.is_document()) return {};
  const std::vector<std::uint64_t>& tokens = record.view.whole_analysis().tokens;
  if (record.id.source() >= reference_sources_) rows.tokens += tokens.size();
  rows.sampler.sample(tokens, rule_, rows.anchors);
  for (const TextAnchor& anchor : rows.anchors) {
    rows.rows.push_back(AnchorRow::of(anchor, record.id, record.part));
  }
  return {};
}

Status SpanAnchors::put(AnchorRows& rows) {
  tokens_ += rows.tokens;
  return {};
}

std::uint64_t RunFinder::references() const {
  return documents_.first_index(documents_.reference_sources());
}

Status RunFinder::find(SpanAnchors& anchors, AfterFinding after) {
  const std::uint64_t memory = job_.context.memory_bytes;
  RepeatedRows repeated(
      {&job_.context, job_.spill + "repeated", memory / 4, job_.signer.fingerprint});
  const auto is_of_the_text = [&](const AnchorRow& row) {
    return cuts_ == nullptr || row.round == cuts_->changed_in[documents_.index(row.document)];
  };
  TWINSET_TRY(anchors.rows_by_key().for_each_group(
      is_of_the_text, ByFirstRun(), [&](unsigned) { return RepeatedVisitor(repeated); }));
  if (after == AfterFinding::drop) {
    spilled_bytes_ += anchors.rows_by_key().spilled_bytes();
    anchors.drop_rows();
  }
  TWINSET_TRY(repeated.seal());
  std::vector<bool> wanted(documents_.size());
  TWINSET_TRY(for_each_row(
      repeated, [&](const RepeatedRuns& runs) { wanted[documents_.index(runs.document)] = true; }));
  if (repeated.size() != 0) TWINSET_TRY(texts_.extract(wanted));
  wanted = {};
  TWINSET_TRY(find_runs(repeated));
  spilled_bytes_ += repeated.spilled_bytes();
  return {};
}

Status RunFinder::find_runs(const RepeatedRows& repeated) {
  const std::uint64_t memory = job_.context.memory_bytes;
  runs_ = std::make_unique<PartitionedRows<RunRow>>(
      RowsOptions{&job_.context, job_.spill + "runs", memory / 2, job_.signer.fingerprint});
  TWINSET_ASSIGN(const auto cursor, repeated.read());
  const RunHasher hasher(rule_.run_tokens);
  /// Runs [begin, end) of a document.
  struct Stretch {
    DocumentId document;
    std::size_t begin;
    std::size_t end;
  };
  struct Task {
    std::vector<Stretch> stretches;
    std::size_t documents = 0;
    std::vector<std::vector<TokenStretch>> cuts;  ///< of its documents, if any text was cut
    bool is_long = false;
    Analysis analysis;
  };
  std::optional<CutsByText> cuts;
  if (cuts_ != nullptr) {
    TWINSET_ASSIGN(auto cut_rows, cuts_->rows->read());
    cuts.emplace(std::move(cut_rows));
  }
  OrderedSteps<Task> steps;
  steps.take = [&](Task& task, TaskPlace) -> Result<bool> {
    TWINSET_TRY(job_.context.check_cancelled());
    task.stretches.clear();
    task.documents = 0;
    task.cuts.clear();
    task.is_long = false;
    const RepeatedRuns* next = cursor->peek();
    while (next != nullptr && !task.is_long && task.documents < task_documents) {
      const DocumentId document = next->document;
      TWINSET_ASSIGN(const bool is_long, texts_.is_long(document));
      if (is_long && task.documents > 0) break;
      task.is_long = is_long;
      ++task.documents;
      if (cuts) {
        const auto text = static_cast<std::uint32_t>(documents_.index(document));
        TWINSET_TRY(cuts->read(text, task.cuts.emplace_back()));
      }
      for (; next != nullptr && next->document == document; next = cursor->peek()) {
        const std::size_t end = std::size_t{next->first_run} + next->runs;
        const bool new_document =
            task.stretches.empty() || task.stretches.back().document != document;
        if (!new_document && task.stretches.back().end == next->first_run) {
          task.stretches.back().end = end;
        } else {
          task.stretches.push_back({document, next->first_run, end});
        }
        cursor->advance();
      }
    }
    TWINSET_TRY(cursor->status());
    return task.documents > 0;
  };
  steps.alone = [](const Task& task) { return task.is_long; };
  steps.work = [&](unsigned, Task& task) -> Status {
    DocumentId read;
    std::uint64_t part = 0;
    Appender<PartitionedRows<RunRow>, RunRow> rows(*runs_);
    auto cut = task.cuts.begin();
    std::vector<std::uint64_t>& tokens = task.analysis.tokens;
    for (const Stretch& stretch : task.stretches) {
      if (stretch.document != read) {
        TWINSET_TRY(texts_.analyze(stretch.document, Offsets::drop, task.analysis));
        read = stretch.document;
        if (cut != task.cuts.end()) {
          if (!cut->empty() && cut->back().end > tokens.size()) {
            return input_changed(job_.source(read.source()));
          }
          remove(*cut++, tokens);
        }
      }
      if (stretch.end + rule_.run_tokens - 1 > tokens.size()) {
        return input_changed(job_.source(stretch.document.source()));
      }
      const auto text = static_cast<std::uint32_t>(documents_.index(stretch.document));
      if (parts_ != nullptr) {
        TWINSET_ASSIGN(part, parts_->read(text));
      }
      Status appended;
      hasher.for_each(
          tokens, stretch.begin, stretch.end, [&](std::size_t begin, const Key128& key) {
            if (!appended.ok()) return;
            appended = rows.add(
                {key.high ^ part, key.low ^ part, text, static_cast<std::uint32_t>(begin)});
          });
      TWINSET_TRY(appended);
    }
    TWINSET_TRY(rows.finish());
    if (task.is_long) task.analysis = {};
    return {};
  };
  steps.put = [](Task&) { return Status(); };
  return run_in_order(job_.context.threads, steps);
}

Result<RunCounts> RunFinder::count() {
  AllCounts counts;
  TWINSET_TRY(runs_->for_each_group(AllRows(), ByCheckAndPlace(), [&](unsigned) {
    return EqualRuns<CountVisitor>(rule_.run_tokens, wanted_, references(), counts);
  }));
  return std::move(counts.sum);
}

Result<RunCounts> RunFinder::earlier_places(EarlierPlaceRows& places, CutPlaceRows* cut) {
  AllCounts counts;
  TWINSET_TRY(runs_->for_each_group(AllRows(), ByCheckAndPlace(), [&](unsigned) {
    return EqualRuns<PlacesVisitor>(rule_.run_tokens, wanted_, references(), places, cut, counts);
  }));
  TWINSET_TRY(places.seal());
  if (cut != nullptr) TWINSET_TRY(cut->seal());
  return std::move(counts.sum);
}

Status RunFinder::cut_places(CutPlaceRows& places) {
  TWINSET_TRY(runs_->for_each_group(AllRows(), ByCheckAndPlace(), [&](unsigned) {
    return EqualRuns<CutVisitor>(rule_.run_tokens, wanted_, references(), places);
  }));
  return places.seal();
}

Status RunFinder::run_pairs(RunPairRows& pairs) {
  TWINSET_TRY(runs_->for_each_group(AllRows(), ByCheckAndPlace(), [&](unsigned) {
    return EqualRuns<PairsVisitor>(rule_.run_tokens, wanted_, references(), pairs);
  }));
  return pairs.seal();
}

void RunFinder::drop_runs() {
  spilled_bytes_ += runs_->spilled_bytes();
  runs_.reset();
}

}  // namespace twinset
