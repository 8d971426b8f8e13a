// Tables of system_views about repairs. Replicas are the store's, and so is their repair.
#include <initializer_list>
#include <string>

#include "api/cassandra/system/views/views_tables.h"

namespace orrery::cassandra {
namespace {

// A table of something that a repair consists of: when it reached which state, and how it ended.
TableBuilder RepairTable(std::string_view name, std::string_view comment, std::string_view id_type,
                         std::initializer_list<std::string_view> states) {
  TableBuilder builder = ViewTable(name, comment);
  builder.PartitionKey({{"id", id_type}})
      .Regular({{"completed", "boolean"},
                {"duration_millis", "bigint"},
                {"failure_cause", "text"},
                {"last_updated_at", "timestamp"},
                {"success_message", "text"}});
  const auto add_state = [&](std::string_view state) {
    builder.Regular({{"state_" + std::string(state) + "_timestamp", "timestamp"}});
  };
  for (const std::string_view state : {"init", "success", "skipped", "failure"}) add_state(state);
  for (const std::string_view state : states) add_state(state);
  return builder;
}

TablePtr RepairsTable() {
  return RepairTable("repairs", "repairs that this node coordinates", "timeuuid",
                     {"setup", "start", "prepare_start", "prepare_complete", "repair_start",
                      "repair_complete"})
      .Regular({{"command_id", "int"},
                {"keyspace_name", "text"},
                {"options_column_families", "frozen<set<text>>"},
                {"options_data_centers", "frozen<set<text>>"},
                {"options_force_repair", "boolean"},
                {"options_hosts", "frozen<set<text>>"},
                {"options_ignore_unreplicated_keyspaces", "boolean"},
                {"options_incremental", "boolean"},
                {"options_job_threads", "int"},
                {"options_optimise_streams", "boolean"},
                {"options_parallelism", "text"},
                {"options_preview_kind", "text"},
                {"options_primary_range", "boolean"},
                {"options_pull_repair", "boolean"},
                {"options_ranges", "frozen<set<text>>"},
                {"options_subrange_repair", "boolean"},
                {"options_trace", "boolean"},
                {"participants", "frozen<list<text>>"},
                {"ranges", "frozen<list<list<text>>>"},
                {"sessions", "frozen<set<timeuuid>>"},
                {"status", "text"},
                {"table_names", "frozen<list<text>>"},
                {"type", "text"},
                {"unfiltered_ranges", "frozen<list<list<text>>>"}})
      .Empty();
}

TablePtr RepairSessionsTable() {
  return RepairTable("repair_sessions", "sessions of repairs", "timeuuid", {"start", "jobs_start"})
      .Regular({{"jobs", "frozen<set<uuid>>"},
                {"keyspace_name", "text"},
                {"participants", "frozen<list<text>>"},
                {"ranges", "frozen<list<text>>"},
                {"repair_id", "timeuuid"},
                {"status", "text"},
                {"table_names", "frozen<list<text>>"}})
      .Empty();
}

TablePtr RepairJobsTable() {
  return RepairTable("repair_jobs", "jobs of repair sessions", "uuid",
                     {"start", "snapshot_start", "snapshot_complete", "validation_start",
                      "validation_complete", "stream_start"})
      .Regular({{"keyspace_name", "text"},
                {"participants", "frozen<list<text>>"},
                {"ranges", "frozen<list<text>>"},
                {"repair_id", "timeuuid"},
                {"session_id", "timeuuid"},
                {"status", "text"},
                {"table_name", "text"}})
      .Empty();
}

TablePtr RepairParticipatesTable() {
  return RepairTable("repair_participates", "repairs that this node takes part in", "timeuuid", {})
      .Regular({{"global", "boolean"},
                {"incremental", "boolean"},
                {"initiator", "text"},
                {"preview_kind", "text"},
                {"ranges", "frozen<list<text>>"},
                {"repaired_at", "timestamp"},
                {"tables", "frozen<set<text>>"},
                {"validations", "frozen<set<uuid>>"}})
      .Empty();
}

TablePtr RepairValidationsTable() {
  return RepairTable("repair_validations", "validations for repairs", "uuid",
                     {"start", "sending_trees"})
      .Regular({{"bytes_read", "bigint"},
                {"estimated_partitions", "bigint"},
                {"estimated_total_bytes", "bigint"},
                {"initiator", "text"},
                {"keyspace_name", "text"},
                {"partitions_processed", "bigint"},
                {"progress_percentage", "float"},
                {"ranges", "frozen<list<text>>"},
                {"repair_id", "timeuuid"},
                {"session_id", "timeuuid"},
                {"status", "text"},
                {"table_name", "text"}})
      .Empty();
}

}  // namespace

std::vector<TablePtr> EmptyRepairTables() {
  return {RepairsTable(), RepairSessionsTable(), RepairJobsTable(), RepairParticipatesTable(),
          RepairValidationsTable()};
}

}  // namespace orrery::cassandra
