// A ClusterView is what a node knows of its cluster without asking anybody: its members, its
// manager, and the state of the object store. For clients and operators; requests are not routed by
// it.
//
// The server has it (server/cluster_member.h); on a single machine there is none. Thread-safe; no
// call blocks.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"

namespace orrery::gateway {

// A node that runs, as far as is known.
struct ClusterNode {
  NodeId id;            // of this start of the process
  std::string host_id;  // 16 bytes: the same over restarts
  std::string address;  // for clients
  uint16_t sql_port = 0;
  uint16_t cassandra_port = 0;   // 0: closed
  uint16_t sql_direct_port = 0;  // 0: closed
  std::string software;

  friend bool operator==(const ClusterNode&, const ClusterNode&) = default;
};
using ClusterNodes = std::shared_ptr<const std::vector<ClusterNode>>;  // never null

// The object store that has all partitions.
struct StoreReport {
  std::string pool;
  uint32_t copies = 0;          // that the pool keeps of each object
  uint32_t copies_serving = 0;  // with fewer it serves nothing
  std::string health;           // the store's own word for it
  std::vector<std::string> checks;
  uint32_t disks = 0;
  uint32_t disks_up = 0;
  uint64_t bytes_used = 0;  // with all copies
  uint64_t bytes_available = 0;
  std::string trouble;  // why the above is old, or not known at all; empty: it is recent
};

class ClusterView {
 public:
  virtual ~ClusterView() = default;

  virtual NodeId self() const = 0;
  virtual NodeId manager() const = 0;  // 0: nobody is known to be
  virtual const std::string& cluster_id() const = 0;
  // By number; this node is among them once clients may know it.
  virtual ClusterNodes Nodes() const = 0;
  virtual std::shared_ptr<const StoreReport> Store() const = 0;  // never null
  // The disks that have a partition's directory; none while that is not known.
  virtual std::vector<uint32_t> CopiesOf(PartitionId partition) const = 0;
  // By how much the clock of the machine of `node` is ahead of the cluster's time, by which all
  // nodes go; none while that is not known.
  virtual std::optional<std::chrono::milliseconds> ClockAhead(NodeId node) const = 0;
};

}  // namespace orrery::gateway
