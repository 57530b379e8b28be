// This file's interface is track/page_version.h.
#include "track/page_version.h"

#include <array>
#include <cstring>

#include "base/plain_bytes.h"
#include "base/sized_text.h"

namespace twinset {
namespace {

/// The numbers, which come first.
struct VersionNumbers {
  std::int64_t microseconds = 0;
  std::uint64_t nanoseconds = 0;
  std::uint64_t source = 0;
  std::uint64_t record = 0;
  std::uint64_t bytes_hash = 0;
  Fingerprint tokens_hash;
};

template <class Version>
auto strings_of(Version& version) {
  return std::array{&version.host, &version.url,       &version.written,
                    &version.id,   &version.signature, &version.sample};
}

}  // namespace

void PageVersion::append_to(std::string& out) const {
  out += bytes_of(
      VersionNumbers{date.microseconds, date.nanoseconds, source, record, bytes_hash, tokens_hash});
  for (const std::string* part : strings_of(*this)) append_sized(*part, out);
}

bool PageVersion::take(EncodedBytes& rest, PageVersion& out) {
  VersionNumbers numbers;
  if (rest.size() < sizeof numbers) return false;
  std::memcpy(&numbers, rest.data(), sizeof numbers);
  rest = rest.subspan(sizeof numbers);
  out.date = {numbers.microseconds, static_cast<std::uint32_t>(numbers.nanoseconds)};
  out.source = numbers.source;
  out.record = numbers.record;
  out.bytes_hash = numbers.bytes_hash;
  out.tokens_hash = numbers.tokens_hash;
  for (std::string* part : strings_of(out)) {
    if (!take_sized(rest, *part)) return false;
  }
  return true;
}

std::uint64_t PageVersion::memory_bytes() const {
  std::uint64_t bytes = sizeof *this;
  for (const std::string* part : strings_of(*this)) bytes += part->capacity() + 16;
  return bytes;
}

}  // namespace twinset
