// A profile of any bytes is read or refused; what was read is written and read as the same again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "run/profile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const twinset::Result<twinset::Profile> read = twinset::parse_profile(text, "p");
  if (!read.ok()) {
    if (!read.error().message.starts_with("p")) std::abort();
    return 0;
  }
  const std::string written = twinset::profile_text(read.value());
  const twinset::Result<twinset::Profile> again = twinset::parse_profile(written, "p");
  if (!again.ok() || twinset::profile_text(again.value()) != written) std::abort();
  return 0;
}
