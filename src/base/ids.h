// Strong types for the ids and counters that travel between layers. Two of them never mix by
// accident, and a signature says which one it wants.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace orrery {

template <typename Tag, typename Rep>
class StrongId {
 public:
  using rep = Rep;
  constexpr StrongId() = default;
  constexpr explicit StrongId(Rep value) : value_(value) {}
  constexpr Rep value() const { return value_; }
  constexpr StrongId Next() const { return StrongId(static_cast<Rep>(value_ + 1)); }
  friend constexpr auto operator<=>(StrongId, StrongId) = default;

 private:
  Rep value_ = 0;
};

// A container (table, collection, graph); never reused. 0 is no container.
using ContainerId = StrongId<struct ContainerIdTag, uint32_t>;
using DatabaseId = StrongId<struct DatabaseIdTag, uint32_t>;
// A physical partition; never reused, also not after a split. 0 is no partition.
using PartitionId = StrongId<struct PartitionIdTag, uint64_t>;
// The id of a container with throughput of its own, or of a database that shares its throughput.
using ThroughputOwnerId = StrongId<struct ThroughputOwnerIdTag, uint64_t>;
// Position in one physical partition's history. Rises with each committed transaction and goes on
// rising across splits and merges.
using Lsn = StrongId<struct LsnTag, uint64_t>;
// Raised each time a partition gets a new owner.
using Epoch = StrongId<struct EpochTag, uint64_t>;
// A process of a cluster; never reused. 0 is no node.
using NodeId = StrongId<struct NodeIdTag, uint64_t>;
// Version of the partition map.
using MapVersion = StrongId<struct MapVersionTag, uint64_t>;

}  // namespace orrery

template <typename Tag, typename Rep>
struct std::hash<orrery::StrongId<Tag, Rep>> {
  size_t operator()(orrery::StrongId<Tag, Rep> id) const noexcept {
    return std::hash<Rep>{}(id.value());
  }
};
