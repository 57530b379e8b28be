// How twinset says that something went wrong.
//
// A bad argument or a fault outside the program (a file, a format, a spec) is an Error in a
// Result<T> or a Status; a bad document is counted and quarantined and never ends a run; our own
// bug is an assert. No exception crosses the shelf.
//
//   Result<TextScheme> scheme = make_scheme("fss(bins=256)");
//   if (!scheme.ok()) return scheme.error();            // or, in a program of your own:
//   if (!scheme.ok()) std::cerr << scheme.error().text() << "\n";   // never its `message`
//
// The library has several doors: a command line, Python, HTTP. Each spells an option in its own
// way, so a message does not spell it: `message`, and the other texts that this library makes for
// people (warnings, skipped inputs, causes of losses, to_text()), hold the option's name between
// two marks of a NUL and a brace. render_message() writes such a text for a door. Printed without
// it, it is readable, but has the braces and the NUL bytes, at which C strings end. Files, and what
// to_json() gives, have been rendered.
//
// Threads: values; share them as you share any value.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace twinset {

/// What kind of thing went wrong. A program asks for the name; the numbers are also the exit codes
/// of the command line, are kept, and mean nothing else.
enum class ErrorCode : std::uint8_t {
  usage = 2,         ///< an option, a spec, a name: the caller can correct it
  bad_records = 3,   ///< more bad records than the caller allows
  io = 4,            ///< a file, a disk, a format on disk
  lost_input = 5,    ///< inputs were lost, and nothing is left to answer from
  interrupted = 130  ///< the caller asked to stop
};

/// Whose words a message speaks: how an option is spelled where a person will set it.
enum class Door : std::uint8_t {
  command_line,  ///< "--max-record", "--shape stars", "twinset recut"
  python,        ///< "max_record=", "shape=\"stars\"", "twinset.recut"
  plain          ///< "max_record", "shape=stars", "recut": members in C++, and what files have
};

/// The message as it is shown at a door; text without marks is returned unchanged. A mark is
/// only taken for one if it holds a name of lower-case letters, and only puts that name into the
/// text: nobody can write more with a forged mark than without one. O(message).
std::string render_message(Door door, std::string_view message);

/// A failure: its kind, and one sentence that names the file and the remedy.
struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::io;
  std::string message;  ///< for render_message()
  /// An input has changed since this run read it, so an unfinished run of it cannot continue.
  bool input_changed = false;

  /// The message as a person reads it.
  std::string text(Door door = Door::plain) const { return render_message(door, message); }
};

/// A value of T, or the Error that kept it from being made.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  const Error& error() const {
    assert(!ok());
    return std::get<1>(state_);
  }
  T& value() & {
    assert(ok());
    return std::get<0>(state_);
  }
  const T& value() const& {
    assert(ok());
    return std::get<0>(state_);
  }
  /// By value, so that `for (x : f().value())` is safe.
  T value() && {
    assert(ok());
    return std::get<0>(std::move(state_));
  }

 private:
  std::variant<T, Error> state_;
};

/// Success, or the Error that prevented it.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)), failed_(true) {}  // NOLINT

  bool ok() const { return !failed_; }
  const Error& error() const {
    assert(failed_);
    return error_;
  }

 private:
  Error error_;
  bool failed_ = false;
};

/// As in "0.1.0"; semantic versioning, of the command line and of these headers.
std::string_view version();

inline Error usage_error(std::string message) { return {ErrorCode::usage, std::move(message)}; }
inline Error io_error(std::string message) { return {ErrorCode::io, std::move(message)}; }

}  // namespace twinset

/// Evaluates a Status or Result expression and returns its error, if any.
#define TWINSET_TRY(expression) TWINSET_TRY_NUMBERED(expression, __COUNTER__)
// The number is expanded before it is pasted, so that tries may be nested.
#define TWINSET_TRY_NUMBERED(expression, number) TWINSET_TRY_PASTED(expression, number)
#define TWINSET_TRY_PASTED(expression, number) TWINSET_TRY_INTO(expression, twinset_try_##number)
#define TWINSET_TRY_INTO(expression, name)        \
  do {                                            \
    if (auto&& name = (expression); !name.ok()) { \
      return name.error();                        \
    }                                             \
  } while (false)

/// Evaluates a Result expression and gives `target` its value, or returns its error:
///
///   TWINSET_ASSIGN(const std::uint64_t size, file.size());
///
/// An lvalue Result is moved from.
#define TWINSET_ASSIGN(target, ...) TWINSET_ASSIGN_NUMBERED(target, __COUNTER__, __VA_ARGS__)
#define TWINSET_ASSIGN_NUMBERED(target, number, ...) \
  TWINSET_ASSIGN_PASTED(target, number, __VA_ARGS__)
#define TWINSET_ASSIGN_PASTED(target, number, ...) \
  TWINSET_ASSIGN_FROM(target, twinset_result_##number, __VA_ARGS__)
#define TWINSET_ASSIGN_FROM(target, name, ...) \
  auto&& name = (__VA_ARGS__);                 \
  if (!name.ok()) {                            \
    return name.error();                       \
  }                                            \
  target = std::move(name).value()
