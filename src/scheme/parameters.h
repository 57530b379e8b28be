// The parameters a scheme declares, and the values it is built with.
//
//   constexpr std::array parameters{
//       ParameterDeclaration{"shingle", 1, 64, 5, "tokens in a shingle"},
//       share_parameter("drop", "1/3", "terms a bag leaves out"),
//       file_parameter("lexicon", "", "a frozen lexicon")};
//   values[parameter::shingle]; values.share(parameter::drop); values.text(parameter::lexicon);
//
// A spec names a file by its path, every fingerprint by the hash of its content: sketches made with
// another file of the same name are never joined. A secret is named by a digest that does not tell
// it.
//
// Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "scheme/secret_key.h"
#include "twinset/ratio.h"
#include "twinset/scheme.h"

namespace twinset {

constexpr ParameterDeclaration share_parameter(std::string_view name, std::string_view standard,
                                               std::string_view help) {
  return {name, 0, 0, 0, help, ParameterKind::share, standard, {}};
}
constexpr ParameterDeclaration choice_parameter(std::string_view name,
                                                std::span<const std::string_view> choices,
                                                std::size_t standard, std::string_view help) {
  return {name, 0, choices.size() - 1, standard, help, ParameterKind::choice, {}, choices};
}
constexpr ParameterDeclaration file_parameter(std::string_view name, std::string_view standard,
                                              std::string_view help) {
  return {name, 0, 0, 0, help, ParameterKind::file, standard, {}};
}
constexpr ParameterDeclaration text_parameter(std::string_view name, std::string_view standard,
                                              std::string_view help) {
  return {name, 0, 0, 0, help, ParameterKind::text, standard, {}};
}

constexpr ParameterDeclaration secret_parameter(std::string_view name, std::string_view help) {
  return {name, 0, 0, 0, help, ParameterKind::secret, {}, {}};
}
/// A parameter that a scheme did not have when its version began.
constexpr ParameterDeclaration added(ParameterDeclaration parameter) {
  parameter.added = true;
  return parameter;
}

/// The seed of a scheme that samples, and the secret with it: see Parameters::random_seed().
inline constexpr ParameterDeclaration seed_parameter{"seed", 0, UINT64_MAX, 0, "random seed"};
inline constexpr ParameterDeclaration sampling_secret =
    added(secret_parameter("secret",
                           "a file of 32 hexadecimal digits that chooses the sample together "
                           "with the seed, so that nobody can tell which words to change"));

/// A value of any kind.
struct ParameterValue {
  std::uint64_t number = 0;  ///< the integer, or the index of the choice
  Ratio share;
  std::string text;     ///< the text, or the file's path
  Fingerprint content;  ///< of the file's bytes; SecretKey::name() of a secret
  SecretKey secret{};   ///< the content of a secret's file
};

/// The values of a scheme's parameters, in the order of their declarations.
class Parameters {
 public:
  Parameters() = default;
  explicit Parameters(std::vector<ParameterValue> values) : values_(std::move(values)) {}

  std::size_t size() const { return values_.size(); }
  std::uint64_t operator[](std::size_t at) const { return values_[at].number; }
  const Ratio& share(std::size_t at) const { return values_[at].share; }
  const std::string& text(std::size_t at) const { return values_[at].text; }
  const Fingerprint& content(std::size_t at) const { return values_[at].content; }
  /// The key of a secret's file; without one, that of the seed.
  SecretKey key(std::size_t seed, std::size_t secret) const {
    return text(secret).empty() ? SecretKey::of_seed(values_[seed].number) : values_[secret].secret;
  }
  /// The number that decides all random choices of a sample: the seed, or a number that only those
  /// know who have the secret, another one for each seed.
  std::uint64_t random_seed(std::size_t seed, std::size_t secret) const {
    const std::uint64_t number = values_[seed].number;
    return text(secret).empty() ? number : values_[secret].secret.number("seed", number);
  }
  /// For values that a scheme chooses itself, such as a band plan.
  void set(std::size_t at, std::uint64_t number) { values_[at].number = number; }
  void set_share(std::size_t at, const Ratio& share) { values_[at].share = share; }
  /// For a table that is compiled in and stands in for a file of no name.
  void set_content(std::size_t at, const Fingerprint& content) { values_[at].content = content; }

 private:
  std::vector<ParameterValue> values_;
};

}  // namespace twinset
