// Plain text is judged line by line, in three steps: what follows an original message is left out,
// then quoted lines with their attributions, and last what the end of the rest has of signatures.
// Of a page whole elements are left out, which mail programs mark, and what follows an original
// message.
//
// This file's interface is io/mail_quotes.h; the rest is private.
#include "io/mail_quotes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace twinset {
namespace {

using namespace std::string_view_literals;

/// A signature has at most so many lines that are not blank, with the footer of a mailing list.
constexpr std::size_t most_signature_lines = 20;
/// A line of so many signs divides a mailing list's footer from the mail.
constexpr std::size_t rule_signs = 20;
/// Lines from a footer's rule to the first that is plainly of a mailing list.
constexpr std::size_t most_lines_to_word = 5;
/// Lines over which an attribution may be wrapped.
constexpr std::size_t most_attribution_lines = 3;
/// Letters of a name before the bracket of a quoted line: "JM> ".
constexpr std::size_t most_initials = 4;
/// What is longer is no line of a mail program.
constexpr std::size_t longest_mark = 300;

constexpr std::array wrote{" wrote"sv,
                           " writes"sv,
                           " schrieb"sv,
                           " schreibt"sv,
                           " schreef"sv,
                           " skrev"sv,
                           " escribi"sv,
                           " scritto"sv,
                           " scrisse"sv,
                           " \xc3\xa9"
                           "crit"sv,
                           " escreveu"sv,
                           " napisa"sv,
                           " \xd0\xbf\xd0\xb8\xd1\x88\xd0\xb5\xd1\x82"sv};
/// Only before brackets: people say more than what they quote.
constexpr std::array spoke{" said"sv, " says"sv, " typed"sv, " mentioned"sv};
/// Signs in place of a bracket, after a line that says who wrote the lines after it.
constexpr std::array soft_signs{"|"sv, ":"sv, "#"sv, ")"sv, "}"sv, "%"sv, "--]"sv};
constexpr std::array openings{"on "sv, "at "sv, "in "sv, "am "sv,     "le "sv,
                              "el "sv, "il "sv, "op "sv, "quoting "sv};
constexpr std::array originals{"original message"sv,       "urspr\xc3\xbcngliche nachricht"sv,
                               "original-nachricht"sv,     "originalnachricht"sv,
                               "message d'origine"sv,      "mensaje original"sv,
                               "messaggio originale"sv,    "mensagem original"sv,
                               "oorspronkelijk bericht"sv, "original appointment"sv,
                               "reply separator"sv};
/// Fields of the head that Outlook puts before a message to which it replies.
constexpr std::array senders{"from"sv, "von"sv, "de"sv, "da"sv, "van"sv};
constexpr std::array sent{"sent"sv,    "gesendet"sv, "envoy\xc3\xa9"sv,
                          "enviado"sv, "inviato"sv,  "verzonden"sv};
constexpr std::array list_words{"mailing list"sv, "listinfo"sv, "unsubscribe"sv, "sponsored by"sv,
                                "yahoo! groups"sv};
constexpr std::array quote_classes{
    "gmail_quote"sv,     "gmail_attr"sv,    "gmail_signature"sv,  "yahoo_quoted"sv,
    "moz-cite-prefix"sv, "moz-signature"sv, "protonmail_quote"sv, "protonmail_signature"sv,
    "zmail_extra"sv,     "olk_src_body"sv};
/// After these of Outlook comes the message to which it replies.
constexpr std::array outlook_ends{"divrplyfwdmsg"sv, "appendonsend"sv};

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool has_any(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}
bool begins_with_any(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

std::string_view without_space(std::string_view text) {
  constexpr std::string_view space = " \t\r\n\xa0\xc2";
  const std::size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

/// "-----Original Message-----" of any program and language.
bool is_original(std::string_view trimmed) {
  if (trimmed.size() > longest_mark || trimmed.size() < 2) return false;
  const char sign = trimmed.front();
  if (sign != '-' && sign != '_' && sign != '*' && sign != '=') return false;
  return trimmed[1] == sign && has_any(lowered(trimmed), originals);
}

/// Says the line who wrote what follows? `strictly`: with a verb.
bool attributes(std::string_view trimmed, bool strictly) {
  if (trimmed.size() > longest_mark) return false;
  if (!trimmed.ends_with(':') && !trimmed.ends_with("...") && !trimmed.ends_with(',')) return false;
  const std::string lower = " " + lowered(trimmed);
  if (has_any(lower, wrote)) return true;
  if (strictly) return false;
  if (has_any(lower, spoke)) return true;
  if (!trimmed.ends_with(':')) return false;
  const bool dated = begins_with_any(std::string_view(lower).substr(1), openings) &&
                     lower.find_first_of("0123456789") != std::string::npos;
  return dated || lower.find('@') != std::string::npos;
}

/// A line of plain text.
struct Line {
  std::string_view whole;    ///< with its end
  std::string_view trimmed;  ///< without white space around
  bool gone = false;
  bool blank() const { return trimmed.empty(); }
};

enum class Mark : std::uint8_t { none, soft, bracket };

/// How a line is quoted: by a bracket, or by signs that mean it only after an attribution.
Mark mark_of(std::string_view trimmed) {
  if (trimmed.starts_with(">From ")) return Mark::none;
  if (trimmed.starts_with('>')) return Mark::bracket;
  if (begins_with_any(trimmed, soft_signs)) return Mark::soft;
  std::size_t letters = 0;
  while (letters < trimmed.size() && ((trimmed[letters] >= 'a' && trimmed[letters] <= 'z') ||
                                      (trimmed[letters] >= 'A' && trimmed[letters] <= 'Z'))) {
    ++letters;
  }
  const bool initials = letters > 0 && letters <= most_initials && letters < trimmed.size() &&
                        trimmed[letters] == '>';
  return initials ? Mark::soft : Mark::none;
}

class PlainMail {
 public:
  explicit PlainMail(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      const std::string_view whole = text.substr(0, end);
      lines_.push_back({whole, without_space(whole)});
      text.remove_prefix(end);
    }
  }

  std::string own() {
    leave_out_seals();
    leave_out_originals();
    leave_out_quotes();
    leave_out_signature();
    std::string out;
    bool any = false;
    for (const Line& line : lines_) {
      if (line.gone) continue;
      out += line.whole;
      any = any || !line.blank();
    }
    return any ? out : std::string();
  }

 private:
  void leave_out(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) lines_[i].gone = true;
  }
  std::size_t after_blank(std::size_t i) const {
    while (i < lines_.size() && lines_[i].blank()) ++i;
    return i;
  }

  /// The lines around a text that is signed by PGP, and its signature.
  void leave_out_seals() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].trimmed == "-----BEGIN PGP SIGNED MESSAGE-----") {
        lines_[i].gone = true;
        if (i + 1 < lines_.size() && lines_[i + 1].trimmed.starts_with("Hash: ")) {
          lines_[i + 1].gone = true;
        }
      } else if (lines_[i].trimmed == "-----BEGIN PGP SIGNATURE-----") {
        std::size_t end = i;
        while (end < lines_.size() && lines_[end].trimmed != "-----END PGP SIGNATURE-----") ++end;
        if (end < lines_.size()) leave_out(i, end + 1);
      }
    }
  }

  /// The name before the colon of a field of a head, in small letters; empty if it is none.
  static std::string head_field(std::string_view trimmed) {
    const std::size_t colon = trimmed.find(':');
    if (colon == std::string_view::npos || colon > most_name_bytes) return {};
    std::string name = lowered(trimmed.substr(0, colon));
    std::erase_if(name, [](char c) { return c == '*' || c == ' ' || c == '\xa0' || c == '\xc2'; });
    return name;
  }
  std::size_t after_head(std::size_t i) const {
    while (i < lines_.size() && !lines_[i].blank() && mark_of(lines_[i].trimmed) == Mark::none) ++i;
    return i;
  }
  /// Outlook's head of a message that is answered: the sender, and soon when it was sent.
  bool is_outlook_head(std::size_t at) const {
    if (std::ranges::find(senders, head_field(lines_[at].trimmed)) == senders.end()) return false;
    for (std::size_t i = at + 1; i < std::min(at + 3, lines_.size()); ++i) {
      if (std::ranges::find(sent, head_field(lines_[i].trimmed)) != sent.end()) return true;
    }
    return false;
  }

  void leave_out_originals() {
    bool forwarded = false;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      if (line.gone || line.blank() || mark_of(line.trimmed) == Mark::bracket) continue;
      const bool outlook = !forwarded && is_outlook_head(i);
      if (!outlook && !is_original(line.trimmed)) {
        forwarded = line.trimmed.find("orward") != std::string_view::npos;
        continue;
      }
      // Outlook Express has the head of the original, and then its lines with brackets.
      const std::size_t begin = outlook ? with_rule(i) : i;
      const std::size_t body = after_blank(after_head(after_blank(outlook ? i : i + 1)));
      if (body < lines_.size() && mark_of(lines_[body].trimmed) == Mark::bracket) {
        leave_out(begin, body);
        i = body;
        continue;
      }
      std::size_t end = i + 1;
      while (end < lines_.size() && !ends_original(lines_[end].trimmed)) ++end;
      const bool closed = end < lines_.size();
      leave_out(begin, closed ? end + 1 : end);
      i = end;
    }
  }
  /// The place of the rule above a head, if there is one.
  std::size_t with_rule(std::size_t head) const {
    std::size_t above = head;
    while (above > 0 && lines_[above - 1].blank()) --above;
    return above > 0 && is_rule(lines_[above - 1].trimmed) ? above - 1 : head;
  }
  static bool ends_original(std::string_view trimmed) {
    return is_original(trimmed) && lowered(trimmed).find("end of ") != std::string::npos;
  }

  void leave_out_quotes() {
    bool quoting = false;  // Within a block, soft marks count.
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      Line& line = lines_[i];
      if (line.gone || line.blank()) continue;
      const Mark mark = mark_of(line.trimmed);
      if (mark == Mark::bracket || (mark == Mark::soft && (quoting || goes_on(i)))) {
        line.gone = true;
        quoting = true;
        continue;
      }
      const std::size_t next = after_blank(i + 1);
      const Mark after = next < lines_.size() ? mark_of(lines_[next].trimmed) : Mark::none;
      quoting = after != Mark::none && attributes(line.trimmed, after == Mark::soft);
      if (quoting) leave_out(attribution_begin(i), next);
    }
  }
  /// Has the next line the same capital initials ("JM> ")?
  bool goes_on(std::size_t i) const {
    const std::string_view initials = lines_[i].trimmed.substr(0, lines_[i].trimmed.find('>') + 1);
    return !initials.empty() && i + 1 < lines_.size() &&
           lines_[i + 1].trimmed.starts_with(initials) &&
           std::ranges::all_of(initials, [](char c) { return (c >= 'A' && c <= 'Z') || c == '>'; });
  }
  /// Where an attribution begins that ends with line `last`.
  std::size_t attribution_begin(std::size_t last) const {
    const std::size_t most = std::min(last + 1, most_attribution_lines);
    for (std::size_t lines = 1; lines <= most; ++lines) {
      const Line& line = lines_[last + 1 - lines];
      if (line.gone || line.blank()) break;
      if (begins_with_any(lowered(line.trimmed), openings)) return last + 1 - lines;
    }
    return last;
  }

  void leave_out_signature() {
    std::size_t after = 0;  // Lines that are left after this one.
    std::size_t begin = lines_.size();
    std::size_t since_word = most_lines_to_word;  // ... up to one that has a word of lists.
    for (std::size_t i = lines_.size(); i-- > 0 && after <= most_signature_lines;) {
      const Line& line = lines_[i];
      if (line.gone || line.blank()) continue;
      if (has_any(lowered(line.trimmed.substr(0, longest_mark)), list_words)) since_word = 0;
      const bool dashes = line.trimmed == "--" || line.trimmed == "- --";
      const bool rule = is_rule(line.trimmed);
      const bool address = after == 0 && line.trimmed.starts_with("http") &&
                           line.trimmed.find("/listinfo/") != std::string_view::npos;
      if (dashes || address || (rule && since_word < most_lines_to_word)) begin = i;
      // Footers follow one another, each with its rule.
      since_word = rule ? most_lines_to_word : since_word + 1;
      ++after;
    }
    leave_out(begin, lines_.size());
  }
  static bool is_rule(std::string_view trimmed) {
    if (trimmed.empty()) return false;
    const char sign = trimmed.front();
    if (sign != '_' && sign != '-' && sign != '=' && sign != '*') return false;
    return std::min(trimmed.find_first_not_of(sign), trimmed.size()) >= rule_signs;
  }

  static constexpr std::size_t most_name_bytes = 16;
  std::vector<Line> lines_;
};

/// A page as its tags and the texts between them.
class PageMail {
 public:
  explicit PageMail(std::string_view page) : page_(page) {}

  std::string own() {
    while (at_ < page_.size()) {
      if (page_[at_] == '<') {
        tag();
      } else {
        const std::size_t begin = at_;
        at_ = std::min(page_.find('<', at_), page_.size());
        text(begin);
      }
    }
    return seen_ ? std::move(out_) : std::string();
  }

 private:
  void text(std::size_t begin) {
    const std::string_view bytes = page_.substr(begin, at_ - begin);
    const std::string_view trimmed = without_space(bytes);
    if (is_original(trimmed)) {
      at_ = page_.size();
      return;
    }
    if (!trimmed.empty()) {
      said_at_ = out_.size();
      said_ = bytes;
      seen_before_said_ = seen_;
      seen_ = seen_ || trimmed != "&nbsp;";
    }
    out_ += bytes;
  }

  /// The tag at `at_`, which is passed on, or its element left out.
  void tag() {
    if (page_.substr(at_).starts_with("<!--")) {
      return pass(std::min(page_.find("-->", at_), page_.size() - 1) + 1);
    }
    const std::size_t end = tag_end(at_);
    const std::string lower = lowered(page_.substr(at_, std::min(end - at_, longest_tag)));
    if (has_any(lower, outlook_ends)) {
      at_ = page_.size();
      return;
    }
    const bool quote =
        is_quote(lower) &&
        lowered(page_.substr(end, longest_mark)).find("forwarded message") == std::string::npos;
    if (!quote) return pass(end);
    take_attribution();
    at_ = element_end(end, lower);
  }

  void pass(std::size_t end) {
    out_ += page_.substr(at_, end - at_);
    at_ = end;
  }

  /// After the ">" of the tag, in no value; at the end if there is none.
  std::size_t tag_end(std::size_t at) const {
    char quote = 0;
    for (; at < page_.size(); ++at) {
      const char c = page_[at];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '>') {
        return at + 1;
      } else if (c == '"' || c == '\'') {
        quote = c;
      }
    }
    return page_.size();
  }

  static std::string_view name_of(std::string_view lower_tag) {
    return lower_tag.substr(
        1, std::min(lower_tag.find_first_of(" \t\r\n/>", 1), lower_tag.size()) - 1);
  }

  static bool is_quote(std::string_view lower_tag) {
    const std::string_view name = name_of(lower_tag);
    if (name == "blockquote") {
      return lower_tag.find("cite") != lower_tag.npos ||
             lower_tag.find("gmail_quote") != lower_tag.npos ||
             lower_tag.find("border-left") != lower_tag.npos;
    }
    return (name == "div" || name == "span" || name == "pre" || name == "p" || name == "table") &&
           has_any(lower_tag, quote_classes);
  }

  /// After the end tag of the element whose start tag ends at `at`; the page's end if there is
  /// none.
  std::size_t element_end(std::size_t at, std::string_view lower_tag) const {
    const std::string_view name = name_of(lower_tag);
    std::size_t open = 1;
    while (true) {
      at = page_.find('<', at);
      if (at == std::string_view::npos) return page_.size();
      const std::size_t end = tag_end(at);
      const std::string lower = lowered(page_.substr(at, std::min(end - at, name.size() + 3)));
      if (name_of(lower) == name) {
        ++open;
      } else if (lower.starts_with("</") && name_of(std::string_view(lower).substr(1)) == name &&
                 --open == 0) {
        return end;
      }
      at = end;
    }
  }

  /// Takes the last text back, if it says who wrote the quote after it.
  void take_attribution() {
    if (said_.empty() || !attributes(without_space(said_), true)) return;
    out_.erase(said_at_, said_.size());
    said_ = {};
    seen_ = seen_before_said_;
  }

  static constexpr std::size_t longest_tag = 2000;
  const std::string_view page_;
  std::size_t at_ = 0;
  std::string out_;
  bool seen_ = false;      ///< a text was passed on
  std::string_view said_;  ///< the last one
  std::size_t said_at_ = 0;
  bool seen_before_said_ = false;
};

}  // namespace

std::string without_mail_quotes(std::string_view text, bool page) {
  std::string own = page ? PageMail(text).own() : PlainMail(text).own();
  return own.empty() ? std::string(text) : own;
}

}  // namespace twinset
