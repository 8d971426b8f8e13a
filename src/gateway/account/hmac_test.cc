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

}  // namespace
}  // namespace orrery::gateway
