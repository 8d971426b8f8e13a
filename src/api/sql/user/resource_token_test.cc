#include "api/sql/user/resource_token.h"

#include <gtest/gtest.h>

namespace orrery::sql {
namespace {

constexpr std::string_view kPrefix = "type=resource&ver=1&sig=";

class ResourceTokenTest : public testing::Test {
 protected:
  std::string Signature(const Grant& grant) {
    const std::string token = MintToken(accounts_, grant);
    EXPECT_TRUE(token.starts_with(kPrefix)) << token;
    return token.substr(kPrefix.size());
  }

  const gateway::Accounts accounts_ = *gateway::Accounts::Create({});
  const Micros now_{std::chrono::seconds(1'000)};
  const Grant grant_{.resource = "dbs/db/colls/c",
                     .all = true,
                     .until_s = 2'000,
                     .key = {},
                     .by = {.database = "db",
                            .database_id = DatabaseId(1),
                            .user = 2,
                            .permission = 3,
                            .time_s = 500}};
};

TEST_F(ResourceTokenTest, ThereAndBack) {
  EXPECT_EQ(CheckToken(accounts_, Signature(grant_), now_), grant_);
  Grant keyed = grant_;
  keyed.key = model::Value::Array({model::Value::String("a")});
  EXPECT_EQ(CheckToken(accounts_, Signature(keyed), now_), keyed);
}

// The example of docs/format/sql.md.
TEST_F(ResourceTokenTest, AsDocumented) {
  EXPECT_EQ(MintToken(accounts_, grant_),
            "type=resource&ver=1&sig=Bx++Wa9Gve3oZ9UPalWj1YfEiS8BeKWXUuS+SBdunrw=;eyJyZXNvdXJjZSI"
            "6ImRicy9kYi9jb2xscy9jIiwiYWxsIjp0cnVlLCJ1bnRpbCI6MjAwMCwiYnkiOnsiZGF0YWJhc2UiOiJkYiI"
            "sImRhdGFiYXNlSWQiOjEsInVzZXIiOjIsInBlcm1pc3Npb24iOjMsInRpbWUiOjUwMH19;");
}

TEST_F(ResourceTokenTest, Ends) {
  const auto late = CheckToken(accounts_, Signature(grant_), std::chrono::seconds(2'000));
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().code(), Code::kForbidden);
}

TEST_F(ResourceTokenTest, CannotBeForged) {
  const std::string good = Signature(grant_);
  Grant other = grant_;
  other.resource = "dbs/db/colls/d";
  const std::string theirs = Signature(other);
  const std::string mixed = good.substr(0, good.find(';')) + theirs.substr(theirs.find(';'));
  for (const std::string& bad : {mixed, std::string(), std::string(";"), std::string("a;b;"),
                                 good.substr(1), good.substr(0, good.find(';'))}) {
    const auto checked = CheckToken(accounts_, bad, now_);
    ASSERT_FALSE(checked.has_value()) << bad;
    EXPECT_EQ(checked.error().code(), Code::kUnauthorized);
  }
  gateway::AccountKeys keys;
  keys.primary = *gateway::Accounts::NewKey();
  EXPECT_FALSE(CheckToken(*gateway::Accounts::Create(keys), good, now_).has_value());
}

}  // namespace
}  // namespace orrery::sql
