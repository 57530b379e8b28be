// A line counts if it ends and says what it must. Those that do not are counted: of a file that is
// none of these a reader gets one sentence, not a million.
#include "look/decisions_file.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>

#include "io/field_json.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_decisions_bytes = std::uint64_t{1} << 30;

/// By what a later line is about the same record.
std::string key_of(const RecordDecision& decision) {
  if (decision.name.file.empty()) return decision.record;
  return decision.name.file + ":" + std::to_string(decision.name.record);
}

}  // namespace

Result<RecordDecisions> DecisionsFile::read() const {
  RecordDecisions out;
  TWINSET_ASSIGN(const FileStatus status, files_.status(path_));
  if (status.kind == FileStatus::Kind::missing) return out;
  TWINSET_ASSIGN(const std::string text, read_whole_file(files_, path_, most_decisions_bytes));
  std::map<std::string, std::size_t> places;
  FieldLine<RecordDecision> line;
  std::uint64_t number = 0;
  std::uint64_t bad = 0;
  std::string why;
  const auto leave_out = [&](std::string reason) {
    if (++bad == 1) why = std::move(reason);
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::string what = visible_name(path_) + ":" + std::to_string(++number);
    if (text[at] == '\n') {
      ++at;
      continue;
    }
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) {
      leave_out(what + " ends early");
      break;
    }
    const std::string_view raw(text.data() + at, end - at);
    at = end + 1;
    *line = RecordDecision();
    const Status read = line.read(raw, what);
    if (!read.ok() || line->record.empty()) {
      leave_out(read.ok() ? what + " names no record" : read.error().text());
      continue;
    }
    const auto [place, is_new] = places.try_emplace(key_of(*line), out.decisions.size());
    if (is_new) {
      out.decisions.push_back(*line);
    } else {
      out.decisions[place->second] = *line;
    }
  }
  std::erase_if(out.decisions,
                [](const RecordDecision& one) { return one.decision == Decided::none; });
  if (bad > 0) {
    out.notes.push_back(format_count(bad, "line", "lines") + " of " + visible_name(path_) +
                        (bad == 1 ? " is no decision" : " are no decisions") +
                        " and left out: " + why);
  }
  return out;
}

Status DecisionsFile::append(std::span<const RecordDecision> decisions) const {
  if (decisions.empty()) return {};
  std::string holder;
  // The file of the lock stays: another program may hold the one that would be removed.
  TWINSET_ASSIGN(const std::unique_ptr<FileLock> lock,
                 files_.lock(path_ + ".lock", "twinset\n", holder));
  if (lock == nullptr) {
    return io_error("another program is writing " + visible_name(path_) + "; try again");
  }
  TWINSET_ASSIGN(const FileStatus before, files_.status(path_));
  TWINSET_ASSIGN(std::unique_ptr<File> file, files_.open(path_, OpenMode::append));
  TWINSET_ASSIGN(const std::uint64_t size, file->size());
  std::string bytes;
  char last = '\n';
  if (size > 0) TWINSET_TRY(file->read_at(size - 1, &last, 1));
  if (last != '\n') bytes += '\n';
  FieldLine<RecordDecision> line;
  for (const RecordDecision& one : decisions) {
    *line = one;
    line.append(bytes);
  }
  TWINSET_TRY(file->append(bytes));
  TWINSET_TRY(file->sync());
  if (before.kind != FileStatus::Kind::missing) return {};
  return files_.sync_directory(parent_of(path_));
}

std::string to_json(const RecordDecisions& decisions) {
  return fields_json(fields_of(to_write(decisions)));
}

}  // namespace twinset
