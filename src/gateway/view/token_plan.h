// Chooses the tokens that each node of a cluster announces to Cassandra's clients.
//
// Clients know one ring for all tables: the owner of a token is the node with the first token at or
// above it. Here each table has a ring of its own. So tables vote: each part of the ring belongs to
// the node that owns it in the tables with the greatest weight together. For a table that wins
// everywhere clients find the owner of every key; for others some requests take one more hop.
//
// Votes are counted from records that all nodes have, so that all of them tell the same.
//
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/ids.h"

namespace orrery::gateway {

// A table's ring, in order and without a gap.
struct TableVote {
  struct Part {
    int64_t last_token = 0;  // inclusive; INT64_MAX of the last
    NodeId owner;            // one that is not among the nodes has no vote
  };
  uint64_t weight = 0;
  std::vector<Part> parts;  // not empty
};

// Of more only the heaviest count, the first of equals.
inline constexpr size_t kVotersMax = 64;
// Cuts of lighter tables are left out when there are more.
inline constexpr size_t kTokensMax = 4'096;

using TokenPlan = std::map<int64_t, NodeId>;

// Every one of `nodes` has a token, as clients pass over nodes without: one that owns nothing gets
// one that no key, or hardly one, has. Without tables all have equal parts.
TokenPlan PlanTokens(std::span<const TableVote> tables, std::span<const NodeId> nodes);

}  // namespace orrery::gateway
