// Tables of system_views about work and caches that are not counted here.
#include <array>

#include "api/cassandra/system/views/views_tables.h"

namespace orrery::cassandra {
namespace {

struct RoleCache {
  std::string_view table;
  std::string_view comment;
};
constexpr std::array<RoleCache, 4> kRoleCaches = {{
    {"credentials_cache_keys", "roles whose password hash is cached"},
    {"jmx_permissions_cache_keys", "roles whose JMX permissions are cached"},
    {"network_permissions_cache_keys", "roles whose data centers are cached"},
    {"roles_cache_keys", "roles that are cached"},
}};

}  // namespace

std::vector<TablePtr> EmptyTaskTables() {
  std::vector<TablePtr> tables = {
      ViewTable("batch_metrics", "how many partitions batches wrote to")
          .PartitionKey({{"name", "text"}})
          .Regular(
              {{"max", "bigint"}, {"p50th", "double"}, {"p999th", "double"}, {"p99th", "double"}})
          .Empty(),
      ViewTable("queries", "statements that run now")
          .PartitionKey({{"thread_id", "text"}})
          .Regular({{"queued_micros", "bigint"}, {"running_micros", "bigint"}, {"task", "text"}})
          .Empty(),
      ViewTable("sstable_tasks", "tasks on SSTables that run now")
          .PartitionKey({{"keyspace_name", "text"}})
          .Clustering({{"table_name", "text"}, {"task_id", "timeuuid"}})
          .Regular({{"completion_ratio", "double"},
                    {"kind", "text"},
                    {"progress", "bigint"},
                    {"sstables", "int"},
                    {"total", "bigint"},
                    {"unit", "text"}})
          .Empty(),
      ViewTable("system_properties", "properties of a Java process")
          .PartitionKey({{"name", "text"}})
          .Regular({{"value", "text"}})
          .Empty(),
      ViewTable("permissions_cache_keys", "roles and resources whose permissions are cached")
          .PartitionKey({{"role", "text"}, {"resource", "text"}})
          .Empty(),
  };
  for (const RoleCache& cache : kRoleCaches)
    tables.push_back(
        ViewTable(cache.table, cache.comment).PartitionKey({{"role", "text"}}).Empty());
  return tables;
}

}  // namespace orrery::cassandra
