#include "api/cassandra/protocol/frame/envelope.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

constexpr EnvelopeRules kAnyRequest;

EnvelopeError ErrorIn(std::string_view hex, const EnvelopeRules& rules = kAnyRequest) {
  const auto decoded = DecodeEnvelope(Hex(hex), rules);
  if (!decoded.has_value()) return decoded.error();
  ADD_FAILURE() << hex << " was not refused";
  return {};
}

TEST(EnvelopeTest, DecodesAHeaderAndLeavesWhatFollows) {
  const std::string bytes = Hex("04 02 0102 07 00000003 616263 04");
  const auto decoded = DecodeEnvelope(bytes, kAnyRequest);
  ASSERT_TRUE(decoded.has_value() && decoded->has_value());
  const Envelope& envelope = **decoded;
  EXPECT_EQ(envelope.header.version, ProtocolVersion::kV4);
  EXPECT_EQ(envelope.header.flags, kFlagTracing);
  EXPECT_EQ(envelope.header.stream, 0x0102);
  EXPECT_EQ(envelope.header.opcode, Opcode::kQuery);
  EXPECT_EQ(envelope.body, "abc");
  EXPECT_EQ(envelope.size(), 12u);
}

TEST(EnvelopeTest, WaitsForEveryByte) {
  const std::string bytes = Hex("05 00 ffff 05 00000003 616263");
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto decoded = DecodeEnvelope(std::string_view(bytes).substr(0, size), kAnyRequest);
    ASSERT_TRUE(decoded.has_value());
    EXPECT_FALSE(decoded->has_value()) << size;
  }
}

TEST(EnvelopeTest, HeadersComeBackInBothDirections) {
  for (const ProtocolVersion version :
       {ProtocolVersion::kV3, ProtocolVersion::kV4, ProtocolVersion::kV5}) {
    std::string bytes;
    AppendEnvelopeHeader(bytes, Direction::kResponse,
                         {version, kFlagWarnings, kEventStream, Opcode::kEvent, 0});
    EXPECT_EQ(static_cast<uint8_t>(bytes[0]), 0x80 | VersionNumber(version));
    const auto decoded = DecodeEnvelope(
        bytes,
        {.direction = Direction::kResponse, .version = version, .body_bytes_max = kBodyBytesMax});
    ASSERT_TRUE(decoded.has_value() && decoded->has_value());
    EXPECT_EQ((*decoded)->header.stream, -1);
    EXPECT_EQ((*decoded)->header.opcode, Opcode::kEvent);
  }
}

TEST(EnvelopeTest, AnUnknownVersionIsAnsweredOnItsStreamInTheHighest) {
  const EnvelopeError error = ErrorIn("42 00 0007 01 00000000");
  EXPECT_EQ(error.error.code, ErrorCode::kProtocolError);
  EXPECT_EQ(error.error.message,
            "Invalid or unsupported protocol version (66); the lowest supported version is 3 and "
            "the greatest is 5");
  EXPECT_EQ(error.version, ProtocolVersion::kV5);
  EXPECT_EQ(error.stream, 7);
  EXPECT_TRUE(error.fatal());
  EXPECT_EQ(ErrorIn("06 10 0000 05 00000000").version, ProtocolVersion::kV5);
  EXPECT_EQ(ErrorIn("41 00 0001").stream, 1);
}

TEST(EnvelopeTest, OldHeadersAreAByteShorter) {
  const EnvelopeError error = ErrorIn("02 00 09 05 00000000");
  EXPECT_EQ(error.stream, 9);
  EXPECT_TRUE(error.fatal());
}

TEST(EnvelopeTest, RefusesTheWrongDirection) {
  EXPECT_TRUE(ErrorIn("84 00 0001 07 00000000").fatal());
  const EnvelopeError error = ErrorIn("04 00 0001 08 00000002 0000");
  EXPECT_EQ(error.error.message, "Wrong protocol direction for opcode 8 (RESULT)");
  EXPECT_EQ(error.skip_bytes, 11u);
}

TEST(EnvelopeTest, RefusesAnUnknownOpcodeButGoesOn) {
  for (const char* hex :
       {"04 00 0001 04 00000001", "04 00 0001 11 00000001", "04 00 0001 ff 00000001"}) {
    const EnvelopeError error = ErrorIn(hex);
    EXPECT_EQ(error.error.code, ErrorCode::kProtocolError);
    EXPECT_EQ(error.stream, 1);
    EXPECT_EQ(error.skip_bytes, 10u);
  }
}

TEST(EnvelopeTest, RefusesSizesBeyondTheLimit) {
  const EnvelopeError large = ErrorIn("04 00 0001 07 10000001");
  EXPECT_EQ(large.error.code, ErrorCode::kInvalid);
  EXPECT_EQ(large.error.message,
            "Request is too big: length 268435457 exceeds maximum allowed length 268435456.");
  EXPECT_EQ(large.skip_bytes, 268435457u + 9);
  EXPECT_TRUE(ErrorIn("04 00 0001 07 ffffffff").fatal());
  EXPECT_TRUE(DecodeEnvelope(Hex("04 00 0001 07 10000000"), kAnyRequest).has_value());
}

TEST(EnvelopeTest, AConnectionKeepsItsVersion) {
  EnvelopeRules rules;
  rules.version = ProtocolVersion::kV5;
  const EnvelopeError error = ErrorIn("04 00 0001 07 00000000", rules);
  EXPECT_EQ(error.error.message,
            "Invalid message version. Got 4/v4 but previous messages on this connection had "
            "version 5/v5");
  EXPECT_EQ(error.version, ProtocolVersion::kV5);
}

}  // namespace
}  // namespace orrery::cassandra
