#include "job/workspace.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "base/hash.h"
#include "io/json_read.h"

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

/// The run.identity of a summary; empty if there is none.
std::string summary_identity(std::string_view summary) {
  const Result<JsonNode> parsed = read_json(summary, "");
  return parsed.ok() ? parsed.value()["run"]["identity"].text() : std::string();
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
  spill_ = settings_.tmp.empty()
               ? folder_ + "/spill"
               : settings_.tmp + "/twinset-" + hexadecimal(checksum(absolute(settings_.output)));
}

Result<bool> Workspace::finished(FileSystem& files, const Settings& settings) {
  Result<FileStatus> status = files.status(settings.output);
  TWINSET_TRY(status);
  if (status.value().kind == FileStatus::Kind::missing) return false;
  const std::string mark = settings.output + "/" + std::string(summary_file);
  Result<FileStatus> marked = files.status(mark);
  TWINSET_TRY(marked);
  if (status.value().kind != FileStatus::Kind::directory ||
      marked.value().kind != FileStatus::Kind::regular) {
    return usage_error(settings.output +
                       " exists and is not twinset's; choose another -o or move it away");
  }
  Result<std::string> summary = read_whole_file(files, mark, max_state_bytes);
  TWINSET_TRY(summary);
  if (summary_identity(summary.value()) != settings.identity) {
    return usage_error(settings.output +
                       " is the output of another command or of other inputs; choose another -o "
                       "or remove it");
  }
  clear_leftovers(files, settings);
  return true;
}

/// Not what another run works in, nor what is not ours. The output stands: failures are
/// none of the run's.
void Workspace::clear_leftovers(FileSystem& files, const Settings& settings) {
  Workspace left(files, settings);
  const Result<FileStatus> status = files.status(left.folder_);
  if (!status.ok() || status.value().kind != FileStatus::Kind::directory) return;
  if (!left.check_adoptable().ok() || !left.lock().ok() || !left.check_identity().ok()) return;
  [[maybe_unused]] const Status removed = left.abandon();
}

Result<std::unique_ptr<Workspace>> Workspace::open(FileSystem& files, const Settings& settings) {
  std::unique_ptr<Workspace> made(new Workspace(files, settings));
  Result<FileStatus> parent = files.status(parent_of(settings.output));
  TWINSET_TRY(parent);
  if (parent.value().kind != FileStatus::Kind::directory) {
    return io_error("cannot make " + settings.output + ": " + parent_of(settings.output) +
                    " is not a folder");
  }
  TWINSET_TRY(made->check_adoptable());
  TWINSET_TRY(files.make_directory(made->folder_));
  TWINSET_TRY(made->lock());
  TWINSET_TRY(made->check_identity());
  TWINSET_TRY(files.make_directory(made->out()));
  TWINSET_TRY(files.make_directory(made->spill_));
  return made;
}

/// A folder of that name which no run of twinset made is not ours to empty.
Status Workspace::check_adoptable() const {
  Result<FileStatus> status = files_.status(folder_);
  TWINSET_TRY(status);
  if (status.value().kind == FileStatus::Kind::missing) return {};
  const Error foreign = usage_error(folder_ +
                                    " exists and is not twinset's; move it away, since "
                                    "a run works there, or choose another -o");
  if (status.value().kind != FileStatus::Kind::directory) return foreign;
  Result<FileStatus> identity = files_.status(folder_ + "/identity");
  TWINSET_TRY(identity);
  if (identity.value().kind == FileStatus::Kind::regular) return {};
  Result<std::vector<std::string>> names = files_.list(folder_);
  TWINSET_TRY(names);
  for (const std::string& name : names.value()) {
    if (name != "lock" && !name.starts_with("identity")) return foreign;
  }
  return {};
}

Status Workspace::lock() {
  std::string holder;
  auto lock = files_.lock(folder_ + "/lock", std::to_string(::getpid()), holder);
  TWINSET_TRY(lock);
  lock_ = std::move(lock).value();
  if (lock_ != nullptr) return {};
  return usage_error("another twinset (process " + holder + ") works on " + settings_.output +
                     "; wait for it or choose another -o");
}

Status Workspace::check_identity() {
  const std::string path = folder_ + "/identity";
  Result<FileStatus> status = files_.status(path);
  TWINSET_TRY(status);
  if (status.value().kind == FileStatus::Kind::missing) {
    return write_file_atomically(files_, path, settings_.identity + "\n");
  }
  Result<std::string> identity = read_whole_file(files_, path, max_state_bytes);
  TWINSET_TRY(identity);
  if (identity.value() == settings_.identity + "\n") return {};
  // Standard input cannot be read again: an unfinished run of it is worth nothing.
  if (identity.value().starts_with(standard_input) &&
      settings_.identity.starts_with(standard_input)) {
    return write_file_atomically(files_, path, settings_.identity + "\n");
  }
  return usage_error(folder_ +
                     " is the unfinished run of another command or of other inputs; finish it "
                     "with that command, or remove it, or choose another -o");
}

Result<bool> Workspace::load(StateFile& out) const {
  const std::string path = folder_ + "/state";
  Result<FileStatus> status = files_.status(path);
  TWINSET_TRY(status);
  if (status.value().kind == FileStatus::Kind::missing) return false;
  Result<std::string> bytes = read_whole_file(files_, path, max_state_bytes);
  TWINSET_TRY(bytes);
  if (!StateFile::decode(bytes.value(), out)) return false;
  // Spilled elsewhere (another --tmp): those files are not at hand.
  return out.text("spill") == spill_;
}

Status Workspace::save(StateFile state) const {
  state.set("spill", spill_);
  return write_file_atomically(files_, folder_ + "/state", state.encode());
}

Status Workspace::start_over() {
  const std::string state = folder_ + "/state";
  Result<FileStatus> status = files_.status(state);
  TWINSET_TRY(status);
  if (status.value().kind != FileStatus::Kind::missing) TWINSET_TRY(files_.remove_file(state));
  for (const std::string& folder : {out(), spill_}) {
    TWINSET_TRY(files_.remove_tree(folder));
    TWINSET_TRY(files_.make_directory(folder));
  }
  return {};
}

Status Workspace::publish() {
  TWINSET_TRY(files_.sync_tree(out()));
  TWINSET_TRY(files_.rename(out(), settings_.output));
  // The output stands; what is left of the work folder is no failure of the run.
  [[maybe_unused]] const Status removed = abandon();
  return {};
}

Status Workspace::abandon() {
  // What tells that the folder is ours goes last.
  for (const std::string& first : {spill_, out(), folder_ + "/state"}) {
    TWINSET_TRY(files_.remove_tree(first));
  }
  return files_.remove_tree(folder_);
}

}  // namespace twinset
