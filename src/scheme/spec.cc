// A hand-written scanner: the grammar is one line, and hand-written errors can say what the user
// meant.
//
// This file's interface is scheme/spec.h; the rest is private.
#include "scheme/spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <optional>

#include "base/file_header.h"
#include "scheme/secret_key.h"
#include "stats/tables.h"

namespace twinset {
namespace {

constexpr std::size_t hash_digits = 32;

/// A file's name, and the fingerprint that its content must have.
struct NamedFile {
  std::string name;
  std::string hash;  ///< empty if none was given
};

NamedFile named_file(const std::string& written) {
  const std::size_t at = written.rfind('@');
  if (at == std::string::npos || written.size() - at - 1 != hash_digits ||
      written.find_first_not_of("0123456789abcdef", at + 1) != std::string::npos) {
    return {written, {}};
  }
  return {written.substr(0, at), written.substr(at + 1)};
}

/// Reads values by the declaration of their parameter.
class ValueReader {
 public:
  ValueReader(const SchemeDeclaration& scheme, const ParameterDeclaration& parameter,
              FileSystem& files)
      : scheme_(scheme), parameter_(parameter), files_(files) {}

  Result<ParameterValue> standard() const {
    const std::string text(parameter_.standard_text);
    switch (parameter_.kind) {
      case ParameterKind::integer:
      case ParameterKind::choice:
        return ParameterValue{parameter_.standard, {}, {}, {}, {}};
      default:
        return read(text);
    }
  }

  Result<ParameterValue> read(const std::string& text) const {
    ParameterValue value;
    switch (parameter_.kind) {
      case ParameterKind::integer: {
        const char* end = text.data() + text.size();
        const auto [stopped, error] = std::from_chars(text.data(), end, value.number);
        if (text.empty() || error != std::errc() || stopped != end) {
          return refused(text, "expected an unsigned integer below 2^64");
        }
        if (value.number < parameter_.minimum || value.number > parameter_.maximum) {
          return refused(text, fmt::format("is out of its range {} to {}", parameter_.minimum,
                                           parameter_.maximum));
        }
        return value;
      }
      case ParameterKind::share: {
        const Result<Ratio> share = Ratio::parse(text);
        if (!share.ok()) return refused(text, "expected a share in [0, 1], such as .33 or 1/3");
        value.share = share.value();
        return value;
      }
      case ParameterKind::choice: {
        const auto found = std::ranges::find(parameter_.choices, text);
        if (found == parameter_.choices.end()) {
          return refused(text,
                         fmt::format("expected one of {}", fmt::join(parameter_.choices, ", ")));
        }
        value.number = static_cast<std::uint64_t>(found - parameter_.choices.begin());
        return value;
      }
      case ParameterKind::text:
        value.text = text;
        return value;
      case ParameterKind::file:
      case ParameterKind::secret:
        return read_file(text);
    }
    return value;
  }

 private:
  Result<ParameterValue> read_file(const std::string& written) const {
    const NamedFile file = named_file(written);
    if (file.name.empty()) return ParameterValue{};
    ParameterValue value{0, {}, file.name, {}, {}};
    if (parameter_.kind == ParameterKind::file) {
      TWINSET_ASSIGN(value.content, fingerprint_table(files_, file.name));
    } else {
      TWINSET_ASSIGN(value.secret, SecretKey::load(files_, file.name));
      // A fingerprint of its bytes could be turned back into them.
      value.content = value.secret.name();
    }
    if (!file.hash.empty() && file.hash != fingerprint_text(value.content)) {
      return refused(written,
                     "the file has another content now, " + fingerprint_text(value.content) +
                         "; give the file it was made with, or make it anew with this one");
    }
    return value;
  }

  Error refused(const std::string& text, const std::string& why) const {
    return usage_error(fmt::format("scheme {}: {}={} {}{} ({})", scheme_.name, parameter_.name,
                                   text, why.starts_with("is ") ? "" : "cannot be used: ", why,
                                   parameter_.help));
  }

  const SchemeDeclaration& scheme_;
  const ParameterDeclaration& parameter_;
  FileSystem& files_;
};

/// A text as a spec's value, quoted if necessary.
std::string value_text(const std::string& text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain_in_spec)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string rendered(const ParameterDeclaration& parameter, const Parameters& values,
                     std::size_t at, FilesAs files) {
  switch (parameter.kind) {
    case ParameterKind::integer:
      return fmt::format("{}", values[at]);
    case ParameterKind::share:
      return values.share(at).text();
    case ParameterKind::choice:
      return std::string(parameter.choices[static_cast<std::size_t>(values[at])]);
    case ParameterKind::text:
      return value_text(values.text(at));
    case ParameterKind::file:
    case ParameterKind::secret:
      if (values.text(at).empty() &&
          (files == FilesAs::named || values.content(at) == Fingerprint())) {
        return "\"\"";
      }
      return value_text((files == FilesAs::named ? values.text(at) : "") + "@" +
                        fingerprint_text(values.content(at)));
  }
  return {};
}

/// Is it left out of the canonical spec?
bool goes_without_saying(const ParameterDeclaration& parameter, const Parameters& values,
                         std::size_t at) {
  if (!parameter.added) return false;
  switch (parameter.kind) {
    case ParameterKind::integer:
    case ParameterKind::choice:
      return values[at] == parameter.standard;
    case ParameterKind::share:
      return values.share(at).text() == parameter.standard_text;
    default:
      return values.text(at) == parameter.standard_text;
  }
}

Error unknown_parameter(const SchemeDeclaration& declaration, std::string_view name) {
  if (declaration.parameters.empty()) {
    return usage_error(
        fmt::format("scheme {} has no parameter \"{}\"; it has none", declaration.name, name));
  }
  std::vector<std::string_view> known;
  std::string list;
  for (const ParameterDeclaration& parameter : declaration.parameters) {
    known.push_back(parameter.name);
    list += list.empty() ? "" : ", ";
    list += parameter.name;
  }
  return usage_error(fmt::format("scheme {} has no parameter \"{}\"; did you mean {}? It has: {}",
                                 declaration.name, name, nearest_name(name, known), list));
}

/// The spec with one more parameter in front.
std::string with_parameter(const std::string& spec, const std::string& name, std::uint64_t value) {
  const std::string parameter = name + "=" + std::to_string(value);
  const std::size_t open = spec.find('(');
  if (open == std::string::npos) return spec + "(" + parameter + ")";
  const std::size_t next = spec.find_first_not_of(" \t\r\n", open + 1);
  const bool alone = next != std::string::npos && spec[next] == ')';
  std::string longer = spec;
  longer.insert(open + 1, parameter + (alone ? "" : ", "));
  return longer;
}

}  // namespace

Result<Parameters> resolve_parameters(const SchemeDeclaration& declaration, const ParsedSpec& spec,
                                      FileSystem& files) {
  const std::span<const ParameterDeclaration> declared = declaration.parameters;
  std::vector<const std::string*> given(declared.size());
  for (const auto& [name, value] : spec.parameters) {
    const auto found = std::ranges::find(declared, name, &ParameterDeclaration::name);
    if (found == declared.end()) return unknown_parameter(declaration, name);
    const std::string*& place = given[static_cast<std::size_t>(found - declared.begin())];
    if (place != nullptr) {
      return usage_error(fmt::format("scheme {}: {} is given twice", declaration.name, name));
    }
    place = &value;
  }
  std::vector<ParameterValue> values;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const ValueReader reader(declaration, declared[i], files);
    TWINSET_ASSIGN(ParameterValue value,
                   given[i] != nullptr ? reader.read(*given[i]) : reader.standard());
    values.push_back(std::move(value));
  }
  return Parameters(std::move(values));
}

std::string render_spec(const SchemeDeclaration& declaration, const Parameters& values,
                        FilesAs files) {
  assert(values.size() == declaration.parameters.size());
  std::string spec(declaration.name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ParameterDeclaration& parameter = declaration.parameters[i];
    if (goes_without_saying(parameter, values, i)) continue;
    spec += spec.size() == declaration.name.size() ? "(" : ", ";
    spec += fmt::format("{}={}", parameter.name, rendered(parameter, values, i, files));
  }
  if (spec.size() > declaration.name.size()) spec += ')';
  return spec;
}

std::string spec_for(const Analyzer& analyzer, const std::string& spec) {
  const Result<ParsedSpec> parsed = parse_spec(spec);
  if (!analyzer.takes_features() || !parsed.ok()) return spec;
  for (const auto& [name, value] : parsed.value().parameters) {
    if (name == "shingle") return spec;
  }
  const SchemeDeclaration* const declared = declared_scheme(spec);
  if (declared == nullptr) return spec;
  for (const ParameterDeclaration& parameter : declared->parameters) {
    if (parameter.name == "shingle") return with_parameter(spec, "shingle", 1);
  }
  return spec;
}

std::string seeded_spec(const std::string& spec, std::uint64_t seed) {
  return seed == 0 ? spec : with_parameter(spec, "seed", seed);
}

}  // namespace twinset
