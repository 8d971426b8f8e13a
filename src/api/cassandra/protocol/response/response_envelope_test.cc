#include "api/cassandra/protocol/response/response_envelope.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/body/body_reader.h"
#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/protocol_testing.h"
#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

TEST(ResponseEnvelopeTest, PatchesTheLengthBehindWhatIsThere) {
  std::string out = "earlier";
  ResponseEnvelope envelope(out, Opcode::kResult, HeadOf(ProtocolVersion::kV4, 258));
  out += "body";
  envelope.Finish();
  EXPECT_EQ(ToHex(out.substr(7)),
            "84"
            "00"
            "0102"
            "08"
            "00000004"
            "626f6479");
}

TEST(ResponseEnvelopeTest, HeadFieldsComeInTheirOrder) {
  const PayloadEntry payload[] = {{"k", "v"}};
  ResponseHead head = HeadOf(ProtocolVersion::kV4);
  head.tracing_id = Uuid{0xAA};
  head.payload = payload;
  std::string out;
  ResponseEnvelope(out, Opcode::kReady, head).Finish();
  EXPECT_EQ(ToHex(out),
            "84"
            "06"
            "0001"
            "02"
            "0000001a"
            "aa000000000000000000000000000000"
            "0001"
            "00016b"
            "0000000176");
  const std::string warnings[] = {"w"};
  head.warnings = warnings;
  out.clear();
  ResponseEnvelope envelope(out, Opcode::kReady, head);
  envelope.SetPayloadValue("k", "x");
  envelope.Finish();
  EXPECT_EQ(ToHex(out),
            "84"
            "0a"
            "0001"
            "02"
            "00000015"
            "aa000000000000000000000000000000"
            "0001"
            "000177")
      << "the payload is left out";
  head.version = ProtocolVersion::kV3;
  out.clear();
  ResponseEnvelope(out, Opcode::kReady, head).Finish();
  EXPECT_EQ(ToHex(out),
            "83"
            "02"
            "0001"
            "02"
            "00000010"
            "aa000000000000000000000000000000");
}

TEST(ResponseEnvelopeTest, APayloadValueMayComeLast) {
  const std::string nothing_yet(8, '\0');
  const PayloadEntry payload[] = {{"other", "x"}, {"RequestCharge", nothing_yet}};
  ResponseHead head = HeadOf(ProtocolVersion::kV5);
  head.payload = payload;
  std::string out = "earlier";
  ResponseEnvelope envelope(out, Opcode::kResult, head);
  out += "message";
  envelope.SetPayloadValue("RequestCharge", "12345678");
  envelope.SetPayloadValue("unknown", "12345678");
  envelope.Finish();
  BodyReader reader(std::string_view(out).substr(7 + kEnvelopeHeaderBytes));
  EXPECT_EQ(reader.BytesMap(),
            (std::vector<PayloadEntry>{{"other", "x"}, {"RequestCharge", "12345678"}}));
  EXPECT_TRUE(out.ends_with("message"));
}

TEST(ResponseEnvelopeTest, LargeBodiesAreCompressedBelowV5) {
  for (const Compression compression : {Compression::kLz4, Compression::kSnappy}) {
    ResponseHead head = HeadOf(ProtocolVersion::kV4);
    head.compression = compression;
    std::string out = "earlier";
    ResponseEnvelope envelope(out, Opcode::kResult, head);
    out += std::string(2000, 'x');
    envelope.Finish();
    const std::string_view sent = std::string_view(out).substr(7);
    EXPECT_EQ(sent[1], kFlagCompressed);
    EXPECT_EQ(AnnouncedEnvelopeBytes(sent), sent.size());
    EXPECT_LT(sent.size(), 300u);
    std::string body;
    ASSERT_TRUE(DecompressBody(compression, sent.substr(kEnvelopeHeaderBytes), 5000, body));
    EXPECT_EQ(body, std::string(2000, 'x'));
  }
  ResponseHead head = HeadOf(ProtocolVersion::kV5);
  head.compression = Compression::kLz4;
  std::string out;
  ResponseEnvelope envelope(out, Opcode::kResult, head);
  out += std::string(2000, 'x');
  envelope.Finish();
  EXPECT_EQ(out.size(), 2000 + kEnvelopeHeaderBytes);
}

TEST(ResponseEnvelopeTest, AbandonTakesEverythingBack) {
  std::string out = "earlier";
  ResponseEnvelope envelope(out, Opcode::kResult, HeadOf(ProtocolVersion::kV4));
  out += "half a message";
  envelope.Abandon();
  EXPECT_EQ(out, "earlier");
}

TEST(ResponseEnvelopeTest, ABodyThatNoMessageCanHoldBecomesAnError) {
  const PayloadEntry payload[] = {{"k", "v"}};
  ResponseHead head = HeadOf(ProtocolVersion::kV4);
  head.payload = payload;
  std::string out;
  ResponseEnvelope envelope(out, Opcode::kResult, head);
  out.resize(kBodyBytesMax + 100);
  envelope.Finish();
  EXPECT_EQ(ToHex(out.substr(0, 5)),
            "84"
            "00"
            "0001"
            "00");
  EXPECT_EQ(AnnouncedEnvelopeBytes(out), out.size());
  BodyReader reader(std::string_view(out).substr(kEnvelopeHeaderBytes));
  EXPECT_EQ(reader.Int(), 0);
  EXPECT_TRUE(reader.String().starts_with("The response has 268435547 bytes"));
  EXPECT_EQ(reader.remaining(), 0u);
}

}  // namespace
}  // namespace orrery::cassandra
