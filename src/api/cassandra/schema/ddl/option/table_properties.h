// The WITH clause in CREATE and ALTER of tables and views, checked as Cassandra 4.1 does.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "api/cassandra/parser/ast/property.h"
#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/table_options.h"

namespace orrery::cassandra {

// 20 years.
inline constexpr int32_t kTimeToLiveMax = 630'720'000;

struct TableProperties {
  TableOptions options;
  ThroughputOptions throughput;
  std::optional<std::string> id;  // 16 bytes: ID = '...', which a DESCRIBE with internals gives
};

// `former`: the options of the table that exists; null when it is being made.
CqlResult<TableProperties> ReadTableProperties(const ast::Properties& properties,
                                               const TableOptions* former,
                                               std::span<const PayloadEntry> payload);

}  // namespace orrery::cassandra
