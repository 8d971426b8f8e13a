// Cassandra's guards against large batches: one over several partitions is a burden on its
// coordinator, so it warns of those that are large or, unlogged, of many partitions, and refuses
// those that are larger still. The thresholds are 4.1's defaults.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "api/cassandra/executor/write/write_run.h"

namespace orrery::cassandra {

inline constexpr size_t kBatchWarnBytes = 5 << 10;
inline constexpr size_t kBatchBytesMax = 50 << 10;
inline constexpr size_t kUnloggedWarnPartitions = 10;

// Warnings for the client, or the refusal "Batch too large". Statements on one partition are always
// good, whatever their size.
CqlResult<std::vector<std::string>> CheckBatchSize(WriteKind kind,
                                                   std::span<const WrittenStatement> statements);

}  // namespace orrery::cassandra
