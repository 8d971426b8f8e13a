#include "api/cassandra/schema/ddl/option/table_properties.h"

#include <fmt/format.h>

#include <array>

#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/option/caching.h"
#include "api/cassandra/schema/ddl/option/compaction.h"
#include "api/cassandra/schema/ddl/option/compression.h"
#include "api/cassandra/schema/ddl/option/retry_policy.h"
#include "api/cassandra/schema/ddl/option/throughput.h"
#include "api/cassandra/schema/ddl/property_reader.h"
#include "api/cassandra/types/native/real.h"
#include "api/cassandra/types/native/timeuuid.h"
#include "base/bytes.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

// The least that Cassandra's filters can be built for.
constexpr double kBloomFilterFpChanceMin = 6.71e-5;

constexpr std::array<std::string_view, 3> kCosmosFlags = {
    "cosmosdb_cell_level_timestamp", "cosmosdb_cell_level_timestamp_tombstones",
    "cosmosdb_cell_level_timetolive"};

constexpr std::array<std::string_view, 23> kTablePropertyNames = {"additional_write_policy",
                                                                  "bloom_filter_fp_chance",
                                                                  "caching",
                                                                  "cdc",
                                                                  "comment",
                                                                  "compaction",
                                                                  "compression",
                                                                  "crc_check_chance",
                                                                  "default_time_to_live",
                                                                  "extensions",
                                                                  "gc_grace_seconds",
                                                                  "id",
                                                                  "max_index_interval",
                                                                  "memtable",
                                                                  "memtable_flush_period_in_ms",
                                                                  "min_index_interval",
                                                                  "read_repair",
                                                                  "speculative_retry",
                                                                  kProvisionedThroughput,
                                                                  kAutoscaleMaxThroughput,
                                                                  kCosmosFlags[0],
                                                                  kCosmosFlags[1],
                                                                  kCosmosFlags[2]};

template <typename T>
CqlStatus Take(CqlResult<std::optional<T>> given, T& option) {
  CQL_TRY(given);
  if (given->has_value()) option = **std::move(given);
  return {};
}

CqlStatus ReadNumbers(const PropertyReader& properties, TableOptions& options) {
  CQL_TRY(Take(properties.Real("bloom_filter_fp_chance"), options.bloom_filter_fp_chance));
  CQL_TRY(Take(properties.Real("crc_check_chance"), options.crc_check_chance));
  CQL_TRY(Take(properties.Integer("default_time_to_live"), options.default_time_to_live));
  CQL_TRY(Take(properties.Integer("gc_grace_seconds"), options.gc_grace_seconds));
  CQL_TRY(Take(properties.Integer("max_index_interval"), options.max_index_interval));
  CQL_TRY(
      Take(properties.Integer("memtable_flush_period_in_ms"), options.memtable_flush_period_in_ms));
  CQL_TRY(Take(properties.Integer("min_index_interval"), options.min_index_interval));
  return Take(properties.Boolean("cdc"), options.cdc);
}

CqlStatus ReadTexts(const PropertyReader& properties, TableOptions& options) {
  CQL_TRY(Take(properties.Text("comment"), options.comment));
  for (const auto& [name, policy] :
       {std::pair{"speculative_retry", &options.speculative_retry},
        std::pair{"additional_write_policy", &options.additional_write_policy}}) {
    CQL_ASSIGN(const std::optional<std::string> given, properties.Text(name));
    if (!given.has_value()) continue;
    CQL_ASSIGN(*policy, CheckRetryPolicy(*given));
  }
  CQL_ASSIGN(const std::optional<std::string> repair, properties.Text("read_repair"));
  if (repair.has_value()) {
    const std::string lower = query::ToLower(*repair);
    if (lower != "blocking" && lower != "none") {
      return ConfigError(
          fmt::format("Invalid value {} for 'read_repair': use BLOCKING or NONE", *repair));
    }
    options.read_repair = lower == "none" ? "NONE" : "BLOCKING";
  }
  CQL_ASSIGN(const std::optional<std::string> memtable, properties.Text("memtable"));
  if (memtable.has_value()) {
    if (*memtable != "default")
      return ConfigError(fmt::format("Memtable configuration \"{}\" not found.", *memtable));
    options.memtable.clear();
  }
  return {};
}

CqlStatus ReadExtensions(const OptionMap& given, OptionMap& extensions) {
  extensions.clear();
  for (const auto& [name, value] : given) {
    const bool hex = value.starts_with("0x") || value.starts_with("0X");
    if (!hex || !FromHex(std::string_view(value).substr(2), extensions[name])) {
      return ConfigError(
          fmt::format("Invalid value {} for extension '{}': it should be a blob", value, name));
    }
  }
  return {};
}

CqlStatus ReadMaps(const PropertyReader& properties, TableOptions& options) {
  CQL_ASSIGN(const std::optional<OptionMap> caching, properties.Map("caching"));
  if (caching.has_value()) {
    CQL_ASSIGN(options.caching, CheckCaching(*caching));
  }
  CQL_ASSIGN(const std::optional<OptionMap> compaction, properties.Map("compaction"));
  if (compaction.has_value()) {
    CQL_ASSIGN(options.compaction, CheckCompaction(*compaction));
  }
  CQL_ASSIGN(const std::optional<OptionMap> compression, properties.Map("compression"));
  if (compression.has_value()) {
    if (const auto chance = compression->find("crc_check_chance"); chance != compression->end()) {
      const auto number = ParseDouble(chance->second);
      if (!number.has_value()) {
        return OptionSyntaxError(
            fmt::format("Invalid double value {} for crc_check_chance.'", chance->second));
      }
      options.crc_check_chance = *number;
    }
    CQL_ASSIGN(options.compression, CheckCompression(*compression));
  }
  CQL_ASSIGN(const std::optional<OptionMap> extensions, properties.Map("extensions"));
  if (extensions.has_value()) CQL_TRY(ReadExtensions(*extensions, options.extensions));
  return {};
}

CqlStatus CheckChances(const TableOptions& options) {
  if (!(options.bloom_filter_fp_chance > kBloomFilterFpChanceMin &&
        options.bloom_filter_fp_chance <= 1)) {
    return ConfigError(fmt::format(
        "bloom_filter_fp_chance must be larger than {} and less than or equal to 1.0 "
        "(got {})",
        DoubleText(kBloomFilterFpChanceMin), DoubleText(options.bloom_filter_fp_chance)));
  }
  if (!(options.crc_check_chance >= 0 && options.crc_check_chance <= 1)) {
    return ConfigError(
        fmt::format("crc_check_chance must be larger than or equal to 0 and smaller than or equal "
                    "to 1.0 (got {})",
                    DoubleText(options.crc_check_chance)));
  }
  return {};
}

CqlStatus CheckNumbers(const TableOptions& options) {
  const auto at_least = [](std::string_view name, int32_t value, int32_t least) -> CqlStatus {
    if (value >= least) return {};
    return ConfigError(
        fmt::format("{} must be greater than or equal to {} (got {})", name, least, value));
  };
  CQL_TRY(at_least("default_time_to_live", options.default_time_to_live, 0));
  if (options.default_time_to_live > kTimeToLiveMax) {
    return ConfigError(fmt::format("default_time_to_live must be less than or equal to {} (got {})",
                                   kTimeToLiveMax, options.default_time_to_live));
  }
  CQL_TRY(at_least("gc_grace_seconds", options.gc_grace_seconds, 0));
  CQL_TRY(at_least("min_index_interval", options.min_index_interval, 1));
  if (options.max_index_interval < options.min_index_interval) {
    return ConfigError(fmt::format(
        "max_index_interval must be greater than or equal to min_index_interval ({}) (got {})",
        options.min_index_interval, options.max_index_interval));
  }
  return at_least("memtable_flush_period_in_ms", options.memtable_flush_period_in_ms, 0);
}

}  // namespace

CqlResult<TableProperties> ReadTableProperties(const ast::Properties& given,
                                               const TableOptions* former,
                                               std::span<const PayloadEntry> payload) {
  const PropertyReader properties(given);
  CQL_TRY(properties.AllowOnly(kTablePropertyNames));
  TableProperties result;
  if (former != nullptr) result.options = *former;
  CQL_TRY(ReadMaps(properties, result.options));
  if (former == nullptr)
    result.options.bloom_filter_fp_chance = DefaultBloomFilterFpChance(result.options.compaction);
  CQL_TRY(ReadNumbers(properties, result.options));
  CQL_TRY(ReadTexts(properties, result.options));
  for (const std::string_view flag : kCosmosFlags) {
    CQL_ASSIGN(const std::optional<bool> value, properties.Boolean(flag));
    if (value.has_value())
      result.options.cosmos_flags[std::string(flag)] = *value ? "true" : "false";
  }
  CQL_TRY(CheckChances(result.options));
  CQL_TRY(CheckNumbers(result.options));
  CQL_ASSIGN(result.throughput, ReadThroughput(properties, payload));

  CQL_ASSIGN(const std::optional<std::string> id, properties.Text("id"));
  if (id.has_value()) {
    auto parsed = ParseUuid(*id);
    if (!parsed.has_value()) return ConfigError("Invalid table id");
    if (former != nullptr) return ConfigError("Cannot alter table id.");
    result.id = *std::move(parsed);
  }
  return result;
}

}  // namespace orrery::cassandra
