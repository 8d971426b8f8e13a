// The statements that clients prepared, by id, for all connections.
//
// An id depends on the text and keyspace only, so every node and every start of a server gives the
// same; a client whose statement is not here (a restart, or it was pushed out) is told to prepare
// again. A plan that the schema has outgrown is made anew on its next use; where that changes what
// the client was told of the statement, it is forgotten instead, so that the client asks again.
//
// Thread-safe. Bounded by the bytes of the texts: beyond, those not used for longest go.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/cassandra/executor/statement/planned_statement.h"
#include "base/mutex.h"
#include "base/published.h"

namespace orrery::cassandra {

inline constexpr size_t kPreparedBytesMax = size_t{64} << 20;

class PreparedStatements {
 public:
  struct Entry {
    std::string id;
    std::string text;
    std::string keyspace;
    Published<PlannedStatement> planned;
  };
  using EntryPtr = std::shared_ptr<Entry>;

  explicit PreparedStatements(size_t bytes_max = kPreparedBytesMax);

  // 16 bytes.
  static std::string IdOf(std::string_view text, std::string_view keyspace);

  // Keeps the plan under its id and returns the entry, an older one with a new plan if there is.
  EntryPtr Put(std::string_view text, std::string_view keyspace, PlannedPtr planned);
  // Null when it is not here.
  EntryPtr Find(std::string_view id);
  void Remove(std::string_view id);
  // Removes those that read or write a table which `schema` does not have.
  void RemoveDropped(const Schema& schema);

  // All, for system.prepared_statements.
  std::vector<EntryPtr> List() const;
  // Those that had to go because there were too many, ever.
  uint64_t evicted() const { return evicted_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kShards = 16;
  // The cost of an entry beside its text: plan, ids, lists.
  static constexpr size_t kEntryBytes = 4'096;

  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view id) const;
  };
  struct Shard {
    mutable Mutex mutex;
    std::list<EntryPtr> by_use GUARDED_BY(mutex);  // the last used first
    std::unordered_map<std::string, std::list<EntryPtr>::iterator, Hash, std::equal_to<>> by_id
        GUARDED_BY(mutex);
    size_t bytes GUARDED_BY(mutex) = 0;
  };

  Shard& ShardOf(std::string_view id);

  const size_t shard_bytes_max_;
  std::array<Shard, kShards> shards_;
  std::atomic<uint64_t> evicted_ = 0;
};

}  // namespace orrery::cassandra
