// Partition keys as requests write them: the JSON array of the header x-ms-documentdb-partitionkey,
// of a batch's operations and of permissions.
//
//   ["a"]  ["tenant",5]  [null]      one value for each path, or for the first of a hierarchy
//   [{}]                             a document that has no such property
//   []                               a container without a partition key
//
// Pure functions of foreign text.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "gateway/account/key_maker.h"
#include "gateway/catalog/catalog_entries.h"
#include "model/value.h"

namespace orrery::sql {

// kInvalidArgument when it is no array of scalars and empty objects.
Result<gateway::KeyValues> ParsePartitionKey(std::string_view json);
Result<gateway::KeyValues> PartitionKeyFrom(const model::Value& json);

// Returns the values that are meant for this container: an empty key, or one that has no property,
// is whatever key the container's documents without the property have. Others are unchanged.
gateway::KeyValues KeyFor(const gateway::ContainerEntry& container, gateway::KeyValues values);

// The inverse of ParsePartitionKey.
std::string PartitionKeyText(const gateway::KeyValues& values);

}  // namespace orrery::sql
