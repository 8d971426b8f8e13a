// system.size_estimates and its successor system.table_estimates: sizes by token range.
//
// Ranges are written as Cassandra has them, (start, end] with the lowest token standing for both
// ends of the ring.
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "api/cassandra/schema/schema.h"
#include "api/cassandra/system/core/core_tables.h"

namespace orrery::cassandra {
namespace {

// Both are the ranges that this node answers for; on a node of its own data center they are equal.
constexpr std::array<std::string_view, 2> kRangeTypes = {"primary", "local_primary"};

constexpr int64_t kTokenMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kTokenMax = std::numeric_limits<int64_t>::max();

std::string StartText(int64_t first_token) {
  return std::to_string(first_token == kTokenMin ? kTokenMin : first_token - 1);
}

std::string EndText(int64_t last_token) {
  return std::to_string(last_token == kTokenMax ? kTokenMin : last_token);
}

// Physical partitions may meet within a token, which clients do not see: such neighbours are one.
std::vector<RangeEstimate> JoinSharedTokens(const std::vector<RangeEstimate>& estimates) {
  std::vector<RangeEstimate> joined;
  for (const RangeEstimate& estimate : estimates) {
    if (joined.empty() || estimate.first_token > joined.back().last_token) {
      joined.push_back(estimate);
      continue;
    }
    joined.back().last_token = estimate.last_token;
    joined.back().bytes += estimate.bytes;
    joined.back().partitions += estimate.partitions;
  }
  return joined;
}

// Calls `add(table, estimate)` for each range of each table that the query asks for.
template <typename Add>
CqlStatus ForEachRange(const VirtualQuery& query, const SizeEstimates* sizes, const Add& add) {
  if (sizes == nullptr) return {};
  for (const auto& [name, keyspace] : query.schema.keyspaces) {
    if (!IsWanted(query, name)) continue;
    for (const auto& [table_name, table] : keyspace->tables) {
      if (table->container == nullptr) continue;
      CQL_ASSIGN(const std::vector<RangeEstimate> estimates,
                 EstimateIfThere(*sizes, table->container));
      for (const RangeEstimate& estimate : JoinSharedTokens(estimates)) add(*table, estimate);
    }
  }
  return {};
}

RowWriter AddRange(const Table& table, const RangeEstimate& estimate, RowSet& rows) {
  const uint64_t mean = estimate.partitions == 0 ? 0 : estimate.bytes / estimate.partitions;
  RowWriter row = rows.Add();
  row.Text("keyspace_name", table.keyspace)
      .Text("table_name", table.name)
      .Text("range_start", StartText(estimate.first_token))
      .Text("range_end", EndText(estimate.last_token))
      .Bigint("mean_partition_size", mean)
      .Bigint("partitions_count", estimate.partitions);
  return row;
}

}  // namespace

TablePtr SizeEstimatesTable(const SizeEstimates* sizes) {
  return CoreTable("size_estimates", "sizes of tables by token range; see table_estimates")
      .PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"table_name", "text"}, {"range_start", "text"}, {"range_end", "text"}})
      .Regular({{"mean_partition_size", "bigint"}, {"partitions_count", "bigint"}})
      .Build([sizes](const VirtualQuery& query, RowSet& rows) {
        return ForEachRange(query, sizes, [&](const Table& table, const RangeEstimate& estimate) {
          AddRange(table, estimate, rows);
        });
      });
}

TablePtr TableEstimatesTable(const SizeEstimates* sizes) {
  return CoreTable("table_estimates", "sizes of tables by token range")
      .PartitionKey({{"keyspace_name", "text"}})
      .Clustering({{"table_name", "text"},
                   {"range_type", "text"},
                   {"range_start", "text"},
                   {"range_end", "text"}})
      .Regular({{"mean_partition_size", "bigint"}, {"partitions_count", "bigint"}})
      .Build([sizes](const VirtualQuery& query, RowSet& rows) {
        return ForEachRange(query, sizes, [&](const Table& table, const RangeEstimate& estimate) {
          for (const std::string_view type : kRangeTypes)
            AddRange(table, estimate, rows).Text("range_type", type);
        });
      });
}

}  // namespace orrery::cassandra
