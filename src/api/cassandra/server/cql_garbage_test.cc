// Bytes that are no requests: the protocol's own error, and the server goes on.
#include <gmock/gmock.h>

#include <random>

#include "api/cassandra/protocol/test_bytes.h"
#include "api/cassandra/server/cql_server_fixture_for_test.h"

namespace orrery::cassandra {
namespace {

using ::testing::HasSubstr;

class CqlGarbageTest : public CqlServerFixture {
 protected:
  void SetUp() override {
    options_.body_bytes_max = 1 << 20;
    StartServer();
  }
  ~CqlGarbageTest() override {
    if (server_) EXPECT_EQ(ConnectReady().Query("void").Code(), 1) << "the server goes on";
  }
};

TEST_F(CqlGarbageTest, MistakesInOneMessageDoNotEndTheConnection) {
  CqlClient client = ConnectReady();
  struct Case {
    Opcode opcode;
    std::string body;
  };
  for (const Case& wrong :
       {Case{Opcode::kQuery, ""}, Case{Opcode::kQuery, Hex("7fffffff 00")},
        Case{Opcode::kQuery, Hex("00000001 ff 0001 00")},
        Case{Opcode::kBatch, Hex("09 0000 0001 00")}, Case{Opcode::kExecute, Hex("ffff")},
        Case{Opcode::kPrepare, Hex("80000000")}}) {
    const Answer refused = client.Ask(wrong.opcode, wrong.body, 6);
    ASSERT_TRUE(refused.is_error());
    EXPECT_EQ(refused.Code(), 0x000A);
    EXPECT_EQ(refused.stream(), 6);
  }
  EXPECT_EQ(client.Query("void").Code(), 1);
}

TEST_F(CqlGarbageTest, UnknownOpcodesAndOversizedBodiesAreSkipped) {
  CqlClient client = ConnectReady();
  client.socket().Send(Hex("04 00 0001 77 00000003 aabbcc"));
  EXPECT_EQ(client.Receive().ErrorText(), "Unknown opcode 119");
  client.socket().Send(Hex("04 00 0002 07 00200000"));
  const Answer big = client.Receive();
  EXPECT_EQ(big.stream(), 2);
  EXPECT_THAT(big.ErrorText(), HasSubstr("Request is too big"));
  client.socket().Send(std::string(0x200000, 'x'));
  EXPECT_EQ(client.Query("void").Code(), 1);
}

TEST_F(CqlGarbageTest, ResponsesFromAClientEndTheConnection) {
  CqlClient client = Connect();
  client.socket().Send(Hex("84 00 0000 08 00000000"));
  EXPECT_THAT(client.Receive().ErrorText(), HasSubstr("Wrong protocol direction"));
  EXPECT_TRUE(client.Receive().closed);
}

TEST_F(CqlGarbageTest, AnotherVersionInTheMiddleEndsTheConnection) {
  CqlClient client = ConnectReady(ProtocolVersion::kV4);
  client.socket().Send(Hex("03 00 0000 05 00000000"));
  EXPECT_EQ(client.Receive().Code(), 0x000A);
  EXPECT_TRUE(client.Receive().closed);
}

TEST_F(CqlGarbageTest, WrongChecksumsEndTheConnection) {
  for (const size_t broken : {1u, 4u, 12u, 20u}) {
    CqlClient client = ConnectReady(ProtocolVersion::kV5);
    std::string frame;
    AppendFrames(frame, client.Encode(Opcode::kQuery, client.QueryBody("void")),
                 FrameFormat::kPlain);
    frame[broken] = static_cast<char>(frame[broken] ^ 0x40);
    client.socket().Send(frame);
    const Answer refused = client.Receive();
    EXPECT_EQ(refused.Code(), 0x000A);
    EXPECT_THAT(refused.ErrorText(), HasSubstr("CRC"));
    EXPECT_TRUE(client.Receive().closed);
  }
}

TEST_F(CqlGarbageTest, BadCompressionIsAnErrorOfItsMessage) {
  CqlClient client = ConnectReady(ProtocolVersion::kV4, "lz4");
  client.socket().Send(Hex("04 01 0003 07 00000006 00000400 ffff"));
  const Answer refused = client.Receive();
  EXPECT_EQ(refused.stream(), 3);
  EXPECT_EQ(refused.Code(), 0x000A);
  EXPECT_EQ(client.Query("void").Code(), 1);
}

TEST_F(CqlGarbageTest, NoiseNeverHurts) {
  constexpr uint32_t kSeed = 20240607;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  for (int round = 0; round < 200; ++round) {
    const auto version = static_cast<ProtocolVersion>(3 + random() % 3);
    CqlClient client = random() % 4 == 0 ? Connect(version) : ConnectReady(version);
    std::string noise =
        client.Encode(static_cast<Opcode>(random() % 0x11), client.QueryBody("rows 3"), 1);
    for (uint32_t i = random() % 8; i > 0; --i) {
      noise[random() % noise.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) noise.resize(random() % noise.size());
    // Bytes that do not parse as envelopes cannot be framed by the client: sent as they are.
    client.socket().Send(noise);
    client.socket().FinishSending();
    client.socket().ReadAll();
  }
}

}  // namespace
}  // namespace orrery::cassandra
