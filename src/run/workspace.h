// A run's folder: everything it makes is in `<output>.partial` until the end, when
// `<output>.partial/out` is renamed to `<output>`.
//
//   <output>.partial/lock       held while a run works; names its process
//   <output>.partial/identity   identifies the command and its inputs, with the command as
//                               typed: a later run continues, starts over or refuses
//   <output>.partial/state      the last checkpoint
//   <output>.partial/out/       the output to be
//   <output>.partial/spill/     spilled rows (or <tmp>/twinset-<hash>/)
//
// A checkpoint survives a power loss: save() makes the names of the files in out/ and spill/
// durable; its caller must sync their bytes before.
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

#include "system/files.h"
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
  /// Notes a file that the checkpoint relies on: a run that continues removes all other files from
  /// the spill folder.
  void keep_file(const std::string& path);
  std::vector<std::string> kept_files() const;

  std::string encode() const;
  /// False if `bytes` is not a whole, undamaged state.
  static bool decode(std::string_view bytes, StateFile& out);

 private:
  std::map<std::string, std::string> values_;  ///< no value has a line end
};

class Workspace {
 public:
  struct Settings {
    std::string output;    ///< folder to be made; missing or empty
    std::string tmp;       ///< empty: inside the work folder
    std::string identity;  ///< one line: "<options and versions>/<inputs>"
    std::string command;   ///< as typed, for messages
    /// The spilled rows are part of the output, in out/rows/. Then `tmp` is empty.
    bool rows_in_output = false;
  };

  /// Makes or reopens the work folder and locks it; makes the folders above it. Drops a checkpoint
  /// of this command if its inputs have changed since. Error (usage) if the work folder was made by
  /// another command or not by twinset, or if another run works in it.
  static Result<std::unique_ptr<Workspace>> open(FileSystem& files, const Settings& settings);

  /// The summary.json of a finished run of this same command; nullopt if `output` is missing or an
  /// empty folder. Removes a work folder that the run left because it was killed after its last
  /// step. Errors: usage if `output` is anything else; io if a file in the summary is missing or
  /// has another size.
  static Result<std::optional<std::string>> finished(FileSystem& files, const Settings& settings);

  /// Removes the work folders beside `output` that killed runs of `verb` have left, if their names
  /// are those of scratch_path(). Errors are ignored: none of them is in the way.
  static void clear_dead(FileSystem& files, const std::string& output, std::string_view verb);

  const std::string& folder() const { return folder_; }
  std::string out() const { return folder_ + "/out"; }
  const std::string& spill() const { return spill_; }

  /// True if open() dropped a checkpoint because inputs have changed.
  bool dropped_checkpoint() const { return dropped_checkpoint_; }

  /// The last checkpoint; false if there is none.
  Result<bool> load(StateFile& out) const;
  /// Replaces the checkpoint, durably. The bytes of the files it relies on must be synced.
  Status save(StateFile state) const;

  /// Empties out/ and spill/ for a run that starts from the beginning.
  Status start_over();
  /// Renames out/ to the output and removes the work folder.
  Status publish();
  /// Removes the work folder without publishing (a dry run).
  Status abandon();

 private:
  /// The owner of a folder, by its identity.
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

/// The file of a finished output that has the identity of its run, in run.identity.
inline constexpr std::string_view summary_file = "summary.json";

/// The file of an output that lists the records that are not documents.
inline constexpr std::string_view quarantine_file = "quarantine.jsonl";

/// The prefix of the identity of a run over standard input.
inline constexpr std::string_view standard_input = "standard input ";

}  // namespace twinset
