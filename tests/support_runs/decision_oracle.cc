// Decisions follow the definition word by word: fold, then one pass in keep order over edges
// to the kept ones ahead.
#include "support_runs/decision_oracle.h"

#include <algorithm>
#include <map>
#include <string>

#include "support_runs/exact_shingles.h"

namespace twinset {
namespace {

/// The first document of each one's lexical class in keep order.
std::vector<std::uint32_t> fold(std::span<const OracleDocument> documents) {
  std::map<std::vector<std::uint64_t>, std::uint32_t> by_tokens;
  std::map<std::string_view, std::uint32_t> by_text;  // documents without tokens
  std::vector<std::uint32_t> representatives(documents.size());
  for (std::uint32_t d = 0; d < documents.size(); ++d) {
    const OracleDocument& document = documents[d];
    representatives[d] =
        document.tokens.empty()
            ? by_text.try_emplace(document.text, d).first->second
            : by_tokens.try_emplace({document.tokens.begin(), document.tokens.end()}, d)
                  .first->second;
  }
  return representatives;
}

OracleDecision kept_decision(std::uint32_t d, std::uint32_t representative) {
  OracleDecision decision;
  decision.survivor = d;
  decision.representative = representative;
  return decision;
}

/// The fate of representative `d`, given the decisions of all documents ahead of it and its edges
/// to them, those nearest to the front first.
OracleDecision decide_one(std::uint32_t d, bool reference, std::span<const ExactPair> edges,
                          const std::vector<OracleDecision>& decisions, const OracleRules& rules) {
  OracleDecision decision = kept_decision(d, d);
  if (reference) return decision;
  for (const ExactPair& edge : edges) {
    if (!decisions[edge.a].kept()) continue;
    const bool near = edge.resemblance().at_least(rules.resemblance);
    const bool contained =
        rules.containment && edge.containment_b_in_a().at_least(*rules.containment);
    if (!near && !contained) continue;
    decision.fate = near ? Fate::near : Fate::contained;
    decision.survivor = edge.a;
    decision.resemblance = edge.resemblance();
    decision.containment = edge.containment_b_in_a();
    decision.survivor_containment = edge.containment_a_in_b();
    break;
  }
  return decision;
}

}  // namespace

Result<OracleOutcome> decide_exactly(std::span<const OracleDocument> documents,
                                     const OracleRules& rules) {
  const std::vector<std::uint32_t> representatives = fold(documents);
  // Folded documents take part with no tokens: they have no pairs.
  std::vector<std::span<const std::uint64_t>> tokens(documents.size());
  for (std::uint32_t d = 0; d < documents.size(); ++d) {
    if (representatives[d] == d) tokens[d] = documents[d].tokens;
  }
  TWINSET_ASSIGN(auto collection,
                 ShingleCollection::make(tokens, rules.shingle_tokens, rules.memory_bytes));

  OracleOutcome outcome;
  outcome.pairs = all_exact_pairs(collection, {rules.resemblance, rules.containment});
  std::vector<ExactPair> edges = outcome.pairs;
  std::sort(edges.begin(), edges.end(), [](const ExactPair& x, const ExactPair& y) {
    return x.b != y.b ? x.b < y.b : x.a < y.a;
  });
  outcome.decisions.resize(documents.size());
  std::size_t next = 0;
  for (std::uint32_t d = 0; d < documents.size(); ++d) {
    const std::size_t first = next;
    while (next < edges.size() && edges[next].b == d) ++next;
    const std::uint32_t r = representatives[d];
    OracleDecision& decision = outcome.decisions[d];
    if (r == d) {
      decision =
          decide_one(d, documents[d].reference, std::span(edges).subspan(first, next - first),
                     outcome.decisions, rules);
    } else if (documents[d].reference) {
      decision = kept_decision(d, r);
    } else {
      decision = outcome.decisions[r];
      decision.representative = r;
      if (decision.kept()) {
        decision.fate = documents[d].text == documents[r].text ? Fate::identical : Fate::lexical;
        decision.resemblance = decision.containment = decision.survivor_containment = {1, 1};
      }
    }
  }
  return outcome;
}

std::vector<std::vector<std::uint32_t>> OracleOutcome::clusters() const {
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;
  for (std::uint32_t d = 0; d < decisions.size(); ++d) {
    if (decisions[d].kept()) continue;
    auto& cluster = members[decisions[d].survivor];
    if (cluster.empty()) cluster.push_back(decisions[d].survivor);
    cluster.push_back(d);
  }
  std::vector<std::vector<std::uint32_t>> clusters;
  for (auto& [survivor, cluster] : members) clusters.push_back(std::move(cluster));
  return clusters;
}

Tally recall_at(std::span<const ExactPair> pairs, const std::vector<bool>& kept, const Ratio& j) {
  Tally recall;
  for (const ExactPair& pair : pairs) {
    if (pair.resemblance().at_least(j)) recall.add(!(kept[pair.a] && kept[pair.b]));
  }
  return recall;
}

RemovalCheck check_removals(std::span<const OracleDocument> documents,
                            std::span<const ClaimedRemoval> removals, const OracleRules& rules) {
  std::vector<bool> removed(documents.size());
  for (const ClaimedRemoval& claim : removals) {
    if (claim.document < documents.size()) removed[claim.document] = true;
  }
  auto holds = [&](const ClaimedRemoval& claim) {
    if (claim.document >= documents.size() || claim.survivor >= documents.size()) return false;
    if (claim.document == claim.survivor || removed[claim.survivor]) return false;
    const OracleDocument& gone = documents[claim.document];
    const OracleDocument& stays = documents[claim.survivor];
    if (gone.reference) return false;
    if (gone.text == stays.text) return true;
    const ExactShingles a(gone.tokens, rules.shingle_tokens);
    const ExactShingles b(stays.tokens, rules.shingle_tokens);
    return exact_resemblance(a, b).at_least(rules.resemblance) ||
           (rules.containment && exact_containment(a, b).at_least(*rules.containment));
  };
  RemovalCheck check;
  for (const ClaimedRemoval& claim : removals) {
    const bool right = holds(claim);
    check.right.add(right);
    if (!right) check.wrong.push_back(claim);
  }
  return check;
}

}  // namespace twinset
