#include "spans/cut_pass.h"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "collection/frame_copier.h"
#include "collection/input_changed.h"
#include "io/json_fields.h"
#include "io/json_string.h"
#include "io/json_texts.h"
#include "run/input_feed.h"
#include "system/ordered.h"

namespace twinset {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// `bytes` without [offsets[0], offsets[1]), [offsets[2], offsets[3]) and so on.
void append_without(std::string_view bytes, std::span<const std::uint64_t> offsets,
                    std::string& out) {
  std::uint64_t at = 0;
  for (std::size_t i = 0; i + 1 < offsets.size(); i += 2) {
    out += bytes.substr(at, offsets[i] - at);
    at = offsets[i + 1];
  }
  out += bytes.substr(at);
}

struct CutTask : InputBatch {
  std::vector<std::vector<TokenStretch>> cuts;  ///< by record
  std::string bytes;                            ///< for the copy of the input
  std::vector<KeptPiece> pieces;                ///< where these are in it, if it is packed
  std::uint64_t reached = 0;                    ///< the end of the last record there
  std::uint64_t cut = 0;
};

/// Edits the records of a batch.
class Cutter {
 public:
  Cutter(const Job& job, const DocumentTable& documents) : job_(job), documents_(documents) {}

  Status edit(CutTask& task) {
    task.bytes.clear();
    task.pieces.clear();
    task.reached = 0;
    task.cut = 0;
    const bool packed = job_.source(task.source).compression != Compression::none;
    auto cuts = task.cuts.begin();
    for (const Record& record : task.batch.records) {
      const DocumentId document(task.source, record.number);
      const std::vector<TokenStretch>& of_record = *cuts++;
      task.reached = record.offset + record.length;
      if (documents_.standing(documents_.index(document)).fate == Fate::bad) continue;
      if (!of_record.empty()) {
        const std::size_t before = task.bytes.size();
        TWINSET_TRY(cut(task.source, record, of_record, task));
        if (packed) task.pieces.push_back({record.offset, task.bytes.size() - before, true});
      } else if (rows(task.source) == nullptr) {
        task.bytes += record.raw;
        if (packed) KeptPiece::add(record.offset, record.raw.size(), false, task.pieces);
      } else {
        append_row_number(task.bytes, record.number);
      }
    }
    return {};
  }

 private:
  /// Of a table; else null.
  const RowFormat* rows(std::uint64_t source) const {
    const Source& of = job_.source(source);
    return of.rows ? find_format(of.format)->rows : nullptr;
  }

  /// What is left of a text, in its charset if that can be.
  void append_text(Charset charset, std::string_view stored, std::string_view text,
                   std::string& out) {
    const bool mapped = find_in_charset(charset, stored, offsets_);
    append_without(mapped ? stored : text, offsets_, out);
  }

  Status cut(std::uint64_t source, const Record& record, std::span<const TokenStretch> cuts,
             CutTask& task) {
    job_.collection->decode(source, record.offset, record.raw, job_.fields, decoded_);
    const Record& read = decoded_.records[0];
    if (read.bad != BadReason::none) return input_changed(job_.source(source));
    analyze(*job_.signer.view.analyzer, read.text, read.markup, Offsets::keep, analysis_);
    const std::vector<TokenOffsets>& tokens = analysis_.offsets;
    if (cuts.back().end > tokens.size()) return input_changed(job_.source(source));
    offsets_.clear();
    for (const TokenStretch& cut : cuts) {
      const bool to_the_end = cut.end == tokens.size();
      offsets_.push_back(cut.begin == 0 && to_the_end ? 0 : tokens[cut.begin].begin);
      offsets_.push_back(to_the_end ? read.text.size() : tokens[cut.end].begin);
      task.cut += offsets_.back() - offsets_[offsets_.size() - 2];
    }
    const Charset charset = read.charset.charset;
    if (const RowFormat* const format = rows(source); format != nullptr) {
      text_.clear();
      append_text(charset, format->text(record.raw), read.text, text_);
      append_row_text(task.bytes, record.number, text_);
      return {};
    }
    if (job_.source(source).one_document) {
      append_text(charset, record.raw, read.text, task.bytes);
      return {};
    }
    return cut_field(source, record.raw, charset, task.bytes);
  }

  /// In another charset than UTF-8 the line is decoded, and the places are found again in it as
  /// written.
  Status cut_field(std::uint64_t source, std::string_view raw, Charset charset, std::string& out) {
    std::string_view line = raw;
    if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
    std::string decoded;
    if (charset != Charset::utf8) {
      append_utf8(charset, line, decoded);
      line = decoded;
    }
    const std::array<std::string_view, 1> names{job_.fields.text};
    std::array<FoundField, 1> found;
    JsonFault fault;
    room_.resize(line.size() + json_string_slack);
    const bool valid = find_json_fields(line, FieldPaths(names), found, room_.data(), fault);
    if (!valid || found[0].value.kind != JsonKind::string) {
      return input_changed(job_.source(source));
    }
    const std::string_view quoted = found[0].value.raw;
    const std::string_view body = quoted.substr(1, quoted.size() - 2);
    find_as_written(body, offsets_);
    if (charset != Charset::utf8) {
      for (std::uint64_t& offset : offsets_) {
        offset += static_cast<std::uint64_t>(body.data() - line.data());
      }
      find_in_charset(charset, raw, offsets_);
      append_without(raw, offsets_, out);
      return {};
    }
    out += raw.substr(0, static_cast<std::size_t>(body.data() - raw.data()));
    append_without(body, offsets_, out);
    out += raw.substr(static_cast<std::size_t>(body.data() + body.size() - raw.data()));
    return {};
  }

  const Job& job_;
  const DocumentTable& documents_;
  RecordBatch decoded_;
  Analysis analysis_;
  std::vector<std::uint64_t> offsets_;
  std::string room_;
  std::string text_;
};

/// Writes the copies in order.
class CutFiles {
 public:
  explicit CutFiles(const Job& job) : job_(job) {
    for (std::uint64_t i = job.reference_sources; i < job.sources(); ++i) {
      total_bytes_ += job.source(i).stored_bytes;
    }
  }
  std::uint64_t cut() const { return cut_; }

  Status put(CutTask& task) {
    const Source& source = job_.source(task.source);
    if (task.begins_source) {
      copier_.reset();
      TWINSET_ASSIGN(sink_, job_.create_output(task.source, cut_folder));
      if (copies_frames(source)) copier_.emplace(*job_.context.files, source, *sink_);
      if (source.rows) {
        std::string column;
        append_row_text(column, 0, job_.fields.text);
        TWINSET_TRY(sink_->write(column));
      }
    }
    if (copier_.has_value()) {
      TWINSET_TRY(copier_->put(task.bytes, task.pieces, task.frames, task.reached));
    } else if (!task.bytes.empty()) {
      TWINSET_TRY(sink_->write(task.bytes));
    }
    cut_ += task.cut;
    if (task.ends_source) {
      if (copier_.has_value()) TWINSET_TRY(copier_->finish());
      TWINSET_TRY(sink_->finish());
      sink_.reset();
      done_bytes_ += source.stored_bytes;
    }
    if (job_.context.progress != nullptr) {
      const std::uint64_t done = done_bytes_ + (task.ends_source ? 0 : task.batch.stored_bytes);
      job_.context.progress->report({"cut", done, total_bytes_, 0});
    }
    return {};
  }

 private:
  /// With a limit the last frame's end may not be read.
  bool copies_frames(const Source& source) const {
    return job_.options.input.limit == 0 && !source.own_members &&
           FrameCopier::can_copy(source, *sink_);
  }

  const Job& job_;
  std::unique_ptr<ByteSink> sink_;
  std::optional<FrameCopier> copier_;  ///< between records and sink_, if these are packed
  std::uint64_t cut_ = 0;
  std::uint64_t done_bytes_ = 0;
  std::uint64_t total_bytes_ = 0;
};

}  // namespace

Status check_cuttable(const Job& job) {
  if (job.signer.view.analyzer->takes_features()) {
    return usage_error(switch_on("cut") + " shortens texts, and " +
                       option("analyzer", std::string(job.signer.view.analyzer->name())) +
                       " reads lists of ids");
  }
  if (names_several_texts(job.fields.text)) {
    return usage_error(switch_on("cut") + " shortens the text of one field, and " +
                       option("text", job.fields.text) + " joins several; leave " +
                       switch_on("cut") + " out: spans.jsonl.zst has the places");
  }
  for (const Source& source : job.collection->sources()) {
    if (source.is_protected()) continue;
    if (source.path.empty()) {
      return usage_error(switch_on("cut") + " copies files, and " + source.shown +
                         " is in memory; leave " + switch_on("cut") +
                         " out: spans.jsonl.zst has the places");
    }
    if (source.framed) {
      return usage_error(switch_on("cut") + " does not write records of " +
                         std::string(source.format) + " anew, as " + source.shown + "; leave " +
                         switch_on("cut") + " out: spans.jsonl.zst has the places");
    }
    if (!source.pages && !source.made_texts) continue;
    return usage_error(switch_on("cut") + " shortens texts, and " + source.shown +
                       (source.made_texts ? " has texts that stand in it coded or in parts"
                                          : " has pages, whose markup it would break") +
                       "; leave " + switch_on("cut") + " out: spans.jsonl.zst has the places");
  }
  return {};
}

Result<std::uint64_t> write_cut_inputs(const Job& job, const ReadState& state,
                                       const DocumentTable& documents, const CutRows& cuts) {
  InputFeed feed(job, state);
  TWINSET_ASSIGN(auto cursor, cuts.read());
  CutsByText texts(std::move(cursor));
  CutFiles files(job);
  std::deque<Cutter> cutters;
  for (unsigned i = 0; i < std::max(1U, job.context.threads); ++i)
    cutters.emplace_back(job, documents);
  OrderedSteps<CutTask> steps;
  steps.take = [&](CutTask& task, TaskPlace) -> Result<bool> {
    TWINSET_ASSIGN(const bool more, feed.next(task));
    task.cuts.resize(task.batch.records.size());
    auto of_record = task.cuts.begin();
    for (const Record& record : task.batch.records) {
      const std::uint64_t index = documents.index(DocumentId(task.source, record.number));
      TWINSET_TRY(texts.read(static_cast<std::uint32_t>(index), *of_record++));
    }
    return more;
  };
  steps.alone = [](const CutTask& task) { return task.room.alone; };
  steps.work = [&](unsigned worker, CutTask& task) { return cutters[worker].edit(task); };
  steps.keeps_worker = [](const CutTask& task) { return is_large(task.batch); };
  steps.put = [&](CutTask& task) -> Status {
    TWINSET_TRY(files.put(task));
    if (is_huge(task.batch)) task = CutTask();
    return {};
  };
  TWINSET_TRY(run_in_order(job.context.threads, steps));
  return files.cut();
}

}  // namespace twinset
