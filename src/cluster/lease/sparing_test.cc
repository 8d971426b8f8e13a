#include "cluster/lease/sparing.h"

#include <gtest/gtest.h>

namespace orrery::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr NodeId kNode(2);

class SparingTest : public testing::Test {
 protected:
  void SetUp() override {
    clock_.Advance(seconds(100));
    sparing_.Begin();
    sparing_.End();
  }
  void Round(milliseconds pause = milliseconds(500)) {
    clock_.Advance(pause);
    sparing_.Begin();
  }
  bool Spares(bool answers) {
    return sparing_.Spares(kNode, [&] {
      ++asked_;
      return answers;
    });
  }

  ManualClock clock_;
  Sparing sparing_{clock_};
  int asked_ = 0;
};

TEST_F(SparingTest, WhileTheStoreAnswersALeaseThatRanOutMeansWhatItSays) {
  Round();
  EXPECT_FALSE(Spares(true));
  EXPECT_EQ(asked_, 0);
}

TEST_F(SparingTest, AfterALookThatTookLongTheLivingAreSparedLongerThanTheRest) {
  for (const bool answers : {true, false}) {
    sparing_.Forget(kNode);
    Round();
    clock_.Advance(seconds(6));
    EXPECT_TRUE(Spares(answers));
    sparing_.End();
    Round(answers ? kSparedAlive - milliseconds(1) : kSpared - milliseconds(1));
    EXPECT_TRUE(Spares(answers));
    sparing_.End();
    Round(milliseconds(1));
    EXPECT_FALSE(Spares(answers)) << "it does not come back with the store";
    sparing_.End();
  }
  EXPECT_EQ(asked_, 2) << "once each";
}

TEST_F(SparingTest, AWaitBeforeTheLookCountsForThoseWhoLive) {
  // The look itself is quick: whoever made it waited elsewhere for the store.
  Round(seconds(6));
  EXPECT_TRUE(Spares(true));
  sparing_.Forget(kNode);
  EXPECT_FALSE(Spares(false));
}

TEST_F(SparingTest, ALookThatFailedSparesEverybodyForAWhile) {
  Round();
  sparing_.Fail();
  Round();
  EXPECT_TRUE(Spares(false));
  sparing_.End();
  Round(kSpared - milliseconds(500));
  EXPECT_FALSE(Spares(false));
}

TEST_F(SparingTest, WhoRenewedBeginsAnew) {
  Round(seconds(6));
  EXPECT_TRUE(Spares(true));
  sparing_.Forget(kNode);
  sparing_.End();
  Round();
  EXPECT_FALSE(Spares(true));
}

}  // namespace
}  // namespace orrery::cluster
