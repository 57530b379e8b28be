// Of the texts of a mail some may be pages; then the whole text is a page, and the plain ones in it
// are written as HTML, so that a `<` of theirs is read as one.
//
// This file's interface is io/mail_record.h; the rest is private.
#include "io/mail_record.h"

#include <algorithm>
#include <string>
#include <vector>

#include "io/decoded_text.h"
#include "io/http.h"
#include "io/json.h"
#include "io/json_texts.h"
#include "io/mail.h"
#include "io/mail_quotes.h"
#include "io/mail_scan.h"
#include "io/scratch.h"
#include "text/charset.h"
#include "text/dates.h"
#include "text/utf8_check.h"

namespace twinset {
namespace {

/// A shorter mail's text takes no memory worth asking for.
constexpr std::size_t long_mail_bytes = std::size_t{256} << 10;

/// The texts of a mail, put together.
class MadeText {
 public:
  void add(std::string text, bool page) {
    page_ = page_ || page;
    pieces_.push_back({std::move(text), page});
  }

  bool page() const { return page_; }

  std::string joined() const {
    std::string out;
    for (const Piece& piece : pieces_) {
      if (&piece != pieces_.data()) out += '\n';
      if (piece.page || !page_) {
        out += piece.text;
        continue;
      }
      for (const char c : piece.text) {
        if (c == '<') {
          out += "&lt;";
        } else if (c == '&') {
          out += "&amp;";
        } else {
          out += c;
        }
      }
    }
    return out;
  }

 private:
  struct Piece {
    std::string text;
    bool page;
  };
  std::vector<Piece> pieces_;
  bool page_ = false;
};

/// One mail, as a record asks for it.
class Mail {
 public:
  Mail(std::string_view record, bool mailbox, bool drop_quotes, Record& out)
      : mail_(without_from_line(record), mailbox), drop_quotes_(drop_quotes), record_(out) {}

  const ParsedMail& parsed() const { return mail_; }

  /// Is its MIME broken, or a charset unknown?
  bool broken() const { return broken_ || mail_.broken(); }

  /// Adds the text of that name; false if the mail has no such field.
  bool add_text(std::string_view name, MadeText& made) {
    if (name == "text") {
      for (std::string& subject : first_value("subject")) made.add(std::move(subject), false);
    }
    if (name == "text" || name == "body") {
      for (const MailText& text : mail_.texts()) {
        std::string decoded = utf8(text);
        if (drop_quotes_) decoded = without_mail_quotes(decoded, text.page);
        made.add(std::move(decoded), text.page);
      }
      return true;
    }
    const std::vector<std::string> values = field(name);
    for (const std::string& value : values) made.add(value, false);
    return !values.empty();
  }

  /// A field's value as a token of JSON; empty if there is none.
  std::string token(std::string_view name) const {
    const std::vector<std::string> values = field(name);
    std::string token;
    if (is_list(name) && !values.empty()) {
      token = "[";
      for (const std::string& value : values) {
        if (token.size() > 1) token += ',';
        append_json_string(token, value);
      }
      token += ']';
    } else if (!values.empty()) {
      append_json_string(token, values[0]);
    }
    return token;
  }

 private:
  static bool is_list(std::string_view name) {
    return same_letters(name, "attachments") || same_letters(name, "received");
  }

  std::vector<std::string> first_value(std::string_view name) const {
    std::vector<std::string> values = mail_.values(name);
    if (values.size() > 1) values.resize(1);
    return values;
  }

  std::vector<std::string> field(std::string_view name) const {
    if (same_letters(name, "attachments")) return mail_.attachments();
    if (is_list(name)) return mail_.values(name);
    std::vector<std::string> values = first_value(name);
    if (values.empty()) return values;
    std::string& value = values[0];
    if (same_letters(name, "date")) {
      if (const std::optional<Date> date = parse_date(value)) value = written_date(*date);
    } else if (same_letters(name, "list-id")) {
      // "A list for x <x.example>": what stands before it is for people, and changes.
      const std::size_t begin = value.rfind('<');
      const std::size_t end = value.find('>', std::min(begin, value.size()));
      if (end != std::string::npos) value = value.substr(begin + 1, end - begin - 1);
    }
    return values;
  }

  /// A text in UTF-8. The first charset that is another one is the record's.
  std::string utf8(const MailText& text) {
    Charset named = charset_of_label(text.charset);
    broken_ = broken_ || (named == Charset::unknown && !text.charset.empty());
    // Who says ASCII says nothing of bytes beyond it.
    if (same_letters(text.charset, "us-ascii") || same_letters(text.charset, "ascii")) {
      named = Charset::unknown;
    }
    const FoundCharset found = find_charset(text.bytes, named, text.page);
    if (found.charset == Charset::utf8) return std::string(without_mark(text.bytes));
    if (ascii_prefix(text.bytes) == text.bytes.size() && found.charset != Charset::iso_2022_jp &&
        found.charset != Charset::utf16_be && found.charset != Charset::utf16_le) {
      return text.bytes;
    }
    if (record_.charset.charset == Charset::utf8) record_.charset = found;
    std::string out;
    append_utf8(found.charset, text.bytes, out);
    return out;
  }

  const ParsedMail mail_;
  const bool drop_quotes_;
  Record& record_;
  bool broken_ = false;
};

void make_bad(BadReason reason, std::string detail, Record& record, RecordBatch& batch) {
  record.bad = reason;
  record.detail = batch.scratch->keep(std::move(detail));
}

/// Why a record is not read as a mail; empty if it is.
std::string why_no_mail(std::string_view record, bool mailbox) {
  const std::string_view mail = without_from_line(record);
  const bool headless = blank_line(mail) > 0 && mailbox;
  if (!headless && field_name(mail).empty()) {
    return "it is no mail: its first line is not a header field";
  }
  return mail_fault(mail);
}

/// Sets the text of a record.
void set_text(const std::vector<TextPath>& paths, Mail& mail, Record& record, RecordBatch& batch) {
  MadeText made;
  bool any = false;
  for (const TextPath& path : paths) {
    std::string name;
    for (const TextPath::Step& step : path.steps) name += (name.empty() ? "" : ".") + step.name;
    any = mail.add_text(name, made) || any;
  }
  if (!any) {
    make_bad(BadReason::missing_text, "no field \"" + paths[0].shown + "\"", record, batch);
    return;
  }
  record.markup = made.page() ? Markup::html : Markup::none;
  record.text = batch.scratch->keep(made.joined());
}

}  // namespace

void decode_mails(const FieldNames& fields, bool mailbox, RecordBatch& batch) {
  std::vector<std::string_view>& values = batch.scratch->fields;
  values.clear();
  values.reserve(fields.named.size() * batch.records.size());
  const Result<std::vector<TextPath>> paths = text_paths(fields.text);
  for (Record& record : batch.records) {
    if (record.bad != BadReason::none || record.carried) continue;
    if (std::string fault = why_no_mail(record.raw, mailbox); !fault.empty()) {
      make_bad(BadReason::damaged_record, std::move(fault), record, batch);
      continue;
    }
    Mail mail(record.raw, mailbox, fields.drop_mail_quotes, record);
    if (mail.parsed().too_deep()) {
      make_bad(
          BadReason::damaged_record,
          "more than " + std::to_string(most_mail_depth) + " of its parts are within one another",
          record, batch);
      continue;
    }
    const auto token = [&](std::string_view name) -> std::string_view {
      std::string value = mail.token(name);
      return value.empty() ? std::string_view() : batch.scratch->keep(std::move(value));
    };
    record.id = token(fields.id);
    const std::size_t first = values.size();
    for (const std::string& name : fields.named) values.push_back(token(name));
    record.fields = std::span(values).subspan(first);
    record.field_names = fields.named;
    if (paths.ok()) set_text(paths.value(), mail, record, batch);
    record.broken_mail = mail.broken();
    if (record.bad == BadReason::none) check_features(fields, record, batch);
  }
}

std::uint64_t mail_text_bytes(std::string_view record) {
  if (record.size() < long_mail_bytes || !why_no_mail(record, true).empty()) return 0;
  Record out;
  Mail mail(record, true, false, out);
  MadeText made;
  mail.add_text("text", made);
  const std::uint64_t bytes = made.joined().size();
  return bytes > record.size() ? bytes : 0;
}

std::string_view mail_missing() {
  if (reads_mail()) return {};
  return "is mail, which this build does not read; install libgmime-3.0-dev and build it again";
}

}  // namespace twinset
