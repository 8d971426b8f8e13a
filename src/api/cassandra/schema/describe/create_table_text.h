// Tables, views and their indexes as the statements that would make them. The form is that of
// Cassandra 4.1; what it does not know (throughput, flags of cosmosdb_) stands at the end of the
// options. Tables of COMPACT STORAGE are remarks.
#pragma once

#include <string>

#include "api/cassandra/schema/table.h"

namespace orrery::cassandra {

// `internals`: with the table's id, and with the columns that were dropped, each followed by the
// statement that drops it.
std::string CreateTableText(const Table& table, bool internals);
std::string CreateViewText(const Table& view, bool internals);
std::string CreateIndexText(const Table& table, const Index& index);

// Returns the target of an index, as system_schema.indexes has it: "c", "values(m)".
std::string IndexTargetText(const Index& index);

}  // namespace orrery::cassandra
