#include "api/cassandra/executor/write/batch_size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace orrery::cassandra {
namespace {

// As Cassandra counts them: what a partition has of itself, the times of a row and of its deletion,
// and those of a cell.
constexpr size_t kPartitionBytes = 30;
constexpr size_t kRowBytes = 20;
constexpr size_t kCellBytes = 16;

size_t BytesOf(const std::vector<BoundOperation>& operations) {
  size_t bytes = 0;
  for (const BoundOperation& operation : operations)
    bytes += kCellBytes + operation.key.bytes.size() + operation.value.bytes.size();
  return bytes;
}

size_t BytesOf(const WrittenStatement& statement) {
  const BoundModification& bound = statement.bound;
  size_t bytes = bound.static_operations.empty() ? 0 : kRowBytes;
  bytes += BytesOf(bound.static_operations);
  for (const ClusteringRange& row : bound.rows)
    bytes += kRowBytes + row.lower.size() + BytesOf(bound.row_operations);
  return bytes * bound.partition_keys.size();
}

}  // namespace

CqlResult<std::vector<std::string>> CheckBatchSize(WriteKind kind,
                                                   std::span<const WrittenStatement> statements) {
  std::vector<std::string> warnings;
  size_t bytes = 0;
  std::set<std::pair<std::string_view, std::string_view>> mutations;  // of a keyspace, by key
  std::set<std::string> tables;
  for (const WrittenStatement& statement : statements) {
    const Table& table = *statement.plan->table;
    tables.insert(fmt::format("{}.{}", table.keyspace, table.name));
    bytes += BytesOf(statement);
    for (const std::string& key : statement.bound.partition_keys)
      mutations.emplace(table.keyspace, key);
  }
  if (mutations.size() <= 1) return warnings;
  bytes += mutations.size() * kPartitionBytes;
  if (bytes > kBatchBytesMax) return Invalid("Batch too large");
  if (bytes > kBatchWarnBytes) {
    warnings.push_back(
        fmt::format("Batch for [{}] is of size {}, exceeding specified threshold of {} by {}.",
                    fmt::join(tables, ", "), bytes, kBatchWarnBytes, bytes - kBatchWarnBytes));
  }
  std::set<std::string_view> keys;
  for (const auto& [keyspace, key] : mutations) keys.insert(key);
  if (kind != WriteKind::kLoggedBatch && keys.size() > kUnloggedWarnPartitions) {
    warnings.push_back(
        fmt::format("Unlogged batch covering {} partitions detected against table{} [{}]. You "
                    "should use a logged batch for atomicity, or asynchronous writes for "
                    "performance.",
                    keys.size(), tables.size() == 1 ? "" : "s", fmt::join(tables, ", ")));
  }
  return warnings;
}

}  // namespace orrery::cassandra
