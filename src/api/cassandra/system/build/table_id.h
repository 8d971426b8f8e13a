// The ids of system tables: made from their names, so that they are the same on every server.
#pragma once

#include <string>
#include <string_view>

namespace orrery::cassandra {

// A uuid of version 3 over both names, 16 bytes: Cassandra's own id of that system table.
std::string SystemTableId(std::string_view keyspace, std::string_view table);

}  // namespace orrery::cassandra
