#include "api/cassandra/system/schema/option_columns.h"

#include <string>

namespace orrery::cassandra {

TableBuilder& AddOptionColumns(TableBuilder& builder) {
  return builder.Regular({{"additional_write_policy", "text"},
                          {"bloom_filter_fp_chance", "double"},
                          {"caching", "frozen<map<text, text>>"},
                          {"cdc", "boolean"},
                          {"comment", "text"},
                          {"compaction", "frozen<map<text, text>>"},
                          {"compression", "frozen<map<text, text>>"},
                          {"crc_check_chance", "double"},
                          {"dclocal_read_repair_chance", "double"},
                          {"default_time_to_live", "int"},
                          {"extensions", "frozen<map<text, blob>>"},
                          {"gc_grace_seconds", "int"},
                          {"id", "uuid"},
                          {"max_index_interval", "int"},
                          {"memtable", "text"},
                          {"memtable_flush_period_in_ms", "int"},
                          {"min_index_interval", "int"},
                          {"read_repair", "text"},
                          {"read_repair_chance", "double"},
                          {"speculative_retry", "text"}});
}

void WriteOptions(const Table& table, RowWriter& row) {
  const TableOptions& options = table.options;
  row.Bytes("id", table.id)
      .Text("additional_write_policy", options.additional_write_policy)
      .Double("bloom_filter_fp_chance", options.bloom_filter_fp_chance)
      .TextMap("caching", options.caching)
      .Boolean("cdc", options.cdc)
      .Text("comment", options.comment)
      .TextMap("compaction", options.compaction)
      .TextMap("compression", options.compression)
      .Double("crc_check_chance", options.crc_check_chance)
      .Int("default_time_to_live", options.default_time_to_live)
      .TextMap("extensions", Extensions(table))
      .Int("gc_grace_seconds", options.gc_grace_seconds)
      .Int("max_index_interval", options.max_index_interval)
      .Int("memtable_flush_period_in_ms", options.memtable_flush_period_in_ms)
      .Int("min_index_interval", options.min_index_interval)
      .Text("read_repair", options.read_repair)
      .Text("speculative_retry", options.speculative_retry)
      // Gone since 4.0; old drivers still expect them.
      .Double("dclocal_read_repair_chance", 0)
      .Double("read_repair_chance", 0);
  if (!options.memtable.empty()) row.Text("memtable", options.memtable);
}

OptionMap Extensions(const Table& table) {
  OptionMap extensions = table.options.extensions;
  extensions.insert(table.options.cosmos_flags.begin(), table.options.cosmos_flags.end());
  if (table.container == nullptr) return extensions;
  const partition::ThroughputSettings& throughput = table.container->settings.throughput;
  const std::string rate = std::to_string(throughput.request_units_per_second);
  switch (throughput.kind) {
    case partition::ThroughputKind::kNone:
      break;
    case partition::ThroughputKind::kManual:
      extensions.emplace("cosmosdb_provisioned_throughput", rate);
      break;
    case partition::ThroughputKind::kAutoscale:
      extensions.emplace("cosmosdb_autoscale_max_throughput", rate);
      break;
  }
  return extensions;
}

}  // namespace orrery::cassandra
