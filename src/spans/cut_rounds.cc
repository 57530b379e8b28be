#include "spans/cut_rounds.h"

#include <algorithm>
#include <string>
#include <utility>

#include "collection/input_changed.h"
#include "system/ordered.h"

namespace twinset {
namespace {

constexpr std::size_t task_texts = 32;
constexpr std::uint64_t places_part = 10;
constexpr std::uint64_t cuts_part = 20;

}  // namespace

/// Some texts that a round changed.
struct CutRounds::Task {
  struct Text {
    std::uint32_t text = 0;
    std::vector<TokenStretch> cuts;  ///< of this round and all before
  };
  std::vector<Text> texts;
  bool is_long = false;
  Analysis analysis;
  AnchorSampler sampler;
  std::vector<TextAnchor> sampled;
  std::vector<AnchorRow> anchors;
};

CutRounds::CutRounds(const Job& job, const RecordFiles& records, const DocumentTable& documents,
                     const AnchorRule& rule, Texts& texts, PlacesIn wanted, const Parts* parts,
                     SpanAnchors& anchors)
    : job_(job),
      records_(records),
      documents_(documents),
      rule_(rule),
      texts_(texts),
      wanted_(wanted),
      parts_(parts),
      anchors_(anchors) {
  cuts_.changed_in.resize(documents.size());
}

RowsOptions CutRounds::rows() const {
  return {&job_.context, job_.spill + "cut_places", job_.context.memory_bytes / places_part,
          job_.signer.fingerprint};
}

Status CutRounds::add(const CutPlaceRows& places) {
  ++round_;
  settled_ = true;
  auto next = std::make_unique<CutRows>(
      RowsOptions{&job_.context, job_.spill + "cuts" + std::to_string(round_),
                  job_.context.memory_bytes / cuts_part, job_.signer.fingerprint});
  TWINSET_ASSIGN(const auto place, places.read());
  std::unique_ptr<CutsByText> before;
  if (cuts_.rows) {
    TWINSET_ASSIGN(auto cursor, cuts_.rows->read());
    before = std::make_unique<CutsByText>(std::move(cursor));
  }
  std::vector<CutPlace> of_text;
  std::vector<TokenStretch> earlier;
  std::vector<TokenStretch> later;
  /// Moves on to the next text with places or cuts; false at the end.
  const auto next_text = [&](Task::Text& out) -> Result<bool> {
    std::optional<std::uint32_t> text;
    if (before) {
      TWINSET_ASSIGN(text, before->next_text());
    }
    const CutPlace* row = place->peek();
    TWINSET_TRY(place->status());
    if (row == nullptr && !text.has_value()) return false;
    out.text = row == nullptr ? *text : std::min(row->text, text.value_or(row->text));
    of_text.clear();
    for (; row != nullptr && row->text == out.text; row = place->peek()) {
      of_text.push_back(*row);
      place->advance();
    }
    TWINSET_TRY(place->status());
    earlier.clear();
    if (before) TWINSET_TRY(before->read(out.text, earlier));
    cuts_of(of_text, rule_.run_tokens, later);
    join(earlier, later, out.cuts);
    return true;
  };
  OrderedSteps<Task> steps;
  steps.take = [&](Task& task, TaskPlace) -> Result<bool> {
    TWINSET_TRY(job_.context.check_cancelled());
    task.texts.clear();
    task.is_long = false;
    Task::Text text;
    while (task.texts.size() < task_texts && !task.is_long) {
      TWINSET_ASSIGN(const bool more, next_text(text));
      if (!more) break;
      for (const TokenStretch& cut : text.cuts) {
        TWINSET_TRY(next->append({text.text, cut.begin, cut.end}));
      }
      if (later.empty()) continue;
      settled_ = false;
      cuts_.changed_in[text.text] = static_cast<std::uint8_t>(round_);
      TWINSET_ASSIGN(const RecordRow row, records_.row(text.text));
      // Most are cut as a whole.
      if (row.size < tokens_of(text.cuts) + rule_.run_tokens) continue;
      TWINSET_ASSIGN(task.is_long, texts_.is_long(documents_.document(text.text)));
      task.texts.push_back(std::move(text));
    }
    return !task.texts.empty();
  };
  steps.alone = [](const Task& task) { return task.is_long; };
  steps.work = [&](unsigned, Task& task) { return renew(task); };
  steps.put = [](Task&) { return Status(); };
  TWINSET_TRY(run_in_order(job_.context.threads, steps));
  TWINSET_TRY(next->seal());
  spilled_bytes_ += places.spilled_bytes() + next->spilled_bytes();
  cuts_.rows = std::move(next);
  return {};
}

Status CutRounds::renew(Task& task) {
  task.anchors.clear();
  for (const Task::Text& text : task.texts) {
    const DocumentId document = documents_.document(text.text);
    TWINSET_TRY(texts_.analyze(document, Offsets::drop, task.analysis));
    std::vector<std::uint64_t>& tokens = task.analysis.tokens;
    if (text.cuts.back().end > tokens.size()) {
      return input_changed(job_.source(document.source()));
    }
    remove(text.cuts, tokens);
    std::uint64_t part = 0;
    if (parts_ != nullptr) {
      TWINSET_ASSIGN(part, parts_->read(text.text));
    }
    task.sampler.sample(tokens, rule_, task.sampled);
    for (const TextAnchor& anchor : task.sampled) {
      task.anchors.push_back(AnchorRow::of(anchor, document, part, round_));
    }
  }
  if (task.is_long) task.analysis = {};
  return anchors_.rows_by_key().append(task.anchors);
}

Status CutRounds::settle() {
  while (!settled_ && round_ < most_cut_rounds) {
    RunFinder finder(job_, documents_, rule_, texts_, wanted_, parts_, &cuts_);
    TWINSET_TRY(finder.find(anchors_, AfterFinding::keep));
    CutPlaceRows places(rows());
    TWINSET_TRY(finder.cut_places(places));
    finder.drop_runs();
    TWINSET_TRY(add(places));
    spilled_bytes_ += finder.spilled_bytes();
  }
  return {};
}

}  // namespace twinset
