#include "api/cassandra/server/request_budget.h"

#include <gtest/gtest.h>

namespace orrery::cassandra {
namespace {

TEST(RequestBudgetTest, RefusesWhatIsTooMuch) {
  RequestBudget budget(100);
  EXPECT_TRUE(budget.TryBegin(60));
  EXPECT_FALSE(budget.TryBegin(41));
  EXPECT_FALSE(budget.TryTake(41));
  EXPECT_TRUE(budget.TryTake(40));
  EXPECT_EQ(budget.bytes(), 100u);
  EXPECT_EQ(budget.requests(), 1u);
  budget.End(60);
  budget.Release(40);
  EXPECT_EQ(budget.bytes(), 0u);
  EXPECT_EQ(budget.requests(), 0u);
}

TEST(RequestBudgetTest, OneMessageIsAlwaysLetIn) {
  RequestBudget budget(100);
  EXPECT_TRUE(budget.TryBegin(1000));
  EXPECT_FALSE(budget.TryBegin(1));
  budget.End(1000);
  EXPECT_TRUE(budget.TryBegin(1000));
}

TEST(RequestBudgetTest, SharesOfPartialMessagesComeBack) {
  RequestBudget budget(100);
  {
    ReceivedShare share(budget);
    EXPECT_TRUE(share.Take(70));
    ReceivedShare other(budget);
    EXPECT_FALSE(other.Take(40));
    share.GiveBack();
    EXPECT_TRUE(other.Take(40));
    EXPECT_EQ(budget.bytes(), 40u);
  }
  EXPECT_EQ(budget.bytes(), 0u);
}

}  // namespace
}  // namespace orrery::cassandra
