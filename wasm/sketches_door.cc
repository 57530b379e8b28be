// The second module of the door of JavaScript: sketches of texts and pages, and the comparison of
// two.
//
//   "scheme=simhash\n"           twinset_set_scheme() == 1; the text is the scheme's whole spec
//   "A rose is a rose."          twinset_sketch() == 9; the text has these bytes
//   two sketches                 twinset_compare(18, 9) points at six numbers
//
// Threads: one; a module of WebAssembly has no other.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "exchange.h"
#include "io/record.h"
#include "scheme/record_view.h"
#include "scheme/scheme.h"
#include "scheme/signer.h"
#include "twinset/files.h"
#include "twinset/result.h"

namespace twinset {
namespace {

struct Sketching {
  std::optional<Signer> signer;
  Sketch sketch;
  std::array<double, 6> numbers{};
};

Sketching& sketching() {
  static Sketching one;
  return one;
}

/// Of lines "name=value": analyzer, html and scheme.
Result<Signer> read_signer(std::string_view lines) {
  SignerOptions options{.scheme = "simhash"};
  std::string_view name;
  std::string_view value;
  while (door::take_setting(lines, name, value)) {
    if (name == "analyzer") {
      options.analyzer = value;
    } else if (name == "scheme") {
      options.scheme = value;
    } else if (name == "html" && (value == "true" || value == "false")) {
      options.html = value == "true";
    } else {
      return usage_error("there is no '" + std::string(name) + "=" + std::string(value) +
                         "'; there are scheme, analyzer, and html, which is true or false");
    }
  }
  return Signer::make(options, disk());
}

}  // namespace
}  // namespace twinset

/// Takes lines "name=value"; what none names has its default. 1, and the text is the whole spec of
/// the scheme; or 0, and it is the error.
TWINSET_EXPORT(twinset_set_scheme) std::uint32_t twinset_set_scheme(std::uint32_t bytes) {
  using namespace twinset;
  Result<Signer> made = read_signer(door::input(bytes));
  if (!made.ok()) {
    door::text() = made.error().message;
    return 0;
  }
  sketching().signer = std::move(made.value());
  door::text() = sketching().signer->scheme->spec();
  return 1;
}

/// The sketch of the input becomes the text; returns its bytes, 0 if it has no token.
TWINSET_EXPORT(twinset_sketch) std::uint32_t twinset_sketch(std::uint32_t bytes) {
  using namespace twinset;
  Sketching& now = sketching();
  Record record;
  record.text = door::input(bytes);
  record.markup = now.signer->view.pages ? Markup::html : Markup::none;
  RecordView view(now.signer->view);
  view.look_at(record);
  now.signer->scheme->sketch(view, now.sketch);
  door::text().assign(now.sketch.stored.begin(), now.sketch.stored.end());
  return static_cast<std::uint32_t>(door::text().size());
}

/// Compares two sketches, the first of which has `first` of the `bytes` bytes: the resemblance, its
/// 95 % interval and standard error, then the bits that differ and all of them; -1 for each that is
/// unknown.
TWINSET_EXPORT(twinset_compare)
const double* twinset_compare(std::uint32_t bytes, std::uint32_t first) {
  using namespace twinset;
  Sketching& now = sketching();
  const std::string_view both = door::input(bytes);
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(both.data());
  const Comparison found =
      now.signer->scheme->compare({begin, first}, {begin + first, bytes - first});
  now.numbers.fill(-1);
  if (const auto& estimate = found.resemblance) {
    now.numbers = {
        estimate->value, estimate->low, estimate->high, estimate->standard_error, -1, -1};
  }
  if (const auto& distance = found.distance) {
    now.numbers[4] = distance->differ;
    now.numbers[5] = distance->bits;
  }
  return now.numbers.data();
}
