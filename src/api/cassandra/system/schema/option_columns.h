// The columns that system_schema.tables and system_schema.views share: id and options.
#pragma once

#include "api/cassandra/schema/table.h"
#include "api/cassandra/system/build/table_builder.h"

namespace orrery::cassandra {

TableBuilder& AddOptionColumns(TableBuilder& builder);

void WriteOptions(const Table& table, RowWriter& row);

// TableOptions::extensions together with Cosmos DB's options, which no column of Cassandra's is
// for: the flags, and the throughput of the table's container as decimal text.
OptionMap Extensions(const Table& table);

}  // namespace orrery::cassandra
