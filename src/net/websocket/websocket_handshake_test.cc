#include "net/websocket/websocket_handshake.h"

#include <gmock/gmock.h>

namespace orrery::net {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kKey = "dGhlIHNhbXBsZSBub25jZQ==";

class WebSocketHandshakeTest : public ::testing::Test {
 protected:
  static HttpRequest Request(
      std::initializer_list<std::pair<std::string_view, std::string_view>> headers) {
    HttpRequest request;
    request.method = "GET";
    request.headers = HttpHeaders(headers);
    return request;
  }
  static int StatusOf(const HttpRequest& request) {
    EXPECT_TRUE(WantsWebSocket(request));
    const auto offer = ReadWebSocketOffer(request);
    return offer.has_value() ? 101 : offer.error().status;
  }

  HttpRequest good_ = Request({{"Host", "a:8182"},
                               {"Upgrade", "websocket"},
                               {"Connection", "keep-alive, Upgrade"},
                               {"Sec-WebSocket-Version", "13"},
                               {"Sec-WebSocket-Key", kKey}});
};

TEST_F(WebSocketHandshakeTest, TheExampleOfTheStandard) {
  EXPECT_EQ(WebSocketAcceptKey(kKey), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST_F(WebSocketHandshakeTest, ReadsTheOffer) {
  good_.headers.Add("Origin", "https://example.org");
  good_.headers.Add("Sec-WebSocket-Protocol", "one, two");
  good_.headers.Add("Sec-WebSocket-Protocol", " three,");
  good_.headers.Add("Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits");
  const auto offer = ReadWebSocketOffer(good_);
  ASSERT_TRUE(offer.has_value());
  EXPECT_EQ(offer->host, "a:8182");
  EXPECT_EQ(offer->origin, "https://example.org");
  EXPECT_THAT(offer->subprotocols, ElementsAre("one", "two", "three"));

  constexpr std::string_view kKnown[] = {"three", "two"};
  EXPECT_EQ(ChooseSubprotocol(*offer, kKnown), "two") << "the client's preference";
  EXPECT_THAT(ChooseSubprotocol(*offer, {}), IsEmpty());

  const HttpResponse accepted = WebSocketAcceptance(*offer, "two");
  EXPECT_EQ(accepted.status, 101);
  EXPECT_EQ(accepted.headers.Find("upgrade"), "websocket");
  EXPECT_EQ(accepted.headers.Find("sec-websocket-accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_EQ(accepted.headers.Find("sec-websocket-protocol"), "two");
  EXPECT_FALSE(accepted.headers.Find("sec-websocket-extensions").has_value());
  EXPECT_FALSE(WebSocketAcceptance(*offer, "").headers.Find("sec-websocket-protocol").has_value());
}

TEST_F(WebSocketHandshakeTest, WordsOfHeadersCompareWithoutCase) {
  EXPECT_EQ(StatusOf(Request({{"host", "a"},
                              {"UPGRADE", "h2c, WebSocket"},
                              {"connection", "upgrade"},
                              {"sec-websocket-version", "13"},
                              {"sec-websocket-key", kKey}})),
            101);
}

TEST_F(WebSocketHandshakeTest, OtherRequestsAreNone) {
  EXPECT_FALSE(WantsWebSocket(Request({{"Host", "a"}})));
  EXPECT_FALSE(WantsWebSocket(Request({{"Host", "a"}, {"Upgrade", "h2c"}})));
  EXPECT_FALSE(WantsWebSocket(Request({{"Host", "a"}, {"Upgrade", "websockets"}})));
}

TEST_F(WebSocketHandshakeTest, MalformedOnesAreRefused) {
  EXPECT_EQ(StatusOf(good_), 101);
  HttpRequest post = good_;
  post.method = "POST";
  EXPECT_EQ(StatusOf(post), 405);
  HttpRequest old = good_;
  old.is_http_1_0 = true;
  EXPECT_EQ(StatusOf(old), 400);
  HttpRequest with_body = good_;
  with_body.body = "x";
  EXPECT_EQ(StatusOf(with_body), 400);
  EXPECT_EQ(StatusOf(Request({{"Upgrade", "websocket"},
                              {"Connection", "close"},
                              {"Sec-WebSocket-Version", "13"},
                              {"Sec-WebSocket-Key", kKey}})),
            400);
}

TEST_F(WebSocketHandshakeTest, OtherVersionsAreToldWhichIsSpoken) {
  for (const std::string_view version : {"8", "12", "14", "013", "", "13, 8"}) {
    const HttpRequest request = Request({{"Upgrade", "websocket"},
                                         {"Connection", "Upgrade"},
                                         {"Sec-WebSocket-Version", version},
                                         {"Sec-WebSocket-Key", kKey}});
    const auto offer = ReadWebSocketOffer(request);
    ASSERT_FALSE(offer.has_value()) << version;
    EXPECT_EQ(offer.error().status, 426);
    EXPECT_EQ(offer.error().headers.Find("sec-websocket-version"), "13");
  }
}

TEST_F(WebSocketHandshakeTest, KeysAreSixteenBytes) {
  for (const std::string_view key :
       {"", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ===", "dGhlIHNhbXBsZSBub25jZQAA",
        "dGhlIHNhbXBsZSBub25j*Q==", "dGhlIHNhbXBsZSBub25jZQ"}) {
    EXPECT_EQ(StatusOf(Request({{"Upgrade", "websocket"},
                                {"Connection", "Upgrade"},
                                {"Sec-WebSocket-Version", "13"},
                                {"Sec-WebSocket-Key", key}})),
              400)
        << key;
  }
  good_.headers.Add("Sec-WebSocket-Key", kKey);
  EXPECT_EQ(StatusOf(good_), 400) << "two keys";
}

}  // namespace
}  // namespace orrery::net
