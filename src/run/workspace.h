// A run's folder: everything it makes stands in `<output>.partial` until the very
// end, when `<output>.partial/out` is renamed to `<output>`.
//
//   <output>.partial/lock       held while a run works; names its process
//   <output>.partial/identity   which command over which inputs this is, and the command
//                               as typed: a later one continues, starts over or refuses
//   <output>.partial/state      the last checkpoint
//   <output>.partial/out/       the output to be
//   <output>.partial/spill/     spilled rows (or <tmp>/twinset-<hash>/)
//
// A checkpoint survives a power loss: save() makes the files of out/ and spill/
// durable by name, and its caller has synced their bytes.
//
// Threads: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "twinset/result.h"

namespace twinset {

/// Small facts by name, written as checksummed lines: a checkpoint's content.
class StateFile {
 public:
  void set(const std::string& name, std::uint64_t value) { values_[name] = std::to_string(value); }
  void set(const std::string& name, std::string_view value) { values_[name] = value; }
  bool has(const std::string& name) const { return values_.contains(name); }
  std::uint64_t number(const std::string& name) const;
  std::string text(const std::string& name) const;
  /// Notes a file that the checkpoint relies on: a run that goes on removes all others from the
  /// spill folder.
  void keep_file(const std::string& path);
  std::vector<std::string> kept_files() const;

  std::string encode() const;
  /// False if `bytes` is not a whole, undamaged state.
  static bool decode(std::string_view bytes, StateFile& out);

 private:
  std::map<std::string, std::string> values_;  ///< no value holds a line end
};

class Workspace {
 public:
  struct Settings {
    std::string output;    ///< folder to be made; missing or empty
    std::string tmp;       ///< empty: inside the work folder
    std::string identity;  ///< one line: "<options and versions>/<inputs>"
    std::string command;   ///< as typed, for messages
  };

  /// Makes or reopens the work folder and locks it; folders above it are made. A
  /// checkpoint of this command over inputs that have changed since is dropped. Errors:
  /// usage if the work folder is another command's or nobody's, or another run works in
  /// it.
  static Result<std::unique_ptr<Workspace>> open(FileSystem& files, const Settings& settings);

  /// The summary.json of a finished run of this very command, nullopt if `output` is
  /// missing or an empty folder. A work folder that run left, because it was killed
  /// after its last step, is then removed. Errors: usage if something else stands there;
  /// io if a file the summary lists is missing or has another size.
  static Result<std::optional<std::string>> finished(FileSystem& files, const Settings& settings);

  const std::string& folder() const { return folder_; }
  std::string out() const { return folder_ + "/out"; }
  const std::string& spill() const { return spill_; }

  /// True if open() dropped a checkpoint because inputs have changed.
  bool dropped_checkpoint() const { return dropped_checkpoint_; }

  /// The last checkpoint; false if there is none.
  Result<bool> load(StateFile& out) const;
  /// Replaces the checkpoint, durably. The bytes of the files it relies on are synced.
  Status save(StateFile state) const;

  /// Empties out/ and spill/ for a run that starts from nothing.
  Status start_over();
  /// Renames out/ to the output and removes the work folder.
  Status publish();
  /// Removes the work folder without publishing (a dry run).
  Status abandon();

 private:
  /// Whose a folder is, by its identity.
  enum class Owner : std::uint8_t { nobody, this_run, other_inputs, other_command };

  Workspace(FileSystem& files, Settings settings);
  static Owner owner(std::string_view identity, const Settings& settings);
  static void clear_leftovers(FileSystem& files, const Settings& settings);
  Status lock();
  Result<Owner> read_owner(std::string& command) const;
  Status check_identity();
  Status check_adoptable() const;
  Status make_way() const;
  Status remove_state();

  FileSystem& files_;
  Settings settings_;
  std::string folder_;
  std::string spill_;
  std::unique_ptr<FileLock> lock_;
  bool dropped_checkpoint_ = false;
};

/// True if `path` is a folder with nothing in it.
Result<bool> is_empty_folder(FileSystem& files, const std::string& path);

/// The file of a finished output that tells, in run.identity, whose it is.
inline constexpr std::string_view summary_file = "summary.json";

/// What the identity of a run over standard input begins with.
inline constexpr std::string_view standard_input = "standard input ";

}  // namespace twinset
