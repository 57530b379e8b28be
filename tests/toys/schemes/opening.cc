// A toy scheme: two documents that begin alike are candidates.
#include <array>

#include "scheme/little_endian.h"
#include "scheme/scheme_list.h"
#include "scheme/spec.h"

namespace twinset {
namespace {

constexpr std::array<ParameterDeclaration, 2> parameters{
    {{"shingle", 1, 64, 5, "the words that must be the same"},
     file_parameter("salt", "", "a file that keys depend on")}};
constexpr SchemeDeclaration declaration{.name = "opening",
                                        .version = 1,
                                        .shared_key = SharedKey::candidate,
                                        .summary = "the first words of a text",
                                        .source = "a test",
                                        .parameters = parameters,
                                        .tells = Tells::nothing};

class Opening final : public Scheme {
 public:
  explicit Opening(const Parameters& values)
      : Scheme(twinset::declaration, values, {.stored_bytes = sizeof(std::uint64_t)}) {}
  void fill(const DocumentView& document, Sketch& out) const override {
    const auto shingles = document.shingles(shingle_tokens());
    out.empty = shingles.empty();
    if (out.empty) return;
    out.values = {shingles.front() ^ values().content(1).low};
    append_little_endian<std::uint64_t>(out.values, out.stored);
  }
  void keys(const Sketch& sketch, std::vector<std::uint64_t>& out) const override {
    if (!sketch.empty) out.push_back(sketch.values.front());
  }
  Comparison compare(std::span<const std::uint8_t>, std::span<const std::uint8_t>,
                     std::span<const std::uint64_t>) const override {
    return {};
  }

 private:
};

Result<std::unique_ptr<Scheme>> make_opening(const SchemeArguments& arguments) {
  return std::unique_ptr<Scheme>(std::make_unique<Opening>(arguments.values));
}

}  // namespace

extern const SchemeEntry opening_scheme;
const SchemeEntry opening_scheme{&declaration, make_opening};

}  // namespace twinset
