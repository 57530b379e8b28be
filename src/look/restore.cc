// The lines of removed.jsonl.zst are in input order, and so are the records of an input: both are
// streamed side by side, and nothing is held. Each record is checked by its fingerprint before it
// is written, each input by its checksum after its last record.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "base/message.h"
#include "collection/output_files.h"
#include "collection/output_lines.h"
#include "look/decisions_file.h"
#include "look/input_again.h"
#include "run/workspace.h"
#include "twinset/dedup.h"
#include "twinset/look.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// Of rows of a table, before they are written.
constexpr std::uint64_t waiting_bytes = std::uint64_t{64} << 20;

class Restore {
 public:
  Restore(const RestoreOptions& options, const RunControl& control)
      : options_(options), control_(control), context_(context_of(control)) {
    options_.output = folder_path(std::move(options_.output));
  }

  Result<RestoreSummary> run() {
    TWINSET_TRY(check_options());
    Result<OutputFolder> folder = open_output_folder(files(), options_.folder);
    TWINSET_TRY(folder);
    folder_ = std::make_unique<OutputFolder>(std::move(folder).value());
    if (folder_->verb != "dedup") {
      return usage_error(options_.folder + " was made by twinset " + folder_->verb +
                         ", which removes nothing; restore takes a folder that dedup made");
    }
    TWINSET_TRY(choose());
    TWINSET_TRY(check_stream());
    TWINSET_TRY(take_output());
    const Status done = write();
    if (!done.ok()) {
      if (workspace_ != nullptr) [[maybe_unused]]
        const Status abandoned = workspace_->abandon();  // `done` has the reason.
      return done.error();
    }
    if (workspace_ != nullptr) TWINSET_TRY(workspace_->publish());
    return summary_;
  }

 private:
  FileSystem& files() const { return *context_.files; }

  Status check_options() const {
    const int ways = (options_.all ? 1 : 0) + (options_.records.empty() ? 0 : 1) +
                     (options_.decisions.empty() ? 0 : 1);
    if (ways != 1) {
      return usage_error("name the records to restore, by id or file:record, or give " +
                         option("decisions") + ", or say " + switch_on("all"));
    }
    if (!options_.output.empty() || control_.kept != nullptr) return {};
    return usage_error("no output given: " + option("output", "DIR"));
  }

  // ---- Which records ----

  /// Finds the place of each named record.
  Status choose() {
    if (options_.all) {
      for (const FileCounts& file : std::get<DedupSummary>(folder_->summary).files) {
        if (file.counts.removed() > 0) files_of_.insert(file.file);
      }
      return {};
    }
    if (!options_.decisions.empty()) TWINSET_TRY(take_decisions());
    std::vector<AskedRecord> asked;
    for (const std::string& name : options_.records) asked.emplace_back(name);
    std::vector<PlaceList> found(asked.size());
    TWINSET_TRY(for_each_removed([&](const RecordPlace& place) -> Result<bool> {
      for (std::size_t i = 0; i < asked.size(); ++i) {
        if (asked[i].names(place)) found[i].add(place);
      }
      const auto decided = decided_.find({place.document.file, place.document.record});
      if (decided != decided_.end()) take_chosen(std::move(decided_.extract(decided).value()));
      return true;
    }));
    if (!decided_.empty()) return not_removed();
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const std::vector<RecordPlace>& places = found[i].all();
      if (places.size() > 1) return several_records(options_.records[i], places);
      if (places.empty()) {
        return usage_error("'" + visible_name(options_.records[i]) +
                           "' is not a removed record of " + options_.folder + "; " +
                           verb("explain") + " shows what happened to it");
      }
      take_chosen({places.front().document.file, places.front().document.record});
    }
    return {};
  }

  void take_chosen(std::pair<std::string, std::uint64_t> record) {
    files_of_.insert(record.first);
    chosen_.insert(std::move(record));
  }

  /// Those that are to come back, by their places, or by their names where no more is known.
  Status take_decisions() {
    TWINSET_ASSIGN(const FileStatus there, files().status(options_.decisions));
    if (there.kind == FileStatus::Kind::missing) {
      return usage_error("there is no file of decisions " + visible_name(options_.decisions));
    }
    TWINSET_ASSIGN(RecordDecisions read, DecisionsFile(files(), options_.decisions).read());
    summary_.notes = std::move(read.notes);
    for (RecordDecision& one : read.decisions) {
      if (one.decision != Decided::restore) continue;
      if (one.name.file.empty()) {
        options_.records.push_back(std::move(one.record));
      } else {
        decided_.emplace(std::move(one.name.file), one.name.record);
      }
    }
    if (!decided_.empty() || !options_.records.empty()) return {};
    std::string why = "no record of " + visible_name(options_.decisions) + " is to be restored";
    for (const std::string& note : summary_.notes) why += "; " + note;
    return usage_error(why);
  }

  /// The error that these are no removed records; names some of them.
  Status not_removed() const {
    constexpr std::size_t most_named = 20;
    std::string names;
    std::size_t named = 0;
    for (const auto& [file, record] : decided_) {
      if (++named > most_named) break;
      names += (named > 1 ? ", " : "") + visible_name(file) + ":" + std::to_string(record);
    }
    if (decided_.size() > most_named) {
      names += " and " + format_count(decided_.size() - most_named) + " more";
    }
    return usage_error(visible_name(options_.decisions) +
                       " restores what is no removed record of " + options_.folder + ": " + names);
  }

  Status for_each_removed(const std::function<Result<bool>(const RecordPlace&)>& use) {
    std::uint64_t lines = 0;
    return for_each_value<Removal>(files(), folder_->file(removed_file_name),
                                   [&](const Removal& removal) -> Result<bool> {
                                     if (++lines % 4096 == 0) {
                                       TWINSET_TRY(check_stop(context_.cancel));
                                     }
                                     return use(place_of(removal.document));
                                   });
  }

  /// Refuses tables, and several files of one document or one header each, which would run
  /// together.
  Status check_stream() const {
    if (!options_.output.empty()) return {};
    for (const std::string& file : files_of_) {
      const MadeInput* input = folder_->find(file);
      if (input == nullptr) continue;
      const bool table = row_format(input->input) != nullptr;
      const bool document = is_one_document(input->input);
      const bool framed = is_framed(input->input);
      if (!table && (files_of_.size() < 2 || (!document && !framed))) continue;
      return usage_error(visible_name(file) + " is " + (document ? "one document" : "a table") +
                         " (" + std::string(input->input.format) + "), and standard output takes " +
                         (table ? "" : "one of these or ") + "JSON Lines; give " +
                         option("output", "DIR"));
    }
    return {};
  }

  // ---- Writing them ----

  Status take_output() {
    if (options_.output.empty()) {
      stream_ = std::make_unique<RecordStream>(*control_.kept);
      return {};
    }
    TWINSET_ASSIGN(FileStatus there, files().status(options_.output));
    if (there.kind != FileStatus::Kind::missing) {
      return usage_error(options_.output + " exists; choose another " + option("output"));
    }
    TWINSET_ASSIGN(workspace_,
                   Workspace::open(files(), {options_.output, "",
                                             "records restored from " + options_.folder, ""}));
    context_.tmp = workspace_->spill();
    context_.memory_bytes = waiting_bytes;
    return workspace_->start_over();
  }

  Status write() {
    TWINSET_TRY(for_each_removed([&](const RecordPlace& place) -> Result<bool> {
      const RecordName& document = place.document;
      if (!options_.all && !chosen_.contains({document.file, document.record})) return true;
      if (input_ == nullptr || input_->input.shown != document.file) {
        TWINSET_TRY(finish_input());
        TWINSET_TRY(begin_input(document.file));
        const Result<std::string> opening = again_->opening();
        if (!opening.ok()) return cannot_read(opening.error());
        TWINSET_TRY(output().write(opening.value()));
      }
      Result<const Record*> record = again_->find(document.record);
      if (!record.ok()) return cannot_read(record.error());
      if (is_changed(record.value(), place.fingerprint)) {
        return io_error(changed_note(document.file) + ": record " +
                        std::to_string(document.record) + " is another one now" + not_written());
      }
      std::string row;
      if (row_format(input_->input) != nullptr) append_row_number(row, document.record);
      TWINSET_TRY(output().write(row.empty() ? record.value()->raw : row));
      TWINSET_TRY(output().end_record());
      ++summary_.records;
      return true;
    }));
    return finish_input();
  }

  ByteSink& output() { return stream_ != nullptr ? *stream_ : *sink_; }

  Status begin_input(const std::string& file) {
    input_ = folder_->find(file);
    if (input_ == nullptr) {
      return io_error(folder_->file(removed_file_name) + " names " + visible_name(file) +
                      ", which is not an input of the run; it is damaged");
    }
    ++summary_.files;
    again_ = std::make_unique<InputAgain>(files(), *folder_, *input_, control_.cancel);
    if (stream_ != nullptr) return {};
    const std::string& name = input_->input.name;
    const std::filesystem::path path(name);
    if (name.empty() || path.is_absolute() || path.lexically_normal() != path ||
        *path.begin() == "..") {
      return io_error(folder_->file(summary_file) + " is damaged: " + visible_name(name) +
                      " is not the name of a file in a folder");
    }
    TWINSET_ASSIGN(sink_, create_input_output(context_, input_->input, workspace_->out(), ""));
    return {};
  }

  /// Checks that the whole input is still the one that the run read.
  Status finish_input() {
    if (input_ == nullptr) return {};
    Result<bool> same = again_->same();
    if (!same.ok()) return cannot_read(same.error());
    if (!same.value()) {
      return io_error(changed_note(input_->input.shown) +
                      ", though no record restored from it has" + not_written());
    }
    if (sink_ != nullptr) TWINSET_TRY(sink_->finish());
    sink_.reset();
    input_ = nullptr;
    return {};
  }

  std::string not_written() const {
    return options_.output.empty() ? "" : "; " + options_.output + " was not made";
  }

  Error cannot_read(const Error& error) const {
    const std::string removed = folder_->path + "/removed";
    const Result<FileStatus> status = files().status(removed);
    const bool kept_apart = error.code != ErrorCode::interrupted && status.ok() &&
                            status.value().kind == FileStatus::Kind::directory;
    return Error{error.code, error.message +
                                 (kept_apart ? "; the removed records are in " + removed : "") +
                                 not_written()};
  }

  RestoreOptions options_;
  const RunControl& control_;
  RunContext context_;
  std::unique_ptr<OutputFolder> folder_;
  std::set<std::pair<std::string, std::uint64_t>> chosen_;  ///< unless all are
  /// By a file of decisions, and not found so far among the removed records.
  std::set<std::pair<std::string, std::uint64_t>> decided_;
  std::set<std::string> files_of_;  ///< the records' inputs
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<RecordStream> stream_;
  std::unique_ptr<ByteSink> sink_;  ///< of the current input, if there is no stream
  const MadeInput* input_ = nullptr;
  std::unique_ptr<InputAgain> again_;
  RestoreSummary summary_;
};

}  // namespace

Result<RestoreSummary> restore(const RestoreOptions& options, const RunControl& control) {
  return Restore(options, control).run();
}

}  // namespace twinset
