// Tests of failures: of a client, of a handler, and at the end of the server's life.
#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <latch>
#include <optional>
#include <stdexcept>
#include <thread>

#include "net/client_budget.h"
#include "net/http/http_server_fixture_for_test.h"

namespace orrery::net {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using HttpServerFaultsTest = HttpServerFixture;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

TEST_F(HttpServerFaultsTest, MalformedRequestsGetJsonAndTheConnectionEnds) {
  Start();
  for (const std::string_view request :
       {"nonsense\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: "
        "chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx"}) {
    const std::string all = Converse(std::string(request) + std::string(kGet));
    EXPECT_THAT(all, StartsWith("HTTP/1.1 400 Bad Request\r\n"));
    EXPECT_THAT(all, HasSubstr("Content-Type: application/json\r\n"));
    EXPECT_THAT(all, HasSubstr("{\"code\":\"BadRequest\",\"message\":\""));
    EXPECT_EQ(all.find("HTTP/1.1 200"), std::string::npos) << "what followed was served";
  }
}

TEST_F(HttpServerFaultsTest, OversizedBodyIsRefusedAndTheAnswerArrives) {
  options_.limits.body_bytes_max = 1000;
  Start();
  HttpClient client(ClientOptions());
  ASSERT_EQ(client.Send("POST", "/", {}, std::string(1000, 'x')).value().status, 200);
  const auto refused = client.Send("POST", "/", {}, std::string(5 << 20, 'x'));
  ASSERT_TRUE(refused.has_value()) << refused.error().ToString();
  EXPECT_EQ(refused->status, 413);
  EXPECT_THAT(refused->body, HasSubstr("\"RequestEntityTooLarge\""));
  EXPECT_TRUE(refused->close);

  const std::string chunked =
      Converse("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n");
  EXPECT_THAT(chunked, StartsWith("HTTP/1.1 413 "));
  const std::string expecting = Converse(
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1001\r\n\r\n");
  EXPECT_THAT(expecting, StartsWith("HTTP/1.1 413 "));
}

TEST_F(HttpServerFaultsTest, OversizedHeadersAreRefused) {
  Start();
  EXPECT_THAT(Converse("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(70'000, 'x')),
              StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(Converse("GET /" + std::string(60'000, 'x') +
                       " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerFaultsTest, SlowRequestTimesOut) {
  options_.read_timeout = milliseconds(30);
  Start();
  for (const std::string_view start :
       {"GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab"}) {
    const std::string all = Converse(start);
    EXPECT_THAT(all, StartsWith("HTTP/1.1 408 Request Timeout\r\n"));
    EXPECT_THAT(all, HasSubstr("\"RequestTimeout\""));
  }
}

TEST_F(HttpServerFaultsTest, BodiesOfAllConnectionsHaveABudget) {
  options_.request_bytes_max = 150'000;
  Start();
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n";
  // Where the bytes of both came at once the first may be refused instead: then once more.
  constexpr int kTriesMax = 100;
  std::string first_answer;
  for (int i = 0; i < kTriesMax && !first_answer.starts_with("HTTP/1.1 200 "); ++i) {
    RawSocket first = Connect();
    first.Send(head + std::string(100'000, 'x'));
    // Until the first has its share the second is served; then it is refused.
    std::string answer;
    do {
      RawSocket second = Connect();
      second.Send(head + std::string(100'000, 'x'));
      second.Send("x");
      answer = second.ReadUntil("\r\n");
      ASSERT_FALSE(answer.empty());
    } while (answer.starts_with("HTTP/1.1 200 "));
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
    first.Send("x");
    first_answer = first.ReadUntil("\r\n");
  }
  EXPECT_THAT(first_answer, StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerFaultsTest, LargeBodiesAreAdmittedByTheirHeadersFirst) {
  std::atomic<int> handled = 0;
  options_.admission = [](const HttpRequest& head) -> std::optional<HttpResponse> {
    if (head.headers.Find("authorization") == "good") return std::nullopt;
    return HttpResponse::JsonError(401, "Unauthorized", "no " + head.path);
  };
  Start([&](HttpRequest request, HttpResponder responder) {
    ++handled;
    Echo(std::move(request), std::move(responder));
  });
  const auto post = [](std::string_view fields) {
    return "POST /a HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n";
  };
  // Before the body, without leave to send it, and while chunks come.
  EXPECT_THAT(Converse(post("Content-Length: 70000\r\n")),
              AllOf(StartsWith("HTTP/1.1 401 "), HasSubstr("no /a")));
  EXPECT_THAT(Converse(post("Content-Length: 5\r\nExpect: 100-continue\r\n")),
              StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(Converse(post("Transfer-Encoding: chunked\r\n") + "20000\r\n"),
              StartsWith("HTTP/1.1 401 "));
  EXPECT_EQ(handled, 0);
  // A client that sends all of it sees the answer nevertheless.
  EXPECT_THAT(Converse(post("Content-Length: 2000000\r\n") + std::string(2'000'000, 'x')),
              StartsWith("HTTP/1.1 401 "));
  EXPECT_EQ(handled, 0);
  // Small bodies are the handler's, and so are those of whom is known.
  EXPECT_THAT(Converse(post("Content-Length: 3\r\nConnection: close\r\n") + "abc"),
              AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("/a|abc")));
  EXPECT_THAT(Converse(post("Authorization: good\r\nContent-Length: 70000\r\nConnection: "
                            "close\r\n") +
                       std::string(70'000, 'x')),
              AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("xxx")));
}

TEST_F(HttpServerFaultsTest, LargeAnswersThatNobodyReadsAreRefused) {
  options_.listener.clients = std::make_shared<ClientBudget>(
      ClientLimits{.bytes_max = 64 << 20, .bytes_of_address_max = 48 << 20});
  Start([](HttpRequest request, HttpResponder responder) {
    responder.Send({.body = std::string(request.path == "/large" ? 32 << 20 : 100, 'x')});
  });
  const std::string_view large = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n";
  RawSocket first = Connect();
  first.Send(large);
  EXPECT_THAT(first.ReadUntil("\r\n\r\n"), StartsWith("HTTP/1.1 200 "));
  RawSocket second = Connect();
  second.Send(large);
  EXPECT_THAT(second.ReadUntil("\r\n\r\n"), StartsWith("HTTP/1.1 503 "));
  RawSocket third = Connect();
  third.Send(kGet);
  EXPECT_THAT(third.ReadUntil("\r\n\r\n"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(HttpServerFaultsTest, WhoIsLetInByTheReserveIsAnsweredOnce) {
  options_.listener.clients = std::make_shared<ClientBudget>(
      ClientLimits{.connections_max = 2, .connections_of_address_max = 1});
  options_.listener.connections_reserve = 1;
  Start();
  RawSocket first = Connect();
  first.Send(kGet);
  EXPECT_THAT(first.ReadUntil("\r\n\r\n"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(Converse(kGet), AllOf(HasSubstr("Connection: close\r\n"), EndsWith("/|")));
}

TEST_F(HttpServerFaultsTest, IdleConnectionIsClosedSilently) {
  options_.idle_timeout = milliseconds(30);
  Start();
  EXPECT_THAT(Converse(""), IsEmpty());
  RawSocket socket = Connect();
  socket.Send(kGet);
  EXPECT_THAT(socket.ReadAll(), EndsWith("/|"));
}

TEST_F(HttpServerFaultsTest, ClientThatDoesNotReadTimesOut) {
  options_.write_timeout = milliseconds(30);
  Start([](HttpRequest, HttpResponder responder) {
    responder.Send({.body = std::string(64 << 20, 'x')});
  });
  RawSocket socket = Connect();
  socket.Send(kGet);
  EXPECT_THAT(socket.ReadUntil("\r\n\r\n"), StartsWith("HTTP/1.1 200 "));
  // Not reading on: the server gives up and drops the connection.
  while (server_->open_connections() > 0) std::this_thread::yield();
}

TEST_F(HttpServerFaultsTest, SlowOrWrongTlsHandshakeIsCounted) {
  options_.listener.handshake_timeout = milliseconds(30);
  StartTls();
  EXPECT_THAT(Converse("\x16\x03\x01"), IsEmpty());
  EXPECT_FALSE(Converse(std::string("\x16\x03\x01\x00\x05hello", 10) + std::string(100, '\0'))
                   .starts_with("HTTP"));
  while (server_->open_connections() > 0) std::this_thread::yield();
  EXPECT_THAT(metrics_.Render(),
              HasSubstr("orrery_tls_handshakes_failed_total{listener=\"http\"} 2\n"));
  EXPECT_THAT(Converse(""), IsEmpty()) << "a client that never says anything";
}

TEST_F(HttpServerFaultsTest, DroppedResponderAndThrowingHandlerAnswer500) {
  Start([](HttpRequest request, HttpResponder responder) {
    if (request.path == "/throw") throw std::runtime_error("a library's exception");
    if (request.path == "/fine") responder.Send({.body = "fine"});
  });
  HttpClient client(ClientOptions());
  for (const char* target : {"/drop", "/throw"}) {
    const auto response = client.Get(target);
    ASSERT_TRUE(response.has_value()) << response.error().ToString();
    EXPECT_EQ(response->status, 500);
    EXPECT_THAT(response->body, HasSubstr("\"InternalServerError\""));
  }
  EXPECT_EQ(client.Get("/fine").value().body, "fine");
  EXPECT_EQ(client.connections_opened(), 1u);
}

TEST_F(HttpServerFaultsTest, MoreConnectionsThanAllowedAreClosed) {
  options_.listener.connections_max = 2;
  Start();
  RawSocket first = Connect();
  RawSocket second = Connect();
  for (RawSocket* socket : {&first, &second}) {
    socket->Send(kGet);
    ASSERT_THAT(socket->ReadUntil("/|"), EndsWith("/|"));
  }
  EXPECT_THAT(Converse(""), IsEmpty());
  EXPECT_THAT(metrics_.Render(),
              HasSubstr("orrery_connections_refused_total{listener=\"http\"} 1\n"));
  first.Close();
  while (server_->open_connections() > 1) std::this_thread::yield();
  RawSocket third = Connect();
  third.Send(kGet);
  EXPECT_THAT(third.ReadUntil("/|"), EndsWith("/|"));
}

// A handler that keeps its responder until told otherwise.
class HeldRequest {
 public:
  HttpHandler Handler() {
    return [this](const HttpRequest& request, HttpResponder responder) {
      context_ = request.context;
      responder_.emplace(std::move(responder));
      arrived_.count_down();
    };
  }
  void WaitUntilArrived() { arrived_.wait(); }
  void Answer() { responder_->Send({.body = "answered"}); }
  const RequestContext& context() const { return context_; }

 private:
  std::latch arrived_{1};
  RequestContext context_;
  std::optional<HttpResponder> responder_;
};

TEST_F(HttpServerFaultsTest, StopLetsARequestInFlightFinish) {
  HeldRequest held;
  Start(held.Handler());
  RawSocket idle = Connect();
  RawSocket busy = Connect();
  busy.Send(std::string(kGet) + std::string(kGet));
  held.WaitUntilArrived();
  auto stopped = std::async(std::launch::async, [&] { server_->Stop(std::chrono::minutes(1)); });
  EXPECT_THAT(idle.ReadAll(), IsEmpty());
  // A loop drains as it closes its acceptor: once the last refuses, both are draining.
  while (Connect().connected()) std::this_thread::yield();
  held.Answer();
  const std::string all = busy.ReadAll();
  EXPECT_THAT(all, HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(all, EndsWith("answered")) << "the second request is left to another server";
  busy.Close();
  stopped.get();
  EXPECT_EQ(server_->open_connections(), 0u);
}

TEST_F(HttpServerFaultsTest, StopDoesNotWaitForeverForAHandler) {
  HeldRequest held;
  Start(held.Handler());
  RawSocket socket = Connect();
  socket.Send(kGet);
  held.WaitUntilArrived();
  server_->Stop(milliseconds(20));
  EXPECT_THAT(socket.ReadAll(), IsEmpty());
  server_.reset();
  loops_.Stop();
  held.Answer();  // too late, and harmless
}

TEST_F(HttpServerFaultsTest, RequestsOfClientsThatHangUpAreCancelled) {
  for (const bool tls : {false, true}) {
    HeldRequest held;
    if (tls) {
      StartTls(held.Handler());
    } else {
      Start(held.Handler());
    }
    {
      RawSocket socket = Connect();
      socket.Send(kGet);
      held.WaitUntilArrived();
      EXPECT_EQ(held.context().stop_reason(), StopReason::kNone);
    }
    while (held.context().stop_reason() == StopReason::kNone) std::this_thread::yield();
    EXPECT_EQ(held.context().stop_reason(), StopReason::kClientGone);
    held.Answer();
    server_.reset();
  }
}

TEST_F(HttpServerFaultsTest, StoppingWithoutGraceCancelsRequests) {
  HeldRequest held;
  Start(held.Handler());
  RawSocket socket = Connect();
  socket.Send(kGet);
  held.WaitUntilArrived();
  server_->Stop(milliseconds(0));
  EXPECT_EQ(held.context().stop_reason(), StopReason::kServerStopping);
  held.Answer();
}

TEST_F(HttpServerFaultsTest, StopEndsRequestsThatAreStillArriving) {
  StartTls();
  RawSocket half = Connect();
  half.Send("GET / HT");
  RawSocket shaking = Connect();
  shaking.Send("\x16");
  RawSocket silent = Connect();
  while (server_->open_connections() < 3) std::this_thread::yield();
  server_->Stop(milliseconds(20));
  for (RawSocket* socket : {&half, &shaking, &silent}) EXPECT_THAT(socket->ReadAll(), IsEmpty());
}

}  // namespace
}  // namespace orrery::net
