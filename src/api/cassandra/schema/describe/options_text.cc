#include "api/cassandra/schema/describe/options_text.h"

#include <fmt/format.h>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/ddl/option/throughput.h"
#include "api/cassandra/schema/describe/cql_text.h"
#include "api/cassandra/types/native/real.h"
#include "base/bytes.h"

namespace orrery::cassandra {
namespace {

std::string MapText(const OptionMap& map) { return std::move(CqlText().Map(map)).Finish(); }

std::string ExtensionsText(const OptionMap& extensions) {
  std::string text = "{";
  for (const auto& [name, bytes] : extensions) {
    if (text.size() > 1) text += ", ";
    text += fmt::format("{}: 0x{}", PrintString(name), ToHex(bytes));
  }
  return text + "}";
}

std::string_view Flag(bool value) { return value ? "true" : "false"; }

}  // namespace

bool IsShownOnly(const Table& table) {
  return table.keyspace == "system_views" || table.keyspace == "system_virtual_schema";
}

std::string ThroughputText(const partition::ThroughputSettings& throughput) {
  switch (throughput.kind) {
    case partition::ThroughputKind::kNone:
      break;
    case partition::ThroughputKind::kManual:
      return fmt::format("{} = {}", kProvisionedThroughput, throughput.request_units_per_second);
    case partition::ThroughputKind::kAutoscale:
      return fmt::format("{} = {}", kAutoscaleMaxThroughput, throughput.request_units_per_second);
  }
  return "";
}

std::vector<std::string> OptionTexts(const Table& table) {
  const TableOptions& options = table.options;
  std::vector<std::string> texts;
  const auto add = [&](std::string_view name, std::string_view value) {
    texts.push_back(fmt::format("{} = {}", name, value));
  };
  if (IsShownOnly(table)) {
    add("comment", PrintString(options.comment));
    return texts;
  }
  add("additional_write_policy", PrintString(options.additional_write_policy));
  add("bloom_filter_fp_chance", DoubleText(options.bloom_filter_fp_chance));
  add("caching", MapText(options.caching));
  add("cdc", Flag(options.cdc));
  add("comment", PrintString(options.comment));
  add("compaction", MapText(options.compaction));
  add("compression", MapText(options.compression));
  add("memtable", PrintString(options.memtable.empty() ? "default" : options.memtable));
  add("crc_check_chance", DoubleText(options.crc_check_chance));
  if (!table.view.has_value())
    add("default_time_to_live", std::to_string(options.default_time_to_live));
  add("extensions", ExtensionsText(options.extensions));
  add("gc_grace_seconds", std::to_string(options.gc_grace_seconds));
  add("max_index_interval", std::to_string(options.max_index_interval));
  add("memtable_flush_period_in_ms", std::to_string(options.memtable_flush_period_in_ms));
  add("min_index_interval", std::to_string(options.min_index_interval));
  add("read_repair", PrintString(options.read_repair));
  add("speculative_retry", PrintString(options.speculative_retry));
  for (const auto& [flag, value] : options.cosmos_flags) add(flag, value);
  if (table.container != nullptr) {
    if (std::string text = ThroughputText(table.container->settings.throughput); !text.empty())
      texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace orrery::cassandra
