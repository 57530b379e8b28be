// Whose parts labels are, and whose pages are: sites, told by registered domains.
//
//   TWINSET_ASSIGN(const KnownSites sites, KnownSites::make(options));
//   sites.of_page("https://login.bank.co.uk/x")        // "bank.co.uk"
//   sites.of_label(label, [&](const std::string& site, const std::string& url) { ... });
//
// A label has the URLs of some pages that it was seen in. Those of pages without URLs are paths of
// files, which name no host; a list of AuntieTuna has a domain without a place.
//
// Threads: any, once it is made.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "labels/label.h"
#include "twinset/phish.h"
#include "twinset/result.h"

namespace twinset {

class KnownSites {
 public:
  /// Errors (usage): --site or --allow name no host; a build without the list of public suffixes.
  static Result<KnownSites> make(const PhishOptions& options);

  /// Empty: the URL has no host, or is none.
  static std::string of_page(std::string_view url);
  /// Calls `use` for each sample of the label that names a site, else for --site if there is one.
  /// False if it called nothing.
  bool of_label(
      const Label& label,
      const std::function<void(const std::string& site, const std::string& page)>& use) const;
  /// May pages of that site hold parts of all known ones?
  bool allows(const std::string& site) const { return allowed_.contains(site); }

 private:
  std::string site_;     ///< of labels that name none
  std::string address_;  ///< likewise, as it was given
  std::set<std::string> allowed_;
};

}  // namespace twinset
