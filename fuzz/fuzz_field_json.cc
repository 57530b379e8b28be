// Any bytes as the JSON of a result with a field of every kind: what the reader accepts is written,
// and read again as the same.
#include <string>
#include <string_view>

#include "fuzz/input.h"
#include "io/field_json.h"
#include "io/toy_result.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  testing::ToyResult toy;
  const Status read = read_fields(text, "toy.json", fields_of(toy));
  if (!read.ok()) {
    require(read.error().code == ErrorCode::io && !read.error().message.empty());
    return 0;
  }
  // Numbers are rounded when they are written for the first time.
  const std::string json = fields_json(fields_of(toy), JsonLayout::lines);
  testing::ToyResult again;
  require(read_fields(json, "toy.json", fields_of(again)).ok());
  require(fields_json(fields_of(again), JsonLayout::lines) == json);
  return 0;
}
