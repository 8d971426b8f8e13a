#include "net/http/http_client.h"

#include <gmock/gmock.h>

#include "net/http/http_server_fixture_for_test.h"
#include "net/listener.h"

namespace orrery::net {
namespace {

using ::testing::HasSubstr;

// Answers every connection's first bytes with a fixed text.
class HttpClientTest : public HttpServerFixture {
 protected:
  uint16_t StartCanned(std::string answer) {
    canned_.reset();
    answer_ = std::move(answer);
    auto listener = Listener::Open(loops_, {}, nullptr, metrics_,
                                   [this](Stream& stream) { return Answer(stream); });
    EXPECT_TRUE(listener.has_value());
    canned_ = std::move(*listener);
    return canned_->port();
  }
  boost::asio::awaitable<void> Answer(Stream& stream) {
    std::array<char, 1000> request;
    while (true) {
      const auto size = co_await stream.ReadSome(request);
      if (!size || *size == 0) co_return;
      if (!answer_.empty()) {
        co_await stream.Write(answer_);
        co_await stream.Close(Stream::CloseMode::kAtOnce);
        co_return;
      }
    }
  }

  std::string answer_;
  std::unique_ptr<Listener> canned_;
};

TEST_F(HttpClientTest, VerifiesTheServerWhenGivenACertificate) {
  StartTls();
  HttpClientOptions options = ClientOptions();
  options.tls = true;
  EXPECT_TRUE(HttpClient(options).Get("/").has_value()) << "without a CA file nothing is verified";
  options.ca_file = certificate_file();
  for (const char* host : {"127.0.0.1", "localhost"}) {
    options.host = host;
    const auto response = HttpClient(options).Get("/");
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
  }
  const auto other = TlsIdentity::LoadOrCreate(directory_ / "other", {}, clock_);
  ASSERT_TRUE(other.has_value());
  options.ca_file = (directory_ / "other" / "tls-certificate.pem").string();
  const auto refused = HttpClient(options).Get("/");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Code::kUnavailable);
  options.ca_file = "/nonexistent.pem";
  EXPECT_EQ(HttpClient(options).Get("/").error().code(), Code::kInvalidArgument);
}

TEST_F(HttpClientTest, ReconnectsWhenTheServerHasClosed) {
  options_.idle_timeout = std::chrono::milliseconds(10);
  Start();
  HttpClient client(ClientOptions());
  ASSERT_TRUE(client.Send("POST", "/", {}, "1").has_value());
  while (server_->open_connections() > 0) std::this_thread::yield();
  EXPECT_TRUE(client.Send("POST", "/", {}, "2").has_value());
  EXPECT_EQ(client.connections_opened(), 2u);
}

TEST_F(HttpClientTest, SaysWhyThereIsNoAnswer) {
  Start();
  const HttpClientOptions options = ClientOptions();
  server_.reset();
  const auto refused = HttpClient(options).Get("/");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Code::kUnavailable);
  EXPECT_THAT(refused.error().message(),
              HasSubstr("connecting to 127.0.0.1:" + std::to_string(options.port)));
}

TEST_F(HttpClientTest, TimesOut) {
  HttpClientOptions options{.port = StartCanned("")};
  options.request_timeout = std::chrono::milliseconds(20);
  const auto response = HttpClient(options).Get("/");
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().code(), Code::kUnavailable);
  EXPECT_THAT(response.error().message(), HasSubstr("timed out"));
}

TEST_F(HttpClientTest, ReadsResponsesOfOtherServers) {
  const HttpClientOptions chunked{
      .port = StartCanned("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "3\r\nabc\r\n0\r\n\r\n")};
  EXPECT_EQ(HttpClient(chunked).Get("/").value().body, "abc");
  const HttpClientOptions until_end{.port =
                                        StartCanned("HTTP/1.0 200 OK\r\nX-A: b\r\n\r\nto the end")};
  const auto response = HttpClient(until_end).Get("/");
  ASSERT_TRUE(response.has_value()) << response.error().ToString();
  EXPECT_EQ(response->body, "to the end");
  EXPECT_EQ(response->headers.Find("x-a"), "b");
}

TEST_F(HttpClientTest, RefusesTooMuchAndNonsense) {
  HttpClientOptions options{
      .port = StartCanned("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world")};
  options.response_bytes_max = 10;
  EXPECT_EQ(HttpClient(options).Get("/").error().code(), Code::kTooLarge);
  EXPECT_EQ(HttpClient({.port = StartCanned("hello\r\n\r\n")}).Get("/").error().code(),
            Code::kUnavailable);
}

}  // namespace
}  // namespace orrery::net
