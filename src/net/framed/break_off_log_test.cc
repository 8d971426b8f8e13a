#include "net/framed/break_off_log.h"

#include <gtest/gtest.h>

namespace orrery::net {
namespace {

TEST(BreakOffLog, SaysWhoAndWhatOnceInAWhile) {
  ManualClock clock;
  BreakOffLog log(clock, "CQL");
  const std::string client = "127.0.0.1:4711";
  EXPECT_EQ(log.Line(client, {.unsent_bytes = 100, .unanswered = 2}),
            "CQL client 127.0.0.1:4711 broke off its connection with 100 bytes of answers "
            "unsent and 2 requests unanswered");
  EXPECT_EQ(log.Line(client, {.unsent_bytes = 1}), std::nullopt);
  EXPECT_EQ(log.Line(client, {.unsent_bytes = 1}), std::nullopt);
  clock.Advance(BreakOffLog::kInterval);
  EXPECT_EQ(log.Line(client, {.unsent_bytes = 7, .timed_out = true}),
            "CQL client 127.0.0.1:4711 did not read its answers and was disconnected with 7 "
            "bytes of answers unsent and 0 requests unanswered; 2 more did since the last such "
            "line");
  clock.Advance(BreakOffLog::kInterval);
  EXPECT_TRUE(log.Line(client, {.unsent_bytes = 1})->ends_with("requests unanswered"));
}

}  // namespace
}  // namespace orrery::net
