#include "api/sql/auth/emulator_token.h"

#include <gtest/gtest.h>

#include <string>

#include "gateway/account/base64.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kTokenHeader =
    R"({"typ":"JWT","alg":"RS256","kid":"CosmosEmulatorPrimaryMaster"})";
constexpr std::string_view kClaims = R"({"iss":"anybody","nbf":10000,"exp":20000})";

class EmulatorTokenTest : public testing::Test {
 protected:
  static std::string Token(std::string_view header, std::string_view claims, std::string_view key) {
    return gateway::ToBase64Url(header) + "." + gateway::ToBase64Url(claims) + "." +
           gateway::ToBase64Url(key);
  }
  Code CodeOf(std::string_view token, std::chrono::seconds at = std::chrono::seconds(15000)) const {
    const auto access = CheckEmulatorToken(accounts_, token, at);
    return access.has_value() ? Code::kInternal : access.error().code();
  }

  const gateway::Accounts accounts_ = gateway::Accounts::Create({}).value();
};

TEST_F(EmulatorTokenTest, WhoHasTheKeyComesIn) {
  const auto access = CheckEmulatorToken(
      accounts_, Token(kTokenHeader, kClaims, gateway::kWellKnownKey), std::chrono::seconds(15000));
  ASSERT_TRUE(access.has_value()) << access.error().ToString();
  EXPECT_EQ(*access, gateway::Access::kReadWrite);
}

TEST_F(EmulatorTokenTest, NobodyElseDoes) {
  const std::string good = Token(kTokenHeader, kClaims, gateway::kWellKnownKey);
  EXPECT_EQ(CodeOf(Token(kTokenHeader, kClaims, "another key")), Code::kUnauthorized);
  EXPECT_EQ(CodeOf(Token(R"({"kid":"x"})", kClaims, gateway::kWellKnownKey)), Code::kUnauthorized);
  EXPECT_EQ(CodeOf(Token("[]", kClaims, gateway::kWellKnownKey)), Code::kUnauthorized);
  EXPECT_EQ(CodeOf(Token(kTokenHeader, "{}", gateway::kWellKnownKey)), Code::kUnauthorized);
  EXPECT_EQ(CodeOf(Token(kTokenHeader, R"({"nbf":-1,"exp":9e99})", gateway::kWellKnownKey)),
            Code::kUnauthorized);
  EXPECT_EQ(CodeOf(good + "."), Code::kUnauthorized);
  EXPECT_EQ(CodeOf(good + ".AAAA"), Code::kUnauthorized);
  EXPECT_EQ(CodeOf(good.substr(0, good.rfind('.'))), Code::kUnauthorized);
  EXPECT_EQ(CodeOf(""), Code::kUnauthorized);
  EXPECT_EQ(CodeOf("a.b.c"), Code::kUnauthorized);
}

TEST_F(EmulatorTokenTest, ATokenHasItsTime) {
  const std::string good = Token(kTokenHeader, kClaims, gateway::kWellKnownKey);
  EXPECT_EQ(CodeOf(good, std::chrono::seconds(1000)), Code::kForbidden);
  EXPECT_EQ(CodeOf(good, std::chrono::seconds(20000)), Code::kForbidden);
}

}  // namespace
}  // namespace orrery::sql
