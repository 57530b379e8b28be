// Writes the files of an output folder: makes them below out/, collects lines, compresses
// and finishes them.
//
// Threads: belongs to one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/bytes.h"
#include "io/reader.h"
#include "system/context.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

/// Makes `name` below `root`, with its folders; replaces the part of a file that a killed run may
/// have left. `threads`, `own_members` and `level` as for create_bytes().
Result<std::unique_ptr<ByteSink>> create_output(FileSystem& files, const std::string& root,
                                                const std::string& name, Compression compression,
                                                unsigned threads, bool own_members = false,
                                                unsigned level = 0);

/// Makes the output for records of an input, `folder` + Input::name below `root`. That of a table
/// takes the numbers of its rows (RowFormat::copy).
Result<std::unique_ptr<ByteSink>> create_input_output(const RunContext& context, const Input& input,
                                                      const std::string& root,
                                                      const std::string& folder);

/// All files below a folder with their sizes, by name.
Result<std::vector<OutputFile>> files_below(FileSystem& files, const std::string& folder);

/// The bytes of a report: the page, and the facts it is drawn from.
struct ReportFiles {
  std::string page;
  std::string json;
};

/// The path of the facts, beside the page: report.json beside report.html.
std::string facts_path(const std::string& page);

/// Writes both, the facts first.
Status write_report(FileSystem& files, const ReportFiles& report, const std::string& page);

/// Error (usage) if something stands at `path`, which `option` names.
Status check_missing(FileSystem& files, const std::string& option, const std::string& path);

/// Error (usage) if a file system would refuse the name that a file at `path` has while it is made.
Status check_name_of(const std::string& path);

/// Error (usage) of check_name_of(), (io) if there is no folder to make `path` in.
Status check_folder_of(FileSystem& files, const std::string& path);

/// check_missing() and check_folder_of().
Status check_new_file(FileSystem& files, const std::string& option, const std::string& path);

/// A file that appears whole under its name or not at all: until publish() it stands beside it, as
/// NAME.partial, and a run that fails leaves nothing. Compressed if the name ends in .zst.
class WholeFile {
 public:
  /// Errors of check_new_file(), and of making it.
  static Result<std::unique_ptr<WholeFile>> create(FileSystem& files, const std::string& option,
                                                   const std::string& path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  Status write(std::string_view bytes) { return sink_->write(bytes); }
  Status publish();

 private:
  WholeFile(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}
  std::string partial() const { return path_ + ".partial"; }

  FileSystem& files_;
  std::string path_;
  std::unique_ptr<ByteSink> sink_;
  bool published_ = false;
};

/// Passes whole records of several files to a sink. If the last record of a file has no line
/// end and another record follows, puts a line end between them.
class RecordStream final : public ByteSink {
 public:
  explicit RecordStream(RecordSink& sink) : sink_(sink) {}
  Status write(std::string_view records) override;
  Status finish() override { return {}; }

 private:
  RecordSink& sink_;
  bool line_ended_ = true;
};

/// Lines collected and written to a sink in larger pieces.
class LineFile {
 public:
  explicit LineFile(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)) {}
  std::string& buffer() { return buffer_; }
  /// Call after each line added to buffer().
  Status added();
  Status finish();

 private:
  Status flush();
  std::unique_ptr<ByteSink> sink_;
  std::string buffer_;
};

/// A member of a cluster and its representative, by dense index.
struct ClusterLink {
  std::uint64_t representative = 0;
  std::uint64_t member = 0;
};

/// Writes clusters.jsonl.zst: a line {"representative": NAME, "members": [NAME, ...]}
/// for each run of links of one representative, members in the order given.
/// `take` gives the next link, false at the end; `name` gives a document's name as a
/// JSON value, called from all of the context's threads, each with its number.
Status write_cluster_lines(
    const RunContext& context, LineFile& lines,
    const std::function<Result<bool>(ClusterLink&)>& take,
    const std::function<Status(unsigned worker, std::uint64_t index, std::string& json)>& name);

}  // namespace twinset
