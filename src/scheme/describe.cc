// Declarations hold plain ASCII sentences of ours, without quotes or bars, so
// that none of the three forms needs to escape; a test checks that they do.
//
// This file's interface is scheme/describe.h; the rest is private.
#include "scheme/describe.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "scheme/scheme.h"

namespace twinset {
namespace {

std::string_view meaning_of(SharedKey shared_key) {
  switch (shared_key) {
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

std::string maximum_of(const ParameterDeclaration& parameter) {
  return parameter.maximum == UINT64_MAX ? "2^64-1" : fmt::format("{}", parameter.maximum);
}

}  // namespace

std::string describe_schemes_text() {
  std::string text;
  for (const SchemeEntry* entry : schemes()) {
    const SchemeDeclaration& scheme = *entry->declaration;
    text += fmt::format("{}{}\n  {}\n  A shared key: {}.\n  Source: {}\n", text.empty() ? "" : "\n",
                        scheme.name, scheme.summary, meaning_of(scheme.shared_key), scheme.source);
    std::size_t width = 0;
    for (const ParameterDeclaration& parameter : scheme.parameters) {
      width = std::max(width, parameter.name.size());
    }
    for (const ParameterDeclaration& parameter : scheme.parameters) {
      text +=
          fmt::format("    {:<{}}  default {}, {} to {}: {}\n", parameter.name, width,
                      parameter.standard, parameter.minimum, maximum_of(parameter), parameter.help);
    }
  }
  return text;
}

std::string describe_schemes_markdown() {
  std::string text =
      "# Schemes\n\n"
      "A scheme turns a document into a sketch, and a sketch into the keys that find\n"
      "other documents. Name one with `--scheme`, with parameters where the defaults do\n"
      "not suit: `--scheme \"mod(shingle=10, modulus=25)\"`. This page is made from the\n"
      "schemes' own declarations; `twinset schemes` prints the same.\n\n"
      "| scheme | what it is for | a shared key means |\n|---|---|---|\n";
  for (const SchemeEntry* entry : schemes()) {
    const SchemeDeclaration& scheme = *entry->declaration;
    text += fmt::format("| [{0}](#{0}) | {1} | {2} |\n", scheme.name, scheme.summary,
                        meaning_of(scheme.shared_key));
  }
  for (const SchemeEntry* entry : schemes()) {
    const SchemeDeclaration& scheme = *entry->declaration;
    text += fmt::format("\n## {}\n\n{}. Version {}.\n\nSource: {}.\n\n", scheme.name,
                        scheme.summary, scheme.version, scheme.source);
    text += "| parameter | default | range | meaning |\n|---|---|---|---|\n";
    for (const ParameterDeclaration& parameter : scheme.parameters) {
      text += fmt::format("| `{}` | {} | {} to {} | {} |\n", parameter.name, parameter.standard,
                          parameter.minimum, maximum_of(parameter), parameter.help);
    }
  }
  return text;
}

std::string describe_schemes_json() {
  std::string text = "[";
  for (const SchemeEntry* entry : schemes()) {
    const SchemeDeclaration& scheme = *entry->declaration;
    text += fmt::format(
        "{}{{\"name\":\"{}\",\"version\":{},\"shared_key\":\"{}\",\"summary\":\"{}\","
        "\"source\":\"{}\",\"parameters\":[",
        text.size() == 1 ? "" : ",", scheme.name, scheme.version, word_of(scheme.shared_key),
        scheme.summary, scheme.source);
    for (const ParameterDeclaration& parameter : scheme.parameters) {
      text += fmt::format(
          "{}{{\"name\":\"{}\",\"minimum\":{},\"maximum\":{},\"default\":{},\"help\":\"{}\"}}",
          &parameter == scheme.parameters.data() ? "" : ",", parameter.name, parameter.minimum,
          parameter.maximum, parameter.standard, parameter.help);
    }
    text += "]}";
  }
  return text + "]";
}

}  // namespace twinset
