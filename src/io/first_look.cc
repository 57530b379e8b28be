// Three questions in this order: are the stored bytes compressed as the name says, does twinset
// read their content, and in which format. Bytes that do not decode are left to the reader, which
// says where they are damaged.
//
// This file's interface is io/first_look.h; the rest is private.
#include "io/first_look.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/message.h"
#include "io/bytes.h"
#include "io/content.h"
#include "io/http.h"
#include "io/json_fields.h"
#include "io/json_scan.h"
#include "io/mail_scan.h"
#include "io/news_elements.h"
#include "io/record.h"
#include "text/charset.h"
#include "twinset/collection.h"

namespace twinset {
namespace {

constexpr std::string_view lines_format = "jsonl";
constexpr std::string_view text_format = "text";
constexpr std::string_view story_format = "sgml";
constexpr std::string_view array_format = "json";
constexpr std::string_view page_format = "html";
constexpr std::string_view mailbox_format = "mbox";
constexpr std::string_view mail_format = "eml";
/// So many first lines of JSON show whether it is JSON Lines, and whether it has texts.
constexpr std::size_t looked_lines = 8;
/// If the end of the head cuts off a value, the fault is within so many bytes of that end.
constexpr std::ptrdiff_t cut_token_bytes = 16;

bool ends_with(std::string_view name, std::string_view ending) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return name.size() >= ending.size() &&
         std::equal(name.end() - static_cast<std::ptrdiff_t>(ending.size()), name.end(),
                    ending.begin(), same);
}

std::string_view compression_name(Compression compression) {
  static constexpr std::array<std::string_view, 3> names{"", "gzip", "zstd"};
  return names[static_cast<std::size_t>(compression)];
}

std::string_view extension_of(Compression compression) {
  static constexpr std::array<std::string_view, 3> names{"", ".gz", ".zst"};
  return names[static_cast<std::size_t>(compression)];
}

/// Removes `.gz` or `.zst` from the end of `name`.
Compression strip_compression(std::string_view& name) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    const std::string_view ending = extension_of(compression);
    if (!ends_with(name, ending)) continue;
    name.remove_suffix(ending.size());
    return compression;
  }
  return Compression::none;
}

Compression compression_of(const Content& content) {
  if (content.kind == Content::Kind::gzip) return Compression::gzip;
  return content.kind == Content::Kind::zstd ? Compression::zstd : Compression::none;
}

/// The format whose extension `name` has; null if none.
const FormatDeclaration* format_by_extension(std::string_view name) {
  for (const FormatEntry* format : formats()) {
    for (std::string_view extension : format->declaration->extensions) {
      if (ends_with(name, extension)) return format->declaration;
    }
  }
  return nullptr;
}

/// `name` without its last extension, if it has one.
std::string_view stem_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const std::size_t slash = name.rfind('/');
  const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
  return dot == std::string_view::npos || dot <= begin ? name : name.substr(0, dot);
}

/// Quoted for a shell, if necessary.
std::string quoted(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=@%+";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string_view without_space(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const char* const end = text.data() + text.size();
  const char* const begin = skip_json_space(text.data(), end);
  return {begin, static_cast<std::size_t>(end - begin)};
}

JsonValue scan(std::string_view text, JsonFault& fault) {
  return scan_json_value(text.data(), text.data() + text.size(), max_json_depth, fault);
}

/// True for "{" followed by a key or "}": templates and RTF do not begin so.
bool begins_like_object(std::string_view bytes) {
  const std::string_view text = without_space(bytes);
  if (!text.starts_with('{')) return false;
  const std::string_view next = without_space(text.substr(1));
  return next.empty() || next.starts_with('"') || next.starts_with('}');
}

/// Has it the doctype or the tag of a whole page? A text on HTML seldom begins with these.
bool has_html_tag(std::string_view text) {
  constexpr std::array<std::string_view, 2> tags{"<!doctype", "<html"};
  const auto same = [](char a, char b) { return a == b || (a ^ b) == ('a' ^ 'A'); };
  return std::ranges::any_of(tags, [&](std::string_view tag) {
    return std::search(text.begin(), text.end(), tag.begin(), tag.end(), same) != text.end();
  });
}

/// The beginning of a text, and whether that is all of it.
struct Head {
  std::string_view text;
  bool whole = true;
};

/// Is the first non-blank line a whole object? Then it looks like JSON Lines, not like one document
/// printed over many lines.
bool first_line_is_object(const Head& head) {
  const std::string_view text = without_space(head.text);
  if (!text.starts_with('{')) return false;
  const std::size_t line_end = text.find('\n');
  if (line_end == std::string_view::npos && !head.whole) return true;
  const std::string_view line = text.substr(0, line_end);
  JsonFault fault;
  const JsonValue value = scan(line, fault);
  return value.kind == JsonKind::object && without_space(line.substr(value.raw.size())).empty();
}

/// The next whole line of `rest`, which loses it; the last one without an end counts if `whole`.
/// Nothing if there is none.
std::optional<std::string_view> next_line(std::string_view& rest, bool whole) {
  const std::size_t end = rest.find('\n');
  if (rest.empty() || (end == std::string_view::npos && !whole)) return std::nullopt;
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

/// Are there whole objects among the first lines? One damaged line harms only itself.
bool has_object_line(const Head& head) {
  std::string_view rest = head.text;
  for (std::size_t i = 0; i < looked_lines; ++i) {
    if (first_line_is_object({rest, head.whole})) return true;
    if (!next_line(rest, head.whole).has_value()) break;
  }
  return false;
}

/// Does it begin as files of news do?
bool has_stories(std::string_view text) {
  const std::string_view first = first_element(text);
  return same_letters(first, "reuters") || same_letters(first, "doc");
}

/// Looks for the field of texts in objects.
class TextSearch {
 public:
  /// `names`: of the fields of the first object.
  TextSearch(std::string_view text, std::vector<std::string>& names) : names_(names) {
    fields_.text = text;
    input_.format = lines_format;
  }
  bool finds_in(std::string_view object) {
    decode_record(input_, object, fields_, batch_);
    const BadReason bad = batch_.records.front().bad;
    if (bad == BadReason::missing_text && names_.empty()) names_ = json_field_names(object);
    return bad == BadReason::none || bad == BadReason::text_not_string;
  }

 private:
  std::vector<std::string>& names_;
  FieldNames fields_;
  Input input_;
  RecordBatch batch_;
};

/// True if all lines are here and none has the field `text`.
bool has_no_text(std::string_view text, const Head& head, std::vector<std::string>& names) {
  if (!head.whole) return false;
  TextSearch search(text, names);
  std::string_view rest = head.text;
  while (const std::optional<std::string_view> line = next_line(rest, true)) {
    if (!without_space(*line).empty() && search.finds_in(*line)) return false;
  }
  return true;
}

/// True if none of the first elements has the field `text`.
bool has_no_text_in_array(std::string_view text, std::string_view array,
                          std::vector<std::string>& names) {
  TextSearch search(text, names);
  std::string_view rest = array.substr(1);
  for (std::size_t i = 0; i < looked_lines; ++i) {
    rest = object_of(rest);
    JsonFault fault;
    const JsonValue value = scan(rest, fault);
    if (value.kind == JsonKind::none) return i > 0;
    if (value.kind == JsonKind::object && search.finds_in(value.raw)) return false;
    rest.remove_prefix(value.raw.size());
  }
  return true;
}

enum class JsonShape : std::uint8_t { other, array, spread };

/// Recognizes JSON that is not one value a line: an array of records, or a value over several
/// lines. A line that is cut off or damaged is neither: the next ones may be good.
JsonShape shape_of(const Head& head) {
  const std::string_view text = without_space(head.text);
  if (!text.starts_with('[') && !text.starts_with('{')) return JsonShape::other;
  JsonFault fault;
  const JsonValue value = scan(text, fault);
  bool spread = false;
  if (value.kind == JsonKind::none) {
    const char* const end = text.data() + text.size();
    if (head.whole || end - fault.at > cut_token_bytes) return JsonShape::other;
    // The whole head is one unfinished value.
    spread = text.find('\n') != std::string_view::npos;
  } else {
    spread = value.raw.find('\n') != std::string_view::npos;
    const std::string_view rest = without_space(text.substr(value.raw.size()));
    // Arrays, one a line, or a first line of another kind than the rest.
    if (!spread && !(rest.empty() && head.whole)) return JsonShape::other;
    // One odd record before good lines harms only itself.
    if (first_line_is_object({rest, head.whole})) return JsonShape::other;
  }
  if (text.starts_with('[')) return JsonShape::array;
  return spread ? JsonShape::spread : JsonShape::other;
}

/// Makes the result of look_at() for one file.
class Looker {
 public:
  Looker(FileSystem& files, const std::string& path, const LookOptions& options)
      : files_(files), path_(path), options_(options) {
    if (options.standard_input) return;
    name_ = path;
    look_.compression = strip_compression(name_);
  }

  FirstLook look() {
    const FormatDeclaration* known =
        options_.mail ? find_format(mail_format)->declaration : format_by_extension(name_);
    look_.records = options_.standard_input || promises_records(known);
    look_.format = known != nullptr ? known->name : text_format;
    const Status read = read_stored();
    if (!read.ok()) {
      refuse(Unread::unreadable, "cannot be read: " + reason_in(read.error()));
      return std::move(look_);
    }
    const Content stored_content = content_of(stored_);
    // A name that says nothing contradicts nothing.
    const bool unnamed = known == nullptr && look_.compression == Compression::none;
    if (options_.standard_input || unnamed) look_.compression = compression_of(stored_content);
    if (!check_compression(stored_content, known)) return std::move(look_);
    if (look_.compression != Compression::none) decode();
    const Content content =
        look_.compression == Compression::none ? stored_content : content_of(head());
    // A mail may have the form of a saved page.
    const bool mail = known != nullptr && known->made_texts && !field_name(head()).empty();
    if (mail || content.kind == Content::Kind::unknown || content.kind == Content::Kind::table) {
      choose_format(known);
    } else {
      refuse_content(content);
    }
    return std::move(look_);
  }

 private:
  std::string_view head() const {
    return look_.compression == Compression::none ? stored_ : decoded_;
  }

  Status read_stored() {
    if (options_.head != nullptr) {
      stored_ = *options_.head;
      whole_ = stored_.ends_with('\n');
      return {};
    }
    TWINSET_ASSIGN(const std::unique_ptr<File> file, files_.open(path_, OpenMode::read));
    TWINSET_ASSIGN(const std::uint64_t size, file->size());
    stored_.resize(std::min<std::uint64_t>(size, content_bytes));
    TWINSET_ASSIGN(const std::size_t got, file->read_at(0, stored_.data(), stored_.size()));
    stored_.resize(got);
    whole_ = size <= stored_.size();
    return {};
  }

  /// Leaves out bytes that do not decode: the reader reports where the file is damaged.
  void decode() {
    whole_ = false;
    Result<std::unique_ptr<ByteSource>> source =
        open_bytes(files_, path_, look_.compression, ReaderLimits());
    if (!source.ok()) return;
    decoded_.resize(content_bytes);
    std::size_t used = 0;
    while (used < decoded_.size()) {
      const Result<std::size_t> got =
          source.value()->read(decoded_.data() + used, decoded_.size() - used);
      if (!got.ok()) break;
      look_.window_bytes = std::max(look_.window_bytes, source.value()->window_bytes());
      if (got.value() == 0) {
        whole_ = source.value()->fault().reason == BadReason::none;
        break;
      }
      used += got.value();
    }
    decoded_.resize(used);
  }

  /// Are the bytes compressed as the name says? True also for a file cut off within its first
  /// bytes; the reader reports that.
  bool check_compression(const Content& content, const FormatDeclaration* known) {
    const Compression found = compression_of(content);
    if (options_.standard_input || found == look_.compression) return true;
    if (look_.compression == Compression::none) {
      look_.records = look_.records || known != nullptr;
      refuse(Unread::wrong_extension, "is " + std::string(content.name) +
                                          ", which its name does not say; rename it to " +
                                          quoted(path_ + std::string(extension_of(found))));
      return false;
    }
    const std::string_view begins =
        look_.compression == Compression::gzip ? "\x1f\x8b\x08" : "\x28\xb5\x2f\xfd";
    if (begins.starts_with(stored_)) return true;
    look_.records = true;
    const std::string_view promised = compression_name(look_.compression);
    if (content.kind != Content::Kind::unknown) {
      refuse(Unread::wrong_extension,
             "is " + std::string(content.name) + ", not " + std::string(promised) +
                 (found == Compression::none
                      ? ""
                      : "; rename it to " +
                            quoted(std::string(name_) + std::string(extension_of(found)))));
    } else if (is_binary(stored_)) {
      refuse(Unread::wrong_extension, "is not " + std::string(promised) +
                                          ": it does not begin as " + std::string(promised) +
                                          " does");
    } else {
      refuse(Unread::wrong_extension,
             "is not " + std::string(promised) + " but plain; rename it to " + quoted(name_));
    }
    return false;
  }

  void refuse_content(const Content& content) {
    std::string fault = "is " + std::string(content.name);
    if (look_.compression != Compression::none) {
      fault += " within " + std::string(compression_name(look_.compression));
    }
    fault += ", which twinset does not read";
    if (content.kind == Content::Kind::packed) {
      const std::string out =
          look_.compression == Compression::none ? std::string(stem_of(path_)) : std::string(name_);
      fault += "; " + filtered(content.command, out, false);
    } else if (compression_of(content) != Compression::none) {
      fault += "; unpack it once";
    } else if (!content.command.empty() && look_.compression == Compression::none) {
      fault += options_.spooled ? "; with it in a file: " : "; ";
      fault += command_line(content.command);
    }
    refuse(Unread::binary, std::move(fault));
  }

  void choose_format(const FormatDeclaration* known) {
    const Charset marked = marked_charset(head());
    const bool decoded = marked != Charset::unknown && marked != Charset::utf8;
    std::string text;
    Head seen{head(), whole_};
    if (decoded) {
      append_utf8(marked, head(), text);
      seen.text = text;
    }
    const FormatDeclaration* forced =
        options_.format.empty() ? nullptr : find_format(options_.format)->declaration;
    const bool json = ends_with(name_, ".json");
    if (options_.standard_input) look_.format = lines_format;
    // A forced format of pages still leaves records as records; any other is for all inputs.
    if (may_guess(known) && keeps_format(forced, lines_format)) guess(seen, known, forced);
    // Not all SGML is news.
    if (look_.format == story_format && !has_stories(seen.text)) {
      look_.format = text_format;
      look_.records = false;
    }
    if (!keeps_format(forced, look_.format)) {
      look_.format = forced->name;
      look_.guessed = false;
    }
    if (!check_build() || !check_table() || !check_header(seen, marked)) return;
    const bool lines = look_.format == lines_format;
    // Mails carry what is no text, and what is no mail is found by their reader.
    const FormatDeclaration& chosen = *find_format(look_.format)->declaration;
    const bool one_document =
        chosen.one_document && !(chosen.made_texts && !field_name(head()).empty());
    if (lines && decoded) {
      refuse_charset(marked, "JSON Lines", ".jsonl");
      return;
    }
    if (lines || (forced == nullptr && (json || known == nullptr))) check_shape(seen, json, lines);
    if (look_.unread == Unread::none && one_document && !decoded && is_binary(head()) &&
        !is_utf16(guess_charset(head()))) {
      refuse(Unread::binary, "is not text: too much of it is NUL and control characters");
    }
  }

  /// Does this build read the format?
  bool check_build() {
    const FormatEntry* const chosen = find_format(look_.format);
    const std::string_view missing = chosen->missing == nullptr ? "" : chosen->missing();
    if (missing.empty()) return true;
    refuse(Unread::foreign, std::string(missing));
    return false;
  }

  /// Tables are read as such alone, not packed and not as lines, and their columns are known here.
  bool check_table() {
    const FormatEntry* const begun = format_by_head(head());
    const FormatEntry* const chosen = find_format(look_.format);
    const FormatEntry* const table = begun != nullptr && begun->rows != nullptr ? begun : chosen;
    if (table->rows == nullptr || options_.head != nullptr) return true;
    const std::string begins(table->declaration->begins);
    const std::string name(table->declaration->name);
    if (table != begun) {
      // A file cut off within its first bytes is left to its reader.
      if (begins.starts_with(head())) return true;
      refuse(Unread::wrong_extension, "does not begin as " + name + " does");
    } else if (look_.compression != Compression::none) {
      refuse(Unread::foreign, "is " + name + " within " +
                                  std::string(compression_name(look_.compression)) +
                                  "; unpack it once");
    } else if (table != chosen) {
      refuse(Unread::foreign,
             "is " + name + "; " +
                 (options_.format.empty() ? "rename it to " + quoted(stem() + "." + name)
                                          : "leave out " + option("format", look_.format)));
    } else {
      std::string fault = table->rows->look(files_, path_, options_.text);
      if (!fault.empty()) refuse(Unread::foreign, std::move(fault));
    }
    return look_.unread == Unread::none;
  }

  /// Its elements are records, but in a folder only if they may have texts.
  void take_array(std::string_view text) {
    const Charset marked = marked_charset(head());
    std::vector<std::string> names;
    if (marked != Charset::unknown && marked != Charset::utf8) {
      refuse_charset(marked, "a JSON array", ".json");
    } else if (options_.walked && !look_.records && has_no_text_in_array(texts(), text, names)) {
      refuse_without_text(names);
    } else {
      look_.format = array_format;
      look_.guessed = !options_.standard_input;
    }
  }

  /// Tables in text are read by the columns that their first line names.
  bool check_header(const Head& seen, Charset marked) {
    const FormatEntry* const chosen = find_format(look_.format);
    if (chosen->headed == nullptr || options_.head != nullptr) return true;
    if (without_space(seen.text).empty()) return true;
    // The name of a file in a folder does not promise that its columns are those of texts.
    if (options_.walked) look_.records = false;
    if (marked != Charset::unknown && marked != Charset::utf8) {
      const std::string_view name = chosen->declaration->name;
      refuse_charset(marked, name, "." + std::string(name));
    } else if (is_binary(seen.text)) {
      refuse(Unread::binary, "is not text: too much of it is NUL and control characters");
    } else {
      look_.header = chosen->headed->find(seen.text, whole_);
      std::string fault = chosen->headed->look(look_.header, options_.text);
      if (!fault.empty()) refuse(Unread::foreign, std::move(fault));
    }
    return look_.unread == Unread::none;
  }

  void refuse_charset(Charset charset, std::string_view what, std::string_view extension) {
    const std::string name(charset_name(charset).substr(0, std::string_view("UTF-16").size()));
    refuse(Unread::foreign, "is " + std::string(what) + " in " + name +
                                ", which twinset does not read; " +
                                filtered("iconv -f " + name + " -t UTF-8",
                                         stem() + ".utf8" + std::string(extension), true));
  }

  static bool promises_records(const FormatDeclaration* known) {
    return known != nullptr && !known->one_document;
  }

  /// Does the name say no more than that the file is text?
  static bool may_guess(const FormatDeclaration* known) {
    return known == nullptr || known->name == text_format;
  }

  /// Decides by the content.
  void guess(const Head& seen, const FormatDeclaration* known, const FormatDeclaration* forced) {
    const FormatEntry* const begun = known == nullptr ? format_by_head(head()) : nullptr;
    if (begun != nullptr) {
      look_.format = begun->declaration->name;
    } else if (known == nullptr && begins_like_mailbox(head())) {
      look_.format = mailbox_format;
    } else if (known == nullptr && begins_like_mail(head())) {
      look_.format = mail_format;
    } else if (begins_like_page(seen.text) && (known == nullptr || has_html_tag(seen.text))) {
      look_.format = page_format;
    } else if (const std::string_view news = news_format(seen.text);
               known == nullptr && !news.empty()) {
      look_.format = news;
    } else if (!options_.standard_input) {
      const bool empty = known == nullptr && without_space(seen.text).empty();
      look_.format = empty || is_lines(seen, known, forced) ? lines_format : text_format;
      if (empty) return;
    }
    look_.guessed = !options_.standard_input && look_.format != text_format;
  }

  /// Is it JSON Lines, or one text?
  bool is_lines(const Head& seen, const FormatDeclaration* known, const FormatDeclaration* forced) {
    if (!begins_like_object(seen.text)) return false;
    // A file that someone names is read as records if at all possible, so that none is lost.
    if (known == nullptr && forced == nullptr && !options_.walked) return true;
    if (!has_object_line(seen)) return false;
    // "{}" alone may be anything, in a file that its name calls a text.
    const bool keyed = without_space(without_space(seen.text).substr(1)).starts_with('"');
    if (known != nullptr && !keyed) return false;
    if (!options_.walked) return true;
    std::vector<std::string> names;
    if (has_no_text(texts(), seen, names)) refuse_without_text(names);
    return true;
  }

  /// The field of the texts.
  std::string texts() const {
    return options_.text.empty() ? FieldNames().text : std::string(options_.text);
  }

  void refuse_without_text(const std::vector<std::string>& names) {
    std::string fault = "is JSON without a field \"" + texts() + "\"";
    for (std::size_t i = 0; i < names.size(); ++i) {
      fault += (i == 0 ? "; it has: " : ", ") + names[i];
    }
    refuse(Unread::foreign, std::move(fault));
  }

  void check_shape(const Head& seen, bool json, bool lines) {
    if (look_.unread != Unread::none) return;
    JsonShape shape = shape_of(seen);
    const std::string_view text = without_space(seen.text);
    if (json && text.starts_with('[')) shape = JsonShape::array;
    // Other files than JSON may hold one list: "[1, 2, 3]".
    const bool of_objects = text.starts_with('[') && without_space(text.substr(1)).starts_with('{');
    if (shape == JsonShape::array && !json && !lines && !of_objects) return;
    if (shape == JsonShape::other) return;
    const bool array = shape == JsonShape::array;
    if (array && options_.format.empty() &&
        (of_objects || without_space(text.substr(1)).starts_with(']'))) {
      take_array(text);
      return;
    }
    refuse(Unread::foreign,
           std::string(array ? "is a JSON array" : "is JSON over several lines") +
               ", and JSON Lines is one object a line; " +
               filtered(array ? "jq -c '.[]'" : "jq -c .", stem() + ".jsonl", true));
  }

  /// The path without the extensions of compression and format.
  std::string stem() const { return std::string(stem_of(name_)); }

  /// A command of Content for this file.
  std::string command_line(std::string_view pattern) const {
    std::string out;
    while (!pattern.empty()) {
      const std::size_t end = std::min(pattern.find(' '), pattern.size());
      std::string word(pattern.substr(0, end));
      pattern.remove_prefix(std::min(end + 1, pattern.size()));
      if (!out.empty()) out += ' ';
      const bool names_file = word.find("%f") != word.npos || word.find("%s") != word.npos;
      const std::string path = options_.spooled ? "FILE" : path_;
      std::string filled = word;
      replace_all(filled, "%f", path);
      replace_all(filled, "%s", options_.spooled ? path : std::string(stem_of(path_)));
      if (filled == path && word != "%f") {
        // The result does not replace the file, of which only the name is wrong.
        filled = word;
        replace_all(filled, "%s", path);
      }
      out += names_file ? quoted(filled) : filled;
    }
    return out;
  }

  /// The command line that sends the input through `filter` into `out`, compressed as the input is
  /// if `packs`.
  std::string filtered(std::string_view filter, std::string out, bool packs) const {
    if (options_.standard_input || options_.spooled) {
      return "send it through " + std::string(filter);
    }
    if (out == name_ || out == path_) out = stem() + ".lines.jsonl";
    const std::string file = quoted(path_);
    switch (look_.compression) {
      case Compression::none:
        return std::string(filter) + " < " + file + " > " + quoted(out);
      case Compression::gzip:
        return "zcat " + file + " | " + std::string(filter) +
               (packs ? " | gzip > " + quoted(out + ".gz") : " > " + quoted(out));
      case Compression::zstd:
        return "zstdcat " + file + " | " + std::string(filter) +
               (packs ? " | zstd > " + quoted(out + ".zst") : " > " + quoted(out));
    }
    return {};
  }

  void refuse(Unread why, std::string fault) {
    look_.unread = why;
    look_.fault = std::move(fault);
  }

  FileSystem& files_;
  const std::string& path_;
  const LookOptions& options_;
  std::string_view name_;  ///< the path without `.gz` or `.zst`; empty for standard input
  std::string stored_;
  std::string decoded_;
  bool whole_ = true;  ///< head() is the whole content
  FirstLook look_;
};

}  // namespace

bool is_input_name(std::string_view name) {
  return strip_compression(name) != Compression::none || format_by_extension(name) != nullptr;
}

std::string_view unread_name(Unread unread) {
  switch (unread) {
    case Unread::none:
      return "none";
    case Unread::unreadable:
      return "unreadable";
    case Unread::wrong_extension:
      return "wrong_extension";
    case Unread::foreign:
      return "foreign_format";
    case Unread::binary:
      return "binary";
  }
  return "none";
}

std::string reason_in(const Error& error) {
  const std::size_t at = error.message.rfind(": ");
  return at == std::string::npos ? error.message : error.message.substr(at + 2);
}

FirstLook look_at(FileSystem& files, const std::string& path, const LookOptions& options) {
  return Looker(files, path, options).look();
}

}  // namespace twinset
