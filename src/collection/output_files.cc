#include "collection/output_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/message.h"
#include "system/clean_up.h"
#include "system/ordered.h"

namespace twinset {
namespace {

constexpr std::size_t line_buffer_bytes = std::size_t{256} << 10;
constexpr std::size_t cluster_task_links = 512;  ///< ids may be long

/// Creates the folders of `name` below `root`.
Status make_folders(FileSystem& files, const std::string& root, const std::string& name) {
  for (std::size_t slash = name.find('/'); slash != std::string::npos;
       slash = name.find('/', slash + 1)) {
    TWINSET_TRY(files.make_directory(root + "/" + name.substr(0, slash)));
  }
  return {};
}

/// The path of `name` below `root`, where now nothing stands.
Result<std::string> make_place(FileSystem& files, const std::string& root,
                               const std::string& name) {
  std::string path = root + "/" + name;
  TWINSET_TRY(make_folders(files, root, name));
  TWINSET_ASSIGN(FileStatus status, files.status(path));
  if (status.kind != FileStatus::Kind::missing) TWINSET_TRY(files.remove_file(path));
  return path;
}

/// A sequence of members of clusters, and their part of clusters.jsonl.zst.
struct ClusterTask {
  std::vector<ClusterLink> links;
  std::uint64_t before = 0;  ///< representative of the link before the first
  bool first = false;        ///< of all tasks
  std::string text;
};

}  // namespace

Result<std::unique_ptr<ByteSink>> create_output(FileSystem& files, const std::string& root,
                                                const std::string& name, Compression compression,
                                                unsigned threads, bool own_members,
                                                unsigned level) {
  TWINSET_ASSIGN(const std::string path, make_place(files, root, name));
  return create_bytes(files, path, compression, threads, own_members, level);
}

Result<std::unique_ptr<ByteSink>> create_input_output(const RunContext& context, const Input& input,
                                                      const std::string& root,
                                                      const std::string& folder) {
  FileSystem& files = *context.files;
  const std::string name = folder + input.name;
  const RowFormat* const rows = row_format(input);
  if (rows == nullptr) {
    TWINSET_ASSIGN(std::unique_ptr<ByteSink> sink,
                   create_output(files, root, name, input.compression, context.threads,
                                 has_own_members(input), context.level));
    const auto wrap = find_format(input.format)->wrap;
    return wrap == nullptr ? std::move(sink) : wrap(std::move(sink));
  }
  TWINSET_ASSIGN(const std::string path, make_place(files, root, name));
  return rows->copy(context, input.path, path);
}

Result<std::vector<OutputFile>> files_below(FileSystem& files, const std::string& folder) {
  std::vector<OutputFile> found;
  std::vector<std::string> prefixes{""};  // of folders still to be listed
  while (!prefixes.empty()) {
    const std::string prefix = std::move(prefixes.back());
    prefixes.pop_back();
    TWINSET_ASSIGN(std::vector<std::string> names, files.list(folder + "/" + prefix));
    for (const std::string& name : names) {
      TWINSET_ASSIGN(FileStatus status, files.status(folder + "/" + prefix + name));
      if (status.kind == FileStatus::Kind::directory) {
        prefixes.push_back(prefix + name + "/");
      } else {
        found.push_back({prefix + name, status.size});
      }
    }
  }
  std::sort(found.begin(), found.end(),
            [](const OutputFile& a, const OutputFile& b) { return a.name < b.name; });
  return found;
}

std::string facts_path(const std::string& page) {
  const std::size_t extension = page.ends_with(".html") ? 5 : 0;
  return page.substr(0, page.size() - extension) + ".json";
}

Status write_report(FileSystem& files, const ReportFiles& report, const std::string& page) {
  TWINSET_TRY(write_file_atomically(files, facts_path(page), report.json));
  return write_file_atomically(files, page, report.page);
}

Status check_missing(FileSystem& files, const std::string& option, const std::string& path) {
  TWINSET_ASSIGN(const FileStatus there, files.status(path));
  if (there.kind == FileStatus::Kind::missing) return {};
  return usage_error(twinset::option(option, path) + " exists; twinset overwrites nothing");
}

Status check_name_of(const std::string& path) {
  // With the ".partial" that it has until the end.
  constexpr std::size_t most_name_bytes = 255 - 8;
  if (std::filesystem::path(path).filename().string().size() <= most_name_bytes) return {};
  return usage_error("cannot make " + path + ": its name is longer than the " +
                     std::to_string(most_name_bytes) + " bytes that an output's may have");
}

Status check_folder_of(FileSystem& files, const std::string& path) {
  TWINSET_TRY(check_name_of(path));
  std::error_code failed;
  const std::string folder = std::filesystem::absolute(path, failed).parent_path().string();
  TWINSET_ASSIGN(const FileStatus parent, files.status(folder));
  if (parent.kind == FileStatus::Kind::directory) return {};
  return io_error("cannot make " + path + ": there is no folder " + folder);
}

Status check_new_file(FileSystem& files, const std::string& option, const std::string& path) {
  TWINSET_TRY(check_missing(files, option, path));
  return check_folder_of(files, path);
}

Result<std::unique_ptr<WholeFile>> WholeFile::create(FileSystem& files, const std::string& option,
                                                     const std::string& path) {
  TWINSET_TRY(check_new_file(files, option, path));
  std::unique_ptr<WholeFile> file(new WholeFile(files, path));
  TWINSET_ASSIGN(const FileStatus left_over, files.status(file->partial()));
  if (left_over.kind == FileStatus::Kind::regular) {
    TWINSET_TRY(files.remove_file(file->partial()));  // Of a killed run.
  }
  const Compression compression = path.ends_with(".zst") ? Compression::zstd : Compression::none;
  TWINSET_ASSIGN(file->sink_, create_bytes(files, file->partial(), compression));
  return file;
}

WholeFile::~WholeFile() {
  if (published_ || sink_ == nullptr) return;
  sink_.reset();
  clean_up([&] { return files_.remove_file(partial()); });
}

Status WholeFile::publish() {
  TWINSET_TRY(sink_->finish());
  TWINSET_ASSIGN(std::unique_ptr<File> written, files_.open(partial(), OpenMode::append));
  TWINSET_TRY(written->sync());
  TWINSET_TRY(files_.rename(partial(), path_));
  published_ = true;
  return {};
}

Status RecordStream::write(std::string_view records) {
  if (records.empty()) return {};
  if (!line_ended_) TWINSET_TRY(sink_.write("\n"));
  line_ended_ = records.back() == '\n';
  return sink_.write(records);
}

Status LineFile::added() {
  if (buffer_.size() < line_buffer_bytes) return {};
  return flush();
}

Status LineFile::finish() {
  TWINSET_TRY(flush());
  return sink_->finish();
}

Status LineFile::flush() {
  TWINSET_TRY(sink_->write(buffer_));
  buffer_.clear();
  return {};
}

Status write_cluster_lines(
    const RunContext& context, LineFile& lines,
    const std::function<Result<bool>(ClusterLink&)>& take,
    const std::function<Status(unsigned worker, std::uint64_t index, std::string& json)>& name) {
  std::uint64_t before = 0;
  bool any = false;
  OrderedSteps<ClusterTask> steps;
  steps.take = [&](ClusterTask& task, TaskPlace place) -> Result<bool> {
    TWINSET_TRY(context.check_cancelled());
    task.links.clear();
    task.first = place.number == 0;
    task.before = before;
    while (task.links.size() < cluster_task_links) {
      ClusterLink link;
      TWINSET_ASSIGN(const bool more, take(link));
      if (!more) break;
      task.links.push_back(link);
      before = link.representative;
    }
    any = any || !task.links.empty();
    return !task.links.empty();
  };
  steps.work = [&](unsigned worker, ClusterTask& task) -> Status {
    std::string id;
    task.text.clear();
    std::uint64_t open = task.before;
    bool none_open = task.first;
    for (const ClusterLink& link : task.links) {
      if (!none_open && link.representative == open) {
        task.text += ", ";
      } else {
        if (!none_open) task.text += "]}\n";
        TWINSET_TRY(name(worker, link.representative, id));
        task.text += R"({"representative": )" + id + R"(, "members": [)";
      }
      none_open = false;
      open = link.representative;
      TWINSET_TRY(name(worker, link.member, id));
      task.text += id;
    }
    return {};
  };
  steps.put = [&](ClusterTask& task) -> Status {
    lines.buffer() += task.text;
    return lines.added();
  };
  TWINSET_TRY(run_in_order(context.threads, steps));
  if (any) lines.buffer() += "]}\n";
  return lines.finish();
}

}  // namespace twinset
