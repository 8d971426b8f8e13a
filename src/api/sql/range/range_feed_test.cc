#include "api/sql/range/range_feed.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

class RangeFeedTest : public testing::Test {
 protected:
  RangeFeedTest() {
    container_.id = ContainerId(3);
    container_.database = DatabaseId(2);
  }

  static gateway::ContainerRange Range(uint64_t id, std::string min, std::string max,
                                       std::vector<PartitionId> ancestry = {}) {
    gateway::ContainerRange range;
    range.partition = PartitionId(id);
    range.min_epk = std::move(min);
    range.max_epk = std::move(max);
    range.ancestry = std::move(ancestry);
    return range;
  }
  static std::string Ids(const RangeFeed& feed) {
    std::string ids;
    for (const model::Value& range : feed.ranges) ids += range.Find("id")->AsString() + " ";
    return ids;
  }

  gateway::ContainerEntry container_;
};

TEST_F(RangeFeedTest, OnlyWhatCameSince) {
  const std::vector before{Range(4, "", "20"), Range(5, "20", "FF")};
  const RangeFeed first = ReadRanges(container_, before, "");
  EXPECT_EQ(Ids(first), "4 5 ");
  EXPECT_EQ(ReadRanges(container_, before, first.etag).ranges.size(), 0u);

  const std::vector after{Range(9, "", "10", {PartitionId(4)}),
                          Range(10, "10", "20", {PartitionId(4)}), Range(5, "20", "FF")};
  const RangeFeed second = ReadRanges(container_, after, first.etag);
  EXPECT_EQ(Ids(second), "9 10 ");
  EXPECT_EQ(model::ToJson(*second.ranges[0].Find("parents")), R"(["4"])");
  EXPECT_EQ(Ids(ReadRanges(container_, after, "")), "9 10 5 ");
}

TEST_F(RangeFeedTest, AnEtagThatIsNoneMeansAll) {
  const std::vector ranges{Range(4, "", "FF")};
  EXPECT_EQ(Ids(ReadRanges(container_, ranges, "\"whatever\"")), "4 ");
}

}  // namespace
}  // namespace orrery::sql
