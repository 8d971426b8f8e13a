// A link driven step by step, on a loop and a clock that the test moves itself.
#include "net/rpc/link/rpc_link.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstring>
#include <vector>

namespace orrery::net {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

std::string Wire(const RpcFrame& frame) { return EncodeRpcHeader(frame) + frame.payload; }
RpcFrame Request(uint64_t id) { return {RpcFrameKind::kRequest, id, 1, "payload"}; }

// Reads what the test puts in; writes end when the test says so.
class FakeChannel final : public ByteChannel {
 public:
  explicit FakeChannel(asio::io_context& loop) : loop_(loop), gate_(loop.get_executor()) {}

  Awaitable<Result<size_t>> ReadSome(std::span<char> space) override {
    while (input_.empty() && !closed_ && !cut_) co_await gate_.Wait();
    if (cut_) co_return Fail(Code::kUnavailable, "cut");
    const size_t size = std::min(space.size(), input_.size());
    std::memcpy(space.data(), input_.data(), size);
    input_.erase(0, size);
    co_return size;
  }
  Awaitable<Status> Write(std::string_view) override { co_return Status(); }
  void StartWrite(std::string_view bytes, std::move_only_function<void(Status)> done) override {
    written_ += bytes;
    done_ = std::move(done);
    if (!stuck_) FinishWrite(Status());
  }
  void Cut() override {
    cut_ = true;
    gate_.Open();
    if (done_) FinishWrite(Fail(Code::kUnavailable, "cut"));
  }

  void Put(std::string_view bytes) {
    input_ += bytes;
    gate_.Open();
  }
  void CloseInput() {
    closed_ = true;
    gate_.Open();
  }
  void FinishWrite(Status status) {
    asio::post(loop_, [done = std::move(done_), status = std::move(status)]() mutable {
      done(std::move(status));
    });
    done_ = nullptr;
  }
  void SetStuck(bool stuck) { stuck_ = stuck; }

  size_t CountWritten(const RpcFrame& frame) const {
    size_t count = 0;
    const std::string wire = Wire(frame);
    for (size_t at = 0; (at = written_.find(wire, at)) != std::string::npos; at += wire.size())
      ++count;
    return count;
  }
  bool cut() const { return cut_; }

 private:
  asio::io_context& loop_;
  Gate gate_;
  std::string input_;
  std::string written_;
  std::move_only_function<void(Status)> done_;
  bool closed_ = false;
  bool cut_ = false;
  bool stuck_ = false;
};

class RpcLinkTest : public ::testing::Test, public RpcLinkUser {
 protected:
  RpcLinkTest() {
    asio::co_spawn(loop_, Keep(), [](const std::exception_ptr&) {});
    Poll();
  }
  ~RpcLinkTest() override {
    link_.Break(Error(Code::kCancelled, "the test is over"));
    Poll();
  }

  ByteChannel::Awaitable<void> Keep() { end_ = (co_await link_.Run()).message(); }

  Status TakeFrame(RpcFrame frame) override {
    taken_.push_back(frame.id);
    return frame.kind == RpcFrameKind::kRequest ? Status() : Fail(Code::kInvalidArgument, "no");
  }
  bool WantsMore() const override { return taken_.size() < wanted_; }

  void Poll() {
    loop_.restart();
    loop_.poll();
  }
  void Put(std::string_view bytes) {
    channel_.Put(bytes);
    Poll();
  }
  void Pass(milliseconds time) {
    clock_.Advance(time);
    link_.Tick();
    Poll();
  }

  asio::io_context loop_;
  ManualClock clock_;
  FakeChannel channel_{loop_};
  size_t wanted_ = 1'000;
  std::vector<uint64_t> taken_;
  std::string end_;
  RpcLink link_{channel_, loop_.get_executor(), *this, RpcLinkTimes(), clock_, nullptr};
};

TEST_F(RpcLinkTest, GivesFramesToItsUserHoweverTheyCome) {
  const std::string bytes = Wire(Request(1)) + Wire(RpcFrame()) + Wire(Request(2));
  for (const char byte : bytes) Put(std::string_view(&byte, 1));
  Put(bytes);
  EXPECT_EQ(taken_, (std::vector<uint64_t>{1, 2, 1, 2}));
  EXPECT_EQ(end_, "");
}

TEST_F(RpcLinkTest, SaysThatItIsThereWhenItHasNothingElseToSay) {
  Pass(milliseconds(999));
  EXPECT_EQ(channel_.CountWritten(RpcFrame()), 0u);
  Pass(milliseconds(1));
  EXPECT_EQ(channel_.CountWritten(RpcFrame()), 1u);
  link_.Send(Request(1));
  link_.Flush();
  Pass(milliseconds(0));
  Pass(milliseconds(999));
  EXPECT_EQ(channel_.CountWritten(RpcFrame()), 1u);
}

TEST_F(RpcLinkTest, PingsKeepItAlive) {
  for (int i = 0; i < 20; ++i) {
    Pass(milliseconds(1'000));
    Put(Wire(RpcFrame()));
  }
  EXPECT_EQ(end_, "");
  EXPECT_EQ(channel_.CountWritten(RpcFrame()), 20u);
}

TEST_F(RpcLinkTest, BreaksAfterSilence) {
  Pass(milliseconds(2'999));
  Pass(milliseconds(0));
  EXPECT_EQ(end_, "");
  Pass(milliseconds(1));
  Pass(milliseconds(0));
  EXPECT_EQ(end_, "the peer was silent for 3000 ms");
}

TEST_F(RpcLinkTest, ALoopThatWasHeldUpFirstReadsWhatHasCome) {
  channel_.Put(Wire(RpcFrame()));
  clock_.Advance(milliseconds(60'000));
  link_.Tick();
  Poll();
  Pass(milliseconds(0));
  EXPECT_EQ(end_, "");
}

TEST_F(RpcLinkTest, BreaksWhenThePeerDoesNotRead) {
  channel_.SetStuck(true);
  link_.Send(Request(1));
  link_.Flush();
  for (int i = 0; i < 9; ++i) {
    Pass(milliseconds(1'000));
    Put(Wire(RpcFrame()));
  }
  EXPECT_EQ(end_, "");
  EXPECT_EQ(channel_.CountWritten(RpcFrame()), 0u) << "what cannot leave must not pile up";
  Pass(milliseconds(1'000));
  EXPECT_EQ(end_, "the peer has read nothing for 10000 ms");
}

TEST_F(RpcLinkTest, PausesWhileItsUserWantsNoMore) {
  wanted_ = 2;
  Put(Wire(Request(1)) + Wire(Request(2)) + Wire(Request(3)));
  EXPECT_EQ(taken_, (std::vector<uint64_t>{1, 2}));
  Pass(milliseconds(60'000));
  Pass(milliseconds(0));
  EXPECT_EQ(end_, "") << "who is not read from is not silent";
  wanted_ = 10;
  link_.Resume();
  Poll();
  EXPECT_EQ(taken_, (std::vector<uint64_t>{1, 2, 3}));
}

TEST_F(RpcLinkTest, BreaksWhenBytesAreNoFrames) {
  Put("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_NE(end_, "");
  EXPECT_TRUE(channel_.cut());
}

TEST_F(RpcLinkTest, BreaksWhenItsUserRefusesAFrame) {
  Put(Wire({RpcFrameKind::kAnswer, 1, 1, ""}) + Wire(Request(2)));
  EXPECT_EQ(end_, "no");
  EXPECT_EQ(taken_, (std::vector<uint64_t>{1}));
}

TEST_F(RpcLinkTest, EndsWithItsPeerAndTellsWhetherAFrameWasCut) {
  Put(Wire(Request(1)).substr(0, 5));
  channel_.CloseInput();
  Poll();
  EXPECT_EQ(end_, "the peer closed the connection within a frame");
}

TEST_F(RpcLinkTest, DoesNotEndBeforeItsWrite) {
  channel_.SetStuck(true);
  link_.Send(Request(1));
  link_.Flush();
  channel_.CloseInput();
  // Cutting ends the write by a task of its own: until it has run, the link must live.
  while (end_.empty()) loop_.run_one();
  EXPECT_EQ(end_, "the peer closed the connection");
}

}  // namespace
}  // namespace orrery::net
