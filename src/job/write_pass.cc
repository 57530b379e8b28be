// This file's interface is count_fates and write_outputs; the rest is private:
// ProofWriter makes removed.jsonl.zst, SourceWriter copies one input's records,
// write_clusters the clusters.
#include "job/write_pass.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/hash.h"
#include "io/background_sink.h"
#include "io/bytes.h"
#include "io/json.h"
#include "job/clusters.h"
#include "job/names.h"

namespace twinset {
namespace {

constexpr std::size_t line_buffer_bytes = std::size_t{256} << 10;

std::string_view kind_name(Fate fate) {
  switch (fate) {
    case Fate::identical:
      return "identical";
    case Fate::lexical:
      return "lexical";
    case Fate::near:
      return "near";
    case Fate::contained:
      return "contained";
    default:
      return "";
  }
}

/// Creates the folders above `path`, below `root`.
Status make_folders(FileSystem& files, const std::string& root, const std::string& name) {
  for (std::size_t slash = name.find('/'); slash != std::string::npos;
       slash = name.find('/', slash + 1)) {
    TWINSET_TRY(files.make_directory(root + "/" + name.substr(0, slash)));
  }
  return {};
}

/// Opens an output below out/, made anew: a killed run may have left a part. A
/// large one is written by a thread of its own.
Result<std::unique_ptr<ByteSink>> create_output(const DedupJob& job, const std::string& name,
                                                Compression compression, bool large = true) {
  FileSystem& files = *job.context.files;
  const std::string root = job.work + "/out";
  const std::string path = root + "/" + name;
  TWINSET_TRY(make_folders(files, root, name));
  Result<FileStatus> status = files.status(path);
  TWINSET_TRY(status);
  if (status.value().kind != FileStatus::Kind::missing) TWINSET_TRY(files.remove_file(path));
  Result<std::unique_ptr<ByteSink>> sink = create_bytes(files, path, compression);
  TWINSET_TRY(sink);
  if (job.context.threads < 2 || !large) return sink;
  return write_in_background(std::move(sink).value());
}

/// Lines collected and written to a sink in larger pieces.
class LineFile {
 public:
  explicit LineFile(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)) {}
  std::string& buffer() { return buffer_; }
  /// Call after each line added to buffer().
  Status added() {
    if (buffer_.size() < line_buffer_bytes) return {};
    return flush();
  }
  Status finish() {
    TWINSET_TRY(flush());
    return sink_->finish();
  }

 private:
  Status flush() {
    TWINSET_TRY(sink_->write(buffer_));
    buffer_.clear();
    return {};
  }
  std::unique_ptr<ByteSink> sink_;
  std::string buffer_;
};

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// removed.jsonl.zst, a line a removed record, in input order.
class ProofWriter {
 public:
  ProofWriter(const DedupJob& job, const RecordFiles& records, const DocumentTable& documents,
              RowCursor<Proof>& proofs, std::unique_ptr<ByteSink> sink)
      : documents_(documents),
        names_(job, records, documents),
        proofs_(proofs),
        lines_(std::move(sink)) {}

  /// Called for each removed record in input order.
  Status add(std::uint64_t index, Fate fate) {
    TWINSET_TRY(names_.find(index, own_));
    TWINSET_TRY(names_.find(final_survivor(documents_, index), survivor_));
    JsonObject line(lines_.buffer());
    line.raw("id", own_.id)
        .string("file", own_.file)
        .number("record", own_.record)
        .string("kind", kind_name(fate))
        .raw("survivor_id", survivor_.id)
        .string("survivor_file", survivor_.file)
        .number("survivor_record", survivor_.record);
    if (fate == Fate::identical || fate == Fate::lexical) {
      line.real("resemblance", 1).real("containment", 1).real("survivor_containment", 1);
    } else {
      TWINSET_TRY(add_numbers(documents_.document(index), line));
    }
    line.end();
    lines_.buffer() += '\n';
    return lines_.added();
  }

  Status finish() { return lines_.finish(); }

 private:
  Status add_numbers(DocumentId document, JsonObject& line) {
    const Proof* proof = proofs_.peek();
    while (proof != nullptr && proof->document < document) {
      proofs_.advance();
      proof = proofs_.peek();
    }
    TWINSET_TRY(proofs_.status());
    if (proof == nullptr || proof->document != document) {
      return io_error("the proof of record " + std::to_string(document.record()) +
                      " is missing from the run's files; remove the .partial folder and run again");
    }
    if (proof->state == EdgeState::sketch) {
      line.real("resemblance", share(proof->shared, estimate_scale))
          .real("standard_error", share(proof->later, estimate_scale));
      return {};
    }
    const std::uint64_t all = std::uint64_t{proof->later} + proof->earlier - proof->shared;
    line.real("resemblance", share(proof->shared, all))
        .real("containment", share(proof->shared, proof->later))
        .real("survivor_containment", share(proof->shared, proof->earlier))
        .number("shared_shingles", proof->shared)
        .number("shingles", proof->later)
        .number("survivor_shingles", proof->earlier);
    return {};
  }

  const DocumentTable& documents_;
  Names names_;
  RowCursor<Proof>& proofs_;
  LineFile lines_;
  DocumentName own_;
  DocumentName survivor_;
};

/// Appends records to a sink, neighbors in one piece.
class RecordCopier {
 public:
  explicit RecordCopier(ByteSink* sink) : sink_(sink) {}
  Status add(std::string_view raw) {
    if (sink_ == nullptr) return {};
    if (pending_.data() + pending_.size() == raw.data()) {
      pending_ = {pending_.data(), pending_.size() + raw.size()};
      return {};
    }
    TWINSET_TRY(flush());
    pending_ = raw;
    return {};
  }
  Status flush() {
    if (sink_ == nullptr || pending_.empty()) return {};
    const std::string_view bytes = std::exchange(pending_, {});
    return sink_->write(bytes);
  }

 private:
  ByteSink* sink_;
  std::string_view pending_;
};

class SourceWriter {
 public:
  SourceWriter(const DedupJob& job, const ReadState& state, const DocumentTable& documents,
               ProofWriter& proofs)
      : job_(job), state_(state), documents_(documents), proofs_(proofs) {
    for (std::uint64_t i = job.reference_sources; i < job.sources(); ++i) {
      total_bytes_ += job.source(i).status.size;
    }
  }

  Status write(std::uint64_t source) {
    if (!readable(source)) return {};
    const Input& input = job_.source(source);
    if (job_.options.input.limit != 0 && state_.lines[source] == 0) {
      // Behind --limit nothing was read of it: its output is empty.
      TWINSET_TRY(open_sinks(source, input));
      return finish_sinks();
    }
    Result<std::unique_ptr<Reader>> reader = open_reader(*job_.context.files, input, job_.limits);
    TWINSET_TRY(reader);
    TWINSET_TRY(open_sinks(source, input));
    RunningChecksum checksum;
    RecordBatch batch;
    std::uint64_t lines = 0;
    const bool limited = job_.options.input.limit != 0;
    while (!limited || lines < state_.lines[source]) {
      TWINSET_TRY(job_.context.check_cancelled());
      Result<bool> more = reader.value()->read(batch);
      TWINSET_TRY(more);
      if (!more.value()) break;
      for_each_piece(batch, [&](std::string_view piece) { checksum.add(piece); });
      lines = batch.lines;
      if (lines > state_.lines[source] && !limited) return changed(input);
      TWINSET_TRY(copy(source, batch));
      report(batch.stored_bytes);
    }
    const bool same = limited ? lines >= state_.lines[source] : lines == state_.lines[source];
    if (!same || checksum.value() != state_.checksums[source]) return changed(input);
    done_bytes_ += input.status.size;
    return finish_sinks();
  }

 private:
  /// An input that could not be opened in pass 1 has one bad record and no more.
  bool readable(std::uint64_t source) const {
    return state_.lines[source] != 1 || state_.checksums[source] != 0;
  }

  Status open_sinks(std::uint64_t source, const Input& input) {
    constexpr std::uint64_t least_large_bytes = std::uint64_t{1} << 20;
    const bool large = input.status.size >= least_large_bytes;
    kept_.reset();
    removed_.reset();
    if (job_.options.emit == Emit::records && has(source, false)) {
      auto sink = create_output(job_, input.name, input.compression, large);
      TWINSET_TRY(sink);
      kept_ = std::move(sink).value();
    }
    if (job_.options.write_removed && has(source, true)) {
      auto sink = create_output(job_, "removed/" + input.name, input.compression, large);
      TWINSET_TRY(sink);
      removed_ = std::move(sink).value();
    }
    return {};
  }

  /// A file that is one document is written only if that document is; a file of
  /// records always has its output, empty or not.
  bool has(std::uint64_t source, bool of_removed) const {
    const std::uint64_t first = documents_.first_index(source);
    if (job_.source(source).format != "text") return true;
    if (documents_.first_index(source + 1) == first) return false;
    const Fate fate = final_fate(documents_, first);
    return of_removed ? is_removed(fate) : fate == Fate::kept;
  }

  Status copy(std::uint64_t source, const RecordBatch& batch) {
    const std::uint64_t first = documents_.first_index(source);
    RecordCopier kept(kept_.get());
    RecordCopier gone(removed_.get());
    for (const Record& record : batch.records) {
      if (record.number > state_.lines[source]) break;
      const std::uint64_t index = first + record.number - 1;
      const Fate fate = final_fate(documents_, index);
      if (fate == Fate::kept) {
        TWINSET_TRY(kept.add(record.raw));
      } else if (is_removed(fate)) {
        TWINSET_TRY(gone.add(record.raw));
        TWINSET_TRY(proofs_.add(index, fate));
      }
    }
    TWINSET_TRY(kept.flush());
    return gone.flush();
  }

  Status finish_sinks() {
    if (kept_ != nullptr) TWINSET_TRY(kept_->finish());
    if (removed_ != nullptr) TWINSET_TRY(removed_->finish());
    return {};
  }

  void report(std::uint64_t stored_bytes) const {
    if (job_.context.progress == nullptr) return;
    job_.context.progress->report({"write", done_bytes_ + stored_bytes, total_bytes_, 0});
  }

  static Error changed(const Input& input) {
    return io_error(input.shown +
                    " changed between the two passes; nothing was written. Run again when it is "
                    "still");
  }

  const DedupJob& job_;
  const ReadState& state_;
  const DocumentTable& documents_;
  ProofWriter& proofs_;
  std::unique_ptr<ByteSink> kept_;
  std::unique_ptr<ByteSink> removed_;
  std::uint64_t done_bytes_ = 0;
  std::uint64_t total_bytes_ = 0;
};

/// kept.jsonl: a line {"id", "file", "record"} for each kept record.
Status write_kept_ids(const DedupJob& job, const RecordFiles& records,
                      const DocumentTable& documents) {
  auto sink = create_output(job, "kept.jsonl", Compression::none);
  TWINSET_TRY(sink);
  LineFile lines(std::move(sink).value());
  Names names(job, records, documents);
  DocumentName name;
  for (std::uint64_t index = documents.first_index(job.reference_sources); index < documents.size();
       ++index) {
    if (final_fate(documents, index) != Fate::kept) continue;
    TWINSET_TRY(names.find(index, name));
    JsonObject line(lines.buffer());
    line.raw("id", name.id).string("file", name.file).number("record", name.record);
    line.end();
    lines.buffer() += '\n';
    TWINSET_TRY(lines.added());
  }
  return lines.finish();
}

/// clusters.jsonl.zst, clusters in input order of their representatives.
Result<ClusterCount> write_clusters(const DedupJob& job, const RecordFiles& records,
                                    const DocumentTable& documents, const RowFile<Proof>& proofs) {
  Result<std::unique_ptr<ClusterRows>> members = cluster_rows(job, documents, proofs);
  TWINSET_TRY(members);
  auto sink = create_output(job, "clusters.jsonl.zst", Compression::zstd);
  TWINSET_TRY(sink);
  LineFile lines(std::move(sink).value());
  auto cursor = members.value()->read();
  TWINSET_TRY(cursor);
  Names names(job, records, documents);
  DocumentName name;
  ClusterCount count;
  for (;;) {
    Result<const ClusterRow*> next = cursor.value()->next();
    TWINSET_TRY(next);
    if (next.value() == nullptr) break;
    const ClusterRow row = *next.value();
    if (count.add(row)) {
      if (count.clusters() > 1) lines.buffer() += "]}\n";
      TWINSET_TRY(names.find(documents.index(row.survivor), name));
      lines.buffer() += R"({"representative": )" + name.id + R"(, "members": [)";
    } else {
      lines.buffer() += ", ";
    }
    TWINSET_TRY(names.find(documents.index(row.member), name));
    lines.buffer() += name.id;
    TWINSET_TRY(lines.added());
  }
  if (count.clusters() > 0) lines.buffer() += "]}\n";
  TWINSET_TRY(lines.finish());
  return count;
}

}  // namespace

Result<std::vector<Counts>> count_fates(const DedupJob& job, const RecordFiles& records,
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
        break;
    }
    return {};
  }));
  return counts;
}

Result<ClusterCount> write_outputs(const DedupJob& job, const ReadState& state,
                                   const RecordFiles& records, const DocumentTable& documents,
                                   const RowFile<Proof>& proofs) {
  auto cursor = proofs.read();
  TWINSET_TRY(cursor);
  auto sink = create_output(job, "removed.jsonl.zst", Compression::zstd);
  TWINSET_TRY(sink);
  ProofWriter proof_writer(job, records, documents, *cursor.value(), std::move(sink).value());
  SourceWriter writer(job, state, documents, proof_writer);
  for (std::uint64_t source = job.reference_sources; source < job.sources(); ++source) {
    TWINSET_TRY(writer.write(source));
  }
  TWINSET_TRY(proof_writer.finish());
  if (job.options.emit == Emit::ids) TWINSET_TRY(write_kept_ids(job, records, documents));
  return write_clusters(job, records, documents, proofs);
}

}  // namespace twinset
