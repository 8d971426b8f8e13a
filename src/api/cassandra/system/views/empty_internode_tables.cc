// Tables of system_views about how Cassandra's nodes talk to each other. Ours do not: they share a
// store.
#include <array>
#include <string>

#include "api/cassandra/system/views/views_tables.h"

namespace orrery::cassandra {
namespace {

// The states that nodes gossip about. Tokens have a version only.
constexpr std::array<std::string_view, 30> kGossipStates = {"dc",
                                                            "disk_usage",
                                                            "host_id",
                                                            "internal_address_and_port",
                                                            "internal_ip",
                                                            "load",
                                                            "native_address_and_port",
                                                            "net_version",
                                                            "rack",
                                                            "release_version",
                                                            "removal_coordinator",
                                                            "rpc_address",
                                                            "rpc_ready",
                                                            "schema",
                                                            "severity",
                                                            "sstable_versions",
                                                            "status",
                                                            "status_with_port",
                                                            "tokens",
                                                            "x1",
                                                            "x10",
                                                            "x2",
                                                            "x3",
                                                            "x4",
                                                            "x5",
                                                            "x6",
                                                            "x7",
                                                            "x8",
                                                            "x9",
                                                            "x_11_padding"};

TablePtr GossipInfoTable() {
  TableBuilder builder = ViewTable("gossip_info", "what nodes gossip about each other");
  builder.PartitionKey({{"address", "inet"}})
      .Clustering({{"port", "int"}})
      .Regular({{"generation", "int"}, {"heartbeat", "int"}, {"hostname", "text"}});
  for (const std::string_view state : kGossipStates) {
    if (state != "tokens") builder.Regular({{state, "text"}});
    builder.Regular({{std::string(state) + "_version", "int"}});
  }
  return builder.Empty();
}

TablePtr InboundTable() {
  return ViewTable("internode_inbound", "messages from other nodes")
      .PartitionKey({{"address", "inet"}, {"port", "int"}})
      .Clustering({{"dc", "text"}, {"rack", "text"}})
      .Regular({{"corrupt_frames_recovered", "bigint"},
                {"corrupt_frames_unrecovered", "bigint"},
                {"error_bytes", "bigint"},
                {"error_count", "bigint"},
                {"expired_bytes", "bigint"},
                {"expired_count", "bigint"},
                {"processed_bytes", "bigint"},
                {"processed_count", "bigint"},
                {"received_bytes", "bigint"},
                {"received_count", "bigint"},
                {"scheduled_bytes", "bigint"},
                {"scheduled_count", "bigint"},
                {"throttled_count", "bigint"},
                {"throttled_nanos", "bigint"},
                {"using_bytes", "bigint"},
                {"using_reserve_bytes", "bigint"}})
      .Empty();
}

TablePtr OutboundTable() {
  return ViewTable("internode_outbound", "messages to other nodes")
      .PartitionKey({{"address", "inet"}, {"port", "int"}})
      .Clustering({{"dc", "text"}, {"rack", "text"}})
      .Regular({{"active_connections", "bigint"},
                {"connection_attempts", "bigint"},
                {"error_bytes", "bigint"},
                {"error_count", "bigint"},
                {"expired_bytes", "bigint"},
                {"expired_count", "bigint"},
                {"overload_bytes", "bigint"},
                {"overload_count", "bigint"},
                {"pending_bytes", "bigint"},
                {"pending_count", "bigint"},
                {"sent_bytes", "bigint"},
                {"sent_count", "bigint"},
                {"successful_connection_attempts", "bigint"},
                {"using_bytes", "bigint"},
                {"using_reserve_bytes", "bigint"}})
      .Empty();
}

TablePtr PendingHintsTable() {
  return ViewTable("pending_hints", "writes kept for nodes that are away")
      .PartitionKey({{"host_id", "uuid"}})
      .Regular({{"address", "inet"},
                {"dc", "text"},
                {"files", "int"},
                {"newest", "timestamp"},
                {"oldest", "timestamp"},
                {"port", "int"},
                {"rack", "text"},
                {"status", "text"}})
      .Empty();
}

TablePtr StreamingTable() {
  return ViewTable("streaming", "data on its way between nodes")
      .PartitionKey({{"id", "timeuuid"}})
      .Regular({{"bytes_received", "bigint"},
                {"bytes_sent", "bigint"},
                {"bytes_to_receive", "bigint"},
                {"bytes_to_send", "bigint"},
                {"duration_millis", "bigint"},
                {"failure_cause", "text"},
                {"files_received", "bigint"},
                {"files_sent", "bigint"},
                {"files_to_receive", "bigint"},
                {"files_to_send", "bigint"},
                {"follower", "boolean"},
                {"last_updated_at", "timestamp"},
                {"operation", "text"},
                {"peers", "frozen<list<text>>"},
                {"progress_percentage", "float"},
                {"status", "text"},
                {"status_failure_timestamp", "timestamp"},
                {"status_init_timestamp", "timestamp"},
                {"status_start_timestamp", "timestamp"},
                {"status_success_timestamp", "timestamp"},
                {"success_message", "text"}})
      .Empty();
}

}  // namespace

std::vector<TablePtr> EmptyInternodeTables() {
  return {GossipInfoTable(), InboundTable(), OutboundTable(), PendingHintsTable(),
          StreamingTable()};
}

}  // namespace orrery::cassandra
