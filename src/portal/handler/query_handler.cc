#include "portal/handler/query_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/charge_trace.h"
#include "portal/answer.h"
#include "portal/error_map.h"
#include "portal/json/field_reader.h"
#include "portal/json/json_writer.h"

namespace orrery::portal {
namespace {

using query::RunnerFailure;
using query::RunnerForm;
using query::RunnerRequest;
using query::RunnerResult;

constexpr std::string_view kQuery = "/_admin/v1/query";
constexpr std::string_view kQueryPlan = "/_admin/v1/query/plan";
constexpr std::string_view kQueryActivity = "/_admin/v1/query/{activity}";

constexpr int64_t kRowsDefault = 100;
constexpr int64_t kRowsMax = 1'000;
constexpr size_t kActivityBytesMax = 64;
constexpr std::chrono::seconds kQueryTime{120};
constexpr std::string_view kUnexplained = "writes and other work";

struct AskedQuery {
  std::string api;
  RunnerRequest request;
  std::string activity;
  bool wants_explanation = false;
};

bool IsActivity(std::string_view text) {
  const auto is_good = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  };
  return !text.empty() && text.size() <= kActivityBytesMax && std::ranges::all_of(text, is_good);
}

std::string_view FormName(RunnerForm form) {
  switch (form) {
    case RunnerForm::kNone:
      return "none";
    case RunnerForm::kRows:
      return "rows";
    case RunnerForm::kDocuments:
      return "documents";
    case RunnerForm::kGraph:
      return "graph";
  }
  return "none";
}

// Line and column, from 1, of a place in UTF-16 code units.
std::pair<size_t, size_t> LineAndColumn(std::string_view text, size_t place) {
  size_t line = 1;
  size_t column = 1;
  for (size_t i = 0, unit = 0; i < text.size() && unit < place; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) == 0x80) continue;
    unit += byte >= 0xF0 ? 2 : 1;
    ++column;
    if (byte == '\n') {
      ++line;
      column = 1;
    }
  }
  return {line, column};
}

net::HttpResponse FailureResponse(const RunnerFailure& failure, std::string_view text) {
  net::HttpResponse response = ErrorResponse(failure.error);
  if (failure.detail.empty() && !failure.position.has_value()) return response;
  JsonWriter json;
  json.BeginObject()
      .Field("code", CodeName(failure.error.code()))
      .Field("message", failure.error.message());
  if (!failure.detail.empty()) json.Field("detail", failure.detail);
  if (failure.position.has_value()) {
    const auto [line, column] = LineAndColumn(text, *failure.position);
    json.Key("position").BeginObject().Field("line", line).Field("column", column).EndObject();
  }
  json.EndObject();
  response.body = std::move(json).Finish();
  return response;
}

void WriteTexts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.Key(name).BeginArray();
  for (const std::string& text : texts) json.String(text);
  json.EndArray();
}

// Texts that are JSON already.
void WriteJsonTexts(JsonWriter& json, std::string_view name,
                    const std::vector<std::string>& texts) {
  json.Key(name).BeginArray();
  for (const std::string& text : texts) json.Json(text);
  json.EndArray();
}

class QueryRoutes {
 public:
  explicit QueryRoutes(QueryParts parts) : parts_(std::move(parts)) {}

  Outcome Run(const Call& call) const {
    ORRERY_ASSIGN(AskedQuery asked, Read(call));
    ORRERY_ASSIGN(query::QueryRunner* const runner, Find(asked.api));
    const auto origin = std::make_shared<RequestOrigin>(parts_.clock);
    const Micros started = parts_.clock.Monotonic();
    asked.request.context = RequestContext(origin, started + kQueryTime);
    asked.request.context.set_activity_id(asked.activity);
    ORRERY_TRY(parts_.running.Begin(asked.activity, origin));
    const auto trace =
        asked.wants_explanation ? std::make_shared<ChargeTrace>() : std::shared_ptr<ChargeTrace>();
    auto outcome = [&] {
      const ChargeTrace::Scope scope(trace);
      return runner->Run(asked.request);
    }();
    parts_.running.End(asked.activity);
    if (!outcome.has_value()) return FailureResponse(outcome.error(), asked.request.text);
    const Micros took = parts_.clock.Monotonic() - started;
    return Describe(asked, *outcome, trace.get(), took);
  }

  Outcome Plan(const Call& call) const {
    ORRERY_ASSIGN(const AskedQuery asked, Read(call));
    ORRERY_ASSIGN(query::QueryRunner* const runner, Find(asked.api));
    auto plan = runner->Plan(asked.request);
    if (!plan.has_value()) return FailureResponse(plan.error(), asked.request.text);
    JsonWriter json;
    json.BeginObject().Key("plan").Json(*plan).EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  Outcome Cancel(const Call& call) const {
    if (!parts_.running.Cancel(call.parameters[0])) {
      return Fail(Code::kNotFound, "no query of that name is under way");
    }
    net::HttpResponse response;
    response.status = 204;
    return response;
  }

 private:
  Result<AskedQuery> Read(const Call& call) const {
    ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
    FieldReader fields(body);
    AskedQuery asked;
    asked.api = fields.RequiredString("api");
    asked.request.database = fields.String("database").value_or("");
    asked.request.container = fields.String("container").value_or("");
    asked.request.text = fields.RequiredString("text");
    if (auto parameters = fields.Any("parameters"); parameters.has_value())
      asked.request.parameters = *std::move(parameters);
    const int64_t rows = fields.Integer("maxItems").value_or(kRowsDefault);
    asked.request.continuation = fields.String("continuation").value_or("");
    asked.wants_explanation = fields.Bool("explain").value_or(false);
    asked.activity = fields.String("activity").value_or("");
    ORRERY_TRY(fields.Finish());
    if (rows < 1 || rows > kRowsMax) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("maxItems must be from 1 to {}, not {}", kRowsMax, rows));
    }
    asked.request.items_max = static_cast<size_t>(rows);
    if (asked.activity.empty())
      asked.activity = fmt::format("{:016x}{:016x}", parts_.random(), parts_.random());
    if (!IsActivity(asked.activity)) {
      return Fail(
          Code::kInvalidArgument,
          fmt::format("activity must be 1 to {} letters, digits and '-'", kActivityBytesMax));
    }
    asked.request.may_write = parts_.may_write(call.request);
    return asked;
  }

  Result<query::QueryRunner*> Find(std::string_view api) const {
    query::QueryRunner* const runner = parts_.runners.Find(api);
    if (runner != nullptr) return runner;
    return Fail(Code::kInvalidArgument, fmt::format("there is no API '{}' here; the server has: {}",
                                                    api, parts_.runners.Names()));
  }

  static Outcome Describe(const AskedQuery& asked, const RunnerResult& result,
                          const ChargeTrace* trace, Micros took) {
    JsonWriter json;
    json.BeginObject()
        .Field("activity", asked.activity)
        .Field("form", FormName(result.form))
        .Key("columns")
        .BeginArray();
    for (const query::RunnerColumn& column : result.columns) {
      json.BeginObject().Field("name", column.name).Field("type", column.type).EndObject();
    }
    json.EndArray();
    WriteJsonTexts(json, "rows", result.rows);
    WriteJsonTexts(json, "documents", result.documents);
    json.Key("graph");
    if (result.form == RunnerForm::kGraph) {
      json.Json(result.graph);
    } else {
      json.Null();
    }
    json.Field("continuation", result.continuation)
        .Field("charge", result.charge.ToDouble())
        .Field("durationMs", static_cast<double>(took.count()) / 1'000);
    if (trace != nullptr) WriteExplanation(json, result, *trace);
    WriteTexts(json, "warnings", result.warnings);
    json.EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  static void WriteExplanation(JsonWriter& json, const RunnerResult& result,
                               const ChargeTrace& trace) {
    json.Key("explanation").BeginObject().Field("total", result.charge.ToDouble());
    json.Key("parts").BeginArray();
    for (const ChargePart& part : trace.Explain(result.charge, kUnexplained)) {
      json.BeginObject().Key("partition");
      if (part.partition != 0) {
        json.Integer(part.partition);
      } else {
        json.Null();
      }
      json.Field("what", part.what)
          .Field("count", part.count)
          .Field("charge", part.charge.ToDouble())
          .EndObject();
    }
    json.EndArray();
    WriteTexts(json, "hints", result.hints);
    json.EndObject();
  }

  const QueryParts parts_;
};

}  // namespace

Status RunningQueries::Begin(const std::string& activity, std::shared_ptr<RequestOrigin> origin) {
  const MutexLock lock(mutex_);
  if (running_.size() >= kRunningMax)
    return Fail(Code::kOverloaded, "too many queries are under way; try again soon");
  if (!running_.try_emplace(activity, std::move(origin)).second)
    return Fail(Code::kAlreadyExists, fmt::format("query '{}' is under way", activity));
  return {};
}

void RunningQueries::End(const std::string& activity) {
  const MutexLock lock(mutex_);
  running_.erase(activity);
}

bool RunningQueries::Cancel(std::string_view activity) {
  const MutexLock lock(mutex_);
  const auto found = running_.find(activity);
  if (found == running_.end()) return false;
  found->second->Cancel(StopReason::kClientGone);
  return true;
}

void RunningQueries::CancelAll() {
  const MutexLock lock(mutex_);
  for (const auto& [activity, origin] : running_) origin->Cancel(StopReason::kServerStopping);
}

void AddQueryRoutes(Router& router, QueryParts parts) {
  ThreadPool& pool = parts.pool;
  const auto routes = std::make_shared<const QueryRoutes>(std::move(parts));
  const auto add = [&](std::string_view pattern, auto method) {
    router.Add("POST", pattern, Guard::kRead, [=, &pool](Call call) {
      AnswerFromPool(pool, std::move(call),
                     [=](const Call& taken) { return ((*routes).*method)(taken); });
    });
  };
  add(kQuery, &QueryRoutes::Run);
  add(kQueryPlan, &QueryRoutes::Plan);
  router.Add("DELETE", kQueryActivity, Guard::kRead,
             [=](Call call) { Answer(call, routes->Cancel(call)); });
}

}  // namespace orrery::portal
