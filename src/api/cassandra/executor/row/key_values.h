// The values of key columns out of stored keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/schema/table.h"
#include "base/status.h"

namespace orrery::cassandra {

// One for each partition key column. `serialized` is what was hashed (gateway::SerializedKey).
Result<std::vector<std::string>> PartitionKeyValues(const Table& table,
                                                    std::string_view serialized);
// One for each clustering column, in tables that may have short keys perhaps without the last ones.
// Of values that compare as equal their normal form (types/key_value.h). kCorruption when the bytes
// are no key of the table.
Result<std::vector<std::string>> ClusteringValues(const Table& table, std::string_view clustering);

}  // namespace orrery::cassandra
