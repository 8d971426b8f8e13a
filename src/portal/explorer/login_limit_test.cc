#include "portal/explorer/login_limit.h"

#include <gtest/gtest.h>

namespace orrery::portal {
namespace {

using std::chrono::seconds;

TEST(LoginLimitTest, TenWrongKeysWithinAMinuteCloseAnAddress) {
  LoginLimit limit;
  for (int i = 0; i < LoginLimit::kWrongMax; ++i) {
    EXPECT_FALSE(limit.WaitOf("10.0.0.1", seconds(i)).has_value()) << i;
    limit.NoteWrong("10.0.0.1", seconds(i));
  }
  EXPECT_EQ(limit.WaitOf("10.0.0.1", seconds(20)), seconds(40));
  EXPECT_FALSE(limit.WaitOf("10.0.0.2", seconds(20)).has_value());
  EXPECT_FALSE(limit.WaitOf("10.0.0.1", seconds(60)).has_value());
}

TEST(LoginLimitTest, ANewMinuteCountsFromZero) {
  LoginLimit limit;
  for (int i = 0; i < LoginLimit::kWrongMax - 1; ++i) limit.NoteWrong("a", seconds(0));
  limit.NoteWrong("a", seconds(61));
  EXPECT_FALSE(limit.WaitOf("a", seconds(62)).has_value());
}

TEST(LoginLimitTest, TheOldestAddressIsForgotten) {
  LoginLimit limit;
  for (int i = 0; i < LoginLimit::kWrongMax; ++i) limit.NoteWrong("first", seconds(0));
  for (size_t i = 0; i < LoginLimit::kAddressesMax - 1; ++i)
    limit.NoteWrong(std::to_string(i), seconds(1));
  EXPECT_TRUE(limit.WaitOf("first", seconds(2)).has_value());
  limit.NoteWrong("one more", seconds(2));
  EXPECT_FALSE(limit.WaitOf("first", seconds(2)).has_value());
}

}  // namespace
}  // namespace orrery::portal
