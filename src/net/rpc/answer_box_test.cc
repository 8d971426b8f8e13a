#include "net/rpc/answer_box.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <thread>

#include "net/loop_signal.h"

namespace orrery::net {
namespace {

class AnswerBoxTest : public ::testing::Test {
 protected:
  ~AnswerBoxTest() override { signal_->Close(); }

  boost::asio::io_context loop_;
  int woken_ = 0;
  const std::shared_ptr<LoopSignal> signal_ =
      LoopSignal::Make(loop_.get_executor(), [this] { ++woken_; });
  const std::shared_ptr<AnswerBox> box_ = std::make_shared<AnswerBox>(signal_);
};

TEST_F(AnswerBoxTest, ABurstFromAnotherThreadWakesTheLoopOnce) {
  std::thread([this] {
    for (uint64_t i = 0; i < 100; ++i) RpcAnswerer(box_, {.id = i})(std::to_string(i));
  }).join();
  loop_.poll();
  EXPECT_EQ(woken_, 1);
  const auto entries = box_->TakeAll();
  ASSERT_EQ(entries.size(), 100u);
  EXPECT_EQ(entries[7].ticket.id, 7u);
  EXPECT_EQ(entries[7].answer.value(), "7");
  EXPECT_TRUE(box_->TakeAll().empty());
}

TEST_F(AnswerBoxTest, AnAnswererThatIsDroppedAnswersOnce) {
  {
    RpcAnswerer first(box_, {.id = 1});
    const RpcAnswerer second(std::move(first));
  }
  const auto entries = box_->TakeAll();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].answer.error().code(), Code::kInternal);
}

TEST_F(AnswerBoxTest, AClosedBoxKeepsNothing) {
  box_->Put({.id = 1}, "early");
  box_->Close();
  box_->Put({.id = 2}, "late");
  EXPECT_TRUE(box_->TakeAll().empty());
}

}  // namespace
}  // namespace orrery::net
