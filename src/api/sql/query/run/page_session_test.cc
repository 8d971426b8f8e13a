#include "api/sql/query/run/page_session.h"

#include <gtest/gtest.h>

#include <vector>

namespace orrery::sql {
namespace {

using gateway::SessionPosition;

TEST(PageSession, HasThePositionsOfAllPartitions) {
  const std::vector<SessionPosition> seen = {{PartitionId(3), Lsn(7)}, {PartitionId(4), Lsn(9)}};
  EXPECT_EQ(SessionOfPage(seen, false), "3:-1#7,4:-1#9");
  EXPECT_EQ(SessionOfPage({}, false), "");
  EXPECT_EQ(SessionOfPage({}, true), "");
}

// Java's client fails at a comma: "-1#7,11" is no position.
TEST(PageSession, OfOneKeyItHasOnePositionAlsoIfThePartitionHasSplit) {
  const std::vector<SessionPosition> seen = {{PartitionId(3), Lsn(7)}, {PartitionId(11), Lsn(8)}};
  EXPECT_EQ(SessionOfPage(seen, true), "11:-1#8");
  const std::vector<SessionPosition> quiet = {{PartitionId(11), Lsn(7)}, {PartitionId(3), Lsn(7)}};
  EXPECT_EQ(SessionOfPage(quiet, true), "11:-1#7");
}

}  // namespace
}  // namespace orrery::sql
