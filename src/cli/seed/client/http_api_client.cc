#include "cli/seed/client/http_api_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "cli/seed/client/sql_client.h"
#include "gateway/account/base64.h"
#include "model/document/json.h"
#include "net/http/url.h"

namespace orrery::cli {
namespace {

constexpr std::chrono::seconds kHttpRetryTimeMax{60};
constexpr std::chrono::milliseconds kHttpRetryDelay{20};
constexpr std::chrono::milliseconds kHttpRequestTimeout{120'000};

Result<net::HttpClient> ClientFor(std::string_view url) {
  ORRERY_ASSIGN(const net::Url parsed, net::ParseUrl(url));
  return net::HttpClient({.host = parsed.address.host,
                          .port = parsed.address.port,
                          .tls = parsed.tls,
                          .request_timeout = kHttpRequestTimeout});
}

// Repeats what `send` does until it is not throttled.
template <typename Send>
Result<net::HttpResponse> Patiently(Send send) {
  const auto give_up = std::chrono::steady_clock::now() + kHttpRetryTimeMax;
  for (;;) {
    Result<net::HttpResponse> response = send();
    const bool is_busy =
        response.has_value() && (response->status == 429 || response->status == 503);
    if (!is_busy || std::chrono::steady_clock::now() > give_up) return response;
    std::this_thread::sleep_for(kHttpRetryDelay);
  }
}

// The message in an error of the Table service: {"odata.error":{"message":{"value":..}}}.
Error ErrorOfTable(const net::HttpResponse& response) {
  Error error = ErrorOfSql(response);
  const auto body = model::ValueFromJson(response.body);
  if (!body.has_value() || body->kind() != model::Kind::kObject || body->AsFields().empty())
    return error;
  const model::Value* message = body->AsFields().front().value.Find("message");
  const model::Value* text = message == nullptr ? nullptr : message->Find("value");
  if (text == nullptr || text->kind() != model::Kind::kString) return error;
  std::string line = text->AsString().substr(0, text->AsString().find('\n'));
  return Error(error.code(), std::move(line));
}

std::string KeyLiteral(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return net::PercentEncode(quoted);
}

}  // namespace

Result<TableClient> TableClient::Create(std::string_view url, std::string key) {
  ORRERY_ASSIGN(net::HttpClient client, ClientFor(url));
  return TableClient(std::move(client), std::move(key));
}

Status TableClient::Send(std::string_view method, const std::string& target,
                         const std::string& body, int64_t throughput) {
  net::HttpHeaders headers;
  headers.Add("authorization", "Bearer " + key_);
  headers.Add("accept", "application/json;odata=nometadata");
  headers.Add("content-type", "application/json");
  headers.Add("x-ms-version", "2019-02-02");
  headers.Add("prefer", "return-no-content");
  if (throughput > 0) headers.Add("x-ms-offer-throughput", std::to_string(throughput));
  ORRERY_ASSIGN(const net::HttpResponse response,
                Patiently([&] { return client_.Send(method, target, headers, body); }));
  if (response.status >= 200 && response.status < 300) return {};
  return Fail(ErrorOfTable(response));
}

Status TableClient::CreateTable(std::string_view name, int64_t throughput) {
  std::string body = R"({"TableName":)";
  model::AppendJsonString(body, name);
  return Send("POST", "/Tables", body + "}", throughput);
}

Status TableClient::Put(std::string_view table, std::string_view partition_key,
                        std::string_view row_key, const std::string& json) {
  return Send("PUT",
              fmt::format("/{}(PartitionKey='{}',RowKey='{}')", net::PercentEncode(table),
                          KeyLiteral(partition_key), KeyLiteral(row_key)),
              json, 0);
}

Result<GraphClient> GraphClient::Create(std::string_view url, std::string_view database,
                                        std::string_view graph, std::string_view key) {
  ORRERY_ASSIGN(net::HttpClient client, ClientFor(url));
  return GraphClient(std::move(client),
                     gateway::ToBase64(fmt::format("/dbs/{}/colls/{}:{}", database, graph, key)));
}

Status GraphClient::Run(std::string_view traversal) {
  net::HttpHeaders headers;
  headers.Add("authorization", "Basic " + login_);
  headers.Add("content-type", "application/json");
  std::string body = R"({"gremlin":)";
  model::AppendJsonString(body, traversal);
  body += '}';
  ORRERY_ASSIGN(const net::HttpResponse response,
                Patiently([&] { return client_.Send("POST", "/gremlin", headers, body); }));
  if (response.status >= 200 && response.status < 300) return {};
  return Fail(ErrorOfSql(response));
}

}  // namespace orrery::cli
