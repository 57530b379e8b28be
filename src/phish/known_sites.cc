#include "phish/known_sites.h"

#include <optional>

#include "base/message.h"
#include "phish/registered_domain.h"
#include "twinset/visible.h"
#include "web/url.h"

namespace twinset {
namespace {

std::string site_of(const std::optional<Url>& url) {
  CanonicalUrl canonical;
  if (!url.has_value() || !write_canonical(*url, canonical)) return {};
  return registered_domain(canonical.host());
}

/// The site of what a person typed, a host or a URL.
Result<std::string> typed_site(const std::string& text, const char* name) {
  std::string site = site_of(parse_address(text));
  if (site.empty()) {
    return usage_error(option(name, visible_name(text)) +
                       " names no host; examples are bank.co.uk and https://bank.co.uk/login");
  }
  return site;
}

/// A domain of a list of AuntieTuna has no place in a page.
std::string site_of_sample(const LabelSample& sample) {
  return site_of(sample.length == 0 ? parse_address(sample.url) : parse_url(sample.url));
}

}  // namespace

Result<KnownSites> KnownSites::make(const PhishOptions& options) {
  if (!knows_public_suffixes()) {
    return usage_error(
        "this twinset was built without the list of public suffixes, by which sites are told; on "
        "Debian install libpsl-dev and build it again");
  }
  KnownSites sites;
  if (!options.site.empty()) {
    TWINSET_ASSIGN(sites.site_, typed_site(options.site, "site"));
    sites.address_ = options.site;
  }
  for (const std::string& host : options.allow) {
    TWINSET_ASSIGN(std::string site, typed_site(host, "allow"));
    sites.allowed_.insert(std::move(site));
  }
  return sites;
}

std::string KnownSites::of_page(std::string_view url) { return site_of(parse_url(url)); }

bool KnownSites::of_label(
    const Label& label,
    const std::function<void(const std::string& site, const std::string& page)>& use) const {
  bool any = false;
  for (const LabelSample& sample : label.samples) {
    const std::string site = site_of_sample(sample);
    if (site.empty()) continue;
    use(site, sample.url);
    any = true;
  }
  if (any || site_.empty()) return any;
  use(site_, address_);
  return true;
}

}  // namespace twinset
