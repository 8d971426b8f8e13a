#include "cli/admin_client.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "model/document/json.h"
#include "net/http/url.h"

namespace orrery::cli {
namespace {

// Splits and merges answer when they are done.
constexpr std::chrono::milliseconds kRequestTimeout{120'000};

std::optional<Code> CodeNamed(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(Code::kInternal); ++i) {
    if (CodeName(static_cast<Code>(i)) == name) return static_cast<Code>(i);
  }
  return std::nullopt;
}

}  // namespace

Error ErrorFrom(const net::HttpResponse& response) {
  if (const auto body = model::ParseJson(response.body); body.has_value()) {
    const model::Value code = body->view().Get("code");
    const model::Value message = body->view().Get("message");
    if (code.kind() == model::Kind::kString && message.kind() == model::Kind::kString) {
      return Error(CodeNamed(code.AsString()).value_or(Code::kInternal), message.AsString());
    }
  }
  return Error(Code::kInternal, fmt::format("the server answered {} {}; is it an Orrery server?",
                                            response.status, net::ReasonPhrase(response.status)));
}

Result<AdminClient> AdminClient::Create(AdminAddress address) {
  auto url = net::ParseUrl(address.url);
  if (!url) {
    return Fail(Code::kInvalidArgument,
                fmt::format("--url '{}' is not an address such as http://127.0.0.1:8081 ({})",
                            address.url, url.error().message()));
  }
  net::HttpClient client({.host = url->address.host,
                          .port = url->address.port,
                          .tls = url->tls,
                          .ca_file = address.ca_file,
                          .request_timeout = kRequestTimeout});
  return AdminClient(std::move(address), std::move(client));
}

Result<std::string> AdminClient::Exchange(std::string_view method, std::string_view path,
                                          std::string_view content_type, std::string body) {
  net::HttpHeaders headers;
  headers.Add("Authorization", "Bearer " + address_.key);
  if (!body.empty()) headers.Add("Content-Type", content_type);
  auto response =
      client_.Send(method, fmt::format("/_admin/v1/{}", path), headers, std::move(body));
  if (!response) {
    if (response.error().code() != Code::kUnavailable) return Fail(response.error());
    return Fail(Code::kUnavailable,
                fmt::format("no Orrery server answers at {} ({}); start one with `orrery serve`",
                            address_.url, response.error().message()));
  }
  if (response->status == 401) {
    return Fail(Code::kUnauthorized,
                "the server does not take this key; give the right one with --key or ORRERY_KEY");
  }
  if (response->status < 200 || response->status >= 300) return Fail(ErrorFrom(*response));
  return std::move(response->body);
}

Result<std::string> AdminClient::Health() {
  auto response = client_.Get("/_health");
  if (!response) {
    return Fail(Code::kUnavailable, fmt::format("no Orrery server answers at {} ({})", address_.url,
                                                response.error().message()));
  }
  if (response->status != 200) {
    return Fail(Code::kUnavailable, fmt::format("the server at {} is not healthy: {} {}",
                                                address_.url, response->status, response->body));
  }
  return std::move(response->body);
}

Result<model::Document> AdminClient::Call(std::string_view method, std::string_view path,
                                          std::string body) {
  ORRERY_ASSIGN(const std::string answer,
                Exchange(method, path, "application/json", std::move(body)));
  if (answer.empty()) return model::Document();
  auto document = model::ParseJson(answer);
  if (!document) {
    return Fail(Code::kInternal,
                fmt::format("{} answers, but not as an Orrery server does", address_.url));
  }
  return document;
}

}  // namespace orrery::cli
