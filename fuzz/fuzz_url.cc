// Any bytes as a URL: its parts lie in it, its canonical form is canonical, and the neighborhoods
// are those of the canonical form, one below the other.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/input.h"
#include "web/neighborhoods.h"
#include "web/repeated_parts.h"
#include "web/url.h"

namespace {

using twinset::fuzzing::require;

bool within(std::string_view part, std::string_view whole) {
  return part.empty() ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

/// The canonical text; empty if there is none.
std::string canonical_text(std::string_view url) {
  twinset::CanonicalUrl written;
  return twinset::write_canonical_address(url, written) ? written.text : std::string();
}

void check_neighborhoods(const twinset::Neighborhoods& found) {
  require(found.size() <= twinset::most_neighborhoods);
  for (std::size_t i = 0; i < found.size(); ++i) {
    require(found[i].ends_with('/') && (i == 0 || found[i].size() > found[i - 1].size()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view url = bytes;
  if (const std::optional<Url> parts = parse_url(url)) {
    for (const std::string_view part : {parts->scheme, parts->user, parts->host, parts->port,
                                        parts->path, parts->query, parts->fragment}) {
      require(within(part, url));
    }
    require(parts->path.empty() || parts->path[0] == '/' || parts->path[0] == '\\');
  }

  const std::string canonical = canonical_text(url);
  require(canonical.size() <= 4 * size + 64);
  require(canonical_text(canonical) == canonical);
  for (const char c : canonical) require(c > 0x20 && c < 0x7F);

  const std::string host = host_of(url);
  // An address as people write it, "a.org/x", has a canonical form and is no URL.
  if (!canonical.empty() && !host.empty()) require(host == host_of(canonical));

  Neighborhoods found;
  const bool has_host = url_neighborhoods(url, found);
  require(has_host == (found.size() > 0));
  check_neighborhoods(found);
  if (!canonical.empty()) {
    require(has_host && found[0].starts_with(host));
    Neighborhoods again;
    require(url_neighborhoods(canonical, again) && again.text == found.text);
  }
  path_neighborhoods(url, found);
  check_neighborhoods(found);

  for (const std::uint32_t repeats : {2U, 3U}) {
    const auto repeated = find_repeated_parts(url, repeats);
    require(!repeated || (within(repeated->parts, url) && repeated->count >= repeats));
  }
  return 0;
}
