// Streams driven step by step on a loop that the test runs itself.
#include "net/stream.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <string>

#include "net/stream_set.h"

namespace orrery::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// More than the kernel buffers for a peer that does not read.
constexpr size_t kMoreThanFits = 64 << 20;
// The handlers that a write needs to get going are fewer than this.
constexpr int kSteps = 8;
constexpr std::chrono::seconds kPatience(10);

class StreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    tcp::acceptor acceptor(context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    peer_.emplace(context_);
    peer_->connect(acceptor.local_endpoint());
    set_ = std::make_shared<StreamSet>(context_, std::chrono::milliseconds(1));
    stream_ = std::make_unique<Stream>(acceptor.accept(), set_);
  }

  void StartWrite() {
    asio::co_spawn(
        context_, stream_->Write(text_),
        [this](const std::exception_ptr&, Status status) { outcome_ = std::move(status); });
  }
  // Runs the loop until the write has ended; false if it does not.
  bool Finish() {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!outcome_ && std::chrono::steady_clock::now() < end)
      context_.run_one_for(std::chrono::milliseconds(50));
    return outcome_.has_value();
  }

  const std::string text_ = std::string(kMoreThanFits, 'x');
  asio::io_context context_;
  std::optional<tcp::socket> peer_;
  std::shared_ptr<StreamSet> set_;
  std::unique_ptr<Stream> stream_;
  std::optional<Status> outcome_;
};

// A write is many small ones. Cancelling between two of them, when none is pending, must not be
// lost, whichever two they are.
class StreamStepTest : public StreamTest, public ::testing::WithParamInterface<int> {};

TEST_P(StreamStepTest, DrainingEndsAWriteAtAnyStep) {
  StartWrite();
  for (int i = 0; i < GetParam(); ++i) context_.poll_one();
  set_->Drain();
  ASSERT_TRUE(Finish());
  ASSERT_FALSE(outcome_->has_value());
  EXPECT_EQ(outcome_->error().code(), Code::kCancelled);
}

TEST_P(StreamStepTest, ADeadlineEndsAWriteAtAnyStep) {
  stream_->SetIdle(false);
  StartWrite();
  for (int i = 0; i < GetParam(); ++i) context_.poll_one();
  stream_->ExpireAfter(std::chrono::milliseconds(0));
  ASSERT_TRUE(Finish());
  ASSERT_FALSE(outcome_->has_value());
  EXPECT_EQ(outcome_->error().code(), Code::kCancelled);
  EXPECT_TRUE(stream_->expired());
}

INSTANTIATE_TEST_SUITE_P(EveryStep, StreamStepTest, ::testing::Range(0, kSteps));

}  // namespace
}  // namespace orrery::net
