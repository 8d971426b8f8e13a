#include "api/mongo/command/operation/server_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/query_context.h"
#include "api/mongo/language/value/number.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;

struct ParameterRule {
  std::string_view name;
  Value initial;
  bool is_settable = true;
  std::optional<int64_t> least = {};  // of a number
};

constexpr std::string_view kSortMemory = "internalQueryMaxBlockingSortMemoryUsageBytes";
constexpr std::string_view kGroupMemory = "internalDocumentSourceGroupMaxMemoryBytes";

std::span<const ParameterRule> ParameterRules() {
  static const auto stage_memory = static_cast<int64_t>(kStageMemoryBytesMax);
  static const std::vector<ParameterRule> rules = {
      {"allowDiskUseByDefault", Value::Bool(true)},
      {"clientCursorMonitorFrequencySecs", Value::Int32(4), true, 1},
      {"clusterAuthMode", Value::String("undefined"), false},
      {"connPoolMaxConnsPerHost", Value::Int32(200), false},
      {"cursorTimeoutMillis", Value::Int64(600'000)},
      {"diagnosticDataCollectionEnabled", Value::Bool(true)},
      {"disableJavaScriptJIT", Value::Bool(true)},
      {"enableFlowControl", Value::Bool(true)},
      {"enableLocalhostAuthBypass", Value::Bool(false), false},
      {"enableTestCommands", Value::Bool(false), false},
      {kGroupMemory, Value::Int64(stage_memory), true, 1},
      {"internalQueryFacetBufferSizeBytes", Value::Int32(104'857'600), true, 1},
      {"internalQueryForceClassicEngine", Value::Bool(false)},
      {kSortMemory, Value::Int32(static_cast<int32_t>(stage_memory)), true, 0},
      {"internalQueryPlannerMaxIndexedSolutions", Value::Int32(64), true, 1},
      {"journalCommitInterval", Value::Int32(100), true, 1},
      {"jsHeapLimitMB", Value::Int32(1'100)},
      {"localLogicalSessionTimeoutMinutes", Value::Int32(30), false},
      {"logLevel", Value::Int32(0), true, 0},
      {"logicalSessionRefreshMillis", Value::Int32(300'000), false},
      {"maxIndexBuildMemoryUsageMegabytes", Value::Int32(200), true, 50},
      {"maxLogSizeKB", Value::Int32(10)},
      {"maxSessions", Value::Int32(1'000'000), false},
      {"maxTransactionLockRequestTimeoutMillis", Value::Int32(5)},
      {"minSnapshotHistoryWindowInSeconds", Value::Int32(300), true, 0},
      {"notablescan", Value::Bool(false), false},
      {"periodicNoopIntervalSecs", Value::Int32(10), true, 1},
      {"quiet", Value::Bool(false)},
      {"saslHostName", Value::String(""), false},
      {"scramIterationCount", Value::Int32(10'000), false},
      {"scramSHA256IterationCount", Value::Int32(15'000), false},
      {"shutdownTimeoutMillisForSignaledShutdown", Value::Int32(15'000), true, 0},
      {"sslMode", Value::String("disabled"), false},
      {"syncdelay", Value::Double(60), true, 0},
      {"testingDiagnosticsEnabled", Value::Bool(false), false},
      {"tlsMode", Value::String("disabled"), false},
      {"traceExceptions", Value::Bool(false)},
      {"ttlMonitorEnabled", Value::Bool(true)},
      {"ttlMonitorSleepSecs", Value::Int32(60), true, 1},
      {"wiredTigerConcurrentReadTransactions", Value::Int32(0)},
      {"wiredTigerConcurrentWriteTransactions", Value::Int32(0)},
      {"writePeriodicNoops", Value::Bool(true)},
  };
  return rules;
}

const ParameterRule* FindRule(std::string_view name) {
  const auto rules = ParameterRules();
  const auto found = std::ranges::find(rules, name, &ParameterRule::name);
  return found == rules.end() ? nullptr : &*found;
}

std::unexpected<MongoError> InvalidParameter(const ParameterRule& rule, std::string_view why) {
  return Refuse(ErrorCode::kBadValue,
                fmt::format("Invalid value for parameter {}: {}", rule.name, why));
}

// The value in the type of the parameter.
Answer<Value> Coerced(const ParameterRule& rule, const Value& value) {
  if (rule.initial.kind() == Kind::kBool) return Value::Bool(IsTrue(value));
  if (rule.initial.kind() == Kind::kString) {
    if (value.kind() != Kind::kString) return InvalidParameter(rule, "it must be a string");
    return value;
  }
  const auto whole = value.is_number() ? TruncatedInt64(value) : std::nullopt;
  if (!whole.has_value()) {
    return Refuse(
        ErrorCode::kBadValue,
        fmt::format("Failed validating {}: Unable to coerce value to integral type", rule.name));
  }
  if (rule.least.has_value() && *whole < *rule.least) {
    return InvalidParameter(
        rule, fmt::format("{} is not greater than or equal to {}", *whole, *rule.least));
  }
  if (rule.initial.kind() == Kind::kDouble) return Value::Double(static_cast<double>(*whole));
  if (rule.initial.kind() == Kind::kInt64) return Value::Int64(*whole);
  if (*whole < std::numeric_limits<int32_t>::min() || *whole > std::numeric_limits<int32_t>::max())
    return InvalidParameter(rule, "Value out of range");
  return Value::Int32(static_cast<int32_t>(*whole));
}

}  // namespace

ServerParameters::ServerParameters() {
  for (const ParameterRule& rule : ParameterRules()) values_[std::string(rule.name)] = rule.initial;
}

std::vector<ParameterInfo> ServerParameters::List() const {
  MutexLock lock(mutex_);
  std::vector<ParameterInfo> all;
  for (const ParameterRule& rule : ParameterRules())
    all.push_back({rule.name, values_.find(rule.name)->second, rule.is_settable});
  std::ranges::sort(all, {}, &ParameterInfo::name);
  return all;
}

Value ServerParameters::Get(std::string_view name) const {
  MutexLock lock(mutex_);
  const auto found = values_.find(name);
  return found == values_.end() ? Value::Undefined() : found->second;
}

Answer<Value> ServerParameters::Set(std::string_view name, const Value& value) {
  const ParameterRule* const rule = FindRule(name);
  if (rule == nullptr) {
    return Refuse(
        ErrorCode::kInvalidOptions,
        fmt::format("attempted to set unrecognized parameter [{}], use help:true to see options ",
                    name));
  }
  if (!rule->is_settable) {
    return Refuse(ErrorCode::kInvalidOptions,
                  fmt::format("not allowed to change [{}] at runtime", name));
  }
  MONGO_ASSIGN(Value made, Coerced(*rule, value));
  MutexLock lock(mutex_);
  return std::exchange(values_.find(name)->second, std::move(made));
}

size_t ServerParameters::stage_memory_bytes_max() const {
  MutexLock lock(mutex_);
  const int64_t sort = values_.find(kSortMemory)->second.AsInteger();
  const int64_t group = values_.find(kGroupMemory)->second.AsInteger();
  return static_cast<size_t>(std::min(sort, group));
}

}  // namespace orrery::mongo
