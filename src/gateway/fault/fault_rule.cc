#include "gateway/fault/fault_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace orrery::gateway {
namespace {

constexpr std::array<std::pair<FaultKind, std::string_view>, 8> kFaultNames = {{
    {FaultKind::kThrottled, "429"},
    {FaultKind::kTimeout, "408"},
    {FaultKind::kGone, "410"},
    {FaultKind::kRetryWith, "449"},
    {FaultKind::kUnavailable, "503"},
    {FaultKind::kDelay, "delay"},
    {FaultKind::kCut, "cut"},
    {FaultKind::kSlow, "slow"},
}};

constexpr std::array<std::pair<FaultApi, std::string_view>, 5> kFaultApiNames = {{
    {FaultApi::kSql, "sql"},
    {FaultApi::kCassandra, "cassandra"},
    {FaultApi::kTable, "table"},
    {FaultApi::kMongo, "mongo"},
    {FaultApi::kGremlin, "gremlin"},
}};

constexpr std::array<std::pair<FaultOperation, std::string_view>, 6> kFaultOperationNames = {{
    {FaultOperation::kRead, "read"},
    {FaultOperation::kQuery, "query"},
    {FaultOperation::kWrite, "write"},
    {FaultOperation::kBatch, "batch"},
    {FaultOperation::kScript, "script"},
    {FaultOperation::kMetadata, "metadata"},
}};

template <typename Table, typename Value>
std::string_view NameIn(const Table& table, Value value) {
  const auto found =
      std::ranges::find_if(table, [&](const auto& each) { return each.first == value; });
  return found == table.end() ? std::string_view() : found->second;
}

template <typename Table>
auto ValueIn(const Table& table, std::string_view name)
    -> std::optional<typename Table::value_type::first_type> {
  const auto found =
      std::ranges::find_if(table, [&](const auto& each) { return each.second == name; });
  if (found == table.end()) return std::nullopt;
  return found->first;
}

bool SameWord(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

// The databases that drivers look at for themselves. Cosmos DB has none, and a user's may have any
// name there.
bool IsOfSystem(const FaultPoint& point) {
  if (point.api == FaultApi::kCassandra)
    return point.database == "system" || point.database.starts_with("system_");
  if (point.api == FaultApi::kMongo)
    return point.database == "admin" || point.database == "config" || point.database == "local";
  return false;
}

Status Invalid(std::string message) { return Fail(Code::kInvalidArgument, std::move(message)); }

}  // namespace

std::string_view FaultName(FaultKind kind) { return NameIn(kFaultNames, kind); }
std::optional<FaultKind> FaultOfName(std::string_view name) { return ValueIn(kFaultNames, name); }
std::string_view FaultApiName(FaultApi api) { return NameIn(kFaultApiNames, api); }
std::optional<FaultApi> FaultApiOfName(std::string_view name) {
  return ValueIn(kFaultApiNames, name);
}
std::string_view FaultOperationName(FaultOperation operation) {
  return NameIn(kFaultOperationNames, operation);
}

Status CheckFaultRule(const FaultRule& rule) {
  if (!(rule.share > 0 && rule.share <= 1))
    return Invalid("'share' must be above 0 and at most 1");
  if (rule.count == 0) return Invalid("'count' must be above 0");
  for (const std::string& name : {rule.database, rule.container, rule.operation}) {
    if (name.size() > FaultRule::kNameBytesMax)
      return Invalid(fmt::format("a name may have at most {} bytes", FaultRule::kNameBytesMax));
  }
  if (rule.retry_after_ms < 1 || rule.retry_after_ms > FaultRule::kRetryAfterMsMax)
    return Invalid(fmt::format("'retryAfterMs' must be from 1 to {}", FaultRule::kRetryAfterMsMax));
  const bool needs_delay = rule.kind == FaultKind::kDelay || rule.kind == FaultKind::kSlow;
  const auto delay_max =
      rule.kind == FaultKind::kSlow ? FaultRule::kSlowMax : FaultRule::kDelayMax;
  if (needs_delay && (rule.delay.count() < 1 || rule.delay > delay_max)) {
    return Invalid(fmt::format("'delayMs' must be from 1 to {} for '{}'", delay_max.count(),
                               FaultName(rule.kind)));
  }
  if (!needs_delay && rule.delay.count() != 0)
    return Invalid("'delayMs' is of the faults 'delay' and 'slow'");
  if (rule.kind == FaultKind::kSlow) {
    if (rule.partition == PartitionId{})
      return Invalid("'slow' needs 'partition', the number of a physical partition");
    const bool chooses = rule.api.has_value() || !rule.database.empty() ||
                         !rule.container.empty() || !rule.operation.empty() || rule.share != 1 ||
                         rule.count.has_value() || rule.skip != 0 || rule.after;
    if (chooses)
      return Invalid("'slow' holds for all work of its partition: it takes 'partition' and "
                     "'delayMs' alone");
  } else if (rule.partition != PartitionId{}) {
    return Invalid("'partition' is of the fault 'slow'");
  }
  if (rule.after && rule.kind == FaultKind::kDelay)
    return Invalid("'after' makes no difference to 'delay'");
  return {};
}

bool IsAbout(const FaultRule& rule, const FaultPoint& point) {
  if (rule.kind == FaultKind::kSlow) return false;
  if (rule.api.has_value() && *rule.api != point.api) return false;
  if (rule.database.empty() ? IsOfSystem(point) : rule.database != point.database) return false;
  if (!rule.container.empty() && rule.container != point.container) return false;
  if (rule.operation.empty()) return point.operation != FaultOperation::kMetadata;
  if (SameWord(rule.operation, "any")) return true;
  // Some words of APIs are those of families, too, and are taken for them.
  for (const auto& [family, name] : kFaultOperationNames)
    if (SameWord(rule.operation, name)) return family == point.operation;
  return SameWord(rule.operation, point.name);
}

}  // namespace orrery::gateway
