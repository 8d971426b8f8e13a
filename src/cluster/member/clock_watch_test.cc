#include "cluster/member/clock_watch.h"

#include <gtest/gtest.h>

#include <vector>

namespace orrery::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr NodeId kWatcher(9);
constexpr NodeId kOne(1);
constexpr NodeId kTwo(2);

// Answers with clocks of its own, halfway of a call that takes a while.
class OtherClocks final : public Peers {
 public:
  explicit OtherClocks(ManualClock& clock) : clock_(clock) {}
  void Call(NodeId node, PeerMethod method, std::string /*request*/, milliseconds /*patience*/,
            Done done) override {
    EXPECT_EQ(method, PeerMethod::kTellTime);
    clock_.Advance(trip / 2);
    const Micros machine = clock_.Now() + ahead[node];
    std::string answer = EncodeTimes({machine, machine + correction[node]});
    clock_.Advance(trip / 2);
    if (cut) return done(Fail(Code::kUnavailable, "there is no connection"));
    done(nonsense ? "\xff" : std::move(answer));
  }

  // Of this node's machine.
  std::map<NodeId, Micros> ahead;
  std::map<NodeId, Micros> correction;
  Micros trip = milliseconds(10);
  bool cut = false;
  bool nonsense = false;

 private:
  ManualClock& clock_;
};

class ClockWatchTest : public ::testing::Test {
 protected:
  ManualClock machine_;
  SteeredClock clock_{machine_};
  OtherClocks others_{machine_};
  ClockWatch watch_{kWatcher, others_, clock_};
  const std::vector<NodeId> nodes_ = {kOne, kTwo};
};

TEST_F(ClockWatchTest, ClocksAreMeasured) {
  others_.ahead[kTwo] = seconds(-7);
  watch_.Look(nodes_, kOne);
  EXPECT_EQ(watch_.Ahead(kOne), milliseconds(0));
  EXPECT_EQ(watch_.Ahead(kTwo), seconds(-7));
  EXPECT_EQ(watch_.Ahead(kWatcher), milliseconds(0));
  EXPECT_EQ(watch_.Ahead(NodeId(3)), std::nullopt);
  EXPECT_EQ(watch_.Wrong(), std::set{kTwo});
  others_.ahead[kTwo] = milliseconds(-2);
  watch_.Look(nodes_, kOne);
  EXPECT_TRUE(watch_.Wrong().empty());
}

TEST_F(ClockWatchTest, TheManagersTimeIsFollowed) {
  others_.ahead[kOne] = seconds(30);
  others_.correction[kOne] = seconds(-10);
  others_.ahead[kTwo] = seconds(20);
  watch_.Look(nodes_, kOne);
  EXPECT_EQ(clock_.Now() - machine_.Now(), seconds(20));
  EXPECT_EQ(watch_.Ahead(kOne), seconds(10));
  EXPECT_EQ(watch_.Ahead(kTwo), seconds(0));
  EXPECT_EQ(watch_.Ahead(kWatcher), seconds(-20));
  EXPECT_EQ(watch_.Wrong(), (std::set{kOne, kWatcher}));
  // Nobody is known to lead: the time goes on.
  watch_.Look(nodes_, NodeId());
  EXPECT_EQ(clock_.correction(), seconds(20));
}

TEST_F(ClockWatchTest, TheManagerGoesByTheMedian) {
  others_.ahead[kOne] = seconds(10);
  others_.ahead[kTwo] = milliseconds(-20);
  watch_.Look(nodes_, kWatcher);
  EXPECT_EQ(clock_.correction(), seconds(0));
  EXPECT_EQ(watch_.Wrong(), std::set{kOne});
  // Its own is the wrong one.
  others_.ahead[kOne] = seconds(-60);
  others_.ahead[kTwo] = seconds(-61);
  watch_.Look(nodes_, kWatcher);
  EXPECT_EQ(clock_.correction(), seconds(-60));
  EXPECT_EQ(watch_.Wrong(), std::set{kWatcher});
  // And is set right.
  others_.ahead.clear();
  watch_.Look(nodes_, kWatcher);
  EXPECT_EQ(clock_.correction(), seconds(0));
  EXPECT_TRUE(watch_.Wrong().empty());
}

TEST_F(ClockWatchTest, OfTwoNeitherIsPreferred) {
  clock_.Steer(seconds(4));  // it followed another manager
  others_.ahead[kOne] = seconds(10);
  watch_.Look(std::vector{kOne}, kWatcher);
  EXPECT_EQ(clock_.correction(), seconds(4));
  others_.ahead[kOne] = seconds(3);
  watch_.Look(std::vector{kOne}, kWatcher);
  EXPECT_EQ(clock_.correction(), seconds(3));
  watch_.Look({}, kWatcher);
  EXPECT_EQ(clock_.correction(), seconds(0));
}

TEST_F(ClockWatchTest, ASlowCallProvesNothing) {
  others_.trip = seconds(2);
  others_.ahead[kOne] = milliseconds(1'500);
  watch_.Look(nodes_, kTwo);
  EXPECT_TRUE(watch_.Wrong().empty());
  others_.ahead[kOne] = milliseconds(900);
  watch_.Look(nodes_, kOne);
  EXPECT_EQ(clock_.correction(), seconds(0));
}

TEST_F(ClockWatchTest, WhoDoesNotAnswerStaysAsItWasUntilItIsGone) {
  others_.ahead[kOne] = seconds(5);
  watch_.Look(nodes_, kTwo);
  others_.cut = true;
  watch_.Look(nodes_, kTwo);
  EXPECT_EQ(watch_.Wrong(), std::set{kOne});
  others_.cut = false;
  others_.nonsense = true;
  watch_.Look(nodes_, kOne);
  EXPECT_EQ(watch_.Ahead(kOne), seconds(5));
  watch_.Look({}, kTwo);
  EXPECT_TRUE(watch_.Wrong().empty());
  EXPECT_EQ(watch_.Ahead(kOne), std::nullopt);
}

TEST(TimeCodecTest, WhatIsNoTimeIsRefused) {
  const TimesTold times{Micros(1'700'000'000'000'000), Micros(1'700'000'000'000'007)};
  EXPECT_EQ(*DecodeTimes(EncodeTimes(times)), times);
  EXPECT_FALSE(DecodeTimes("").has_value());
  EXPECT_FALSE(DecodeTimes("\x01").has_value());
  EXPECT_FALSE(DecodeTimes(EncodeTimes(times) + "x").has_value());
  std::string huge;
  huge.assign(9, '\xff');
  huge.push_back(1);
  EXPECT_FALSE(DecodeTimes(huge + huge).has_value());
}

}  // namespace
}  // namespace orrery::cluster
