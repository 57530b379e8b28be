#include "run/shard.h"

#include <algorithm>

#include "base/message.h"
#include "base/number_pair.h"
#include "io/bytes.h"
#include "run/output_paths.h"
#include "run/stored_rows.h"

namespace twinset {
namespace {

constexpr std::string_view state_file = "/shard.state";
constexpr std::uint64_t most_state_bytes = std::uint64_t{1} << 30;
constexpr std::uint64_t most_shards = 1'000'000;

/// The part of an identity that is the command's, up to its slash.
std::string_view command_of(std::string_view identity) {
  return identity.substr(0, identity.find('/'));
}

Error no_shard(FileSystem& files, std::string folder) {
  constexpr std::string_view ending = ".partial";
  const bool is_work = folder.ends_with(ending);
  const Result<FileStatus> work = files.status(is_work ? folder : folder + std::string(ending));
  if (work.ok() && work.value().kind == FileStatus::Kind::directory) {
    if (is_work) folder.resize(folder.size() - ending.size());
    return usage_error(folder + " is not finished: run its command again, it continues");
  }
  return usage_error(folder + " is no shard: a run with " + option("shard") +
                     " leaves a folder with a file shard.state");
}

}  // namespace

Result<std::optional<Shard>> read_shard(const std::string& text) {
  if (text.empty()) return std::optional<Shard>();
  if (const auto read = number_pair(text, '/'); read.has_value()) {
    const Shard shard{read->first, read->second};
    if (shard.number >= 1 && shard.number <= shard.count && shard.count <= most_shards) {
      return std::optional(shard);
    }
  }
  return usage_error(option("shard", text) +
                     " is no share: 3/8 is the third of eight, and at most " +
                     std::to_string(most_shards) + " are made");
}

SourceRange sources_of(const Shard& shard, std::span<const Source> sources) {
  // An empty file has a weight, too: else a thousand of them are all in one shard.
  const auto weight = [](const Source& source) {
    return static_cast<double>(source.stored_bytes + 1);
  };
  double total = 0;
  for (const Source& source : sources) total += weight(source);
  const auto count = static_cast<double>(shard.count);
  const auto begin_of = [&](std::uint64_t number) {
    double before = 0;
    std::uint64_t at = 0;
    for (; at < sources.size(); ++at) {
      const double middle = before + weight(sources[at]) / 2;
      if (middle * count >= static_cast<double>(number - 1) * total) break;
      before += weight(sources[at]);
    }
    return at;
  };
  if (shard.number == shard.count) return {begin_of(shard.number), sources.size()};
  return {begin_of(shard.number), begin_of(shard.number + 1)};
}

Result<ShardFolder> ShardFolder::open(FileSystem& files, const std::string& folder) {
  ShardFolder read;
  read.folder_ = folder_path(std::string(folder));
  const std::string path = read.folder_ + std::string(state_file);
  TWINSET_ASSIGN(const FileStatus there, files.status(path));
  if (there.kind == FileStatus::Kind::missing) return no_shard(files, read.folder_);
  TWINSET_ASSIGN(const std::string bytes, read_whole_file(files, path, most_state_bytes));
  if (!StateFile::decode(bytes, read.state_)) {
    return io_error(path + " is damaged; remove " + read.folder_ + " and run this shard again");
  }
  read.shard_ = {read.state_.number("shard.number"), read.state_.number("shard.count")};
  return read;
}

Status ShardFolder::write(FileSystem& files, const std::string& out, const Shard& shard,
                          const std::string& run_identity, StateFile state) {
  state.set("shard.number", shard.number);
  state.set("shard.count", shard.count);
  state.set("run.identity", run_identity);
  return write_file_atomically(files, out + std::string(state_file), state.encode());
}

std::vector<PartLength> ShardFolder::parts(const std::string& name) const {
  std::vector<PartLength> parts = noted_parts(state_, name);
  for (PartLength& part : parts) part.path = path(part.path.substr(part.path.rfind('/') + 1));
  return parts;
}

Error ShardFolder::explained(Error error) const {
  if (error.code != ErrorCode::io || error.message.find(folder_ + "/") == std::string::npos) {
    return error;
  }
  // What comes behind is the remedy for a file of the run itself.
  error.message.resize(std::min(error.message.find(';'), error.message.size()));
  error.message += "; remove " + folder_ + " and make this shard again";
  return error;
}

Status order_shards(const std::string& identity, std::vector<ShardFolder>& shards) {
  for (const ShardFolder& shard : shards) {
    const std::string other = shard.run_identity();
    if (other == identity) continue;
    if (command_of(other) == command_of(identity)) {
      return usage_error("inputs have changed since " + shard.folder() +
                         " was made; run its command again into another folder");
    }
    return usage_error(shard.folder() + " is a shard of another command, or of another version");
  }
  std::ranges::stable_sort(shards, {}, [](const ShardFolder& each) { return each.shard().number; });
  const std::uint64_t count = shards.front().shard().count;
  std::uint64_t next = 1;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const Shard& shard = shards[i].shard();
    if (shard.count != count) {
      return usage_error(shards[i].folder() + " is shard " + shard.text() + ", and " +
                         shards.front().folder() + " is " + shards.front().shard().text() +
                         ": they are of two divisions");
    }
    if (shard.number < next) {
      return usage_error(shards[i - 1].folder() + " and " + shards[i].folder() +
                         " are both shard " + shard.text() + "; leave one of them out");
    }
    if (shard.number > next) break;
    ++next;
  }
  if (next > count) return {};
  return usage_error("shard " + Shard{next, count}.text() + " is missing; give its folder, too");
}

}  // namespace twinset
