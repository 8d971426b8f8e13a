#include "cli/seed/client/sql_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "gateway/account/base64.h"
#include "gateway/account/hmac.h"
#include "model/document/json.h"
#include "net/http/http_date.h"
#include "net/http/url.h"

namespace orrery::cli {
namespace {

constexpr std::chrono::milliseconds kSqlRequestTimeout{120'000};
constexpr std::chrono::milliseconds kSqlRetryTimeMax{60'000};
constexpr int kSqlRetryDelayMs = 20;
constexpr std::string_view kSqlApiVersion = "2018-12-31";

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool IsTransient(int status) {
  return status == 429 || status == 449 || status == 503 || status == 408;
}

int RetryDelayMs(const net::HttpResponse& response) {
  const auto header = response.headers.Find("x-ms-retry-after-ms");
  if (!header.has_value()) return kSqlRetryDelayMs;
  int delay = kSqlRetryDelayMs;
  std::from_chars(header->data(), header->data() + header->size(), delay);
  return std::clamp(delay, 1, 5'000);
}

}  // namespace

Result<SqlClient> SqlClient::Create(const SqlAddress& address) {
  auto url = net::ParseUrl(address.url);
  if (!url) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' is not an address such as http://127.0.0.1:8081 ({})",
                            address.url, url.error().message()));
  }
  std::string secret;
  if (!gateway::FromBase64(address.key, secret))
    return Fail(Code::kInvalidArgument, "the account key is not base64");
  return SqlClient(net::HttpClient({.host = url->address.host,
                                    .port = url->address.port,
                                    .tls = url->tls,
                                    .ca_file = address.ca_file,
                                    .request_timeout = kSqlRequestTimeout}),
                   std::move(secret));
}

Result<net::HttpResponse> SqlClient::Send(std::string_view method, const Path& path,
                                          const Headers& headers, std::string_view body) {
  // What is signed is the resource, or the parent of a list.
  const bool is_list = path.size() % 2 == 1;
  const std::string& type = path[is_list ? path.size() - 1 : path.size() - 2];
  std::string target;
  std::string link;
  for (size_t i = 0; i < path.size(); ++i) {
    target += "/" + net::PercentEncode(path[i]);
    if (is_list && i + 1 == path.size()) continue;
    link += (link.empty() ? "" : "/") + path[i];
  }
  const auto give_up = std::chrono::steady_clock::now() + kSqlRetryTimeMax;
  for (;;) {
    const std::string date = net::FormatHttpDate(SystemClock().Now());
    const std::string text =
        fmt::format("{}\n{}\n{}\n{}\n\n", Lower(std::string(method)), type, link, Lower(date));
    net::HttpHeaders all;
    all.Add("authorization",
            net::PercentEncode(fmt::format("type=master&ver=1.0&sig={}",
                                           gateway::ToBase64(gateway::HmacSha256(secret_, text)))));
    all.Add("x-ms-date", date);
    all.Add("x-ms-version", kSqlApiVersion);
    for (const auto& [name, value] : headers) all.Add(name, value);
    ORRERY_ASSIGN(net::HttpResponse response, client_.Send(method, target, all, std::string(body)));
    if (!IsTransient(response.status) || std::chrono::steady_clock::now() > give_up)
      return response;
    std::this_thread::sleep_for(std::chrono::milliseconds(RetryDelayMs(response)));
  }
}

Error ErrorOfSql(const net::HttpResponse& response) {
  const Code code = response.status == 404   ? Code::kNotFound
                    : response.status == 409 ? Code::kAlreadyExists
                    : response.status == 401 ? Code::kUnauthorized
                    : response.status == 413 ? Code::kTooLarge
                    : response.status == 429 ? Code::kThrottled
                    : response.status >= 500 ? Code::kUnavailable
                                             : Code::kInvalidArgument;
  std::string message;
  if (const auto body = model::ParseJson(response.body); body.has_value()) {
    const model::Value text = body->view().Get("message");
    if (text.kind() == model::Kind::kString) message = text.AsString();
  }
  if (message.empty()) message = response.body.substr(0, 500);
  std::ranges::replace(message, '\n', ' ');
  std::erase(message, '\r');
  return Error(code, fmt::format("{} ({} {})", message, response.status,
                                 net::ReasonPhrase(response.status)));
}

}  // namespace orrery::cli
