#include "cluster/member/clock_watch.h"

#include <gtest/gtest.h>

#include <vector>

namespace orrery::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Answers with a clock of its own, halfway of a call that takes a while.
class OtherClocks final : public Peers {
 public:
  explicit OtherClocks(ManualClock& clock) : clock_(clock) {}
  void Call(NodeId node, PeerMethod method, std::string /*request*/, milliseconds /*patience*/,
            Done done) override {
    EXPECT_EQ(method, PeerMethod::kTellTime);
    clock_.Advance(trip / 2);
    std::string answer = EncodeTime(clock_.Now() + ahead[node]);
    clock_.Advance(trip / 2);
    if (cut) return done(Fail(Code::kUnavailable, "there is no connection"));
    done(nonsense ? "\xff" : std::move(answer));
  }

  std::map<NodeId, Micros> ahead;
  Micros trip = milliseconds(10);
  bool cut = false;
  bool nonsense = false;

 private:
  ManualClock& clock_;
};

class ClockWatchTest : public ::testing::Test {
 protected:
  ManualClock clock_;
  OtherClocks others_{clock_};
  ClockWatch watch_{others_, clock_};
  const std::vector<NodeId> nodes_ = {NodeId(1), NodeId(2)};
};

TEST_F(ClockWatchTest, ClocksAreMeasured) {
  others_.ahead[NodeId(1)] = milliseconds(300);
  others_.ahead[NodeId(2)] = seconds(-7);
  watch_.Look(nodes_);
  EXPECT_EQ(watch_.Ahead(NodeId(1)), milliseconds(300));
  EXPECT_EQ(watch_.Ahead(NodeId(2)), seconds(-7));
  EXPECT_EQ(watch_.Ahead(NodeId(3)), std::nullopt);
  EXPECT_EQ(watch_.Wrong(), std::set{NodeId(2)});
  others_.ahead[NodeId(2)] = milliseconds(-2);
  watch_.Look(nodes_);
  EXPECT_TRUE(watch_.Wrong().empty());
}

TEST_F(ClockWatchTest, ASlowCallProvesNothing) {
  others_.trip = seconds(2);
  others_.ahead[NodeId(1)] = milliseconds(1'500);
  watch_.Look(nodes_);
  EXPECT_TRUE(watch_.Wrong().empty());
}

TEST_F(ClockWatchTest, WhoDoesNotAnswerStaysAsItWasUntilItIsGone) {
  others_.ahead[NodeId(1)] = seconds(5);
  watch_.Look(nodes_);
  others_.cut = true;
  watch_.Look(nodes_);
  EXPECT_EQ(watch_.Wrong(), std::set{NodeId(1)});
  others_.cut = false;
  others_.nonsense = true;
  watch_.Look(nodes_);
  EXPECT_EQ(watch_.Ahead(NodeId(1)), seconds(5));
  watch_.Look({});
  EXPECT_TRUE(watch_.Wrong().empty());
  EXPECT_EQ(watch_.Ahead(NodeId(1)), std::nullopt);
}

TEST(TimeCodecTest, WhatIsNoTimeIsRefused) {
  EXPECT_EQ(*DecodeTime(EncodeTime(Micros(1'700'000'000'000'000))), Micros(1'700'000'000'000'000));
  EXPECT_FALSE(DecodeTime("").has_value());
  EXPECT_FALSE(DecodeTime(EncodeTime(Micros(5)) + "x").has_value());
  std::string huge;
  huge.assign(9, '\xff');
  huge.push_back(1);
  EXPECT_FALSE(DecodeTime(huge).has_value());
}

}  // namespace
}  // namespace orrery::cluster
