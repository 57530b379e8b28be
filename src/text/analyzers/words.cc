// The default analyzer: words in any script, regardless of case and of how a letter is written
// (composed, or with its marks apart); ideographs one by one, and letters of scripts without spaces
// in pairs. text/words_reference.h is the exact definition.
//
// This file's interface is text/analyzer.h; the rest is private.
#include "text/analyzer_list.h"
#include "text/words_kernel.h"

namespace twinset {
namespace {

class Words final : public Analyzer {
 public:
  std::string_view name() const override { return "words"; }
  std::uint32_t version() const override { return 3; }
  std::string_view summary() const override {
    return "runs of letters, digits and marks, whatever their case; each CJK ideograph a word, and "
           "of kana, Thai and other scripts without spaces each two letters";
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
