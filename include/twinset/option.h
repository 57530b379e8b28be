// An option of a verb, declared once: its names, its member, its help, and whether it decides
// the output. The command line with its help and completion, the options in summary.json and
// the identity of a run are made from these declarations.
//
//   DedupOptions options;
//   for (const Option& option : options_of(options)) {   // one beside each options struct
//     if (option.name() != "resemblance") continue;
//     const Status set = option.set("90%");              // now options.resemblance is 9/10
//   }
//
// An Option points into the struct it was made for, which must outlive it.
//
// Threads: values; set() changes the struct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

enum class OptionRole : std::uint8_t {
  decides,    ///< changes the output: in summary.json and in the identity of a run
  recorded,   ///< in summary.json only: a stopped run continues under another value
  unrecorded  ///< where and how a run works
};

/// What the values of an option name.
enum class ValueNames : std::uint8_t { nothing, files, folders };
/// By their word in its usage: IN, A, B and FILE name files (or folders of them), DIR a
/// folder.
ValueNames named_by(std::string_view value_name);

/// The headings of help, in their order.
enum class Heading : std::uint8_t { most_used, removal, trial, input, output, method, resources };

/// A size: "1500000", "64MiB", "1.5G". K, M, G, T are powers of 1024, with B or iB or neither.
struct Bytes {
  std::uint64_t* value;
  bool above_zero = false;  ///< 0 is refused
};

/// "0.8:0.85", "0.8:" or ":0.85".
struct RatioRange {
  std::optional<Ratio> least = {};
  std::optional<Ratio> most = {};
};

/// One of a few words: the values of an enum from 0 on. An optional enum may be unset.
struct Choice {
  template <class Enum>
  Choice(Enum* value, std::vector<std::string_view> names)
      : words(std::move(names)),
        get([value] { return static_cast<std::size_t>(*value); }),
        set([value](std::size_t word) { *value = static_cast<Enum>(word); }) {}
  template <class Enum>
  Choice(std::optional<Enum>* value, std::vector<std::string_view> names)
      : words(std::move(names)),
        get([value] { return value->has_value() ? static_cast<std::size_t>(**value) : unset; }),
        set([value](std::size_t word) { *value = static_cast<Enum>(word); }),
        reset([value] { value->reset(); }) {}

  static constexpr std::size_t unset = SIZE_MAX;
  std::vector<std::string_view> words;
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
  std::function<void()> reset = {};  ///< makes an optional one unset; else null
};

/// The member of an option, by its kind. A bool is a switch; a list takes any number of values.
using OptionMember = std::variant<bool*, std::uint64_t*, unsigned*, std::optional<std::uint64_t>*,
                                  Bytes, Ratio*, std::optional<Ratio>*, RatioRange*, Choice,
                                  std::string*, std::vector<std::string>*>;

struct Option {
  /// As help shows it: "-r, --resemblance SHARE", a switch "-n, --dry-run", a choice "--verify";
  /// an argument without dashes has a name and a value, "inputs IN".
  std::string_view usage;
  OptionMember member;
  OptionRole role = OptionRole::unrecorded;
  Heading heading = Heading::most_used;
  std::string_view help = {};  ///< one sentence
  /// The default in words, if the member's value does not tell it.
  std::string_view by_default = {};
  std::vector<std::string> known = {};  ///< values that completion offers; others are allowed
  bool is_required = false;
  std::vector<std::string>* noted_in = nullptr;  ///< set() adds the name to it

  /// "max_record" of --max-record: its name in summary.json.
  std::string name() const;
  /// "--max-record"; "IN" of an argument without dashes.
  std::string_view long_flag() const;
  /// "-r"; empty if there is none.
  std::string_view short_flag() const;
  /// "SHARE", "exact|sketch"; empty for a switch.
  std::string value_name() const;

  /// Reads a value as it is typed; a list gets one more. Error (usage): not a value of this option.
  Status set(std::string_view text) const;
  /// The value as it could be typed; empty if it is unset, or a list.
  std::string text() const;
};

/// The option, made required.
inline Option required(Option option) {
  option.is_required = true;
  return option;
}

/// The option, with values that completion offers.
inline Option offering(std::vector<std::string> known, Option option) {
  option.known = std::move(known);
  return option;
}

}  // namespace twinset
