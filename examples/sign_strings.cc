// Texts of a program signed all at once: those that share a key and whose sketches are alike.
//
//   g++ -std=c++20 sign_strings.cc $(pkg-config --static --cflags --libs twinset)
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <vector>

#include "twinset/scheme.h"

int main() {
  const std::vector<std::string_view> texts{
      "Visitors may enter the reading room from nine in the morning until six at night. Bags and "
      "coats stay in the lockers by the door. Quiet talk is welcome; phones are not.",
      "The tower is closed in winter. From May on a guide climbs it with you every full hour.",
      "Visitors may enter the reading room from ten in the morning until six at night. Bags and "
      "coats stay in the lockers by the door. Quiet talk is welcome; phones are not.",
      ""};
  const twinset::Ratio least(1, 2);  // the keys are planned for this resemblance
  const twinset::TextScheme fss = twinset::make_scheme("fss", "words", false, least).value();
  const twinset::SignedTexts all = fss.sign(texts, 8).value();  // on 8 threads
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!twinset::shares_a_key(all.keys_of(i), all.keys_of(j))) continue;
      const twinset::Comparison found = fss.compare(all.sketch_of(i), all.sketch_of(j));
      if (twinset::verdict(found, {.resemblance = least}) != twinset::Verdict::reached) continue;
      std::printf("text %zu resembles text %zu by some %.2f\n", i, j, found.resemblance->value);
    }
  }
  std::printf("%d text has no signature\n", static_cast<int>(all.without));
  return 0;
}
