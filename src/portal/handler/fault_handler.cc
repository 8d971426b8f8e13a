#include "portal/handler/fault_handler.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "portal/answer.h"
#include "portal/json/field_reader.h"
#include "portal/json/json_writer.h"

namespace orrery::portal {
namespace {

using gateway::FaultPlan;
using gateway::FaultRule;

Status WrongFaultField(std::string_view name, std::string_view wanted) {
  return Fail(Code::kInvalidArgument, fmt::format("'{}' must be {}", name, wanted));
}

// Reads a whole number that is not below zero.
template <typename T>
Status ReadCount(FieldReader& fields, std::string_view name, T& out) {
  const auto value = fields.Integer(name);
  if (!value.has_value()) return {};
  if (*value < 0 || static_cast<uint64_t>(*value) > std::numeric_limits<T>::max())
    return WrongFaultField(name, "a whole number, not below 0");
  out = static_cast<T>(*value);
  return {};
}

Status ReadShare(FieldReader& fields, double& share) {
  const auto value = fields.Any("share");
  if (!value.has_value()) return {};
  if (value->kind() == model::Kind::kDouble) {
    share = value->AsDouble();
  } else if (value->kind() == model::Kind::kInt32 || value->kind() == model::Kind::kInt64) {
    share = static_cast<double>(value->AsInteger());
  } else {
    return WrongFaultField("share", "a number above 0 and at most 1");
  }
  return {};
}

Result<FaultRule> RuleOf(const net::HttpRequest& request) {
  ORRERY_ASSIGN(const model::Document body, JsonBody(request));
  FieldReader fields(body.view());
  FaultRule rule;
  const std::string fault = fields.RequiredString("fault");
  const auto api = fields.String("api");
  rule.database = fields.String("database").value_or("");
  rule.container = fields.String("container").value_or("");
  rule.operation = fields.String("operation").value_or("");
  rule.after = fields.Bool("after").value_or(false);
  const auto code = fields.Integer("code");
  uint64_t partition = 0;
  uint32_t delay_ms = 0;
  ORRERY_TRY(ReadShare(fields, rule.share));
  ORRERY_TRY(ReadCount(fields, "skip", rule.skip));
  if (const auto count = fields.Integer("count"); count.has_value()) {
    if (*count < 1) return Fail(WrongFaultField("count", "a whole number above 0").error());
    rule.count = static_cast<uint64_t>(*count);
  }
  ORRERY_TRY(ReadCount(fields, "seed", rule.seed));
  ORRERY_TRY(ReadCount(fields, "retryAfterMs", rule.retry_after_ms));
  ORRERY_TRY(ReadCount(fields, "delayMs", delay_ms));
  ORRERY_TRY(ReadCount(fields, "partition", partition));
  ORRERY_TRY(fields.Finish());
  const auto kind = gateway::FaultOfName(fault);
  if (!kind.has_value()) {
    return Fail(WrongFaultField("fault", "429, 408, 410, 449, 503, delay, cut or slow, as text")
                    .error());
  }
  rule.kind = *kind;
  if (api.has_value()) {
    rule.api = gateway::FaultApiOfName(*api);
    if (!rule.api.has_value())
      return Fail(WrongFaultField("api", "sql, cassandra, table, mongo or gremlin").error());
  }
  if (code.has_value()) {
    if (*code < 0 || *code > std::numeric_limits<int32_t>::max())
      return Fail(WrongFaultField("code", "a number that the API has for errors").error());
    rule.code = static_cast<int32_t>(*code);
  }
  rule.delay = std::chrono::milliseconds(delay_ms);
  rule.partition = PartitionId(partition);
  return rule;
}

// Fields that are as they were not given are left out.
void WriteEntry(JsonWriter& json, const FaultPlan::Entry& entry) {
  const FaultRule& rule = entry.rule;
  json.BeginObject().Field("id", entry.id).Field("fault", gateway::FaultName(rule.kind));
  if (rule.api.has_value()) json.Field("api", gateway::FaultApiName(*rule.api));
  if (!rule.database.empty()) json.Field("database", rule.database);
  if (!rule.container.empty()) json.Field("container", rule.container);
  if (!rule.operation.empty()) json.Field("operation", rule.operation);
  if (rule.skip != 0) json.Field("skip", rule.skip);
  if (rule.share != 1) json.Field("share", rule.share);
  if (rule.count.has_value()) json.Field("count", *rule.count);
  if (rule.seed != 0) json.Field("seed", rule.seed);
  if (rule.after) json.Field("after", true);
  if (rule.kind == gateway::FaultKind::kThrottled) json.Field("retryAfterMs", rule.retry_after_ms);
  if (rule.delay.count() != 0) json.Field("delayMs", rule.delay.count());
  if (rule.code.has_value()) json.Field("code", *rule.code);
  if (rule.partition != PartitionId{}) json.Field("partition", rule.partition.value());
  json.Field("matched", entry.matched).Field("made", entry.made).EndObject();
}

Outcome AddFault(FaultPlan& plan, const Call& call) {
  ORRERY_ASSIGN(FaultRule rule, RuleOf(call.request));
  ORRERY_ASSIGN(const FaultPlan::Entry entry, plan.Add(std::move(rule)));
  JsonWriter json;
  WriteEntry(json, entry);
  return net::HttpResponse::Json(201, std::move(json).Finish());
}

Outcome ListFaults(FaultPlan& plan, const Call&) {
  JsonWriter json;
  json.BeginObject().Key("faults").BeginArray();
  for (const FaultPlan::Entry& entry : plan.List()) WriteEntry(json, entry);
  json.EndArray().EndObject();
  return net::HttpResponse::Json(200, std::move(json).Finish());
}

Outcome ClearFaults(FaultPlan& plan, const Call&) {
  plan.Clear();
  return net::HttpResponse{.status = 204};
}

Outcome RemoveFault(FaultPlan& plan, const Call& call) {
  const std::string& text = call.parameters[0];
  uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size())
    return Fail(Code::kInvalidArgument, "the id of a fault is a number");
  ORRERY_TRY(plan.Remove(id));
  return net::HttpResponse{.status = 204};
}

}  // namespace

void AddFaultRoutes(Router& router, FaultPlan* plan) {
  using Work = Outcome (*)(FaultPlan&, const Call&);
  const auto add = [&](std::string_view verb, std::string_view pattern, Guard guard, Work work) {
    router.Add(verb, pattern, guard, [plan, work](Call call) {
      if (plan == nullptr) {
        return Answer(call, Fail(Code::kForbidden,
                                 "this server was not started with --allow-faults; faults on "
                                 "demand need it"));
      }
      Answer(call, work(*plan, call));
    });
  };
  add("POST", "/_admin/v1/faults", Guard::kWrite, AddFault);
  add("GET", "/_admin/v1/faults", Guard::kRead, ListFaults);
  add("DELETE", "/_admin/v1/faults", Guard::kWrite, ClearFaults);
  add("DELETE", "/_admin/v1/faults/{id}", Guard::kWrite, RemoveFault);
}

}  // namespace orrery::portal
