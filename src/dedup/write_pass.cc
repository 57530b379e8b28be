// This file's interface is count_fates and write_outputs; the rest is private:
// WriteFeed reads the inputs again with their proofs, BatchOutput makes what a batch adds to the
// outputs, OutputFiles puts it there.
#include "dedup/write_pass.h"

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/hash.h"
#include "collection/frame_copier.h"
#include "collection/output_files.h"
#include "dedup/clusters.h"
#include "dedup/removals.h"
#include "dedup/same_words.h"
#include "io/bytes.h"
#include "io/field_json.h"
#include "run/input_feed.h"
#include "run/names.h"
#include "run/run_fields.h"
#include "system/ordered.h"

namespace twinset {
namespace {

constexpr std::size_t most_line_bytes = std::size_t{1} << 20;

/// Makes a file of the output that is not named after an input.
Result<std::unique_ptr<ByteSink>> create_own_file(const Job& job, const std::string& name,
                                                  Compression compression) {
  return create_output(*job.context.files, job.work + "/out", name, compression, 0);
}

class BatchOutput;

/// A batch of an input, and what it adds to the outputs.
struct WriteTask : InputBatch {
  std::vector<Proof> proofs;         ///< of its records, by document
  std::vector<LeftOutRow> left_out;  ///< likewise

  std::string kept_copy;  ///< the kept records, if they are not adjacent in memory
  std::string gone_copy;
  std::string_view kept;  ///< the bytes for the input's output of kept records
  std::string_view gone;
  std::vector<KeptPiece> kept_pieces;  ///< where they are in the input, if it is packed
  std::uint64_t reached = 0;           ///< the end of the last record there
  std::vector<std::size_t> kept_ends;  ///< of its records, if they are packed one by one
  std::vector<std::size_t> gone_ends;
  std::string lines;     ///< the lines of removed.jsonl.zst made last
  std::size_t next = 0;  ///< the record of the batch whose line is made next
  std::size_t next_proof = 0;
  std::size_t next_left_out = 0;
  BatchOutput* maker = nullptr;

  bool has_more_lines() const { return next < batch.records.size(); }
};

/// Gives out the batches of all inputs in order, with the proofs of their records.
class WriteFeed {
 public:
  /// `left_out` is null if the run leaves out no templates.
  WriteFeed(const Job& job, const ReadState& state, RowCursor<Proof>& proofs,
            RowCursor<LeftOutRow>* left_out)
      : inputs_(job, state), proofs_(proofs), left_out_(left_out) {}

  /// False at the end of all inputs.
  Result<bool> next(WriteTask& task) {
    task.proofs.clear();
    task.left_out.clear();
    TWINSET_ASSIGN(const bool more, inputs_.next(task));
    if (!more || task.batch.records.empty()) return more;
    TWINSET_TRY(take_rows(task, proofs_, task.proofs));
    if (left_out_ != nullptr) TWINSET_TRY(take_rows(task, *left_out_, task.left_out));
    return more;
  }

 private:
  /// Takes the rows of the batch's records.
  template <class Row>
  static Status take_rows(const WriteTask& task, RowCursor<Row>& rows, std::vector<Row>& out) {
    const DocumentId first(task.source, task.batch.records.front().number);
    const DocumentId last(task.source, task.batch.records.back().number);
    for (const Row* row = rows.peek(); row != nullptr && row->document <= last; row = rows.peek()) {
      if (row->document >= first) out.push_back(*row);
      rows.advance();
    }
    return rows.status();
  }

  InputFeed inputs_;
  RowCursor<Proof>& proofs_;
  RowCursor<LeftOutRow>* left_out_;
};

/// Collects records; does not copy them if they are adjacent in memory.
class RecordCollector {
 public:
  RecordCollector(std::string& copy, std::string_view& all) : copy_(copy), all_(all) {
    copy_.clear();
    all_ = {};
  }
  void add(std::string_view raw) {
    if (copy_.empty() && (all_.empty() || all_.data() + all_.size() == raw.data())) {
      all_ = {all_.empty() ? raw.data() : all_.data(), all_.size() + raw.size()};
      return;
    }
    if (copy_.empty()) copy_ = all_;
    copy_ += raw;
    all_ = copy_;
  }
  void add_row(std::uint64_t number) {
    append_row_number(copy_, number);
    all_ = copy_;
  }

 private:
  std::string& copy_;
  std::string_view& all_;
};

/// Makes the bytes that one batch adds to the outputs. One per worker.
class BatchOutput {
 public:
  BatchOutput(const Job& job, const DedupOptions& options, const RecordFiles& records,
              const DocumentTable& documents, SameWords& same_words)
      : job_(job),
        documents_(documents),
        leaves_out_(job.signer.view.templates != nullptr),
        keeps_(options.emit == Emit::records),
        keeps_removed_(options.write_removed),
        same_words_(same_words),
        reader_(job),
        removals_(job, records, documents) {}

  Status make(WriteTask& task) {
    const std::uint64_t first = documents_.first_index(task.source);
    RecordCollector kept(task.kept_copy, task.kept);
    RecordCollector gone(task.gone_copy, task.gone);
    const bool own_members = job_.source(task.source).own_members;
    const bool rows = job_.source(task.source).rows;
    const auto add = [&](RecordCollector& to, const Record& record) {
      rows ? to.add_row(record.number) : to.add(record.raw);
    };
    const bool packed = job_.source(task.source).compression != Compression::none;
    task.kept_pieces.clear();
    task.reached = 0;
    task.kept_ends.clear();
    task.gone_ends.clear();
    for (const Record& record : task.batch.records) {
      const std::uint64_t index = first + record.number - 1;
      const Fate fate = final_fate(documents_, index);
      task.reached = record.offset + record.length;
      TWINSET_TRY(same_words_.look(index, task.source, record, reader_));
      if ((fate == Fate::kept || fate == Fate::carried) && keeps_) {
        add(kept, record);
        if (own_members) task.kept_ends.push_back(task.kept.size());
        if (packed) {
          KeptPiece::add(record.offset, record.raw.size(), own_members, task.kept_pieces);
        }
      }
      if ((is_removed(fate) || record.frame) && keeps_removed_) {
        add(gone, record);
        if (own_members) task.gone_ends.push_back(task.gone.size());
      }
    }
    task.maker = this;
    task.next = task.next_proof = task.next_left_out = 0;
    return make_lines(task);
  }

  /// Makes the batch's next lines, about most_line_bytes of them: if a survivor has a long name,
  /// the lines of many short records are far larger than the batch.
  Status make_lines(WriteTask& task) {
    const std::uint64_t first = documents_.first_index(task.source);
    task.lines.clear();
    for (; task.next < task.batch.records.size() && task.lines.size() < most_line_bytes;
         ++task.next) {
      const DocumentId document(task.source, task.batch.records[task.next].number);
      const std::uint64_t index = first + document.record() - 1;
      const Fate fate = final_fate(documents_, index);
      if (!is_removed(fate)) continue;
      const Proof* const proof = row_of(document, task.proofs, task.next_proof);
      TWINSET_TRY(removals_.make(index, fate, proof, *removal_));
      if (leaves_out_) {
        const LeftOutRow* const row = row_of(document, task.left_out, task.next_left_out);
        removal_->template_shingles = row == nullptr ? 0 : row->shingles;
      }
      removal_.append(task.lines);
    }
    return {};
  }

 private:
  /// The document's row, or null; `next` is a place at or before it.
  template <class Row>
  static const Row* row_of(DocumentId document, const std::vector<Row>& rows, std::size_t& next) {
    while (next < rows.size() && rows[next].document < document) ++next;
    return next < rows.size() && rows[next].document == document ? &rows[next] : nullptr;
  }

  const Job& job_;
  const DocumentTable& documents_;
  bool leaves_out_;
  bool keeps_;
  bool keeps_removed_;
  SameWords& same_words_;
  SameWords::Reader reader_;
  RemovalMaker removals_;
  FieldLine<Removal> removal_;
};

/// Writes batches, in order, to the outputs of their inputs.
class OutputFiles {
 public:
  OutputFiles(const Job& job, const DedupOptions& options, const DocumentTable& documents,
              std::unique_ptr<ByteSink> removed)
      : job_(job), options_(options), documents_(documents), lines_(std::move(removed)) {
    if (job.kept != nullptr && options.emit == Emit::records) stream_.emplace(*job.kept);
    for (std::uint64_t i = job.reference_sources; i < job.sources(); ++i) {
      total_bytes_ += job.source(i).stored_bytes;
    }
  }

  Status put(WriteTask& task) {
    if (task.begins_source) TWINSET_TRY(open(task.source));
    if (copier_.has_value()) {
      TWINSET_TRY(copier_->put(task.kept, task.kept_pieces, task.frames, task.reached));
    } else if (kept_ != nullptr) {
      TWINSET_TRY(write(*kept_, task.kept, task.kept_ends));
    }
    if (stream_.has_value()) TWINSET_TRY(stream_->write(task.kept));
    if (gone_ != nullptr) TWINSET_TRY(write(*gone_, task.gone, task.gone_ends));
    for (;;) {
      lines_.buffer() += task.lines;
      TWINSET_TRY(lines_.added());
      if (!task.has_more_lines()) break;
      TWINSET_TRY(task.maker->make_lines(task));
    }
    if (task.ends_source) {
      if (copier_.has_value()) TWINSET_TRY(copier_->finish());
      if (kept_ != nullptr) TWINSET_TRY(kept_->finish());
      if (gone_ != nullptr) TWINSET_TRY(gone_->finish());
      done_bytes_ += job_.source(task.source).stored_bytes;
    }
    if (job_.context.progress != nullptr) {
      const std::uint64_t done = done_bytes_ + (task.ends_source ? 0 : task.batch.stored_bytes);
      job_.context.progress->report({"write", done, total_bytes_, 0});
    }
    return {};
  }

  Status finish() { return lines_.finish(); }

 private:
  /// Records up to their `ends`; without these in one piece.
  static Status write(ByteSink& sink, std::string_view bytes,
                      const std::vector<std::size_t>& ends) {
    if (ends.empty()) return bytes.empty() ? Status() : sink.write(bytes);
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      TWINSET_TRY(sink.write(bytes.substr(begin, end - begin)));
      TWINSET_TRY(sink.end_record());
      begin = end;
    }
    return {};
  }

  Status open(std::uint64_t source) {
    copier_.reset();
    kept_.reset();
    gone_.reset();
    if (options_.emit == Emit::records && !stream_.has_value() && has(source, false)) {
      TWINSET_ASSIGN(kept_, job_.create_output(source, ""));
      // With a limit the last frame's end may not be read.
      const bool whole = job_.options.input.limit == 0;
      if (whole && FrameCopier::can_copy(job_.source(source), *kept_)) {
        copier_.emplace(*job_.context.files, job_.source(source), *kept_);
      }
    }
    if (options_.write_removed && has(source, true)) {
      TWINSET_ASSIGN(gone_, job_.create_output(source, "removed/"));
    }
    return {};
  }

  /// A file that is one document is written only if that document is; a file of
  /// records always has its output, empty or not.
  bool has(std::uint64_t source, bool of_removed) const {
    const std::uint64_t first = documents_.first_index(source);
    if (!job_.source(source).one_document) return true;
    if (documents_.first_index(source + 1) == first) return false;
    const Fate fate = final_fate(documents_, first);
    return of_removed ? is_removed(fate) : fate == Fate::kept;
  }

  const Job& job_;
  const DedupOptions& options_;
  const DocumentTable& documents_;
  LineFile lines_;
  std::optional<RecordStream> stream_;  ///< used in place of kept_
  std::unique_ptr<ByteSink> kept_;
  std::optional<FrameCopier> copier_;  ///< between records and kept_, if these are packed
  std::unique_ptr<ByteSink> gone_;
  std::uint64_t done_bytes_ = 0;
  std::uint64_t total_bytes_ = 0;
};

/// kept.jsonl: a line {"id", "file", "record"} for each kept record.
Status write_kept_ids(const Job& job, const RecordFiles& records, const DocumentTable& documents) {
  std::unique_ptr<ByteSink> kept;
  if (job.kept != nullptr) {
    kept = std::make_unique<RecordStream>(*job.kept);
  } else {
    TWINSET_ASSIGN(kept, create_own_file(job, "kept.jsonl", Compression::none));
  }
  LineFile lines(std::move(kept));
  Names names(job, records, documents);
  DocumentName name;
  FieldLine<NamedDocument> line(place_fields);
  for (std::uint64_t index = documents.first_index(job.reference_sources); index < documents.size();
       ++index) {
    if (final_fate(documents, index) != Fate::kept) continue;
    TWINSET_TRY(names.find(index, name));
    *line = named(name);
    line.append(lines.buffer());
    TWINSET_TRY(lines.added());
  }
  return lines.finish();
}

/// clusters.jsonl.zst: the clusters, in input order of their representatives.
Result<ClusterCount> write_clusters(const Job& job, const RecordFiles& records,
                                    const DocumentTable& documents, const RowFile<Proof>& proofs) {
  TWINSET_ASSIGN(std::unique_ptr<ClusterRows> members, cluster_rows(job, documents, proofs));
  TWINSET_ASSIGN(auto sink, create_own_file(job, "clusters.jsonl.zst", Compression::zstd));
  TWINSET_ASSIGN(const auto cursor, members->read());
  std::vector<JsonNames> names(std::max(1U, job.context.threads),
                               JsonNames(job, records, documents));
  LineFile lines(std::move(sink));
  ClusterCount count;
  const auto take = [&](ClusterLink& link) -> Result<bool> {
    TWINSET_ASSIGN(const ClusterRow* next, cursor->next());
    if (next == nullptr) return false;
    count.add(*next);
    link = {documents.index(next->survivor), documents.index(next->member)};
    return true;
  };
  const auto name = [&](unsigned worker, std::uint64_t index, std::string& id) -> Status {
    return names[worker].find(index, id);
  };
  TWINSET_TRY(write_cluster_lines(job.context, lines, take, name));
  return count;
}

}  // namespace

Result<std::vector<Counts>> count_fates(const Job& job, const RecordFiles& records,
                                        const DocumentTable& documents) {
  std::vector<Counts> counts(job.sources());
  std::uint64_t source = 0;
  TWINSET_TRY(records.for_each([&](std::uint64_t index, const RecordRow& row) -> Status {
    while (index >= documents.first_index(source + 1)) ++source;
    if (row.fate() == Fate::absent) return {};
    Counts& count = counts[source];
    ++count.read;
    const Fate fate = source < job.reference_sources && is_removed(final_fate(documents, index))
                          ? Fate::kept
                          : final_fate(documents, index);
    switch (fate) {
      case Fate::kept:
        ++count.kept;
        break;
      case Fate::bad:
        ++count.quarantined;
        break;
      case Fate::filtered:
        ++count.filtered;
        break;
      case Fate::carried:
        ++count.carried;
        break;
      case Fate::identical:
        ++count.identical;
        break;
      case Fate::lexical:
        ++count.lexical;
        break;
      case Fate::near:
        ++count.near;
        break;
      case Fate::contained:
        ++count.contained;
        break;
      case Fate::absent:
      case Fate::undecided:
      case Fate::shingles:  // of cluster alone
        break;
    }
    return {};
  }));
  return counts;
}

Result<ClusterCount> write_outputs(const Job& job, const DedupOptions& options,
                                   const ReadState& state, const RecordFiles& records,
                                   const DocumentTable& documents, const RowFile<Proof>& proofs,
                                   const LeftOutShingles& left_out, CopiesOfWords& copies) {
  TWINSET_ASSIGN(const auto cursor, proofs.read());
  TWINSET_ASSIGN(const auto left_out_rows, left_out.read());
  TWINSET_ASSIGN(auto sink, create_own_file(job, "removed.jsonl.zst", Compression::zstd));
  WriteFeed feed(job, state, *cursor, left_out_rows.get());
  OutputFiles outputs(job, options, documents, std::move(sink));
  SameWords same_words(job, records, documents);
  std::deque<BatchOutput> workers;
  for (unsigned i = 0; i < std::max(1U, job.context.threads); ++i) {
    workers.emplace_back(job, options, records, documents, same_words);
  }
  OrderedSteps<WriteTask> steps;
  steps.take = [&](WriteTask& task, TaskPlace) { return feed.next(task); };
  steps.alone = [](const WriteTask& task) { return task.room.alone; };
  steps.work = [&](unsigned worker, WriteTask& task) { return workers[worker].make(task); };
  steps.keeps_worker = [](const WriteTask& task) {
    return task.has_more_lines() || is_large(task.batch);
  };
  steps.put = [&](WriteTask& task) -> Status {
    TWINSET_TRY(outputs.put(task));
    if (is_huge(task.batch)) task = WriteTask();
    return {};
  };
  TWINSET_TRY(run_in_order(job.context.threads, steps));
  TWINSET_TRY(outputs.finish());
  TWINSET_TRY(same_words.count(copies));
  if (options.emit == Emit::ids) TWINSET_TRY(write_kept_ids(job, records, documents));
  return write_clusters(job, records, documents, proofs);
}

}  // namespace twinset
