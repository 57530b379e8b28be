// Near-copies among strings of a program: no file is read or made.
//
//   g++ -std=c++20 dedup_strings.cc $(pkg-config --static --cflags --libs twinset)
#include <cstdio>
#include <string>
#include <vector>

#include "twinset/dedup.h"

int main() {
  const std::vector<std::string> texts = {
      "the quick brown fox jumps over the lazy dog, and the dog does not mind at all",
      "The quick brown fox jumps over the lazy dog, and the dog does not mind at all!",
      "the quick brown fox jumps over the lazy dog, and the dog does not mind it at all",
      "a text of its own"};
  twinset::DedupOptions options;
  options.columns = {twinset::TextColumn(texts)};
  options.resemblance = twinset::Ratio(1, 2);
  twinset::DedupResults results;
  results.removed = [](const twinset::Removal& gone) {
    std::printf("text %d goes: %s, resemblance %.2f with text %d\n",
                static_cast<int>(gone.document.record), std::string(name_of(gone.kind)).c_str(),
                gone.resemblance, static_cast<int>(gone.survivor.record));
    return twinset::Status();
  };
  const auto done = twinset::dedup(options, {}, results);
  if (!done.ok()) std::fprintf(stderr, "%s\n", done.error().text().c_str());
  return done.ok() ? 0 : 1;
}
