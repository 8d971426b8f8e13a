#include "net/rpc/handshake/handshake_message.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "net/rpc/handshake/rpc_identity.h"

namespace orrery::net {
namespace {

Hello SomeHello() {
  Hello hello{.version = kRpcVersion, .caller = NodeId(1), .callee = NodeId(2), .cluster = "c"};
  hello.nonce.fill('n');
  return hello;
}

Result<HandshakeMessage> Decode(std::string_view bytes, uint16_t version = kRpcVersion) {
  ORRERY_ASSIGN(const size_t size, DecodeHandshakeSize(bytes.substr(0, kHandshakeSizeBytes)));
  bytes.remove_prefix(kHandshakeSizeBytes);
  EXPECT_EQ(size, bytes.size());
  return DecodeHandshake(bytes, version);
}

TEST(HandshakeMessageTest, EveryMessageComesOutAsItWentIn) {
  Challenge challenge;
  challenge.nonce.fill('a');
  Proof proof;
  proof.mac.fill('b');
  const HandshakeMessage messages[] = {SomeHello(), challenge, proof, Rejection{"because"}};
  for (const HandshakeMessage& message : messages) {
    const auto decoded = Decode(EncodeHandshake(message));
    ASSERT_TRUE(decoded.has_value()) << decoded.error().ToString();
    EXPECT_EQ(*decoded, message);
  }
}

TEST(HandshakeMessageTest, HasTheBytesThatTheGrammarSays) {
  EXPECT_EQ(ToHex(EncodeHandshake(SomeHello())),
            "003e"
            "01" +
                ToHex("orrery-rpc") +
                "0001"
                "0000000000000001"
                "0000000000000002" +
                ToHex(std::string(32, 'n')) + ToHex("c"));
  EXPECT_EQ(ToHex(EncodeHandshake(Rejection{"no"})),
            "0003"
            "04"
            "6e6f");
}

TEST(HandshakeMessageTest, OfAnotherVersionOnlyThatIsRead) {
  Hello hello = SomeHello();
  hello.version = 9;
  const auto decoded = Decode(EncodeHandshake(hello));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded,
            HandshakeMessage(Hello{.version = 9, .caller = {}, .callee = {}, .cluster = ""}));
}

TEST(HandshakeMessageTest, CutMessagesAreRefused) {
  const std::string hello = EncodeHandshake(SomeHello()).substr(kHandshakeSizeBytes);
  for (size_t size = 0; size + 1 < hello.size(); ++size)
    EXPECT_FALSE(DecodeHandshake(hello.substr(0, size), kRpcVersion).has_value()) << size;
  const std::string proof = EncodeHandshake(Proof()).substr(kHandshakeSizeBytes);
  EXPECT_FALSE(DecodeHandshake(proof.substr(1), kRpcVersion).has_value());
  EXPECT_FALSE(DecodeHandshake(proof + "x", kRpcVersion).has_value());
}

TEST(HandshakeMessageTest, SizesAreSmall) {
  EXPECT_EQ(DecodeHandshakeSize(std::string("\x02\x00", 2)).value(), kHandshakeMessageBytesMax);
  for (const std::string_view bytes :
       {std::string_view("\x02\x01", 2), std::string_view("\x00\x00", 2), std::string_view("GE")}) {
    EXPECT_FALSE(DecodeHandshakeSize(bytes).has_value());
  }
}

TEST(HandshakeMessageTest, ReasonsAreShortAndPrintable) {
  const auto decoded = Decode(EncodeHandshake(Rejection{"\x1b[2J\n" + std::string(1'000, 'x')}));
  ASSERT_TRUE(decoded.has_value());
  const std::string& reason = std::get<Rejection>(*decoded).reason;
  EXPECT_EQ(reason.substr(0, 6), "?[2J?x");
  EXPECT_LT(reason.size(), kHandshakeMessageBytesMax);
}

}  // namespace
}  // namespace orrery::net
