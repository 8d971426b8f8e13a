#include "portal/handler/status_handler.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "portal/answer.h"
#include "portal/json/json_writer.h"
#include "portal/json/report_json.h"

namespace orrery::portal {
namespace {

constexpr size_t kContainersShownMax = 1'000;

Outcome Root(const gateway::Inspection& inspection) {
  JsonWriter json;
  json.BeginObject()
      .Field("name", "Orrery")
      .Field("version", inspection.version())
      .Field("what", "a partitioned multi-model database")
      .Field("health", "/_health")
      .Field("metrics", "/metrics")
      .Field("certificate", "/_explorer/emulator.pem")
      .Field("admin", "/_admin/v1/status (with the header 'Authorization: Bearer <account key>')")
      .EndObject();
  return net::HttpResponse::Json(200, std::move(json).Finish());
}

std::string_view NameOf(ServingState state) {
  switch (state) {
    case ServingState::kStarting:
      return "starting";
    case ServingState::kDraining:
      return "draining";
    default:
      return "ok";
  }
}

Outcome Health(ServingState state) {
  JsonWriter json;
  json.BeginObject().Field("status", NameOf(state)).EndObject();
  return net::HttpResponse::Json(state == ServingState::kOk ? 200 : 503, std::move(json).Finish());
}

Outcome Certificate(const std::string& pem) {
  if (pem.empty()) return Fail(Code::kNotFound, "this server has no certificate: TLS is off");
  net::HttpResponse response;
  response.headers.Add("Content-Type", "application/x-pem-file");
  response.body = pem;
  return response;
}

Outcome Metrics(MetricsRegistry& metrics) {
  net::HttpResponse response;
  response.headers.Add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  response.body = metrics.Render();
  return response;
}

Outcome StatusAnswer(const StatusParts& parts) {
  const gateway::StatusReport status = parts.inspection.Status();
  ORRERY_ASSIGN(const auto containers, parts.inspection.Containers(std::nullopt, std::nullopt));
  JsonWriter json;
  json.BeginObject()
      .Field("status", NameOf(parts.state()))
      .Field("version", status.version)
      .Field("account", parts.account)
      .Field("uptimeSeconds", status.uptime_s)
      .Field("databases", status.databases)
      .Field("partitions", status.partitions)
      .Field("items", status.items)
      .Field("bytes", status.bytes)
      .Field("blockCacheBytes", status.block_cache_bytes)
      .Field("memtableBytes", status.memtable_bytes);
  if (status.cluster) {
    json.Key("partitionsNotOpen").BeginArray();
    for (const uint64_t id : status.unopened) json.Integer(static_cast<int64_t>(id));
    json.EndArray();
    json.Key("cluster");
    WriteClusterReport(json, *status.cluster);
  }
  json.Key("containers").BeginArray();
  const size_t shown = std::min(containers.size(), kContainersShownMax);
  for (size_t i = 0; i < shown; ++i) WriteContainerReport(json, containers[i]);
  json.EndArray().Field("moreContainers", containers.size() - shown).EndObject();
  return net::HttpResponse::Json(200, std::move(json).Finish());
}

}  // namespace

void AddStatusRoutes(Router& router, StatusParts parts) {
  const auto shared = std::make_shared<const StatusParts>(std::move(parts));
  router.Add("GET", "/", Guard::kOpen,
             [=](Call call) { Answer(call.responder, Root(shared->inspection)); });
  router.Add("GET", "/_health", Guard::kOpen,
             [=](Call call) { Answer(call.responder, Health(shared->state())); });
  router.Add("GET", "/_explorer/emulator.pem", Guard::kOpen,
             [=](Call call) { Answer(call.responder, Certificate(shared->certificate_pem)); });
  router.Add("GET", "/metrics", Guard::kOpenLocal, [=](Call call) {
    AnswerFromPool(shared->pool, std::move(call),
                   [=](const Call&) { return Metrics(shared->metrics); });
  });
  router.Add("GET", "/_admin/v1/status", Guard::kRead, [=](Call call) {
    AnswerFromPool(shared->pool, std::move(call),
                   [=](const Call&) { return StatusAnswer(*shared); });
  });
}

}  // namespace orrery::portal
