// One walk over the fields for writing and one for reading, with an overload for each kind of
// member. The overloads take pointers as FieldMember holds them, never to const, or a template
// would be chosen in their place.
//
// This file's interface is io/field_json.h and twinset/json.h; the rest is private.
#include "io/field_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "io/json.h"
#include "twinset/json.h"

namespace twinset {
namespace {

constexpr std::size_t digits = 20;  ///< at most, of a whole number

/// Is there a key of that name in JSON?
bool is_written(const Field& field) {
  return field.presence != Presence::left_out && !std::holds_alternative<FieldRule>(field.member) &&
         !std::holds_alternative<Restored>(field.member);
}

/// Is the value anything but empty, 0, false or null?
struct IsSet {
  bool operator()(bool* value) const { return *value; }
  bool operator()(std::uint64_t* value) const { return *value != 0; }
  bool operator()(unsigned* value) const { return *value != 0; }
  bool operator()(double* value) const { return *value != 0; }
  bool operator()(Real value) const { return *value.value != 0; }
  bool operator()(Ratio* value) const { return value->numerator() != 0; }
  bool operator()(std::string* value) const { return !value->empty(); }
  bool operator()(std::string_view* value) const { return !value->empty(); }
  bool operator()(AsWritten value) const { return !value.json->empty(); }
  bool operator()(const Choice& value) const { return value.get() != Choice::unset; }
  bool operator()(const TextForm& value) const { return !value.get().empty(); }
  bool operator()(const JsonForm& value) const { return !value.get().empty(); }
  bool operator()(const Computed& value) const {
    Computed::Value computed = value.get();
    return std::visit([this](auto& of_type) { return (*this)(&of_type); }, computed);
  }
  template <class T>
  bool operator()(std::optional<T>* value) const {
    return value->has_value();
  }
  template <class T>
  bool operator()(std::vector<T>* value) const {
    return !value->empty();
  }
  bool operator()(const Nested&) const { return true; }
  bool operator()(const OptionalNested& value) const { return value.has_value(); }
  bool operator()(const NestedList& value) const { return value.size() != 0; }
  bool operator()(const NestedMap& value) const { return value.size() != 0; }
  bool operator()(const NumberRows& value) const { return value.size() != 0; }
  bool operator()(const FieldRule&) const { return false; }
  bool operator()(const Restored&) const { return false; }
};

class FieldWriter {
 public:
  explicit FieldWriter(std::string& out) : out_(out) {}

  void object(const std::vector<Field>& fields, JsonLayout layout) {
    const bool lines = layout == JsonLayout::lines;
    out_ += lines ? "{\n  " : "{";
    bool first = true;
    for (const Field& field : fields) {
      if (!is_written(field)) continue;
      if (field.presence == Presence::if_set && !std::visit(IsSet(), field.member)) continue;
      if (!first) out_ += lines ? ",\n  " : ", ";
      first = false;
      key(field.name);
      value(field);
    }
    out_ += lines ? "\n}\n" : "}";
  }

  void value(const Field& field) {
    sentence_ = field.unit == Unit::sentence;
    std::visit(*this, field.member);
  }

  void operator()(bool* value) { out_ += *value ? "true" : "false"; }
  void operator()(std::uint64_t* value) { number(*value); }
  void operator()(unsigned* value) { number(*value); }
  void operator()(double* value) { append_json_real(out_, *value); }
  void operator()(Real value) {
    if (!std::isfinite(*value.value)) {
      out_ += "null";
    } else if (value.digits == Real::Digits::two) {
      fmt::format_to(std::back_inserter(out_), "{:.2g}", *value.value);
    } else {
      fmt::format_to(std::back_inserter(out_), "{}", *value.value);
    }
  }
  void operator()(Ratio* value) { append_json_string(out_, value->text()); }
  void operator()(std::string* value) {
    append_json_string(out_, sentence_ ? render_message(Door::plain, *value) : *value);
  }
  void operator()(std::string_view* value) { append_json_string(out_, *value); }
  void operator()(AsWritten value) {
    out_ += value.json->empty() ? std::string_view("null") : *value.json;
  }
  void operator()(const Choice& value) {
    const std::size_t word = value.get();
    if (word == Choice::unset) {
      out_ += "null";
    } else {
      append_json_string(out_, value.words[word]);
    }
  }
  void operator()(const TextForm& value) { append_json_string(out_, value.get()); }
  void operator()(const JsonForm& value) {
    const std::string json = value.get();
    out_ += json.empty() ? "null" : json;
  }
  void operator()(const Computed& value) {
    Computed::Value computed = value.get();
    std::visit([this](auto& of_type) { (*this)(&of_type); }, computed);
  }
  template <class T>
  void operator()(std::optional<T>* value) {
    if (value->has_value()) {
      (*this)(&**value);
    } else {
      out_ += "null";
    }
  }
  void operator()(std::vector<std::string>* list) { each(*list, ","); }
  template <class T>
  void operator()(std::vector<T>* list) {
    each(*list, ", ");
  }
  void operator()(const Nested& value) {
    if (value.made != nullptr) return nested(*value.made, value.form);
    nested(value.fields(), value.form);
  }
  void operator()(const OptionalNested& value) {
    if (value.has_value()) {
      object(value.fields(), JsonLayout::one_line);
    } else {
      out_ += "null";
    }
  }
  void operator()(const NestedList& list) {
    const bool lines = list.layout == ListLayout::lines;
    out_ += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (lines) {
        out_ += i > 0 ? ",\n    " : "\n    ";
      } else if (i > 0) {
        out_ += ", ";
      }
      nested(list.fields(i),
             list.layout == ListLayout::rows ? NestedForm::row : NestedForm::object);
    }
    out_ += ']';
  }
  void operator()(const NestedMap& map) {
    out_ += '{';
    for (std::size_t i = 0; i < map.size(); ++i) {
      if (i > 0) out_ += ", ";
      key(*map.name_of(i));
      object(map.fields(i), JsonLayout::one_line);
    }
    out_ += '}';
  }
  void operator()(const NumberRows& rows) {
    out_ += '[';
    std::array<char, NumberRows::most_columns*(digits + 2)> row;  // Appended at once.
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const NumberRows::Numbers numbers = rows.get(i);
      out_ += i > 0 ? ", [" : "[";
      char* end = row.data();
      for (std::size_t column = 0; column < rows.columns.size(); ++column) {
        if (column > 0) *end++ = ',', *end++ = ' ';
        end = std::to_chars(end, end + digits, numbers[column]).ptr;
      }
      out_.append(row.data(), end);
      out_ += ']';
    }
    out_ += ']';
  }
  void operator()(const FieldRule&) {}
  void operator()(const Restored&) {}

 private:
  void key(std::string_view name) {
    append_json_string(out_, name);
    out_ += ": ";
  }
  void nested(const std::vector<Field>& fields, NestedForm form) {
    if (form == NestedForm::object) return object(fields, JsonLayout::one_line);
    out_ += '[';
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) out_ += ", ";
      value(fields[i]);
    }
    out_ += ']';
  }
  void number(std::uint64_t value) {
    std::array<char, digits> text;
    out_.append(text.data(), std::to_chars(text.begin(), text.end(), value).ptr);
  }
  template <class T>
  void each(std::vector<T>& list, std::string_view separator) {
    out_ += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out_ += separator;
      (*this)(&list[i]);
    }
    out_ += ']';
  }

  std::string& out_;
  bool sentence_ = false;  ///< the field that is written holds sentences
};

/// Empties a value that is not in the JSON.
struct Clear {
  template <class T>
  void operator()(T* value) const {
    *value = T();
  }
  void operator()(Real value) const { *value.value = 0; }
  void operator()(AsWritten value) const { *value.json = {}; }
  void operator()(const Choice& value) const {
    if (value.reset) value.reset();
  }
  void operator()(const TextForm& value) const { value.set({}); }
  void operator()(const JsonForm&) const {}
  void operator()(const Computed&) const {}
  void operator()(const Nested&) const {}
  void operator()(const OptionalNested& value) const { value.reset(); }
  void operator()(const NestedList& value) const { value.resize(0); }
  void operator()(const NestedMap& value) const { value.resize(0); }
  void operator()(const NumberRows& value) const { value.clear(); }
  void operator()(const FieldRule&) const {}
  void operator()(const Restored&) const {}
};

/// Stops at the first error and keeps it.
class FieldReader {
 public:
  /// `decoded` holds strings of a line; null if `text` is no line.
  FieldReader(std::string_view text, const std::string& what,
              std::deque<std::string>* decoded = nullptr)
      : text_(text), what_(what), decoded_(decoded) {}

  const Status& status() const { return status_; }

  /// By value: node_ changes meanwhile.
  void object(JsonNode node, const std::vector<Field>& fields) {
    if (!is(node, JsonKind::object)) return;
    std::vector<JsonNode> found(fields.size());
    node.walk([&](std::string_view key, const JsonNode& value) {
      const std::size_t i = find(fields, key.substr(1, key.size() - 2));
      if (i == fields.size()) return true;
      if (found[i]) {
        const Step step(*this, fields[i].name);
        fail(value, "is given twice");
        return false;
      }
      found[i] = value;
      return true;
    });
    for (std::size_t i = 0; i < fields.size() && status_.ok(); ++i) {
      if (is_written(fields[i])) take(node, fields[i], found[i]);
    }
    for (std::size_t i = 0; i < fields.size() && status_.ok(); ++i) {
      check(node, fields[i], found[i]);
    }
  }

  void operator()(bool* value) {
    if (is(node_, JsonKind::boolean)) *value = node_.boolean().value_or(false);
  }
  void operator()(std::uint64_t* value) { whole(value); }
  void operator()(unsigned* value) { whole(value); }
  void operator()(double* value) {
    // Written for a number that is not finite.
    if (node_.kind() == JsonKind::null) {
      *value = std::numeric_limits<double>::quiet_NaN();
      return;
    }
    const std::optional<double> number = node_.real();
    if (!number.has_value()) return fail(node_, "is not a number in range");
    *value = *number;
  }
  void operator()(Real value) { (*this)(value.value); }
  void operator()(Ratio* value) {
    const Result<Ratio> ratio = Ratio::parse(node_.text());
    if (!ratio.ok()) return fail(node_, "is not a share as a string");
    *value = ratio.value();
  }
  void operator()(std::string* value) {
    if (is(node_, JsonKind::string)) *value = node_.text();
  }
  void operator()(std::string_view* value) {
    if (!is(node_, JsonKind::string)) return;
    const std::string_view raw = node_.raw();
    *value = raw.substr(1, raw.size() - 2);
    if (value->find('\\') == value->npos) return;
    assert(decoded_ != nullptr);
    *value = decoded_->emplace_back(node_.text());
  }
  void operator()(AsWritten value) { *value.json = node_.raw(); }
  void operator()(const Choice& value) {
    if (node_.kind() == JsonKind::null && value.reset) return value.reset();
    const std::string word = node_.text();
    const auto found = std::find(value.words.begin(), value.words.end(), word);
    if (node_.kind() != JsonKind::string || found == value.words.end()) {
      return fail(node_, "is not a known word");
    }
    value.set(static_cast<std::size_t>(found - value.words.begin()));
  }
  void operator()(const TextForm& value) {
    if (!is(node_, JsonKind::string)) return;
    if (!value.set(node_.text())) fail(node_, "is not a known value");
  }
  void operator()(const JsonForm& value) {
    if (const Status set = value.set(node_.raw()); !set.ok()) fail(node_, set.error().message);
  }
  void operator()(const Computed&) {}  // check() compares it.
  template <class T>
  void operator()(std::optional<T>* value) {
    if (node_.kind() == JsonKind::null) {
      value->reset();
    } else {
      (*this)(&value->emplace());
    }
  }
  template <class T>
  void operator()(std::vector<T>* list) {
    list->clear();
    each_element([&](std::size_t) { (*this)(&list->emplace_back()); });
  }
  void operator()(const Nested& value) {
    if (value.made != nullptr) return nested(*value.made, value.form);
    nested(value.fields(), value.form);
  }
  void operator()(const OptionalNested& value) {
    if (node_.kind() == JsonKind::null) return value.reset();
    value.make();
    object(node_, value.fields());
  }
  void operator()(const NestedList& list) {
    list.resize(0);
    each_element([&](std::size_t i) {
      list.resize(i + 1);
      nested(list.fields(i),
             list.layout == ListLayout::rows ? NestedForm::row : NestedForm::object);
    });
  }
  void operator()(const NestedMap& map) {
    if (!is(node_, JsonKind::object)) return;
    map.resize(0);
    std::size_t i = 0;
    for (const auto& [name, value] : node_.fields()) {
      const Step step(*this, name);
      map.resize(i + 1);
      object(value, map.fields(i));
      *map.name_of(i++) = name;
      if (!status_.ok()) return;
    }
  }
  void operator()(const NumberRows& rows) {
    rows.clear();
    each_element([&](std::size_t) {
      NumberRows::Numbers numbers{};
      const JsonNode row = node_;
      each_of(rows.columns.size(), [&](std::size_t column) { whole(&numbers[column]); });
      if (status_.ok() && !rows.add(numbers)) fail(row, "has numbers that cannot be");
    });
  }
  void operator()(const FieldRule&) {}
  void operator()(const Restored&) {}

 private:
  /// Adds a name to the path for as long as it lives.
  class Step {
   public:
    Step(FieldReader& reader, std::string_view name) : path_(reader.path_), before_(path_.size()) {
      if (!path_.empty()) path_ += '.';
      path_ += name;
    }
    Step(FieldReader& reader, std::size_t element) : path_(reader.path_), before_(path_.size()) {
      path_ += "[" + std::to_string(element) + "]";
    }
    ~Step() { path_.resize(before_); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    std::string& path_;
    std::size_t before_;
  };

  static std::size_t find(const std::vector<Field>& fields, std::string_view key) {
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) {
      return is_written(field) && json_key_is(key, field.name);
    });
    return static_cast<std::size_t>(found - fields.begin());
  }

  void take(const JsonNode& object, const Field& field, const JsonNode& value) {
    const Step step(*this, field.name);
    if (value) {
      node_ = value;
      std::visit(*this, field.member);
    } else if (field.presence == Presence::always) {
      fail(object, "is missing");
    } else if (field.presence != Presence::if_given) {
      std::visit(Clear(), field.member);
    }
  }

  /// After all fields of the object: what follows from them, and what must hold between them.
  void check(const JsonNode& object, const Field& field, const JsonNode& value) {
    if (field.presence == Presence::left_out) return;
    if (const auto* computed = std::get_if<Computed>(&field.member)) {
      const Step step(*this, field.name);
      // Rounding moves a number that is not whole.
      const Computed::Value follows = computed->get();
      if (std::holds_alternative<double>(follows)) return;
      if (std::holds_alternative<std::optional<double>>(follows)) return;
      if (value ? value.raw() != value_json(field) : IsSet()(*computed)) {
        fail(value ? value : object,
             "does not agree with the fields beside it, which make " + value_json(field));
      }
    } else if (const auto* rule = std::get_if<FieldRule>(&field.member)) {
      if (!rule->holds()) fail(object, "does not hold: " + std::string(field.name));
    } else if (const auto* restored = std::get_if<Restored>(&field.member)) {
      restored->set();
    }
  }

  /// node_ as an object, or as an array of the values in order.
  void nested(const std::vector<Field>& fields, NestedForm form) {
    if (form == NestedForm::object) return object(node_, fields);
    each_of(fields.size(), [&](std::size_t i) { std::visit(*this, fields[i].member); });
  }

  /// `use(i)` with each of the elements, which are `size`.
  template <class Use>
  void each_of(std::size_t size, const Use& use) {
    const JsonNode array = node_;
    std::size_t values = 0;
    each_element([&](std::size_t i) {
      if (i < size) use(i);
      ++values;
    });
    if (status_.ok() && values != size) {
      fail(array, "does not have " + std::to_string(size) + " values");
    }
  }

  template <class Number>
  void whole(Number* value) {
    const std::optional<std::uint64_t> number = node_.integer();
    if (!number.has_value() || !std::in_range<Number>(*number)) {
      return fail(node_, "is not a whole number from 0 to " +
                             std::to_string(std::numeric_limits<Number>::max()));
    }
    *value = static_cast<Number>(*number);
  }

  /// `use(i)` with each element as node_.
  template <class Use>
  void each_element(const Use& use) {
    if (!is(node_, JsonKind::array)) return;
    std::size_t i = 0;
    const JsonNode array = node_;
    array.walk([&](std::string_view, const JsonNode& element) {
      const Step step(*this, i);
      node_ = element;
      use(i++);
      return status_.ok();
    });
  }

  bool is(const JsonNode& node, JsonKind kind) {
    if (node.kind() == kind) return true;
    fail(node, "is not " + std::string(json_kind_name(kind)));
    return false;
  }

  void fail(const JsonNode& node, const std::string& why) {
    if (!status_.ok()) return;
    const auto byte = node.raw().data() - text_.data();
    const auto line = 1 + std::count(text_.begin(), text_.begin() + byte, '\n');
    status_ = io_error(fmt::format("{} is damaged, or of another version: {}byte {}: {} {}", what_,
                                   decoded_ != nullptr ? "" : fmt::format("line {}, ", line), byte,
                                   path_.empty() ? "it" : path_, why));
  }

  std::string_view text_;
  const std::string& what_;
  std::deque<std::string>* decoded_;
  Status status_;
  JsonNode node_;     ///< the value that is read now
  std::string path_;  ///< its name: "files[3].lines"
};

}  // namespace

std::string fields_json(const std::vector<Field>& fields, JsonLayout layout) {
  std::string out;
  FieldWriter(out).object(fields, layout);
  return out;
}

std::string to_json(const std::vector<Field>& fields) { return fields_json(fields); }

void append_fields(std::string& out, const std::vector<Field>& fields) {
  FieldWriter(out).object(fields, JsonLayout::one_line);
}

std::vector<Field> made_once(std::vector<Field> fields, std::deque<std::vector<Field>>& nested) {
  for (Field& field : fields) {
    if (auto* value = std::get_if<Nested>(&field.member)) {
      value->made = &nested.emplace_back(made_once(value->fields(), nested));
    }
  }
  return fields;
}

Status read_line(const JsonNode& object, std::string_view line, const std::string& what,
                 const std::vector<Field>& fields, std::deque<std::string>& decoded) {
  FieldReader reader(line, what, &decoded);
  reader.object(object, fields);
  return reader.status();
}

std::string value_json(const Field& field) {
  std::string out;
  FieldWriter writer(out);
  writer.value(field);
  return out;
}

Status read_fields(std::string_view text, const std::string& what,
                   const std::vector<Field>& fields) {
  TWINSET_ASSIGN(const JsonNode root, read_json(text, what));
  return read_fields(text, what, root, fields);
}

Status read_fields(std::string_view text, const std::string& what, const JsonNode& object,
                   const std::vector<Field>& fields) {
  FieldReader reader(text, what);
  reader.object(object, fields);
  return reader.status();
}

Result<std::string> read_result_file(FileSystem& files, const std::string& path) {
  return read_whole_file(files, path, most_result_bytes);
}

}  // namespace twinset
