// system.prepared_statements.
#include "api/cassandra/system/core/core_tables.h"

namespace orrery::cassandra {

TablePtr PreparedStatementsTable(const PreparedLister* prepared) {
  return CoreTable("prepared_statements", "statements that clients have prepared")
      .PartitionKey({{"prepared_id", "blob"}})
      .Regular({{"logged_keyspace", "text"}, {"query_string", "text"}})
      .Build([prepared](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        if (prepared == nullptr) return {};
        for (const PreparedFacts& statement : prepared->PreparedStatements()) {
          if (!IsWanted(query, statement.id)) continue;
          RowWriter row = rows.Add();
          row.Bytes("prepared_id", statement.id).Text("query_string", statement.query);
          if (!statement.keyspace.empty()) row.Text("logged_keyspace", statement.keyspace);
        }
        return {};
      });
}

}  // namespace orrery::cassandra
