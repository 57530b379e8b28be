// The text of HTML pages, written to be obviously right: the tokenizer of the HTML
// Standard (section 13.2.5), state by state and a byte at a time, and the rules
// of docs/html.md about the text that a reader sees. text/html.h makes the same text many times as
// fast, and tests require both to be equal.
//
//   html::Tokenizer tokenizer("<p>a&lt;b");
//   for (html::Token token = tokenizer.next(); token.kind != html::TokenKind::end;
//        token = tokenizer.next()) { ... }
//
// Bytes stay unchanged: the standard's U+FFFD for NUL in text is not written, and a carriage return
// is not a line feed.
//
// Threads: a Tokenizer belongs to one.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "text/html_fields.h"
#include "text/offsets.h"

namespace twinset::html {

enum class TokenKind : std::uint8_t { character, start_tag, end_tag, other, end };

/// Comments and doctypes are `other`, without their text.
struct Token {
  struct Attribute {
    std::string name;
    std::string value;
    bool operator==(const Attribute&) const = default;
  };

  TokenKind kind = TokenKind::end;
  TokenOffsets source;  ///< its bytes in the page
  std::string text;     ///< a character's bytes (a byte of the page, or a reference's)
  std::string name;     ///< a tag's, letters folded
  bool self_closing = false;
  std::vector<Attribute> attributes;  ///< the first of each name
};

/// Where a tokenizer may begin, or be sent by a start tag.
enum class ContentState : std::uint8_t { data, rcdata, rawtext, script, plaintext, cdata };

class Tokenizer {
 public:
  /// `page` is at most 4 GiB - 64 bytes and outlives the tokenizer.
  explicit Tokenizer(std::string_view page);
  ~Tokenizer();

  /// The next token; of kind `end` if there is none.
  Token next();
  /// How to read on; `last_start_tag` is the name whose end tag ends it.
  void enter(ContentState state, std::string_view last_start_tag);
  /// In foreign content "<![CDATA[" begins text.
  void set_foreign(bool foreign) { foreign_ = foreign; }

 private:
  enum class State : std::uint8_t;
  void step();
  void step_text(int byte);
  void step_tag(int byte);
  void step_raw(int byte);
  void step_script(int byte);
  void step_attribute(int byte);
  void step_declaration(int byte);
  void step_comment(int byte);
  void emit_bytes(std::size_t begin, std::size_t end);
  void emit_tag();
  void emit_other();
  void begin_tag(TokenKind kind);
  void begin_attribute();
  void finish_attribute();
  void add_to_value(int byte);
  void read_reference();
  bool next_are(std::string_view letters) const;
  bool ends_name(int byte) const;
  void reconsume(State state);

  std::string_view page_;
  std::size_t position_ = 0;  ///< of the next byte
  State state_;
  State raw_;  ///< the state of text that an end tag of its own ends
  std::deque<Token> ready_;
  std::size_t begin_ = 0;  ///< of the markup being read
  std::string last_start_tag_;
  std::string buffer_;  ///< the temporary buffer
  Token tag_;
  Token::Attribute attribute_;
  bool in_attribute_ = false;
  bool foreign_ = false;
};

/// A page's text, for each of its bytes the bytes of the page it was made of, and the
/// page's fields.
struct ReferenceText {
  std::string text;
  std::vector<TokenOffsets> sources;
  HtmlFields fields;
};

/// Equal to extract_html() and extract_html_fields(), which define the result.
ReferenceText html_reference(std::string_view page);

}  // namespace twinset::html
