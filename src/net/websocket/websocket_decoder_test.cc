// The cases of RFC 6455 that servers are known to get wrong, by families: framing, masks, pings,
// reserved bits, opcodes, fragmentation, UTF-8, limits, close.
#include "net/websocket/websocket_decoder.h"

#include <gmock/gmock.h>

#include <vector>

namespace orrery::net {
namespace {

using enum WebSocketOpcode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr WebSocketMask kMask = {'\x37', '\xfa', '\x21', '\x3d'};

std::string Frame(WebSocketOpcode opcode, std::string_view payload, bool fin = true) {
  std::string out;
  AppendMaskedFrame(out, opcode, payload, kMask, fin);
  return out;
}
std::string ClosePayload(uint16_t code, std::string_view reason) {
  return std::string{static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)}.append(reason);
}

class WebSocketDecoderTest : public ::testing::Test {
 protected:
  // Returns one line for each event; the last may be "fails <code>".
  std::vector<std::string> Decode(std::string_view bytes, size_t step) const {
    std::vector<std::string> events;
    WebSocketDecoder decoder(limits_);
    size_t begin = 0;
    for (size_t end = 0; end < bytes.size();) {
      end = std::min(end + step, bytes.size());
      while (true) {
        std::string_view input = bytes.substr(begin, end - begin);
        const auto next = decoder.Next(input);
        begin = end - input.size();
        if (!next.has_value()) {
          events.push_back("fails " + std::to_string(static_cast<int>(next.error().code)));
          return events;
        }
        if (!next->has_value()) break;
        events.push_back(Text(**next));
        if ((*next)->opcode == kClose) return events;
      }
    }
    if (decoder.incomplete()) events.emplace_back("incomplete");
    return events;
  }
  // However the bytes are cut, the same comes of them.
  std::vector<std::string> Decode(std::string_view bytes) const {
    const std::vector<std::string> whole = Decode(bytes, std::max<size_t>(bytes.size(), 1));
    if (bytes.size() < 10'000) {
      for (const size_t step : {1u, 2u, 3u, 7u}) EXPECT_EQ(Decode(bytes, step), whole) << step;
    }
    return whole;
  }

  WebSocketLimits limits_;

 private:
  static std::string Text(const WebSocketEvent& event) {
    const std::string payload = event.payload.size() > 100
                                    ? std::to_string(event.payload.size()) + " bytes"
                                    : std::string(event.payload);
    switch (event.opcode) {
      case kText:
        return "text " + payload;
      case kBinary:
        return "binary " + payload;
      case kPing:
        return "ping " + payload;
      case kPong:
        return "pong " + payload;
      default:
        return "close " +
               (event.close_code.has_value() ? std::to_string(*event.close_code) : "none") + " " +
               payload;
    }
  }
};

TEST_F(WebSocketDecoderTest, TheExampleOfTheStandard) {
  // RFC 6455, 5.7: a masked text message "Hello".
  EXPECT_THAT(Decode("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"), ElementsAre("text Hello"));
  std::string server;
  AppendWebSocketFrame(server, kText, "Hello");
  EXPECT_EQ(server, std::string("\x81\x05Hello"));
}

TEST_F(WebSocketDecoderTest, AllFormsOfLength) {
  for (const size_t size : {0u, 1u, 125u, 126u, 127u, 128u, 65'535u, 65'536u, 1'000'000u}) {
    const std::string payload(size, '*');
    for (const WebSocketOpcode kind : {kText, kBinary}) {
      const auto events = Decode(Frame(kind, payload) + Frame(kind, "next"));
      ASSERT_EQ(events.size(), 2u) << size;
      const std::string name = kind == kText ? "text " : "binary ";
      EXPECT_EQ(events[0], name + (size > 100 ? std::to_string(size) + " bytes" : payload));
      EXPECT_EQ(events[1], name + "next");
    }
  }
}

TEST_F(WebSocketDecoderTest, LengthsMustBeMinimalAndPositive) {
  using std::string;
  EXPECT_THAT(Decode(string("\x82\xfe\x00\x7d", 4)), ElementsAre("fails 1002"));
  EXPECT_THAT(Decode(string("\x82\xff\x00\x00\x00\x00\x00\x00\xff\xff", 10)),
              ElementsAre("fails 1002"));
  EXPECT_THAT(Decode(string("\x82\xff\x80\x00\x00\x00\x00\x00\x00\x00", 10)),
              ElementsAre("fails 1002"));
}

TEST_F(WebSocketDecoderTest, FramesOfClientsMustBeMasked) {
  std::string unmasked;
  AppendWebSocketFrame(unmasked, kText, "Hello");
  EXPECT_THAT(Decode(unmasked), ElementsAre("fails 1002"));
}

TEST_F(WebSocketDecoderTest, Pings) {
  EXPECT_THAT(Decode(Frame(kPing, "")), ElementsAre("ping "));
  EXPECT_THAT(Decode(Frame(kPing, std::string("\x00\xff\xfe", 3))),
              ElementsAre(std::string("ping \x00\xff\xfe", 8)));
  EXPECT_THAT(Decode(Frame(kPing, std::string(125, 'x'))), ElementsAre("ping 125 bytes"));
  EXPECT_THAT(Decode(Frame(kPing, std::string(126, 'x'))), ElementsAre("fails 1002"));
  EXPECT_THAT(Decode(Frame(kPong, "unsolicited") + Frame(kPing, "a")),
              ElementsAre("pong unsolicited", "ping a"));
  EXPECT_THAT(Decode(Frame(kPing, "x", /*fin=*/false)), ElementsAre("fails 1002"));
}

TEST_F(WebSocketDecoderTest, ReservedBitsAndOpcodes) {
  for (const int bits : {0x10, 0x20, 0x40, 0x70}) {
    std::string frame = Frame(kText, "x");
    frame[0] = static_cast<char>(frame[0] | bits);
    EXPECT_THAT(Decode(Frame(kText, "before") + frame), ElementsAre("text before", "fails 1002"));
  }
  for (const int opcode : {3, 4, 5, 6, 7, 11, 12, 13, 14, 15}) {
    EXPECT_THAT(Decode(Frame(static_cast<WebSocketOpcode>(opcode), "")), ElementsAre("fails 1002"));
  }
}

TEST_F(WebSocketDecoderTest, FragmentsAreJoined) {
  EXPECT_THAT(Decode(Frame(kText, "a", false) + Frame(kContinuation, "", false) +
                     Frame(kContinuation, "b")),
              ElementsAre("text ab"));
  EXPECT_THAT(Decode(Frame(kBinary, "", false) + Frame(kContinuation, "")), ElementsAre("binary "));
  EXPECT_THAT(Decode(Frame(kText, "a", false)), ElementsAre("incomplete"));
}

TEST_F(WebSocketDecoderTest, ControlFramesMayComeBetweenFragments) {
  EXPECT_THAT(
      Decode(Frame(kText, "a", false) + Frame(kPing, "p") + Frame(kContinuation, "b", false) +
             Frame(kPong, "q") + Frame(kContinuation, "c")),
      ElementsAre("ping p", "pong q", "text abc"));
  EXPECT_THAT(Decode(Frame(kText, "a", false) + Frame(kClose, "")), ElementsAre("close none "));
}

TEST_F(WebSocketDecoderTest, FragmentsOutOfPlace) {
  EXPECT_THAT(Decode(Frame(kContinuation, "a")), ElementsAre("fails 1002"));
  EXPECT_THAT(Decode(Frame(kContinuation, "a", false)), ElementsAre("fails 1002"));
  EXPECT_THAT(Decode(Frame(kText, "a") + Frame(kContinuation, "b")),
              ElementsAre("text a", "fails 1002"));
  EXPECT_THAT(Decode(Frame(kText, "a", false) + Frame(kText, "b")), ElementsAre("fails 1002"));
  EXPECT_THAT(Decode(Frame(kText, "a", false) + Frame(kBinary, "b", false)),
              ElementsAre("fails 1002"));
}

TEST_F(WebSocketDecoderTest, TextMustBeUtf8) {
  for (const std::string_view text :
       {"Hello-µ@ßöäüàá-UTF-8!!", "\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5",
        "\xf4\x8f\xbf\xbf", "\xee\x80\x80", "\xed\x9f\xbf", "\xef\xbf\xbf", "\xc2\x80"}) {
    EXPECT_THAT(Decode(Frame(kText, text)), ElementsAre("text " + std::string(text)));
  }
  for (const std::string_view text :
       {"\xce\xba\xed\xa0\x80 edited", "\xf8\x88\x80\x80\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xff",
        "\xf4\x90\x80\x80", "\xed\xa0\x80", "\x80", "ends in the middle \xce", "\xf0\x9f\x98"}) {
    EXPECT_THAT(Decode(Frame(kText, text)), ElementsAre("fails 1007")) << text;
    EXPECT_THAT(Decode(Frame(kBinary, text)), ElementsAre("binary " + std::string(text)));
  }
}

TEST_F(WebSocketDecoderTest, CharactersMayBeCutByFragments) {
  const std::string text = "\xce\xba\xe1\xbd\xb9\xf0\x9f\x98\x80";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_THAT(Decode(Frame(kText, text.substr(0, cut), false) + Frame(kPing, "") +
                       Frame(kContinuation, text.substr(cut))),
                ElementsAre("ping ", "text " + text));
  }
  std::string one_by_one = Frame(kText, "", false);
  for (const char c : text) one_by_one += Frame(kContinuation, std::string(1, c), false);
  EXPECT_THAT(Decode(one_by_one + Frame(kContinuation, "")), ElementsAre("text " + text));
}

TEST_F(WebSocketDecoderTest, MalformedTextIsNotWaitedFor) {
  EXPECT_THAT(Decode(Frame(kText, "\xce\xba\xf4\x90", false)), ElementsAre("fails 1007"));
  EXPECT_THAT(Decode(Frame(kText, "\xed\xa0", false)), ElementsAre("fails 1007"));
  EXPECT_THAT(Decode(Frame(kText, "\xf4", false)), ElementsAre("incomplete"));
  // In the middle of a frame as well.
  const std::string frame = Frame(kText, "abc\xff" + std::string(1000, 'x'));
  EXPECT_THAT(Decode(frame.substr(0, 20)), ElementsAre("fails 1007"));
}

TEST_F(WebSocketDecoderTest, LimitsHoldBeforeThePayloadComes) {
  limits_ = {.frame_bytes_max = 1000, .message_bytes_max = 1500, .fragments_max = 3};
  EXPECT_THAT(Decode(Frame(kBinary, std::string(1000, 'x'))), ElementsAre("binary 1000 bytes"));
  EXPECT_THAT(Decode(Frame(kBinary, std::string(1001, 'x')).substr(0, 4)),
              ElementsAre("fails 1009"));
  EXPECT_THAT(Decode(std::string("\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10)),
              ElementsAre("fails 1009"));
  const std::string begun = Frame(kBinary, std::string(1000, 'x'), false);
  EXPECT_THAT(Decode(begun + Frame(kContinuation, std::string(500, 'x'))),
              ElementsAre("binary 1500 bytes"));
  EXPECT_THAT(Decode(begun + Frame(kContinuation, std::string(501, 'x'))),
              ElementsAre("fails 1009"));
  EXPECT_THAT(Decode(Frame(kBinary, "", false) + Frame(kContinuation, "", false) +
                     Frame(kContinuation, "", false) + Frame(kContinuation, "")),
              ElementsAre("fails 1008"));
  EXPECT_THAT(Decode(begun + Frame(kContinuation, "") + begun + Frame(kContinuation, "")),
              ElementsAre("binary 1000 bytes", "binary 1000 bytes"))
      << "limits are of each message";
}

TEST_F(WebSocketDecoderTest, CloseCodes) {
  EXPECT_THAT(Decode(Frame(kClose, "")), ElementsAre("close none "));
  EXPECT_THAT(Decode(Frame(kClose, "x")), ElementsAre("fails 1002"));
  for (const uint16_t code : {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013,
                              1014, 3000, 3999, 4000, 4999}) {
    EXPECT_THAT(Decode(Frame(kClose, ClosePayload(code, "bye"))),
                ElementsAre("close " + std::to_string(code) + " bye"));
  }
  for (const uint16_t code :
       {0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535}) {
    EXPECT_THAT(Decode(Frame(kClose, ClosePayload(code, ""))), ElementsAre("fails 1002")) << code;
  }
  EXPECT_THAT(Decode(Frame(kClose, ClosePayload(1000, "\xce"))), ElementsAre("fails 1007"));
  EXPECT_THAT(Decode(Frame(kClose, ClosePayload(1000, std::string(123, 'x')))),
              ElementsAre("close 1000 123 bytes"));
  EXPECT_THAT(Decode(Frame(kClose, ClosePayload(1000, "")) + Frame(kText, "after")),
              ElementsAre("close 1000 "));
}

TEST_F(WebSocketDecoderTest, MemoryOfLargeMessagesIsGivenBack) {
  WebSocketDecoder decoder(limits_);
  const std::string bytes = Frame(kBinary, std::string(1 << 20, 'x'));
  std::string_view input = bytes;
  ASSERT_TRUE(decoder.Next(input).value().has_value());
  ASSERT_FALSE(decoder.Next(input).value().has_value());
  EXPECT_EQ(decoder.partial_bytes(), 0u);
  EXPECT_FALSE(decoder.incomplete());
}

TEST(WebSocketFrameTest, CloseReasonsAreCutBetweenCharacters) {
  std::string out;
  AppendWebSocketClose(out, WebSocketClose::kGoingAway, std::string(122, 'x') + "µ");
  EXPECT_EQ(out, std::string("\x88\x7c\x03\xe9") + std::string(122, 'x'));
}

}  // namespace
}  // namespace orrery::net
