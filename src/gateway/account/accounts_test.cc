#include "gateway/account/accounts.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "gateway/account/base64.h"

namespace orrery::gateway {
namespace {

std::string Key(char fill) { return ToBase64(std::string(64, fill)); }

AccountKeys FourKeys() { return {"mine", Key('a'), Key('b'), Key('c'), Key('d')}; }

TEST(Accounts, DefaultsAreTheEmulators) {
  const auto accounts = Accounts::Create({});
  ASSERT_TRUE(accounts.has_value());
  EXPECT_EQ(accounts->name(), "localhost");
  EXPECT_EQ(accounts->CheckKey(kWellKnownKey), Access::kReadWrite);
}

TEST(Accounts, EachKeyHasItsAccess) {
  const auto accounts = Accounts::Create(FourKeys());
  ASSERT_TRUE(accounts.has_value());
  EXPECT_EQ(accounts->CheckKey(Key('a')), Access::kReadWrite);
  EXPECT_EQ(accounts->CheckKey(Key('b')), Access::kReadWrite);
  EXPECT_EQ(accounts->CheckKey(Key('c')), Access::kReadOnly);
  EXPECT_EQ(accounts->CheckKey(Key('d')), Access::kReadOnly);
  for (const std::string& wrong :
       {Key('e'), std::string(), std::string("a"), std::string(kWellKnownKey)}) {
    const auto access = accounts->CheckKey(wrong);
    ASSERT_FALSE(access.has_value());
    EXPECT_EQ(access.error().code(), Code::kUnauthorized);
  }
}

TEST(Accounts, NoSecondaryKeyLetsNobodyInWithAnEmptyOne) {
  const auto accounts = Accounts::Create({});
  ASSERT_TRUE(accounts.has_value());
  EXPECT_FALSE(accounts->CheckKey("").has_value());
}

TEST(Accounts, SignatureIsHmacSha256) {
  // RFC 4231, test case 6: a key of 131 bytes of 0xaa.
  AccountKeys keys = FourKeys();
  keys.secondary_read_only = ToBase64(std::string(131, '\xaa'));
  const auto accounts = Accounts::Create(std::move(keys));
  ASSERT_TRUE(accounts.has_value());
  std::string mac;
  ASSERT_TRUE(FromHex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54", mac));
  constexpr std::string_view kText = "Test Using Larger Than Block-Size Key - Hash Key First";
  EXPECT_EQ(accounts->CheckSignature(kText, ToBase64(mac)), Access::kReadOnly);

  mac[31] ^= 1;
  EXPECT_FALSE(accounts->CheckSignature(kText, ToBase64(mac)).has_value());
  EXPECT_FALSE(accounts->CheckSignature(kText, "not base64!").has_value());
  EXPECT_FALSE(accounts->CheckSignature(kText, "").has_value());
}

TEST(Accounts, RefusesBadKeysWithoutShowingThem) {
  AccountKeys keys = FourKeys();
  keys.secondary = "c2hvcnQ=";
  const auto accounts = Accounts::Create(keys);
  ASSERT_FALSE(accounts.has_value());
  EXPECT_EQ(accounts.error().code(), Code::kInvalidArgument);
  EXPECT_NE(accounts.error().message().find("secondary key"), std::string::npos);
  EXPECT_EQ(accounts.error().message().find("c2hvcnQ="), std::string::npos);

  keys = FourKeys();
  keys.primary = "";
  EXPECT_FALSE(Accounts::Create(keys).has_value());
}

TEST(Accounts, NewKeysDifferAndWork) {
  const auto one = Accounts::NewKey();
  const auto two = Accounts::NewKey();
  ASSERT_TRUE(one.has_value() && two.has_value());
  EXPECT_NE(*one, *two);
  EXPECT_EQ(one->size(), kWellKnownKey.size());
  AccountKeys keys = FourKeys();
  keys.primary = *one;
  EXPECT_TRUE(Accounts::Create(keys)->CheckKey(*one).has_value());
}

}  // namespace
}  // namespace orrery::gateway
