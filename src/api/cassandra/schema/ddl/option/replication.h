// The option `replication` of keyspaces. Where copies are kept is the store's business; the map is
// checked and kept, so that drivers and tools find what was asked for.
#pragma once

#include <string_view>

#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/table_options.h"

namespace orrery::cassandra {

// The map as Cassandra would keep it: the class by its whole name; `replication_factor` of a
// NetworkTopologyStrategy told as that of `datacenter`. Any name of a datacenter is taken: an
// application comes with those of where it ran before. `former` is what an ALTER starts from.
CqlResult<OptionMap> CheckReplication(std::string_view keyspace, const OptionMap& given,
                                      const OptionMap& former, std::string_view datacenter);

}  // namespace orrery::cassandra
