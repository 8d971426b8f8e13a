#include "api/sql/handler/reply.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "api/sql/document/container_names.h"
#include "gateway/position/session_token.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kServiceVersion = "version=2.14.0.0";

struct SeenPosition {
  std::string_view partition;
  std::string_view lsn;
};

// "3:-1#12" says that position 12 of partition 3 was seen. Nothing when several are told.
std::optional<SeenPosition> PositionOf(std::string_view session) {
  const size_t colon = session.find(':');
  const size_t hash = session.find('#');
  if (colon > hash || hash == std::string_view::npos) return std::nullopt;
  if (session.find(',') != std::string_view::npos) return std::nullopt;
  return SeenPosition{session.substr(0, colon), session.substr(hash + 1)};
}

void AddPartition(net::HttpHeaders& headers, std::string_view partition) {
  headers.Add("x-ms-documentdb-partitionkeyrangeid", partition);
  headers.Add("x-ms-cosmos-physical-partition-id", partition);
}

void AddOwner(net::HttpHeaders& headers, const ReplyOwner& owner) {
  if (owner.rid.empty()) return;
  headers.Add("x-ms-content-path", owner.rid);
  std::string path = "dbs/" + net::PercentEncode(owner.database);
  if (!owner.container.empty()) path += "/colls/" + net::PercentEncode(owner.container);
  headers.Add("x-ms-alt-content-path", path);
}

void AddCommon(net::HttpHeaders& headers, RequestUnits charge, std::string_view session,
               bool old_session_tokens) {
  headers.Add("x-ms-request-charge", charge.ToString());
  headers.Add("x-ms-serviceversion", kServiceVersion);
  headers.Add("x-ms-gatewayversion", kServiceVersion);
  headers.Add("x-ms-schemaversion", "1.14");
  if (session.empty()) return;
  if (old_session_tokens) {
    headers.Add("x-ms-session-token", gateway::WithoutVersions(session));
  } else {
    headers.Add("x-ms-session-token", session);
  }
  const auto position = PositionOf(session);
  if (!position.has_value()) return;
  for (const std::string_view name :
       {"lsn", "x-ms-cosmos-llsn", "x-ms-cosmos-quorum-acked-llsn", "x-ms-global-Committed-lsn"}) {
    headers.Add(name, position->lsn);
  }
  AddPartition(headers, position->partition);
  headers.Add("x-ms-number-of-read-regions", "0");
}

}  // namespace

Reply ResourceReply(int status, const model::Value& resource) {
  Reply reply{.status = status, .body = model::ToJson(resource)};
  if (const model::Value* etag = resource.Find("_etag"); etag != nullptr)
    reply.etag = etag->AsString();
  return reply;
}

Reply FeedReply(std::string_view owner_rid, std::string_view name,
                const std::vector<model::Value>& resources) {
  FeedWriter writer(owner_rid, name);
  for (const model::Value& resource : resources) model::AppendJson(writer.Next(), resource);
  return std::move(writer).Finish();
}

FeedWriter::FeedWriter(std::string_view owner_rid, std::string_view name) {
  body_ = "{\"_rid\":";
  model::AppendJsonString(body_, owner_rid);
  body_ += fmt::format(",\"{}\":[", name);
}

std::string& FeedWriter::Next() {
  if (count_++ > 0) body_ += ',';
  return body_;
}

Reply FeedWriter::Finish() && {
  body_ += fmt::format("],\"_count\":{}}}", count_);
  return {.body = std::move(body_), .count = count_};
}

void AddOwner(Reply& reply, const gateway::ContainerEntry& container) {
  reply.owner = {.rid = ContainerNames(container).rid(),
                 .database = container.database_name,
                 .container = container.settings.name};
}

net::HttpResponse ToResponse(Reply reply, std::string_view activity_id, bool old_session_tokens) {
  net::HttpResponse response;
  response.status = reply.status;
  response.headers = std::move(reply.headers);
  response.body = std::move(reply.body);
  AddOwner(response.headers, reply.owner);
  if (reply.item_lsn.has_value())
    response.headers.Add("x-ms-item-lsn", fmt::to_string(reply.item_lsn->value()));
  if (!response.body.empty() && !response.headers.Find("content-type").has_value())
    response.headers.Add("Content-Type", "application/json");
  AddCommon(response.headers, reply.charge, reply.session, old_session_tokens);
  if (reply.partition.has_value() && !PositionOf(reply.session).has_value())
    AddPartition(response.headers, fmt::to_string(reply.partition->value()));
  response.headers.Add("x-ms-activity-id", activity_id);
  if (!reply.etag.empty()) response.headers.Add("etag", reply.etag);
  if (!reply.continuation.empty()) response.headers.Add("x-ms-continuation", reply.continuation);
  if (reply.count.has_value())
    response.headers.Add("x-ms-item-count", fmt::to_string(*reply.count));
  return response;
}

net::HttpResponse ToResponse(const ErrorResponse& error_response, std::string_view activity_id,
                             bool old_session_tokens) {
  net::HttpResponse response = ToResponse(error_response.failure, activity_id);
  AddCommon(response.headers, error_response.charge.value_or(RequestUnits()),
            error_response.session, old_session_tokens);
  return response;
}

}  // namespace orrery::sql
