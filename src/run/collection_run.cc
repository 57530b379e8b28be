#include "run/collection_run.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <numeric>
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
#include "io/bytes.h"
#include "io/field_json.h"
#include "report/numbers.h"
#include "run/prepare.h"
#include "run/read_pass.h"
#include "twinset/result.h"

namespace twinset {
namespace {

std::string normal_path(const std::string& path) {
  std::error_code failed;
  const auto full =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  std::string text = failed ? path : full.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

/// One part in so many of the memory for rows may hold decoded sources, so that they are decoded
/// once.
constexpr std::uint64_t held_part = 8;

/// True if `path` is `folder` or lies below it.
bool within(const std::string& path, const std::string& folder) {
  return path == folder || (path.size() > folder.size() && path.starts_with(folder) &&
                            (path[folder.size()] == '/' || folder == "/"));
}

/// A dry run's own folder.
std::string dry_run_folder(const Resources& resources, const void* run) {
  std::error_code failed;  // Then making the folder fails, with an error.
  const std::string folder =
      resources.tmp.empty() ? std::filesystem::temp_directory_path(failed).string() : resources.tmp;
  return folder + "/twinset-dry-run-" + std::to_string(::getpid()) + "-" +
         std::to_string(reinterpret_cast<std::uintptr_t>(run));
}

/// The work folder of a run whose kept records go to control.kept. They may be many, and the
/// system's folder for temporary files may be in memory.
std::string stream_folder(const Resources& resources) {
  const char* const wanted = std::getenv("TMPDIR");
  std::string folder = resources.tmp;
  if (folder.empty()) folder = wanted != nullptr && *wanted != '\0' ? wanted : "/var/tmp";
  return folder + "/twinset-" + std::to_string(::getpid()) + "-" +
         std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
}

}  // namespace

CollectionRun::CollectionRun(const CollectionOptions& options, VerbOptions verb,
                             const RunControl& control)
    : options_(options), verb_(std::move(verb)), control_(control) {
  while (verb_.output.size() > 1 && verb_.output.back() == '/') verb_.output.pop_back();
  if (verb_.dry_run) verb_.output = dry_run_folder(options_.resources, this);
  if (streams()) verb_.output = stream_folder(options_.resources);
}

/// Gives half of the budget to the files of a run that uses no disk.
Status CollectionRun::prepare_memory() {
  if (!options_.inputs.empty()) return usage_error("give either inputs or columns");
  const bool asks_for_files =
      (!verb_.output.empty() && !verb_.dry_run) || !verb_.report.empty() ||
      !verb_.references.empty() ||
      std::ranges::any_of(verb_.new_files, [](const NewFile& file) { return !file.path.empty(); });
  if (asks_for_files || streams()) {
    return usage_error(
        "a run over columns reads and makes no files: leave out output, report and references; "
        "results come one by one");
  }
  TWINSET_TRY(check_columns(options_.columns));
  if (!options_.resources.tmp.empty()) {
    verb_.output = stream_folder(options_.resources);
    return {};
  }
  verb_.output = "memory";
  options_.resources.checkpoint_bytes = UINT64_MAX;
  std::uint64_t& memory = options_.resources.memory_bytes;
  FileSystem& files = control_.files != nullptr ? *control_.files : disk();
  if (memory == 0) memory = machine_memory_bytes(files) / 2;
  memory /= 2;
  memory_files_ = std::make_unique<MemoryFiles>(
      memory, ", half of resources.memory_bytes: give more, or name a folder in resources.tmp");
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
  if (!in_memory()) facts.folder = std::filesystem::current_path(failed).string();
  facts.analyzer = job.signer.view.analyzer->name();
  facts.analyzer_version = job.signer.view.analyzer->version();
  facts.inputs.clear();
  for (std::uint64_t i = 0; i < job.sources(); ++i) {
    facts.inputs.push_back(facts_of((i + job.reference_sources) % job.sources()));
  }
  facts.without_signature = without_signature_;
  describe_troubles(state.troubles, *job.collection, facts);
  if (state.not_utf8_records == 0) return;
  facts.invalid_utf8 = {state.not_utf8_records, state.not_utf8_sources,
                        job.source(state.first_not_utf8).shown};
  facts.warnings.push_back(invalid_utf8_warning(facts.invalid_utf8));
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
  facts.compression = compressions[static_cast<std::size_t>(read.compression)];
  facts.lines = source < state.lines.size() ? state.lines[source] : 0;
  facts.checksum = source < state.checksums.size() ? state.checksums[source] : 0;
  return facts;
}

void CollectionRun::forget_if_stale(const Error& error) {
  if (!error.input_changed) return;
  [[maybe_unused]] const Status removed = abandon();  // `error` is the one to report.
}

Status CollectionRun::read_finished(const std::vector<Field>& fields, RunFacts& facts) const {
  TWINSET_TRY(read_fields(finished_summary_, verb_.output + "/summary.json", fields));
  facts.json = finished_summary_;
  facts.already_done = true;
  return {};
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
  job.in_memory = in_memory();
  if (in_memory()) TWINSET_TRY(prepare_memory());
  TWINSET_TRY(prepare_job(options_, verb_, control_, job));
  job.kept = control_.kept;
  job.context.continues = !leaves_no_folder() && !reads_standard_input();
  return {};
}

/// Finds the inputs and takes the work folder; true if the run is already finished.
Result<bool> CollectionRun::open() {
  FileSystem& files = *job.context.files;
  if (!reads_standard_input()) TWINSET_TRY(find_inputs(""));
  Workspace::Settings settings{verb_.output, options_.resources.tmp, make_identity(),
                               options_.command};
  identity_ = settings.identity;
  TWINSET_ASSIGN(std::optional<std::string> finished, Workspace::finished(files, settings));
  if (finished.has_value()) {
    finished_summary_ = *finished;
    TWINSET_TRY(check_report_stands());
    return true;
  }
  TWINSET_ASSIGN(FileStatus begun, files.status(verb_.output + ".partial"));
  if (begun.kind == FileStatus::Kind::missing) TWINSET_TRY(check_report_is_new());
  const std::string inside = report_in_work_folder();
  if (inside.empty()) TWINSET_TRY(check_report_can_be_written(verb_.report));
  TWINSET_ASSIGN(workspace_, Workspace::open(files, settings));
  if (const Status writable = check_report_can_be_written(inside); !writable.ok()) {
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

void CollectionRun::keep_what_is_read_once() {
  bool once = false;
  for (std::uint64_t source = 0; source < job.sources(); ++source) {
    once = once || job.collection->rereading(source) == Rereading::never;
  }
  if (!once || !verb_.reads_again) return;
  job.collection =
      std::make_shared<SpooledCollection>(job.collection, *job.context.files, job.spill + "once");
}

Result<std::shared_ptr<Collection>> CollectionRun::find_collection(const std::string& spool) const {
  if (given_ != nullptr) return given_;
  if (in_memory()) {
    return std::shared_ptr<Collection>(std::make_shared<MemoryCollection>(options_.columns));
  }
  InputOptions wanted{options_.inputs, verb_.references, options_.input.format, spool,
                      options_.input.allow_lost};
  TWINSET_ASSIGN(InputList list, expand_inputs(*job.context.files, wanted));
  // A list of ids is not a page, whatever its name.
  const bool marked_up = !job.signer.view.analyzer->takes_features();
  return std::shared_ptr<Collection>(
      std::make_shared<FileCollection>(*job.context.files, std::move(list), marked_up));
}

Status CollectionRun::find_inputs(const std::string& spool) {
  TWINSET_ASSIGN(job.collection, find_collection(spool));
  job.reference_sources = protected_sources(*job.collection);
  job.signer.view.pages = std::ranges::any_of(job.collection->sources(), &Source::pages);
  job.signer.renew_fingerprint();
  TWINSET_TRY(check_kept_takes_lines());
  return check_output_apart();
}

/// Files that are one document each, or of several formats, would run together in one stream.
Status CollectionRun::check_kept_takes_lines() const {
  if (!streams() || !verb_.writes_records) return {};
  const Source* first = nullptr;
  for (const Source& source : job.collection->sources()) {
    if (source.is_protected()) continue;
    if (source.one_document) {
      return usage_error(source.shown + " is one document (" + std::string(source.format) +
                         "), and standard output takes JSON Lines only; give " +
                         option("output", "DIR") + ", or " + option("emit", "ids"));
    }
    if (first == nullptr) first = &source;
    if (source.format != first->format) {
      return usage_error(first->shown + " is " + std::string(first->format) + " and " +
                         source.shown + " " + std::string(source.format) +
                         ", and standard output takes one of them; give " +
                         option("output", "DIR") + ", or " + option("emit", "ids"));
    }
  }
  return {};
}

/// The output must not be an input, be in an input folder, or contain an input.
Status CollectionRun::check_output_apart() const {
  if (verb_.dry_run || in_memory()) return {};
  for (const NewFile& file : verb_.new_files) {
    if (file.path.empty()) continue;
    TWINSET_TRY(check_new_file(*job.context.files, file.option, file.path));
  }
  const std::string output = normal_path(verb_.output);
  const std::string report = verb_.report.empty() ? "" : normal_path(verb_.report);
  for (const std::vector<std::string>* arguments : {&options_.inputs, &verb_.references}) {
    for (const std::string& argument : *arguments) {
      if (!is_standard_input(argument) && within(output, normal_path(argument))) {
        return usage_error("the output " + verb_.output + " lies in the input " + argument +
                           "; choose an " + option("output") + " elsewhere");
      }
    }
  }
  for (const Source& source : job.collection->sources()) {
    if (source.path.empty()) continue;
    if (within(normal_path(source.path), output)) {
      return usage_error("the input " + source.shown + " lies in the output " + verb_.output +
                         "; choose another " + option("output"));
    }
    for (const std::string& path : report_paths()) {
      if (normal_path(source.path) != normal_path(path)) continue;
      return usage_error(option("report", path) + " is an input; choose another name");
    }
    TWINSET_TRY(check_output_name(source));
  }
  return check_report_path(report, output);
}

/// An input's name in the output must not be that of one of twinset's own files.
Status CollectionRun::check_output_name(const Source& source) const {
  if (source.is_protected() || !verb_.writes_records || streams()) return {};
  std::vector<std::string> own = verb_.own_names;
  own.emplace_back("quarantine.jsonl");
  own.emplace_back(summary_file);
  const std::string output = normal_path(verb_.output);
  for (const std::string& path : report_paths()) {
    if (within(normal_path(path), output))
      own.push_back(normal_path(path).substr(output.size() + 1));
  }
  const bool taken = std::any_of(own.begin(), own.end(), [&](const std::string& name) {
    return within(source.name, name) || within(source.name, name + ".partial");
  });
  if (!taken) return {};
  return usage_error("the input " + source.shown + " would be written as " + source.name +
                     ", a name of twinset's own; rename it or use " + option("emit", "ids"));
}

/// The page and its facts; none without --report.
std::vector<std::string> CollectionRun::report_paths() const {
  if (verb_.report.empty()) return {};
  return {verb_.report, facts_path(verb_.report)};
}

/// The report's folder must be there now, not only after all the work.
Status CollectionRun::check_report_path(const std::string& report,
                                        const std::string& output) const {
  if (report.empty()) return {};
  if (within(report, output)) {
    const std::string name = report.substr(std::min(report.size(), output.size() + 1));
    if (name.empty() || name.find('/') != std::string::npos ||
        name.find('.') == std::string::npos || !name.ends_with(".html")) {
      return usage_error(option("report") + " inside the output is a file right in it, such as " +
                         verb_.output + "/report.html");
    }
    if (facts_path(name) != summary_file) return {};
    return usage_error(option("report", verb_.report) + " would write its facts over " +
                       verb_.output + "/" + std::string(summary_file) + "; choose another name");
  }
  FileSystem& files = *job.context.files;
  const std::string folder = std::filesystem::path(report).parent_path().string();
  TWINSET_ASSIGN(FileStatus parent, files.status(folder));
  if (parent.kind != FileStatus::Kind::directory) {
    return io_error("cannot make " + verb_.report + ": there is no folder " + folder);
  }
  return {};
}

/// Only for a run that begins: a continued run may have made the report already.
Status CollectionRun::check_report_is_new() const {
  for (const std::string& path : report_paths()) {
    TWINSET_ASSIGN(FileStatus there, job.context.files->status(path));
    if (there.kind == FileStatus::Kind::missing) continue;
    return usage_error(option("report", path) + " exists; twinset overwrites nothing");
  }
  return {};
}

/// The report of a finished run must still exist.
Status CollectionRun::check_report_stands() const {
  for (const std::string& path : report_paths()) {
    TWINSET_ASSIGN(FileStatus there, job.context.files->status(path));
    if (there.kind == FileStatus::Kind::regular) continue;
    return io_error(verb_.output + " is no longer complete: its report " + path +
                    " is missing. Remove " + verb_.output +
                    " and run the same command again to make it anew");
  }
  return {};
}

/// Reports a name that is too long or a folder without permission before the work, not after it.
Status CollectionRun::check_report_can_be_written(const std::string& path) const {
  if (path.empty() || verb_.dry_run) return {};
  for (const std::string& file : {path, facts_path(path)}) {
    const Status writable = check_writable(*job.context.files, file);
    if (!writable.ok())
      return io_error(option("report", verb_.report) + ": " + writable.error().message);
  }
  return {};
}

/// The work path of a report inside the output; empty if it is elsewhere.
std::string CollectionRun::report_in_work_folder() const {
  const std::string output = normal_path(verb_.output);
  const std::string report = normal_path(verb_.report);
  if (verb_.report.empty() || !within(report, output)) return "";
  return verb_.output + ".partial/out" + report.substr(output.size());
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
  command += verb_.identity;
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
  if (found) {
    resumed_ = true;
    return remove_strays();
  }
  checkpoint = {};
  return workspace_->start_over();
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
  if (memory_files_ != nullptr || verb_.stores_nothing || resumed_ ||
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
  const std::uint64_t output = verb_.writes_records && !leaves_no_folder() ? stored : 0;
  const bool one_disk = options_.resources.tmp.empty();
  tell_if_little(job.work, one_disk ? output + spill : output);
  if (!one_disk) tell_if_little(workspace_->spill(), spill);
}

void CollectionRun::tell_if_little(const std::string& folder, std::uint64_t needed) const {
  const Result<std::uint64_t> available = job.context.files->free_bytes(folder);
  if (!available.ok() || available.value() >= needed) return;
  const bool goes_on = !reads_standard_input() && !leaves_no_folder();
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
    without_signature_ = (stores.bands ? stores.bands : stores.counted)->without_signature();
  }
  return stores.quarantine->sync();
}

Status CollectionRun::pass(const std::string& name, std::vector<Collector*> collectors) {
  job.context.memory_bytes = job.memory.rows;
  passes_.push_back(std::make_unique<Pass>(Pass{name, std::move(collectors), {}}));
  Pass& pass = *passes_.back();
  const bool begun = resumed_ && has_read_state(checkpoint, name);
  if (begun) TWINSET_TRY(load_read_state(checkpoint, name, pass.state));
  for (Collector* collector : pass.collectors) {
    TWINSET_TRY(collector->open(begun ? &checkpoint : nullptr));
  }
  if (verb_.reads_again) job.collection->hold_decoded(job.memory.rows / held_part);
  const bool finished_before = pass.state.finished;
  TWINSET_TRY(read_collection(
      job, pass.collectors, [&](const ReadState&) { return save({}); }, pass.state));
  job.collection->hold_decoded(0);  // Later stages have no memory for decoded sources.
  TWINSET_TRY(check_same_collection(pass.state));
  if (!finished_before && pass.state.text_bytes >= options_.resources.checkpoint_bytes) {
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
  const std::uint64_t records =
      std::accumulate(state.lines.begin(), state.lines.end(), std::uint64_t{0});
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
  if (!verb_.report.empty()) {
    const std::string inside = report_in_work_folder();
    TWINSET_TRY(write_report(files, report, inside.empty() ? verb_.report : inside));
  }
  TWINSET_ASSIGN(facts.outputs, files_below(files, workspace_->out()));
  // A run that was stopped at its last step has left a summary.
  std::erase_if(facts.outputs, [](const OutputFile& file) {
    return file.name == summary_file || file.name == std::string(summary_file) + ".partial";
  });
  return {};
}

/// The summary last, then the rename that makes it all visible.
Status CollectionRun::publish(const std::string& summary) {
  TWINSET_TRY(write_file_atomically(*job.context.files,
                                    workspace_->out() + "/" + std::string(summary_file), summary));
  release();
  return workspace_->publish();
}

}  // namespace twinset
