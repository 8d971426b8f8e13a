// Streams over TLS behave like plain ones: one read and one write at a time.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <filesystem>
#include <future>
#include <string>

#include "base/clock.h"
#include "base/metrics.h"
#include "net/gate.h"
#include "net/listener.h"
#include "net/tls_socket_for_test.h"

namespace orrery::net {
namespace {

class StreamTlsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "orrery-tls-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    auto identity = TlsIdentity::LoadOrCreate(directory_, {}, SystemClock());
    ASSERT_TRUE(identity.has_value()) << identity.error().ToString();
    tls_ = std::move(*identity);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path directory_;
  std::unique_ptr<TlsIdentity> tls_;
  MetricsRegistry metrics_;
  EventLoops loops_{1};
};

TEST_F(StreamTlsTest, ReadsWhileAWriteIsPending) {
  // More than the kernel buffers for a peer that does not read.
  const std::string text(32 << 20, 'x');
  std::promise<bool> heard_during_write;
  auto listener = Listener::Open(loops_, {}, tls_.get(), metrics_,
                                 [&](Stream& stream) -> boost::asio::awaitable<void> {
                                   Gate written(stream.executor());
                                   bool writing = true;
                                   stream.StartWrite(text, [&](const Status& status) {
                                     EXPECT_TRUE(status.has_value());
                                     writing = false;
                                     written.Open();
                                   });
                                   std::array<char, 16> space;
                                   const Result<size_t> size = co_await stream.ReadSome(space);
                                   EXPECT_EQ(std::string_view(space.data(), size.value()), "ping");
                                   heard_during_write.set_value(writing);
                                   while (writing) co_await written.Wait();
                                   co_await stream.Write("pong");
                                   co_await stream.Close(Stream::CloseMode::kAtOnce);
                                 });
  ASSERT_TRUE(listener.has_value());
  TlsSocket client((*listener)->port());
  ASSERT_TRUE(client.connected());
  ASSERT_TRUE(client.Send("ping"));
  EXPECT_TRUE(heard_during_write.get_future().get());
  EXPECT_TRUE(client.ReadExactly(text.size() + 4) == text + "pong");
  EXPECT_EQ(client.ReadSome(), "");
}

// Reads until the peer closes.
std::string ReadAll(TlsSocket& client) {
  std::string seen;
  for (std::string more = "-"; !more.empty();) seen += more = client.ReadSome();
  return seen;
}

TEST_F(StreamTlsTest, TryWriteTakesWhatTheKernelTakesAndLittleMore) {
  const std::string text(32 << 20, 'x');
  std::promise<size_t> taken;
  auto listener = Listener::Open(loops_, {}, tls_.get(), metrics_,
                                 [&](Stream& stream) -> boost::asio::awaitable<void> {
                                   const size_t first = stream.TryWrite(text).value();
                                   EXPECT_GT(first, 0u);
                                   EXPECT_LT(first, text.size());
                                   EXPECT_GT(stream.unsent_bytes(), 0u);
                                   EXPECT_LT(stream.unsent_bytes(), 100'000u);
                                   EXPECT_EQ(stream.TryWrite(text).value(), 0u);
                                   taken.set_value(first);
                                   Gate gate(stream.executor());
                                   bool sent = false;
                                   stream.StartWrite({}, [&](const Status& status) {
                                     EXPECT_TRUE(status.has_value());
                                     sent = true;
                                     gate.Open();
                                   });
                                   EXPECT_FALSE(sent);
                                   while (!sent) co_await gate.Wait();
                                   EXPECT_EQ(stream.unsent_bytes(), 0u);
                                   co_await stream.Write("head", "body");
                                   co_await stream.Close(Stream::CloseMode::kAtOnce);
                                 });
  ASSERT_TRUE(listener.has_value());
  TlsSocket client((*listener)->port());
  ASSERT_TRUE(client.connected());
  const size_t size = taken.get_future().get();
  EXPECT_TRUE(client.ReadExactly(size) == text.substr(0, size));
  EXPECT_EQ(client.ReadSome(), "headbody") << "one record";
  EXPECT_EQ(client.ReadSome(), "");
}

TEST_F(StreamTlsTest, PiecesBeginRecords) {
  const std::string bytes = "onetwothreerest";
  const std::array<size_t, 3> pieces = {3, 3, 5};
  auto listener = Listener::Open(
      loops_, {}, tls_.get(), metrics_, [&](Stream& stream) -> boost::asio::awaitable<void> {
        EXPECT_EQ(stream.TryWrite(bytes, pieces).value(), bytes.size());
        EXPECT_EQ(stream.unsent_bytes(), 0u);
        Gate gate(stream.executor());
        bool sent = false;
        // Cut within a piece.
        stream.StartWrite(std::string_view(bytes).substr(0, 8), pieces, [&](const Status& status) {
          EXPECT_TRUE(status.has_value());
          sent = true;
          gate.Open();
        });
        EXPECT_FALSE(sent) << "not inside the call";
        while (!sent) co_await gate.Wait();
        co_await stream.Close(Stream::CloseMode::kAtOnce);
      });
  ASSERT_TRUE(listener.has_value());
  TlsSocket client((*listener)->port());
  ASSERT_TRUE(client.connected());
  for (const char* piece : {"one", "two", "three", "rest", "one", "two", "th", ""})
    EXPECT_EQ(client.ReadSome(), piece);
}

TEST_F(StreamTlsTest, ADeadlineOrDrainingEndsAWriteThatThePeerDoesNotRead) {
  const std::string text(32 << 20, 'x');
  std::promise<Status> first;
  std::promise<Status> second;
  ListenerOptions options;
  options.sweep_interval = std::chrono::milliseconds(2);
  auto listener = Listener::Open(loops_, options, tls_.get(), metrics_,
                                 [&](Stream& stream) -> boost::asio::awaitable<void> {
                                   stream.ExpireAfter(std::chrono::milliseconds(10));
                                   Status status = co_await stream.Write("head", text);
                                   EXPECT_TRUE(stream.expired());
                                   first.set_value(std::move(status));
                                   stream.NeverExpire();
                                   second.set_value(co_await stream.Write("more"));
                                   co_await stream.Close(Stream::CloseMode::kAtOnce);
                                 });
  ASSERT_TRUE(listener.has_value());
  TlsSocket client((*listener)->port());
  ASSERT_TRUE(client.connected());
  EXPECT_EQ(first.get_future().get().error().code(), Code::kCancelled);
  EXPECT_FALSE(second.get_future().get().has_value()) << "it would stand within a record";
  EXPECT_LT(ReadAll(client).size(), text.size());
}

TEST_F(StreamTlsTest, ClientsMayAskForNewKeys) {
  auto listener = Listener::Open(loops_, {}, tls_.get(), metrics_,
                                 [&](Stream& stream) -> boost::asio::awaitable<void> {
                                   std::array<char, 64> space;
                                   while (true) {
                                     const auto size = co_await stream.ReadSome(space);
                                     if (!size || *size == 0) break;
                                     co_await stream.Write({space.data(), *size});
                                   }
                                   co_await stream.Close(Stream::CloseMode::kAtOnce);
                                 });
  ASSERT_TRUE(listener.has_value());
  TlsSocket client((*listener)->port());
  ASSERT_TRUE(client.connected());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(client.Send("ping"));
    EXPECT_EQ(client.ReadSome(), "ping");
    ASSERT_TRUE(client.RequestNewKeys());
  }
  client.SayGoodbye();
  EXPECT_EQ(client.ReadSome(), "");
}

TEST_F(StreamTlsTest, AMalformedRecordEndsReadingButNotWhatCameBefore) {
  std::promise<std::string> seen;
  std::promise<Status> end;
  auto listener = Listener::Open(loops_, {}, tls_.get(), metrics_,
                                 [&](Stream& stream) -> boost::asio::awaitable<void> {
                                   std::array<char, 64> space;
                                   std::string all;
                                   while (true) {
                                     const auto size = co_await stream.ReadSome(space);
                                     if (!size) {
                                       seen.set_value(all);
                                       end.set_value(Fail(size.error()));
                                       co_return;
                                     }
                                     all.append(space.data(), *size);
                                   }
                                 });
  ASSERT_TRUE(listener.has_value());
  TlsSocket client((*listener)->port());
  ASSERT_TRUE(client.connected());
  ASSERT_TRUE(client.Send("good"));
  ASSERT_TRUE(client.SendRaw(std::string("\x17\x03\x03\x00\x20", 5) + std::string(32, 'x')));
  EXPECT_EQ(seen.get_future().get(), "good");
  EXPECT_EQ(end.get_future().get().error().code(), Code::kUnavailable);
}

}  // namespace
}  // namespace orrery::net
