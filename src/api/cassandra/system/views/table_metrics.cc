// Tables of system_views with one row per table of the user's.
#include <array>
#include <cstdint>
#include <vector>

#include "api/cassandra/schema/schema.h"
#include "api/cassandra/system/views/views_tables.h"

namespace orrery::cassandra {
namespace {

constexpr uint64_t kMebibyte = uint64_t{1} << 20;

constexpr ColumnSpecs kTableKey = {{"keyspace_name", "text"}, {"table_name", "text"}};

struct Measure {
  std::string_view table;
  std::string_view comment;
};
constexpr std::array<Measure, 6> kLatencies = {{
    {"local_read_latency", "how long reads of one partition took on this node"},
    {"local_scan_latency", "how long scans took on this node"},
    {"local_write_latency", "how long writes took on this node"},
    {"coordinator_read_latency", "how long reads of one partition took in all"},
    {"coordinator_scan_latency", "how long scans took in all"},
    {"coordinator_write_latency", "how long writes took in all"},
}};
constexpr std::array<Measure, 2> kHistograms = {{
    {"rows_per_read", "rows that a read met"},
    {"tombstones_per_read", "tombstones that a read met"},
}};

TablePtr LatencyTable(const Measure& measure) {
  return ViewTable(measure.table, measure.comment)
      .PartitionKey(kTableKey)
      .Regular({{"count", "bigint"},
                {"max_ms", "double"},
                {"p50th_ms", "double"},
                {"p99th_ms", "double"},
                {"per_second", "double"}})
      .Empty();
}

TablePtr HistogramTable(const Measure& measure) {
  return ViewTable(measure.table, measure.comment)
      .PartitionKey(kTableKey)
      .Regular({{"count", "bigint"}, {"max", "double"}, {"p50th", "double"}, {"p99th", "double"}})
      .Empty();
}

TablePtr DiskUsageTable(const SizeEstimates* sizes) {
  return ViewTable("disk_usage", "size of each table's data")
      .PartitionKey(kTableKey)
      .Regular({{"mebibytes", "bigint"}})
      .Build([sizes](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        if (sizes == nullptr) return {};
        for (const auto& [name, keyspace] : query.schema.keyspaces) {
          for (const auto& [table_name, table] : keyspace->tables) {
            if (table->container == nullptr) continue;
            CQL_ASSIGN(const std::vector<RangeEstimate> ranges,
                       EstimateIfThere(*sizes, table->container));
            if (ranges.empty()) continue;
            uint64_t bytes = 0;
            for (const RangeEstimate& range : ranges) bytes += range.bytes;
            rows.Add()
                .Text("keyspace_name", name)
                .Text("table_name", table_name)
                .Bigint("mebibytes", (bytes + kMebibyte - 1) / kMebibyte);
          }
        }
        return {};
      });
}

}  // namespace

std::vector<TablePtr> TableMetricTables(const SizeEstimates* sizes) {
  std::vector<TablePtr> tables = {DiskUsageTable(sizes)};
  tables.push_back(ViewTable("max_partition_size", "size of each table's largest partition")
                       .PartitionKey(kTableKey)
                       .Regular({{"mebibytes", "bigint"}})
                       .Empty());
  for (const Measure& measure : kLatencies) tables.push_back(LatencyTable(measure));
  for (const Measure& measure : kHistograms) tables.push_back(HistogramTable(measure));
  return tables;
}

}  // namespace orrery::cassandra
