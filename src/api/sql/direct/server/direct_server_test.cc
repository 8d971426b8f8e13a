// Direct mode from socket to store and back.
#include "api/sql/direct/server/direct_server.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <set>

#include "api/sql/direct/server/direct_client_for_test.h"
#include "api/sql/service/service_testing.h"
#include "net/tls_socket_for_test.h"

namespace orrery::sql::direct {
namespace {

using PlainClient = DirectClient<net::RawSocket>;

class DirectServerTest : public SqlServiceTest {
 protected:
  DirectServerTest() {
    options_.listener.sweep_interval = std::chrono::milliseconds(5);
    options_.version = "1.2.3";
  }
  ~DirectServerTest() override {
    direct_.reset();
    service_->Stop();
  }

  void StartDirect() {
    auto started = DirectServer::Start(
        loops_, options_,
        {.service = *service_, .tls = tls_.get(), .clock = server_.clock, .metrics = metrics_});
    ASSERT_TRUE(started.has_value()) << started.error().ToString();
    direct_ = *std::move(started);
    service_->ServeDirect(direct_->port());
  }

  // Tokens of a request on documents of dbs/db/colls/c, signed for `link`.
  TestFrame Signed(WireOperation operation, std::string_view verb, std::string_view link,
                   WireResource resource = WireResource::kDocument) {
    TestFrame frame(resource, operation);
    const std::string date = net::FormatHttpDate(server_.clock.Now());
    frame.Text(RequestToken::kAuthorization,
               Authorization(verb, Request("GET", link, {}, ""), date));
    frame.Text(RequestToken::kDate, date);
    frame.Text(RequestToken::kDatabaseName, "db");
    frame.Text(RequestToken::kContainerName, "c");
    frame.Number(RequestToken::kTransportRequestId, ++last_id_);
    return frame;
  }
  TestFrame Create(std::string_view body) {
    return Signed(WireOperation::kCreate, "POST", "/dbs/db/colls/c/docs")
        .Text(RequestToken::kPartitionKey, R"(["a"])")
        .Body(body);
  }
  TestFrame ReadDocument(std::string_view id, std::string_view key = R"(["a"])") {
    return Signed(WireOperation::kRead, "GET", fmt::format("/dbs/db/colls/c/docs/{}", id))
        .Text(RequestToken::kDocumentName, id)
        .Text(RequestToken::kPartitionKey, key);
  }

  PlainClient Connect() {
    PlainClient client(direct_->port());
    const auto hello = client.ShakeHands();
    EXPECT_TRUE(hello.has_value() && hello->status == 200);
    return client;
  }
  TestAnswerFrame Ask(PlainClient& client, const TestFrame& frame) {
    EXPECT_TRUE(client.Send(frame.bytes()));
    auto answer = client.Receive();
    EXPECT_TRUE(answer.has_value());
    return answer.value_or(TestAnswerFrame());
  }

  DirectServerOptions options_;
  MetricsRegistry metrics_;
  std::unique_ptr<net::TlsIdentity> tls_;
  net::EventLoops loops_{1};
  std::unique_ptr<DirectServer> direct_;
  uint32_t last_id_ = 0;
};

TEST_F(DirectServerTest, TheHandshakeTellsWhoAnswers) {
  StartDirect();
  PlainClient client(direct_->port());
  const auto hello = client.ShakeHands();
  ASSERT_TRUE(hello.has_value());
  EXPECT_EQ(hello->status, 200U);
  EXPECT_EQ(hello->tokens.at(3).bytes, "1.2.3");
  EXPECT_EQ(hello->tokens.at(4).type, TokenType::kUInt32);  // the idle time-out
}

TEST_F(DirectServerTest, AnotherProtocolVersionIsToldAndEndsTheConnection) {
  StartDirect();
  PlainClient client(direct_->port());
  ASSERT_TRUE(client.Send(TestHandshake(/*version=*/9)));
  const auto hello = client.Receive(/*is_context=*/true);
  ASSERT_TRUE(hello.has_value());
  EXPECT_EQ(hello->status, 400U);
  EXPECT_TRUE(hello->body.contains("version 9")) << hello->body;
  EXPECT_FALSE(client.Receive().has_value());
}

TEST_F(DirectServerTest, RequestsBeforeTheHandshakeEndTheConnection) {
  StartDirect();
  MakeContainer();
  PlainClient client(direct_->port());
  ASSERT_TRUE(client.Send(ReadDocument("1").bytes()));
  EXPECT_FALSE(client.Receive().has_value());
}

TEST_F(DirectServerTest, BytesThatAreNoFramesEndTheConnection) {
  StartDirect();
  PlainClient client = Connect();
  ASSERT_TRUE(client.Send("GET / HTTP/1.1\r\n\r\n"));
  EXPECT_FALSE(client.Receive().has_value());
}

TEST_F(DirectServerTest, ADocumentIsCreatedReadAndDeleted) {
  StartDirect();
  MakeContainer();
  PlainClient client = Connect();
  const TestAnswerFrame created = Ask(client, Create(R"({"id":"1","pk":"a","x":5})"));
  ASSERT_EQ(created.status, 201U) << created.body;
  EXPECT_EQ(created.Number(AnswerToken::kTransportRequestId), last_id_);
  EXPECT_TRUE(created.body.contains(R"("x":5)"));
  EXPECT_FALSE(created.Text(AnswerToken::kEtag).empty());
  EXPECT_EQ(created.Text(AnswerToken::kOwnerFullName), "dbs/db/colls/c");
  const std::string session = created.Text(AnswerToken::kSessionToken);
  EXPECT_TRUE(session.starts_with("-1#")) << session;
  EXPECT_FALSE(created.Text(AnswerToken::kPartitionKeyRangeId).empty());
  ASSERT_TRUE(created.Number(AnswerToken::kLsn).has_value());
  EXPECT_EQ("-1#" + std::to_string(*created.Number(AnswerToken::kLsn)), session);

  const TestAnswerFrame read = Ask(client, ReadDocument("1"));
  EXPECT_EQ(read.status, 200U);
  EXPECT_EQ(read.Text(AnswerToken::kEtag), created.Text(AnswerToken::kEtag));
  EXPECT_EQ(read.Number(AnswerToken::kItemLsn), created.Number(AnswerToken::kLsn));

  const TestAnswerFrame unchanged =
      Ask(client, ReadDocument("1").Text(RequestToken::kMatch, read.Text(AnswerToken::kEtag)));
  EXPECT_EQ(unchanged.status, 304U);
  EXPECT_TRUE(unchanged.body.empty());

  const TestAnswerFrame deleted =
      Ask(client, Signed(WireOperation::kDelete, "DELETE", "/dbs/db/colls/c/docs/1")
                      .Text(RequestToken::kDocumentName, "1")
                      .Text(RequestToken::kPartitionKey, R"(["a"])"));
  EXPECT_EQ(deleted.status, 204U);
  const TestAnswerFrame missing = Ask(client, ReadDocument("1"));
  EXPECT_EQ(missing.status, 404U);
  EXPECT_TRUE(missing.body.contains("ActivityId: ")) << missing.body;
  // Clients compare it with what they have seen.
  EXPECT_FALSE(missing.Text(AnswerToken::kSessionToken).empty());
}

TEST_F(DirectServerTest, WhatHttpWroteIsReadHereAndTheOtherWayRound) {
  StartDirect();
  MakeContainer();
  ASSERT_EQ(
      Send("POST", "/dbs/db/colls/c/docs", Key(R"(["a"])"), R"({"id":"h","pk":"a"})").status(),
      201);
  PlainClient client = Connect();
  EXPECT_EQ(Ask(client, ReadDocument("h")).status, 200U);
  EXPECT_EQ(Ask(client, Create(R"({"id":"d","pk":"a"})")).status, 201U);
  EXPECT_EQ(Send("GET", "/dbs/db/colls/c/docs/d", Key(R"(["a"])")).status(), 200);
}

// Java's client reads databases and users from a quorum, and takes no answer without positions.
TEST_F(DirectServerTest, WhatIsInNoPartitionHasAPositionToo) {
  StartDirect();
  MakeContainer();
  PlainClient client = Connect();
  const std::string date = net::FormatHttpDate(server_.clock.Now());
  const auto read = [&](std::string_view name) {
    const std::string link = fmt::format("/dbs/{}", name);
    TestFrame frame(WireResource::kDatabase, WireOperation::kRead);
    frame.Text(RequestToken::kAuthorization,
               Authorization("GET", Request("GET", link, {}, ""), date));
    frame.Text(RequestToken::kDate, date).Text(RequestToken::kDatabaseName, name);
    frame.Number(RequestToken::kTransportRequestId, ++last_id_);
    return Ask(client, frame);
  };
  const TestAnswerFrame found = read("db");
  EXPECT_EQ(found.status, 200U) << found.body;
  EXPECT_EQ(found.Number(AnswerToken::kLsn), 1);
  EXPECT_EQ(found.Number(AnswerToken::kQuorumAckedLsn), 1);
  const TestAnswerFrame missing = read("nowhere");
  EXPECT_EQ(missing.status, 404U);
  EXPECT_EQ(missing.Number(AnswerToken::kQuorumAckedLsn), 1);
}

TEST_F(DirectServerTest, PipelinedRequestsAreAllAnswered) {
  StartDirect();
  MakeContainer();
  PlainClient client = Connect();
  ASSERT_EQ(Ask(client, Create(R"({"id":"1","pk":"a"})")).status, 201U);
  std::string many;
  std::set<int64_t> waiting;
  for (int i = 0; i < 300; ++i) {
    many += i % 3 == 0 ? Signed(WireOperation::kQuery, "POST", "/dbs/db/colls/c/docs")
                             .Text(RequestToken::kPartitionKey, R"(["a"])")
                             .Body(R"({"query":"SELECT * FROM c"})")
                             .bytes()
                       : ReadDocument("1").bytes();
    waiting.insert(last_id_);
  }
  ASSERT_TRUE(client.Send(many));
  while (!waiting.empty()) {
    const auto answer = client.Receive();
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->status, 200U) << answer->body;
    EXPECT_EQ(waiting.erase(answer->Number(AnswerToken::kTransportRequestId).value_or(0)), 1U);
  }
}

TEST_F(DirectServerTest, EveryRequestIsSignedByItself) {
  StartDirect();
  MakeContainer();
  PlainClient client = Connect();
  ASSERT_EQ(Ask(client, Create(R"({"id":"1","pk":"a"})")).status, 201U);
  // The signature of another document.
  TestFrame stolen = Signed(WireOperation::kRead, "GET", "/dbs/db/colls/c/docs/2");
  stolen.Text(RequestToken::kDocumentName, "1").Text(RequestToken::kPartitionKey, R"(["a"])");
  EXPECT_EQ(Ask(client, stolen).status, 401U);
  // The signature of another verb.
  TestFrame verb = Signed(WireOperation::kDelete, "GET", "/dbs/db/colls/c/docs/1");
  verb.Text(RequestToken::kDocumentName, "1").Text(RequestToken::kPartitionKey, R"(["a"])");
  EXPECT_EQ(Ask(client, verb).status, 401U);
  // None at all.
  TestFrame nobody(WireResource::kDocument, WireOperation::kRead);
  nobody.Text(RequestToken::kDatabaseName, "db").Text(RequestToken::kContainerName, "c");
  nobody.Text(RequestToken::kDocumentName, "1").Text(RequestToken::kPartitionKey, R"(["a"])");
  EXPECT_EQ(Ask(client, nobody).status, 401U);
  // One that was good long ago.
  const TestFrame old = ReadDocument("1");
  server_.clock.Advance(std::chrono::hours(1));
  EXPECT_EQ(Ask(client, old).status, 403U);
  EXPECT_EQ(Ask(client, ReadDocument("1")).status, 200U);
}

TEST_F(DirectServerTest, AThrottledRequestSaysWhenToTryAgain) {
  StartDirect();
  MakeContainer({{"x-ms-offer-throughput", "400"}});
  PlainClient client = Connect();
  TestAnswerFrame answer;
  for (int i = 0; i < 500 && answer.status != 429; ++i)
    answer = Ask(client, Create(fmt::format(R"({{"id":"{}","pk":"a"}})", i)));
  ASSERT_EQ(answer.status, 429U);
  EXPECT_EQ(answer.Number(AnswerToken::kSubstatus), 3200);
  EXPECT_GT(answer.Number(AnswerToken::kRetryAfterMs).value_or(0), 0);
}

TEST_F(DirectServerTest, APartitionThatIsGoneSendsClientsToTheRanges) {
  StartDirect();
  MakeContainer();
  PlainClient client = Connect();
  constexpr std::string_view kGone = "/apps/orrery/services/a/partitions/4711/replicas/1p/";
  const TestAnswerFrame point =
      Ask(client, ReadDocument("1").Text(RequestToken::kReplicaPath, kGone));
  EXPECT_EQ(point.status, 410U);
  EXPECT_EQ(point.Number(AnswerToken::kSubstatus), 1007);
  const TestAnswerFrame range =
      Ask(client, Signed(WireOperation::kQuery, "POST", "/dbs/db/colls/c/docs")
                      .Text(RequestToken::kReplicaPath, kGone)
                      .Text(RequestToken::kPartitionKeyRangeId, "4711")
                      .Body(R"({"query":"SELECT * FROM c"})"));
  EXPECT_EQ(range.status, 410U);
  EXPECT_EQ(range.Number(AnswerToken::kSubstatus), 1002);
  const TestAnswerFrame renewed =
      Ask(client, ReadDocument("1")
                      .Text(RequestToken::kReplicaPath, kGone)
                      .Text(RequestToken::kIntendedContainerRid, "AAAAAYAAAAk="));
  EXPECT_EQ(renewed.status, 410U);
  EXPECT_EQ(renewed.Number(AnswerToken::kSubstatus), 1000);
}

TEST_F(DirectServerTest, ABodyThatIsTooLargeIsRefusedAndTheConnectionGoesOn) {
  StartDirect();
  MakeContainer();
  PlainClient client = Connect();
  EXPECT_EQ(Ask(client, Create(std::string(kBodyBytesMax + 1, 'x'))).status, 413U);
  EXPECT_EQ(Ask(client, Create(R"({"id":"1","pk":"a"})")).status, 201U);
}

TEST_F(DirectServerTest, ConnectionsInTheClearAreRefusedWhereTlsIsRequired) {
  options_.require_tls = true;
  StartDirect();
  PlainClient client(direct_->port());
  const auto hello = client.ShakeHands();
  ASSERT_TRUE(hello.has_value());
  EXPECT_EQ(hello->status, 403U);
  EXPECT_FALSE(client.Receive().has_value());
}

TEST_F(DirectServerTest, OverTls) {
  const std::filesystem::path directory =
      std::filesystem::path(testing::TempDir()) / "orrery-direct-tls";
  auto identity = net::TlsIdentity::LoadOrCreate(directory.string(), {}, SystemClock());
  ASSERT_TRUE(identity.has_value()) << identity.error().ToString();
  tls_ = *std::move(identity);
  options_.require_tls = true;
  StartDirect();
  MakeContainer();
  DirectClient<net::TlsSocket> client(direct_->port());
  ASSERT_TRUE(client.socket().connected());
  const auto hello = client.ShakeHands();
  ASSERT_TRUE(hello.has_value());
  EXPECT_EQ(hello->status, 200U);
  ASSERT_TRUE(client.Send(Create(R"({"id":"1","pk":"a"})").bytes()));
  const auto created = client.Receive();
  ASSERT_TRUE(created.has_value());
  EXPECT_EQ(created->status, 201U);
  std::filesystem::remove_all(directory);
}

TEST_F(DirectServerTest, AddressesNameThePortAndEachRange) {
  StartDirect();
  MakeContainer();
  const std::string rid = Send("GET", "/dbs/db/colls/c").body().Find("_rid")->AsString();
  const TestAnswer ranges = Send("GET", "/dbs/db/colls/c/pkranges");
  const std::string range =
      ranges.body().Find("PartitionKeyRanges")->AsValues().front().Find("id")->AsString();
  const std::string date = net::FormatHttpDate(server_.clock.Now());
  const auto ask = [&](std::string_view resolve, std::string_view signed_for,
                       std::string_view more) {
    const std::string target = fmt::format(
        "//addresses/?$resolveFor={}&$filter=protocol%20eq%20"
        "rntbd{}",
        resolve, more);
    net::HttpRequest request = Request("GET", target, {}, "");
    request.query = net::ParseRequestTarget(target)->query;
    request.headers.Add("x-ms-date", date);
    request.headers.Add("authorization",
                        Authorization("GET", Request("GET", signed_for, {}, ""), date));
    return SendAs(std::move(request));
  };
  const TestAnswer told = ask("dbs%2Fdb%2Fcolls%2Fc%2Fdocs", "/dbs/db/colls/c/docs",
                              "&$partitionKeyRangeIds=" + range + ",4711");
  ASSERT_EQ(told.status(), 200) << told.response.body;
  EXPECT_EQ(told["_count"], "1");
  EXPECT_TRUE(told["Addresss"].contains(fmt::format("rntbd://localhost:{}/apps/", direct_->port())))
      << told.response.body;
  EXPECT_TRUE(told["Addresss"].contains(fmt::format("/partitions/{}/", range)));
  EXPECT_TRUE(told["Addresss"].contains(fmt::format(R"("partitionKeyRangeId":"{}")", range)));
  EXPECT_EQ(ask("dbs", "/dbs", "").status(), 200);
  EXPECT_EQ(ask("dbs%2Fdb%2Fcolls%2Fc%2Fdocs", "/dbs", "").status(), 401);
  // Switched off, it says what to do.
  service_->ServeDirect(0);
  const TestAnswer off = ask("dbs", "/dbs", "");
  EXPECT_EQ(off.status(), 400);
  EXPECT_TRUE(off["message"].contains("gateway mode")) << off.response.body;
}

}  // namespace
}  // namespace orrery::sql::direct
