// The options after WITH in CREATE TABLE and CREATE MATERIALIZED VIEW. All options of Cassandra 4.1
// are checked and kept, so that tools read back what they wrote; default_time_to_live and
// gc_grace_seconds also take effect here, and the cosmosdb_ ones.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace orrery::cassandra {

using OptionMap = std::map<std::string, std::string>;

struct TableOptions {
  double bloom_filter_fp_chance = 0.01;
  OptionMap caching = {{"keys", "ALL"}, {"rows_per_partition", "NONE"}};
  std::string comment;
  OptionMap compaction = {
      {"class", "org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy"},
      {"max_threshold", "32"},
      {"min_threshold", "4"}};
  OptionMap compression = {{"chunk_length_in_kb", "16"},
                           {"class", "org.apache.cassandra.io.compress.LZ4Compressor"}};
  std::string memtable;
  double crc_check_chance = 1.0;
  int32_t default_time_to_live = 0;
  OptionMap extensions;  // values are bytes
  int32_t gc_grace_seconds = 864'000;
  int32_t max_index_interval = 2'048;
  int32_t memtable_flush_period_in_ms = 0;
  int32_t min_index_interval = 128;
  std::string speculative_retry = "99p";
  std::string additional_write_policy = "99p";
  bool cdc = false;
  std::string read_repair = "BLOCKING";
  // cosmosdb_cell_level_timestamp and its like: accepted, since cells always have times of their
  // own here.
  OptionMap cosmos_flags;

  friend bool operator==(const TableOptions&, const TableOptions&) = default;
};

// cosmosdb_provisioned_throughput and cosmosdb_autoscale_max_throughput: kept by the catalog, not
// among the options.
struct ThroughputOptions {
  std::optional<int64_t> provisioned;
  std::optional<int64_t> autoscale_max;
  bool any() const { return provisioned.has_value() || autoscale_max.has_value(); }
};

}  // namespace orrery::cassandra
