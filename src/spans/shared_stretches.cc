#include "spans/shared_stretches.h"

#include <algorithm>
#include <utility>

namespace twinset {
namespace {

using ClassRun = SharedStretches::ClassRun;
using ClassRow = SharedStretches::ClassRow;

/// Classes that are remembered: those of 4 MiB.
constexpr std::size_t known_classes = std::size_t{1} << 19;
/// Classes of a run that are held. A run that more have is a part of its own.
constexpr std::size_t most_held = std::size_t{1} << 16;

/// Two runs tell all tokens of a stretch, for it has no more of them than a run has tokens.
Key128 class_key(const Key128& first, const Key128& last, std::uint64_t runs) {
  return {mix64(first.high + mix64(last.high + runs)), mix64(first.low + mix64(last.low + runs))};
}

Key128 part_key(const Key128& of_class, std::uint64_t begin) {
  return {mix64(of_class.high + mix64(begin + 1)), mix64(of_class.low ^ mix64(begin + 1))};
}

struct ByClass {
  bool operator()(const ClassRun& a, const ClassRun& b) const {
    return a.of_stretch != b.of_stretch ? a.of_stretch < b.of_stretch : a.at < b.at;
  }
};

/// Runs first.
struct ByKindAndPlace {
  bool operator()(const ClassRow& a, const ClassRow& b) const {
    if (a.is_stretch != b.is_stretch) return a.is_stretch < b.is_stretch;
    return a.text != b.text ? a.text < b.text : a.begin < b.begin;
  }
};

/// Step 2: gives each class of a run that several have the run, and a hash of who they are.
class SharedRunVisitor {
 public:
  explicit SharedRunVisitor(PartitionedRows<ClassRow>& out) : out_(out) {}

  Status row(const ClassRun& row, bool first) {
    if (first) {
      TWINSET_TRY(end_group());
      too_many_ = false;
    }
    if (too_many_) return add(row, row.key.low);
    held_.push_back(row);
    if (held_.size() < most_held) return {};
    too_many_ = true;
    return give_held(row.key.low);
  }
  Status finish() {
    TWINSET_TRY(end_group());
    return out_.finish();
  }

 private:
  Status end_group() {
    if (held_.empty()) return {};
    std::uint64_t with = 0;
    for (const ClassRun& row : held_) {
      with = mix64(with + row.of_stretch.high) + (row.at - held_.front().at);
    }
    return give_held(with);
  }
  Status give_held(std::uint64_t with) {
    for (const ClassRun& row : held_) TWINSET_TRY(add(row, with));
    held_.clear();
    return {};
  }
  Status add(const ClassRun& row, std::uint64_t with) {
    return out_.add({row.of_stretch, row.key, with, 0, 0, row.at, 0});
  }

  std::vector<ClassRun> held_;
  bool too_many_ = false;
  Appender<PartitionedRows<ClassRow>, ClassRow> out_;
};

/// Step 3: cuts the stretches of a class into parts.
class PartsVisitor {
 public:
  explicit PartsVisitor(RunStretchRows& out) : out_(out) {}

  Status row(const ClassRow& row, bool first) {
    if (first) {
      shared_.clear();
      stretches_ = 0;
    }
    if (row.is_stretch == 0) {
      shared_.push_back(row);
      return {};
    }
    if (stretches_++ == 0) {
      cut(row);
      first_ = row;
      return give(row, shared_parts_);
    }
    // What a class alone has is worth a row if it has two stretches.
    if (stretches_ == 2) TWINSET_TRY(give(first_, own_parts_));
    TWINSET_TRY(give(row, shared_parts_));
    return give(row, own_parts_);
  }
  Status finish() { return out_.finish(); }

 private:
  struct Part {
    Key128 key;
    std::uint32_t begin = 0;
    std::uint32_t runs = 0;
  };

  void cut(const ClassRow& stretch) {
    own_parts_.clear();
    shared_parts_.clear();
    std::uint32_t end = 0;
    const ClassRow* last = nullptr;
    for (const ClassRow& run : shared_) {
      if (last != nullptr && last->begin + 1 == run.begin && last->with == run.with) {
        ++shared_parts_.back().runs;
      } else {
        add_own(stretch.key, end, run.begin);
        shared_parts_.push_back({run.run, run.begin, 1});
      }
      end = run.begin + 1;
      last = &run;
    }
    add_own(stretch.key, end, stretch.runs);
  }
  void add_own(const Key128& key, std::uint32_t begin, std::uint32_t end) {
    if (begin < end) own_parts_.push_back({part_key(key, begin), begin, end - begin});
  }
  Status give(const ClassRow& stretch, const std::vector<Part>& parts) {
    for (const Part& part : parts) {
      TWINSET_TRY(out_.add({part.key, stretch.text, stretch.begin + part.begin, part.runs}));
    }
    return {};
  }

  std::vector<ClassRow> shared_;
  std::vector<Part> shared_parts_;
  std::vector<Part> own_parts_;
  ClassRow first_;
  std::uint64_t stretches_ = 0;
  Appender<RunStretchRows, RunStretch> out_;
};

}  // namespace

SharedStretches::SharedStretches(const RowsOptions& options, unsigned run_tokens)
    : options_(options), run_tokens_(run_tokens), known_(known_classes) {
  RowsOptions runs = options;
  runs.path += ".runs";
  runs.memory_bytes = options.memory_bytes / 3;
  class_runs_ = std::make_unique<PartitionedRows<ClassRun>>(runs);
  RowsOptions rows = options;
  rows.path += ".classes";
  rows.memory_bytes = options.memory_bytes - runs.memory_bytes;
  class_rows_ = std::make_unique<PartitionedRows<ClassRow>>(rows);
}

SharedStretches::Adder::Adder(SharedStretches& all)
    : hasher_(all.run_tokens_),
      known_(all.known_),
      class_runs_(*all.class_runs_),
      class_rows_(*all.class_rows_) {}

Status SharedStretches::Adder::add(std::uint32_t text, std::span<const std::uint64_t> tokens,
                                   std::uint64_t part, std::span<const AnchorRuns> stretches) {
  for (std::size_t i = 0; i < stretches.size();) {
    // Stretches side by side are hashed in one go.
    std::size_t end = i + 1;
    const auto end_of = [&](std::size_t j) { return stretches[j].first_run + stretches[j].runs; };
    while (end < stretches.size() && stretches[end].first_run == end_of(end - 1)) ++end;
    Status added;
    runs_.clear();
    hasher_.for_each(tokens, stretches[i].first_run, end_of(end - 1),
                     [&](std::size_t, const Key128& key) {
                       if (!added.ok()) return;
                       runs_.push_back({key.high ^ part, key.low ^ part});
                       if (runs_.size() < stretches[i].runs) return;
                       added = add_stretch(text, stretches[i].first_run);
                       runs_.clear();
                       ++i;
                     });
    TWINSET_TRY(added);
  }
  return {};
}

Status SharedStretches::Adder::add_stretch(std::uint32_t text, std::uint32_t begin) {
  const auto runs = static_cast<std::uint32_t>(runs_.size());
  const Key128 key = class_key(runs_.front(), runs_.back(), runs);
  TWINSET_TRY(class_rows_.add({key, {}, 0, 1, text, begin, runs}));
  // If two threads have it at once, both tell its runs.
  std::atomic<std::uint64_t>& known = known_[key.low % known_.size()];
  if (known.load(std::memory_order_relaxed) == key.high) return {};
  known.store(key.high, std::memory_order_relaxed);
  for (std::uint32_t at = 0; at < runs; ++at) {
    TWINSET_TRY(class_runs_.add({runs_[at], key, at}));
  }
  return {};
}

Status SharedStretches::Adder::finish() {
  TWINSET_TRY(class_runs_.finish());
  return class_rows_.finish();
}

Status SharedStretches::settle(RunStretchRows& out) {
  TWINSET_TRY(class_runs_->for_each_group(
      AllRows(), ByClass(), [&](unsigned) { return SharedRunVisitor(*class_rows_); }));
  spilled_bytes_ += class_runs_->spilled_bytes();
  class_runs_.reset();
  TWINSET_TRY(class_rows_->for_each_group(AllRows(), ByKindAndPlace(),
                                          [&](unsigned) { return PartsVisitor(out); }));
  spilled_bytes_ += class_rows_->spilled_bytes();
  class_rows_.reset();
  return {};
}

}  // namespace twinset
