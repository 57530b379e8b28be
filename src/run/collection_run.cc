#include "run/collection_run.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>

#include "base/message.h"
#include "collection/file_collection.h"
#include "collection/input_changed.h"
#include "collection/input_troubles.h"
#include "collection/memory_collection.h"
#include "collection/spooled_collection.h"
#include "index/manifest.h"
#include "io/bytes.h"
#include "io/field_json.h"
#include "run/old_frequencies.h"
#include "run/output_paths.h"
#include "run/prepare.h"
#include "run/read_fates.h"
#include "run/read_pass.h"
#include "run/scratch_folder.h"
#include "twinset/result.h"
#include "words/numbers.h"

namespace twinset {
namespace {

/// Of the files in a work folder; raised when their form changes, so that no run continues from
/// files of another.
constexpr unsigned work_format = 4;

/// One part in so many of the memory for rows may hold decoded sources, so that they are decoded
/// once.
constexpr std::uint64_t held_part = 8;

/// The ends of messages about a damaged file that twinset made.
constexpr std::array<std::string_view, 2> damage_endings{"remove it and run again", "start anew"};

}  // namespace

CollectionRun::CollectionRun(const CollectionOptions& options, VerbOptions verb,
                             const RunControl& control)
    : options_(options), verb_(std::move(verb)), control_(control) {
  if (streams()) verb_.works_in = WorksIn::own;
  if (verb_.works_in == WorksIn::folder) {
    verb_.output = folder_path(std::move(verb_.output));
  } else {
    // The records of a stream may be many, and the system's folder for temporary files in memory.
    verb_.output = scratch_path(options_.resources, verb_.name, streams() ? "/var/tmp" : "/tmp");
  }
}

/// Gives half of the budget to the files of a run that uses no disk, because it is asked for none.
Status CollectionRun::prepare_memory() {
  if (!options_.inputs.empty()) return usage_error("give either inputs or columns");
  if (streams() || !verb_.references.empty()) {
    return usage_error(
        "a run over columns reads no files and sends no records on: protected texts are columns, "
        "too, and results come one by one");
  }
  const bool asks_for_files =
      (makes_folder() && !verb_.output.empty()) || !verb_.report.empty() ||
      std::ranges::any_of(verb_.new_files, [](const NewFile& file) { return !file.path.empty(); });
  if (asks_for_files) return {};
  verb_.works_in = WorksIn::own;
  verb_.output = scratch_path(options_.resources, verb_.name);
  if (!options_.resources.tmp.empty()) return {};
  verb_.works_in = WorksIn::memory;
  verb_.output = "memory";
  options_.resources.checkpoint = UINT64_MAX;
  std::uint64_t& memory = options_.resources.memory;
  FileSystem& files = files_of(control_);
  if (memory == 0) memory = unleased_memory_bytes(files) / 2;
  memory /= 2;
  memory_files_ = std::make_unique<MemoryFiles>(
      memory, ", half of resources.memory: give more, or name a folder in resources.tmp");
  job.context.files = memory_files_.get();
  return {};
}

void CollectionRun::describe(RunFacts& facts) const {
  const auto skipped = job.collection->skipped();
  facts.skipped.assign(skipped.begin(), skipped.end());
  facts.text_bytes = state.text_bytes;
  facts.spilled_bytes = spilled_bytes;
  clock.describe(facts);
  facts.resumed = resumed_;
  facts.verb = verb_.name;
  facts.identity = identity_;
  facts.command = options_.command;
  facts.version = version();
  std::error_code failed;
  if (job.reads_named) facts.folder = std::filesystem::current_path(failed).string();
  facts.analyzer = job.signer.view.analyzer->name();
  facts.analyzer_version = job.signer.view.analyzer->version();
  facts.inputs.clear();
  for (std::uint64_t i = 0; i < job.sources(); ++i) {
    const std::uint64_t source = (i + job.reference_sources) % job.sources();
    if (job.read.has(source)) facts.inputs.push_back(facts_of(source));
  }
  facts.without_signature = without_signature_;
  if (without_signature_) describe_survival(*job.signer.scheme, keys_per_document_, facts);
  describe_troubles(state.troubles, *job.collection, facts);
  const auto counted = [&](const SourceCount& count) -> CountedRecords {
    if (count.records == 0) return {};
    return {count.records, count.sources, job.source(count.first).shown};
  };
  facts.invalid_utf8 = counted(state.not_utf8);
  facts.raw_html = counted(state.raw_html);
  facts.text_per_line = state.text_per_line ? job.source(0).shown : "";
  facts.exact_only = state.exact_only;
  facts.short_documents = state.short_documents;
  facts.without_document = counted(state.without_document);
  facts.mended_lengths = counted(state.mended);
  facts.without_value = counted(state.without_value);
  facts.left_out_content = state.left_out;
  describe_decoded(state.decoded, facts);
  warn_of_texts(facts);
  if (is_shard() && facts.inputs.empty()) {
    facts.warnings.push_back(
        "no input is in the share of this shard: files are not cut, and there are " +
        format_count(job.sources(), "file", "files") + " for " + format_count(shard_->count) +
        " shards. Cut large files before, into one for each shard or more");
  }
  if (job.signer.scheme == nullptr) return;
  std::string old =
      old_frequencies_warning(*job.signer.scheme, options_.df_documents, state.documents);
  if (!old.empty()) facts.warnings.push_back(std::move(old));
}

Status CollectionRun::check_not_lost() const {
  RunFacts facts;
  describe(facts);
  return options_.input.allow_lost_inputs ? Status() : nothing_left(facts.lost_inputs);
}

Error CollectionRun::nothing_to_read(const std::string& noun, const std::string& also,
                                     std::string_view name) const {
  if (const Status lost = check_not_lost(); !lost.ok()) return lost.error();
  if (state.records == 0) return usage_error("there is no " + noun);
  return usage_error("none of " + format_count(state.records, "record", "records") + " is a " +
                     noun + " (" + std::to_string(state.bad) + " are bad" + also + "); look at " +
                     option("text") + ", " + option("format") + " and " + option(name));
}

InputFacts CollectionRun::facts_of(std::uint64_t source) const {
  static constexpr std::array<std::string_view, 3> compressions{"", "gzip", "zstd"};
  const Source& read = job.source(source);
  InputFacts facts;
  facts.file = read.shown;
  facts.name = read.name;
  facts.reference = read.is_protected();
  facts.format = read.format;
  facts.html = read.pages;
  facts.html_by_text = read.pages_by_text;
  facts.compression = compressions[static_cast<std::size_t>(read.compression)];
  facts.lines = source < state.lines.size() ? state.lines[source] : 0;
  facts.checksum = source < state.checksums.size() ? state.checksums[source] : 0;
  return facts;
}

Error CollectionRun::leave_off(Error error) {
  if (workspace_ == nullptr) return error;
  if (error.input_changed || !job.reads_named) {
    [[maybe_unused]] const Status removed = abandon();  // `error` is the one to report.
    return error;
  }
  // A mistake of the caller is not mended by the same command.
  if (error.code == ErrorCode::usage || error.code == ErrorCode::interrupted) {
    StateFile saved;
    const Result<bool> found = workspace_->load(saved);
    job.context.continues = job.context.continues && found.ok() && found.value();
    if (!job.context.continues && !abandon().ok()) return error;
    const Status said = job.context.check_cancelled();
    return said.ok() ? error : said.error();
  }
  const bool is_own = error.message.find(workspace_->folder() + "/") != std::string::npos ||
                      error.message.find(workspace_->spill() + "/") != std::string::npos;
  for (const std::string_view ending : damage_endings) {
    if (!is_own || !error.message.ends_with(ending)) continue;
    // Without one file of it the checkpoint would be refused, too.
    error.message.resize(error.message.size() - ending.size());
    error.message += "remove " + workspace_->folder() +
                     " and run the same command again: it starts from the beginning";
  }
  return error;
}

Status CollectionRun::read_finished(const std::vector<Field>& fields, RunFacts& facts) const {
  TWINSET_TRY(read_fields(finished_summary_, verb_.output + "/summary.json", fields));
  facts.json = finished_summary_;
  facts.already_done = true;
  return {};
}

Error CollectionRun::refuse(Error error) {
  const Status removed = abandon();
  return removed.ok() ? error : removed.error();
}

Status CollectionRun::abandon() {
  if (workspace_ == nullptr) return {};
  release();
  return workspace_->abandon();
}

/// Closes all files of the run.
void CollectionRun::release() {
  passes_.clear();
  job.pages = nullptr;
  pages_.reset();
  stores = {};
}

bool CollectionRun::reads_standard_input() const {
  const auto any = [](const std::vector<std::string>& arguments) {
    return std::any_of(arguments.begin(), arguments.end(), is_standard_input);
  };
  return any(options_.inputs) || any(verb_.references);
}

Status CollectionRun::prepare() {
  job.reads_named = options_.columns.empty() && given_ == nullptr;
  TWINSET_ASSIGN(shard_, read_shard(verb_.shard));
  if (!job.reads_named) TWINSET_TRY(prepare_memory());
  TWINSET_TRY(prepare_job(options_, verb_, control_, job));
  if (is_shard() || !verb_.shards.empty()) TWINSET_TRY(check_can_be_shared());
  job.kept = control_.kept;
  job.context.continues = makes_folder() && job.reads_named && !reads_standard_input();
  return OutputPaths(verb_, *job.context.files).check_new_files();
}

/// Finds the inputs and takes the work folder; true if the run is already finished.
Result<bool> CollectionRun::open() {
  FileSystem& files = *job.context.files;
  const OutputPaths paths(verb_, files);
  if (!reads_standard_input()) TWINSET_TRY(find_inputs(""));
  // A run without a folder works in --tmp already: all its files are in one place, with one name.
  Workspace::Settings settings{verb_.output, makes_folder() ? options_.resources.tmp : "",
                               make_identity(), options_.command, is_shard()};
  if (is_shard()) {
    shared_identity_ = settings.identity;
    settings.identity = "shard " + shard_->text() + " of " + settings.identity;
  }
  if (verb_.works_in == WorksIn::own) Workspace::clear_dead(files, verb_.output, verb_.name);
  identity_ = settings.identity;
  TWINSET_ASSIGN(std::optional<std::string> finished, Workspace::finished(files, settings));
  if (finished.has_value()) {
    finished_summary_ = *finished;
    TWINSET_TRY(paths.check_report_stands());
    return true;
  }
  for (const std::string& folder : verb_.shards) {
    TWINSET_ASSIGN(ShardFolder shard, ShardFolder::open(files, folder));
    shards_.push_back(std::move(shard));
  }
  if (!shards_.empty()) TWINSET_TRY(order_shards(identity_, shards_));
  TWINSET_ASSIGN(FileStatus begun, files.status(verb_.output + ".partial"));
  if (begun.kind == FileStatus::Kind::missing) TWINSET_TRY(paths.check_report_is_new());
  const std::string inside = paths.report_in_work_folder();
  if (inside.empty()) TWINSET_TRY(paths.check_report_can_be_written(verb_.report));
  TWINSET_ASSIGN(workspace_, Workspace::open(files, settings));
  if (const Status writable = paths.check_report_can_be_written(inside); !writable.ok()) {
    if (begun.kind == FileStatus::Kind::missing) TWINSET_TRY(abandon());
    return writable.error();
  }
  if (workspace_->dropped_checkpoint() && job.context.progress != nullptr) {
    job.context.progress->notice("the inputs have changed since the unfinished run in " +
                                 workspace_->folder() + " began; starting over");
  }
  job.work = workspace_->folder();
  job.spill = workspace_->spill() + "/";
  job.context.tmp = workspace_->spill();
  if (reads_standard_input()) {
    TWINSET_TRY(workspace_->start_over());
    Status found = find_inputs(job.spill + "stdin");
    if (!found.ok()) {
      // Another run cannot use the copy of standard input.
      [[maybe_unused]] const Status removed = workspace_->abandon();
      return found.error();
    }
  } else {
    TWINSET_TRY(load_checkpoint());
  }
  keep_what_is_read_once();
  tell_of_little_room();
  return false;
}

/// Each shard reads a share of the files that are there for all of them, in one order.
Status CollectionRun::check_can_be_shared() const {
  const auto refused = [](const std::string& what) {
    return usage_error(option("shard") + " gives each run a share of the input files" + what);
  };
  if (!makes_folder() || !job.reads_named) {
    return refused(", and keeps what it has read in a folder: " + option("output", "DIR"));
  }
  if (reads_standard_input()) return refused("; standard input is none");
  if (options_.input.limit > 0) {
    return refused(", and " + option("limit") + " counts the records of all; leave it out");
  }
  if (options_.templates != Templates::keep) {
    return refused(", and templates are learned from all of them; leave out " +
                   option("templates"));
  }
  if (is_shard() && !options_.resources.tmp.empty()) {
    return refused("; its rows are its output, so leave out " + option("tmp"));
  }
  return {};
}

Status CollectionRun::take_over_shards(const std::vector<Collector*>& collectors,
                                       ReadState& state) {
  for (const ShardFolder& shard : shards_) {
    const auto take_over = [&]() -> Status {
      for (Collector* collector : collectors) TWINSET_TRY(collector->take_over(shard));
      ReadState read;
      TWINSET_TRY(load_read_state(shard.state(), passes_.back()->name, read));
      state.append(read);
      return {};
    };
    Status taken = take_over();
    if (!taken.ok()) return shard.explained(taken.error());
    if (job.context.progress != nullptr) {
      job.context.progress->report({"merge", shard.shard().number, shards_.size(), state.records});
    }
  }
  state.finished = true;
  return check_bad_records(job, state);
}

Status CollectionRun::keep_shard(RecordCounts& counts) {
  TWINSET_TRY(count_records(*stores.records, counts));
  StateFile file;
  for (const auto& pass : passes_) {
    for (Collector* collector : pass->collectors) TWINSET_TRY(collector->checkpoint(file));
    store_read_state(pass->state, pass->name, file);
  }
  return ShardFolder::write(*job.context.files, workspace_->out(), *shard_, shared_identity_,
                            std::move(file));
}

void CollectionRun::keep_what_is_read_once() {
  bool once = false;
  for (std::uint64_t source = 0; source < job.sources(); ++source) {
    once = once || job.collection->rereading(source) == Rereading::never;
  }
  if (!once || !verb_.reads_again) return;
  job.collection =
      std::make_shared<SpooledCollection>(job.collection, job.context, job.spill + "once");
}

Result<std::shared_ptr<Collection>> CollectionRun::find_collection(const std::string& spool) const {
  if (given_ != nullptr) return given_;
  if (!job.reads_named) return MemoryCollection::make(options_.columns, options_.input.format);
  for (const std::string& input : options_.inputs) {
    TWINSET_ASSIGN(const bool is_index,
                   is_index_folder(*job.context.files, folder_path(std::string(input))));
    if (!is_index) continue;
    return usage_error(input + " is an index, and its files are no records; " + verb("cluster") +
                       " takes one as its only input, and " + verb("index export") +
                       " gives its documents");
  }
  InputOptions wanted = input_options(options_.inputs, options_.input, spool);
  wanted.references = verb_.references;
  wanted.as_it_comes = verb_.as_it_comes;
  TWINSET_ASSIGN(InputList list, expand_inputs(*job.context.files, wanted));
  // A list of ids is not a page, whatever its name.
  const bool marked_up = !job.signer.view.analyzer->takes_features();
  return std::shared_ptr<Collection>(
      std::make_shared<FileCollection>(*job.context.files, std::move(list), marked_up));
}

Status CollectionRun::find_inputs(const std::string& spool) {
  TWINSET_ASSIGN(job.collection, find_collection(spool));
  job.reference_sources = protected_sources(*job.collection);
  if (is_shard()) job.read = sources_of(*shard_, job.collection->sources());
  job.signer.view.pages = std::ranges::any_of(job.collection->sources(), &Source::pages);
  job.signer.renew_fingerprint();
  make_room_for_windows(job);
  TWINSET_TRY(check_kept_takes_lines());
  TWINSET_TRY(check_level());
  return OutputPaths(verb_, *job.context.files).check_apart(options_.inputs, *job.collection);
}

/// Is the level one that all packed inputs can be written at? Without packed inputs one of some
/// kind.
Status CollectionRun::check_level() const {
  if (!verb_.level.has_value()) return {};
  unsigned most = std::max(gzip_levels.most, zstd_levels.most);
  std::string packed;
  for (const Source& source : job.collection->sources()) {
    if (source.is_protected() || source.compression == Compression::none) continue;
    const unsigned levels =
        source.compression == Compression::gzip ? gzip_levels.most : zstd_levels.most;
    if (levels >= most) continue;
    most = levels;
    packed = "; " + source.shown + " is zstd";
  }
  if (*verb_.level >= 1 && *verb_.level <= most) return {};
  return usage_error(option("level", std::to_string(*verb_.level)) + ": gzip is written at 1 to " +
                     std::to_string(gzip_levels.most) + ", zstd at 1 to " +
                     std::to_string(zstd_levels.most) + packed);
}

/// Files that are one document each, or of several formats, would run together in one stream.
Status CollectionRun::check_kept_takes_lines() const {
  if (!streams() || !verb_.writes_records) return {};
  const Source* first = nullptr;
  for (const Source& source : job.collection->sources()) {
    if (source.is_protected()) continue;
    if (const std::string_view what = no_stream(source); !what.empty()) {
      return usage_error(source.shown + " is " + std::string(what) + " (" +
                         std::string(source.format) +
                         "), and standard output takes JSON Lines only; give " +
                         option("output", "DIR") + ", or " + option("emit", "ids"));
    }
    if (first == nullptr) {
      first = &source;
    } else if (source.format != first->format || source.framed) {
      const bool same = source.format == first->format;
      return usage_error(first->shown + (same ? " and " + source.shown + " are " : " is ") +
                         std::string(first->format) +
                         (same ? "" : " and " + source.shown + " " + std::string(source.format)) +
                         ", and standard output takes one of them; give " +
                         option("output", "DIR") + ", or " + option("emit", "ids"));
    }
  }
  return {};
}

/// One line that identifies this command and its inputs: a fingerprint of the command, a slash, and
/// one of the inputs.
std::string CollectionRun::make_identity() const {
  const std::string inputs = reads_standard_input() ? "" : job.collection->identity();
  if (inputs.empty()) {
    // Standard input cannot be compared with an earlier run's: each run is new.
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return std::string(standard_input) + std::to_string(now) + "-" + std::to_string(::getpid());
  }
  std::string command(version());
  command += std::to_string(work_format) + verb_.identity;
  command += (job.signer.scheme == nullptr ? "" : job.signer.scheme->spec()) +
             std::to_string(job.signer.fingerprint) + "/" +
             std::to_string(job.signer.view.fingerprint());
  const auto text = [](const Fingerprint& hash) {
    return std::to_string(hash.high) + "-" + std::to_string(hash.low);
  };
  return text(fingerprint_bytes(command)) + "/" + text(fingerprint_bytes(inputs));
}

Status CollectionRun::load_checkpoint() {
  TWINSET_ASSIGN(const bool found, workspace_->load(checkpoint));
  TWINSET_ASSIGN(const std::string missing,
                 found ? missing_file() : Result<std::string>(std::string()));
  if (found && missing.empty()) {
    resumed_ = true;
    return remove_strays();
  }
  if (found && job.context.progress != nullptr) {
    job.context.progress->notice("the unfinished run in " + workspace_->folder() +
                                 " is no longer whole (" + missing + " is missing); starting over");
  }
  checkpoint = {};
  return workspace_->start_over();
}

/// The first file missing of those that the checkpoint relies on; empty if there is none.
Result<std::string> CollectionRun::missing_file() const {
  for (const std::string& path : checkpoint.kept_files()) {
    TWINSET_ASSIGN(const FileStatus there, job.context.files->status(path));
    if (there.kind == FileStatus::Kind::missing) return path;
  }
  return std::string();
}

/// Removes the files that the checkpoint does not rely on from the spill folder.
Status CollectionRun::remove_strays() const {
  const std::vector<std::string> kept = checkpoint.kept_files();
  const std::set<std::string> known(kept.begin(), kept.end());
  TWINSET_ASSIGN(std::vector<std::string> names, job.context.files->list(job.context.tmp));
  for (const std::string& name : names) {
    const std::string path = job.spill + name;
    if (!known.contains(path)) TWINSET_TRY(job.context.files->remove_file(path));
  }
  return {};
}

/// Before the work. The estimate is far too high if few pairs are compared or many records removed,
/// so it only warns.
void CollectionRun::tell_of_little_room() const {
  if (verb_.works_in == WorksIn::memory || verb_.stores_nothing || resumed_ ||
      job.context.progress == nullptr)
    return;
  std::uint64_t stored = 0;
  std::uint64_t text = 0;
  for (const Source& source : job.collection->sources()) {
    stored += source.stored_bytes;
    text += source.stored_bytes * (source.compression == Compression::none ? 1 : 4);
  }
  // Rows take about half as much as the text, and spill when they do not fit into memory.
  std::uint64_t spill =
      text / 2 > job.context.memory_bytes / 2 ? text / 2 - job.context.memory_bytes / 2 : 0;
  // Pages that are kept to drop their templates take up to as much as the text.
  if (options_.templates != Templates::keep && job.signer.view.pages) spill += text;
  const std::uint64_t output = verb_.writes_records && makes_folder() ? stored : 0;
  const bool one_disk = options_.resources.tmp.empty();
  tell_if_little(job.work, one_disk ? output + spill : output);
  if (!one_disk) tell_if_little(workspace_->spill(), spill);
}

void CollectionRun::tell_if_little(const std::string& folder, std::uint64_t needed) const {
  const Result<std::uint64_t> available = job.context.files->free_bytes(folder);
  if (!available.ok() || available.value() >= needed) return;
  const bool goes_on = !reads_standard_input() && makes_folder();
  job.context.progress->notice(
      folder + " may not have enough room: " + format_bytes(available.value()) +
      " are free, up to some " + format_bytes(needed) + " may be needed" +
      (goes_on ? "; if the disk fills up, make room and run the same command again: it "
                 "continues"
               : ""));
}

Status CollectionRun::read(DocumentKeys::Stored counted, std::vector<Collector*> own) {
  job.context.memory_bytes = job.memory.rows;
  stores = make_stores(job, counted);
  // The stores come last: the records may use up a document's shingles.
  for (Collector* store : stores.all()) own.push_back(store);
  TWINSET_TRY(pass("read", std::move(own)));
  if (job.signer.scheme != nullptr && job.signer.scheme->makes_signatures()) {
    const auto& keys = *(stores.bands ? stores.bands : stores.counted);
    without_signature_ = keys.without_signature();
    keys_per_document_ = keys.keys_per_document();
  }
  return stores.quarantine->sync();
}

Status CollectionRun::check_promise() {
  Status kept = twinset::check_promise(*job.signer.scheme, keys_per_document_);
  if (!kept.ok()) kept = refuse(kept.error());
  return kept;
}

Status CollectionRun::pass(const std::string& name, std::vector<Collector*> collectors) {
  job.context.memory_bytes = job.memory.rows;
  passes_.push_back(std::make_unique<Pass>(Pass{name, std::move(collectors), {}}));
  Pass& pass = *passes_.back();
  const bool begun = resumed_ && has_read_state(checkpoint, name);
  if (begun) {
    TWINSET_TRY(load_read_state(checkpoint, name, pass.state));
  } else {
    pass.state = read_state_from(job.read.first);
  }
  for (Collector* collector : pass.collectors) {
    TWINSET_TRY(collector->open(begun ? &checkpoint : nullptr));
  }
  if (verb_.reads_again) job.collection->hold_decoded(job.memory.rows / held_part);
  const bool finished_before = pass.state.finished;
  if (!shards_.empty() && !begun) {
    TWINSET_TRY(take_over_shards(pass.collectors, pass.state));
  } else {
    TWINSET_TRY(read_collection(
        job, pass.collectors, [&](const ReadState&) { return save({}); }, pass.state));
  }
  job.collection->hold_decoded(0);  // Later stages have no memory for decoded sources.
  TWINSET_TRY(check_same_collection(pass.state));
  const ReadState& read = pass.state;
  if (!options_.within.empty() && read.documents > 0 &&
      read.without_value.records == read.documents) {
    return refuse(usage_error("no record has a field " + options_.within + " (" + option("within") +
                              "), so all would meet; leave the option out"));
  }
  if (!finished_before && pass.state.text_bytes >= options_.resources.checkpoint) {
    TWINSET_TRY(save({}));
  }
  for (const Collector* collector : pass.collectors) spilled_bytes += collector->stored_bytes();
  state = pass.state;
  clock.end(name);
  return {};
}

Status CollectionRun::read_again(const std::string& name,
                                 const std::vector<Collector*>& collectors) {
  for (Collector* collector : collectors) TWINSET_TRY(collector->open(nullptr));
  ReadState again;
  TWINSET_TRY(read_collection(
      job, collectors, [](const ReadState&) { return Status(); }, again));
  TWINSET_TRY(check_same_collection(again));
  for (const Collector* collector : collectors) spilled_bytes += collector->stored_bytes();
  clock.end(name);
  return {};
}

void CollectionRun::take_pages(std::unique_ptr<PageFile> pages,
                               const std::vector<InputFacts>& read) {
  pages_ = std::move(pages);
  job.pages = pages_->keeps_tokens() ? pages_.get() : nullptr;
  spilled_bytes += pages_->stored_bytes();
  first_read_.emplace();
  for (std::uint64_t i = 0; i < job.sources(); ++i) {
    // Facts have the protected inputs last.
    const InputFacts& facts = read[(i + job.sources() - job.reference_sources) % job.sources()];
    first_read_->lines.push_back(facts.lines);
    first_read_->checksums.push_back(facts.checksum);
  }
}

Status CollectionRun::check_same_collection(const ReadState& pass) {
  if (!first_read_) first_read_ = pass;
  const ReadState& first = *first_read_;
  for (std::uint64_t source = 0; source < job.sources(); ++source) {
    if (!job.read.has(source)) continue;
    if (pass.lines[source] == first.lines[source] &&
        pass.checksums[source] == first.checksums[source]) {
      continue;
    }
    return input_changed(job.source(source));
  }
  return {};
}

Status CollectionRun::save(StateFile state_of_verb) {
  for (const std::string& step : done_) state_of_verb.set(step, std::uint64_t{1});
  for (const auto& pass : passes_) {
    for (Collector* collector : pass->collectors) {
      TWINSET_TRY(collector->checkpoint(state_of_verb));
    }
    store_read_state(pass->state, pass->name, state_of_verb);
  }
  return workspace_->save(std::move(state_of_verb));
}

Status CollectionRun::check_memory(std::uint64_t resident_bytes) {
  const std::uint64_t records = lines_of(state);
  const MemoryPlan begun = job.memory;
  job.memory.release_large(state.large_bytes);
  job.context.memory_bytes = job.memory.rows;
  const std::uint64_t of_rows = resident_bytes - std::min(resident_bytes, usual_tables_bytes);
  if (of_rows > job.memory.rows) {
    return begun.too_little("a run over " + format_count(records, "record", "records"),
                            begun.budget_for_rows(of_rows, state.large_bytes), "");
  }
  // A sixteenth of the memory holds the rows and names of all records, unless they are very many.
  const std::uint64_t looked_up = stores.records == nullptr ? 0 : (job.memory.rows - of_rows) / 16;
  job.context.memory_bytes -= looked_up;
  if (job.collection->held_bytes() > (job.memory.rows - of_rows) / held_part) {
    job.collection->drop_held();
  }
  job.context.memory_bytes -= job.collection->held_bytes();
  return stores.records == nullptr ? Status() : stores.records->hold_rows(looked_up);
}

/// All files of the output except the summary are complete now.
Status CollectionRun::complete_outputs(const ReportFiles& report, RunFacts& facts) {
  FileSystem& files = *job.context.files;
  if (reports()) TWINSET_TRY(write_report(report));
  TWINSET_ASSIGN(facts.outputs, files_below(files, workspace_->out()));
  // A run that was stopped at its last step has left a summary.
  std::erase_if(facts.outputs, [](const OutputFile& file) {
    return file.name == summary_file || file.name == std::string(summary_file) + ".partial";
  });
  return {};
}

Status CollectionRun::write_report(const ReportFiles& report) {
  FileSystem& files = *job.context.files;
  const std::string inside = OutputPaths(verb_, files).report_in_work_folder();
  return twinset::write_report(files, report, inside.empty() ? verb_.report : inside);
}

void CollectionRun::remove_report() {
  if (!reports()) return;
  for (const std::string& path : {verb_.report, facts_path(verb_.report)}) {
    // The run's own error is the one to report.
    [[maybe_unused]] const Status removed = remove_if_there(*job.context.files, path);
  }
}

/// The summary last, then the rename that makes it all visible.
Status CollectionRun::publish(const std::string& summary) {
  TWINSET_TRY(write_file_atomically(*job.context.files,
                                    workspace_->out() + "/" + std::string(summary_file), summary));
  release();
  return workspace_->publish();
}

}  // namespace twinset
