// What the user named, as files to read: files, folders, globs, "-".
//
// Folders are walked in byte order, without following loops; special files and
// vanishing ones are skipped and said. The same arguments over the same tree
// give the same list.
//
// Threads: one thread at a time.
#pragma once

#include <string>
#include <vector>

#include "base/files.h"
#include "io/reader.h"
#include "twinset/result.h"

namespace twinset {

struct InputOptions {
  std::vector<std::string> inputs;      ///< in the user's order
  std::vector<std::string> references;  ///< --against
  /// Forced for all; empty: by extension. "html" leaves JSON Lines what they are and
  /// says that their texts are HTML.
  std::string format;
  std::string spool;  ///< path for standard input's bytes; its file is made
};

struct InputList {
  std::vector<Input> inputs;         ///< references first, each part in the user's order
  std::vector<std::string> skipped;  ///< one line each: path and why
};

/// Errors (usage): no such file, two inputs of one name, one file named twice, an
/// empty list. In a folder every regular file counts: known extensions by their
/// format; `.json` as JSON Lines if its first line is a whole object; all others
/// as text. A file named by itself with an unknown extension is text unless its
/// first byte after white space is "{", then it is JSON Lines. References are
/// numbered before inputs and are named as the user wrote them.
Result<InputList> expand_inputs(FileSystem& files, const InputOptions& options);

}  // namespace twinset
