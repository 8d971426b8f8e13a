// Tests with well-behaved clients. http_server_faults_test.cc has the others.
#include "net/http/http_server.h"

#include <gmock/gmock.h>

#include <mutex>
#include <thread>
#include <vector>

#include "base/thread_pool.h"
#include "net/http/http_server_fixture_for_test.h"

namespace orrery::net {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using HttpServerTest = HttpServerFixture;

TEST_F(HttpServerTest, ForeignNamesOfTheServerAreRefused) {
  options_.host_rule = HostRule({"db.example.com"});
  Start();
  const std::string refused =
      Converse("GET /a HTTP/1.1\r\nhost: evil.com:8081\r\nconnection: close\r\n\r\n");
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 421 "));
  EXPECT_THAT(refused, HasSubstr("--allowed-hosts evil.com "));
  EXPECT_THAT(Converse("GET /a HTTP/1.1\r\nhost: db.example.com\r\nconnection: close\r\n\r\n"),
              EndsWith("/a|"));
}

TEST_F(HttpServerTest, KeepsTheConnectionBetweenRequests) {
  Start();
  HttpClient client(ClientOptions());
  for (int i = 0; i < 10; ++i) {
    const auto response = client.Send("POST", "/a?i=" + std::to_string(i), {{"x-b", "c"}}, "body");
    ASSERT_TRUE(response.has_value()) << response.error().ToString();
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->body, "/a?i=" + std::to_string(i) + "|body");
    EXPECT_TRUE(response->headers.Find("date").has_value());
  }
  EXPECT_EQ(client.connections_opened(), 1u);
}

TEST_F(HttpServerTest, HandlerSeesTheRequest) {
  HttpRequest seen;
  Start([&](HttpRequest request, HttpResponder responder) {
    seen = std::move(request);
    responder.Send({.status = 204});
  });
  HttpClient client(ClientOptions());
  const auto response = client.Send("PATCH", "/dbs/a%2Fb?q=%41", {{"X-Ms-Date", "now"}}, "{}");
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, 204);
  EXPECT_EQ(seen.method, "PATCH");
  EXPECT_EQ(seen.path, "/dbs/a%2Fb");
  EXPECT_THAT(seen.segments, ::testing::ElementsAre("dbs", "a/b"));
  EXPECT_EQ(seen.Query("q"), "A");
  EXPECT_EQ(seen.headers.Find("x-ms-date"), "now");
  EXPECT_EQ(seen.body, "{}");
  EXPECT_FALSE(seen.tls);
  EXPECT_THAT(seen.peer, StartsWith("127.0.0.1:"));
}

TEST_F(HttpServerTest, TlsAndPlainShareThePort) {
  StartTls();
  HttpClientOptions tls = ClientOptions();
  tls.tls = true;
  tls.ca_file = certificate_file();
  tls.host = "localhost";
  HttpClient secure(tls);
  HttpClient plain(ClientOptions());
  for (int i = 0; i < 3; ++i) {
    const auto response = secure.Send("POST", "/", {}, std::string(100'000, 'x'));
    ASSERT_TRUE(response.has_value()) << response.error().ToString();
    EXPECT_EQ(response->headers.Find("x-tls"), "yes");
    EXPECT_EQ(response->body.size(), 100'002u);
    EXPECT_EQ(plain.Get("/").value().headers.Find("x-tls"), "no");
  }
  EXPECT_EQ(secure.connections_opened(), 1u);
}

TEST_F(HttpServerTest, AnswersPipelinedRequestsInOrder) {
  ThreadPool pool("handler", 2, 100);
  Start([&](HttpRequest request, HttpResponder responder) {
    // Even requests are answered at once, odd ones by another thread.
    if (request.path.back() % 2 == 0) return Echo(std::move(request), std::move(responder));
    ASSERT_TRUE(
        pool.Submit([request = std::move(request), responder = std::move(responder)]() mutable {
          Echo(std::move(request), std::move(responder));
        }));
  });
  std::string requests;
  for (int i = 0; i < 50; ++i)
    requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: a\r\n\r\n";
  requests += "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const std::string all = Converse(requests);
  size_t position = 0;
  for (int i = 0; i < 50; ++i) {
    position = all.find("/" + std::to_string(i) + "|", position);
    ASSERT_NE(position, std::string::npos) << i;
  }
  EXPECT_THAT(all, EndsWith("/last|"));
}

TEST_F(HttpServerTest, HeadHasTheHeadersOfGetAndNoBody) {
  Start();
  const std::string all = Converse(
      "HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: "
      "close\r\n\r\n");
  EXPECT_THAT(all, HasSubstr("Content-Length: 5\r\n"));
  EXPECT_THAT(all, Not(HasSubstr("/abc|")));
  EXPECT_THAT(all, EndsWith("/2|"));
}

TEST_F(HttpServerTest, ContinuesWhenAskedTo) {
  Start();
  RawSocket socket = Connect();
  socket.Send("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(socket.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  socket.Send("hi");
  EXPECT_THAT(socket.ReadUntil("/|hi"), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(HttpServerTest, AnswersAClientThatHasFinishedSending) {
  Start();
  RawSocket socket = Connect();
  socket.Send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
  socket.FinishSending();
  EXPECT_THAT(socket.ReadAll(), EndsWith("/x|"));
}

TEST_F(HttpServerTest, Http10AndConnectionCloseEndTheConnection) {
  Start(
      [](HttpRequest, HttpResponder responder) { responder.Send({.body = "bye", .close = true}); });
  for (const std::string_view request :
       {"GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n"}) {
    const std::string all = Converse(request);
    EXPECT_THAT(all, HasSubstr("Connection: close\r\n"));
    EXPECT_THAT(all, EndsWith("bye"));
  }
}

TEST_F(HttpServerTest, ResponseMayComeFromAnotherThreadMuchLater) {
  std::mutex mutex;
  std::vector<HttpResponder> held;
  Start([&](HttpRequest, HttpResponder responder) {
    std::lock_guard lock(mutex);
    held.push_back(std::move(responder));
  });
  RawSocket socket = Connect();
  socket.Send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  while (true) {
    std::lock_guard lock(mutex);
    if (!held.empty()) break;
  }
  held.front().Send({.status = 201, .body = "made"});
  EXPECT_THAT(socket.ReadUntil("made"), StartsWith("HTTP/1.1 201 Created\r\n"));
}

TEST_F(HttpServerTest, ServesFiveHundredConnectionsAtOnce) {
  constexpr int kConnections = 500;
  Start();
  std::vector<RawSocket> sockets;
  for (int i = 0; i < kConnections; ++i) {
    sockets.push_back(Connect());
    ASSERT_TRUE(sockets.back().connected());
  }
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kConnections; ++i) {
      ASSERT_TRUE(sockets[i].Send("GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: a\r\n\r\n"));
    }
    for (int i = 0; i < kConnections; ++i) {
      const std::string end = "/" + std::to_string(i) + "|";
      ASSERT_THAT(sockets[i].ReadUntil(end), EndsWith(end));
    }
  }
  EXPECT_EQ(server_->open_connections(), static_cast<size_t>(kConnections));
  server_->Stop(std::chrono::seconds(10));
  EXPECT_EQ(server_->open_connections(), 0u);
}

TEST_F(HttpServerTest, CountsWhatItDoes) {
  options_.listener.name = "sql";
  Start([](HttpRequest request, HttpResponder responder) {
    responder.Send({.status = request.path == "/missing" ? 404 : 200});
  });
  HttpClient client(ClientOptions());
  for (const char* target : {"/", "/", "/missing"}) ASSERT_TRUE(client.Get(target).has_value());
  const std::string text = metrics_.Render();
  EXPECT_THAT(text, HasSubstr("orrery_http_requests_total{listener=\"sql\",class=\"2xx\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("orrery_http_requests_total{listener=\"sql\",class=\"4xx\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("orrery_connections_open{listener=\"sql\"} 1\n"));
}

}  // namespace
}  // namespace orrery::net
