// The top of a mail is parsed as a part, not as a message: GMime parses the addresses of a message
// at once, and nothing here needs them. Texts are taken out of the mail's own bytes, and only the
// coding of their transfer is GMime's work; their charset is text/charset's.
//
// This file's interface is io/mail.h; the rest is private.
#include "io/mail.h"

#ifdef TWINSET_HAS_MAIL

#include <gmime/gmime.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "io/http.h"
#include "io/mail_scan.h"
#include "text/charset.h"
#include "text/utf8_check.h"

namespace twinset {
namespace {

using namespace std::string_view_literals;

/// Texts that people read in a mail.
constexpr std::array plain_types{"plain"sv, "enriched"sv, "richtext"sv};

struct Unref {
  void operator()(void* object) const { g_object_unref(object); }
};
template <class T>
using Owned = std::unique_ptr<T, Unref>;

struct Free {
  void operator()(char* text) const { g_free(text); }
};
using OwnedText = std::unique_ptr<char, Free>;

std::string_view view_of(const char* text) { return text == nullptr ? ""sv : text; }

/// GMime keeps tables of its own, made once for all threads.
void begin_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    g_mime_init();
    // It speaks of broken mails on the standard error, where nobody asked for it.
    g_log_set_handler(
        "gmime", static_cast<GLogLevelFlags>(G_LOG_LEVEL_MASK),
        [](const char*, GLogLevelFlags, const char*, void*) {}, nullptr);
  });
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v\0"sv) == std::string_view::npos;
}

/// "x\n>From y" as "x\nFrom y", and with each further bracket one less.
std::string without_from_quotes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t brackets = std::min(text.find_first_not_of('>'), text.size());
    if (brackets > 0 && text.substr(brackets).starts_with("From ")) text.remove_prefix(1);
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out += text.substr(0, end);
    text.remove_prefix(end);
  }
  return out;
}

/// A header's value as written, which may be in no charset that it names.
std::string decoded_value(const char* raw) {
  std::string value(view_of(raw));
  if (!is_utf8(value)) {
    std::string text;
    append_utf8(guess_charset(value), value, text);
    value = std::move(text);
  }
  const OwnedText unfolded(g_mime_utils_header_unfold(value.c_str()));
  const OwnedText decoded(g_mime_utils_header_decode_text(nullptr, unfolded.get()));
  std::string text(trimmed(view_of(decoded.get())));
  std::ranges::replace(text, '\t', ' ');
  return text;
}

}  // namespace

struct ParsedMail::Parts {
  /// A part with parts, while these are walked.
  struct Frame {
    GMimeObject* object = nullptr;
    int next = 0;
    std::size_t first_text = 0;  ///< of the part's
    std::size_t kept_texts = 0;  ///< of alternatives: up to there they are the best so far
    unsigned best = 0;           ///< how good these are
  };

  std::string_view mail;
  bool quoted_from = false;
  GByteArray bytes{};
  Owned<GMimeObject> top;
  std::vector<MailText> texts;
  std::vector<std::string> attachments;
  bool broken = false;
  bool too_deep = false;

  void parse() {
    bytes.data = reinterpret_cast<guint8*>(const_cast<char*>(mail.data()));
    bytes.len = static_cast<guint>(mail.size());
    const Owned<GMimeStream> stream(g_mime_stream_mem_new_with_byte_array(&bytes));
    g_mime_stream_mem_set_owner(reinterpret_cast<GMimeStreamMem*>(stream.get()), FALSE);
    const Owned<GMimeParser> parser(g_mime_parser_new_with_stream(stream.get()));
    g_mime_parser_set_persist_stream(parser.get(), TRUE);
    top.reset(g_mime_parser_construct_part(parser.get(), nullptr));
    if (top == nullptr) {
      broken = true;
      return;
    }
    walk();
  }

  /// Nothing recurses: a frame stands for each part within which the walk is.
  void walk() {
    std::vector<Frame> frames;
    const auto enter = [&](GMimeObject* object) {
      if (object == nullptr) {
        broken = true;
      } else if (GMIME_IS_MULTIPART(object) || GMIME_IS_MESSAGE_PART(object)) {
        too_deep = too_deep || frames.size() == most_mail_depth;
        if (!too_deep) frames.push_back({object, 0, texts.size(), texts.size(), 0});
      } else {
        add_leaf(object);
      }
    };
    enter(top.get());
    while (!frames.empty() && !too_deep) {
      Frame& frame = frames.back();
      if (frame.next > 0) choose(frame);
      GMimeObject* const child = next_child(frame);
      if (child != nullptr) {
        enter(child);
      } else {
        frames.pop_back();
      }
    }
  }

  GMimeObject* next_child(Frame& frame) {
    const int place = frame.next++;
    if (GMIME_IS_MULTIPART(frame.object)) {
      auto* const parts = reinterpret_cast<GMimeMultipart*>(frame.object);
      const int count = g_mime_multipart_get_count(parts);
      if (count == 0 && place == 0) add_prologue(parts);
      return place < count ? g_mime_multipart_get_part(parts, place) : nullptr;
    }
    if (place > 0) return nullptr;
    auto* const part = reinterpret_cast<GMimeMessagePart*>(frame.object);
    GMimeMessage* const message = g_mime_message_part_get_message(part);
    if (message == nullptr) {
      broken = true;
      return nullptr;
    }
    const std::string subject = header(reinterpret_cast<GMimeObject*>(message), "subject");
    if (!subject.empty()) texts.push_back({false, subject, "utf-8"});
    return g_mime_message_get_mime_part(message);
  }

  /// After a child: if it is an alternative, keeps the better one of it and those before.
  void choose(Frame& frame) {
    if (!GMIME_IS_MULTIPART(frame.object)) return;
    GMimeContentType* const type = g_mime_object_get_content_type(frame.object);
    if (!g_mime_content_type_is_type(type, "multipart", "alternative")) return;
    const auto begin = texts.begin() + static_cast<std::ptrdiff_t>(frame.kept_texts);
    const bool blank =
        std::all_of(begin, texts.end(), [](const MailText& text) { return is_blank(text.bytes); });
    const bool pages =
        std::any_of(begin, texts.end(), [](const MailText& text) { return text.page; });
    const unsigned good = blank ? 0 : pages ? 1 : 2;
    if (good > frame.best || (good == 1 && frame.best == 1)) {
      texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(frame.first_text), begin);
      frame.best = good;
      frame.kept_texts = texts.size();
    } else {
      texts.erase(begin, texts.end());
    }
  }

  /// A multipart without parts: a mail whose boundary is missing or wrong has all of its text
  /// there.
  void add_prologue(GMimeMultipart* parts) {
    broken = true;
    const std::string_view text = view_of(g_mime_multipart_get_prologue(parts));
    if (!text.empty()) texts.push_back({false, std::string(text), ""});
  }

  void add_leaf(GMimeObject* object) {
    GMimeContentType* const type = g_mime_object_get_content_type(object);
    const std::string_view kind = view_of(g_mime_content_type_get_media_type(type));
    const std::string_view subtype = view_of(g_mime_content_type_get_media_subtype(type));
    GMimeContentDisposition* const disposition = g_mime_object_get_content_disposition(object);
    const bool attached =
        disposition != nullptr && g_mime_content_disposition_is_attachment(disposition) != FALSE;
    // A type that is none is that of a part without one.
    const char* const named = g_mime_object_get_header(object, "Content-Type");
    const bool untyped = named != nullptr && view_of(named).find('/') == std::string_view::npos;
    broken = broken || untyped;
    const bool page = same_letters(subtype, "html");
    const bool text =
        untyped || (same_letters(kind, "text") &&
                    (page || std::ranges::any_of(plain_types, [&](std::string_view plain) {
                       return same_letters(subtype, plain);
                     })));
    if (attached || !text || !GMIME_IS_PART(object)) {
      std::string name;
      if (GMIME_IS_PART(object)) {
        name = view_of(g_mime_part_get_filename(reinterpret_cast<GMimePart*>(object)));
      }
      if (name.empty()) name = std::string(kind) + "/" + std::string(subtype);
      if (!is_utf8(name)) {
        std::string text_of_name;
        append_utf8(guess_charset(name), name, text_of_name);
        name = std::move(text_of_name);
      }
      attachments.push_back(std::move(name));
      return;
    }
    texts.push_back(
        {page, content(reinterpret_cast<GMimePart*>(object)),
         std::string(view_of(g_mime_object_get_content_type_parameter(object, "charset")))});
  }

  /// A part's bytes without the coding of their transfer.
  std::string content(GMimePart* part) {
    GMimeDataWrapper* const wrapper = g_mime_part_get_content(part);
    GMimeStream* const stream =
        wrapper == nullptr ? nullptr : g_mime_data_wrapper_get_stream(wrapper);
    if (stream == nullptr) return {};  // Its head ends the mail.
    const auto begin = static_cast<std::size_t>(
        std::clamp<gint64>(stream->bound_start, 0, static_cast<gint64>(mail.size())));
    const std::size_t end =
        stream->bound_end < 0 ? mail.size()
                              : std::min(static_cast<std::size_t>(stream->bound_end), mail.size());
    std::string_view raw = mail.substr(begin, std::max(begin, end) - begin);
    GMimeContentEncoding encoding = g_mime_part_get_content_encoding(part);
    if (encoding == GMIME_CONTENT_ENCODING_DEFAULT) {
      broken = broken || g_mime_object_get_header(reinterpret_cast<GMimeObject*>(part),
                                                  "Content-Transfer-Encoding") != nullptr;
      encoding = GMIME_CONTENT_ENCODING_BINARY;
    }
    std::string unquoted;
    if (quoted_from && (raw.starts_with('>') || raw.find("\n>") != std::string_view::npos) &&
        raw.find(">From ") != std::string_view::npos) {
      unquoted = without_from_quotes(raw);
      raw = unquoted;
    }
    if (encoding < GMIME_CONTENT_ENCODING_BASE64) return std::string(raw);
    GMimeEncoding decoder;
    g_mime_encoding_init_decode(&decoder, encoding);
    if (encoding == GMIME_CONTENT_ENCODING_UUENCODE) {
      // The library decodes what follows the first line.
      const std::size_t line = raw.starts_with("begin ") ? 0 : raw.find("\nbegin ");
      if (line == std::string_view::npos) {
        broken = true;
        return std::string(raw);
      }
      raw.remove_prefix(std::min(raw.find('\n', line + 1), raw.size() - 1) + 1);
      decoder.state |= GMIME_UUDECODE_STATE_BEGIN;
    }
    std::string out(g_mime_encoding_outlen(&decoder, raw.size()), '\0');
    out.resize(g_mime_encoding_flush(&decoder, raw.data(), raw.size(), out.data()));
    return out;
  }

  static std::string header(GMimeObject* object, std::string_view name) {
    std::vector<std::string> values = headers(object, name);
    return values.empty() ? std::string() : std::move(values.front());
  }

  static std::vector<std::string> headers(GMimeObject* object, std::string_view name) {
    std::vector<std::string> values;
    GMimeHeaderList* const list = g_mime_object_get_header_list(object);
    const int count = g_mime_header_list_get_count(list);
    for (int i = 0; i < count; ++i) {
      GMimeHeader* const field = g_mime_header_list_get_header_at(list, i);
      if (!same_letters(view_of(g_mime_header_get_name(field)), name)) continue;
      values.push_back(decoded_value(g_mime_header_get_raw_value(field)));
    }
    return values;
  }
};

bool reads_mail() { return true; }

ParsedMail::ParsedMail(std::string_view mail, bool quoted_from)
    : parts_(std::make_unique<Parts>()) {
  begin_library();
  parts_->mail = mail;
  parts_->quoted_from = quoted_from;
  parts_->parse();
}
ParsedMail::~ParsedMail() = default;

std::vector<std::string> ParsedMail::values(std::string_view name) const {
  return parts_->top == nullptr ? std::vector<std::string>()
                                : Parts::headers(parts_->top.get(), name);
}
const std::vector<MailText>& ParsedMail::texts() const { return parts_->texts; }
const std::vector<std::string>& ParsedMail::attachments() const { return parts_->attachments; }
bool ParsedMail::broken() const { return parts_->broken; }
bool ParsedMail::too_deep() const { return parts_->too_deep; }

}  // namespace twinset

#else

namespace twinset {

bool reads_mail() { return false; }

// Nothing opens a mail in such a build.
struct ParsedMail::Parts {
  std::vector<MailText> texts;
  std::vector<std::string> attachments;
};
ParsedMail::ParsedMail(std::string_view, bool) : parts_(std::make_unique<Parts>()) {}
ParsedMail::~ParsedMail() = default;
std::vector<std::string> ParsedMail::values(std::string_view) const { return {}; }
const std::vector<MailText>& ParsedMail::texts() const { return parts_->texts; }
const std::vector<std::string>& ParsedMail::attachments() const { return parts_->attachments; }
bool ParsedMail::broken() const { return false; }
bool ParsedMail::too_deep() const { return false; }

}  // namespace twinset

#endif
