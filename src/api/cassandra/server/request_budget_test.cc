#include "api/cassandra/server/request_budget.h"

#include <gtest/gtest.h>

namespace orrery::cassandra {
namespace {

TEST(RequestBudgetTest, CountsRequestsAndTheirBytes) {
  RequestBudget budget(100);
  EXPECT_TRUE(budget.TryBegin(60));
  EXPECT_FALSE(budget.TryBegin(41));
  EXPECT_TRUE(budget.TryTake(40));
  EXPECT_EQ(budget.bytes(), 100u);
  EXPECT_EQ(budget.requests(), 1u);
  budget.End(60);
  budget.Release(40);
  EXPECT_EQ(budget.bytes(), 0u);
  EXPECT_EQ(budget.requests(), 0u);
}

}  // namespace
}  // namespace orrery::cassandra
