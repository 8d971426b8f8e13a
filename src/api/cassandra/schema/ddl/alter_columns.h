// ALTER TABLE ADD, DROP and RENAME: what becomes of the table and of its views. The base table's
// step comes first: a view that is one column behind misses values, one that is ahead asks for a
// column that is not there.
#pragma once

#include <vector>

#include "api/cassandra/parser/ast/table.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/ddl/schema_edit.h"
#include "api/cassandra/schema/keyspace.h"
#include "base/clock.h"

namespace orrery::cassandra {

// No steps when IF [NOT] EXISTS leaves nothing to do.
CqlResult<std::vector<CatalogStep>> AddColumns(const Keyspace& keyspace, const Table& table,
                                               const ast::AddColumns& change);
CqlResult<std::vector<CatalogStep>> DropColumns(const Keyspace& keyspace, const Table& table,
                                                const ast::DropColumns& change, Micros now);
// Columns keep their ids, and key columns have none: nothing stored has to change.
CqlResult<std::vector<CatalogStep>> RenameColumns(const Keyspace& keyspace, const Table& table,
                                                  const ast::RenameColumns& change);

}  // namespace orrery::cassandra
