#include "judge/judged_file.h"

#include <algorithm>

#include "base/message.h"
#include "io/field_json.h"
#include "io/json.h"
#include "judge/judge_fields.h"
#include "look/asked_record.h"
#include "run/stage_clock.h"
#include "system/clean_up.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::uint64_t most_judged_file_bytes = std::uint64_t{1} << 30;

Result<JudgedHeader> read_header(std::string_view line, const std::string& path) {
  const std::string place = visible_name(path) + ":1";
  const Result<JsonNode> read = read_json(line, place);
  if (!read.ok() || !read.value()["judged"]) {
    return usage_error(visible_name(path) + " is no judged file: its first line is no header of " +
                       verb("judge"));
  }
  const JsonNode& node = read.value();
  if (node["judged"].integer() != judged_version) {
    return usage_error(visible_name(path) + " is a judged file of another version of twinset");
  }
  JudgedHeader header;
  const std::string of = node["of"].text();
  header.kind = of == judged_name(Judged::labels, true) ? Judged::labels : Judged::pairs;
  if (!of.empty() && of != judged_name(header.kind, true)) {
    return usage_error(visible_name(path) + " has verdicts on " + visible_name(of) +
                       ", which this version does not know");
  }
  TWINSET_TRY(read_fields(line, place, node, fields_of(header)));
  return header;
}

Result<GivenVerdict> read_verdict(std::string_view line, const JudgedHeader& header,
                                  const std::string& place) {
  TWINSET_ASSIGN(const JsonNode node, read_json(line, place));
  GivenVerdict verdict;
  const auto name = [&](const char* letter) { return read_place(node[letter], "").document; };
  verdict.identity = identity_of(name("a"), name("b"));
  verdict.value = node["value"].raw();
  verdict.judge = node["judge"].text();
  const std::string category = node["verdict"].text();
  const std::optional<std::size_t> found = header.categories.find(category);
  if (node["a"].kind() != JsonKind::object || node["b"].kind() != JsonKind::object ||
      verdict.judge.empty() || category.empty() || !node["value"]) {
    return io_error(place + " is no verdict: {\"a\", \"b\", \"value\", \"verdict\", \"judge\"}");
  }
  if (!found.has_value()) {
    return io_error(place + " has the verdict '" + visible_name(category) +
                    "', and the header has " + header.categories.text());
  }
  const std::optional<std::string> of = class_of(verdict.value, header.by);
  if (!of.has_value() ||
      std::ranges::find(header.classes, *of, &SampleClass::name) == header.classes.end()) {
    return io_error(place + " has the value " + visible_name(verdict.value) +
                    ", which is in no class of the header");
  }
  verdict.category = *found;
  return verdict;
}

/// "--seed was 1 and is 2"
void add_difference(std::string& out, std::string_view option, const std::string& was,
                    const std::string& is) {
  if (was == is) return;
  const auto shown = [](const std::string& value) { return value.empty() ? "not given" : value; };
  out += (out.empty() ? "" : ", ") + twinset::option(option) + " was " + shown(was) + " and is " +
         shown(is);
}

}  // namespace

const char* judged_name(Judged kind, bool several) {
  if (kind == Judged::labels) return several ? "labels" : "label";
  return several ? "pairs" : "pair";
}

std::string JudgedHeader::line() const {
  JudgedHeader header = *this;
  return fields_json(fields_of(header)) + "\n";
}

Status JudgedHeader::check_same(const JudgedHeader& other, const std::string& path) const {
  std::string differs;
  add_difference(differs, "by", std::string(by_name(by)), std::string(by_name(other.by)));
  add_difference(differs, "sample", std::to_string(sample), std::to_string(other.sample));
  add_difference(differs, "seed", std::to_string(seed), std::to_string(other.seed));
  add_difference(differs, "categories", categories.text(), other.categories.text());
  if (differs.empty() && fingerprint != other.fingerprint) {
    differs = std::string("its ") + judged_name(kind, true) + " were of " + visible_name(source) +
              ", and " + visible_name(other.source) + " has other " + judged_name(other.kind, true);
  }
  if (differs.empty()) return {};
  return usage_error(visible_name(path) + " is of another sample: " + differs +
                     "; repeat its options, or choose another " + option("output"));
}

Result<JudgedContent> parse_judged(std::string_view text, const std::string& path) {
  JudgedContent out;
  std::uint64_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::string_view line = text.substr(at, end == std::string_view::npos ? end : end - at);
    if (end == std::string_view::npos && number > 0) {
      out.cut_bytes = line.size();
      break;
    }
    if (++number == 1) {
      TWINSET_ASSIGN(out.header, read_header(line, path));
      if (end == std::string_view::npos) return io_error(visible_name(path) + ":1 has no end");
    } else {
      TWINSET_ASSIGN(
          GivenVerdict verdict,
          read_verdict(line, out.header, visible_name(path) + ":" + std::to_string(number)));
      out.verdicts.push_back(std::move(verdict));
    }
    at = end + 1;
    out.whole_bytes = at;
  }
  if (number == 0) return usage_error(visible_name(path) + " is empty, so it is no judged file");
  return out;
}

Result<JudgedContent> read_judged(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(const FileStatus status, files.status(path));
  if (status.kind == FileStatus::Kind::missing) {
    return usage_error("there is no judged file " + visible_name(path));
  }
  if (status.kind != FileStatus::Kind::regular) {
    return usage_error(visible_name(path) + " is no judged file: it is no regular file");
  }
  TWINSET_ASSIGN(const std::string text, read_whole_file(files, path, most_judged_file_bytes));
  return parse_judged(text, path);
}

std::string verdict_line(std::string_view names, std::string_view value, std::string_view verdict,
                         std::string_view judge) {
  std::string out =
      "{" + std::string(names) + ", \"value\": " + std::string(value) + ", \"verdict\": ";
  append_json_string(out, verdict);
  out += ", \"judge\": ";
  append_json_string(out, judge);
  return out;
}

Result<std::unique_ptr<JudgedFile>> JudgedFile::open(FileSystem& files, const std::string& path,
                                                     const JudgedHeader& header) {
  std::unique_ptr<JudgedFile> out(new JudgedFile(files, path));
  TWINSET_ASSIGN(FileStatus status, files.status(path));
  if (status.kind == FileStatus::Kind::missing) {
    TWINSET_TRY(make_directories(files, parent_of(path)));
  } else {
    // Before a lock is made beside a file that is not ours.
    TWINSET_TRY(read_judged(files, path));
  }
  std::string holder;
  TWINSET_ASSIGN(out->lock_, files.lock(path + ".lock", "twinset judge\n", holder));
  if (out->lock_ == nullptr) {
    return usage_error(visible_name(path) + " is being judged by another " + verb("judge"));
  }
  TWINSET_ASSIGN(status, files.status(path));
  if (status.kind == FileStatus::Kind::missing) {
    TWINSET_TRY(write_file_atomically(files, path, header.line()));
  }
  TWINSET_ASSIGN(out->content_, read_judged(files, path));
  TWINSET_TRY(out->content_.header.check_same(header, path));
  TWINSET_ASSIGN(out->file_, files.open(path, OpenMode::append));
  if (out->content_.cut_bytes > 0) {
    TWINSET_TRY(out->file_->truncate(out->content_.whole_bytes));
    TWINSET_TRY(out->file_->sync());
  }
  return out;
}

JudgedFile::~JudgedFile() {
  if (lock_ != nullptr) clean_up([&] { return files_.remove_file(path_ + ".lock"); });
}

Status JudgedFile::add(const NewVerdict& verdict) {
  const JudgedHeader& header = content_.header;
  const std::string value = value_json(verdict.pair->value, header.by);
  std::string line = verdict_line(verdict.pair->names_json(), value,
                                  header.categories.names()[verdict.category], verdict.judge);
  line += ", \"at\": \"" + utc_now() + "\"}\n";
  Status written = file_->append(line);
  if (written.ok()) written = file_->sync();
  if (!written.ok()) {
    [[maybe_unused]] const Status cut = file_->truncate(content_.whole_bytes);
    return written;
  }
  content_.whole_bytes += line.size();
  content_.verdicts.push_back({verdict.pair->identity(), value, verdict.category, verdict.judge});
  return {};
}

}  // namespace twinset
