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
                                   EXPECT_EQ(stream.TryWrite(text).value(), 0u);
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

}  // namespace
}  // namespace orrery::net
