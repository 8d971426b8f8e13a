#include "api/cassandra/server/session/tracing_ids.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "api/cassandra/types/native/timeuuid.h"

namespace orrery::cassandra {
namespace {

TEST(TracingIdsTest, AreTimeUuidsAndNeverTheSame) {
  ManualClock clock(std::chrono::seconds(1'700'000'000));
  TracingIds ids(clock, 42);
  std::set<Uuid> seen;
  for (int i = 0; i < 100; ++i) seen.insert(ids.Next());
  EXPECT_EQ(seen.size(), 100u);
  clock.Advance(std::chrono::seconds(-5));  // a clock that was set back
  EXPECT_TRUE(seen.insert(ids.Next()).second);
  for (const Uuid& id : seen) {
    const std::string_view bytes(reinterpret_cast<const char*>(id.data()), id.size());
    EXPECT_EQ(UuidVersion(bytes), 1);
    EXPECT_EQ(TimeUuidMillis(bytes), 1'700'000'000'000);
  }
}

}  // namespace
}  // namespace orrery::cassandra
