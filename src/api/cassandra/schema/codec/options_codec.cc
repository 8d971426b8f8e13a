#include "api/cassandra/schema/codec/options_codec.h"

#include <limits>

#include "base/bytes.h"

namespace orrery::cassandra {
namespace {

constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();

struct IntegerOption {
  std::string_view name;
  int32_t TableOptions::* member;
};
constexpr IntegerOption kIntegers[] = {
    {"defaultTimeToLive", &TableOptions::default_time_to_live},
    {"gcGraceSeconds", &TableOptions::gc_grace_seconds},
    {"maxIndexInterval", &TableOptions::max_index_interval},
    {"memtableFlushPeriodInMs", &TableOptions::memtable_flush_period_in_ms},
    {"minIndexInterval", &TableOptions::min_index_interval},
};

struct TextOption {
  std::string_view name;
  std::string TableOptions::* member;
};
constexpr TextOption kTexts[] = {
    {"comment", &TableOptions::comment},
    {"memtable", &TableOptions::memtable},
    {"speculativeRetry", &TableOptions::speculative_retry},
    {"additionalWritePolicy", &TableOptions::additional_write_policy},
    {"readRepair", &TableOptions::read_repair},
};

struct MapOption {
  std::string_view name;
  OptionMap TableOptions::* member;
};
constexpr MapOption kMaps[] = {
    {"caching", &TableOptions::caching},
    {"compaction", &TableOptions::compaction},
    {"compression", &TableOptions::compression},
    {"cosmosFlags", &TableOptions::cosmos_flags},
};

constexpr std::string_view kExtensions = "extensions";

}  // namespace

void AppendOptions(model::DocumentBuilder& builder, const TableOptions& options) {
  builder.OpenObject("options");
  builder.AppendDouble("bloomFilterFpChance", options.bloom_filter_fp_chance);
  builder.AppendDouble("crcCheckChance", options.crc_check_chance);
  builder.AppendBool("cdc", options.cdc);
  for (const IntegerOption& option : kIntegers)
    builder.AppendInt32(option.name, options.*option.member);
  for (const TextOption& option : kTexts) builder.AppendString(option.name, options.*option.member);
  for (const MapOption& option : kMaps) AppendMap(builder, option.name, options.*option.member);
  OptionMap extensions;
  for (const auto& [key, bytes] : options.extensions) extensions[key] = ToHex(bytes);
  AppendMap(builder, kExtensions, extensions);
  builder.Close();
}

Result<TableOptions> ReadOptions(const Fields& table) {
  ORRERY_ASSIGN(const Fields fields, table.Object("options"));
  TableOptions options;
  ORRERY_ASSIGN(options.bloom_filter_fp_chance, fields.Real("bloomFilterFpChance"));
  ORRERY_ASSIGN(options.crc_check_chance, fields.Real("crcCheckChance"));
  ORRERY_ASSIGN(options.cdc, fields.Bool("cdc"));
  for (const IntegerOption& option : kIntegers) {
    ORRERY_ASSIGN(const int64_t number, fields.Integer(option.name, 0, kInt32Max));
    options.*option.member = static_cast<int32_t>(number);
  }
  for (const TextOption& option : kTexts) {
    ORRERY_ASSIGN(options.*option.member, fields.String(option.name));
  }
  for (const MapOption& option : kMaps) {
    ORRERY_ASSIGN(options.*option.member, fields.Map(option.name));
  }
  ORRERY_ASSIGN(const OptionMap extensions, fields.Map(kExtensions));
  for (const auto& [key, hex] : extensions) {
    if (!FromHex(hex, options.extensions[key]))
      return Fail(Code::kCorruption, "field 'extensions' is not in hexadecimal");
  }
  return options;
}

}  // namespace orrery::cassandra
