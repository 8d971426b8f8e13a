// system.peers, which knows nodes by address, and system.peers_v2, which knows their ports too.
#include "api/cassandra/schema/schema.h"
#include "api/cassandra/system/core/core_tables.h"

namespace orrery::cassandra {
namespace {

// Writes what both tables have. Peers read the same catalog as this node, so they have its schema.
RowWriter AddPeer(const NodeFacts& peer, const VirtualQuery& query, RowSet& rows) {
  RowWriter row = rows.Add();
  row.Inet("peer", peer.internal.address)
      .Text("data_center", peer.data_center)
      .Bytes("host_id", peer.host_id)
      .Inet("preferred_ip", peer.internal.address)
      .Text("rack", peer.rack)
      .Text("release_version", peer.release_version)
      .Bytes("schema_version", query.schema.version)
      .TextSet("tokens", peer.tokens);
  return row;
}

}  // namespace

TablePtr PeersTable(const PeerLister* peers) {
  return CoreTable("peers", "the other nodes, without ports; peers_v2 has them")
      .PartitionKey({{"peer", "inet"}})
      .Regular({{"data_center", "text"},
                {"host_id", "uuid"},
                {"preferred_ip", "inet"},
                {"rack", "text"},
                {"release_version", "text"},
                {"rpc_address", "inet"},
                {"schema_version", "uuid"},
                {"tokens", "set<text>"}})
      .Build([peers](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        if (peers == nullptr) return {};
        for (const NodeFacts& peer : peers->Peers())
          AddPeer(peer, query, rows).Inet("rpc_address", peer.native.address);
        return {};
      });
}

TablePtr PeersV2Table(const PeerLister* peers) {
  return CoreTable("peers_v2", "the other nodes")
      .PartitionKey({{"peer", "inet"}})
      .Clustering({{"peer_port", "int"}})
      .Regular({{"data_center", "text"},
                {"host_id", "uuid"},
                {"native_address", "inet"},
                {"native_port", "int"},
                {"preferred_ip", "inet"},
                {"preferred_port", "int"},
                {"rack", "text"},
                {"release_version", "text"},
                {"schema_version", "uuid"},
                {"tokens", "set<text>"}})
      .Build([peers](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        if (peers == nullptr) return {};
        for (const NodeFacts& peer : peers->Peers()) {
          AddPeer(peer, query, rows)
              .Int("peer_port", peer.internal.port)
              .Int("preferred_port", peer.internal.port)
              .Inet("native_address", peer.native.address)
              .Int("native_port", peer.native.port);
        }
        return {};
      });
}

}  // namespace orrery::cassandra
