#include "api/cassandra/access/password.h"

#include <gtest/gtest.h>

#include "api/cassandra/access/default_role.h"

namespace orrery::cassandra {
namespace {

TEST(Password, AHashIsOfItsPasswordOnly) {
  const std::string hash = HashPassword("secret", kPasswordRoundsMin).value();
  EXPECT_TRUE(hash.starts_with("$2a$04$")) << hash;
  EXPECT_TRUE(IsPasswordHash(hash));
  EXPECT_TRUE(PasswordMatches("secret", hash));
  EXPECT_FALSE(PasswordMatches("Secret", hash));
  EXPECT_FALSE(PasswordMatches("", hash));
  EXPECT_NE(HashPassword("secret", kPasswordRoundsMin).value(), hash);
}

// The hashes that Cassandra's library makes of "a" and of "~!@#$%^&*()      ~!@#$%^&*()PNBFRD".
TEST(Password, AsCassandraHashesIt) {
  EXPECT_TRUE(PasswordMatches("a", "$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe"));
  EXPECT_TRUE(PasswordMatches("~!@#$%^&*()      ~!@#$%^&*()PNBFRD",
                              "$2a$06$fPIsBO8qRqkjj273rfaOI.HtSV9jLDpTbZn782DC6/t7qT67P6FfO"));
}

TEST(Password, TheDefaultOne) {
  EXPECT_TRUE(PasswordMatches(kDefaultPassword, std::string(kDefaultSaltedHash)));
}

// As Cassandra's, of any length: what is behind the first 72 bytes does not count.
TEST(Password, LongOnesAreTaken) {
  const std::string password(1'000'000, 'x');
  const auto hash = HashPassword(password, kPasswordRoundsMin);
  ASSERT_TRUE(hash.has_value()) << hash.error().message();
  EXPECT_TRUE(PasswordMatches(password, *hash));
  EXPECT_TRUE(PasswordMatches(password.substr(0, 72), *hash));
  EXPECT_FALSE(PasswordMatches(password.substr(0, 71), *hash));
  EXPECT_FALSE(PasswordMatches("y" + password, *hash));
}

TEST(Password, NulEndsNothing) {
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(HashPassword("a\0b"sv, kPasswordRoundsMin).error().code(), Code::kInvalidArgument);
  const std::string hash = HashPassword("a", kPasswordRoundsMin).value();
  EXPECT_FALSE(PasswordMatches("a\0b"sv, hash));
}

TEST(Password, WhatIsNoHashMatchesNothing) {
  const std::string good = HashPassword("x", kPasswordRoundsMin).value();
  std::string costly = good;
  costly.replace(4, 2, "31");
  std::string odd = good;
  odd[20] = '*';
  for (const std::string& text : {std::string(), std::string("x"), good.substr(1), good + "a",
                                  costly, odd, "$1$" + good.substr(3)}) {
    EXPECT_FALSE(IsPasswordHash(text)) << text;
    EXPECT_FALSE(PasswordMatches("x", text)) << text;
  }
}

}  // namespace
}  // namespace orrery::cassandra
