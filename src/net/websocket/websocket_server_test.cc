// WebSockets over an HttpServer, as an API uses them: messages that say what is to be done with
// them.
#include "net/websocket/websocket_server.h"

#include <gmock/gmock.h>

#include <future>
#include <latch>
#include <optional>
#include <stdexcept>
#include <thread>

#include "net/http/http_server_fixture_for_test.h"
#include "net/websocket/websocket_client_for_test.h"

namespace orrery::net {
namespace {

using enum WebSocketOpcode;
using std::chrono::milliseconds;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// State that a handler keeps for the test.
struct Kept {
  std::optional<WebSocketExchange> exchange;
  RequestContext context;
  std::latch arrived{1};
};

class Obedient final : public WebSocketHandler {
 public:
  Obedient(std::shared_ptr<WebSocketChannel> channel, Kept& kept)
      : channel_(std::move(channel)), kept_(kept) {}

  void OnMessage(WebSocketKind kind, std::string_view payload, const RequestContext& context,
                 WebSocketExchange exchange) override {
    if (payload == "throw") throw std::runtime_error("a library's exception");
    if (payload == "close") return channel_->Close(WebSocketClose::kUnsupportedData, "as asked");
    if (payload == "hold") {
      kept_.exchange.emplace(std::move(exchange));
      kept_.context = context;
      kept_.arrived.count_down();
      return;
    }
    if (payload == "let in") channel_->LetIn();
    if (payload == "flood") {
      size_t sent = 0;
      while (exchange.Send(WebSocketKind::kBinary, std::string(1 << 20, 'x'))) ++sent;
      EXPECT_LE(sent, WebSocketChannel::kBacklogBytesMax >> 20);
      return;
    }
    exchange.Send(kind, std::string(payload));
  }

 private:
  const std::shared_ptr<WebSocketChannel> channel_;
  Kept& kept_;
};

class WebSocketServerTest : public HttpServerFixture {
 protected:
  ~WebSocketServerTest() override {
    kept_.exchange.reset();
    server_.reset();  // before the endpoint
  }

  HttpHandler Handler() {
    requests_ = std::make_shared<ByteBudget>(request_bytes_max_);
    framed_metrics_.emplace(metrics_, "socket", requests_);
    endpoint_.emplace(WebSocketEndpoint{.context = {.limits = limits_,
                                                    .metrics = *framed_metrics_,
                                                    .clock = clock_,
                                                    .requests = requests_},
                                        .options = websocket_options_});
    return [this](HttpRequest request, HttpResponder responder) {
      if (!WantsWebSocket(request)) return Echo(std::move(request), std::move(responder));
      auto offer = ReadWebSocketOffer(request);
      if (!offer.has_value()) return responder.Send(std::move(offer.error()));
      if (offer->origin == "https://evil.example")
        return responder.Send(HttpResponse::JsonError(403, "Forbidden", "not from there"));
      constexpr std::string_view kKnown[] = {"echo"};
      responder.Send(AcceptWebSocket(
          *offer, ChooseSubprotocol(*offer, kKnown), *endpoint_,
          [this](std::shared_ptr<WebSocketChannel> channel, const FramedPeer& peer) {
            EXPECT_THAT(peer.name, StartsWith("127.0.0.1:"));
            return std::make_unique<Obedient>(std::move(channel), kept_);
          }));
    };
  }
  WebSocketClient Open() const {
    WebSocketClient client(server_->port());
    EXPECT_THAT(client.Handshake(), StartsWith("HTTP/1.1 101 "));
    return client;
  }
  // Sends, and expects to be closed with this code.
  void ExpectClose(std::string_view bytes, WebSocketClose code) const {
    WebSocketClient client = Open();
    client.socket().Send(bytes);
    const auto received = client.Receive();
    EXPECT_EQ(received.opcode, kClose);
    EXPECT_EQ(received.code(), static_cast<uint16_t>(code));
    EXPECT_TRUE(client.Receive().closed);
  }

  FramedLimits limits_;
  WebSocketOptions websocket_options_;
  size_t request_bytes_max_ = 16 << 20;
  std::shared_ptr<ByteBudget> requests_;
  std::optional<FramedMetrics> framed_metrics_;
  std::optional<WebSocketEndpoint> endpoint_;
  Kept kept_;
};

TEST_F(WebSocketServerTest, EchoesMessagesOfEitherKind) {
  Start(Handler());
  WebSocketClient client(server_->port());
  const std::string head = client.Handshake(
      "Sec-WebSocket-Protocol: other, echo\r\nSec-WebSocket-Extensions: permessage-deflate\r\n");
  EXPECT_THAT(head, StartsWith("HTTP/1.1 101 Switching Protocols\r\n"));
  EXPECT_THAT(head, HasSubstr("Connection: Upgrade\r\n"));
  EXPECT_THAT(head, HasSubstr("Upgrade: websocket\r\n"));
  EXPECT_THAT(head, HasSubstr("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
  EXPECT_THAT(head, HasSubstr("Sec-WebSocket-Protocol: echo\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("Extensions")));
  EXPECT_THAT(head, Not(HasSubstr("Content-Length")));
  for (const size_t size : {0u, 5u, 126u, 70'000u, 3'000'000u}) {
    const std::string payload(size, 'a');
    for (const WebSocketOpcode kind : {kText, kBinary}) {
      ASSERT_TRUE(client.Send(kind, payload));
      const auto received = client.Receive();
      EXPECT_EQ(received.opcode, kind);
      EXPECT_EQ(received.payload, payload);
    }
  }
  client.Send(kText, "frag", false);
  client.Send(kPing, "between");
  client.Send(kContinuation, "ments");
  EXPECT_EQ(client.Receive().payload, "between");
  EXPECT_EQ(client.Receive().payload, "fragments");
  client.Send(kClose, std::string("\x03\xe8") + "bye");
  EXPECT_EQ(client.Receive().code(), 1000);
  EXPECT_TRUE(client.Receive().closed);
}

TEST_F(WebSocketServerTest, OverTlsToo) {
  // The client for tests speaks plain only; the fixture's port has both.
  StartTls(Handler());
  WebSocketClient client = Open();
  client.Send(kText, "plain beside TLS");
  EXPECT_EQ(client.Receive().payload, "plain beside TLS");
}

TEST_F(WebSocketServerTest, WhatComesWithTheHandshakeIsNotLost) {
  Start(Handler());
  WebSocketClient client(server_->port());
  client.Handshake("", WebSocketClient::Frame(kText, "early"));
  EXPECT_EQ(client.Receive().payload, "early");
  WebSocketClient half(server_->port());
  const std::string frame = WebSocketClient::Frame(kText, "half");
  half.Handshake("", frame.substr(0, 5));
  half.socket().Send(frame.substr(5));
  EXPECT_EQ(half.Receive().payload, "half");
}

TEST_F(WebSocketServerTest, RefusedHandshakesStayHttp) {
  Start(Handler());
  WebSocketClient evil(server_->port());
  EXPECT_THAT(evil.Handshake("Origin: https://evil.example\r\n"), StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(Converse("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: "
                       "Upgrade\r\nSec-WebSocket-Version: 8\r\n\r\n"),
              HasSubstr("Sec-WebSocket-Version: 13\r\n"));
  EXPECT_EQ(HttpClient(ClientOptions()).Get("/x").value().status, 200) << "HTTP on the same port";
}

TEST_F(WebSocketServerTest, ProtocolErrorsAreToldBeforeTheEnd) {
  websocket_options_.limits.message_bytes_max = 1000;
  Start(Handler());
  std::string unmasked;
  AppendWebSocketFrame(unmasked, kText, "x");
  ExpectClose(unmasked, WebSocketClose::kProtocolError);
  ExpectClose(WebSocketClient::Frame(kText, "\xff"), WebSocketClose::kInvalidPayload);
  ExpectClose(WebSocketClient::Frame(kText, std::string(1001, 'x')), WebSocketClose::kTooLarge);
  ExpectClose(WebSocketClient::Frame(kText, "throw"), WebSocketClose::kInternalError);
  ExpectClose(WebSocketClient::Frame(kText, "close"), WebSocketClose::kUnsupportedData);
}

TEST_F(WebSocketServerTest, SilentClientsArePingedThenClosed) {
  // Long enough for the pongs to arrive in time, on a busy machine too.
  limits_.idle_timeout = milliseconds(300);
  Start(Handler());
  WebSocketClient client = Open();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client.Receive().opcode, kPing);
    client.Send(kPong, "");
  }
  EXPECT_EQ(client.Receive().opcode, kPing);
  const auto closed = client.Receive();
  EXPECT_EQ(closed.opcode, kClose);
  EXPECT_EQ(closed.code(), 1008);
}

TEST_F(WebSocketServerTest, SlowMessagesAreRefusedAlsoWithPingsBetween) {
  limits_.message_grace = milliseconds(50);
  Start(Handler());
  WebSocketClient client = Open();
  client.Send(kText, "begun", false);
  bool closed = false;
  while (!closed) {
    client.Send(kPing, "");
    const auto received = client.Receive();
    closed = received.opcode == kClose || received.closed;
    if (received.opcode == kClose) EXPECT_EQ(received.code(), 1008);
  }
}

TEST_F(WebSocketServerTest, StrangersAreNotTakenForLong) {
  websocket_options_.let_in = false;
  limits_.stranger_message_bytes_max = 1000;
  Start(Handler());
  WebSocketClient stranger = Open();
  // Not the whole frame: what is complete was never too large to hold.
  stranger.socket().Send(WebSocketClient::Frame(kText, std::string(5000, 'x')).substr(0, 4000));
  EXPECT_EQ(stranger.Receive().code(), 1009);
  WebSocketClient known = Open();
  known.Send(kText, "let in");
  EXPECT_EQ(known.Receive().payload, "let in");
  known.Send(kText, "known now");
  EXPECT_EQ(known.Receive().payload, "known now");
  known.socket().Send(WebSocketClient::Frame(kText, std::string(5000, 'x')).substr(0, 4000));
  known.socket().Send(WebSocketClient::Frame(kText, std::string(5000, 'x')).substr(4000));
  EXPECT_EQ(known.Receive().payload.size(), 5000u);
}

TEST_F(WebSocketServerTest, MessagesUnderWayAreBounded) {
  limits_.requests_max = 1;
  Start(Handler());
  WebSocketClient client = Open();
  client.Send(kText, "hold");
  client.Send(kText, "after");
  kept_.arrived.wait();
  kept_.exchange->Send(WebSocketKind::kText, "first");
  kept_.exchange->Send(WebSocketKind::kText, "second");
  EXPECT_EQ(client.Receive().payload, "first");
  EXPECT_EQ(client.Receive().payload, "second");
  kept_.exchange.reset();
  EXPECT_EQ(client.Receive().payload, "after");
}

TEST_F(WebSocketServerTest, ABacklogHasAnEnd) {
  Start(Handler());
  WebSocketClient client = Open();
  client.Send(kText, "flood");
  while (true) {
    const auto received = client.Receive();
    ASSERT_FALSE(received.closed);
    if (received.opcode == kBinary) continue;
    EXPECT_EQ(received.opcode, kClose);
    EXPECT_EQ(received.code(), 1008);
    break;
  }
}

TEST_F(WebSocketServerTest, BytesOfMessagesAreCounted) {
  request_bytes_max_ = 100'000;
  Start(Handler());
  WebSocketClient holder = Open();
  holder.Send(kText, "hold");
  kept_.arrived.wait();
  // The budget is full of somebody's half message.
  WebSocketClient half = Open();
  half.socket().Send(WebSocketClient::Frame(kText, std::string(95'000, 'x')).substr(0, 90'000));
  while (requests_->bytes() < 80'000) std::this_thread::yield();
  WebSocketClient other = Open();
  other.Send(kText, std::string(30'000, 'x'));
  EXPECT_EQ(other.Receive().code(), 1013);
  half.socket().Close();
  while (requests_->bytes() > 0) std::this_thread::yield();
}

TEST_F(WebSocketServerTest, AnExchangeMayOutliveItsClient) {
  Start(Handler());
  {
    WebSocketClient client = Open();
    client.Send(kText, "hold");
    kept_.arrived.wait();
  }
  while (kept_.context.stop_reason() == StopReason::kNone) std::this_thread::yield();
  EXPECT_EQ(kept_.context.stop_reason(), StopReason::kClientGone);
  kept_.exchange->Send(WebSocketKind::kText, "to nobody");
  server_.reset();
  loops_.Stop();
  kept_.exchange.reset();
}

TEST_F(WebSocketServerTest, StoppingSaysGoingAway) {
  Start(Handler());
  WebSocketClient idle = Open();
  WebSocketClient busy = Open();
  busy.Send(kText, "hold");
  kept_.arrived.wait();
  auto stopped = std::async(std::launch::async, [&] { server_->Stop(std::chrono::minutes(1)); });
  EXPECT_EQ(idle.Receive().code(), 1001);
  idle.socket().Close();
  kept_.exchange->Send(WebSocketKind::kText, "the last answer");
  kept_.exchange.reset();
  EXPECT_EQ(busy.Receive().payload, "the last answer");
  EXPECT_EQ(busy.Receive().code(), 1001);
  busy.socket().Close();
  stopped.get();
}

}  // namespace
}  // namespace orrery::net
