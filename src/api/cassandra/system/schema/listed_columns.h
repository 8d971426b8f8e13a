// Lists columns, for system_schema.columns and system_virtual_schema.columns.
#pragma once

#include "api/cassandra/schema/table.h"
#include "api/cassandra/system/build/table_builder.h"

namespace orrery::cassandra {

// The columns that both tables have, their key included.
TableBuilder& AddColumnColumns(TableBuilder& builder);

// One row for each column of the table, and one for each that a table of COMPACT STORAGE has in its
// old form only: drivers know that form by the table's flags and hide what is not the user's.
void ListColumns(const Table& table, RowSet& rows);

}  // namespace orrery::cassandra
