// Indexes and views that have been built of existing rows.
#include <string>
#include <vector>

#include "api/cassandra/schema/schema.h"
#include "api/cassandra/system/core/core_tables.h"

namespace orrery::cassandra {
namespace {

std::vector<ViewBuild> InProgress(const ViewBuildLister* builds) {
  return builds == nullptr ? std::vector<ViewBuild>() : builds->ViewBuildsInProgress();
}

}  // namespace

TablePtr IndexInfoTable() {
  // The column named table_name has the keyspace's name: so it is in Cassandra.
  return CoreTable("IndexInfo", "indexes that hold every row of their tables")
      .PartitionKey({{"table_name", "text"}})
      .Clustering({{"index_name", "text"}})
      .Regular({{"value", "blob"}})
      .Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        for (const auto& [name, keyspace] : query.schema.keyspaces) {
          if (!IsWanted(query, name)) continue;
          for (const auto& [table_name, table] : keyspace->tables) {
            for (const Index& index : table->indexes) {
              if (index.built) rows.Add().Text("table_name", name).Text("index_name", index.name);
            }
          }
        }
        return {};
      });
}

TablePtr BuiltViewsTable() {
  return CoreTable("built_views", "built views")
      .PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"view_name", "text"}})
      .Regular({{"status_replicated", "boolean"}})
      .Build([](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        for (const auto& [name, keyspace] : query.schema.keyspaces) {
          if (!IsWanted(query, name)) continue;
          for (const auto& [table_name, table] : keyspace->tables) {
            if (!table->view.has_value() || !table->view->built) continue;
            rows.Add()
                .Text("keyspace_name", name)
                .Text("view_name", table_name)
                .Boolean("status_replicated", true);
          }
        }
        return {};
      });
}

TablePtr ViewBuildsInProgressTable(const ViewBuildLister* builds) {
  return CoreTable("view_builds_in_progress", "how far views are that are being built")
      .PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"view_name", "text"}, {"start_token", "text"}, {"end_token", "text"}})
      .Regular({{"keys_built", "bigint"}, {"last_token", "text"}})
      .Build([builds](const VirtualQuery&, RowSet& rows) -> CqlStatus {
        for (const ViewBuild& build : InProgress(builds)) {
          RowWriter row = rows.Add();
          row.Text("keyspace_name", build.keyspace)
              .Text("view_name", build.view)
              .Text("start_token", std::to_string(build.first_token))
              .Text("end_token", std::to_string(build.last_token))
              .Bigint("keys_built", build.keys_built);
          if (build.reached_token.has_value())
            row.Text("last_token", std::to_string(*build.reached_token));
        }
        return {};
      });
}

}  // namespace orrery::cassandra
