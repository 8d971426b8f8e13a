// Defines a system table in a few lines: its columns, what its comment says, and where its rows
// come from.
//
//   TableBuilder("system", "built_views", "views that have all rows of their base tables")
//       .PartitionKey({{"keyspace_name", "text"}})
//       .Clustering({{"view_name", "text"}})
//       .Regular({{"status_replicated", "boolean"}})
//       .Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus { ... });
#pragma once

#include <functional>
#include <initializer_list>
#include <string_view>

#include "api/cassandra/schema/table.h"
#include "api/cassandra/schema/virtual_table.h"
#include "api/cassandra/system/build/row_set.h"

namespace orrery::cassandra {

// Writes the rows that there are at the moment of the call. Called from any thread, may block.
using RowSource = std::function<CqlStatus(const VirtualQuery& query, RowSet& rows)>;

// Types are texts that ColumnType takes.
struct ColumnSpec {
  std::string_view name;
  std::string_view type;
};
using ColumnSpecs = std::initializer_list<ColumnSpec>;

class TableBuilder {
 public:
  TableBuilder(std::string_view keyspace, std::string_view name, std::string_view comment);

  // Sets the table's options in system_schema.tables; the comment is kept.
  TableBuilder& Options(TableOptions options);

  TableBuilder& PartitionKey(ColumnSpecs columns);  // in key order
  TableBuilder& Clustering(ColumnSpecs columns);    // in key order, each ascending
  TableBuilder& Regular(ColumnSpecs columns);       // in any order; may be called again

  // REQUIRES: there is a partition key. The builder is spent afterwards.
  TablePtr Build(RowSource rows);
  // A table that never has rows, for what has no meaning here.
  TablePtr Empty();

 private:
  void Add(ColumnSpecs columns, ColumnKind kind);

  Table table_;
};

}  // namespace orrery::cassandra
