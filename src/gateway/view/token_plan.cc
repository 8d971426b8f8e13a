#include "gateway/view/token_plan.h"

#include <algorithm>
#include <limits>
#include <set>

namespace orrery::gateway {
namespace {

constexpr int64_t kTokenMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kTokenMax = std::numeric_limits<int64_t>::max();

using Voters = std::vector<const TableVote*>;

// In order of weight, equals as they came.
Voters Heaviest(std::span<const TableVote> tables) {
  Voters voters;
  for (const TableVote& table : tables) voters.push_back(&table);
  std::ranges::sort(voters, [](const TableVote* a, const TableVote* b) {
    return a->weight != b->weight ? a->weight > b->weight : a < b;
  });
  if (voters.size() > kVotersMax) voters.resize(kVotersMax);
  return voters;
}

TokenPlan EqualParts(std::span<const NodeId> nodes) {
  TokenPlan plan;
  const uint64_t step = std::numeric_limits<uint64_t>::max() / nodes.size();
  uint64_t end = 0;
  for (const NodeId node : nodes) {
    end += step;
    plan.emplace(static_cast<int64_t>(end ^ static_cast<uint64_t>(kTokenMin)), node);
  }
  return plan;
}

std::set<int64_t> Cuts(const Voters& voters) {
  std::set<int64_t> cuts{kTokenMax};
  for (const TableVote* table : voters) {
    if (cuts.size() + table->parts.size() > kTokensMax) continue;
    for (const TableVote::Part& part : table->parts) cuts.insert(part.last_token);
  }
  return cuts;
}

// 0: nobody of `nodes` has it.
NodeId Elected(const Voters& voters, const std::set<NodeId>& nodes, int64_t token) {
  std::map<NodeId, uint64_t> votes;
  NodeId first;
  for (const TableVote* table : voters) {
    const auto part =
        std::ranges::lower_bound(table->parts, token, {}, &TableVote::Part::last_token);
    if (part == table->parts.end() || !nodes.contains(part->owner)) continue;
    if (first == NodeId()) first = part->owner;
    // Among equals the one that a heavier table named first stays.
    const uint64_t sum = votes[part->owner] += table->weight;
    if (sum > votes[first]) first = part->owner;
  }
  return first;
}

// Below all keys' tokens, each for one value only: the lowest is no key's.
void GiveEachOne(std::span<const NodeId> nodes, TokenPlan& plan) {
  std::set<NodeId> have;
  for (const auto& [token, node] : plan) have.insert(node);
  int64_t token = kTokenMin;
  for (const NodeId node : nodes) {
    if (have.contains(node)) continue;
    while (!plan.emplace(token, node).second) ++token;
  }
}

}  // namespace

TokenPlan PlanTokens(std::span<const TableVote> tables, std::span<const NodeId> nodes) {
  if (nodes.empty()) return {};
  const Voters voters = Heaviest(tables);
  const std::set<NodeId> known(nodes.begin(), nodes.end());
  TokenPlan plan;
  for (const int64_t cut : Cuts(voters)) {
    const NodeId owner = Elected(voters, known, cut);
    if (owner == NodeId()) continue;
    // Two neighbours of one node are one part.
    if (!plan.empty() && plan.rbegin()->second == owner) plan.erase(std::prev(plan.end()));
    plan.emplace(cut, owner);
  }
  if (plan.empty()) return EqualParts(nodes);
  GiveEachOne(nodes, plan);
  return plan;
}

}  // namespace orrery::gateway
