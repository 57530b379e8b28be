// Any bytes under any name: a look never fails, and gives the same result twice.
#include <string>

#include "fuzz/input.h"
#include "io/content.h"
#include "io/first_look.h"
#include "system/memory_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  static constexpr const char* names[] = {"a",     "a.jsonl", "a.jsonl.gz", "a.jsonl.zst",
                                          "a.csv", "a.json",  "a.html",     "a.txt.gz",
                                          "a.txt", "a.zst"};
  static constexpr const char* formats[] = {"", "text", "jsonl", "html", "xhtml", "lines"};
  fuzzing::FuzzInput fuzz(data, size);
  const std::string name = names[fuzz.below(10)];
  const LookOptions options{formats[fuzz.below(5)], fuzz.below(2) == 1, fuzz.below(2) == 1};
  const std::string bytes(fuzz.rest());
  MemoryFiles files;
  require(files.write(name, bytes).ok());
  const FirstLook look = look_at(files, name, options);
  require((look.unread == Unread::none) == look.fault.empty());
  require(find_format(look.format) != nullptr);
  require(look_at(files, name, options).fault == look.fault);
  return 0;
}
