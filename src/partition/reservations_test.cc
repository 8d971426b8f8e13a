#include "partition/reservations.h"

#include <gtest/gtest.h>

namespace orrery::partition {
namespace {

TEST(ReservationsTest, TheFirstHasTheKeyUntilItEnds) {
  Reservations reservations;
  EXPECT_FALSE(reservations.any());
  EXPECT_TRUE(reservations.Reserve("a", 1));
  EXPECT_TRUE(reservations.Reserve("a", 1));
  EXPECT_TRUE(reservations.Reserve("b", 1));
  EXPECT_FALSE(reservations.Reserve("a", 2));
  EXPECT_TRUE(reservations.Reserve("c", 2));
  EXPECT_EQ(reservations.size(), 3U);
  EXPECT_EQ(reservations.HolderOf("a"), 1U);
  reservations.Release(1);
  EXPECT_EQ(reservations.HolderOf("a"), 0U);
  EXPECT_TRUE(reservations.Reserve("a", 2));
  reservations.Release(2);
  reservations.Release(2);
  EXPECT_FALSE(reservations.any());
}

TEST(ReservationsTest, ThoseThatWaitAreCalledOnceAtTheEnd) {
  Reservations reservations;
  int called = 0;
  Reservations::Resume resume = [&] { ++called; };
  EXPECT_EQ(reservations.WaitFor(1, resume), Reservations::Wait::kGone);
  ASSERT_TRUE(reservations.Reserve("a", 1));
  EXPECT_EQ(reservations.WaitFor(1, resume), Reservations::Wait::kWaits);
  EXPECT_EQ(called, 0);
  reservations.Release(1);
  EXPECT_EQ(called, 1);
  reservations.Release(1);
  EXPECT_EQ(called, 1);
}

TEST(ReservationsTest, NoMoreThanSoManyMayWait) {
  Reservations reservations;
  ASSERT_TRUE(reservations.Reserve("a", 1));
  size_t called = 0;
  for (size_t i = 0; i < Reservations::kWaitersMax; ++i) {
    Reservations::Resume resume = [&] { ++called; };
    ASSERT_EQ(reservations.WaitFor(1, resume), Reservations::Wait::kWaits);
  }
  Reservations::Resume one_more = [&] { ++called; };
  EXPECT_EQ(reservations.WaitFor(1, one_more), Reservations::Wait::kFull);
  reservations.Release(1);
  EXPECT_EQ(called, Reservations::kWaitersMax);
}

}  // namespace
}  // namespace orrery::partition
