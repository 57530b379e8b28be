// This file's interface is options.h; the rest is private.
#include "options.h"

#include <optional>
#include <string_view>
#include <variant>

#include "twinset/ratio.h"

namespace twinset::python {
namespace {

nb::tuple described_option(const Option& option) {
  struct Kind {
    const char* operator()(bool*) const { return "bool"; }
    const char* operator()(std::uint64_t*) const { return "int"; }
    const char* operator()(unsigned*) const { return "int"; }
    const char* operator()(std::optional<std::uint64_t>*) const { return "int?"; }
    const char* operator()(const Bytes&) const { return "size"; }
    const char* operator()(Ratio*) const { return "share"; }
    const char* operator()(std::optional<Ratio>*) const { return "share?"; }
    const char* operator()(RatioRange*) const { return "range"; }
    const char* operator()(const Choice& choice) const {
      return choice.reset ? "choice?" : "choice";
    }
    const char* operator()(std::string*) const { return "text"; }
    const char* operator()(std::vector<std::string>*) const { return "texts"; }
  };
  nb::object words = nb::none();
  if (const auto* choice = std::get_if<Choice>(&option.member)) {
    nb::list listed;
    for (const std::string_view word : choice->words) listed.append(text_of(word));
    words = listed;
  }
  return nb::make_tuple(text_of(option.name()), text_of(option.usage),
                        std::visit(Kind(), option.member), text_of(option.text()),
                        text_of(option.help), text_of(option.by_default), words, option.is_required,
                        named_by(option.value_name()) != ValueNames::nothing,
                        option.value_name() == "IN");
}

void set(const Option& option, std::string_view value) {
  Status set = option.set(value);
  if (set.ok()) return;
  Error error = set.error();
  error.message = option.name() + "=: " + error.message;
  raise(error);
}

/// The bytes of a value as a shell would pass them: names of files need not be UTF-8.
std::string typed(const Option& option, nb::handle value) {
  PyObject* const bytes = PyUnicode_EncodeFSDefault(value.ptr());
  if (bytes == nullptr) {
    PyErr_Clear();
    raise(usage_error(option.name() + "=: a value has a lone surrogate, which is no text"));
  }
  const auto held = nb::steal<nb::bytes>(bytes);
  return {held.c_str(), held.size()};
}

}  // namespace

nb::list described(const std::vector<Option>& options) {
  nb::list all;
  for (const Option& option : options) all.append(described_option(option));
  return all;
}

void set_options(const std::vector<Option>& options, const nb::dict& settings) {
  for (const Option& option : options) {
    const nb::str name = text_of(option.name());
    if (!settings.contains(name)) continue;
    const nb::object value = settings[name];
    if (nb::isinstance<nb::list>(value)) {
      for (const nb::handle one : value) set(option, typed(option, one));
    } else {
      set(option, typed(option, value));
    }
  }
}

}  // namespace twinset::python
