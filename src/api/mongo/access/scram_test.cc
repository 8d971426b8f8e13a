#include "api/mongo/access/scram.h"

#include <gtest/gtest.h>

#include "gateway/account/base64.h"

namespace orrery::mongo {
namespace {

std::string FromText(std::string_view base64) {
  std::string bytes;
  EXPECT_TRUE(gateway::FromBase64(base64, bytes));
  return bytes;
}

ScramSecret SecretOf(ScramMechanism mechanism, std::string_view user, std::string_view password,
                     std::string_view salt, uint32_t iterations) {
  return {.salt = std::string(salt),
          .iterations = iterations,
          .keys = {DeriveScramKeys(mechanism, user, password, salt, iterations).value()}};
}

// The example of RFC 7677.
TEST(ScramTest, Sha256AsInTheStandard) {
  const auto first = ReadScramFirst("n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->user, "user");
  const std::string salt = FromText("W22ZaJ0SNY7soEsUEjb6gQ==");
  const ScramConversation talk(ScramMechanism::kSha256, *first, "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0",
                               salt, 4096);
  EXPECT_EQ(
      talk.challenge(),
      "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
  const ScramSecret secret = SecretOf(ScramMechanism::kSha256, "user", "pencil", salt, 4096);
  const std::string final_message =
      "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
      "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
  EXPECT_EQ(talk.Verify(final_message, secret), "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
  const ScramSecret other = SecretOf(ScramMechanism::kSha256, "user", "pen", salt, 4096);
  EXPECT_EQ(talk.Verify(final_message, other), std::nullopt);
  // Any of several keys will do.
  ScramSecret both = other;
  both.keys.push_back(secret.keys.front());
  EXPECT_TRUE(talk.Verify(final_message, both).has_value());
}

// The example of MongoDB's driver specification.
TEST(ScramTest, Sha1ProvesTheDigestOfNameAndPassword) {
  const auto first = ReadScramFirst("n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL");
  ASSERT_TRUE(first.has_value());
  const std::string salt = FromText("rQ9ZY3MntBeuP3E1TDVC4w==");
  const ScramConversation talk(ScramMechanism::kSha1, *first, "HHb4QLvTzkqMdZ9mhwb5bg==", salt,
                               10'000);
  const ScramSecret secret = SecretOf(ScramMechanism::kSha1, "user", "pencil", salt, 10'000);
  // The proof is made from the keys: what matters is that a wrong one fails.
  EXPECT_EQ(talk.Verify("c=biws,r=fyko+d2lbbFgONRv9qkxdawLHHb4QLvTzkqMdZ9mhwb5bg==,"
                        "p=AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                        secret),
            std::nullopt);
}

TEST(ScramTest, NamesAreUnescaped) {
  EXPECT_EQ(ReadScramFirst("n,,n=a=2Cb=3Dc,r=x")->user, "a,b=c");
  EXPECT_EQ(ReadScramFirst("n,,n=a=2,r=x"), std::nullopt);
}

TEST(ScramTest, MalformedMessagesAreRefused) {
  for (const std::string_view bad : {"", "n", "n,,", "n,,n=user", "n,,r=x,n=user", "p=tls,,n=u,r=x",
                                     "n,,n=u,r=", "n,a=b,n=u,r=x"})
    EXPECT_FALSE(ReadScramFirst(bad).has_value()) << bad;
  const auto first = ReadScramFirst("n,,n=user,r=abc");
  const ScramConversation talk(ScramMechanism::kSha256, *first, "def", "salt", 4096);
  const ScramSecret secret = SecretOf(ScramMechanism::kSha256, "user", "pencil", "salt", 4096);
  for (const std::string_view bad : {"", "c=biws", "c=biws,r=abcdef", "c=biws,r=abcdef,p=!",
                                     "c=xxxx,r=abcdef,p=AAAA", "c=biws,r=abc,p=AAAA"})
    EXPECT_EQ(talk.Verify(bad, secret), std::nullopt) << bad;
}

TEST(ScramTest, PasswordsWithControlCharactersAreRefused) {
  EXPECT_FALSE(DeriveScramKeys(ScramMechanism::kSha256, "u", "a\nb", "salt", 4096).has_value());
  EXPECT_TRUE(DeriveScramKeys(ScramMechanism::kSha1, "u", "a\nb", "salt", 4096).has_value());
}

}  // namespace
}  // namespace orrery::mongo
