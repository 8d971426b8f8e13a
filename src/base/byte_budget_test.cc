#include "base/byte_budget.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(ByteBudgetTest, RefusesWhatIsTooMuch) {
  ByteBudget budget(100);
  EXPECT_TRUE(budget.TryTake(60));
  EXPECT_FALSE(budget.TryTake(41));
  EXPECT_TRUE(budget.TryTake(40));
  budget.Take(7);
  EXPECT_EQ(budget.bytes(), 107u);
  budget.Release(107);
  EXPECT_EQ(budget.bytes(), 0u);
}

TEST(ByteBudgetTest, OneMessageIsAlwaysLetIn) {
  ByteBudget budget(100);
  EXPECT_TRUE(budget.TryTake(1000));
  EXPECT_FALSE(budget.TryTake(1));
  budget.Release(1000);
  EXPECT_TRUE(budget.TryTake(1000));
}

TEST(ByteShareTest, GrowsShrinksAndComesBack) {
  const auto budget = std::make_shared<ByteBudget>(100);
  {
    ByteShare share(budget);
    EXPECT_TRUE(share.TryHold(70));
    ByteShare other(budget);
    EXPECT_FALSE(other.TryHold(40));
    EXPECT_EQ(other.bytes(), 0u);
    EXPECT_TRUE(share.TryHold(60));
    EXPECT_TRUE(other.TryHold(40));
    EXPECT_FALSE(other.TryHold(41));
    EXPECT_EQ(other.bytes(), 40u);
    other.Hold(50);
    EXPECT_EQ(budget->bytes(), 110u);
    share.Hold(0);
    EXPECT_EQ(budget->bytes(), 50u);
  }
  EXPECT_EQ(budget->bytes(), 0u);
}

TEST(ByteShareTest, Moves) {
  const auto budget = std::make_shared<ByteBudget>(100);
  ByteShare share(budget);
  ASSERT_TRUE(share.TryHold(30));
  ByteShare moved = std::move(share);
  ByteShare other(budget);
  ASSERT_TRUE(other.TryHold(50));
  EXPECT_EQ(budget->bytes(), 80u);
  other = std::move(moved);
  EXPECT_EQ(budget->bytes(), 30u);
  EXPECT_EQ(other.bytes(), 30u);
}

TEST(ByteShareTest, OfNoBudgetHoldsAnything) {
  ByteShare share;
  EXPECT_TRUE(share.TryHold(size_t{1} << 40));
  EXPECT_EQ(share.bytes(), size_t{1} << 40);
}

}  // namespace
}  // namespace orrery
