// The schemes' declarations as a reader sees them: the text of `twinset schemes` and the page
// docs/schemes.md, both made from the same constants as the parser. Declarations are plain ASCII
// sentences of ours, without quotes or bars, so none of the three forms needs to escape them; a
// test checks that.
//
// This file's interface is the three renderers, declared in twinset/scheme.h;
// the rest is private.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "scheme/scheme.h"

namespace twinset {
namespace {

std::string_view meaning_of_a_key(const SchemeDeclaration& scheme) {
  if (scheme.tells == Tells::distance) return "none; signatures are joined by their distance";
  switch (scheme.shared_key) {
    case SharedKey::equal:
      return "the documents are equal in the scheme's sense";
    case SharedKey::count:
      return "counts towards resemblance and containment";
    case SharedKey::candidate:
      return "the documents may resemble each other; they are verified";
  }
  return "";
}

std::string_view word_of(SharedKey shared_key) {
  switch (shared_key) {
    case SharedKey::equal:
      return "equal";
    case SharedKey::count:
      return "count";
    case SharedKey::candidate:
      return "candidate";
  }
  return "";
}

std::string_view word_of(Tells tells) {
  switch (tells) {
    case Tells::resemblance:
      return "resemblance";
    case Tells::distance:
      return "distance";
    case Tells::coordinate:
      return "coordinate";
    case Tells::nothing:
      return "nothing";
  }
  return "";
}

std::string_view word_of(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::integer:
      return "integer";
    case ParameterKind::share:
      return "share";
    case ParameterKind::choice:
      return "choice";
    case ParameterKind::file:
      return "file";
    case ParameterKind::text:
      return "text";
    case ParameterKind::secret:
      return "secret";
  }
  return "";
}

/// The allowed values, in words.
std::string range_of(const ParameterDeclaration& parameter) {
  switch (parameter.kind) {
    case ParameterKind::integer:
      return fmt::format(
          "{} to {}", parameter.minimum,
          parameter.maximum == UINT64_MAX ? "2^64-1" : fmt::format("{}", parameter.maximum));
    case ParameterKind::share:
      return "0 to 1";
    case ParameterKind::choice:
      return fmt::format("{}", fmt::join(parameter.choices, ", "));
    case ParameterKind::secret:
      return "a file";
    default:
      return std::string("a ") += word_of(parameter.kind);
  }
}

std::string default_of(const ParameterDeclaration& parameter) {
  switch (parameter.kind) {
    case ParameterKind::integer:
      return fmt::format("{}", parameter.standard);
    case ParameterKind::choice:
      return std::string(parameter.choices[static_cast<std::size_t>(parameter.standard)]);
    default:
      return parameter.standard_text.empty() ? "none" : std::string(parameter.standard_text);
  }
}

/// The fields of a parameter that depend on its kind, as JSON.
std::string kind_json(const ParameterDeclaration& parameter) {
  if (parameter.kind == ParameterKind::integer) {
    return fmt::format("\"minimum\":{},\"maximum\":{},\"default\":{}", parameter.minimum,
                       parameter.maximum, parameter.standard);
  }
  std::string json =
      fmt::format("\"kind\":\"{}\",\"default\":\"{}\"", word_of(parameter.kind),
                  parameter.kind == ParameterKind::choice ? default_of(parameter)
                                                          : std::string(parameter.standard_text));
  if (parameter.kind != ParameterKind::choice) return json;
  return json + fmt::format(",\"choices\":[\"{}\"]", fmt::join(parameter.choices, "\",\""));
}

}  // namespace

std::string to_text(std::span<const SchemeDeclaration> schemes) {
  std::string text;
  for (const SchemeDeclaration& scheme : schemes) {
    text += fmt::format("{}{}\n  {}\n  A shared key: {}.\n  Source: {}\n", text.empty() ? "" : "\n",
                        scheme.name, scheme.summary, meaning_of_a_key(scheme), scheme.source);
    std::size_t width = 0;
    for (const ParameterDeclaration& parameter : scheme.parameters) {
      width = std::max(width, parameter.name.size());
    }
    for (const ParameterDeclaration& parameter : scheme.parameters) {
      text += fmt::format("    {:<{}}  default {}, {}: {}\n", parameter.name, width,
                          default_of(parameter), range_of(parameter), parameter.help);
    }
  }
  return text;
}

std::string to_markdown(std::span<const SchemeDeclaration> schemes) {
  std::string text =
      "# Schemes\n\n"
      "A scheme turns a document into a sketch, and a sketch into the keys that find\n"
      "other documents. Name one with `--scheme`, with parameters where the defaults do\n"
      "not suit: `--scheme \"mod(shingle=10, modulus=25)\"`. This page is made from the\n"
      "schemes' own declarations; `twinset schemes` prints the same.\n\n"
      "| scheme | what it is for | a shared key means |\n|---|---|---|\n";
  for (const SchemeDeclaration& scheme : schemes) {
    text += fmt::format("| [{0}](#{0}) | {1} | {2} |\n", scheme.name, scheme.summary,
                        meaning_of_a_key(scheme));
  }
  for (const SchemeDeclaration& scheme : schemes) {
    text += fmt::format("\n## {}\n\n{}. Version {}.\n\nSource: {}.\n\n", scheme.name,
                        scheme.summary, scheme.version, scheme.source);
    text += "| parameter | default | range | meaning |\n|---|---|---|---|\n";
    for (const ParameterDeclaration& parameter : scheme.parameters) {
      text += fmt::format("| `{}` | {} | {} | {} |\n", parameter.name, default_of(parameter),
                          range_of(parameter), parameter.help);
    }
  }
  return text;
}

std::string to_json(std::span<const SchemeDeclaration> schemes) {
  std::string text = "[";
  for (const SchemeDeclaration& scheme : schemes) {
    text += fmt::format(
        "{}{{\"name\":\"{}\",\"version\":{},\"shared_key\":\"{}\",\"tells\":\"{}\","
        "\"summary\":\"{}\",\"source\":\"{}\",\"parameters\":[",
        text.size() == 1 ? "" : ",", scheme.name, scheme.version, word_of(scheme.shared_key),
        word_of(scheme.tells), scheme.summary, scheme.source);
    for (const ParameterDeclaration& parameter : scheme.parameters) {
      text += fmt::format("{}{{\"name\":\"{}\",{},\"help\":\"{}\"}}",
                          &parameter == scheme.parameters.data() ? "" : ",", parameter.name,
                          kind_json(parameter), parameter.help);
    }
    text += "]}";
  }
  return text + "]";
}

}  // namespace twinset
