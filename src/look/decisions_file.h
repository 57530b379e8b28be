// The decisions of people about the records of a run, in a file of lines beside its folder
// (docs/formats/decisions.md).
//
//   {"record": "n4", "id": "n4", "file": "in.jsonl", "number": 4, "decision": "restore",
//    "time": "2026-11-27T20:00:00Z"}
//
//   DecisionsFile file(files, "clean.decisions.jsonl");
//   TWINSET_TRY(file.append(decisions));                      // durable from here
//   TWINSET_ASSIGN(const RecordDecisions last, file.read());  // the last line of a record counts
//
// Lines are only appended. A line that a kill has cut stays where it is: it is left out and told,
// and the next line begins behind it.
//
// Threads: any. One program appends at a time, and another gets an Error: beside the file is one
// with
// ".lock" at the end of its name.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "system/files.h"
#include "twinset/look.h"
#include "twinset/result.h"

namespace twinset {

class DecisionsFile {
 public:
  DecisionsFile(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}

  const std::string& path() const { return path_; }

  /// The last decision about each record, in the order of their first ones, without those that were
  /// taken back. A file that is not there has none. Error (io): it cannot be read.
  Result<RecordDecisions> read() const;
  /// Adds a line for each and syncs them. Error (io): another is writing the file; the disk.
  Status append(std::span<const RecordDecision> decisions) const;

 private:
  FileSystem& files_;
  std::string path_;
};

}  // namespace twinset
