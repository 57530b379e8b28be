#include "run/workspace.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/hash.h"
#include "base/message.h"
#include "io/field_json.h"
#include "io/json_read.h"
#include "run/run_fields.h"

namespace twinset {
namespace {

constexpr std::uint64_t max_state_bytes = std::uint64_t{1} << 30;
constexpr std::string_view checksum_name = "checksum ";

std::string hexadecimal(std::uint64_t value) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out(16, '0');
  for (unsigned i = 0; i < 16; ++i) out[15 - i] = digits[value >> (4 * i) & 15];
  return out;
}

std::string absolute(const std::string& path) {
  std::error_code failed;
  const auto full = std::filesystem::absolute(path, failed);
  return failed ? path : full.lexically_normal().string();
}

/// The files that a finished run's summary lists.
Result<std::vector<OutputFile>> listed_outputs(const std::string& summary,
                                               const std::string& path) {
  std::vector<OutputFile> outputs;
  const Nested run([&outputs] {
    return std::vector<Field>{if_set({"outputs", NestedList(&outputs)})};
  });
  TWINSET_TRY(read_fields(summary, path, {{"run", run}}));
  return outputs;
}

/// Checks that the files of a finished run exist with their sizes; reads no bytes.
Status check_outputs(FileSystem& files, const std::string& output,
                     const std::vector<OutputFile>& outputs) {
  for (const auto& [name, bytes] : outputs) {
    // The name is not UTF-8, so JSON cannot hold it.
    if (name.find("\xef\xbf\xbd") != std::string::npos) continue;
    const std::string path = output + "/" + name;
    TWINSET_ASSIGN(FileStatus status, files.status(path));
    std::string wrong;
    if (status.kind != FileStatus::Kind::regular) {
      wrong = path + " is missing";
    } else if (status.size != bytes) {
      wrong = path + " has " + std::to_string(status.size) + " bytes, not the " +
              std::to_string(bytes) + " that were written";
    } else {
      continue;
    }
    return io_error(output + " is no longer complete: " + wrong + ". Remove " + output +
                    " and run the same command again to make it anew");
  }
  return {};
}

/// Of "4711-...": there is no such process.
bool has_ended(const std::string& numbers) {
  const int process = std::atoi(numbers.c_str());
  return process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
}

}  // namespace

std::uint64_t StateFile::number(const std::string& name) const {
  const auto at = values_.find(name);
  if (at == values_.end()) return 0;
  std::uint64_t value = 0;
  for (const char c : at->second) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

std::string StateFile::text(const std::string& name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? std::string() : at->second;
}

void StateFile::keep_file(const std::string& path) {
  const std::uint64_t files = number("files");
  set("file." + std::to_string(files), path);
  set("files", files + 1);
}

std::vector<std::string> StateFile::kept_files() const {
  std::vector<std::string> paths(number("files"));
  for (std::size_t i = 0; i < paths.size(); ++i) paths[i] = text("file." + std::to_string(i));
  return paths;
}

std::string StateFile::encode() const {
  std::string out;
  for (const auto& [name, value] : values_) out += name + " " + value + "\n";
  return out + std::string(checksum_name) + hexadecimal(checksum(out)) + "\n";
}

bool StateFile::decode(std::string_view bytes, StateFile& out) {
  const std::size_t tail = checksum_name.size() + 17;
  if (bytes.size() < tail) return false;
  const std::string_view body = bytes.substr(0, bytes.size() - tail);
  const std::string_view end = bytes.substr(body.size());
  if (end != std::string(checksum_name) + hexadecimal(checksum(body)) + "\n") return false;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t line_end = body.find('\n', at);
    const std::string_view line = body.substr(at, line_end - at);
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return false;
    out.set(std::string(line.substr(0, space)), line.substr(space + 1));
    at = line_end + 1;
  }
  return true;
}

Workspace::Workspace(FileSystem& files, Settings settings)
    : files_(files), settings_(std::move(settings)), folder_(settings_.output + ".partial") {
  spill_ = settings_.rows_in_output ? out() + "/rows"
           : settings_.tmp.empty()
               ? folder_ + "/spill"
               : settings_.tmp + "/twinset-" + hexadecimal(checksum(absolute(settings_.output)));
}

Workspace::Owner Workspace::owner(std::string_view identity, const Settings& settings) {
  const std::string_view mine = settings.identity;
  if (identity == mine) return Owner::this_run;
  const std::size_t slash = mine.find('/');
  const bool same_command =
      slash != std::string_view::npos && identity.substr(0, slash + 1) == mine.substr(0, slash + 1);
  return same_command ? Owner::other_inputs : Owner::other_command;
}

Result<std::optional<std::string>> Workspace::finished(FileSystem& files,
                                                       const Settings& settings) {
  const std::string& output = settings.output;
  TWINSET_ASSIGN(FileStatus status, files.status(output));
  if (status.kind == FileStatus::Kind::missing) return std::optional<std::string>();
  TWINSET_ASSIGN(const bool empty, is_empty_folder(files, output));
  if (empty) return std::optional<std::string>();
  const std::string mark = output + "/" + std::string(summary_file);
  TWINSET_ASSIGN(FileStatus marked, files.status(mark));
  if (status.kind != FileStatus::Kind::directory || marked.kind != FileStatus::Kind::regular) {
    return usage_error(output + " exists and is not twinset's; choose another " + option("output") +
                       " or move it away");
  }
  TWINSET_ASSIGN(std::string summary, read_result_file(files, mark));
  const Result<JsonNode> parsed = read_json(summary, mark);
  const std::string identity =
      parsed.ok() ? parsed.value()["run"]["identity"].text() : std::string();
  switch (owner(identity, settings)) {
    case Owner::this_run:
      break;
    case Owner::other_inputs:
      return usage_error(
          output + " was made by this command, but its inputs have changed since; choose another " +
          option("output") + ", or remove " + output + " to make it anew");
    default:
      return usage_error(output + " holds the result of a different command; choose another " +
                         option("output") + " or remove it");
  }
  TWINSET_ASSIGN(const std::vector<OutputFile> outputs, listed_outputs(summary, mark));
  TWINSET_TRY(check_outputs(files, output, outputs));
  clear_leftovers(files, settings);
  return std::optional<std::string>(std::move(summary));
}

/// Skips folders that another run has locked or that this command did not make. Errors
/// are ignored: the output is already complete.
void Workspace::clear_leftovers(FileSystem& files, const Settings& settings) {
  Workspace left(files, settings);
  const Result<FileStatus> status = files.status(left.folder_);
  if (!status.ok() || status.value().kind != FileStatus::Kind::directory) return;
  if (!left.check_adoptable().ok() || !left.lock().ok()) return;
  std::string command;
  const Result<Owner> found = left.read_owner(command);
  if (!found.ok() || (found.value() != Owner::nobody && found.value() != Owner::this_run)) return;
  [[maybe_unused]] const Status removed = left.abandon();
}

void Workspace::clear_dead(FileSystem& files, const std::string& output, std::string_view verb) {
  constexpr std::string_view ending = ".partial";
  const std::string parent = parent_of(output);
  const Result<std::vector<std::string>> names = files.list(parent);
  if (!names.ok()) return;
  const std::string beginning = "twinset-" + std::string(verb) + "-";
  for (const std::string& name : names.value()) {
    if (!name.starts_with(beginning) || !name.ends_with(ending)) continue;
    Workspace left(files, {parent + "/" + name.substr(0, name.size() - ending.size()), "", "", ""});
    // The identity is written under the lock: whoever can lock it now has a dead owner's folder.
    const Result<FileStatus> identity = files.status(left.folder_ + "/identity");
    if (!identity.ok() || !left.check_adoptable().ok()) continue;
    // Without an identity the folder may have been made a moment ago.
    const bool is_begun = identity.value().kind == FileStatus::Kind::regular;
    if (!is_begun && !has_ended(name.substr(beginning.size()))) continue;
    if (!left.lock().ok()) continue;
    [[maybe_unused]] const Status removed = left.abandon();
  }
}

Result<std::unique_ptr<Workspace>> Workspace::open(FileSystem& files, const Settings& settings) {
  std::unique_ptr<Workspace> made(new Workspace(files, settings));
  const std::string parent = parent_of(settings.output);
  TWINSET_ASSIGN(FileStatus status, files.status(parent));
  if (status.kind == FileStatus::Kind::missing) {
    TWINSET_TRY(make_directories(files, parent));
  } else if (status.kind != FileStatus::Kind::directory) {
    return io_error("cannot make " + settings.output + ": " + parent + " is not a folder");
  }
  TWINSET_TRY(made->check_adoptable());
  TWINSET_TRY(files.make_directory(made->folder_));
  TWINSET_TRY(made->lock());
  TWINSET_TRY(made->check_identity());
  TWINSET_TRY(made->make_way());
  TWINSET_TRY(files.make_directory(made->out()));
  TWINSET_TRY(files.make_directory(made->spill_));
  return made;
}

/// Removes an empty folder with the output's name now, so that a failure to do so does not come
/// after all the work.
Status Workspace::make_way() const {
  TWINSET_ASSIGN(const bool empty, is_empty_folder(files_, settings_.output));
  if (!empty) return {};
  const Status removed = files_.remove_directory(settings_.output);
  if (removed.ok()) return {};
  return io_error(removed.error().message + ". If it is a mount point, name a folder in it: " +
                  option("output", settings_.output + "/NAME"));
}

/// Error if a folder with the work folder's name was not made by twinset: it must not be emptied.
Status Workspace::check_adoptable() const {
  TWINSET_ASSIGN(FileStatus status, files_.status(folder_));
  if (status.kind == FileStatus::Kind::missing) return {};
  const Error foreign =
      usage_error(folder_ +
                  " exists and is not twinset's; move it away, since a run works there, or choose "
                  "another " +
                  option("output"));
  if (status.kind != FileStatus::Kind::directory) return foreign;
  Result<FileStatus> identity = files_.status(folder_ + "/identity");
  TWINSET_TRY(identity);
  if (identity.value().kind == FileStatus::Kind::regular) return {};
  TWINSET_ASSIGN(std::vector<std::string> names, files_.list(folder_));
  for (const std::string& name : names) {
    if (name != "lock" && !name.starts_with("identity")) return foreign;
  }
  return {};
}

Status Workspace::lock() {
  std::string holder;
  TWINSET_ASSIGN(lock_, files_.lock(folder_ + "/lock", std::to_string(::getpid()), holder));
  if (lock_ != nullptr) return {};
  return usage_error("another twinset (process " + holder + ") works on " + settings_.output +
                     "; wait for it or choose another " + option("output"));
}

/// Sets `command` to the command that made the work folder, if that is known.
Result<Workspace::Owner> Workspace::read_owner(std::string& command) const {
  const std::string path = folder_ + "/identity";
  TWINSET_ASSIGN(FileStatus status, files_.status(path));
  if (status.kind == FileStatus::Kind::missing) return Owner::nobody;
  TWINSET_ASSIGN(std::string text, read_whole_file(files_, path, max_state_bytes));
  const std::string_view lines = text;
  const std::string_view identity = lines.substr(0, lines.find('\n'));
  const std::string_view rest = lines.substr(std::min(lines.size(), identity.size() + 1));
  command = rest.substr(0, rest.find('\n'));
  // Standard input cannot be read again, so an unfinished run of it is worthless.
  if (identity.starts_with(standard_input) && settings_.identity.starts_with(standard_input)) {
    return Owner::nobody;
  }
  return owner(identity, settings_);
}

Status Workspace::check_identity() {
  std::string command;
  TWINSET_ASSIGN(Owner found, read_owner(command));
  if (found == Owner::this_run) return {};
  if (found == Owner::other_command) {
    const std::string its = command.empty() ? "" : " (" + command + ")";
    return usage_error(folder_ + " holds an unfinished run of a different command" + its +
                       "; run that one again to finish it, or remove " + folder_ +
                       ", or choose another " + option("output"));
  }
  if (found == Owner::other_inputs) {
    TWINSET_TRY(remove_state());
    dropped_checkpoint_ = true;
  }
  return write_file_atomically(files_, folder_ + "/identity",
                               settings_.identity + "\n" + settings_.command + "\n");
}

Result<bool> Workspace::load(StateFile& out) const {
  const std::string path = folder_ + "/state";
  TWINSET_ASSIGN(FileStatus status, files_.status(path));
  if (status.kind == FileStatus::Kind::missing) return false;
  TWINSET_ASSIGN(std::string bytes, read_whole_file(files_, path, max_state_bytes));
  if (!StateFile::decode(bytes, out)) return false;
  // With another --tmp the spilled files are elsewhere.
  return out.text("spill") == spill_;
}

Status Workspace::save(StateFile state) const {
  // A power loss could otherwise lose the names of files.
  for (const std::string& folder :
       {out(), spill_, parent_of(spill_), folder_, parent_of(folder_)}) {
    TWINSET_TRY(files_.sync_directory(folder));
  }
  state.set("spill", spill_);
  return write_file_atomically(files_, folder_ + "/state", state.encode());
}

/// Durably: after a power loss the old state must not be found beside the files of another run.
Status Workspace::remove_state() {
  const std::string state = folder_ + "/state";
  TWINSET_ASSIGN(FileStatus status, files_.status(state));
  if (status.kind == FileStatus::Kind::missing) return {};
  TWINSET_TRY(files_.remove_file(state));
  return files_.sync_directory(folder_);
}

Status Workspace::start_over() {
  TWINSET_TRY(remove_state());
  for (const std::string& folder : {out(), spill_}) {
    TWINSET_TRY(files_.remove_tree(folder));
    TWINSET_TRY(files_.make_directory(folder));
  }
  return {};
}

Status Workspace::publish() {
  TWINSET_TRY(files_.sync_tree(out()));
  TWINSET_TRY(files_.rename(out(), settings_.output));
  // The output is complete: a leftover work folder is not a failure of the run.
  [[maybe_unused]] const Status removed = abandon();
  return {};
}

Status Workspace::abandon() {
  TWINSET_ASSIGN(FileStatus status, files_.status(folder_));
  if (status.kind == FileStatus::Kind::missing) return files_.remove_tree(spill_);
  // The identity file, which names the owner, is removed last, also on the disk.
  for (const std::string& first : {folder_ + "/state", spill_, out()}) {
    TWINSET_TRY(files_.remove_tree(first));
  }
  for (const std::string& holder : {parent_of(spill_), folder_}) {
    TWINSET_ASSIGN(FileStatus there, files_.status(holder));
    if (there.kind == FileStatus::Kind::missing) continue;
    TWINSET_TRY(files_.sync_directory(holder));
  }
  return files_.remove_tree(folder_);
}

Result<bool> is_empty_folder(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(FileStatus status, files.status(path));
  if (status.kind != FileStatus::Kind::directory) return false;
  TWINSET_ASSIGN(std::vector<std::string> names, files.list(path));
  return names.empty();
}

}  // namespace twinset
