#include "base/byte_budget.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

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

TEST(ByteBudgetTest, APartIsBoundedByItselfAndByItsParents) {
  const auto whole = std::make_shared<ByteBudget>(100);
  const auto counter = std::make_shared<ByteBudget>(SIZE_MAX);
  {
    ByteBudget part(60, whole, counter, {});
    ByteBudget other(60, whole, nullptr, {});
    EXPECT_TRUE(part.TryTake(50));
    EXPECT_FALSE(part.TryTake(11));
    EXPECT_TRUE(other.TryTake(40));
    EXPECT_FALSE(other.TryTake(11));
    EXPECT_EQ(whole->bytes(), 90u);
    EXPECT_EQ(counter->bytes(), 50u);
    EXPECT_TRUE(part.tight());
    EXPECT_TRUE(other.tight());  // by its parent
    part.Release(50);
    EXPECT_TRUE(other.TryTake(11));
    EXPECT_EQ(whole->bytes(), 51u);
    EXPECT_FALSE(part.tight());
  }
  EXPECT_EQ(whole->bytes(), 0u);
  EXPECT_EQ(counter->bytes(), 0u);
}

TEST(ByteBudgetTest, APartTakesBlocksAndKeepsOne) {
  const auto whole = std::make_shared<ByteBudget>(1000);
  {
    const auto counter = std::make_shared<ByteBudget>(SIZE_MAX);
    ByteBudget part(SIZE_MAX, whole, counter, {.kept_bytes = 8, .block_bytes = 16});
    EXPECT_EQ(whole->bytes(), 8u);
    EXPECT_TRUE(part.TryTake(8));
    EXPECT_EQ(whole->bytes(), 8u);
    EXPECT_TRUE(part.TryTake(1));
    EXPECT_EQ(whole->bytes(), 24u);
    EXPECT_TRUE(part.TryTake(50));
    EXPECT_EQ(whole->bytes(), 72u);
    EXPECT_EQ(counter->bytes(), 64u);
    part.Release(20);
    EXPECT_EQ(whole->bytes(), 64u);
    part.Release(7);
    EXPECT_EQ(whole->bytes(), 48u);
    part.Release(32);
    EXPECT_EQ(whole->bytes(), 8u);
    EXPECT_FALSE(part.TryTake(1001));
    EXPECT_EQ(part.bytes(), 0u);
    EXPECT_EQ(whole->bytes(), 8u);
  }
  EXPECT_EQ(whole->bytes(), 0u);
}

TEST(ByteBudgetTest, PartsOfManyThreadsLeaveNothingBehind) {
  const auto whole = std::make_shared<ByteBudget>(size_t{1} << 20);
  {
    const auto part = std::make_shared<ByteBudget>(
        SIZE_MAX, whole, nullptr, ByteBudget::Steps{.kept_bytes = 64, .block_bytes = 128});
    std::vector<std::jthread> threads;
    for (size_t i = 1; i <= 4; ++i) {
      threads.emplace_back([part, i] {
        for (size_t round = 0; round < 20'000; ++round) {
          ByteShare share(part);
          share.Hold(i * 37);
          share.Hold(i * 501 + round % 7);
        }
      });
    }
    threads.clear();
    EXPECT_EQ(part->bytes(), 0u);
  }
  EXPECT_EQ(whole->bytes(), 0u);
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
