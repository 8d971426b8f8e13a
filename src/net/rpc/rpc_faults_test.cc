// Connections that break, peers that are silent, slow, or do not keep to the protocol.
#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <thread>

#include "net/gate.h"
#include "net/listener.h"
#include "net/rpc/handshake/rpc_handshake.h"
#include "net/rpc/link/stream_channel.h"
#include "net/rpc/rpc_fixture_for_test.h"
#include "net/rpc/rpc_puppet_for_test.h"

namespace orrery::net {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

class RpcFaultsTest : public RpcFixture {
 protected:
  ~RpcFaultsTest() override {
    if (client_) client_->Stop();
  }

  // A callee that shakes hands, and then does what the test says.
  void StartOddServer(std::function<Stream::Awaitable<void>(Stream&)> then) {
    auto listener =
        Listener::Open(loops_, {.sweep_interval = milliseconds(1)}, tls_.get(), metrics_,
                       [this, then](Stream& stream) -> Stream::Awaitable<void> {
                         StreamChannel channel(stream);
                         const auto caller = co_await Recognize(channel, callee_, Fingerprint());
                         EXPECT_TRUE(caller.has_value());
                         if (caller) co_await then(stream);
                       });
    ASSERT_TRUE(listener.has_value());
    odd_server_ = std::move(*listener);
    client_options_.address.port = odd_server_->port();
    StartClient();
  }
  bool ShakeHands(RpcPuppet& puppet) const {
    return puppet.ShakeHands(IdentityOf(kCallerNode), kCalleeNode, Fingerprint());
  }

  const RpcIdentity callee_ = IdentityOf(kCalleeNode);
  std::unique_ptr<Listener> odd_server_;
};

Stream::Awaitable<void> ReadAndDrop(Stream& stream) {
  std::array<char, 4'096> dropped;
  for (Result<size_t> size = 1; size && *size > 0;) size = co_await stream.ReadSome(dropped);
}

TEST_F(RpcFaultsTest, CallsUnderWayFailWithTheirConnectionAndLaterOnesHaveANewOne) {
  Start(Hold());
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 3; ++i) outcomes.push_back(Begin(1, ""));
  held_.WaitFor(3);
  server_options_.listener.port = server_->port();
  server_->Stop(milliseconds(0));
  for (Outcome& outcome : outcomes) {
    const auto failed = outcome.get();
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(failed.error().code(), Code::kUnavailable);
    EXPECT_THAT(failed.error().message(), HasSubstr("node 2 at 127.0.0.1:"));
  }
  for (RpcHandler::Answer& answer : held_.Take()) answer("to nobody");
  StartServer();
  EXPECT_EQ(PassUntil(Begin(1, "again")).value(), "1:again");
}

TEST_F(RpcFaultsTest, HoweverOftenAServerComesAndGoesEachCallIsAnsweredOnce) {
  constexpr int kRestarts = 10;
  constexpr size_t kThreads = 3;
  Start();
  server_options_.listener.port = server_->port();
  std::atomic<bool> over = false;
  std::atomic<size_t> begun = 0;
  std::atomic<size_t> answered = 0;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      while (!over) {
        ++begun;
        client_->Call(1, "x", kLong, [&answered](const Result<std::string>& answer) {
          EXPECT_TRUE(!answer || *answer == "1:x");
          ++answered;
        });
        while (begun - answered > 100 && !over) std::this_thread::yield();
      }
    });
  }
  for (int i = 0; i < kRestarts; ++i) {
    // Until it works again, and some more.
    for (const size_t before = answered; answered < before + 300; std::this_thread::yield())
      clock_.Advance(milliseconds(1));
    StartServer();
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
  client_->Stop();
  EXPECT_EQ(begun, answered);
}

TEST_F(RpcFaultsTest, WithoutAPeerCallsWaitAShortTime) {
  client_options_.connect_wait_max = milliseconds(500);
  StartServer();
  server_.reset();
  StartClient();
  EXPECT_EQ(PassUntil(Begin(1, "")).error().code(), Code::kMoved);
}

TEST_F(RpcFaultsTest, WhileNoAttemptIsNearCallsFailAtOnce) {
  client_options_.connect_wait_max = milliseconds(500);
  client_options_.redial.first = milliseconds(501);
  StartServer();
  server_.reset();
  StartClient();
  // The clock stands still: nothing but the failed attempt ends these.
  for (int i = 0; i < 3; ++i) {
    const auto failed = Call(1, "");
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(failed.error().code(), Code::kMoved);
    EXPECT_THAT(failed.error().message(), HasSubstr("connecting: Connection refused"));
  }
}

TEST_F(RpcFaultsTest, HostsThatDoNotExistAreNotFound) {
  client_options_.address.host = "no..host";
  client_options_.redial.first = 2 * kLong;
  StartClient();
  EXPECT_THAT(Call(1, "").error().message(), HasSubstr("finding no..host"));
}

TEST_F(RpcFaultsTest, ASilentCalleeIsGone) {
  client_options_.link.silence_max = milliseconds(3'000);
  StartOddServer(ReadAndDrop);
  const auto failed = PassUntil(Begin(1, ""));
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code(), Code::kUnavailable);
  EXPECT_THAT(failed.error().message(), HasSubstr("the peer was silent"));
}

TEST_F(RpcFaultsTest, ASilentCallerIsGone) {
  server_options_.link.silence_max = milliseconds(3'000);
  StartServer();
  RpcPuppet puppet(server_->port());
  ASSERT_TRUE(ShakeHands(puppet));
  while (server_->open_connections() > 0) {
    clock_.Advance(milliseconds(100));
    std::this_thread::yield();
  }
  EXPECT_FALSE(puppet.Read().has_value());
}

TEST_F(RpcFaultsTest, ACallerThatBreaksTheProtocolIsClosed) {
  StartServer();
  std::string too_long = EncodeRpcHeader({RpcFrameKind::kRequest, 1, 1, ""});
  too_long[0] = '\x7f';
  std::string wrong_crc = EncodeRpcHeader({RpcFrameKind::kRequest, 1, 1, ""});
  wrong_crc[5] = static_cast<char>(wrong_crc[5] + 1);
  for (const std::string& bytes : {too_long, wrong_crc, std::string(100, 'x'),
                                   EncodeRpcHeader({RpcFrameKind::kAnswer, 1, 1, ""})}) {
    RpcPuppet puppet(server_->port());
    ASSERT_TRUE(ShakeHands(puppet));
    ASSERT_TRUE(puppet.Send({RpcFrameKind::kRequest, 1, 1, "x"}));
    EXPECT_TRUE(puppet.Read().has_value());
    puppet.socket().Send(bytes);
    EXPECT_FALSE(puppet.Read().has_value());
  }
}

TEST_F(RpcFaultsTest, ACalleeThatBreaksTheProtocolIsLeft) {
  std::string too_long = EncodeRpcHeader({RpcFrameKind::kAnswer, 1, 1, ""});
  too_long[0] = '\x7f';
  StartOddServer([too_long](Stream& stream) -> Stream::Awaitable<void> {
    co_await stream.Write(too_long);
    co_await ReadAndDrop(stream);
  });
  const auto failed = Call(1, "");
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code(), Code::kUnavailable);
  EXPECT_THAT(failed.error().message(), HasSubstr("a frame's length"));
}

TEST_F(RpcFaultsTest, AnswersToNobodyAreDropped) {
  StartOddServer([](Stream& stream) -> Stream::Awaitable<void> {
    const std::string answers = EncodeRpcHeader({RpcFrameKind::kAnswer, 99, 1, ""}) +
                                EncodeRpcHeader({RpcFrameKind::kAnswer, 1, 1, ""});
    std::array<char, 100> request;
    co_await stream.ReadSome(request);
    co_await stream.Write(answers);
    co_await ReadAndDrop(stream);
  });
  EXPECT_EQ(Call(1, "").value(), "");
}

// Requests that a callee does not read must not pile up at the caller, also not when the calls have
// long ended.
TEST_F(RpcFaultsTest, ForACalleeThatDoesNotReadTooManyBytesAreRefused) {
  constexpr int kCalls = 200;
  client_options_.unsent_bytes_max = 4 << 20;
  StartOddServer([&](Stream& stream) -> Stream::Awaitable<void> {
    Gate gate(stream.executor());
    bool aborted = false;
    stream.OnAbort([&] {
      aborted = true;
      gate.Open();
    });
    while (!aborted) co_await gate.Wait();
  });
  int refused = 0;
  for (int i = 0; i < kCalls; ++i) {
    const auto outcome = PassUntil(Begin(1, std::string(1 << 20, 'x'), milliseconds(1)));
    ASSERT_FALSE(outcome.has_value());
    if (outcome.error().code() == Code::kOverloaded) ++refused;
  }
  // The kernel takes some megabytes.
  EXPECT_GT(refused, kCalls / 2);
}

// Answers that a caller does not read must not pile up at the callee.
TEST_F(RpcFaultsTest, FromACallerThatDoesNotReadNothingIsTaken) {
  constexpr size_t kRequests = 300;
  constexpr size_t kAnswerBytes = 1 << 20;
  // More than the kernel buffers for both sides.
  constexpr size_t kOnTheWayBytes = size_t{64} << 20;
  server_options_.limits.unsent_bytes_soft_max = 4 << 20;
  server_options_.limits.requests_max = 4;
  std::atomic<size_t> served = 0;
  StartServer([&](NodeId, uint16_t, const std::string&, RpcHandler::Answer answer) {
    ++served;
    answer(std::string(kAnswerBytes, 'x'));
  });
  RpcPuppet puppet(server_->port());
  ASSERT_TRUE(ShakeHands(puppet));
  for (size_t i = 1; i <= kRequests; ++i)
    ASSERT_TRUE(puppet.Send({RpcFrameKind::kRequest, i, 1, ""}));
  while (served < 8) std::this_thread::yield();
  for (size_t read = 1; read <= kRequests; ++read) {
    EXPECT_LE((served - read) * kAnswerBytes, kOnTheWayBytes);
    const auto answer = puppet.Read();
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->payload.size(), kAnswerBytes);
  }
}

TEST_F(RpcFaultsTest, AnswersBeyondTheLimitAreDroppedAndTheCallerIsToldSo) {
  server_options_.limits.unsent_bytes_max = 1 << 20;
  Start([](NodeId, uint16_t, std::string, RpcHandler::Answer answer) {
    answer(std::string((1 << 20) + 1, 'x'));
  });
  EXPECT_EQ(Call(1, "").error().code(), Code::kUnavailable);
}

}  // namespace
}  // namespace orrery::net
