// Every layout is read by the same three steps: the column is found in the schema, its values are
// taken as views, and the arrays are held as long as these. This file's interface is texts.h; the
// rest is private.
#include "texts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "door.h"

namespace twinset::python {
namespace {

using namespace std::string_view_literals;

constexpr std::int64_t inline_bytes = 12;  ///< of a value that stands in its view

[[noreturn]] void refuse_type(const std::string& message) { throw nb::type_error(message.c_str()); }
[[noreturn]] void refuse(std::string message) { raise(usage_error(std::move(message))); }

/// Producers may leave the name out.
std::string_view name_of(const ArrowSchema& schema) {
  return schema.name != nullptr ? schema.name : "";
}

/// A released struct has nothing to read: its producer may hand each on once.
template <class Struct>
void check_held(const Struct& made, const char* what) {
  if (made.release != nullptr) return;
  refuse(std::string(what) + " was already taken by another reader: make it anew");
}

/// Bitmap, then offsets or views or values, then bytes.
std::int64_t least_buffers(const ArrowSchema& schema) {
  if (schema.dictionary != nullptr) return 2;
  switch (schema.format[0]) {
    case 'u':
    case 'U':
    case 'z':
    case 'Z':
    case 'v':
      return 3;
    case '+':
      return schema.format[1] == 's' ? 1 : 0;
    default:
      return schema.format[0] == 'n' ? 0 : 2;
  }
}

/// What can be seen of an array before its values are read: a wrong count would be read as memory
/// of others. `rows`: that its values must reach to.
void check_made(const ArrowSchema& schema, const ArrowArray& array, std::int64_t rows) {
  const bool has_words = array.dictionary != nullptr;
  if (array.length >= rows && rows >= 0 && array.offset >= 0 &&
      array.n_children == schema.n_children && has_words == (schema.dictionary != nullptr) &&
      array.n_buffers >= least_buffers(schema)) {
    if (has_words) check_made(*schema.dictionary, *array.dictionary, 0);
    return;
  }
  refuse("an array of Arrow has other parts than its type says: the library that made it is wrong");
}

/// "'title', 'body'", at most twenty.
std::string names_of(const ArrowSchema& schema) {
  constexpr std::int64_t most = 20;
  std::string names;
  for (std::int64_t i = 0; i < std::min(schema.n_children, most); ++i) {
    names += (i > 0 ? ", '" : "'") + std::string(name_of(*schema.children[i])) + "'";
  }
  if (schema.n_children > most) names += ", ...";
  return names.empty() ? "none" : names;
}

bool is_text(std::string_view format) {
  constexpr std::array layouts{"u"sv, "U"sv, "z"sv, "Z"sv, "vu"sv, "vz"sv};
  return std::ranges::find(layouts, format) != layouts.end();
}

/// Numbers, truth values and times, which ids and fields may be.
bool is_scalar(std::string_view format) {
  return (format.size() == 1 && "bcCsSiIlLfg"sv.find(format[0]) != std::string_view::npos) ||
         format == "tdD" || format == "tdm" || format.starts_with("ts");
}

/// The type in words, as in "a column of numbers".
std::string type_name(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr) return "a dictionary of " + type_name(*schema.dictionary);
  if (format == "n") return "nulls without a type";
  if (format == "b") return "truth values";
  if (format == "+r") return "run-end encoded values";
  if (format == "+s") return "structs";
  if (format.starts_with("+l") || format.starts_with("+L") || format.starts_with("+v") ||
      format.starts_with("+w")) {
    return "lists";
  }
  if (format.starts_with("w:")) return "binary values of a fixed width";
  if (format.starts_with("t")) return "dates or times";
  if (is_scalar(format) || format == "e" || format.starts_with("d:")) return "numbers";
  if (is_text(format)) return "texts";
  return "values of Arrow's format '" + std::string(format) + "'";
}

/// Reads values of one column of one array, where value i counts from the start of the buffers.
class Values {
 public:
  Values(const ArrowSchema& schema, const ArrowArray& array)
      : format_(schema.format), array_(array) {
    if (schema.dictionary == nullptr) return;
    words_.emplace(Words{schema.dictionary->format, *array.dictionary});
  }

  bool has(std::int64_t i) const {
    const auto* const bits = static_cast<const std::uint8_t*>(array_.buffers[0]);
    return array_.null_count == 0 || bits == nullptr || (bits[i / 8] >> i % 8 & 1) != 0;
  }

  void take(std::int64_t i, Strings& out) const {
    if (!has(i)) return out.add_missing();
    if (!words_.has_value()) return take_plain(format_, array_, i, out);
    const Values words(words_->format, words_->array);
    const std::int64_t word = words_->array.offset + index(i);
    if (index(i) < 0 || index(i) >= words_->array.length)
      refuse("a dictionary's index has no value");
    if (!words.has(word)) return out.add_missing();
    take_plain(words_->format, words_->array, word, out);
  }

 private:
  struct Words {
    std::string_view format;
    const ArrowArray& array;
  };

  Values(std::string_view format, const ArrowArray& array) : format_(format), array_(array) {}

  template <class T>
  static T at(const ArrowArray& array, std::int64_t i) {
    T value;
    std::memcpy(&value, static_cast<const char*>(array.buffers[1]) + i * sizeof(T), sizeof(T));
    return value;
  }

  std::int64_t index(std::int64_t i) const {
    switch (format_[0]) {
      case 'c':
        return at<std::int8_t>(array_, i);
      case 'C':
        return at<std::uint8_t>(array_, i);
      case 's':
        return at<std::int16_t>(array_, i);
      case 'S':
        return at<std::uint16_t>(array_, i);
      case 'i':
        return at<std::int32_t>(array_, i);
      case 'I':
        return at<std::uint32_t>(array_, i);
      default:
        return at<std::int64_t>(array_, i);
    }
  }

  template <class Offset>
  static std::string_view between_offsets(const ArrowArray& array, std::int64_t i) {
    const Offset begin = at<Offset>(array, i);
    const Offset end = at<Offset>(array, i + 1);
    if (begin < 0 || end < begin) refuse("the offsets of a column of texts fall");
    if (begin == end) return "";
    return {static_cast<const char*>(array.buffers[2]) + begin,
            static_cast<std::size_t>(end - begin)};
  }

  static std::string_view in_view(const ArrowArray& array, std::int64_t i) {
    const auto* const view = static_cast<const char*>(array.buffers[1]) + 16 * i;
    const auto bytes = at<std::int32_t>(array, 4 * i);
    if (bytes <= inline_bytes) return {view + 4, static_cast<std::size_t>(std::max(bytes, 0))};
    const auto buffer = at<std::int32_t>(array, 4 * i + 2);
    const auto begin = at<std::int32_t>(array, 4 * i + 3);
    // The last buffer has the sizes of those between.
    if (buffer < 0 || buffer >= array.n_buffers - 3 || begin < 0) {
      refuse("a view of a column of texts names a buffer that is not there");
    }
    return {static_cast<const char*>(array.buffers[2 + buffer]) + begin,
            static_cast<std::size_t>(bytes)};
  }

  static void take_plain(std::string_view format, const ArrowArray& array, std::int64_t i,
                         Strings& out) {
    switch (format[0]) {
      case 'u':
      case 'z':
        return out.add(between_offsets<std::int32_t>(array, i));
      case 'U':
      case 'Z':
        return out.add(between_offsets<std::int64_t>(array, i));
      case 'v':
        return out.add(in_view(array, i));
      default:
        return out.add_own(scalar(format, array, i));
    }
  }

  static std::string real(double value) {
    std::array<char, 40> text;
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
  }

  static std::string scalar(std::string_view format, const ArrowArray& array, std::int64_t i) {
    switch (format[0]) {
      case 'b':
        return at<std::uint8_t>(array, i / 8) >> i % 8 & 1 ? "true" : "false";
      case 'c':
        return std::to_string(at<std::int8_t>(array, i));
      case 'C':
        return std::to_string(at<std::uint8_t>(array, i));
      case 's':
        return std::to_string(at<std::int16_t>(array, i));
      case 'S':
        return std::to_string(at<std::uint16_t>(array, i));
      case 'i':
        return std::to_string(at<std::int32_t>(array, i));
      case 'I':
        return std::to_string(at<std::uint32_t>(array, i));
      case 'l':
        return std::to_string(at<std::int64_t>(array, i));
      case 'L':
        return std::to_string(at<std::uint64_t>(array, i));
      case 'f': {
        std::array<char, 40> text;
        return {text.data(),
                std::to_chars(text.data(), text.data() + text.size(), at<float>(array, i)).ptr};
      }
      case 'g':
        return real(at<double>(array, i));
      default:
        return time(format, array, i);
    }
  }

  /// ISO 8601, in UTC, with a fraction of a second where it is not 0.
  static std::string time(std::string_view format, const ArrowArray& array, std::int64_t i) {
    using namespace std::chrono;
    constexpr std::int64_t day = 86400;
    if (format == "tdD") return date(at<std::int32_t>(array, i));
    const std::int64_t value = at<std::int64_t>(array, i);
    int digits = 0;
    if (format == "tdm" || format.starts_with("tsm")) digits = 3;
    if (format.starts_with("tsu")) digits = 6;
    if (format.starts_with("tsn")) digits = 9;
    std::int64_t a_second = 1;
    for (int place = 0; place < digits; ++place) a_second *= 10;
    const std::int64_t seconds = value / a_second - (value % a_second < 0 ? 1 : 0);
    const std::int64_t fraction = (value % a_second + a_second) % a_second;
    const std::int64_t days = seconds / day - (seconds % day < 0 ? 1 : 0);
    const std::int64_t left = seconds - days * day;
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "T%02d:%02d:%02d", static_cast<int>(left / 3600),
                  static_cast<int>(left / 60 % 60), static_cast<int>(left % 60));
    std::string clock = text.data();
    if (fraction != 0) {
      std::snprintf(text.data(), text.size(), ".%0*d", digits, static_cast<int>(fraction));
      clock += text.data();
    }
    return date(days) + clock + "Z";
  }

  static std::string date(std::int64_t days) {
    const std::chrono::year_month_day at{std::chrono::sys_days(std::chrono::days(days))};
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(at.year()),
                  static_cast<unsigned>(at.month()), static_cast<unsigned>(at.day()));
    return text.data();
  }

  std::string_view format_;
  const ArrowArray& array_;
  std::optional<Words> words_;
};

/// All values of a column; `rows`: the struct that it stands in, or null.
void take_values(const ArrowSchema& schema, const ArrowArray& column, const ArrowArray* rows,
                 Strings& out) {
  const std::int64_t length = rows != nullptr ? rows->length : column.length;
  // A slice of a table has its offset in the struct, a slice of a column in itself.
  const std::int64_t first = column.offset + (rows != nullptr ? rows->offset : 0);
  out.make_room(static_cast<std::size_t>(length));
  const Values values(schema, column);
  const auto* const bits = rows != nullptr && rows->null_count != 0
                               ? static_cast<const std::uint8_t*>(rows->buffers[0])
                               : nullptr;
  for (std::int64_t i = 0; i < length; ++i) {
    const std::int64_t row = rows != nullptr ? rows->offset + i : 0;
    if (bits != nullptr && (bits[row / 8] >> row % 8 & 1) == 0) {
      out.add_missing();
    } else {
      values.take(first + i, out);
    }
  }
}

const ArrowSchema& value_type(const ArrowSchema& schema) {
  return schema.dictionary != nullptr ? *schema.dictionary : schema;
}

void check_texts(const ArrowSchema& schema, const std::string& what) {
  if (is_text(value_type(schema).format)) return;
  refuse_type(what + " holds " + type_name(schema) + ", not texts");
}

constexpr std::int64_t no_column = -1;

/// Columns without a name have none to be found by.
std::int64_t column_named(const ArrowSchema& schema, std::string_view name) {
  for (std::int64_t i = 0; i < schema.n_children && !name.empty(); ++i) {
    if (name_of(*schema.children[i]) == name) return i;
  }
  return no_column;
}

std::int64_t text_column(const ArrowSchema& schema, const WantedColumns& wanted) {
  std::int64_t column = column_named(schema, wanted.text);
  if (column == no_column && schema.n_children == 1) column = 0;
  if (column == no_column) {
    refuse("no column is named '" + wanted.text + "'; there are " + names_of(schema) +
           ": say which one holds the texts with text=");
  }
  check_texts(*schema.children[column],
              "column '" + std::string(name_of(*schema.children[column])) + "'");
  return column;
}

/// Does any option's value name the column?
bool mentions(const WantedColumns& wanted, std::string_view name) {
  if (name.empty()) return false;
  const auto in_word = [](std::string_view text, std::size_t i) {
    return i < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  return std::ranges::any_of(wanted.mentions, [&](std::string_view value) {
    for (std::size_t at = value.find(name); at != value.npos; at = value.find(name, at + 1)) {
      if (!in_word(value, at - 1) && !in_word(value, at + name.size())) return true;
    }
    return false;
  });
}

bool is_mentioned(const ArrowSchema& column, const WantedColumns& wanted) {
  const std::string_view format = value_type(column).format;
  return (is_text(format) || is_scalar(format)) && mentions(wanted, name_of(column));
}

template <class T>
T* in_capsule(nb::handle capsule, const char* name) {
  void* const held = PyCapsule_GetPointer(capsule.ptr(), name);
  if (held == nullptr) throw nb::python_error();
  return static_cast<T*>(held);
}

/// The error that a producer tells, or the Python exception that it left.
void check_stream(int failed, ArrowArrayStream& stream) {
  if (failed == 0) return;
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  const char* const why = stream.get_last_error(&stream);
  raise(io_error("the table cannot be read: " +
                 std::string(why != nullptr ? why : "no reason is given")));
}

}  // namespace

void Strings::add_missing() {
  const std::size_t i = views_.size();
  views_.emplace_back("");
  missing_.resize(i / 8 + 1);
  missing_[i / 8] |= static_cast<std::uint8_t>(1U << i % 8);
}

StringColumn Strings::column() {
  if (missing_.empty()) return StringColumn(std::span<const std::string_view>(views_));
  // The layout that knows missing values: each value that does not fit into its view is a buffer.
  validity_.assign((views_.size() + 7) / 8, 0xFF);
  for (std::size_t i = 0; i < missing_.size(); ++i)
    validity_[i] &= static_cast<std::uint8_t>(~missing_[i]);
  arrow_views_.resize(views_.size());
  for (std::size_t i = 0; i < views_.size(); ++i) {
    ArrowView& view = arrow_views_[i];
    if (views_[i].size() > INT32_MAX)
      refuse("row " + std::to_string(i) + " has 2 GiB of text or more");
    view.bytes = static_cast<std::int32_t>(views_[i].size());
    if (view.bytes <= inline_bytes) {
      std::memcpy(reinterpret_cast<char*>(&view) + sizeof(view.bytes), views_[i].data(),
                  views_[i].size());
    } else {
      std::memcpy(view.first, views_[i].data(), sizeof(view.first));
      view.buffer = static_cast<std::int32_t>(i);
    }
  }
  return or_raise(StringColumn::from_views(arrow_views_, std::span<const std::string_view>(views_),
                                           {validity_}));
}

std::unique_ptr<Texts> Texts::of(nb::handle data, const WantedColumns& wanted) {
  std::unique_ptr<Texts> texts(new Texts());
  if (data.is_none()) refuse_type("None holds no texts");
  if (PyUnicode_Check(data.ptr()) || PyBytes_Check(data.ptr())) {
    refuse_type("one str is no collection of texts: put it into a list");
  }
  if (PyDict_Check(data.ptr()))
    refuse_type(a_type_of(data) +
                " holds no texts in order: pass one of its values, a list or a table");
  if (nb::hasattr(data, "with_format") && nb::hasattr(data, "column_names")) {
    texts->take_datasets(data, wanted);
    return texts;
  }
  if (texts->take_capsules(data, wanted)) return texts;
  if (nb::hasattr(data, "collect") && !nb::hasattr(data, "__len__")) {
    refuse_type(a_type_of(data) + " holds no rows yet: pass what its .collect() returns");
  }
  if (nb::hasattr(data, "to_batches") && nb::hasattr(data, "schema")) {
    refuse_type(a_type_of(data) + " holds no rows yet: pass what its .to_table() returns");
  }
  if (nb::hasattr(data, "to_frame")) {
    refuse_type(a_type_of(data) +
                " without Arrow's interface cannot be read: pass .tolist(), or a newer library");
  }
  texts->take_objects(data);
  return texts;
}

Texts::~Texts() {
  for (ArrowArray& array : arrays_) {
    if (array.release != nullptr) array.release(&array);
  }
}

TextColumn Texts::column(std::string name) {
  TextColumn column(texts.column());
  column.name = std::move(name);
  if (ids.has_value()) or_raise(column.set_ids(ids->column()));
  for (auto& [field, values] : fields) or_raise(column.add_field(field, values.column()));
  return column;
}

bool Texts::take_capsules(nb::handle data, const WantedColumns& wanted) {
  if (nb::hasattr(data, "__arrow_c_stream__")) {
    const nb::object capsule = data.attr("__arrow_c_stream__")();
    take_stream(*in_capsule<ArrowArrayStream>(capsule, "arrow_array_stream"), wanted);
    return true;
  }
  if (!nb::hasattr(data, "__arrow_c_array__")) return false;
  const nb::tuple capsules = nb::cast<nb::tuple>(data.attr("__arrow_c_array__")());
  const auto& schema = *in_capsule<ArrowSchema>(capsules[0], "arrow_schema");
  ArrowArray* const array = in_capsule<ArrowArray>(capsules[1], "arrow_array");
  check_held(schema, "the type of the array");
  check_held(*array, "the array");
  const ArrowArray moved = *array;
  array->release = nullptr;  // as the interface moves a struct
  take_array(schema, moved, wanted);
  return true;
}

void Texts::take_stream(ArrowArrayStream& stream, const WantedColumns& wanted) {
  ArrowSchema schema{};
  check_held(stream, "the stream");
  check_stream(stream.get_schema(&stream, &schema), stream);
  check_held(schema, "the type of the stream");
  const std::unique_ptr<ArrowSchema, void (*)(ArrowSchema*)> held(&schema, [](ArrowSchema* made) {
    if (made->release != nullptr) made->release(made);
  });
  take_array(schema, {}, wanted);  // what is wrong with the columns is said even if there is no row
  for (;;) {
    ArrowArray batch{};
    int failed = 0;
    {
      // A producer in Python takes the interpreter itself; others may work for long.
      const nb::gil_scoped_release released;
      failed = stream.get_next(&stream, &batch);
    }
    check_stream(failed, stream);
    if (batch.release == nullptr) return;
    take_array(schema, batch, wanted);
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

/// An array without `release` has no rows.
void Texts::take_array(const ArrowSchema& schema, ArrowArray array, const WantedColumns& wanted) {
  if (array.release != nullptr) arrays_.push_back(array);
  if (array.release != nullptr) check_made(schema, array, array.length);
  if (schema.format == "+s"sv) return take_batch(schema, array, wanted);
  check_texts(schema, "the column");
  if (array.release != nullptr) take_values(schema, array, nullptr, texts);
}

void Texts::take_batch(const ArrowSchema& schema, ArrowArray array, const WantedColumns& wanted) {
  const auto take = [&](std::int64_t column, Strings& out) {
    if (array.release != nullptr) {
      check_made(*schema.children[column], *array.children[column], array.offset + array.length);
      take_values(*schema.children[column], *array.children[column], &array, out);
    }
  };
  const std::int64_t text = text_column(schema, wanted);
  take(text, texts);
  const std::int64_t id = column_named(schema, wanted.id);
  if (id != no_column && id != text) {
    const std::string_view format = value_type(*schema.children[id]).format;
    if (!is_text(format) && !is_scalar(format)) {
      refuse_type("column '" + wanted.id + "' holds " + type_name(*schema.children[id]) +
                  ", not ids: say which one does with id=");
    }
    if (!ids.has_value()) ids.emplace();
    take(id, *ids);
  }
  std::size_t next = 0;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (i == text || i == id || !is_mentioned(*schema.children[i], wanted)) continue;
    if (next == fields.size()) fields.emplace_back(name_of(*schema.children[i]), Strings());
    take(i, fields[next++].second);
  }
}

/// `with_format` honors the order and the choice of rows, which the table below it does not.
void Texts::take_datasets(nb::handle data, const WantedColumns& wanted) {
  nb::object arrow = data.attr("with_format")("arrow");
  if (nb::hasattr(data, "__len__")) {
    if (nb::hasattr(data, "select_columns")) {
      // Rows that were chosen are copied: only what is wanted of them. Without the column of texts
      // all stay, so that none of the others is taken for it.
      nb::list names;
      bool has_text = false;
      for (const nb::handle each : data.attr("column_names")) {
        const std::string name = nb::cast<std::string>(each);
        has_text = has_text || name == wanted.text;
        const bool asked = name == wanted.text || name == wanted.id;
        if (asked || mentions(wanted, name)) names.append(each);
      }
      if (has_text) arrow = arrow.attr("select_columns")(names);
    }
    take_capsules(arrow.attr("__getitem__")(nb::slice(nb::none(), nb::none(), nb::none())), wanted);
    return;
  }
  constexpr int rows = 1000;
  for (const nb::handle batch : arrow.attr("iter")(rows)) take_capsules(batch, wanted);
}

void Texts::take_objects(nb::handle items) {
  const bool lives = PyList_Check(items.ptr()) || PyTuple_Check(items.ptr());
  PyObject* const made = PyObject_GetIter(items.ptr());
  if (made == nullptr) {
    PyErr_Clear();
    refuse_type(a_type_of(items) +
                " holds no texts: pass a list of str or bytes, or a table with __arrow_c_stream__");
  }
  const nb::object iterator = nb::steal(made);
  const nb::object is_ascii =
      nb::borrow(reinterpret_cast<PyObject*>(&PyUnicode_Type)).attr("isascii");
  if (lives) {
    // A list may change while a run lasts: what is viewed is held.
    texts.make_room(static_cast<std::size_t>(PyObject_Size(items.ptr())));
  }
  for (;;) {
    PyObject* const next = PyIter_Next(iterator.ptr());
    if (next == nullptr) break;
    nb::object item = nb::steal(next);
    constexpr std::size_t items_a_glance = 1 << 14;
    if (texts.size() % items_a_glance == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
    const std::string row = "row " + std::to_string(texts.size());
    if (item.is_none()) {
      texts.add_missing();
      continue;
    }
    if (PyUnicode_Check(item.ptr())) {
      if (is_ascii(item).is(nb::handle(Py_True))) {
        Py_ssize_t size = 0;
        const char* const bytes = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
        if (bytes == nullptr) throw nb::python_error();
        texts.add({bytes, static_cast<std::size_t>(size)});
        objects_.push_back(std::move(item));
        continue;
      }
      PyObject* const encoded = PyUnicode_AsUTF8String(item.ptr());
      if (encoded == nullptr) {
        PyErr_Clear();
        refuse(row + " is a str with a lone surrogate, which is no text");
      }
      item = nb::steal(encoded);
    } else if (!PyBytes_Check(item.ptr())) {
      refuse_type(row + " is " + a_type_of(item) + ", not a str or bytes");
    }
    texts.add({PyBytes_AsString(item.ptr()), static_cast<std::size_t>(PyBytes_Size(item.ptr()))});
    objects_.push_back(std::move(item));
  }
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
}

}  // namespace twinset::python
