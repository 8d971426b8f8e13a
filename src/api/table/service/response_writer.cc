#include "api/table/service/response_writer.h"

#include <fmt/format.h>

#include <utility>

#include "api/table/executor/error_text.h"
#include "api/table/protocol/xml.h"

namespace orrery::table {
namespace {

constexpr std::string_view kNewestVersion = "2024-11-04";

void AddCommon(net::HttpHeaders& headers, const net::HttpRequest& request, RequestUnits charge) {
  const net::HttpHeaders& asked = request.headers;
  headers.Add("x-ms-request-id", request.context.activity_id());
  headers.Add("x-ms-version", asked.Find("x-ms-version").value_or(kNewestVersion));
  if (const auto id = asked.Find("x-ms-client-request-id"); id.has_value())
    headers.Add("x-ms-client-request-id", *id);
  headers.Add("x-ms-request-charge", charge.ToString());
  headers.Add("Cache-Control", "no-cache");
  headers.Add("X-Content-Type-Options", "nosniff");
  headers.Add("Server", "Orrery");
}

std::string_view JsonType(MetadataLevel level) {
  switch (level) {
    case MetadataLevel::kNone:
      return "application/json;odata=nometadata;streaming=true;charset=utf-8";
    case MetadataLevel::kFull:
      return "application/json;odata=fullmetadata;streaming=true;charset=utf-8";
    case MetadataLevel::kMinimal:
      break;
  }
  return "application/json;odata=minimalmetadata;streaming=true;charset=utf-8";
}

net::HttpResponse DoneResponse(Reply reply, const net::HttpRequest& request, MetadataLevel level) {
  net::HttpResponse response{.status = reply.status, .body = std::move(reply.body)};
  AddCommon(response.headers, request, reply.charge);
  if (!response.body.empty()) {
    response.headers.Add("Content-Type", !reply.content_type.empty() ? reply.content_type
                                         : reply.is_xml              ? "application/xml"
                                                                     : JsonType(level));
  }
  if (!reply.is_xml) response.headers.Add("DataServiceVersion", "3.0;");
  if (!reply.etag.empty()) response.headers.Add("ETag", reply.etag);
  if (!reply.location.empty()) {
    response.headers.Add("Location", reply.location);
    if (reply.applied == Preference::kNoContent)
      response.headers.Add("DataServiceId", reply.location);
  }
  if (const auto applied = PreferenceText(reply.applied); !applied.empty())
    response.headers.Add("Preference-Applied", applied);
  for (const auto& [name, value] : reply.headers) response.headers.Add(name, value);
  return response;
}

net::HttpResponse RefusedResponse(const ErrorResponse& error, const net::HttpRequest& request,
                                  bool is_xml, Micros now) {
  net::HttpResponse response{.status = error.status()};
  AddCommon(response.headers, request, error.charge);
  response.headers.Add("x-ms-error-code", FactsOf(error.code).name);
  if (error.retry_after_ms > 0) {
    constexpr uint32_t kMsPerSecond = 1'000;
    response.headers.Add("x-ms-retry-after-ms", fmt::to_string(error.retry_after_ms));
    response.headers.Add("Retry-After",
                         fmt::to_string((error.retry_after_ms + kMsPerSecond - 1) / kMsPerSecond));
  }
  if (error.code == ErrorCode::kNoAuthenticationInformation)
    response.headers.Add("WWW-Authenticate", "SharedKey, SharedKeyLite");
  response.headers.Add("Content-Type",
                       is_xml
                           ? "application/xml"
                           : "application/json;odata=minimalmetadata;streaming=true;charset=utf-8");
  response.body = ErrorBody(error, is_xml, request.context.activity_id(), now);
  return response;
}

}  // namespace

std::string ErrorBody(const ErrorResponse& error, bool is_xml, std::string_view request_id,
                      Micros now) {
  const std::string message = ErrorText(error.message, request_id, now);
  if (!is_xml) return ErrorJson(error.code, message);
  std::string body =
      R"(<?xml version="1.0" encoding="utf-8"?><error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><code>)";
  body += FactsOf(error.code).name;
  body += R"(</code><message xml:lang="en-US">)";
  AppendXmlEscaped(body, message);
  body += "</message></error>";
  return body;
}

net::HttpResponse ToResponse(Outcome<Reply> outcome, const net::HttpRequest& request,
                             const RequestOptions& options, Micros now) {
  return outcome.has_value()
             ? DoneResponse(*std::move(outcome), request, options.level)
             : RefusedResponse(outcome.error(), request, options.accepts_xml_errors, now);
}

}  // namespace orrery::table
