// This file's interface is read_inputs; the rest is private: BatchFeed gives
// batches out in order, BatchWork makes one batch's rows, ReadPass commits them.
#include "run/read_pass.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <shared_mutex>

#include "base/ordered.h"
#include "io/json.h"
#include "run/prepare.h"
#include "run/quarantine.h"
#include "scheme/identity.h"
#include "scheme/little_endian.h"
#include "text/shingler.h"

namespace twinset {
namespace {

/// Batches that one long record made larger are given back.
constexpr std::size_t kept_batch_bytes = std::size_t{8} << 20;

/// A batch and where it stands.
struct FedBatch {
  std::uint64_t source = 0;
  std::uint64_t first_line = 0;    ///< lines (first_line, batch.lines] of the source
  std::uint64_t stored_bytes = 0;  ///< read so far in the source
  bool ends_source = false;
  std::uint64_t source_checksum = 0;  ///< set when ends_source
  std::string unreadable;             ///< why the source could not be opened
  const Reader* reader = nullptr;     ///< decodes the batch; lives until its commit
  RecordBatch batch;
  BatchRoom room;
};

/// Gives out the batches of all sources in order, skipping what a checkpoint has.
class BatchFeed {
 public:
  BatchFeed(const Job& job, const ReadState& state)
      : job_(job),
        source_(state.source),
        skip_lines_(state.source_lines),
        records_left_(job.options.input.limit == 0 ? UINT64_MAX
                                                   : job.options.input.limit - state.records) {}

  /// False at the end of all sources.
  Result<bool> next(FedBatch& fed, TaskPlace place) {
    while (!retired_.empty() && retired_.front().first < place.put) retired_.pop_front();
    number_ = place.number;
    while (source_ < job_.sources()) {
      TWINSET_TRY(job_.context.check_cancelled());
      fed.source = source_;
      if (reader_ == nullptr && records_left_ == 0) {
        give_unread(fed);
        return true;
      }
      if (reader_ == nullptr) {
        Status opened = open();
        if (!opened.ok()) {
          Result<bool> lost = is_lost();
          TWINSET_TRY(lost);
          if (!lost.value()) return opened.error();
          give_unreadable(fed, opened.error());
          return true;
        }
      }
      fed.first_line = std::max(last_lines_, skip_lines_);
      Result<bool> more = records_left_ == 0 ? Result<bool>(false) : reader_->read(fed.batch);
      TWINSET_TRY(more);
      if (!more.value()) {
        end_source(fed);
        return true;
      }
      cut_to_limit(fed.batch);
      for_each_piece(fed.batch, [&](std::string_view piece) { checksum_->add(piece); });
      last_lines_ = fed.batch.lines;
      if (fed.batch.lines <= skip_lines_) continue;
      drop_skipped(fed.batch);
      TWINSET_TRY(check_held(job_, job_.source(source_), fed.batch, fed.room));
      fed.stored_bytes = fed.batch.stored_bytes;
      fed.ends_source = false;
      fed.reader = reader_.get();
      return true;
    }
    return false;
  }

 private:
  Status open() {
    Result<std::unique_ptr<Reader>> reader =
        open_reader(*job_.context.files, job_.source(source_), job_.limits);
    TWINSET_TRY(reader);
    reader_ = std::move(reader).value();
    checksum_.emplace();
    last_lines_ = 0;
    return {};
  }

  /// Behind --limit nothing is read: the source ends as it begins.
  void give_unread(FedBatch& fed) {
    last_lines_ = 0;
    checksum_.emplace();
    end_source(fed);
  }

  /// Did the source vanish, or is it closed to us? Other failures end the run.
  Result<bool> is_lost() const {
    Result<FileStatus> status = job_.context.files->status(job_.source(source_).path);
    TWINSET_TRY(status);
    if (status.value().kind == FileStatus::Kind::missing) return true;
    Result<bool> readable = job_.context.files->readable(job_.source(source_).path);
    TWINSET_TRY(readable);
    return !readable.value();
  }

  /// A file that vanished or cannot be read is one bad record; the rest go on.
  void give_unreadable(FedBatch& fed, const Error& why) {
    fed.unreadable = why.message;
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
    fed.stored_bytes = job_.source(source_).status.size;
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
    fed.stored_bytes = job_.source(source_).status.size;
    fed.ends_source = true;
    fed.source_checksum = checksum_->value();
    fed.reader = nullptr;
    if (reader_ != nullptr) retired_.emplace_back(number_, std::move(reader_));
    ++source_;
    skip_lines_ = 0;
  }

  /// Records at the head of a batch that an earlier run has read.
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

  /// Drops the records after --limit, and the lines after the last one that stays. The
  /// checksum is of what stays: how far a batch goes depends on how the bytes came.
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
  std::uint64_t skip_lines_;
  std::uint64_t records_left_;
  std::uint64_t number_ = 0;  ///< of the batch given now
  std::uint64_t last_lines_ = 0;
  std::unique_ptr<Reader> reader_;
  /// Readers at their end, with the number of the batch that told it.
  std::deque<std::pair<std::uint64_t, std::unique_ptr<Reader>>> retired_;
  std::optional<RunningChecksum> checksum_;
};

/// Makes the rows of one batch. One a worker; buffers are reused.
class BatchWork {
 public:
  explicit BatchWork(const Job& job) : job_(job) {}

  void make(FedBatch& fed) {
    clear();
    job_source_ = fed.source;
    trouble.source = fed.source;
    Input const& input = job_.source(fed.source);
    std::uint64_t line = fed.first_line;
    for (const Record& record : fed.batch.records) {
      add_absent(record.number - line - 1);
      line = record.number;
      add(input, record);
    }
    add_absent(fed.batch.lines - line);
  }

  /// Gives back what a long record made larger.
  void release_large() {
    analysis_ = Analysis();
    sampled = SampleBatch();
    bands = std::vector<KeyRow>();
    counted = std::vector<KeyRow>();
    keys_ = std::vector<std::uint64_t>();
    sketch_ = Sketch();
    counted_sketch_ = Sketch();
    shingles_ = std::vector<std::uint64_t>();
    distinct_ = ShingleSet();
  }

  std::vector<RecordRow> rows;
  std::vector<AbsentRows> absent;  ///< blank lines among them
  std::string names;
  std::string sketches;
  std::vector<std::uint32_t> sketch_sizes;  ///< each row's bytes of them
  std::string quarantine;
  std::vector<FingerprintRow> fingerprints;
  std::vector<KeyRow> bands;
  std::vector<KeyRow> counted;
  std::uint64_t records = 0;
  std::uint64_t bad = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t tokens = 0;
  std::uint64_t documents = 0;
  std::uint64_t not_utf8 = 0;  ///< records
  InputTrouble trouble;
  SampleBatch sampled;

 private:
  void clear() {
    rows.clear();
    absent.clear();
    names.clear();
    sketches.clear();
    sketch_sizes.clear();
    quarantine.clear();
    fingerprints.clear();
    bands.clear();
    counted.clear();
    records = bad = text_bytes = tokens = documents = not_utf8 = 0;
    trouble = {};
    sampled.clear();
  }

  void add_absent(std::uint64_t count) {
    if (count > 0) absent.push_back({rows.size(), count});
  }

  void add(const Input& input, const Record& record) {
    ++records;
    RecordRow row;
    row.offset = record.offset;
    row.length = static_cast<std::uint32_t>(std::min<std::uint64_t>(record.length, UINT32_MAX));
    sketch_.empty = true;
    sketch_.stored.clear();
    Fate fate = Fate::kept;
    if (record.bad != BadReason::none) {
      fate = Fate::bad;
      ++bad;
      trouble.note(record);
      append_quarantine_line(quarantine, input.shown, record);
    } else {
      row.fingerprint = record_fingerprint(record.raw);
      row.name_offset = names.size();
      row.id_bytes = static_cast<std::uint32_t>(record.id.size());
      names += record.id;
      row.order_bytes = append_order_value(record.order_value);
      fate = analyze(record, input.markup, row);
    }
    row.seal(fate);
    rows.push_back(row);
    const std::size_t stored = std::min(job_.stored_sketch_bytes(), sketch_.stored.size());
    sketches.append(reinterpret_cast<const char*>(sketch_.stored.data()), stored);
    sketch_sizes.push_back(static_cast<std::uint32_t>(stored));
  }

  std::uint32_t append_order_value(std::string_view token) {
    const std::size_t before = names.size();
    if (job_.keep.by == KeepRule::By::field) append_json_token_value(names, token);
    return static_cast<std::uint32_t>(names.size() - before);
  }

  /// Fingerprints, sketch and keys of one good record.
  Fate analyze(const Record& record, Markup markup, RecordRow& row) {
    text_bytes += record.text.size();
    twinset::analyze(*job_.analyzer, record.text, markup, Offsets::drop, analysis_);
    if (analysis_.replaced > 0) ++not_utf8;
    row.size = static_cast<std::uint32_t>(analysis_.tokens.size());
    if (row.size < job_.options.min_tokens) return Fate::filtered;

    const DocumentId document(job_source_, record.number);
    const Fingerprint raw = identical_fingerprint(record.text);
    const Fingerprint lexical = lexical_fingerprint(record.text, analysis_);
    fingerprints.push_back({lexical.high, lexical.low, raw, document});
    ++documents;
    tokens += row.size;
    if (job_.sample != nullptr) job_.sample->take_fingerprint(lexical, sampled);
    if (analysis_.tokens.empty()) return Fate::kept;

    shingle(analysis_.tokens, job_.shingle_tokens, shingles_);
    const DocumentView view{record.text, &analysis_, shingles_, job_.analyzer, markup};
    if (job_.uses_bands()) {
      job_.scheme->sketch(view, sketch_);
      add_keys(*job_.scheme, document, bands);
      add_sampled(document, lexical, record, row.size, sketch_);
    }
    if (const Scheme* scheme = job_.counted_scheme(); scheme != nullptr) {
      scheme->sketch(view, counted_sketch_);
      keys_.clear();
      scheme->keys(counted_sketch_, keys_);
      row.keys = static_cast<std::uint32_t>(keys_.size());
      for (const std::uint64_t key : keys_) counted.push_back({key, document});
      if (scheme == job_.scheme.get()) {
        add_sampled(document, lexical, record, row.size, counted_sketch_);
      }
      if (job_.keeps_sample_sizes) store_sample(*scheme);
    }
    if (job_.thresholds.containment.has_value()) {
      distinct_.take(shingles_);
      row.size = distinct_.size();
    }
    return Fate::kept;
  }

  /// For the sample of keys; keys_ are the document's.
  void add_sampled(DocumentId document, const Fingerprint& lexical, const Record& record,
                   std::uint32_t size, const Sketch& sketch) {
    if (job_.sample == nullptr) return;
    KeyHolder described;
    described.document = document;
    described.lexical = lexical;
    described.text_bytes = record.text.size();
    described.tokens = size;
    described.level = job_.scheme->sample_level(sketch);
    job_.sample->take(described, keys_, sketch.stored, sampled);
  }

  /// The sample's sizes, and its sketch where that is counted.
  void store_sample(const Scheme& scheme) {
    const SampleSizes sizes = SampleSizes::of(scheme, counted_sketch_, keys_);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&sizes);
    sketch_.stored.assign(bytes, bytes + sizeof sizes);
    if (!scheme.counts_sketches()) return;
    const auto length = static_cast<std::uint32_t>(counted_sketch_.stored.size());
    append_little_endian<std::uint32_t>({&length, 1}, sketch_.stored);
    sketch_.stored.insert(sketch_.stored.end(), counted_sketch_.stored.begin(),
                          counted_sketch_.stored.end());
  }

  void add_keys(const Scheme& scheme, DocumentId document, std::vector<KeyRow>& out) {
    keys_.clear();
    scheme.keys(sketch_, keys_);
    for (const std::uint64_t key : keys_) out.push_back({key, document});
  }

  const Job& job_;
  std::uint64_t job_source_ = 0;
  Analysis analysis_;
  std::vector<std::uint64_t> shingles_;
  std::vector<std::uint64_t> keys_;
  Sketch sketch_;
  Sketch counted_sketch_;
  ShingleSet distinct_;
};

class ReadPass {
 public:
  ReadPass(const Job& job, Stores& stores, const SaveCheckpoint& save, ReadState& state)
      : job_(job),
        stores_(stores),
        save_(save),
        state_(state),
        feed_(job, state),
        saved_text_bytes_(state.text_bytes) {
    for (std::uint64_t i = 0; i < job.sources(); ++i) {
      total_bytes_ += job.source(i).status.size;
      if (i < state.source) done_bytes_ += job.source(i).status.size;
    }
  }

  Status run() {
    std::vector<std::unique_ptr<BatchWork>> workers;
    for (unsigned i = 0; i < std::max(1U, job_.context.threads); ++i) {
      workers.push_back(std::make_unique<BatchWork>(job_));
    }
    OrderedSteps<Task> steps;
    steps.take = [&](Task& task, TaskPlace place) { return feed_.next(task.fed, place); };
    // Memory holds one long record at a time.
    steps.alone = [](const Task& task) { return task.fed.room.alone; };
    steps.work = [&](unsigned worker, Task& task) -> Status {
      task.work = workers[worker].get();
      if (task.fed.reader != nullptr) task.fed.reader->decode(job_.fields, task.fed.batch);
      task.work->make(task.fed);
      return add_rows(*task.work);
    };
    steps.put = [&](Task& task) { return commit(task.fed, *task.work); };
    return run_in_order(job_.context.threads, steps);
  }

 private:
  struct Task {
    FedBatch fed;
    BatchWork* work = nullptr;
  };

  /// Rows may come before their batch is committed: what a checkpoint then holds
  /// too much is added again by the run that goes on, and equal rows count once.
  Status add_rows(BatchWork& work) {
    if (job_.sample != nullptr) job_.sample->add(work.sampled);
    if (job_.only_samples) return {};
    const std::shared_lock adding(adding_);
    TWINSET_TRY(stores_.fingerprints->append(work.fingerprints));
    if (stores_.bands != nullptr) TWINSET_TRY(stores_.bands->append(work.bands));
    if (stores_.counted != nullptr) TWINSET_TRY(stores_.counted->append(work.counted));
    return {};
  }

  /// In the order of the feed: appends, counts, and now and then a checkpoint.
  Status commit(FedBatch& fed, BatchWork& work) {
    if (!job_.only_samples) {
      TWINSET_TRY(stores_.records->append(work.rows, work.names, work.sketches, work.sketch_sizes,
                                          work.absent));
      TWINSET_TRY(stores_.quarantine->append(work.quarantine));
    }
    state_.records += work.records;
    state_.bad += work.bad;
    state_.text_bytes += work.text_bytes;
    state_.tokens += work.tokens;
    state_.documents += work.documents;
    state_.name_bytes += work.names.size();
    state_.keys += work.bands.size() + work.counted.size();
    state_.quarantine_bytes += work.quarantine.size();
    state_.large_bytes = std::max(state_.large_bytes, fed.room.large_bytes);
    state_.source_lines = fed.batch.lines;
    state_.source_records += work.records;
    note_troubles(fed.source, work);
    if (fed.ends_source) {
      state_.troubles.end_input(fed.source, state_.source_records);
      state_.source_records = 0;
      state_.lines.push_back(state_.source_lines);
      state_.checksums.push_back(fed.source_checksum);
      state_.source = fed.source + 1;
      state_.source_lines = 0;
      done_bytes_ += job_.source(fed.source).status.size;
    }
    if (job_.options.max_bad.has_value() && state_.bad > *job_.options.max_bad) {
      return Error{ErrorCode::bad_records,
                   "more than " + std::to_string(*job_.options.max_bad) +
                       " bad records (--max-bad); the latest are listed in " + job_.work +
                       "/out/quarantine.jsonl"};
    }
    TWINSET_TRY(report_and_save(fed));
    if (fed.room.alone) work.release_large();
    if (fed.batch.bytes.capacity() > kept_batch_bytes) fed.batch = RecordBatch();
    return {};
  }

  /// The faults that the batch adds to those of its input.
  void note_troubles(std::uint64_t source, BatchWork& work) {
    state_.troubles.add(std::move(work.trouble));
    if (work.not_utf8 == 0) return;
    if (state_.not_utf8_sources == 0) state_.first_not_utf8 = source;
    if (state_.not_utf8_sources == 0 || state_.last_not_utf8 != source) ++state_.not_utf8_sources;
    state_.last_not_utf8 = source;
    state_.not_utf8_records += work.not_utf8;
  }

  Status report_and_save(const FedBatch& fed) {
    const std::uint64_t done = done_bytes_ + (fed.ends_source ? 0 : fed.stored_bytes);
    if (job_.context.progress != nullptr) {
      job_.context.progress->report({"read", done, total_bytes_, state_.records});
    }
    if (state_.text_bytes - saved_text_bytes_ < job_.options.resources.checkpoint_bytes) return {};
    saved_text_bytes_ = state_.text_bytes;
    state_.record_lengths = stores_.records->lengths();
    const std::unique_lock nobody_adds(adding_);
    return save_(state_);
  }

  const Job& job_;
  Stores& stores_;
  const SaveCheckpoint& save_;
  ReadState& state_;
  BatchFeed feed_;
  std::shared_mutex adding_;  ///< held while rows are added; alone by a checkpoint
  std::uint64_t done_bytes_ = 0;
  std::uint64_t total_bytes_ = 0;
  std::uint64_t saved_text_bytes_;
};

}  // namespace

Status read_inputs(const Job& job, Stores& stores, const SaveCheckpoint& save, ReadState& state) {
  if (!state.finished) {
    ReadPass pass(job, stores, save, state);
    TWINSET_TRY(pass.run());
    state.finished = true;
    state.record_lengths = stores.records->lengths();
  }
  return {};
}

}  // namespace twinset
