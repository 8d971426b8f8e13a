// OperationCounters count commands by their kind, and what each collection's have taken, for
// serverStatus and top.
//
// Uses of indexes are counted, too, for $indexStats.
//
// Collections are counted in shards by thread, so that event loops do not wait for each other; at
// most kCollectionsMax of them in each. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "api/mongo/executor/read/index_uses.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace orrery::mongo {

// The kinds of commands that opcounters and top tell apart.
enum class OperationKind : uint8_t { kInsert, kQuery, kUpdate, kDelete, kGetMore, kCommand };
inline constexpr size_t kOperationKinds = 6;
OperationKind KindOfCommand(std::string_view name);

class OperationCounters final : public IndexUses {
 public:
  struct Use {
    int64_t micros = 0;
    int64_t count = 0;
  };
  using Uses = std::array<Use, kOperationKinds>;  // by OperationKind

  // Count the bytes and requests of the wire.
  struct Traffic {
    std::atomic<int64_t> connections{0};       // now
    std::atomic<int64_t> connections_made{0};  // since the start
    std::atomic<int64_t> bytes_in{0};
    std::atomic<int64_t> bytes_out{0};
    std::atomic<int64_t> requests{0};
  };
  Traffic& traffic() { return traffic_; }
  const Traffic& traffic() const { return traffic_; }

  // Counts a command. `operations` is the number of documents or statements that it has.
  // `collection` is empty for one that names none.
  void Count(OperationKind kind, int64_t operations, std::string_view collection, Micros took);

  void CountIndexUse(std::string_view collection, std::string_view index) override;
  // By index; that of "" are scans of the whole collection.
  std::map<std::string, int64_t> UsesOfIndexes(std::string_view collection) const;

  int64_t count(OperationKind kind) const {
    return counts_[static_cast<size_t>(kind)].load(std::memory_order_relaxed);
  }
  std::map<std::string, Uses> Collections() const;

 private:
  static constexpr size_t kShards = 16;
  static constexpr size_t kCollectionsMax = 4'096;

  struct NameHash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  struct alignas(64) Shard {
    mutable Mutex mutex;
    std::unordered_map<std::string, Uses, NameHash, std::equal_to<>> uses GUARDED_BY(mutex);
    std::unordered_map<std::string, std::map<std::string, int64_t, std::less<>>, NameHash,
                       std::equal_to<>>
        index_uses GUARDED_BY(mutex);
  };

  std::array<std::atomic<int64_t>, kOperationKinds> counts_{};
  std::array<Shard, kShards> shards_;
  Traffic traffic_;
};

}  // namespace orrery::mongo
