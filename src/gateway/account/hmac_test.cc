#include "gateway/account/hmac.h"

#include <gtest/gtest.h>

#include "base/bytes.h"

namespace orrery::gateway {
namespace {

// RFC 4231, test case 2.
TEST(Hmac, AsPublished) {
  EXPECT_EQ(ToHex(HmacSha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

// RFC 4231, test case 6.
TEST(Hmac, ASecretLongerThanABlock) {
  EXPECT_EQ(ToHex(HmacSha256(std::string(131, '\xaa'),
                             "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Hmac, NoSecretAndNoText) {
  EXPECT_EQ(ToHex(HmacSha256("", "")),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

}  // namespace
}  // namespace orrery::gateway
