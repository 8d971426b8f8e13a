#include "cluster/lease/expiry_grace.h"

#include <gtest/gtest.h>

namespace orrery::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr NodeId kNode(2);

class ExpiryGraceTest : public testing::Test {
 protected:
  void SetUp() override {
    clock_.Advance(seconds(100));
    expiry_grace_.Begin();
    expiry_grace_.End();
  }
  void Round(milliseconds pause = milliseconds(500)) {
    clock_.Advance(pause);
    expiry_grace_.Begin();
  }
  bool HasGrace(bool answers) {
    return expiry_grace_.HasGrace(kNode, [&] {
      ++asked_;
      return answers;
    });
  }

  ManualClock clock_;
  ExpiryGrace expiry_grace_{clock_};
  int asked_ = 0;
};

TEST_F(ExpiryGraceTest, WhileTheStoreAnswersALeaseThatRanOutMeansWhatItSays) {
  Round();
  EXPECT_FALSE(HasGrace(true));
  EXPECT_EQ(asked_, 0);
}

TEST_F(ExpiryGraceTest, AfterALookThatTookLongTheLivingHaveGraceLongerThanTheRest) {
  for (const bool answers : {true, false}) {
    expiry_grace_.Forget(kNode);
    Round();
    clock_.Advance(seconds(6));
    EXPECT_TRUE(HasGrace(answers));
    expiry_grace_.End();
    Round(answers ? kGraceAlive - milliseconds(1) : kGrace - milliseconds(1));
    EXPECT_TRUE(HasGrace(answers));
    expiry_grace_.End();
    Round(milliseconds(1));
    EXPECT_FALSE(HasGrace(answers)) << "it does not come back with the store";
    expiry_grace_.End();
  }
  EXPECT_EQ(asked_, 2) << "once each";
}

TEST_F(ExpiryGraceTest, AWaitBeforeTheLookCountsForThoseWhoLive) {
  // The look itself is quick: whoever made it waited elsewhere for the store.
  Round(seconds(6));
  EXPECT_TRUE(HasGrace(true));
  expiry_grace_.Forget(kNode);
  EXPECT_FALSE(HasGrace(false));
}

TEST_F(ExpiryGraceTest, ALookThatFailedGivesGraceToEverybodyForAWhile) {
  Round();
  expiry_grace_.Fail();
  Round();
  EXPECT_TRUE(HasGrace(false));
  expiry_grace_.End();
  Round(kGrace - milliseconds(500));
  EXPECT_FALSE(HasGrace(false));
}

TEST_F(ExpiryGraceTest, WhoRenewedBeginsAnew) {
  Round(seconds(6));
  EXPECT_TRUE(HasGrace(true));
  expiry_grace_.Forget(kNode);
  expiry_grace_.End();
  Round();
  EXPECT_FALSE(HasGrace(true));
}

}  // namespace
}  // namespace orrery::cluster
