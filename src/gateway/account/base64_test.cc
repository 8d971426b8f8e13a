#include "gateway/account/base64.h"

#include <gtest/gtest.h>

#include <random>

namespace orrery::gateway {
namespace {

TEST(Base64, KnownTexts) {
  EXPECT_EQ(ToBase64(""), "");
  EXPECT_EQ(ToBase64("f"), "Zg==");
  EXPECT_EQ(ToBase64("fo"), "Zm8=");
  EXPECT_EQ(ToBase64("foo"), "Zm9v");
  EXPECT_EQ(ToBase64("\xfb\xff"), "+/8=");
  EXPECT_EQ(ToBase64Url("\xfb\xff"), "-_8");
}

TEST(Base64, RoundTrip) {
  constexpr uint32_t kSeed = 20261;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  for (size_t size = 0; size < 100; ++size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    std::string back;
    ASSERT_TRUE(FromBase64(ToBase64(bytes), back));
    EXPECT_EQ(back, bytes);
    ASSERT_TRUE(FromBase64Url(ToBase64Url(bytes), back));
    EXPECT_EQ(back, bytes);
  }
}

TEST(Base64, RefusesForeignText) {
  std::string bytes;
  for (const char* text : {"Zg", "Zg=", "Z===", "Zg==Zg==", "Z g=", "Zh==", "-_8=", "=", "===="}) {
    EXPECT_FALSE(FromBase64(text, bytes)) << text;
  }
  for (const char* text : {"Z", "Zg==", "+/8", "Zh", "Zg\n"}) {
    EXPECT_FALSE(FromBase64Url(text, bytes)) << text;
  }
}

}  // namespace
}  // namespace orrery::gateway
