// The states are the standard's, under its names. Those of a doctype are one here, since each of
// them ends at the first ">", and so are the three that read a name after "</" in raw text. -1
// means the end of the page, which is consumed and reconsumed like a byte.
//
// This file's interface is support/html_reference.h; the rest is private.
#include "support/html_reference.h"

#include <algorithm>

#include "text/html_character.h"
#include "text/html_elements.h"
#include "text/html_nesting.h"
#include "text/utf8.h"

namespace twinset::html {

enum class Tokenizer::State : std::uint8_t {
  data,
  rcdata,
  rawtext,
  script_data,
  plaintext,
  tag_open,
  end_tag_open,
  tag_name,
  raw_less_than_sign,
  raw_end_tag_open,
  raw_end_tag_name,
  script_data_escape_start,
  script_data_escape_start_dash,
  script_data_escaped,
  script_data_escaped_dash,
  script_data_escaped_dash_dash,
  script_data_escaped_less_than_sign,
  script_data_double_escape_start,
  script_data_double_escaped,
  script_data_double_escaped_dash,
  script_data_double_escaped_dash_dash,
  script_data_double_escaped_less_than_sign,
  script_data_double_escape_end,
  before_attribute_name,
  attribute_name,
  after_attribute_name,
  before_attribute_value,
  attribute_value_double_quoted,
  attribute_value_single_quoted,
  attribute_value_unquoted,
  after_attribute_value_quoted,
  self_closing_start_tag,
  bogus_comment,
  markup_declaration_open,
  comment_start,
  comment_start_dash,
  comment,
  comment_less_than_sign,
  comment_less_than_sign_bang,
  comment_less_than_sign_bang_dash,
  comment_less_than_sign_bang_dash_dash,
  comment_end_dash,
  comment_end,
  comment_end_bang,
  doctype,
  cdata_section,
  cdata_section_bracket,
  cdata_section_end
};

namespace {

constexpr int end_of_page = -1;

bool is_letter(int byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }
/// The standard has no CR here, since it reads CR and CR LF as LF; bytes stay as they
/// are, so a CR is the white space it becomes.
bool is_space(int byte) {
  return byte == '\t' || byte == '\n' || byte == '\f' || byte == '\r' || byte == ' ';
}
char folded(int byte) {
  return static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
}

/// A byte of a name or value: the standard's U+FFFD for NUL.
void add(std::string& text, char byte) {
  if (byte == '\0') {
    text += "\xEF\xBF\xBD";
  } else {
    text += byte;
  }
}

}  // namespace

Tokenizer::Tokenizer(std::string_view page) : page_(page), state_(State::data), raw_(State::data) {}

Tokenizer::~Tokenizer() = default;

void Tokenizer::enter(ContentState state, std::string_view last_start_tag) {
  switch (state) {
    case ContentState::data:
      state_ = State::data;
      break;
    case ContentState::rcdata:
      state_ = State::rcdata;
      break;
    case ContentState::rawtext:
      state_ = State::rawtext;
      break;
    case ContentState::script:
      state_ = State::script_data;
      break;
    case ContentState::plaintext:
      state_ = State::plaintext;
      break;
    case ContentState::cdata:
      state_ = State::cdata_section;
      break;
  }
  last_start_tag_ = last_start_tag;
}

Token Tokenizer::next() {
  while (ready_.empty()) step();
  Token token = std::move(ready_.front());
  if (token.kind != TokenKind::end) ready_.pop_front();
  return token;
}

void Tokenizer::step() {
  const int byte =
      position_ < page_.size() ? static_cast<unsigned char>(page_[position_]) : end_of_page;
  ++position_;
  if (state_ <= State::plaintext || state_ >= State::cdata_section) {
    step_text(byte);
  } else if (state_ <= State::tag_name) {
    step_tag(byte);
  } else if (state_ <= State::raw_end_tag_name) {
    step_raw(byte);
  } else if (state_ <= State::script_data_double_escape_end) {
    step_script(byte);
  } else if (state_ <= State::self_closing_start_tag) {
    step_attribute(byte);
  } else if (state_ <= State::markup_declaration_open || state_ == State::doctype) {
    step_declaration(byte);
  } else {
    step_comment(byte);
  }
}

// ---- What is made ----

void Tokenizer::reconsume(State state) {
  --position_;
  state_ = state;
}

/// Each byte of page[begin, end) as a character.
void Tokenizer::emit_bytes(std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < std::min(end, page_.size()); ++at) {
    Token token;
    token.kind = TokenKind::character;
    token.source = {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 1)};
    token.text = page_[at];
    ready_.push_back(std::move(token));
  }
}

void Tokenizer::emit_other() {
  Token token;
  token.kind = TokenKind::other;
  ready_.push_back(std::move(token));
}

void Tokenizer::begin_tag(TokenKind kind) {
  tag_ = {};
  tag_.kind = kind;
  in_attribute_ = false;
}

void Tokenizer::emit_tag() {
  finish_attribute();
  tag_.source = {static_cast<std::uint32_t>(begin_), static_cast<std::uint32_t>(position_)};
  if (tag_.kind == TokenKind::start_tag) last_start_tag_ = tag_.name;
  ready_.push_back(tag_);
}

void Tokenizer::begin_attribute() {
  finish_attribute();
  attribute_ = {};
  in_attribute_ = true;
}

/// The first attribute of a name counts.
void Tokenizer::finish_attribute() {
  if (!in_attribute_) return;
  in_attribute_ = false;
  for (const Token::Attribute& known : tag_.attributes) {
    if (known.name == attribute_.name) return;
  }
  tag_.attributes.push_back(attribute_);
}

/// The character reference that begins with the byte just consumed, or that byte.
void Tokenizer::read_reference() {
  const std::size_t at = position_ - 1;
  const CharacterReference found = read_character_reference(
      page_.substr(at), in_attribute_ ? ReferencePlace::attribute : ReferencePlace::text);
  if (found.source_bytes == 0) {
    if (in_attribute_) {
      attribute_.value += '&';
    } else {
      emit_bytes(at, at + 1);
    }
    return;
  }
  position_ = at + found.source_bytes;
  if (in_attribute_) {
    attribute_.value += found.text();
    return;
  }
  Token token;
  token.kind = TokenKind::character;
  token.source = {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(position_)};
  token.text = found.text();
  ready_.push_back(std::move(token));
}

/// Are the next bytes `letters`, which are capital, regardless of case?
bool Tokenizer::next_are(std::string_view letters) const {
  const std::string_view found = page_.substr(std::min(position_, page_.size()), letters.size());
  return std::equal(found.begin(), found.end(), letters.begin(), letters.end(),
                    [](char a, char b) { return folded(a) == folded(b); });
}

bool Tokenizer::ends_name(int byte) const { return is_space(byte) || byte == '/' || byte == '>'; }

// ---- The states ----

void Tokenizer::step_text(int byte) {
  if (byte == end_of_page && state_ <= State::plaintext) {
    ready_.emplace_back();
    return;
  }
  switch (state_) {
    case State::data:
    case State::rcdata:
      if (byte == '&') return read_reference();
      if (byte == '<') {
        begin_ = position_ - 1;
        raw_ = state_;
        state_ = state_ == State::data ? State::tag_open : State::raw_less_than_sign;
        return;
      }
      break;
    case State::rawtext:
    case State::script_data:
      if (byte == '<') {
        begin_ = position_ - 1;
        raw_ = state_;
        state_ = State::raw_less_than_sign;
        return;
      }
      break;
    case State::cdata_section:
      if (byte == end_of_page) return reconsume(State::data);
      if (byte == ']') {
        begin_ = position_ - 1;
        state_ = State::cdata_section_bracket;
        return;
      }
      break;
    case State::cdata_section_bracket:
      if (byte == ']') {
        state_ = State::cdata_section_end;
        return;
      }
      emit_bytes(begin_, begin_ + 1);
      return reconsume(State::cdata_section);
    case State::cdata_section_end:
      if (byte == ']') {
        emit_bytes(begin_, begin_ + 1);
        ++begin_;
        return;
      }
      if (byte == '>') {
        state_ = State::data;
        return;
      }
      emit_bytes(begin_, begin_ + 2);
      return reconsume(State::cdata_section);
    default:
      break;
  }
  emit_bytes(position_ - 1, position_);
}

void Tokenizer::step_tag(int byte) {
  switch (state_) {
    case State::tag_open:
      if (byte == '!') {
        state_ = State::markup_declaration_open;
      } else if (byte == '/') {
        state_ = State::end_tag_open;
      } else if (is_letter(byte)) {
        begin_tag(TokenKind::start_tag);
        reconsume(State::tag_name);
      } else if (byte == '?') {
        reconsume(State::bogus_comment);
      } else {
        emit_bytes(begin_, begin_ + 1);
        reconsume(State::data);
      }
      break;
    case State::end_tag_open:
      if (is_letter(byte)) {
        begin_tag(TokenKind::end_tag);
        reconsume(State::tag_name);
      } else if (byte == '>') {
        state_ = State::data;
      } else if (byte == end_of_page) {
        emit_bytes(begin_, begin_ + 2);
        reconsume(State::data);
      } else {
        reconsume(State::bogus_comment);
      }
      break;
    default:  // tag_name
      if (is_space(byte)) {
        state_ = State::before_attribute_name;
      } else if (byte == '/') {
        state_ = State::self_closing_start_tag;
      } else if (byte == '>') {
        state_ = State::data;
        emit_tag();
      } else if (byte == end_of_page) {
        reconsume(State::data);
      } else {
        add(tag_.name, folded(byte));
      }
  }
}

void Tokenizer::step_raw(int byte) {
  switch (state_) {
    case State::raw_less_than_sign:
      if (byte == '/') {
        buffer_.clear();
        state_ = State::raw_end_tag_open;
      } else if (byte == '!' && raw_ == State::script_data) {
        emit_bytes(begin_, begin_ + 2);
        state_ = State::script_data_escape_start;
      } else {
        emit_bytes(begin_, begin_ + 1);
        reconsume(raw_);
      }
      break;
    case State::raw_end_tag_open:
      if (is_letter(byte)) {
        begin_tag(TokenKind::end_tag);
        reconsume(State::raw_end_tag_name);
      } else {
        emit_bytes(begin_, begin_ + 2);
        reconsume(raw_);
      }
      break;
    default:  // raw_end_tag_name
      if (ends_name(byte) && tag_.name == last_start_tag_) {
        if (byte == '>') {
          state_ = State::data;
          emit_tag();
        } else {
          state_ = byte == '/' ? State::self_closing_start_tag : State::before_attribute_name;
        }
      } else if (is_letter(byte)) {
        tag_.name += folded(byte);
      } else {
        emit_bytes(begin_, position_ - 1);
        reconsume(raw_);
      }
  }
}

void Tokenizer::step_script(int byte) {
  const auto emit_this = [&] { emit_bytes(position_ - 1, position_); };
  const auto less_than_sign = [&](State state) {
    begin_ = position_ - 1;
    raw_ = State::script_data_escaped;
    state_ = state;
  };
  switch (state_) {
    case State::script_data_escape_start:
    case State::script_data_escape_start_dash:
      if (byte != '-') return reconsume(State::script_data);
      emit_this();
      state_ = state_ == State::script_data_escape_start ? State::script_data_escape_start_dash
                                                         : State::script_data_escaped_dash_dash;
      break;
    case State::script_data_escaped:
    case State::script_data_escaped_dash:
    case State::script_data_escaped_dash_dash:
      if (byte == end_of_page) return reconsume(State::data);
      if (byte == '<') return less_than_sign(State::script_data_escaped_less_than_sign);
      emit_this();
      if (byte == '-') {
        state_ = state_ == State::script_data_escaped ? State::script_data_escaped_dash
                                                      : State::script_data_escaped_dash_dash;
      } else if (byte == '>' && state_ == State::script_data_escaped_dash_dash) {
        state_ = State::script_data;
      } else {
        state_ = State::script_data_escaped;
      }
      break;
    case State::script_data_escaped_less_than_sign:
      if (byte == '/') {
        state_ = State::raw_end_tag_open;
      } else if (is_letter(byte)) {
        buffer_.clear();
        emit_bytes(begin_, begin_ + 1);
        reconsume(State::script_data_double_escape_start);
      } else {
        emit_bytes(begin_, begin_ + 1);
        reconsume(State::script_data_escaped);
      }
      break;
    case State::script_data_double_escape_start:
    case State::script_data_double_escape_end: {
      const bool start = state_ == State::script_data_double_escape_start;
      const State inside = State::script_data_double_escaped;
      const State outside = State::script_data_escaped;
      if (ends_name(byte)) {
        emit_this();
        state_ = (buffer_ == "script") == start ? inside : outside;
      } else if (is_letter(byte)) {
        emit_this();
        buffer_ += folded(byte);
      } else {
        reconsume(start ? outside : inside);
      }
      break;
    }
    case State::script_data_double_escaped:
    case State::script_data_double_escaped_dash:
    case State::script_data_double_escaped_dash_dash:
      if (byte == end_of_page) return reconsume(State::data);
      emit_this();
      if (byte == '-') {
        state_ = state_ == State::script_data_double_escaped
                     ? State::script_data_double_escaped_dash
                     : State::script_data_double_escaped_dash_dash;
      } else if (byte == '<') {
        state_ = State::script_data_double_escaped_less_than_sign;
      } else if (byte == '>' && state_ == State::script_data_double_escaped_dash_dash) {
        state_ = State::script_data;
      } else {
        state_ = State::script_data_double_escaped;
      }
      break;
    default:  // script_data_double_escaped_less_than_sign
      if (byte != '/') return reconsume(State::script_data_double_escaped);
      buffer_.clear();
      emit_this();
      state_ = State::script_data_double_escape_end;
  }
}

void Tokenizer::step_attribute(int byte) {
  if (byte == end_of_page) return reconsume(State::data);  // The tag is not emitted.
  const auto end_tag = [&] {
    state_ = State::data;
    emit_tag();
  };
  switch (state_) {
    case State::before_attribute_name:
      if (is_space(byte)) return;
      if (byte == '/' || byte == '>') return reconsume(State::after_attribute_name);
      begin_attribute();
      state_ = State::attribute_name;
      if (byte == '=') {
        attribute_.name += '=';
        return;
      }
      return reconsume(State::attribute_name);
    case State::attribute_name:
      if (ends_name(byte)) return reconsume(State::after_attribute_name);
      if (byte == '=') {
        state_ = State::before_attribute_value;
        return;
      }
      return add(attribute_.name, folded(byte));
    case State::after_attribute_name:
      if (is_space(byte)) return;
      if (byte == '/') {
        state_ = State::self_closing_start_tag;
      } else if (byte == '=') {
        state_ = State::before_attribute_value;
      } else if (byte == '>') {
        end_tag();
      } else {
        begin_attribute();
        reconsume(State::attribute_name);
      }
      return;
    case State::before_attribute_value:
      if (is_space(byte)) return;
      if (byte == '"') {
        state_ = State::attribute_value_double_quoted;
      } else if (byte == '\'') {
        state_ = State::attribute_value_single_quoted;
      } else if (byte == '>') {
        end_tag();
      } else {
        reconsume(State::attribute_value_unquoted);
      }
      return;
    case State::attribute_value_double_quoted:
    case State::attribute_value_single_quoted:
      if (byte == (state_ == State::attribute_value_double_quoted ? '"' : '\'')) {
        state_ = State::after_attribute_value_quoted;
        return;
      }
      return add_to_value(byte);
    case State::attribute_value_unquoted:
      if (is_space(byte)) {
        state_ = State::before_attribute_name;
      } else if (byte == '>') {
        end_tag();
      } else {
        add_to_value(byte);
      }
      return;
    case State::after_attribute_value_quoted:
      if (is_space(byte)) {
        state_ = State::before_attribute_name;
      } else if (byte == '/') {
        state_ = State::self_closing_start_tag;
      } else if (byte == '>') {
        end_tag();
      } else {
        reconsume(State::before_attribute_name);
      }
      return;
    default:  // self_closing_start_tag
      if (byte != '>') return reconsume(State::before_attribute_name);
      tag_.self_closing = true;
      end_tag();
  }
}

void Tokenizer::add_to_value(int byte) {
  if (byte == '&') return read_reference();
  add(attribute_.value, static_cast<char>(byte));
}

void Tokenizer::step_declaration(int byte) {
  switch (state_) {
    case State::markup_declaration_open:
      --position_;
      if (next_are("--")) {
        position_ += 2;
        state_ = State::comment_start;
      } else if (next_are("DOCTYPE")) {
        position_ += 7;
        state_ = State::doctype;
      } else if (foreign_ &&
                 page_.substr(std::min(position_, page_.size())).starts_with("[CDATA[")) {
        position_ += 7;
        state_ = State::cdata_section;
      } else {
        state_ = State::bogus_comment;
      }
      break;
    default:  // bogus_comment, doctype
      if (byte == end_of_page) {
        emit_other();
        reconsume(State::data);
      } else if (byte == '>') {
        emit_other();
        state_ = State::data;
      }
  }
}

void Tokenizer::step_comment(int byte) {
  const auto end_comment = [&] {
    emit_other();
    state_ = State::data;
  };
  if (byte == end_of_page && state_ != State::comment_less_than_sign &&
      state_ != State::comment_less_than_sign_bang &&
      state_ != State::comment_less_than_sign_bang_dash &&
      state_ != State::comment_less_than_sign_bang_dash_dash) {
    emit_other();
    return reconsume(State::data);
  }
  switch (state_) {
    case State::comment_start:
      if (byte == '-') {
        state_ = State::comment_start_dash;
      } else if (byte == '>') {
        end_comment();
      } else {
        reconsume(State::comment);
      }
      break;
    case State::comment_start_dash:
      if (byte == '-') {
        state_ = State::comment_end;
      } else if (byte == '>') {
        end_comment();
      } else {
        reconsume(State::comment);
      }
      break;
    case State::comment:
      if (byte == '<') {
        state_ = State::comment_less_than_sign;
      } else if (byte == '-') {
        state_ = State::comment_end_dash;
      }
      break;
    case State::comment_less_than_sign:
      if (byte == '!') {
        state_ = State::comment_less_than_sign_bang;
      } else if (byte != '<') {
        reconsume(State::comment);
      }
      break;
    case State::comment_less_than_sign_bang:
      if (byte == '-') {
        state_ = State::comment_less_than_sign_bang_dash;
      } else {
        reconsume(State::comment);
      }
      break;
    case State::comment_less_than_sign_bang_dash:
      if (byte == '-') {
        state_ = State::comment_less_than_sign_bang_dash_dash;
      } else {
        reconsume(State::comment_end_dash);
      }
      break;
    case State::comment_less_than_sign_bang_dash_dash:
      reconsume(State::comment_end);
      break;
    case State::comment_end_dash:
      if (byte == '-') {
        state_ = State::comment_end;
      } else {
        reconsume(State::comment);
      }
      break;
    case State::comment_end:
      if (byte == '>') {
        end_comment();
      } else if (byte == '!') {
        state_ = State::comment_end_bang;
      } else if (byte != '-') {
        reconsume(State::comment);
      }
      break;
    default:  // comment_end_bang
      if (byte == '-') {
        state_ = State::comment_end_dash;
      } else if (byte == '>') {
        end_comment();
      } else {
        reconsume(State::comment);
      }
  }
}

// ---- What a reader sees ----

namespace {

/// A token and how it is read.
struct Seen {
  Token token;
  std::size_t foreign = 0;  ///< svg and math that are open before it
  bool raw = false;         ///< in an element without elements
  bool hidden = false;
  bool tree = false;  ///< a tag of a shadow tree's template
};

const std::string* find_value(const Token& tag, std::string_view name) {
  for (const Token::Attribute& attribute : tag.attributes) {
    if (attribute.name == name) return &attribute.value;
  }
  return nullptr;
}

bool opens_template(const Seen& seen) {
  return seen.token.kind == TokenKind::start_tag && seen.foreign == 0 &&
         find_element(seen.token.name).role == Role::hides;
}

bool asks_for_tree(const Seen& seen) {
  std::string mode;
  if (const std::string* value = find_value(seen.token, "shadowrootmode")) mode = *value;
  for (char& c : mode) c = folded(c);
  return opens_template(seen) && (mode == "open" || mode == "closed");
}

/// The tokens of a page, in its order; none is hidden by a template yet.
class Tokens {
 public:
  explicit Tokens(std::string_view page) : tokenizer_(page) {}

  std::vector<Seen> read() {
    for (Token token = tokenizer_.next(); token.kind != TokenKind::end; token = tokenizer_.next()) {
      Seen seen{token, foreign_, raw_, false, false};
      if (token.kind == TokenKind::character) seen.hidden = raw_hidden_;
      if (token.kind == TokenKind::start_tag) start(token);
      if (token.kind == TokenKind::end_tag) end(token);
      all_.push_back(std::move(seen));
    }
    return std::move(all_);
  }

 private:
  void start(const Token& tag) {
    const Element& element = find_element(tag.name);
    if (element.role == Role::breaks_out) foreign_ = 0;
    if (element.role == Role::foreign && !tag.self_closing) ++foreign_;
    tokenizer_.set_foreign(foreign_ > 0);
    if (foreign_ > 0) {
      const bool raw = element.content == Content::script || element.content == Content::style;
      if (!raw || tag.self_closing) return;
    }
    raw_ = element.content != Content::markup;
    switch (element.content) {
      case Content::markup:
        break;
      case Content::script:
        raw_hidden_ = true;
        tokenizer_.enter(ContentState::script, tag.name);
        break;
      case Content::style:
      case Content::raw_hidden:
        raw_hidden_ = true;
        tokenizer_.enter(ContentState::rawtext, tag.name);
        break;
      case Content::raw_seen:
        tokenizer_.enter(ContentState::rawtext, tag.name);
        break;
      case Content::title:
        tokenizer_.enter(ContentState::rcdata, tag.name);
        break;
      case Content::plaintext:
        tokenizer_.enter(ContentState::plaintext, tag.name);
        break;
    }
  }

  void end(const Token& tag) {
    raw_ = raw_hidden_ = false;
    if (find_element(tag.name).role == Role::foreign && foreign_ > 0) --foreign_;
    tokenizer_.set_foreign(foreign_ > 0);
  }

  Tokenizer tokenizer_;
  std::vector<Seen> all_;
  std::size_t foreign_ = 0;
  bool raw_ = false;
  bool raw_hidden_ = false;
};

/// The tree of a page with its shadow trees, and its tokens as the tree shows them.
class Tree {
 public:
  explicit Tree(std::vector<Seen> tokens) : tokens_(std::move(tokens)) {}

  std::vector<Seen> flattened() {
    open_nodes_.push_back(&make_node(nullptr));
    for (Seen& seen : tokens_) add(seen);
    show(nodes_.front());
    return std::move(shown_);
  }

 private:
  struct Node;
  /// A token, or the element that it begins.
  struct Child {
    Seen seen;
    Node* node = nullptr;
    std::string slot;
    bool stray = false;  ///< no element and no text: it goes with the child before it, if any
  };
  struct Node {
    std::vector<Child> children;
    Node* tree = nullptr;  ///< its shadow tree
    Seen tree_begin;
    std::vector<Seen> tree_end;  ///< one, or none if the page ends before it
    std::size_t tree_place = 0;  ///< so many children stand before it
    Node* root = nullptr;        ///< the shadow tree it is in
    Node* host = nullptr;        ///< of a shadow tree
    bool slot = false;
    std::string name;  ///< of a slot
  };

  Node& make_node(Node* root) {
    Node& node = nodes_.emplace_back();
    node.root = root;
    return node;
  }

  Node& innermost() { return *open_nodes_.back(); }

  void follow(const OpenElements::Change& change, const Seen* end_tag) {
    if (change.begins_body) begin_element({}, "");
    while (open_nodes_.size() > change.kept + 1) {
      Node* const node = open_nodes_.back();
      open_nodes_.pop_back();
      const bool last = open_nodes_.size() == change.kept + 1;
      if (last && end_tag != nullptr && node->host != nullptr) {
        Seen end = *end_tag;
        end.tree = true;
        node->host->tree_end.push_back(end);
      }
    }
  }

  void begin_element(Seen seen, const std::string& slot) {
    Node* const root =
        open_nodes_.back()->host != nullptr ? open_nodes_.back() : open_nodes_.back()->root;
    Node& node = make_node(root);
    innermost().children.push_back({std::move(seen), &node, slot, false});
    open_nodes_.push_back(&node);
  }

  void add_leaf(const Seen& seen, const std::string& slot) {
    innermost().children.push_back({seen, nullptr, slot, false});
  }
  void add_stray(const Seen& seen) { innermost().children.push_back({seen, nullptr, "", true}); }

  void add(Seen& seen) {
    if (hidden_ > 0) {
      seen.hidden = true;
      if (opens_template(seen)) ++hidden_;
      const bool end = seen.token.kind == TokenKind::end_tag && seen.foreign == 0 &&
                       find_element(seen.token.name).role == Role::hides;
      if (end) --hidden_;
      return add_stray(seen);
    }
    switch (seen.token.kind) {
      case TokenKind::character:
        return add_character(seen);
      case TokenKind::start_tag:
        return add_start(seen);
      case TokenKind::end_tag:
        return add_end(seen);
      default:
        return add_stray(seen);
    }
  }

  void add_character(const Seen& seen) {
    const bool space = seen.token.text.size() == 1 && is_space(seen.token.text[0]) &&
                       seen.token.source.end - seen.token.source.begin == 1;
    if (seen.raw || (space && !open_.has_body())) return add_stray(seen);
    follow(open_.text(), nullptr);
    add_leaf(seen, "");
  }

  void add_start(Seen& seen) {
    const Token& tag = seen.token;
    if (asks_for_tree(seen) && open_.may_host() && innermost().tree == nullptr) {
      Node& host = innermost();
      Node& tree = make_node(nullptr);
      tree.host = &host;
      seen.tree = true;
      host.tree = &tree;
      host.tree_begin = seen;
      host.tree_place = host.children.size();
      open_.open_template();
      open_nodes_.push_back(&tree);
      return;
    }
    const Element& element = find_element(tag.name);
    const bool hides = opens_template(seen);
    const bool closed =
        hides || element.content != Content::markup || (tag.self_closing && seen.foreign > 0);
    const Around around = seen.foreign == 0                  ? Around::html
                          : element.role == Role::breaks_out ? Around::left_foreign
                                                             : Around::foreign;
    const OpenElements::Change change = open_.start(tag.name, closed, around);
    follow(change, nullptr);
    const std::string* const slot = find_value(tag, "slot");
    const std::string slot_name = slot == nullptr ? "" : *slot;
    if (hides) ++hidden_;
    if (!change.makes_child) return add_stray(seen);
    if (!change.opens) return add_leaf(seen, slot_name);
    begin_element(seen, slot_name);
    if (tag.name != "slot" || around == Around::foreign) return;
    innermost().slot = innermost().root != nullptr;
    if (const std::string* const name = find_value(tag, "name")) innermost().name = *name;
  }

  void add_end(const Seen& seen) {
    if (find_element(seen.token.name).role == Role::hides && seen.foreign > 0) {
      return add_stray(seen);
    }
    const std::size_t before = open_nodes_.size();
    const bool ends_tree = seen.token.name == "template";
    const OpenElements::Change change = open_.end(seen.token.name);
    follow(change, &seen);
    if (ends_tree && open_nodes_.size() < before) return;
    if (change.makes_child) return add_leaf(seen, "");
    add_stray(seen);
  }

  /// The slots of a tree, in its order.
  void find_slots(Node& node, std::vector<Node*>& slots) {
    for (Child& child : node.children) {
      if (child.node == nullptr) continue;
      if (child.node->slot) slots.push_back(child.node);
      find_slots(*child.node, slots);
    }
  }

  /// The children of the host of a slot's tree that it shows.
  std::vector<const Child*> assigned(const Node& slot) {
    std::vector<Node*> slots;
    find_slots(*slot.root, slots);
    const auto first =
        std::ranges::find_if(slots, [&](const Node* other) { return other->name == slot.name; });
    std::vector<const Child*> found;
    if (*first != &slot) return found;
    const Node& host = *slot.root->host;
    const Child* before = nullptr;
    for (std::size_t i = 0; i < host.children.size(); ++i) {
      const Child& child = host.children[i];
      if (i == host.tree_place) before = nullptr;
      if (!child.stray) before = &child;
      if (before != nullptr && before->slot == slot.name) found.push_back(&child);
    }
    return found;
  }

  void show(const Child& child) {
    if (child.node == nullptr || child.seen.token.kind != TokenKind::end) {
      shown_.push_back(child.seen);
    }
    if (child.node != nullptr) show(*child.node);
  }

  void show(const Node& node) {
    if (node.tree != nullptr) {
      shown_.push_back(node.tree_begin);
      show(*node.tree);
      shown_.insert(shown_.end(), node.tree_end.begin(), node.tree_end.end());
      return;
    }
    if (node.slot) {
      const std::vector<const Child*> taken = assigned(node);
      for (const Child* child : taken) show(*child);
      if (!taken.empty()) return;
    }
    for (const Child& child : node.children) show(child);
  }

  std::vector<Seen> tokens_;
  std::vector<Seen> shown_;
  std::deque<Node> nodes_;
  std::vector<Node*> open_nodes_;  ///< of the page, then those of open_
  OpenElements open_;
  std::size_t hidden_ = 0;  ///< templates that are open and hidden
};

class Page {
 public:
  explicit Page(std::string_view page, int frames = 0) : page_(page), frames_(frames) {}

  ReferenceText read() {
    for (const Seen& seen : Tree(Tokens(page_).read()).flattened()) {
      hidden_ = seen.hidden;
      foreign_ = seen.foreign;
      if (!seen.raw) close("title", Open::Kind::title);
      if (seen.tree) break_line(seen.token);
      switch (seen.token.kind) {
        case TokenKind::character:
          if (!hidden_) add_text(seen.token.text, seen.token.source);
          break;
        case TokenKind::start_tag:
          start(seen.token);
          break;
        case TokenKind::end_tag:
          end(seen.token);
          break;
        default:
          break;
      }
    }
    for (Open& open : open_) close(open);
    out_.fields.spans.assign(spans_.begin(), spans_.end());
    out_.fields.links.assign(links_.begin(), links_.end());
    return std::move(out_);
  }

 private:
  void add_text(std::string_view text, TokenOffsets source) {
    out_.text += text;
    out_.sources.insert(out_.sources.end(), text.size(), source);
  }

  void stand_apart(const Element& element, const Token& tag) {
    if (!element.apart || hidden_) return;
    if (!out_.text.empty() && out_.text.back() != '\n') add_text("\n", tag.source);
  }

  /// A link, a span or the title, from its start tag on.
  struct Open {
    std::string name;
    TokenOffsets* text = nullptr;
    enum class Kind : std::uint8_t { span, link, title } kind = Kind::span;
  };

  std::uint32_t size() const { return static_cast<std::uint32_t>(out_.text.size()); }

  void close(Open& open) {
    if (open.text != nullptr) open.text->end = size();
    open.text = nullptr;
  }

  /// Ends the last open one of that name and kind.
  void close(std::string_view name, Open::Kind kind) {
    while (!open_.empty() && open_.back().text == nullptr) open_.pop_back();
    for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
      if (open->text == nullptr || open->name != name || open->kind != kind) continue;
      return close(*open);
    }
  }

  void note_start(const Element& element, const Token& tag) {
    if (hidden_) return;
    const TokenOffsets here{size(), size()};
    if (element.tag != html::Tag::none) {
      spans_.push_back({element.tag, here});
      open_.push_back({tag.name, &spans_.back().text, Open::Kind::span});
    }
    if (element.tag == html::Tag::a) {
      close("a", Open::Kind::link);
      for (const Token::Attribute& attribute : tag.attributes) {
        if (attribute.name != "href") continue;
        links_.push_back({attribute.value, here});
        open_.push_back({tag.name, &links_.back().text, Open::Kind::link});
      }
    }
    if (tag.name == "title" && foreign_ == 0 && !titled_) {
      titled_ = true;
      out_.fields.title = here;
      open_.push_back({tag.name, &out_.fields.title, Open::Kind::title});
    }
  }

  void note_end(const Token& tag) {
    if (hidden_) return;
    for (const auto kind : {Open::Kind::span, Open::Kind::link, Open::Kind::title}) {
      close(tag.name, kind);
    }
  }

  void start(const Token& tag) {
    const Element& element = find_element(tag.name);
    if (element.role == Role::breaks_out) foreign_ = 0;
    stand_apart(element, tag);
    note_start(element, tag);
    read_frame(tag);
  }

  void break_line(const Token& tag) {
    if (!out_.text.empty() && out_.text.back() != '\n') add_text("\n", tag.source);
  }

  /// The text of a page within the page; its fields are its own.
  void read_frame(const Token& tag) {
    if (tag.name != "iframe" || foreign_ > 0 || hidden_ || frames_ == 3) return;
    const std::string* const source = find_value(tag, "srcdoc");
    if (source == nullptr || source->empty()) return;
    add_text(Page(*source, frames_ + 1).read().text, tag.source);
    break_line(tag);
  }

  void end(const Token& tag) {
    note_end(tag);
    stand_apart(find_element(tag.name), tag);
  }

  std::string_view page_;
  ReferenceText out_;
  std::deque<HtmlSpan> spans_;  ///< whose elements stay where they are
  std::deque<HtmlLink> links_;
  std::vector<Open> open_;
  bool titled_ = false;
  bool hidden_ = false;      ///< in a template
  std::size_t foreign_ = 0;  ///< svg and math that are open
  int frames_ = 0;           ///< around this page
};

}  // namespace

ReferenceText html_reference(std::string_view page) { return Page(page).read(); }

}  // namespace twinset::html
