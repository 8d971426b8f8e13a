// Clients that ask too much, read too little, or go away; and servers that stop.
#include <gmock/gmock.h>

#include <future>
#include <thread>

#include "api/cassandra/server/cql_server_fixture_for_test.h"

namespace orrery::cassandra {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

class CqlPressureTest : public CqlServerFixture {
 protected:
  static std::string Repeat(const CqlClient& client, std::string_view query, int16_t times) {
    std::string requests;
    for (int16_t i = 0; i < times; ++i) {
      requests += client.Encode(Opcode::kQuery, client.QueryBody(query), i);
    }
    return requests;
  }
};

TEST_F(CqlPressureTest, BeyondTheLimitRequestsWaitForTheirTurn) {
  options_.limits.requests_max = 10;
  StartServer();
  for (const ProtocolVersion version : {ProtocolVersion::kV4, ProtocolVersion::kV5}) {
    CqlClient client = ConnectReady(version);
    client.SendEnvelopes(Repeat(client, "hold", 25));
    for (const size_t expected : {10u, 10u, 5u}) {
      statements_.WaitForHeld(expected);
      EXPECT_EQ(statements_.held(), expected);
      statements_.Release(expected);
      for (size_t i = 0; i < expected; ++i) EXPECT_EQ(client.Receive().Code(), 1);
    }
    EXPECT_EQ(client.Query("void").Code(), 1);
  }
}

TEST_F(CqlPressureTest, LargeAnswersNarrowTheWindow) {
  options_.limits.unsent_bytes_max = 1 << 20;
  StartServer();
  const auto expect_window = [&](CqlClient& client, int16_t sent, size_t window) {
    client.SendEnvelopes(Repeat(client, "hold", sent));
    statements_.WaitForHeld(window);
    EXPECT_EQ(statements_.held(), window);
    statements_.Release(window);
    const size_t rest = static_cast<size_t>(sent) - window;
    statements_.Release(rest);
    for (int16_t i = 0; i < sent; ++i) ASSERT_EQ(client.Receive().Code(), 1);
  };
  // Of a client that has asked for nothing yet, some size is assumed.
  CqlClient first = ConnectReady();
  expect_window(first, 100, 65);
  CqlClient large = ConnectReady();
  ASSERT_EQ(large.Query("bytes 200000").Code(), 2);
  expect_window(large, 10, 6);
  CqlClient small = ConnectReady();
  for (int i = 0; i < 50; ++i) ASSERT_EQ(small.Query("void").Code(), 1);
  expect_window(small, 1000, 1000);
}

TEST_F(CqlPressureTest, WhoDoesNotReadIsNotServedOn) {
  options_.limits.unsent_bytes_max = 1 << 20;
  StartServer();
  CqlClient client = ConnectReady();
  constexpr int16_t kRequests = 60;
  // 60 MB of answers; a thread sends, for the server stops to take requests.
  std::thread sender([&] { client.SendEnvelopes(Repeat(client, "bytes 1000000", kRequests)); });
  CqlClient other = ConnectReady();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(other.Query("void").Code(), 1);
  for (int16_t i = 0; i < kRequests; ++i) {
    const Answer answer = client.Receive();
    ASSERT_EQ(answer.stream(), i);
    ASSERT_GT(answer.message.size(), 1'000'000u);
  }
  sender.join();
}

TEST_F(CqlPressureTest, WhoNeverReadsIsCut) {
  options_.limits.unsent_bytes_max = 1 << 20;
  options_.limits.write_timeout = milliseconds(50);
  StartServer();
  CqlClient client = ConnectReady();
  // Ends with an error when the server closes.
  client.SendEnvelopes(Repeat(client, "bytes 10000000", 100));
  while (server_->open_connections() > 0) std::this_thread::yield();
  EXPECT_THAT(metrics_.Render(), HasSubstr("orrery_cql_slow_readers_total 1\n"));
}

TEST_F(CqlPressureTest, TooManyBytesInFlightAreRefused) {
  options_.request_bytes_max = 10'000;
  StartServer();
  CqlClient client = ConnectReady();
  client.SendQuery("hold" + std::string(9'000, ' '), 1);
  statements_.WaitForHeld(1);
  // Small ones go on.
  EXPECT_EQ(client.Query("void", 2).Code(), 1);
  const Answer refused = client.Query("void" + std::string(2'000, ' '), 2);
  ASSERT_TRUE(refused.is_error());
  EXPECT_EQ(refused.stream(), 2);
  EXPECT_EQ(refused.Code(), 0x1001);
  statements_.Release(1);
  EXPECT_EQ(client.Receive().stream(), 1);
  EXPECT_EQ(client.Query("void" + std::string(2'000, ' '), 3).Code(), 1);
}

TEST_F(CqlPressureTest, BytesOfHalfAMessageCountToo) {
  options_.request_bytes_max = 1 << 20;
  StartServer();
  CqlClient holder = ConnectReady();
  holder.SendQuery("hold" + std::string(900'000, ' '));
  statements_.WaitForHeld(1);
  for (const ProtocolVersion version : {ProtocolVersion::kV4, ProtocolVersion::kV5}) {
    CqlClient client = ConnectReady(version);
    client.SendQuery("void" + std::string(2'000'000, ' '));
    const Answer refused = client.Receive();
    ASSERT_TRUE(refused.is_error());
    EXPECT_EQ(refused.Code(), 0x1001);
    EXPECT_TRUE(client.Receive().closed);
  }
  statements_.Release(1);
  EXPECT_EQ(holder.Receive().Code(), 1);
}

TEST_F(CqlPressureTest, LargeRequestsArrive) {
  StartServer();
  for (const ProtocolVersion version : {ProtocolVersion::kV4, ProtocolVersion::kV5}) {
    CqlClient client = ConnectReady(version);
    EXPECT_EQ(client.Query("void " + std::string(8 << 20, 'x')).Code(), 1);
    EXPECT_EQ(client.Query("void").Code(), 1);
  }
}

TEST_F(CqlPressureTest, AnswersAfterTheClientLeftAreDropped) {
  StartServer();
  {
    CqlClient client = ConnectReady();
    client.SendQuery("hold");
    statements_.WaitForHeld(1);
  }
  statements_.Release(1);
  while (server_->open_connections() > 0) std::this_thread::yield();
  EXPECT_EQ(ConnectReady().Query("void").Code(), 1);
}

TEST_F(CqlPressureTest, WhoHasSentAllStillGetsItsAnswers) {
  StartServer();
  CqlClient client = ConnectReady();
  client.SendQuery("hold", 4);
  client.socket().FinishSending();
  statements_.WaitForHeld(1);
  statements_.Release(1);
  EXPECT_EQ(client.Receive().stream(), 4);
  EXPECT_TRUE(client.Receive().closed);
}

TEST_F(CqlPressureTest, StoppingEndsIdleConnectionsAndFinishesTheOthers) {
  StartServer();
  CqlClient idle = ConnectReady();
  CqlClient busy = ConnectReady();
  busy.SendQuery("hold", 9);
  statements_.WaitForHeld(1);
  auto stopped = std::async(std::launch::async, [&] { server_->Stop(std::chrono::seconds(60)); });
  EXPECT_TRUE(idle.Receive().closed);
  statements_.Release(1);
  EXPECT_EQ(busy.Receive().stream(), 9);
  EXPECT_TRUE(busy.Receive().closed);
  stopped.get();
  EXPECT_EQ(server_->open_connections(), 0u);
}

TEST_F(CqlPressureTest, StoppingWithoutGraceCutsAll) {
  StartServer();
  CqlClient busy = ConnectReady();
  busy.SendQuery("hold");
  statements_.WaitForHeld(1);
  server_.reset();
  EXPECT_TRUE(busy.Receive().closed);
  statements_.Release(1);  // to nobody
}

}  // namespace
}  // namespace orrery::cassandra
