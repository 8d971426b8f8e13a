// A NodeMonitor has the server's measurements of itself, as far as Cassandra's system_views has a
// place for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orrery::cassandra {

// Numbers that nobody counts are absent and shown as null, never as zero.
struct ThreadPoolFacts {
  std::string name;
  std::optional<uint64_t> active;
  uint64_t threads = 0;
  uint64_t queued = 0;
  std::optional<uint64_t> completed;
  std::optional<uint64_t> refused;  // because the queue was full, ever
};

struct CacheFacts {
  std::string name;  // "chunks" for blocks of table files
  uint64_t capacity_bytes = 0;
  uint64_t used_bytes = 0;
  std::optional<uint64_t> entries;
  std::optional<uint64_t> requests;
  std::optional<uint64_t> hits;
};

struct StatementCounts {
  uint64_t prepared = 0;  // kept now
  uint64_t prepared_evicted = 0;
  uint64_t prepared_executed = 0;
  uint64_t plain_executed = 0;
};

// Thread-safe.
class NodeMonitor {
 public:
  virtual ~NodeMonitor() = default;
  virtual std::vector<ThreadPoolFacts> ThreadPools() const = 0;
  virtual std::vector<CacheFacts> Caches() const = 0;
  virtual std::optional<StatementCounts> Statements() const = 0;
};

}  // namespace orrery::cassandra
