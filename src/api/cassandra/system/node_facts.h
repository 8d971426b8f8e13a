// NodeFacts is what a node tells clients of itself, in system.local and in the others'
// system.peers.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "api/cassandra/protocol/body/primitives.h"
#include "base/clock.h"

namespace orrery::cassandra {

// The first token of the ring. A node with this one token owns the whole ring, which is what
// token-aware drivers conclude when it is alone.
inline constexpr char kLowestToken[] = "-9223372036854775808";
// The partitioner whose tokens are the upper 64 bits of ring positions.
inline constexpr char kPartitioner[] = "org.apache.cassandra.dht.Murmur3Partitioner";

// No address is a wildcard (0.0.0.0, ::): drivers connect to what they read here.
struct NodeFacts {
  std::string cluster_name;
  std::string data_center = "datacenter1";
  std::string rack = "rack1";
  std::string release_version = "4.1.7";  // the Cassandra whose clients know how to talk to us
  std::string cql_version = "3.4.6";
  std::string native_protocol_version = "5";  // the highest
  std::string host_id;                        // a uuid, 16 bytes; never changes
  InetEndpoint internal;                      // for other nodes: listen_* and broadcast_*
  InetEndpoint native;                        // for clients: rpc_* and native_*
  std::set<std::string> tokens = {kLowestToken};
  Micros started{0};  // in Unix time
};

// Lists the nodes of the cluster, and who has what of the ring. Thread-safe.
class PeerLister {
 public:
  virtual ~PeerLister() = default;
  // Those of this node, which NodeFacts has when it is alone.
  virtual std::set<std::string> OwnTokens() const = 0;
  // Without this node.
  virtual std::vector<NodeFacts> Peers() const = 0;
};

}  // namespace orrery::cassandra
