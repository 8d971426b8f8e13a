// The option `compaction`: which strategies Cassandra has and what they take. Nothing here compacts
// by them; they are checked and kept, so that what tools wrote reads back.
#pragma once

#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/table_options.h"

namespace orrery::cassandra {

// The options as Cassandra would keep them: the class by its whole name, thresholds filled in.
CqlResult<OptionMap> CheckCompaction(const OptionMap& given);

// Returns the default of a table with that compaction when the statement does not say.
double DefaultBloomFilterFpChance(const OptionMap& compaction);

}  // namespace orrery::cassandra
