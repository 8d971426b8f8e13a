// The option `caching`, checked and kept: {'keys': 'ALL', 'rows_per_partition': 'NONE'}.
#pragma once

#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/table_options.h"

namespace orrery::cassandra {

CqlResult<OptionMap> CheckCaching(const OptionMap& given);

}  // namespace orrery::cassandra
