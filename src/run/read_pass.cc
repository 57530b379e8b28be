// This file's interface is read_collection; the rest is private: BatchFeed gives out batches in
// order, BatchWork makes one batch's rows, ReadPass commits them.
#include "run/read_pass.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <shared_mutex>

#include "base/message.h"
#include "collection/input_changed.h"
#include "io/content.h"
#include "io/text_per_line.h"
#include "run/page_file.h"
#include "run/prepare.h"
#include "run/run_state.h"
#include "scheme/record_view.h"
#include "system/ordered.h"

namespace twinset {
namespace {

/// A batch and its place.
struct FedBatch {
  std::uint64_t source = 0;
  std::uint64_t first_line = 0;    ///< lines (first_line, batch.lines] of the source
  std::uint64_t stored_bytes = 0;  ///< read so far in the source
  bool ends_source = false;
  std::uint64_t source_checksum = 0;  ///< of the source's lines up to batch.lines
  std::string unreadable;             ///< why the source could not be opened
  const Reader* reader = nullptr;     ///< decodes the batch; lives until its commit
  RecordBatch batch;
  BatchRoom room;
};

/// Gives out the batches of all sources in order, except the records that a checkpoint has.
class BatchFeed {
 public:
  BatchFeed(const Job& job, const ReadState& state)
      : job_(job),
        source_(state.source),
        end_(std::min(job.read.end, job.sources())),
        skip_lines_(state.source_lines),
        skipped_checksum_(state.source_checksum),
        records_left_(job.options.input.limit == 0 ? UINT64_MAX
                                                   : job.options.input.limit - state.records) {}

  /// False at the end of all sources.
  Result<bool> next(FedBatch& fed, TaskPlace place) {
    while (!retired_.empty() && retired_.front().first < place.put) retired_.pop_front();
    number_ = place.number;
    while (source_ < end_) {
      TWINSET_TRY(job_.context.check_cancelled());
      fed.source = source_;
      if (reader_ == nullptr && records_left_ == 0) {
        give_unread(fed);
        return true;
      }
      if (reader_ == nullptr) {
        Status opened = open();
        if (!opened.ok()) {
          TWINSET_ASSIGN(const bool lost, job_.collection->is_lost(source_));
          if (!lost) return opened.error();
          give_unreadable(fed, opened.error());
          return true;
        }
      }
      fed.first_line = std::max(last_lines_, skip_lines_);
      TWINSET_ASSIGN(const bool more,
                     records_left_ == 0 ? Result<bool>(false) : reader_->read(fed.batch));
      if (!more) {
        if (last_lines_ < skip_lines_) return input_changed(job_.source(source_));
        end_source(fed);
        return true;
      }
      cut_to_limit(fed.batch);
      TWINSET_TRY(add_to_checksum(fed.batch));
      if (fed.batch.lines <= skip_lines_) continue;
      drop_skipped(fed.batch);
      const Status held = check_held(job_, job_.source(source_), fed.batch, fed.room);
      if (!held.ok()) {
        return longest_record(job_, held.error(), source_, *reader_, fed.batch, records_left_);
      }
      fed.stored_bytes = fed.batch.stored_bytes;
      fed.source_checksum = checksum_->value();
      fed.ends_source = false;
      fed.reader = reader_.get();
      return true;
    }
    return false;
  }

 private:
  Status open() {
    TWINSET_ASSIGN(reader_, job_.open(source_));
    checksum_.emplace();
    last_lines_ = 0;
    return {};
  }

  /// The lines that an earlier run has read are compared with those that it saw: size and time of a
  /// file do not tell. They may end within the batch.
  Status add_to_checksum(const RecordBatch& batch) {
    const bool reads_again = last_lines_ < skip_lines_;
    last_lines_ = batch.lines;
    if (!reads_again) {
      for_each_piece(batch, [&](std::string_view piece) { checksum_->add(piece); });
      return {};
    }
    const std::size_t before = skipped(batch);
    for (std::size_t i = 0; i < before; ++i) checksum_->add(batch.records[i].raw);
    if (batch.lines >= skip_lines_ && checksum_->value() != skipped_checksum_) {
      return input_changed(job_.source(source_));
    }
    for (std::size_t i = before; i < batch.records.size(); ++i) {
      checksum_->add(batch.records[i].raw);
    }
    return {};
  }

  /// After --limit nothing is read: the source is taken as empty.
  void give_unread(FedBatch& fed) {
    last_lines_ = 0;
    checksum_.emplace();
    const std::uint64_t checksum = skip_lines_ > 0 ? skipped_checksum_ : checksum_->value();
    end_source(fed);
    fed.source_checksum = checksum;
  }

  /// A file that vanished or cannot be read is one bad record; the rest go on.
  void give_unreadable(FedBatch& fed, const Error& why) {
    fed.unreadable = why.text();
    Record record;
    record.number = 1;
    record.bad = BadReason::unreadable;
    record.detail = fed.unreadable;
    fed.batch = RecordBatch();
    fed.room = {};
    fed.batch.records.push_back(record);
    fed.batch.lines = 1;
    fed.first_line = 0;
    fed.reader = nullptr;
    fed.stored_bytes = job_.source(source_).stored_bytes;
    fed.ends_source = true;
    fed.source_checksum = 0;
    --records_left_;
    ++source_;
    skip_lines_ = 0;
  }

  void end_source(FedBatch& fed) {
    fed.first_line = std::max(last_lines_, skip_lines_);
    fed.batch.records.clear();
    fed.room = {};
    fed.batch.lines = std::max(last_lines_, skip_lines_);
    fed.stored_bytes = job_.source(source_).stored_bytes;
    fed.ends_source = true;
    fed.source_checksum = checksum_->value();
    fed.reader = nullptr;
    if (reader_ != nullptr) retired_.emplace_back(number_, std::move(reader_));
    ++source_;
    skip_lines_ = 0;
  }

  /// The number of records at the start of a batch that an earlier run has read.
  std::size_t skipped(const RecordBatch& batch) const {
    const auto first =
        std::partition_point(batch.records.begin(), batch.records.end(),
                             [&](const Record& record) { return record.number <= skip_lines_; });
    return static_cast<std::size_t>(first - batch.records.begin());
  }

  void drop_skipped(RecordBatch& batch) const {
    batch.records.erase(batch.records.begin(),
                        batch.records.begin() + static_cast<std::ptrdiff_t>(skipped(batch)));
  }

  /// Drops the records after --limit, and the lines after the last record that stays. The checksum
  /// covers only the lines that stay, because the end of a batch depends on how the bytes arrive.
  void cut_to_limit(RecordBatch& batch) {
    const std::uint64_t fresh = batch.records.size() - skipped(batch);
    if (fresh > records_left_) {
      batch.records.resize(batch.records.size() - fresh + records_left_);
      batch.lines =
          batch.records.empty() ? std::max(last_lines_, skip_lines_) : batch.records.back().number;
    }
    records_left_ -= std::min(fresh, records_left_);
  }

  const Job& job_;
  std::uint64_t source_;
  const std::uint64_t end_;
  std::uint64_t skip_lines_;              ///< of the first source
  const std::uint64_t skipped_checksum_;  ///< of these
  std::uint64_t records_left_;
  std::uint64_t number_ = 0;  ///< of the batch being given out
  std::uint64_t last_lines_ = 0;
  std::unique_ptr<Reader> reader_;
  /// Readers at their end, with the number of the batch that reached it.
  std::deque<std::pair<std::uint64_t, std::unique_ptr<Reader>>> retired_;
  std::optional<RunningChecksum> checksum_;
};

/// Makes one batch's rows for all collectors. One per task; reuses its buffers.
class BatchWork {
 public:
  BatchWork(const Job& job, std::span<Collector* const> collectors)
      : job_(job),
        min_tokens_(job.options.min_tokens),
        exact_below_(job.options.exact_below),
        needs_tokens_(job.verb.needs_tokens || min_tokens_ > 0 || exact_below_ > 0),
        uses_shingles_(job.verb.signs && job.signer.scheme != nullptr &&
                       job.signer.scheme->facts().uses_shingles),
        within_(job.options.within),
        collectors_(collectors),
        view_(job.signer.view),
        pages_(job.pages) {
    for (const Collector* collector : collectors) rows_.push_back(collector->rows());
  }

  /// `failure` is that of a collector. Errors: those of the pages.
  Status make(FedBatch& fed) {
    records = bad = carried = text_bytes = tokens = documents = not_utf8 = raw_html = mended = 0;
    without_value = exact_only = short_documents = 0;
    text_per_line = false;
    left_out = {};
    decoded = {};
    sees_html_ = warns_of_html(job_.source(fed.source));
    sees_lines_ = warns_of_lines(job_.source(fed.source));
    failure = {};
    trouble = {};
    trouble.source = fed.source;
    const BatchPlace place{fed.source, fed.first_line, fed.batch.lines};
    for (const auto& rows : rows_) rows->begin(place);
    auto record = fed.batch.records.begin();
    const auto end = fed.batch.records.end();
    if (pages_ != nullptr && record != end) {
      TWINSET_TRY(pages_->for_each(place, page_, [&](std::uint64_t line, PageTokens* page) {
        if (record != end && record->number == line) add(fed.source, *record++, page);
        return Status();
      }));
    }
    for (; record != end; ++record) add(fed.source, *record, nullptr);
    return {};
  }

  Status add_rows() {
    for (std::size_t i = 0; i < rows_.size(); ++i) TWINSET_TRY(collectors_[i]->add(*rows_[i]));
    return {};
  }
  Status put_rows() {
    for (std::size_t i = 0; i < rows_.size(); ++i) TWINSET_TRY(collectors_[i]->put(*rows_[i]));
    return {};
  }

  /// Frees the memory that a long record took.
  void release_large() {
    view_.release_large();
    page_ = {};
    for (const auto& rows : rows_) rows->release_large();
  }

  std::uint64_t records = 0;
  std::uint64_t bad = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t tokens = 0;
  std::uint64_t documents = 0;
  std::uint64_t carried = 0;
  std::uint64_t not_utf8 = 0;  ///< records that are not UTF-8
  std::uint64_t raw_html = 0;  ///< texts of JSON that begin like HTML
  bool text_per_line = false;
  std::uint64_t exact_only = 0;
  std::uint64_t short_documents = 0;
  std::uint64_t mended = 0;
  std::uint64_t without_value = 0;  ///< documents without the field of CollectionOptions::within
  LeftOutContent left_out;
  DecodedCounts decoded;
  InputTrouble trouble;
  Status failure;  ///< of the batch's first record that a collector failed at

 private:
  void add(std::uint64_t source, const Record& record, PageTokens* page) {
    if (!failure.ok()) return;
    ++records;
    mended += record.mended ? 1 : 0;
    const Fate fate = look_at(record, page);
    const std::uint64_t part = fate == Fate::kept && !within_.empty() ? part_of_view() : 0;
    const ReadRecord read{DocumentId(source, record.number), record, fate, view_, part};
    for (std::size_t i = 0; i < rows_.size() && failure.ok(); ++i) {
      failure = collectors_[i]->take(read, *rows_[i]);
    }
  }

  /// A hash of the values of the field; those without one are a part, too.
  std::uint64_t part_of_view() {
    values_.clear();
    view_.field(within_, values_);
    without_value += values_.empty() ? 1 : 0;
    std::uint64_t part = mix64(values_.size() + 1);
    for (const std::string& value : values_) part = mix64(part ^ checksum(value));
    return part;
  }

  /// `page`: of the record, read before; else null.
  Fate look_at(const Record& record, PageTokens* page) {
    if (record.carried) {
      ++carried;
      left_out.scripts += record.content == PageContent::script ? 1 : 0;
      left_out.style_sheets += record.content == PageContent::style_sheet ? 1 : 0;
      left_out.empty_pages += record.content == PageContent::empty ? 1 : 0;
      return Fate::carried;
    }
    if (record.bad != BadReason::none) {
      ++bad;
      trouble.note(record);
      return Fate::bad;
    }
    text_bytes += record.text.size();
    if (sees_html_ && begins_like_html(record.text)) ++raw_html;
    text_per_line = sees_lines_ && has_text_per_line(record.text);
    decoded.note(record);
    view_.look_at(record);
    if (page != nullptr) view_.take_page(*page);
    if (needs_tokens_) {
      const Analysis& analysis = view_.whole_analysis();
      if (analysis.replaced > 0) ++not_utf8;
      if (analysis.tokens.size() < min_tokens_) return Fate::filtered;
      tokens += analysis.tokens.size();
      if (analysis.tokens.size() < exact_below_) {
        ++exact_only;
        view_.compare_bytes_only();
      } else if (uses_shingles_ && !analysis.tokens.empty() &&
                 analysis.tokens.size() < job_.signer.view.shingle_tokens) {
        ++short_documents;
      }
    }
    ++documents;
    return Fate::kept;
  }

  /// Are texts of this source read as they are, although they may be pages?
  bool warns_of_html(const Source& source) const {
    const std::string_view analyzer = job_.options.analyzer;
    return !source.one_document && !source.pages && !source.made_texts &&
           (analyzer.empty() || analyzer.starts_with("words"));
  }

  /// Is this all that is compared, and may it be texts that were taken for one? Who names the
  /// format knows; `auto` does not name one.
  bool warns_of_lines(const Source& source) const {
    return job_.verb.signs && job_.sources() == 1 && source.one_document && !source.pages &&
           !source.made_texts && !source.format.empty() &&
           (job_.options.input.format.empty() || job_.options.input.format == format_by_text);
  }

  const Job& job_;
  const std::uint64_t min_tokens_;
  const std::uint64_t exact_below_;
  const bool needs_tokens_;
  const bool uses_shingles_;
  const std::string& within_;
  std::vector<std::string> values_;  ///< scratch
  bool sees_html_ = false;
  bool sees_lines_ = false;  ///< warns_of_lines() of the source
  const std::span<Collector* const> collectors_;
  std::vector<std::unique_ptr<Collector::Rows>> rows_;
  RecordView view_;
  const PageFile* const pages_;
  PageTokens page_;
};

/// Are the inputs that an earlier run has read to their end still the same? Verbs that write
/// records see it at their end, when they read all again.
Status check_finished_sources(const Job& job, const ReadState& state) {
  if (job.verb.writes_records || state.source == job.read.first) return {};
  BatchFeed feed(job, read_state_from(job.read.first));
  FedBatch fed;
  for (std::uint64_t batch = 0;; ++batch) {
    TWINSET_ASSIGN(const bool more, feed.next(fed, {batch, batch}));
    if (!more) return {};
    if (!fed.ends_source) continue;
    if (fed.source_checksum != state.checksums[fed.source]) {
      return input_changed(job.source(fed.source));
    }
    if (fed.source + 1 == state.source) return {};
  }
}

class ReadPass {
 public:
  ReadPass(const Job& job, std::span<Collector* const> collectors, const SaveCheckpoint& save,
           ReadState& state)
      : job_(job),
        collectors_(collectors),
        save_(save),
        state_(state),
        feed_(job, state),
        saved_text_bytes_(state.text_bytes) {
    for (std::uint64_t i = job.read.first; i < std::min(job.read.end, job.sources()); ++i) {
      total_bytes_ += job.source(i).stored_bytes;
      if (i < state.source) done_bytes_ += job.source(i).stored_bytes;
    }
  }

  Status run() {
    OrderedSteps<Task> steps;
    steps.take = [&](Task& task, TaskPlace place) { return feed_.next(task.fed, place); };
    // Memory holds one long record at a time.
    steps.alone = [](const Task& task) { return task.fed.room.alone; };
    steps.keeps_worker = [](const Task& task) { return is_large(task.fed.batch); };
    steps.work = [&](unsigned, Task& task) -> Status {
      if (task.work == nullptr) task.work = std::make_unique<BatchWork>(job_, collectors_);
      if (task.fed.reader != nullptr) task.fed.reader->decode(job_.fields, task.fed.batch);
      TWINSET_TRY(task.work->make(task.fed));
      const std::shared_lock adding(adding_);
      return task.work->add_rows();
    };
    steps.put = [&](Task& task) { return commit(task.fed, *task.work); };
    return run_in_order(job_.context.threads, steps);
  }

 private:
  struct Task {
    FedBatch fed;
    std::unique_ptr<BatchWork> work;
  };

  /// In the order of the feed: puts the rows, counts, and saves a checkpoint when one is due.
  Status commit(FedBatch& fed, BatchWork& work) {
    TWINSET_TRY(work.put_rows());
    // Not where it arose: the first record in input order decides, however many threads work.
    TWINSET_TRY(work.failure);
    state_.records += work.records;
    state_.bad += work.bad;
    state_.text_bytes += work.text_bytes;
    state_.tokens += work.tokens;
    state_.documents += work.documents;
    state_.large_bytes = std::max(state_.large_bytes, fed.room.large_bytes);
    state_.source_lines = fed.batch.lines;
    state_.source_checksum = fed.source_checksum;
    state_.source_records += work.records;
    state_.source_carried += work.carried;
    state_.troubles.add(std::move(work.trouble));
    state_.decoded.add(work.decoded);
    state_.not_utf8.add(fed.source, work.not_utf8);
    state_.raw_html.add(fed.source, work.raw_html);
    state_.text_per_line = state_.text_per_line || work.text_per_line;
    state_.exact_only += work.exact_only;
    state_.short_documents += work.short_documents;
    state_.mended.add(fed.source, work.mended);
    state_.without_value.add(fed.source, work.without_value);
    state_.left_out.scripts += work.left_out.scripts;
    state_.left_out.style_sheets += work.left_out.style_sheets;
    state_.left_out.empty_pages += work.left_out.empty_pages;
    if (fed.ends_source) {
      state_.troubles.end_input(fed.source, state_.source_records);
      if (state_.source_carried == state_.source_records) {
        state_.without_document.add(fed.source, state_.source_records);
      }
      state_.source_records = 0;
      state_.source_carried = 0;
      state_.lines.push_back(state_.source_lines);
      state_.checksums.push_back(fed.source_checksum);
      state_.source = fed.source + 1;
      state_.source_lines = state_.source_checksum = 0;
      done_bytes_ += job_.source(fed.source).stored_bytes;
    }
    TWINSET_TRY(check_bad_records(job_, state_));
    TWINSET_TRY(report_and_save(fed));
    if (fed.room.alone) work.release_large();
    if (is_huge(fed.batch)) fed.batch = RecordBatch();
    return {};
  }

  Status report_and_save(const FedBatch& fed) {
    const std::uint64_t done = done_bytes_ + (fed.ends_source ? 0 : fed.stored_bytes);
    if (job_.context.progress != nullptr) {
      job_.context.progress->report({"read", done, total_bytes_, state_.records});
    }
    if (state_.text_bytes - saved_text_bytes_ < job_.options.resources.checkpoint) return {};
    saved_text_bytes_ = state_.text_bytes;
    const std::unique_lock nobody_adds(adding_);
    return save_(state_);
  }

  const Job& job_;
  const std::span<Collector* const> collectors_;
  const SaveCheckpoint& save_;
  ReadState& state_;
  BatchFeed feed_;
  std::shared_mutex adding_;  ///< shared while rows are added; exclusive for a checkpoint
  std::uint64_t done_bytes_ = 0;
  std::uint64_t total_bytes_ = 0;
  std::uint64_t saved_text_bytes_;
};

}  // namespace

Status check_bad_records(const Job& job, const ReadState& state) {
  const std::optional<std::uint64_t>& most = job.options.max_bad;
  if (!most.has_value() || state.bad <= *most) return {};
  return Error{ErrorCode::bad_records, "more than " + std::to_string(*most) + " bad records (" +
                                           option("max_bad") + "); the latest are listed in " +
                                           job.work + "/out/" + std::string(quarantine_file)};
}

Status read_collection(const Job& job, std::span<Collector* const> collectors,
                       const SaveCheckpoint& save, ReadState& state) {
  TWINSET_TRY(check_finished_sources(job, state));
  if (state.finished) return {};
  ReadPass pass(job, collectors, save, state);
  TWINSET_TRY(pass.run());
  state.finished = true;
  return {};
}

}  // namespace twinset
