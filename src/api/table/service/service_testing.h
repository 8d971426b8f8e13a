// A whole Table API over a real store in a temporary directory, without sockets, for tests:
// requests go in as values, signed as clients sign them, and responses come out.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/table/service/table_service.h"
#include "gateway/account/base64.h"
#include "gateway/account/hmac.h"
#include "gateway/test_server.h"
#include "net/http/http_date.h"
#include "net/http/url.h"

namespace orrery::table {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct TestResponse {
  net::HttpResponse response;

  int status() const { return response.status; }
  const std::string& body() const { return response.body; }
  std::string header(std::string_view name) const {
    return std::string(response.headers.Find(name).value_or(""));
  }
};

class TableServiceTest : public testing::Test {
 protected:
  explicit TableServiceTest(partition::Limits limits = {})
      : server_(limits),
        service_({}, {*server_.gateway, server_.clock, server_.clock, {&server_.accounts, &emulator_}}) {}

  static net::HttpRequest Request(std::string_view method, std::string_view target,
                                  const Headers& headers, std::string body) {
    net::HttpRequest request;
    request.method = method;
    request.target = target;
    auto parsed = net::ParseRequestTarget(target);
    EXPECT_TRUE(parsed.has_value()) << target;
    request.path = std::move(parsed->path);
    request.segments = std::move(parsed->segments);
    request.query = std::move(parsed->query);
    for (const auto& [name, value] : headers) request.headers.Add(name, value);
    request.headers.Add("host", "localhost:8902");
    request.peer = "127.0.0.1:50000";
    request.body = std::move(body);
    return request;
  }

  TestResponse SendAs(net::HttpRequest request, Dialect dialect = Dialect::kCosmos) {
    const auto sink = std::make_shared<PromiseSink>();
    service_.Handle(std::move(request), net::HttpResponder(sink), dialect);
    return {sink->Wait()};
  }

  // Signed with SharedKeyLite by the account's key. Accepts JSON unless the headers say otherwise.
  TestResponse Send(std::string_view method, std::string_view target, Headers headers = {},
                    std::string body = {}, Dialect dialect = Dialect::kCosmos) {
    net::HttpRequest request = Request(method, target, headers, std::move(body));
    if (!request.headers.Find("accept").has_value())
      request.headers.Add("accept", "application/json;odata=minimalmetadata");
    const std::string date = net::FormatHttpDate(server_.clock.Now());
    request.headers.Add("x-ms-date", date);
    std::string text = date + "\n/localhost" + request.path;
    if (const auto comp = request.Query("comp")) text += "?comp=" + std::string(*comp);
    request.headers.Add("authorization", "SharedKeyLite localhost:" + Signature(text));
    return SendAs(std::move(request), dialect);
  }

  static std::string Signature(std::string_view text,
                               std::string_view key = gateway::kWellKnownKey) {
    std::string secret;
    EXPECT_TRUE(gateway::FromBase64(key, secret));
    return gateway::ToBase64(gateway::HmacSha256(secret, text));
  }

  void MakeTable(std::string_view name, Headers headers = {}) {
    const TestResponse made = Send("POST", "/Tables", std::move(headers),
                                   R"({"TableName":")" + std::string(name) + "\"}");
    EXPECT_EQ(made.status(), 201) << made.body();
  }

  gateway::TestServer server_;
  gateway::Accounts emulator_ = *gateway::Accounts::Create(StorageEmulatorKeys());
  TableService service_;

 private:
  class PromiseSink final : public net::HttpResponder::Sink {
   public:
    void Deliver(net::HttpResponse response) override { promise_.set_value(std::move(response)); }
    net::HttpResponse Wait() { return promise_.get_future().get(); }

   private:
    std::promise<net::HttpResponse> promise_;
  };
};

}  // namespace orrery::table
