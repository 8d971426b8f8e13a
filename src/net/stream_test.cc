// Streams driven step by step on a loop that the test runs itself.
#include "net/stream.h"

#include <gtest/gtest.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
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
    set_ = std::make_shared<StreamSet>(context_, std::chrono::milliseconds(1), gave_way_);
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
  Counter gave_way_;
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

// A peer that does not read blocks the write, not the read.
TEST_F(StreamTest, ReadsWhileAWriteIsPending) {
  std::optional<Status> written;
  stream_->StartWrite(text_, [&](Status status) { written = std::move(status); });
  std::array<char, 16> space;
  std::optional<size_t> read;
  asio::co_spawn(context_, stream_->ReadSome(space),
                 [&](const std::exception_ptr&, Result<size_t> size) { read = size.value(); });
  peer_->write_some(asio::buffer("hello", 5));
  while (!read) context_.run_one_for(kPatience);
  EXPECT_EQ(std::string_view(space.data(), *read), "hello");
  EXPECT_FALSE(written.has_value());
  std::string all(text_.size(), '\0');
  peer_->non_blocking(true);
  for (size_t size = 0; size < all.size() || !written;) {
    boost::system::error_code error;
    size += peer_->read_some(asio::buffer(all.data() + size, all.size() - size), error);
    context_.poll_one();
  }
  EXPECT_TRUE(written->has_value());
  EXPECT_EQ(all, text_);
}

TEST_F(StreamTest, TryWriteWritesWhatFits) {
  const Result<size_t> first = stream_->TryWrite(text_);
  ASSERT_TRUE(first.has_value());
  EXPECT_GT(*first, 0u);
  EXPECT_LT(*first, text_.size());
  size_t total = *first;
  for (size_t more = 1; more > 0; total += more) more = stream_->TryWrite(text_).value();
  std::string all(total, '\0');
  EXPECT_EQ(asio::read(*peer_, asio::buffer(all)), total);
}

TEST_F(StreamTest, BecomingIdleWhileDrainingEndsThePendingRead) {
  stream_->SetIdle(false);
  std::array<char, 16> space;
  std::optional<Result<size_t>> read;
  asio::co_spawn(context_, stream_->ReadSome(space),
                 [&](const std::exception_ptr&, Result<size_t> size) { read = std::move(size); });
  for (int i = 0; i < kSteps; ++i) context_.poll_one();
  set_->Drain();
  for (int i = 0; i < kSteps; ++i) context_.poll_one();
  EXPECT_FALSE(read.has_value());
  stream_->SetIdle(true);
  while (!read) context_.run_one_for(kPatience);
  ASSERT_FALSE(read->has_value());
  EXPECT_EQ(read->error().code(), Code::kCancelled);
}

TEST_F(StreamTest, AWriteOnAnEndedStreamSaysSoLater) {
  set_->Abort();
  std::optional<Status> written;
  stream_->StartWrite(text_, [&](Status status) { written = std::move(status); });
  EXPECT_FALSE(written.has_value());
  EXPECT_FALSE(stream_->TryWrite(text_).has_value());
  while (!written) context_.run_one_for(kPatience);
  ASSERT_FALSE(written->has_value());
  EXPECT_EQ(written->error().code(), Code::kCancelled);
}

}  // namespace
}  // namespace orrery::net
