// Both read the partners before each document, in order. Stars look at the kept ones among these,
// in order; components ask only about a partner in another component.
//
// This file's interface is evaluate/groupings.h; the rest is private.
#include "evaluate/groupings.h"

#include <algorithm>

#include "join/union_find.h"

namespace twinset {

std::vector<std::uint32_t> star_clusters(const KeyPartners& shared, const AcceptPair& accept) {
  std::vector<std::uint32_t> clusters(shared.documents());
  PartnerReader partners(shared);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t d = 0; d < clusters.size(); ++d) {
    kept.clear();
    for (const std::uint32_t partner : partners.before(d)) {
      if (clusters[partner] == partner) kept.push_back(partner);
    }
    std::sort(kept.begin(), kept.end());
    const auto survivor = std::find_if(kept.begin(), kept.end(),
                                       [&](std::uint32_t partner) { return accept(partner, d); });
    clusters[d] = survivor == kept.end() ? d : *survivor;
  }
  return clusters;
}

std::vector<std::uint32_t> component_clusters(const KeyPartners& shared, const AcceptPair& accept) {
  const auto documents = static_cast<std::uint32_t>(shared.documents());
  UnionFind components(documents);
  PartnerReader partners(shared);
  for (std::uint32_t d = 0; d < documents; ++d) {
    for (const std::uint32_t partner : partners.before(d)) {
      if (components.find(partner) != components.find(d) && accept(partner, d)) {
        components.unite(partner, d);
      }
    }
  }
  std::vector<std::uint32_t> clusters(documents);
  for (std::uint32_t d = 0; d < documents; ++d) clusters[d] = components.find(d);
  return clusters;
}

}  // namespace twinset
