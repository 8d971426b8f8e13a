#include "portal/handler/connect_handler.h"

#include <memory>
#include <utility>

#include "net/http/host_rule.h"
#include "portal/answer.h"
#include "portal/json/json_writer.h"

namespace orrery::portal {
namespace {

Outcome Connect(const ConnectParts& parts, const net::HttpRequest& request) {
  const bool asks_for_key = request.Query("key") == "true";
  if (asks_for_key && !parts.may_write(request))
    return Fail(Code::kForbidden, "the key is told only to those who have it, or may write");
  const std::string origin = parts.origin.OriginOf(request);
  const size_t scheme = origin.find("://");
  const std::string host(net::HostOf(std::string_view(origin).substr(scheme + 3)));
  const ConnectReport report = parts.source(host.empty() ? "localhost" : host, asks_for_key);
  JsonWriter json;
  json.BeginObject()
      .Field("host", host)
      .Field("tls", report.has_tls)
      .Field("onlyTls", report.only_tls)
      .Field("account", report.account)
      .Key("key");
  if (asks_for_key) {
    json.String(report.key);
  } else {
    json.Null();
  }
  json.Key("certificate");
  if (report.has_tls) {
    json.String("/_explorer/emulator.pem");
  } else {
    json.Null();
  }
  json.Key("ports").BeginObject();
  for (const auto& [name, port] : report.ports) json.Field(name, port);
  json.EndObject().Key("strings").BeginObject();
  for (const auto& [name, text] : report.strings) json.Field(name, text);
  json.EndObject().Field("clusterDatacenter", report.datacenter).EndObject();
  return net::HttpResponse::Json(200, std::move(json).Finish());
}

}  // namespace

void AddConnectRoutes(Router& router, ConnectParts parts) {
  const auto shared = std::make_shared<const ConnectParts>(std::move(parts));
  router.Add("GET", "/_admin/v1/connect", Guard::kRead,
             [shared](Call call) { Answer(call, Connect(*shared, call.request)); });
}

}  // namespace orrery::portal
