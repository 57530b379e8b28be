// The default analyzer: words in any script, without regard to case, ideographs
// one by one. What a token is, text/words_reference.h says.
//
// This file's interface is text/analyzer.h; the rest is private.
#include "text/analyzer_list.h"
#include "text/words_kernel.h"

namespace twinset {
namespace {

class Words final : public Analyzer {
 public:
  std::string_view name() const override { return "words"; }
  std::uint32_t version() const override { return 1; }
  std::string_view summary() const override {
    return "runs of letters, digits and marks of any script, case folded; each CJK ideograph a "
           "word by itself";
  }
  void analyze(std::string_view text, Offsets offsets, Analysis& out) const override {
    words_simd(text, offsets, out);
  }
};

const Words words;

}  // namespace

extern const AnalyzerEntry words_analyzer;
const AnalyzerEntry words_analyzer{words};

}  // namespace twinset
