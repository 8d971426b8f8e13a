// system.local: one row, the first thing that every driver reads.
#include <chrono>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/schema/schema.h"
#include "api/cassandra/system/core/core_tables.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kKey = "local";

}  // namespace

TablePtr LocalTable(const NodeFacts& self, const PeerLister* peers) {
  return CoreTable("local", "the node that answers")
      .PartitionKey({{"key", "text"}})
      .Regular({{"bootstrapped", "text"},
                {"broadcast_address", "inet"},
                {"broadcast_port", "int"},
                {"cluster_name", "text"},
                {"cql_version", "text"},
                {"data_center", "text"},
                {"gossip_generation", "int"},
                {"host_id", "uuid"},
                {"listen_address", "inet"},
                {"listen_port", "int"},
                {"native_protocol_version", "text"},
                {"partitioner", "text"},
                {"rack", "text"},
                {"release_version", "text"},
                {"rpc_address", "inet"},
                {"rpc_port", "int"},
                {"schema_version", "uuid"},
                {"tokens", "set<text>"},
                {"truncated_at", "map<uuid, blob>"}})
      .Build([self, peers](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
        const auto started = std::chrono::floor<std::chrono::seconds>(self.started);
        // A client is told the address that it has reached us by.
        const InetEndpoint& native =
            query.client.local.port != 0 ? query.client.local : self.native;
        rows.Add()
            .Text("key", kKey)
            .Text("bootstrapped", "COMPLETED")
            .Inet("broadcast_address", self.internal.address)
            .Int("broadcast_port", self.internal.port)
            .Text("cluster_name", self.cluster_name)
            .Text("cql_version", self.cql_version)
            .Text("data_center", self.data_center)
            .Int("gossip_generation", started.count())
            .Bytes("host_id", self.host_id)
            .Inet("listen_address", self.internal.address)
            .Int("listen_port", self.internal.port)
            .Text("native_protocol_version", self.native_protocol_version)
            .Text("partitioner", kPartitioner)
            .Text("rack", self.rack)
            .Text("release_version", self.release_version)
            .Inet("rpc_address", native.address)
            .Int("rpc_port", native.port)
            .Bytes("schema_version", query.schema.version)
            .TextSet("tokens", peers != nullptr ? peers->OwnTokens() : self.tokens);
        return {};
      });
}

}  // namespace orrery::cassandra
