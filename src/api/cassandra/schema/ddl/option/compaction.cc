#include "api/cassandra/schema/ddl/option/compaction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <vector>

#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/property_reader.h"
#include "api/cassandra/types/native/real.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kCompactionPackage = "org.apache.cassandra.db.compaction.";
constexpr std::string_view kLeveled = "LeveledCompactionStrategy";
constexpr int32_t kMinThreshold = 4;
constexpr int32_t kMaxThreshold = 32;

enum class ValueForm {
  kAny,
  kInteger,
  kNotNegative,
  kPositive,
  kReal,
  kBoolean,
  kWindowUnit,
  kResolution,
};
constexpr std::array<std::string_view, 3> kWindowUnits = {"MINUTES", "HOURS", "DAYS"};
constexpr std::array<std::string_view, 4> kResolutions = {"SECONDS", "MILLISECONDS", "MICROSECONDS",
                                                          "NANOSECONDS"};

struct Known {
  std::string_view name;
  ValueForm form;
};

constexpr std::array kCommon = {
    Known{"enabled", ValueForm::kBoolean},
    Known{"log_all", ValueForm::kBoolean},
    Known{"only_purge_repaired_tombstones", ValueForm::kAny},
    Known{"provide_overlapping_tombstones", ValueForm::kAny},
    Known{"tombstone_compaction_interval", ValueForm::kNotNegative},
    Known{"tombstone_threshold", ValueForm::kReal},
    Known{"unchecked_tombstone_compaction", ValueForm::kBoolean},
};
constexpr std::array kSizeTiered = {
    Known{"bucket_high", ValueForm::kReal},      Known{"bucket_low", ValueForm::kReal},
    Known{"max_threshold", ValueForm::kInteger}, Known{"min_sstable_size", ValueForm::kNotNegative},
    Known{"min_threshold", ValueForm::kInteger},
};
constexpr std::array kLeveledOnly = {
    Known{"fanout_size", ValueForm::kPositive},
    Known{"single_sstable_uplevel", ValueForm::kAny},
    Known{"sstable_size_in_mb", ValueForm::kPositive},
};
constexpr std::array kTimeWindow = {
    Known{"compaction_window_size", ValueForm::kPositive},
    Known{"compaction_window_unit", ValueForm::kWindowUnit},
    Known{"expired_sstable_check_frequency_seconds", ValueForm::kNotNegative},
    Known{"timestamp_resolution", ValueForm::kResolution},
    Known{"unsafe_aggressive_sstable_expiration", ValueForm::kBoolean},
};
constexpr std::array kDateTiered = {
    Known{"base_time_seconds", ValueForm::kPositive},
    Known{"max_sstable_age_days", ValueForm::kReal},
    Known{"max_window_size_seconds", ValueForm::kNotNegative},
    Known{"expired_sstable_check_frequency_seconds", ValueForm::kNotNegative},
    Known{"timestamp_resolution", ValueForm::kResolution},
};
constexpr std::array kUnified = {
    Known{"base_shard_count", ValueForm::kPositive},
    Known{"flush_size_override", ValueForm::kAny},
    Known{"max_sstables_to_compact", ValueForm::kNotNegative},
    Known{"min_sstable_size", ValueForm::kAny},
    Known{"overlap_inclusion_method", ValueForm::kAny},
    Known{"scaling_parameters", ValueForm::kAny},
    Known{"sstable_growth", ValueForm::kAny},
    Known{"target_sstable_size", ValueForm::kAny},
};

struct Strategy {
  std::string_view name;
  std::span<const Known> own;
  bool size_tiered;  // takes those options, too
};
constexpr Strategy kStrategies[] = {
    {"SizeTieredCompactionStrategy", {}, true},
    {kLeveled, kLeveledOnly, true},
    {"TimeWindowCompactionStrategy", kTimeWindow, true},
    {"DateTieredCompactionStrategy", kDateTiered, true},
    {"UnifiedCompactionStrategy", kUnified, false},
};

const Known* FindKnown(const Strategy& strategy, std::string_view name) {
  for (const std::span<const Known> options :
       {std::span<const Known>(kCommon), strategy.own,
        strategy.size_tiered ? std::span<const Known>(kSizeTiered) : std::span<const Known>()}) {
    const auto found = std::ranges::find(options, name, &Known::name);
    if (found != options.end()) return &*found;
  }
  return nullptr;
}

CqlStatus CheckName(const Known& option, const std::string& value,
                    std::span<const std::string_view> names) {
  if (std::ranges::find(names, value) != names.end()) return {};
  return ConfigError(fmt::format("{} is not valid for {}", value, option.name));
}

CqlStatus CheckValue(const Known& option, const std::string& value) {
  const auto not_integer = [&] {
    return ConfigError(fmt::format("{} is not a parsable int (base10) for {}", value, option.name));
  };
  switch (option.form) {
    case ValueForm::kAny:
      return {};
    case ValueForm::kInteger:
      if (value.empty() || !std::ranges::all_of(value, query::IsDigit)) {
        return ConfigError(
            fmt::format("Invalid value {} for '{}' compaction sub-option - must be an integer",
                        value, option.name));
      }
      return {};
    case ValueForm::kNotNegative: {
      const auto number = ReadInt64(value);
      if (!number.has_value()) return not_integer();
      if (*number < 0)
        return ConfigError(
            fmt::format("{} must be greater than 0, but was {}", option.name, value));
      return {};
    }
    case ValueForm::kPositive: {
      const auto number = ReadInt32(value);
      if (!number.has_value()) return not_integer();
      if (*number < 1)
        return ConfigError(fmt::format("{} must be larger than 0, but was {}", option.name, value));
      return {};
    }
    case ValueForm::kReal:
      if (const auto number = ParseDouble(value); !number.has_value()) {
        return ConfigError(fmt::format("{} is not a parsable float for {}", value, option.name));
      } else if (*number < 0) {
        return ConfigError(
            fmt::format("{} must be greater than 0, but was {:f}", option.name, *number));
      }
      return {};
    case ValueForm::kBoolean:
      if (const std::string lower = query::ToLower(value); lower != "true" && lower != "false") {
        return ConfigError(
            fmt::format("'{}' should be either 'true' or 'false', not '{}'", option.name, value));
      }
      return {};
    case ValueForm::kWindowUnit:
      return CheckName(option, value, kWindowUnits);
    case ValueForm::kResolution:
      return CheckName(option, value, kResolutions);
  }
  return {};
}

// REQUIRES: both are there and numbers.
CqlStatus CheckThresholds(const OptionMap& options) {
  const int32_t low = ReadInt32(options.at("min_threshold")).value_or(0);
  const int32_t high = ReadInt32(options.at("max_threshold")).value_or(0);
  if (low <= 0 || high <= 0) {
    return ConfigError(
        "Disabling compaction by setting compaction thresholds to 0 has been removed, set the "
        "compaction option 'enabled' to false instead.");
  }
  if (low <= 1)
    return ConfigError(fmt::format("Min compaction threshold cannot be less than 2 (got {})", low));
  if (low > high) {
    return ConfigError(
        fmt::format("Min compaction threshold (got {}) cannot be greater than max compaction "
                    "threshold (got {})",
                    low, high));
  }
  return {};
}

CqlResult<const Strategy*> FindStrategy(std::string_view given) {
  std::string name(given);
  if (!name.contains('.')) name = std::string(kCompactionPackage) + name;
  for (const Strategy& strategy : kStrategies) {
    if (name == std::string(kCompactionPackage) + std::string(strategy.name)) return &strategy;
  }
  return ConfigError(fmt::format("Unable to find compaction strategy class '{}'", name));
}

}  // namespace

CqlResult<OptionMap> CheckCompaction(const OptionMap& given) {
  const auto named = given.find("class");
  if (named == given.end())
    return ConfigError("Missing sub-option 'class' for the 'compaction' option");
  CQL_ASSIGN(const Strategy* strategy, FindStrategy(named->second));

  OptionMap options = given;
  options.erase("class");
  std::vector<std::string> unknown;
  for (const auto& [name, value] : options) {
    const Known* option = FindKnown(*strategy, name);
    if (option == nullptr) {
      unknown.push_back(name);
    } else {
      CQL_TRY(CheckValue(*option, value));
    }
  }
  if (!unknown.empty()) {
    return ConfigError(fmt::format("Properties specified [{}] are not understood by {}",
                                   fmt::join(unknown, ", "), strategy->name));
  }
  if (strategy->size_tiered) {
    options.try_emplace("min_threshold", std::to_string(kMinThreshold));
    options.try_emplace("max_threshold", std::to_string(kMaxThreshold));
    CQL_TRY(CheckThresholds(options));
  }
  options["class"] = std::string(kCompactionPackage) + std::string(strategy->name);
  return options;
}

double DefaultBloomFilterFpChance(const OptionMap& compaction) {
  const auto named = compaction.find("class");
  return named != compaction.end() && named->second.ends_with(kLeveled) ? 0.1 : 0.01;
}

}  // namespace orrery::cassandra
