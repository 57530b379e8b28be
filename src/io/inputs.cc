// Three steps: each argument to the files it stands for, each file to what it
// holds, and all of them to their names below a common parent. Nothing here
// recurses, and nothing depends on the order in which a folder lists itself.
//
// This file's interface is io/inputs.h; the rest is private.
#include "io/inputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "io/bytes.h"
#include "io/glob.h"
#include "io/json_scan.h"

namespace twinset {
namespace {

constexpr std::string_view standard_input_name = "stdin.jsonl";
constexpr std::string_view lines_format = "jsonl";
constexpr std::size_t copy_bytes = std::size_t{1} << 20;
/// How much of a file may be looked at to tell what it is.
constexpr std::size_t peek_bytes = std::size_t{1} << 20;

bool ends_with(std::string_view name, std::string_view ending) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return name.size() >= ending.size() &&
         std::equal(name.end() - static_cast<std::ptrdiff_t>(ending.size()), name.end(),
                    ending.begin(), same);
}

/// Takes `.gz` or `.zst` off `name`.
Compression strip_compression(std::string_view& name) {
  constexpr std::array endings{std::pair{std::string_view(".gz"), Compression::gzip},
                               std::pair{std::string_view(".zst"), Compression::zstd}};
  for (const auto& [ending, compression] : endings) {
    if (!ends_with(name, ending)) continue;
    name.remove_suffix(ending.size());
    return compression;
  }
  return Compression::none;
}

/// The format whose extension `name` has; empty if none.
std::string_view format_by_extension(std::string_view name) {
  for (const FormatEntry* format : formats()) {
    for (std::string_view extension : format->declaration->extensions) {
      if (ends_with(name, extension)) return format->declaration->name;
    }
  }
  return {};
}

/// Up to peek_bytes of a file, decoded; what does not decode is not there.
Result<std::string> peek(FileSystem& files, const std::string& path, Compression compression) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(files, path, compression, {});
  if (!source.ok()) return source.error();
  std::string bytes(peek_bytes, '\0');
  std::size_t used = 0;
  while (used < bytes.size()) {
    const Result<std::size_t> got = source.value()->read(bytes.data() + used, bytes.size() - used);
    if (!got.ok()) return got.error();
    if (got.value() == 0) break;
    used += got.value();
  }
  bytes.resize(used);
  return bytes;
}

std::string_view without_space(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const char* const end = text.data() + text.size();
  const char* const begin = skip_json_space(text.data(), end);
  return {begin, static_cast<std::size_t>(end - begin)};
}

bool begins_like_object(std::string_view bytes) { return without_space(bytes).starts_with('{'); }

/// Is the first line that is not blank a whole object, so that it looks like JSON
/// Lines and not like one document printed over many lines?
bool first_line_is_object(std::string_view bytes) {
  const std::string_view text = without_space(bytes);
  if (!text.starts_with('{')) return false;
  const std::size_t line_end = text.find('\n');
  if (line_end == std::string_view::npos && bytes.size() >= peek_bytes) return true;
  const std::string_view line = text.substr(0, line_end);
  JsonFault fault;
  const JsonValue value =
      scan_json_value(line.data(), line.data() + line.size(), max_json_depth, fault);
  return value.kind == JsonKind::object && without_space(line.substr(value.raw.size())).empty();
}

/// The parts of an absolute, normalized path.
std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (const std::filesystem::path& part : std::filesystem::path(path)) {
    if (!part.empty()) parts.push_back(part.native());
  }
  return parts;
}

std::string normalized(const std::string& path) {
  std::error_code failure;
  std::filesystem::path absolute = std::filesystem::absolute(path.empty() ? "." : path, failure);
  if (failure) absolute = path;
  std::string normal = absolute.lexically_normal().native();
  while (normal.size() > 1 && normal.back() == '/') normal.pop_back();
  return normal;
}

std::string parent_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().native();
}

class Expansion {
 public:
  Expansion(FileSystem& files, const InputOptions& options) : files_(files), options_(options) {}

  Result<InputList> run() {
    if (!options_.format.empty()) {
      TWINSET_TRY(check_format());
    }
    for (const std::string& argument : options_.references) {
      TWINSET_TRY(expand(argument, true));
    }
    for (const std::string& argument : options_.inputs) {
      TWINSET_TRY(expand(argument, false));
    }
    const bool any = std::any_of(list_.inputs.begin(), list_.inputs.end(),
                                 [](const Input& input) { return !input.reference; });
    if (!any) {
      std::string message = "no input files";
      for (const std::string& argument : options_.inputs) message += " in " + argument;
      return usage_error(std::move(message));
    }
    name_all();
    TWINSET_TRY(check_twice());
    return std::move(list_);
  }

 private:
  Status check_format() const {
    if (find_format(options_.format) != nullptr) return {};
    std::string known;
    for (const FormatEntry* format : formats()) {
      if (!known.empty()) known += ", ";
      known += format->declaration->name;
    }
    return usage_error("no format \"" + options_.format + "\"; there are " + known);
  }

  /// JSON Lines are read as such unless a format is forced; one of pages tells
  /// what their texts are.
  /// Does a file without a known extension begin with a record? Of pages more is asked:
  /// templates begin with "{" too.
  bool lines_in(std::string_view bytes) const {
    return options_.format.empty() ? begins_like_object(bytes) : first_line_is_object(bytes);
  }

  bool keeps_lines() const { return options_.format.empty() || forced_markup() != Markup::none; }

  Markup forced_markup() const {
    return options_.format.empty() ? Markup::none
                                   : find_format(options_.format)->declaration->markup;
  }

  // ---- One argument ----

  Status expand(const std::string& argument, bool reference) {
    reference_ = reference;
    const Status done = argument == "-" ? spool_standard_input() : expand_path(argument);
    ++argument_;
    return done;
  }

  Status expand_path(const std::string& argument) {
    const Result<FileStatus> status = files_.status(argument);
    if (!status.ok()) return status.error();
    if (status.value().kind != FileStatus::Kind::missing) {
      return add_named(argument, status.value());
    }
    if (!is_glob(argument)) return usage_error("no such file: " + argument);
    const Result<std::vector<std::string>> matches = expand_glob(files_, argument);
    if (!matches.ok()) return matches.error();
    if (matches.value().empty()) return usage_error("no file matches " + argument);
    for (const std::string& match : matches.value()) {
      const Result<FileStatus> found = files_.status(match);
      if (!found.ok()) return found.error();
      if (found.value().kind == FileStatus::Kind::missing) {
        skip(match, "a link to nothing");
        continue;
      }
      const auto same = named_.find({found.value().device, found.value().inode});
      if (same != named_.end() && found.value().kind == FileStatus::Kind::regular) {
        skip(match, "the same file as " + same->second);
        continue;
      }
      TWINSET_TRY(add_named(match, found.value()));
    }
    return {};
  }

  /// A file or folder that stands on the command line, or matches a glob there.
  Status add_named(const std::string& path, const FileStatus& status) {
    switch (status.kind) {
      case FileStatus::Kind::directory:
        return walk(path);
      case FileStatus::Kind::regular:
        break;
      default:
        return usage_error(path + " is neither a file nor a folder; pipe it in and name it -");
    }
    const auto [first, fresh] = named_.emplace(std::pair(status.device, status.inode), path);
    if (!fresh) {
      return usage_error(first->second + " and " + path + " are one file; name it once");
    }
    std::string_view name = path;
    const Compression compression = strip_compression(name);
    std::string_view format = format_by_extension(name);
    if (format.empty() && keeps_lines()) {
      const Result<std::string> bytes = peek(files_, path, compression);
      if (!bytes.ok()) return bytes.error();
      format = lines_in(bytes.value()) ? lines_format : "text";
    }
    add(path, status, format, compression);
    if (!reference_) parents_.push_back(normalized(parent_of(path)));
    return {};
  }

  Status walk(const std::string& root) {
    if (!reference_) parents_.push_back(normalized(root));
    std::set<std::pair<std::uint64_t, std::uint64_t>> walked;
    std::vector<std::string> pending{root};
    while (!pending.empty()) {
      const std::string path = std::move(pending.back());
      pending.pop_back();
      const Result<FileStatus> status = files_.status(path);
      if (!status.ok()) {
        skip(path, status.error().message);
        continue;
      }
      switch (status.value().kind) {
        case FileStatus::Kind::missing:
          skip(path, "vanished, or a link to nothing");
          break;
        case FileStatus::Kind::other:
          skip(path, "not a regular file");
          break;
        case FileStatus::Kind::regular:
          TWINSET_TRY(add_walked(path, status.value()));
          break;
        case FileStatus::Kind::directory: {
          if (!walked.emplace(status.value().device, status.value().inode).second) {
            skip(path, "a folder walked already, under another name");
            break;
          }
          const Result<std::vector<std::string>> names = files_.list(path);
          if (!names.ok()) {
            skip(path, names.error().message);
            break;
          }
          const std::string prefix = path.back() == '/' ? path : path + '/';
          for (auto name = names.value().rbegin(); name != names.value().rend(); ++name) {
            pending.push_back(prefix + *name);
          }
          break;
        }
      }
    }
    return {};
  }

  Status add_walked(const std::string& path, const FileStatus& status) {
    std::string_view name = path;
    const Compression compression = strip_compression(name);
    std::string_view format = format_by_extension(name);
    if (format.empty()) {
      format = "text";
      if (ends_with(name, ".json") && keeps_lines()) {
        const Result<std::string> bytes = peek(files_, path, compression);
        if (!bytes.ok()) {
          skip(path, bytes.error().message);
          return {};
        }
        if (first_line_is_object(bytes.value())) format = lines_format;
      }
    }
    add(path, status, format, compression);
    return {};
  }

  Status spool_standard_input() {
    if (standard_input_) return usage_error("- is named twice; standard input can be read once");
    standard_input_ = true;
    const Result<FileStatus> left_over = files_.status(options_.spool);
    if (!left_over.ok()) return left_over.error();
    if (left_over.value().kind != FileStatus::Kind::missing) {
      TWINSET_TRY(files_.remove_file(options_.spool));
    }
    Result<std::unique_ptr<File>> from = files_.open(standard_input_path, OpenMode::read);
    if (!from.ok()) return from.error();
    Result<std::unique_ptr<File>> to = files_.open(options_.spool, OpenMode::create);
    if (!to.ok()) return to.error();
    std::string buffer(copy_bytes, '\0');
    while (true) {
      const Result<std::size_t> got = from.value()->read(buffer.data(), buffer.size());
      if (!got.ok()) return got.error();
      if (got.value() == 0) break;
      TWINSET_TRY(to.value()->append(std::string_view(buffer).substr(0, got.value())));
    }
    TWINSET_TRY(to.value()->sync());
    const Result<FileStatus> status = files_.status(options_.spool);
    if (!status.ok()) return status.error();
    add(options_.spool, status.value(), lines_format, Compression::none);
    list_.inputs.back().shown = "-";
    list_.inputs.back().name = standard_input_name;
    return {};
  }

  void add(const std::string& path, const FileStatus& status, std::string_view format,
           Compression compression) {
    Input input;
    input.path = path;
    input.shown = path;
    const bool forced = !options_.format.empty() && !(keeps_lines() && format == lines_format);
    const FormatDeclaration& read_as =
        *find_format(forced ? std::string_view(options_.format) : format)->declaration;
    input.format = read_as.name;
    input.markup = options_.format.empty() ? read_as.markup : forced_markup();
    input.compression = compression;
    input.argument = argument_;
    input.reference = reference_;
    input.status = status;
    list_.inputs.push_back(std::move(input));
  }

  void skip(const std::string& path, const std::string& why) {
    list_.skipped.push_back(path + ": " + why);
  }

  // ---- All of them ----

  /// Inputs by their path below the common parent; references, of which nothing
  /// is written, as they were named.
  void name_all() {
    std::optional<std::vector<std::string>> common;
    for (const std::string& parent : parents_) {
      std::vector<std::string> parts = parts_of(parent);
      if (!common) {
        common = std::move(parts);
        continue;
      }
      const auto differs =
          std::mismatch(common->begin(), common->end(), parts.begin(), parts.end()).first;
      common->erase(differs, common->end());
    }
    const std::size_t depth = common ? common->size() : 0;
    for (Input& input : list_.inputs) {
      if (!input.name.empty()) continue;  // Standard input.
      if (input.reference) {
        input.name = input.shown;
        continue;
      }
      const std::vector<std::string> parts = parts_of(normalized(input.path));
      for (std::size_t i = depth; i < parts.size(); ++i) {
        if (!input.name.empty()) input.name += '/';
        input.name += parts[i];
      }
    }
  }

  /// Two inputs of one name would be written over one another; a file that came
  /// twice would lose all it has to itself.
  Status check_twice() const {
    std::map<std::string, const Input*> by_name;
    std::map<std::string, const Input*> by_path;
    for (const Input& input : list_.inputs) {
      const auto [same, fresh] = by_path.emplace(normalized(input.path), &input);
      if (!fresh) {
        return usage_error(same->second->shown + " and " + input.shown +
                           " are one file; name it once");
      }
      if (input.reference) continue;
      const auto [namesake, unique] = by_name.emplace(input.name, &input);
      if (!unique) {
        return usage_error(namesake->second->shown + " and " + input.shown +
                           " would both be written as " + input.name + "; rename one");
      }
    }
    return {};
  }

  FileSystem& files_;
  const InputOptions& options_;
  InputList list_;
  std::vector<std::string> parents_;  ///< of the inputs: folders named, and those of files named
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> named_;  ///< by device and inode
  std::uint32_t argument_ = 0;
  bool reference_ = false;
  bool standard_input_ = false;
};

}  // namespace

Result<InputList> expand_inputs(FileSystem& files, const InputOptions& options) {
  return Expansion(files, options).run();
}

}  // namespace twinset
