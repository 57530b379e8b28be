#include "spans/earlier_places.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "collection/input_changed.h"
#include "rows/appender.h"
#include "run/stored_rows.h"
#include "system/ordered.h"

namespace twinset {
namespace {

constexpr std::size_t task_documents = 32;
/// The name of the anchors in a checkpoint.
constexpr const char* anchors_name = "anchors";
constexpr const char* tokens_name = "anchors.tokens";

/// Orders anchors by place.
struct ByFirstRun {
  bool operator()(const AnchorRow& a, const AnchorRow& b) const {
    return a.document != b.document ? a.document < b.document : a.first_run < b.first_run;
  }
};

/// Of anchors that stand twice, the runs that chose them.
class RepeatedVisitor {
 public:
  RepeatedVisitor(const DocumentTable& documents, RepeatedRows& out)
      : documents_(documents), out_(out) {}
  Status row(const AnchorRow& row, bool) {
    const auto text = static_cast<std::uint32_t>(documents_.index(row.document));
    return out_.add({text, row.first_run, row.runs});
  }
  Status finish() { return out_.finish(); }

 private:
  const DocumentTable& documents_;
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

  Status row(const RunStretch& row, bool first_of_group) {
    counter_.next({row.text, row.begin}, first_of_group, row.runs);
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

  Status row(const RunStretch& row, bool first_of_group) {
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
    if (!first_is_kept_) TWINSET_TRY(add(first_, 0));
    first_is_kept_ = true;
    return add(row, 1);
  }
  Status finish() { return out_.finish(); }

 private:
  Status add(const RunStretch& row, std::uint32_t is_later) {
    for (std::uint32_t run = 0; run < row.runs; ++run) {
      TWINSET_TRY(out_.add({row.text, row.begin + run, is_later}));
    }
    return {};
  }

  PlacesIn wanted_;
  std::uint64_t references_;  ///< texts that come first, of which nothing is cut
  RunStretch first_;
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

  Status row(const RunStretch& row, bool first_of_group) {
    if (cut_) TWINSET_TRY(cut_->row(row, first_of_group));
    const std::optional<EarlierPlaces> places =
        finder_.next({row.text, row.begin}, first_of_group, row.runs);
    if (!places.has_value()) return {};
    return out_.add({places->place, places->first, places->nearest, row.runs});
  }
  Status finish() {
    counts_.add(finder_.take_counts());
    if (cut_) TWINSET_TRY(cut_->finish());
    return out_.finish();
  }

 private:
  EarlierPlaceFinder finder_;
  Appender<EarlierPlaceRows, EarlierStretch> out_;
  AllCounts& counts_;
  std::optional<CutVisitor> cut_;
};

/// Every two places of a run.
class PairsVisitor {
 public:
  PairsVisitor(unsigned run_tokens, PlacesIn wanted, std::uint64_t references, RunPairRows& out)
      : run_tokens_(run_tokens), wanted_(wanted), references_(references), out_(out) {}

  Status row(const RunStretch& row, bool first_of_group) {
    if (first_of_group) group_.clear();
    const RunPlace place{row.text, row.begin};
    if (row.text >= references_) {
      for (const RunPlace& earlier : group_) {
        if (earlier.text == row.text && (wanted_ == PlacesIn::other_texts ||
                                         std::uint64_t{earlier.begin} + run_tokens_ > row.begin)) {
          break;
        }
        for (std::uint32_t run = 0; run < row.runs; ++run) {
          TWINSET_TRY(
              out_.add({{place.text, place.begin + run}, {earlier.text, earlier.begin + run}}));
        }
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
  TWINSET_TRY(anchors.rows_by_key().for_each_group(is_of_the_text, ByFirstRun(), [&](unsigned) {
    return RepeatedVisitor(documents_, repeated);
  }));
  if (after == AfterFinding::drop) {
    spilled_bytes_ += anchors.rows_by_key().spilled_bytes();
    anchors.drop_rows();
  }
  TWINSET_TRY(repeated.seal());
  std::vector<bool> wanted(documents_.size());
  TWINSET_TRY(for_each_row(repeated, [&](const RepeatedRuns& runs) { wanted[runs.text] = true; }));
  if (repeated.size() != 0) TWINSET_TRY(texts_.extract(wanted));
  wanted = {};
  TWINSET_TRY(find_runs(repeated));
  spilled_bytes_ += repeated.spilled_bytes();
  return {};
}

Status RunFinder::find_runs(const RepeatedRows& repeated) {
  const std::uint64_t memory = job_.context.memory_bytes;
  const auto part_of_memory = [&](const char* name, std::uint64_t bytes) {
    return RowsOptions{&job_.context, job_.spill + name, bytes, job_.signer.fingerprint};
  };
  runs_ = std::make_unique<RunStretchRows>(part_of_memory("runs", memory / 4));
  SharedStretches shared(part_of_memory("stretches", memory / 4), rule_.run_tokens);
  TWINSET_ASSIGN(const auto cursor, repeated.read());
  /// Runs of a text, by the anchors that they chose.
  struct Stretch {
    std::uint32_t text = 0;
    DocumentId document;
    std::vector<AnchorRuns> runs;
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
      const std::uint32_t text = next->text;
      const DocumentId document = documents_.document(text);
      TWINSET_ASSIGN(const bool is_long, texts_.is_long(document));
      if (is_long && task.documents > 0) break;
      task.is_long = is_long;
      ++task.documents;
      if (cuts) {
        TWINSET_TRY(cuts->read(text, task.cuts.emplace_back()));
      }
      task.stretches.push_back({text, document, {}});
      for (; next != nullptr && next->text == text; next = cursor->peek()) {
        task.stretches.back().runs.push_back({next->first_run, next->runs});
        cursor->advance();
      }
    }
    TWINSET_TRY(cursor->status());
    return task.documents > 0;
  };
  steps.alone = [](const Task& task) { return task.is_long; };
  std::vector<SharedStretches::Adder> adders;
  for (unsigned i = 0; i < std::max(1U, job_.context.threads); ++i) adders.emplace_back(shared);
  steps.work = [&](unsigned worker, Task& task) -> Status {
    std::uint64_t part = 0;
    auto cut = task.cuts.begin();
    std::vector<std::uint64_t>& tokens = task.analysis.tokens;
    for (const Stretch& stretch : task.stretches) {
      TWINSET_TRY(texts_.analyze(stretch.document, Offsets::drop, task.analysis));
      if (cut != task.cuts.end()) {
        if (!cut->empty() && cut->back().end > tokens.size()) {
          return input_changed(job_.source(stretch.document.source()));
        }
        remove(*cut++, tokens);
      }
      const AnchorRuns& last = stretch.runs.back();
      if (std::size_t{last.first_run} + last.runs + rule_.run_tokens - 1 > tokens.size()) {
        return input_changed(job_.source(stretch.document.source()));
      }
      if (parts_ != nullptr) {
        TWINSET_ASSIGN(part, parts_->read(stretch.text));
      }
      TWINSET_TRY(adders[worker].add(stretch.text, tokens, part, stretch.runs));
    }
    if (task.is_long) task.analysis = {};
    return {};
  };
  steps.put = [](Task&) { return Status(); };
  TWINSET_TRY(run_in_order(job_.context.threads, steps));
  for (SharedStretches::Adder& adder : adders) TWINSET_TRY(adder.finish());
  adders.clear();
  TWINSET_TRY(shared.settle(*runs_));
  spilled_bytes_ += shared.spilled_bytes();
  return {};
}

Result<RunCounts> RunFinder::count() {
  AllCounts counts;
  TWINSET_TRY(runs_->for_each_group(AllRows(), ByStretchPlace(), [&](unsigned) {
    return CountVisitor(rule_.run_tokens, wanted_, references(), counts);
  }));
  return std::move(counts.sum);
}

Result<RunCounts> RunFinder::earlier_places(EarlierPlaceRows& places, CutPlaceRows* cut) {
  AllCounts counts;
  TWINSET_TRY(runs_->for_each_group(AllRows(), ByStretchPlace(), [&](unsigned) {
    return PlacesVisitor(rule_.run_tokens, wanted_, references(), places, cut, counts);
  }));
  TWINSET_TRY(places.seal());
  if (cut != nullptr) TWINSET_TRY(cut->seal());
  return std::move(counts.sum);
}

Status RunFinder::cut_places(CutPlaceRows& places) {
  TWINSET_TRY(runs_->for_each_group(AllRows(), ByStretchPlace(), [&](unsigned) {
    return CutVisitor(rule_.run_tokens, wanted_, references(), places);
  }));
  return places.seal();
}

Status RunFinder::run_pairs(RunPairRows& pairs) {
  TWINSET_TRY(runs_->for_each_group(AllRows(), ByStretchPlace(), [&](unsigned) {
    return PairsVisitor(rule_.run_tokens, wanted_, references(), pairs);
  }));
  return pairs.seal();
}

void RunFinder::drop_runs() {
  spilled_bytes_ += runs_->spilled_bytes();
  runs_.reset();
}

}  // namespace twinset
