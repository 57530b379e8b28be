// Expands the inputs that the user named (files, folders, globs, "-") to files.
//
// Folders are walked in byte order, without following loops; special files and
// vanishing ones are skipped and listed. A link is followed unless it leads to a file or
// folder that is walked under its own name. The same arguments over the same tree give
// the same list.
//
// Each file is opened and its first bytes are checked (io/first_look.h). A file that cannot
// be read as its name promises is an error that names it, before anything else is read.
//
// Threads: one thread at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/first_look.h"
#include "io/reader.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

/// A value of InputOptions::format: as if it were empty, and texts of records that begin like HTML
/// are pages.
inline constexpr std::string_view format_by_text = "auto";

struct InputOptions {
  std::vector<std::string> inputs;      ///< in the user's order
  std::vector<std::string> references;  ///< --against
  /// Forced for all; empty: by extension and content. "html" keeps JSON Lines as lines and says
  /// that their texts are HTML.
  std::string format;
  std::string spool;  ///< path for standard input's bytes; its file is made
  /// Leaves out inputs that would be lost; false: they are an error.
  bool allow_lost = false;
  bool collection = true;     ///< false: the verb has no --allow-lost-inputs to suggest
  std::string text = "text";  ///< LookOptions::text
  bool scripts = false;       ///< FieldNames::scripts; also those beside pages in folders
  bool hidden = false;  ///< reads hidden files in folders, and what programs leave beside data
  /// Records of standard input are read as they come (Input::stream), if they are lines, plain.
  bool as_it_comes = false;
};

/// An input that was left out because it would be lost.
struct LeftOut {
  std::string shown;  ///< as the user would write it
  Unread why = Unread::none;
  std::string fault;  ///< in words, after the name
};

struct InputList {
  std::vector<Input> inputs;         ///< references first, each part in the user's order
  std::vector<std::string> skipped;  ///< one line each: path and why
  std::vector<LeftOut> left_out;     ///< with `allow_lost`
};

/// True for "-" and Linux's names for it: /dev/stdin, /dev/fd/0, /proc/self/fd/0.
bool is_standard_input(std::string_view argument);

/// A path for display: bytes that are not UTF-8 as \xNN, so different paths look different.
std::string shown_path(std::string_view path);

/// Errors (io if the system refuses each of them, else usage): inputs that would be lost, all of
/// them named, unless `allow_lost`. Errors (usage): no such file, two inputs of one name, one file
/// named twice, an empty list. In a folder every regular file counts that is not hidden: known
/// extensions by their format, all others by their content. Those that cannot be read are skipped
/// if their names promise no records; named by itself, such a file would be lost. Style sheets and
/// scripts in a folder with pages are skipped. Standard input may be packed, and is then named
/// stdin.jsonl.gz or .zst.
/// References are numbered before inputs and are named as the user wrote them.
Result<InputList> expand_inputs(FileSystem& files, const InputOptions& options);

}  // namespace twinset
