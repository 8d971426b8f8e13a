// The option `compression`, checked and kept like `compaction`.
#pragma once

#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/table_options.h"

namespace orrery::cassandra {

// The options as Cassandra would keep them: {'enabled': 'false'}, or the class by its whole name
// with the chunk length. crc_check_chance, which once stood among them, is the caller's.
CqlResult<OptionMap> CheckCompression(const OptionMap& given);

}  // namespace orrery::cassandra
