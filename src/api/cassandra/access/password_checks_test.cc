#include "api/cassandra/access/password_checks.h"

#include <gtest/gtest.h>

#include "api/cassandra/access/password.h"

namespace orrery::cassandra {
namespace {

struct Checked {
  ManualClock clock;
  PasswordChecks checks{clock};
  const std::string hash = HashPassword("secret", kPasswordRoundsMin).value();
};

TEST(PasswordChecks, OnlyRightOnesAreRemembered) {
  Checked test;
  EXPECT_FALSE(test.checks.Matches("wrong", test.hash));
  EXPECT_EQ(test.checks.remembered(), 0u);
  EXPECT_TRUE(test.checks.Matches("secret", test.hash));
  EXPECT_TRUE(test.checks.Matches("secret", test.hash));
  EXPECT_EQ(test.checks.remembered(), 1u);
  EXPECT_FALSE(test.checks.Matches("wrong", test.hash));
}

TEST(PasswordChecks, AnotherHashIsAnotherEntry) {
  Checked test;
  EXPECT_TRUE(test.checks.Matches("secret", test.hash));
  const std::string changed = HashPassword("changed", kPasswordRoundsMin).value();
  EXPECT_FALSE(test.checks.Matches("secret", changed));
}

TEST(PasswordChecks, EntriesGrowOld) {
  Checked test;
  EXPECT_TRUE(test.checks.Matches("secret", test.hash));
  test.clock.Advance(PasswordChecks::kRememberedFor);
  EXPECT_FALSE(test.checks.Matches("wrong", test.hash));
  EXPECT_EQ(test.checks.remembered(), 0u);
}

}  // namespace
}  // namespace orrery::cassandra
