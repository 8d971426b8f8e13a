#include "net/http/http_date.h"

#include <gtest/gtest.h>

namespace orrery::net {
namespace {

TEST(HttpDate, RoundTrip) {
  const Micros time = std::chrono::seconds(784'111'777);
  EXPECT_EQ(FormatHttpDate(time), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(ParseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT"), time);
  EXPECT_EQ(ParseHttpDate("sun, 06 nov 1994 08:49:37 gmt"), time);
  EXPECT_EQ(ParseHttpDate("Sun, 06 Nov 1994 08:49:37 UTC"), time);
  for (int64_t day = 0; day < 20'000; day += 13) {
    const Micros at = std::chrono::hours(24 * day + day % 24) + std::chrono::seconds(day % 60);
    EXPECT_EQ(ParseHttpDate(FormatHttpDate(at)), at);
  }
}

TEST(HttpDate, OthersAreNone) {
  for (const std::string_view text :
       {"", "now", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 EST", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Thu, 30 Feb 1995 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT"}) {
    EXPECT_EQ(ParseHttpDate(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace orrery::net
