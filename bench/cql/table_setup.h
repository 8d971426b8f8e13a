// The bench's table on the server: made, filled and prepared.
#pragma once

#include "base/status.h"
#include "cql/cql_options.h"
#include "cql/load/row_maker.h"
#include "cql/load/workload.h"

namespace orrery::bench {

// Makes keyspace and table if they are not there. The keyspace has one replica.
Status CreateTable(const CqlOptions& options);

// Writes all rows, over those that are there. An error if any could not be written.
Status LoadRows(const CqlOptions& options, const Statements& statements, const RowMaker& rows);

// On one connection: servers keep prepared statements for all of them.
Result<Statements> PrepareStatements(const CqlOptions& options);

}  // namespace orrery::bench
