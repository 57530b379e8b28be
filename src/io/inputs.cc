// Three steps: expand each argument to files, look at the content of each file, and name all of
// them relative to a common parent. Nothing recurses, and nothing depends on the order in which a
// folder lists its entries.
//
// This file's interface is io/inputs.h; the rest is private.
#include "io/inputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/message.h"
#include "io/bytes.h"
#include "io/content.h"
#include "io/glob.h"
#include "io/line_reader.h"
#include "text/utf8.h"

namespace twinset {
namespace {

constexpr std::string_view standard_input_name = "stdin.jsonl";
constexpr std::string_view white_space = " \t\r\n";
constexpr std::size_t copy_bytes = std::size_t{1} << 20;
/// The number of skipped paths that are named if no input is left.
constexpr std::size_t named_skipped = 3;

/// Marks that programs leave beside data: of Spark, Hadoop and Delta, of archivers and of desktops.
constexpr std::array<std::string_view, 10> side_files{
    "_SUCCESS", "_temporary",      "_metadata", "_common_metadata", "_delta_log",
    "_logs",    "_spark_metadata", "__MACOSX",  "desktop.ini",      "Thumbs.db"};
constexpr std::array<std::string_view, 2> side_file_beginnings{"_committed_", "_started_"};
/// A Maildir has these folders: read mails, new ones, and those that are being written.
constexpr std::array<std::string_view, 3> maildir_folders{"cur", "new", "tmp"};
/// Parts of pages that are no text to read.
constexpr std::array<std::string_view, 4> page_part_extensions{".css", ".js", ".mjs", ".map"};

bool is_side_file(std::string_view name) {
  return std::ranges::find(side_files, name) != side_files.end() || name.ends_with(".crc") ||
         std::ranges::any_of(side_file_beginnings,
                             [&](std::string_view begin) { return name.starts_with(begin); });
}

/// A mirror keeps the query in the name: "style.css?v=3".
bool is_page_part(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::string_view base = name.substr(0, name.find('?'));
  return std::ranges::any_of(page_part_extensions,
                             [&](std::string_view ending) { return base.ends_with(ending); });
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
  return folder_path(absolute.lexically_normal().native());
}

std::string parent_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().native();
}

class Expansion {
 public:
  Expansion(FileSystem& files, const InputOptions& options) : files_(files), options_(options) {
    if (by_text_) options_.format.clear();
  }

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
    if (!options_.allow_lost && !list_.left_out.empty()) return would_be_lost();
    const bool any = std::any_of(list_.inputs.begin(), list_.inputs.end(),
                                 [](const Input& input) { return !input.reference; });
    if (!any) return no_inputs();
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
    known += ", " + std::string(format_by_text);
    return usage_error("no format \"" + options_.format + "\"; there are " + known);
  }

  const FormatDeclaration* forced() const {
    return options_.format.empty() ? nullptr : find_format(options_.format)->declaration;
  }

  // ---- Nothing to read, or not all of it ----

  Error no_inputs() const {
    std::string message = "no input files";
    for (const std::string& argument : options_.inputs) message += " in " + shown_path(argument);
    std::vector<std::string> reasons;
    for (const LeftOut& input : list_.left_out) reasons.push_back(input.shown + " " + input.fault);
    reasons.insert(reasons.end(), list_.skipped.begin(), list_.skipped.end());
    for (std::size_t i = 0; i < std::min(reasons.size(), named_skipped); ++i) {
      message += (i == 0 ? "; skipped " : ", ") + reasons[i];
    }
    if (reasons.size() > named_skipped) {
      message += " and " + std::to_string(reasons.size() - named_skipped) + " more";
    }
    return usage_error(std::move(message));
  }

  /// Names every input that would be lost.
  Error would_be_lost() const {
    const std::vector<LeftOut>& lost = list_.left_out;
    const bool refused = std::all_of(lost.begin(), lost.end(), [](const LeftOut& input) {
      return input.why == Unread::unreadable;
    });
    std::string message;
    if (!options_.collection) {
      message = lost[0].shown + " " + lost[0].fault;
      return {refused ? ErrorCode::io : ErrorCode::usage, std::move(message)};
    }
    if (lost.size() == 1) {
      message = lost[0].shown + " " + lost[0].fault + "\nnothing was read";
    } else {
      message = std::to_string(lost.size()) + " inputs would be lost:";
      for (const LeftOut& input : lost) message += "\n  " + input.shown + " " + input.fault;
      message += "\nnothing was read";
    }
    message += "; " + switch_on("allow_lost_inputs") + " leaves such inputs out";
    return {refused ? ErrorCode::io : ErrorCode::usage, std::move(message)};
  }

  // ---- One argument ----

  Status expand(const std::string& argument, bool reference) {
    reference_ = reference;
    const Status done = is_standard_input(argument) ? take_standard_input() : expand_path(argument);
    ++argument_;
    return done;
  }

  Status expand_path(const std::string& argument) {
    TWINSET_ASSIGN(const FileStatus status, files_.status(argument));
    if (status.kind != FileStatus::Kind::missing) {
      return add_named(argument, status);
    }
    if (!is_glob(argument)) return usage_error("no such file: " + argument);
    const Result<std::vector<std::string>> matches = expand_glob(files_, argument);
    if (!matches.ok()) return matches.error();
    if (matches.value().empty()) return usage_error("no file matches " + argument);
    for (const std::string& match : matches.value()) {
      TWINSET_ASSIGN(const FileStatus found, files_.status(match));
      if (found.kind == FileStatus::Kind::missing) {
        skip(match, "a link to nothing");
        continue;
      }
      if (found.kind == FileStatus::Kind::regular) {
        const auto named = named_.find({found.device, found.inode});
        const std::string* same =
            named != named_.end() ? &named->second : read_under_another_name(match, found);
        if (same != nullptr) {
          skip(match, "the same file as " + shown_path(*same));
          continue;
        }
      }
      TWINSET_TRY(add_named(match, found));
    }
    return {};
  }

  /// Adds a file or folder named on the command line or matched by a glob there.
  Status add_named(const std::string& path, const FileStatus& status) {
    switch (status.kind) {
      case FileStatus::Kind::directory:
        return walk(path);
      case FileStatus::Kind::regular:
        break;
      default:
        // A pipe of a shell, "<(zcat a.gz)".
        if (!options_.spool.empty() && !options_.collection) {
          InputStream stream;
          TWINSET_ASSIGN(stream.rest, files_.open(path, OpenMode::read));
          return spool(std::move(stream), shown_path(path));
        }
        return usage_error(path + " is neither a file nor a folder; pipe it in and name it -" +
                           (options_.inputs.size() > 1 ? ", or write it to a file" : ""));
    }
    const auto [first, fresh] = named_.emplace(std::pair(status.device, status.inode), path);
    if (!fresh) {
      return usage_error(first->second + " and " + path + " are one file; name it once");
    }
    if (const std::string* same = read_under_another_name(path, status); same != nullptr) {
      return usage_error(shown_path(*same) + " and " + shown_path(path) +
                         " are one file; name it once");
    }
    read_.emplace(FileKey{reference_, status.device, status.inode}, path);
    add_looked_at(path, status, false, look(path, false));
    if (!reference_) parents_.push_back(normalized(parent_of(path)));
    return {};
  }

  /// A file or folder found in a walk; not a link.
  struct Found {
    std::string path;
    FileStatus status;
  };

  /// Adds everything below `root`: first all that is there under its own name, then the targets of
  /// links; finally sorts by bytes.
  Status walk(const std::string& root) {
    if (!reference_) parents_.push_back(normalized(root));
    const auto skipped_before = static_cast<std::ptrdiff_t>(list_.skipped.size());
    std::vector<Found> found;
    std::vector<Found> links;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> folders;
    walk_folder(root, folders, found, links);
    // A link may lead to a folder with links of its own.
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Found link = links[i];
      if (link.status.kind == FileStatus::Kind::directory) {
        walk_folder(link.path, folders, found, links);
      } else {
        add_found(link, found);
      }
    }
    // The order of a walk that enters each folder at the place of its name.
    const auto before = [](const Found& a, const Found& b) {
      return std::lexicographical_compare(
          a.path.begin(), a.path.end(), b.path.begin(), b.path.end(), [](char x, char y) {
            const auto rank = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c); };
            return rank(x) < rank(y);
          });
    };
    std::sort(found.begin(), found.end(), before);
    // Last, what is hidden: a copy in .ipynb_checkpoints never outlives the file itself.
    std::stable_partition(found.begin(), found.end(), [&](const Found& file) {
      return file.path.find("/.", root.size() - 1) == std::string::npos;
    });
    std::sort(list_.skipped.begin() + skipped_before, list_.skipped.end());
    std::vector<FirstLook> looks;
    looks.reserve(found.size());
    for (const Found& file : found) looks.push_back(look(file.path, true));
    const bool pages = std::ranges::any_of(looks, [](const FirstLook& look) {
      return look.unread == Unread::none &&
             find_format(look.format)->declaration->markup != Markup::none &&
             find_format(look.format)->declaration->one_document;
    });
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (pages && forced() == nullptr && !options_.scripts && is_page_part(found[i].path)) {
        skip(found[i].path, "a style sheet or script beside pages; named by itself it is read");
      } else {
        add_looked_at(found[i].path, found[i].status, true, std::move(looks[i]));
      }
    }
    return {};
  }

  FirstLook look(const std::string& path, bool walked) {
    return look_at(
        files_, path,
        {options_.format, walked, false, options_.text, false, nullptr, is_maildir_mail(path)});
  }

  /// Has the folder those of a Maildir?
  bool is_maildir(const std::string& folder) {
    const auto [known, fresh] = maildirs_.emplace(folder, false);
    if (!fresh) return known->second;
    known->second = std::ranges::all_of(maildir_folders, [&](std::string_view name) {
      const Result<FileStatus> status =
          files_.status(folder_path(folder) + "/" + std::string(name));
      return status.ok() && status.value().kind == FileStatus::Kind::directory;
    });
    return known->second;
  }

  /// Does the file lie in `cur` or `new` of a Maildir?
  bool is_maildir_mail(const std::string& path) {
    const std::string folder = parent_of(path);
    const std::string_view name = std::string_view(folder).substr(folder.rfind('/') + 1);
    return (name == "cur" || name == "new") && is_maildir(parent_of(folder));
  }

  /// Why an entry of a Maildir's own folder is not read; empty if it is, or if it may be a folder
  /// of others. Maildir++ has folders of more mails there, under hidden names.
  std::string why_no_mail(const std::string& folder, const std::string& name) {
    const std::string path = folder_path(folder) + "/" + name;
    if (name == "tmp") return "mails that are still being delivered";
    if (name.starts_with('.') && is_maildir(path)) return {};
    const Result<FileStatus> status = files_.status(path);
    const bool file = status.ok() && status.value().kind == FileStatus::Kind::regular;
    return file ? "beside the mails of a Maildir" : why_hidden(name);
  }

  /// Why a file or folder of this name, found in a folder, is passed over; empty if it is not.
  std::string why_hidden(std::string_view name) const {
    if (options_.hidden) return {};
    const std::string unread = ", and not read without " + switch_on("hidden");
    if (name.starts_with('.')) return "hidden" + unread;
    return is_side_file(name) ? "a mark of a program" + unread : std::string();
  }

  /// Collects the files below `root`; links are only listed.
  void walk_folder(const std::string& root,
                   std::map<std::pair<std::uint64_t, std::uint64_t>, std::string>& folders,
                   std::vector<Found>& found, std::vector<Found>& links) {
    std::vector<std::string> pending{root};
    while (!pending.empty()) {
      const std::string path = std::move(pending.back());
      pending.pop_back();
      const Result<FileStatus> status = files_.status(path);
      if (!status.ok()) {
        skip(path, reason_in(status.error()));
        continue;
      }
      if (status.value().link && path != root &&
          (status.value().kind == FileStatus::Kind::directory ||
           status.value().kind == FileStatus::Kind::regular)) {
        links.push_back({path, status.value()});
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
          add_found({path, status.value()}, found);
          break;
        case FileStatus::Kind::directory: {
          const auto [first, fresh] =
              folders.emplace(std::pair(status.value().device, status.value().inode), path);
          if (!fresh) {
            skip(path, "the same folder was already read as " + shown_path(first->second));
            break;
          }
          const Result<std::vector<std::string>> names = files_.list(path);
          if (!names.ok()) {
            list_.left_out.push_back({shown_path(path), Unread::unreadable,
                                      "cannot be listed: " + reason_in(names.error())});
            break;
          }
          const std::string prefix = path.back() == '/' ? path : path + '/';
          const bool mails = is_maildir(path);
          for (auto name = names.value().rbegin(); name != names.value().rend(); ++name) {
            const std::string why = mails ? why_no_mail(path, *name) : why_hidden(*name);
            if (why.empty()) {
              pending.push_back(prefix + *name);
            } else {
              skip(prefix + *name, why);
            }
          }
          break;
        }
      }
    }
  }

  /// Adds a file unless it is read under another name.
  void add_found(const Found& file, std::vector<Found>& found) {
    if (const std::string* same = read_under_another_name(file.path, file.status);
        same != nullptr) {
      skip(file.path, "the same file as " + shown_path(*same));
      return;
    }
    read_.emplace(FileKey{reference_, file.status.device, file.status.inode}, file.path);
    found.push_back(file);
  }

  /// That name; null if there is none. The very same name twice is an error, found later.
  const std::string* read_under_another_name(const std::string& path,
                                             const FileStatus& status) const {
    const auto first = read_.find(FileKey{reference_, status.device, status.inode});
    const bool other = first != read_.end() && normalized(first->second) != normalized(path);
    return other ? &first->second : nullptr;
  }

  /// Adds an input, unless its first bytes say that it would be lost.
  void add_looked_at(const std::string& path, const FileStatus& status, bool walked,
                     FirstLook look) {
    if (look.unread == Unread::none) {
      list_.inputs.push_back(input_of(path, status, look));
      list_.inputs.back().walked = walked;
    } else if (walked && !look.records && look.unread != Unread::unreadable) {
      skip(path, look.fault);
    } else {
      list_.left_out.push_back({shown_path(path), look.unread, std::move(look.fault)});
    }
  }

  Status take_standard_input() {
    if (standard_input_) return usage_error("- is named twice; standard input can be read once");
    standard_input_ = true;
    if (options_.spool.empty()) {
      return usage_error("standard input can be read only once; write it to a file and name that");
    }
    InputStream stream;
    TWINSET_ASSIGN(stream.rest, files_.open(standard_input_path, OpenMode::read));
    if (options_.as_it_comes) {
      TWINSET_ASSIGN(const bool more, read_head(stream));
      if (more && may_be_lines(stream.head)) {
        const FirstLook look = look_at(
            files_, standard_input_path,
            {options_.format, false, options_.collection, options_.text, true, &stream.head});
        Input input = input_of(standard_input_path, FileStatus(), look);
        input.shown = "-";
        if (look.unread != Unread::none || find_format(input.format)->declaration->streams) {
          input.stream = std::make_shared<InputStream>(std::move(stream));
          add_standard_input(std::move(input), look);
          return {};
        }
      }
    }
    return spool(std::move(stream), "-");
  }

  /// Reads to the end of the first line that is not blank, or content_bytes; false at the end of
  /// the stream.
  static Result<bool> read_head(InputStream& stream) {
    std::size_t used = 0;
    stream.head.resize(content_bytes);
    while (used < content_bytes) {
      TWINSET_ASSIGN(const std::size_t got,
                     stream.rest->read(stream.head.data() + used, content_bytes - used));
      if (got == 0) {
        stream.head.resize(used);
        return false;
      }
      used += got;
      const std::string_view read = std::string_view(stream.head).substr(0, used);
      const std::size_t begin = read.find_first_not_of(white_space);
      if (begin != read.npos && read.find('\n', begin) != read.npos) break;
    }
    stream.head.resize(used);
    return true;
  }

  /// Packed bytes, tables, archives and pages are looked at whole.
  bool may_be_lines(std::string_view head) const {
    if (content_of(head).kind != Content::Kind::unknown || format_by_head(head) != nullptr) {
      return false;
    }
    head = line_of(head);
    const std::size_t begin = head.find_first_not_of(white_space);
    return forced() != nullptr || begin == head.npos || head[begin] != '<';
  }

  Status spool(InputStream stream, const std::string& shown) {
    TWINSET_ASSIGN(const FileStatus left_over, files_.status(options_.spool));
    if (left_over.kind != FileStatus::Kind::missing) {
      TWINSET_TRY(files_.remove_file(options_.spool));
    }
    TWINSET_ASSIGN(std::unique_ptr<File> to, files_.open(options_.spool, OpenMode::create));
    const std::unique_ptr<ByteSource> from =
        plain_bytes(std::move(stream.rest), std::move(stream.head));
    std::string buffer(copy_bytes, '\0');
    while (true) {
      TWINSET_ASSIGN(const std::size_t got, from->read(buffer.data(), buffer.size()));
      if (got == 0) break;
      TWINSET_TRY(to->append(std::string_view(buffer).substr(0, got)));
    }
    TWINSET_TRY(to->sync());
    TWINSET_ASSIGN(const FileStatus status, files_.status(options_.spool));
    const FirstLook look = look_at(
        files_, options_.spool, {options_.format, false, options_.collection, options_.text, true});
    Input input = input_of(options_.spool, status, look);
    input.shown = shown;
    add_standard_input(std::move(input), look);
    return {};
  }

  void add_standard_input(Input input, const FirstLook& look) {
    if (look.unread != Unread::none) {
      list_.left_out.push_back({input.shown, look.unread, look.fault});
      return;
    }
    static constexpr std::array<std::string_view, 3> packed{"", ".gz", ".zst"};
    const FormatDeclaration& read_as = *find_format(input.format)->declaration;
    const bool headed = find_format(input.format)->headed != nullptr;
    const bool known = (forced() == nullptr || headed) && !read_as.extensions.empty();
    input.name = known || !read_as.begins.empty()
                     ? "stdin" + std::string(read_as.extensions.front())
                     : std::string(standard_input_name);
    input.name += std::string(packed[static_cast<std::size_t>(input.compression)]);
    list_.inputs.push_back(std::move(input));
  }

  Input input_of(const std::string& path, const FileStatus& status, const FirstLook& look) const {
    Input input;
    input.path = path;
    input.shown = shown_path(path);
    const FormatDeclaration& read_as =
        keeps_format(forced(), look.format) ? *find_format(look.format)->declaration : *forced();
    input.format = read_as.name;
    input.markup = forced() == nullptr ? read_as.markup : forced()->markup;
    if (by_text_ && input.markup == Markup::none && !read_as.one_document) {
      input.markup = Markup::by_text;
    }
    input.compression = look.compression;
    input.guessed = look.guessed;
    input.header = look.header;
    input.window_bytes = look.window_bytes;
    input.argument = argument_;
    input.reference = reference_;
    input.status = status;
    return input;
  }

  void skip(const std::string& path, const std::string& why) {
    list_.skipped.push_back(shown_path(path) + ": " + why);
  }

  // ---- All of them ----

  /// Names inputs by their path below the common parent; references, which are not written, stay as
  /// the user named them.
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

  /// Two inputs of one name would overwrite one another; all documents of a file given twice would
  /// be copies.
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
  InputOptions options_;
  const bool by_text_ = options_.format == format_by_text;
  InputList list_;
  std::vector<std::string> parents_;  ///< of the inputs: named folders, and parents of named files
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> named_;  ///< by device and inode
  using FileKey = std::tuple<bool, std::uint64_t, std::uint64_t>;
  std::map<FileKey, std::string> read_;   ///< all files, references apart
  std::map<std::string, bool> maildirs_;  ///< folders that were asked about
  std::uint32_t argument_ = 0;
  bool reference_ = false;
  bool standard_input_ = false;
};

}  // namespace

bool is_standard_input(std::string_view argument) {
  return argument == "-" || argument == standard_input_path || argument == "/dev/fd/0" ||
         argument == "/proc/self/fd/0";
}

std::string shown_path(std::string_view path) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < path.size();) {
    const utf8::Decoded decoded = utf8::decode(path, i);
    const std::string_view bytes = path.substr(i, decoded.bytes);
    i += decoded.bytes;
    if (decoded.valid) {
      out += bytes;
      continue;
    }
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return out;
}

Result<InputList> expand_inputs(FileSystem& files, const InputOptions& options) {
  return Expansion(files, options).run();
}

}  // namespace twinset
