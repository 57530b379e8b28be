// A toy scheme: two documents that begin alike are candidates.
#include <array>

#include "scheme/little_endian.h"
#include "scheme/scheme_list.h"
#include "scheme/spec.h"

namespace twinset {
namespace {

constexpr std::array<ParameterDeclaration, 1> parameters{
    {{"shingle", 1, 64, 5, "the words that must be the same"}}};
constexpr SchemeDeclaration declaration{.name = "opening",
                                        .version = 1,
                                        .shared_key = SharedKey::candidate,
                                        .summary = "the first words of a text",
                                        .source = "a test",
                                        .parameters = parameters};

class Opening final : public Scheme {
 public:
  explicit Opening(std::vector<std::uint64_t> values) : values_(std::move(values)) {}
  const SchemeDeclaration& declaration() const override { return twinset::declaration; }
  std::string spec() const override { return render_spec(twinset::declaration, values_); }
  unsigned shingle_tokens() const override { return static_cast<unsigned>(values_[0]); }
  std::size_t stored_bytes() const override { return sizeof(std::uint64_t); }
  void sketch(const DocumentView& document, Sketch& out) const override {
    const auto shingles = document.shingles(shingle_tokens());
    out.empty = shingles.empty();
    out.values.clear();
    out.stored.clear();
    if (out.empty) return;
    out.values = {shingles.front()};
    append_little_endian<std::uint64_t>(out.values, out.stored);
  }
  void keys(const Sketch& sketch, std::vector<std::uint64_t>& out) const override {
    if (!sketch.empty) out.push_back(sketch.values.front());
  }
  Comparison compare(std::span<const std::uint8_t>, std::span<const std::uint8_t>) const override {
    return {};
  }
  bool estimates() const override { return false; }
  std::optional<double> match_probability(double) const override { return std::nullopt; }

 private:
  std::vector<std::uint64_t> values_;
};

Result<std::unique_ptr<Scheme>> make_opening(const SchemeArguments& arguments) {
  return std::unique_ptr<Scheme>(std::make_unique<Opening>(arguments.values));
}

}  // namespace

extern const SchemeEntry opening_scheme;
const SchemeEntry opening_scheme{&declaration, make_opening};

}  // namespace twinset
