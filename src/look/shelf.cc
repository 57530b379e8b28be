// The small functions of the shelf: schemes, analyzers, SIMD level.
#include "base/cpu.h"
#include "scheme/describe.h"
#include "twinset/scheme.h"

namespace twinset {

Status limit_simd(std::string_view level) {
  TWINSET_ASSIGN(SimdLevel parsed, parse_simd_level(level));
  return limit_simd(parsed);
}

std::string schemes_text(SchemesAs form) {
  switch (form) {
    case SchemesAs::markdown:
      return describe_schemes_markdown();
    case SchemesAs::json:
      return describe_schemes_json();
    case SchemesAs::text:
      break;
  }
  return describe_schemes_text();
}

}  // namespace twinset
