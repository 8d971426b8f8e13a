// Takes a container out of the system store and its data out of the partitions. Internal to
// catalog/.
#pragma once

#include "cluster/node.h"
#include "cluster/system/system_store.h"
#include "gateway/catalog/catalog_codec.h"
#include "gateway/catalog/catalog_entries.h"

namespace orrery::gateway {

// Adds the end of a container to a change. One with partitions of its own takes them along.
inline void AppendDrop(const ContainerEntry& entry, cluster::TopologyChange& topology,
                       cluster::SystemStore::Change& change) {
  change.Delete(ContainerRecordKey(entry.id));
  if (entry.throughput_owner == cluster::ThroughputOwner::Of(entry.id)) {
    topology.drop_throughput_owners.push_back(entry.throughput_owner);
  } else {
    topology.drop_containers.push_back(entry.id);
  }
}

}  // namespace orrery::gateway
