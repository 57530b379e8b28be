// Two strings of a program compared: exactly, by their sketches, and passage by passage.
//
//   g++ -std=c++20 compare_strings.cc $(pkg-config --static --cflags --libs twinset)
#include <cstdio>
#include <string>

#include "twinset/pair.h"
#include "twinset/scheme.h"

int main() {
  const std::string a =
      "Visitors may enter the reading room from nine in the morning until six at night. Bags and "
      "coats stay in the lockers by the door. Quiet talk is welcome; phones are not.";
  const std::string b =
      "Visitors may enter the reading room from ten in the morning until six at night. Bags and "
      "coats stay in the lockers by the door. Quiet talk is welcome; phones are not.";
  const double exact = twinset::resemblance(a, b).value().value;
  const twinset::TextScheme fss = twinset::make_scheme("fss(shingle=5)").value();
  const twinset::TextSketch s = fss.sketch(a).value();  // 128 bytes, to be kept in place of a
  const twinset::TextSketch t = fss.sketch(b).value();
  const twinset::Estimate e = *fss.compare(s, t).value().resemblance;
  std::printf("resemblance %.3f; by sketches %.3f, from %.3f to %.3f\n", exact, e.value, e.low,
              e.high);
  const twinset::ComparedTexts both = twinset::compare_texts(a, b).value();
  for (const twinset::Passage& passage : both.passages.b) {
    if (passage.shared) continue;
    const std::string words = b.substr(passage.begin, passage.end - passage.begin);
    std::printf("only in the second: %s\n", words.c_str());
  }
  return 0;
}
