// A DirectEndpoint says where clients in Direct mode connect: to this process's port, or, in a
// cluster, to the port of the node that owns the partition.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "gateway/view/cluster_view.h"

namespace orrery::sql {

struct DirectEndpoint {
  explicit DirectEndpoint(const gateway::ClusterView* view) : cluster(view) {}

  // Returns nullopt if `node` is not known, or does not serve Direct mode.
  std::optional<gateway::ClusterNode> Serving(NodeId node) const {
    if (cluster == nullptr) return std::nullopt;
    for (const gateway::ClusterNode& known : *cluster->Nodes())
      if (known.id == node && known.sql_direct_port != 0) return known;
    return std::nullopt;
  }

  const gateway::ClusterView* const cluster;  // null on a single machine; must outlive it
  std::atomic<uint16_t> port = 0;             // of this process; 0: Direct mode is off
};

}  // namespace orrery::sql
