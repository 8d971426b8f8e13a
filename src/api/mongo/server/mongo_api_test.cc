#include "api/mongo/server/mongo_api.h"

#include <gmock/gmock.h>

#include "api/mongo/protocol/message.h"
#include "gateway/test_server.h"
#include "model/document/document_builder.h"
#include "net/raw_socket_for_test.h"

namespace orrery::mongo {
namespace {

using testing::HasSubstr;

// One connection. Replies come as JSON; empty when the server closed.
class WireClient {
 public:
  explicit WireClient(uint16_t port) : socket_(port) { EXPECT_TRUE(socket_.connected()); }

  std::string Ask(std::string_view json) {
    std::string request;
    AppendMsg(request, 7, 0, gateway::Json(json), std::nullopt);
    return SendBytes(request);
  }

  std::string SendBytes(std::string_view bytes) {
    if (!socket_.Send(bytes)) return {};
    const model::Document reply = Receive();
    return reply.view().empty() ? std::string() : model::ToJson(reply);
  }

  model::Document AskFor(std::string_view json) {
    Send(gateway::Json(json), 0);
    return Receive();
  }
  void Send(const model::Document& command, uint32_t flags) {
    std::string request;
    AppendMsg(request, 0, flags, command, std::nullopt, 7);
    EXPECT_TRUE(socket_.Send(request));
  }
  // The next reply; an empty document when the server closed.
  model::Document Receive() {
    while (true) {
      const auto header = ReadHeader(input_);
      if (header.has_value() && input_.size() >= static_cast<size_t>(header->length)) {
        const auto length = static_cast<size_t>(header->length);
        Message reply;
        EXPECT_TRUE(
            ReadMessage(*header,
                        std::string_view(input_).substr(kHeaderBytes, length - kHeaderBytes), reply)
                .has_value());
        says_more_ = (reply.flags & kMoreToCome) != 0;
        reply_id_ = header->request_id;
        response_to_ = header->response_to;
        model::Document body = model::Document::Trusted(std::string(reply.body.bson()));
        input_.erase(0, length);
        return body;
      }
      const std::string more = socket_.ReadSome();
      if (more.empty()) return {};
      input_ += more;
    }
  }
  // Of the last reply.
  bool says_more() const { return says_more_; }
  int32_t reply_id() const { return reply_id_; }
  int32_t response_to() const { return response_to_; }

 private:
  net::RawSocket socket_;
  std::string input_;
  bool says_more_ = false;
  int32_t reply_id_ = 0;
  int32_t response_to_ = 0;
};

class MongoApiTest : public testing::Test {
 protected:
  MongoApiTest() {
    auto started = MongoApi::Start({.address = "127.0.0.1",
                                    .port = 0,
                                    .cosmos_port = 0,
                                    .trust_local = true,
                                    .require_tls = false,
                                    .advertise = {},
                                    .keys = {},
                                    .version = "1"},
                                   {.gateway = *server_.gateway,
                                    .loops = loops_,
                                    .tls = nullptr,
                                    .clock = clock_,
                                    .metrics = server_.metrics});
    EXPECT_TRUE(started.has_value());
    api_ = *std::move(started);
  }
  ~MongoApiTest() override {
    api_->Stop(std::chrono::milliseconds(0));
    server_.io_pool.Stop();  // before what its commands use
  }

  gateway::TestServer server_;
  SystemClock clock_;
  net::EventLoops loops_{1};
  std::unique_ptr<MongoApi> api_;
};

TEST_F(MongoApiTest, CommandsAreAnsweredInOneConnection) {
  WireClient client(api_->port());
  EXPECT_THAT(client.Ask(R"({"ping": 1, "$db": "admin"})"), HasSubstr(R"("ok":1)"));
  EXPECT_THAT(client.Ask(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1, "a": "x"}]})"),
              HasSubstr(R"("n":1)"));
  EXPECT_THAT(client.Ask(R"({"find": "c", "$db": "d"})"), HasSubstr(R"({"_id":1,"a":"x"})"));
}

TEST_F(MongoApiTest, UnknownCommandsAreRefusedByName) {
  WireClient client(api_->port());
  EXPECT_THAT(client.Ask(R"({"conjure": 1, "$db": "d"})"),
              HasSubstr(R"("errmsg":"no such command: 'conjure'","code":59)"));
}

TEST_F(MongoApiTest, TransactionsNeedANumber) {
  WireClient client(api_->port());
  EXPECT_THAT(client.Ask(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}],
                             "autocommit": false})"),
              HasSubstr(R"("code":72)"));
}

TEST_F(MongoApiTest, RepliesHaveTheTimeOfTheCluster) {
  WireClient client(api_->port());
  const std::string reply = client.Ask(R"({"ping": 1, "$db": "admin"})");
  EXPECT_THAT(reply, HasSubstr(R"("$clusterTime")"));
  EXPECT_THAT(reply, HasSubstr(R"("operationTime")"));
}

TEST_F(MongoApiTest, AHelloWaitsAndThenStreams) {
  WireClient client(api_->port());
  const model::Document hello = client.AskFor(R"({"hello": 1, "$db": "admin"})");
  EXPECT_FALSE(client.says_more());
  model::DocumentBuilder await;
  await.AppendInt32("hello", 1).AppendString("$db", "admin").AppendInt64("maxAwaitTimeMS", 1);
  await.Append("topologyVersion", *hello.view().Find("topologyVersion"));
  const model::Document request = std::move(await).Finish();
  client.Send(request, 0);
  EXPECT_THAT(model::ToJson(client.Receive()), HasSubstr(R"("ok":1)"));
  EXPECT_FALSE(client.says_more());
  client.Send(request, kExhaustAllowed);
  int32_t answered = 7;  // the number of the request, and then of each reply
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(model::ToJson(client.Receive()), HasSubstr(R"("isWritablePrimary":true)"));
    EXPECT_TRUE(client.says_more());
    EXPECT_EQ(client.response_to(), answered);
    answered = client.reply_id();
  }
}

TEST_F(MongoApiTest, StoppingEndsHellosThatWait) {
  WireClient client(api_->port());
  const model::Document hello = client.AskFor(R"({"hello": 1, "$db": "admin"})");
  model::DocumentBuilder await;
  await.AppendInt32("hello", 1).AppendString("$db", "admin").AppendInt64("maxAwaitTimeMS", 100'000);
  await.Append("topologyVersion", *hello.view().Find("topologyVersion"));
  client.Send(std::move(await).Finish(), kExhaustAllowed);
  api_->Stop(std::chrono::minutes(10));  // returns long before
}

TEST_F(MongoApiTest, AwaitsNeedAVersionThatWasSeen) {
  WireClient client(api_->port());
  EXPECT_THAT(client.Ask(R"({"hello": 1, "$db": "admin", "maxAwaitTimeMS": 1})"),
              HasSubstr(R"("code":31368)"));
  EXPECT_THAT(client.Ask(R"({"hello": 1, "$db": "admin", "topologyVersion": {}})"),
              HasSubstr(R"("code":31368)"));
}

TEST_F(MongoApiTest, TheSecondPortAsksForALogin) {
  WireClient client(api_->cosmos_port());
  EXPECT_THAT(client.Ask(R"({"find": "c", "$db": "d"})"), HasSubstr(R"("code":13)"));
}

TEST_F(MongoApiTest, BytesThatAreNoMessageEndTheConnection) {
  WireClient client(api_->port());
  EXPECT_EQ(client.SendBytes("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), "");
}

}  // namespace
}  // namespace orrery::mongo
