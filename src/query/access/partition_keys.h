// The partition keys that conditions name: which logical partitions a query can find documents in.
// Pure.
#pragma once

#include <optional>
#include <vector>

#include "gateway/requests.h"
#include "query/predicate/predicate.h"

namespace orrery::query {

// Returns the equal values that the predicates state for the key's paths: all, or the first of a
// hierarchical key. Nullopt if they do not state one, or no document can have it.
std::optional<gateway::KeyValues> PartitionKeyOf(const std::vector<Predicate>& predicates,
                                                 const item::ContainerSchema& schema);

// Returns whether it is one logical partition's.
bool IsWholeKey(const std::optional<gateway::KeyValues>& key, const item::ContainerSchema& schema);

}  // namespace orrery::query
