#include "api/cassandra/system/distributed/distributed_keyspace.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "api/cassandra/schema/schema.h"
#include "api/cassandra/system/build/keyspace_builder.h"
#include "api/cassandra/system/build/table_builder.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kDistributedKeyspace = "system_distributed";

TablePtr ViewBuildStatusTable(const ViewBuildLister* builds, const std::string& host_id) {
  return TableBuilder(kDistributedKeyspace, "view_build_status",
                      "whether views have all rows, by node")
      .PartitionKey({{"keyspace_name", "text"}, {"view_name", "text"}})
      .Clustering({{"host_id", "uuid"}})
      .Regular({{"status", "text"}})
      .Build([builds, host_id](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        std::set<std::pair<std::string, std::string>> unfinished;
        if (builds != nullptr) {
          for (const ViewBuild& build : builds->ViewBuildsInProgress())
            unfinished.emplace(build.keyspace, build.view);
        }
        for (const auto& [name, keyspace] : query.schema.keyspaces) {
          for (const auto& [view, table] : keyspace->tables) {
            if (!table->view.has_value()) continue;
            rows.Add()
                .Text("keyspace_name", name)
                .Text("view_name", view)
                .Bytes("host_id", host_id)
                .Text("status", unfinished.contains({name, view}) ? "STARTED" : "SUCCESS");
          }
        }
        return {};
      });
}

TablePtr RepairHistoryTable() {
  return TableBuilder(kDistributedKeyspace, "repair_history", "repairs by range")
      .PartitionKey({{"keyspace_name", "text"}, {"columnfamily_name", "text"}})
      .Clustering({{"id", "timeuuid"}})
      .Regular({{"coordinator", "inet"},
                {"coordinator_port", "int"},
                {"exception_message", "text"},
                {"exception_stacktrace", "text"},
                {"finished_at", "timestamp"},
                {"parent_id", "timeuuid"},
                {"participants", "set<inet>"},
                {"participants_v2", "set<text>"},
                {"range_begin", "text"},
                {"range_end", "text"},
                {"started_at", "timestamp"},
                {"status", "text"}})
      .Empty();
}

TablePtr ParentRepairHistoryTable() {
  return TableBuilder(kDistributedKeyspace, "parent_repair_history",
                      "repairs as they were asked for")
      .PartitionKey({{"parent_id", "timeuuid"}})
      .Regular({{"columnfamily_names", "set<text>"},
                {"exception_message", "text"},
                {"exception_stacktrace", "text"},
                {"finished_at", "timestamp"},
                {"keyspace_name", "text"},
                {"options", "map<text, text>"},
                {"requested_ranges", "set<text>"},
                {"started_at", "timestamp"},
                {"successful_ranges", "set<text>"}})
      .Empty();
}

TablePtr PartitionDenylistTable() {
  return TableBuilder(kDistributedKeyspace, "partition_denylist",
                      "partition keys that nobody may use")
      .PartitionKey({{"ks_name", "text"}, {"table_name", "text"}})
      .Clustering({{"key", "blob"}})
      .Empty();
}

}  // namespace

KeyspacePtr MakeDistributedKeyspace(const SystemFacts& facts) {
  return MakeSystemKeyspace(
      kDistributedKeyspace, KeyspaceNature::kReplicated,
      {RepairHistoryTable(), ParentRepairHistoryTable(), PartitionDenylistTable(),
       ViewBuildStatusTable(facts.view_builds, facts.self.host_id)});
}

}  // namespace orrery::cassandra
