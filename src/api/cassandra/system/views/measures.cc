// The measurements of a NodeMonitor: system_views.thread_pools, caches and cql_metrics.
#include <optional>

#include "api/cassandra/system/views/views_tables.h"

namespace orrery::cassandra {
namespace {

void OptionalBigint(RowWriter& row, std::string_view column, std::optional<uint64_t> value) {
  if (value.has_value()) row.Bigint(column, *value);
}

double Share(uint64_t part, uint64_t rest) {
  return part == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(part + rest);
}

}  // namespace

TablePtr ThreadPoolsTable(const NodeMonitor* monitor) {
  return ViewTable("thread_pools", "threads and the tasks that wait for them")
      .PartitionKey({{"name", "text"}})
      .Regular({{"active_tasks", "int"},
                {"active_tasks_limit", "int"},
                {"blocked_tasks", "bigint"},
                {"blocked_tasks_all_time", "bigint"},
                {"completed_tasks", "bigint"},
                {"pending_tasks", "int"}})
      .Build([monitor](const VirtualQuery&, RowSet& rows) -> CqlStatus {
        if (monitor == nullptr) return {};
        for (const ThreadPoolFacts& pool : monitor->ThreadPools()) {
          RowWriter row = rows.Add();
          row.Text("name", pool.name)
              .Int("active_tasks_limit", static_cast<int64_t>(pool.threads))
              .Int("pending_tasks", static_cast<int64_t>(pool.queued))
              // A full queue refuses: nobody ever waits to get into it.
              .Bigint("blocked_tasks", 0);
          if (pool.active.has_value()) row.Int("active_tasks", static_cast<int64_t>(*pool.active));
          OptionalBigint(row, "blocked_tasks_all_time", pool.refused);
          OptionalBigint(row, "completed_tasks", pool.completed);
        }
        return {};
      });
}

TablePtr CachesTable(const NodeMonitor* monitor) {
  return ViewTable("caches", "caches of the server")
      .PartitionKey({{"name", "text"}})
      .Regular({{"capacity_bytes", "bigint"},
                {"entry_count", "int"},
                {"hit_count", "bigint"},
                {"hit_ratio", "double"},
                {"recent_hit_rate_per_second", "bigint"},
                {"recent_request_rate_per_second", "bigint"},
                {"request_count", "bigint"},
                {"size_bytes", "bigint"}})
      .Build([monitor](const VirtualQuery&, RowSet& rows) -> CqlStatus {
        if (monitor == nullptr) return {};
        for (const CacheFacts& cache : monitor->Caches()) {
          RowWriter row = rows.Add();
          row.Text("name", cache.name)
              .Bigint("capacity_bytes", cache.capacity_bytes)
              .Bigint("size_bytes", cache.used_bytes);
          if (cache.entries.has_value())
            row.Int("entry_count", static_cast<int64_t>(*cache.entries));
          OptionalBigint(row, "request_count", cache.requests);
          OptionalBigint(row, "hit_count", cache.hits);
          if (cache.requests.has_value() && cache.hits.has_value() && *cache.requests > 0) {
            row.Double("hit_ratio",
                       static_cast<double>(*cache.hits) / static_cast<double>(*cache.requests));
          }
        }
        return {};
      });
}

TablePtr CqlMetricsTable(const NodeMonitor* monitor) {
  return ViewTable("cql_metrics", "how many statements were prepared and executed")
      .PartitionKey({{"name", "text"}})
      .Regular({{"value", "double"}})
      .Build([monitor](const VirtualQuery&, RowSet& rows) -> CqlStatus {
        if (monitor == nullptr) return {};
        const std::optional<StatementCounts> counts = monitor->Statements();
        if (!counts.has_value()) return {};
        const auto add = [&](std::string_view name, double value) {
          rows.Add().Text("name", name).Double("value", value);
        };
        add("prepared_statements_count", static_cast<double>(counts->prepared));
        add("prepared_statements_evicted", static_cast<double>(counts->prepared_evicted));
        add("prepared_statements_executed", static_cast<double>(counts->prepared_executed));
        add("prepared_statements_ratio", Share(counts->prepared_executed, counts->plain_executed));
        add("regular_statements_executed", static_cast<double>(counts->plain_executed));
        return {};
      });
}

}  // namespace orrery::cassandra
