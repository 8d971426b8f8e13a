// Computes what COMPACT STORAGE makes of a table, as Cassandra keeps it.
//
// Such a table is one of cells whose names its clustering columns are. A dense one has clustering
// columns and at most one column beside the key. A static one has none, and the names of its cells
// are those of its columns: all of them count as static, of a table with one clustering column.
// Either may have columns that statements cannot name, until DROP COMPACT STORAGE shows them.
#pragma once

#include <vector>

#include "api/cassandra/schema/table.h"

namespace orrery::cassandra {

// The ones that the table has in its old form only, and no statement can name: with ids as new
// columns of the table would get.
std::vector<Column> HiddenColumns(const Table& table);

// The table after DROP COMPACT STORAGE: all of its columns are seen, each as what it is kept as.
// Rows stay as they are. REQUIRES: is_compact.
Table WithoutCompactStorage(const Table& table);

}  // namespace orrery::cassandra
