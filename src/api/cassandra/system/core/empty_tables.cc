// Tables of "system" about things that do not exist here. The batch log is the outbox of a
// partition, conditions need no Paxos, compaction is RocksDB's, nothing is streamed or repaired.
#include "api/cassandra/system/core/core_tables.h"

namespace orrery::cassandra {
namespace {

std::vector<TablePtr> WriteTables() {
  return {
      CoreTable("batches", "batches that wait to be replayed")
          .PartitionKey({{"id", "timeuuid"}})
          .Regular({{"mutations", "list<blob>"}, {"version", "int"}})
          .Empty(),
      CoreTable("paxos", "Paxos proposals under way")
          .PartitionKey({{"row_key", "blob"}})
          .Clustering({{"cf_id", "uuid"}})
          .Regular({{"in_progress_ballot", "timeuuid"},
                    {"in_progress_read_ballot", "timeuuid"},
                    {"most_recent_commit", "blob"},
                    {"most_recent_commit_at", "timeuuid"},
                    {"most_recent_commit_version", "int"},
                    {"proposal", "blob"},
                    {"proposal_ballot", "timeuuid"},
                    {"proposal_version", "int"}})
          .Empty(),
      CoreTable("paxos_repair_history", "the last Paxos repair of each range")
          .PartitionKey({{"keyspace_name", "text"}})
          .Clustering({{"table_name", "text"}})
          .Regular({{"points", "frozen<list<tuple<blob, timeuuid>>>"}})
          .Empty(),
  };
}

std::vector<TablePtr> FileTables() {
  return {
      CoreTable("compaction_history", "compactions of SSTables")
          .PartitionKey({{"id", "timeuuid"}})
          .Regular({{"bytes_in", "bigint"},
                    {"bytes_out", "bigint"},
                    {"columnfamily_name", "text"},
                    {"compacted_at", "timestamp"},
                    {"keyspace_name", "text"},
                    {"rows_merged", "map<int, bigint>"}})
          .Empty(),
      CoreTable("sstable_activity", "how often SSTables were read; see sstable_activity_v2")
          .PartitionKey(
              {{"keyspace_name", "text"}, {"columnfamily_name", "text"}, {"generation", "int"}})
          .Regular({{"rate_120m", "double"}, {"rate_15m", "double"}})
          .Empty(),
      CoreTable("sstable_activity_v2", "how often SSTables were read")
          .PartitionKey({{"keyspace_name", "text"}, {"table_name", "text"}, {"id", "text"}})
          .Regular({{"rate_120m", "double"}, {"rate_15m", "double"}})
          .Empty(),
      CoreTable("top_partitions", "the largest partitions that validation compactions met")
          .PartitionKey({{"keyspace_name", "text"}})
          .Clustering({{"table_name", "text"}, {"top_type", "text"}})
          .Regular({{"last_update", "timestamp"}, {"top", "frozen<list<tuple<text, bigint>>>"}})
          .Empty(),
  };
}

std::vector<TablePtr> PeerTables() {
  return {
      CoreTable("peer_events", "hints dropped for peers; see peer_events_v2")
          .PartitionKey({{"peer", "inet"}})
          .Regular({{"hints_dropped", "map<timeuuid, int>"}})
          .Empty(),
      CoreTable("peer_events_v2", "hints dropped for peers")
          .PartitionKey({{"peer", "inet"}})
          .Clustering({{"peer_port", "int"}})
          .Regular({{"hints_dropped", "map<timeuuid, int>"}})
          .Empty(),
      CoreTable("available_ranges", "ranges that a joining node serves; see available_ranges_v2")
          .PartitionKey({{"keyspace_name", "text"}})
          .Regular({{"ranges", "set<blob>"}})
          .Empty(),
      CoreTable("available_ranges_v2", "ranges that a joining node serves already")
          .PartitionKey({{"keyspace_name", "text"}})
          .Regular({{"full_ranges", "set<blob>"}, {"transient_ranges", "set<blob>"}})
          .Empty(),
      CoreTable("transferred_ranges", "ranges streamed to peers; see transferred_ranges_v2")
          .PartitionKey({{"operation", "text"}, {"keyspace_name", "text"}})
          .Clustering({{"peer", "inet"}})
          .Regular({{"ranges", "set<blob>"}})
          .Empty(),
      CoreTable("transferred_ranges_v2", "ranges streamed to peers")
          .PartitionKey({{"operation", "text"}, {"keyspace_name", "text"}})
          .Clustering({{"peer", "inet"}, {"peer_port", "int"}})
          .Regular({{"ranges", "set<blob>"}})
          .Empty(),
      CoreTable("repairs", "incremental repairs")
          .PartitionKey({{"parent_id", "timeuuid"}})
          .Regular({{"cfids", "set<uuid>"},
                    {"coordinator", "inet"},
                    {"coordinator_port", "int"},
                    {"last_update", "timestamp"},
                    {"participants", "set<inet>"},
                    {"participants_wp", "set<text>"},
                    {"ranges", "set<blob>"},
                    {"repaired_at", "timestamp"},
                    {"started_at", "timestamp"},
                    {"state", "int"}})
          .Empty(),
  };
}

}  // namespace

std::vector<TablePtr> EmptyCoreTables() {
  std::vector<TablePtr> tables;
  for (const auto& part : {WriteTables(), FileTables(), PeerTables()})
    tables.insert(tables.end(), part.begin(), part.end());
  return tables;
}

}  // namespace orrery::cassandra
