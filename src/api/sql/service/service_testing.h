// A whole SQL API over a real store in a temporary directory, without sockets, for tests: requests
// go in as values, signed as clients sign them, and responses come out.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/sql/auth/authorization.h"
#include "api/sql/resource/resource_path.h"
#include "api/sql/service/sql_service.h"
#include "gateway/account/base64.h"
#include "gateway/account/hmac.h"
#include "gateway/test_server.h"
#include "model/document/json.h"
#include "net/http/http_date.h"
#include "net/http/url.h"
#include "script/script_test_harness.h"

namespace orrery::sql {

class PromiseSink final : public net::HttpResponder::Sink {
 public:
  void Deliver(net::HttpResponse response) override { promise_.set_value(std::move(response)); }
  net::HttpResponse Wait() { return promise_.get_future().get(); }

 private:
  std::promise<net::HttpResponse> promise_;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

struct TestAnswer {
  net::HttpResponse response;

  int status() const { return response.status; }
  std::string header(std::string_view name) const {
    return std::string(response.headers.Find(name).value_or(""));
  }
  // Undefined when the body is no JSON.
  model::Value body() const {
    auto value = model::ValueFromJson(response.body);
    return value.has_value() ? *std::move(value) : model::Value();
  }
  // The body's field as JSON; "" when there is none.
  std::string operator[](std::string_view name) const {
    const model::Value all = body();
    const model::Value* field = all.Find(name);
    return field == nullptr ? std::string() : model::ToJson(*field);
  }
};

// The documents of the container that tests make.
inline constexpr std::string_view kDocs = "/dbs/db/colls/c/docs";

// 1, 2, 3, .., from any thread.
inline std::function<uint64_t()> CountingIds() {
  return [next = std::make_shared<std::atomic<uint64_t>>(1)] { return (*next)++; };
}

class SqlServiceTest : public testing::Test {
 protected:
  explicit SqlServiceTest(partition::Limits limits = {}) : server_(limits) { StartService(); }

  void StartService(SqlOptions options = {}) {
    service_ =
        std::make_unique<SqlService>(options, SqlService::Parts{.gateway = *server_.gateway,
                                                                .scripts = script::TestEngine(),
                                                                .clock = server_.clock,
                                                                .metrics = server_.metrics,
                                                                .random = CountingIds()});
  }

  static net::HttpRequest Request(std::string_view method, std::string_view path,
                                  const Headers& headers, std::string body) {
    net::HttpRequest request;
    request.method = method;
    request.target = path;
    auto target = net::ParseRequestTarget(path);
    EXPECT_TRUE(target.has_value()) << path;
    request.path = std::move(target->path);
    request.segments = std::move(target->segments);
    for (const auto& [name, value] : headers) request.headers.Add(name, value);
    request.headers.Add("host", "localhost:8081");
    request.body = std::move(body);
    return request;
  }

  std::string Authorization(std::string_view method, const net::HttpRequest& request,
                            std::string_view date) const {
    std::vector<std::string> segments = request.segments;
    std::erase(segments, "");
    const auto path = ParseResourcePath(segments);
    if (!path.has_value()) return "type%3Dmaster%26ver%3D1.0%26sig%3Dnone";
    const std::string text =
        TextToSign({.verb = method, .path = *path, .ms_date = date, .date = ""}, /*by_rid=*/false);
    std::string secret;
    EXPECT_TRUE(gateway::FromBase64(gateway::kWellKnownKey, secret));
    return net::PercentEncode("type=master&ver=1.0&sig=" +
                              gateway::ToBase64(gateway::HmacSha256(secret, text)));
  }

  TestAnswer SendAs(net::HttpRequest request) {
    request.context = context_;
    const auto sink = std::make_shared<PromiseSink>();
    service_->Handle(std::move(request), net::HttpResponder(sink));
    return {sink->Wait()};
  }

  // Signed with the account's key.
  TestAnswer Send(std::string_view method, std::string_view path, const Headers& headers = {},
                  std::string body = {}) {
    net::HttpRequest request = Request(method, path, headers, std::move(body));
    const std::string date = net::FormatHttpDate(server_.clock.Now());
    request.headers.Add("x-ms-date", date);
    request.headers.Add("authorization", Authorization(method, request, date));
    return SendAs(std::move(request));
  }

  // Database db with container c, partition key /pk, version 2.
  void MakeContainer(const Headers& headers = {}, std::string_view more = "") {
    if (Send("GET", "/dbs/db").status() == 404)
      EXPECT_EQ(Send("POST", "/dbs", {}, R"({"id":"db"})").status(), 201);
    const TestAnswer created =
        Send("POST", "/dbs/db/colls", headers,
             R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2})" +
                 std::string(more) + "}");
    EXPECT_EQ(created.status(), 201) << created.response.body;
  }

  static Headers Key(std::string_view json, Headers more = {}) {
    more.emplace_back("x-ms-documentdb-partitionkey", json);
    return more;
  }

  gateway::TestServer server_;
  std::unique_ptr<SqlService> service_;
  RequestContext context_;  // of requests; without limits
};

}  // namespace orrery::sql
