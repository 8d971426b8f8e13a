#include "portal/handler/partition_handler.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "portal/answer.h"
#include "portal/json/field_reader.h"
#include "portal/json/json_writer.h"
#include "portal/json/report_json.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kPartitions = "/_admin/v1/partitions";
constexpr std::string_view kPartition = "/_admin/v1/partitions/{id}";
constexpr std::string_view kSplit = "/_admin/v1/partitions/{id}/split";
constexpr std::string_view kSplitDatabase = "/_admin/v1/databases/{database}/split";
constexpr std::string_view kSplitContainer =
    "/_admin/v1/databases/{database}/containers/{container}/split";
constexpr std::string_view kMerge = "/_admin/v1/partitions/merge";
constexpr std::string_view kSettle = "/_admin/v1/partitions/settle";

Result<uint64_t> PartitionNumber(std::string_view text) {
  uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Fail(Code::kInvalidArgument, fmt::format("'{}' is not a partition's number", text));
  }
  return id;
}

class PartitionRoutes {
 public:
  PartitionRoutes(gateway::Inspection& inspection, uint64_t bytes_max)
      : inspection_(inspection), bytes_max_(bytes_max) {}

  Outcome List(const Call& call) const {
    const auto database = call.request.Query("database");
    const auto container = call.request.Query("container");
    ORRERY_ASSIGN(const auto partitions, inspection_.Partitions(database, container));
    ORRERY_ASSIGN(const auto containers, inspection_.Containers(database, container));
    JsonWriter json;
    json.BeginObject().Field("bytesMax", bytes_max_).Key("partitions").BeginArray();
    for (const gateway::PartitionReport& partition : partitions)
      WritePartitionReport(json, partition);
    json.EndArray().Key("advice").BeginArray();
    for (const gateway::ContainerReport& report : containers) {
      for (const std::string& advice : report.advice) {
        json.String(fmt::format("{}/{}: {}", report.database, report.name, advice));
      }
    }
    json.EndArray().EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  Outcome Get(const Call& call) const {
    ORRERY_ASSIGN(const uint64_t id, PartitionNumber(call.parameters[0]));
    ORRERY_ASSIGN(const auto partitions, inspection_.Partitions(std::nullopt, std::nullopt));
    for (const gateway::PartitionReport& partition : partitions) {
      if (partition.id != id) continue;
      JsonWriter json;
      WritePartitionReport(json, partition);
      return net::HttpResponse::Json(200, std::move(json).Finish());
    }
    return Fail(Code::kNotFound,
                fmt::format("there is no partition {}; it may have split or merged", id));
  }

  // The partition of the address.
  Outcome Split(const Call& call) const {
    ORRERY_ASSIGN(const uint64_t id, PartitionNumber(call.parameters[0]));
    return SplitAnswer(inspection_.Split(std::nullopt, std::nullopt, id));
  }

  // The largest one of a database or container, or the one that the body names: {"partition":7}.
  Outcome SplitOf(const Call& call) const {
    ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
    FieldReader fields(body);
    const auto partition = fields.Integer("partition");
    ORRERY_TRY(fields.Finish());
    std::optional<std::string_view> container;
    if (call.parameters.size() == 2) container = call.parameters[1];
    std::optional<uint64_t> id;
    if (partition) id = static_cast<uint64_t>(*partition);
    return SplitAnswer(inspection_.Split(call.parameters[0], container, id));
  }

  // {"left":7,"right":8}
  Outcome Merge(const Call& call) const {
    ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
    FieldReader fields(body);
    const int64_t left = fields.RequiredInteger("left");
    const int64_t right = fields.RequiredInteger("right");
    ORRERY_TRY(fields.Finish());
    ORRERY_ASSIGN(const uint64_t merged,
                  inspection_.Merge(static_cast<uint64_t>(left), static_cast<uint64_t>(right)));
    JsonWriter json;
    json.BeginObject().Field("partition", merged).EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  // Answers when no split, merge, trim or index build is under way.
  Outcome Settle(const Call&) const {
    inspection_.WaitForIdle();
    net::HttpResponse response;
    response.status = 204;
    return response;
  }

 private:
  static Outcome SplitAnswer(Result<gateway::SplitReport> report) {
    if (!report) return Fail(std::move(report).error());
    JsonWriter json;
    json.BeginObject().Field("partition", report->partition).Key("children").BeginArray();
    for (const uint64_t child : report->children) json.Integer(child);
    json.EndArray().Field("pauseMs", report->pause_ms).EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  gateway::Inspection& inspection_;
  uint64_t bytes_max_;
};

}  // namespace

void AddPartitionRoutes(Router& router, gateway::Inspection& inspection, ThreadPool& pool,
                        uint64_t partition_bytes_max) {
  using Method = Outcome (PartitionRoutes::*)(const Call&) const;
  const PartitionRoutes routes(inspection, partition_bytes_max);
  const auto add = [&](std::string_view verb, std::string_view pattern, Guard guard,
                       Method method) {
    router.Add(verb, pattern, guard, [=, &pool](Call call) {
      AnswerFromPool(pool, std::move(call),
                     [=](const Call& taken) { return (routes.*method)(taken); });
    });
  };
  add("GET", kPartitions, Guard::kRead, &PartitionRoutes::List);
  add("POST", kMerge, Guard::kWrite, &PartitionRoutes::Merge);
  add("POST", kSettle, Guard::kWrite, &PartitionRoutes::Settle);
  add("GET", kPartition, Guard::kRead, &PartitionRoutes::Get);
  add("POST", kSplit, Guard::kWrite, &PartitionRoutes::Split);
  add("POST", kSplitDatabase, Guard::kWrite, &PartitionRoutes::SplitOf);
  add("POST", kSplitContainer, Guard::kWrite, &PartitionRoutes::SplitOf);
}

}  // namespace orrery::portal
