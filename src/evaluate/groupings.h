// Makes clusters of accepted pairs, in two ways: stars, as a run that removes documents makes them,
// and components, as a run that only looks does.
//
//   const KeyPartners shared(keys, 1000);
//   auto accept = [&](std::uint32_t earlier, std::uint32_t later) { return ...; };
//   std::vector<std::uint32_t> cluster = star_clusters(shared, accept);
//   // cluster[d] is the kept document d goes for; itself if it is kept
//
// Of the pairs that share a key, it asks only about those that can still change the answer, so a
// thousand copies cost a thousand questions.
//
// Threads: one at a time; `accept` is called on the caller's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "join/key_partners.h"

namespace twinset {

/// Should two documents that share a key be joined? earlier < later.
using AcceptPair = std::function<bool(std::uint32_t earlier, std::uint32_t later)>;

/// Each document in order joins the first kept one before it that shares a key with it and is
/// accepted; else it is kept.
std::vector<std::uint32_t> star_clusters(const KeyPartners& shared, const AcceptPair& accept);

/// Connected components of the accepted pairs, named by their first document.
std::vector<std::uint32_t> component_clusters(const KeyPartners& shared, const AcceptPair& accept);

}  // namespace twinset
