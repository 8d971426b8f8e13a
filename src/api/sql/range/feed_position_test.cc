#include "api/sql/range/feed_position.h"

#include <gtest/gtest.h>

#include "gateway/test_server.h"
#include "gateway/view/container_ranges.h"

namespace orrery::sql {
namespace {

using gateway::ContainerRef;
using partition::ThroughputSettings;

class FeedPositionTest : public testing::Test {
 protected:
  FeedPositionTest() : server_(gateway::SmallPartitions()) {}

  ContainerRef Make(int64_t throughput) {
    ContainerRef container = server_.MakeContainer("c", ThroughputSettings::Manual(throughput));
    for (int i = 0; i < 10; ++i)
      EXPECT_TRUE(server_.Put(container, fmt::format(R"({{"id":"{}","pk":"k{}"}})", i, i)).status);
    return container;
  }

  gateway::TestServer server_;
};

TEST_F(FeedPositionTest, OnePartitionsIsANumber) {
  const ContainerRef container = Make(1'000);
  const gateway::FeedSpec spec;
  const FeedQuestion question{.container = *container, .spec = spec};
  const auto page = server_.gateway->ReadFeed(container, spec, "");
  const auto etag = EtagOf(question, page->continuation);
  ASSERT_TRUE(etag.has_value());
  EXPECT_EQ(etag->find_first_not_of("\"0123456789"), std::string::npos) << *etag;
  const auto continuation = ContinuationOf(question, *etag);
  const auto next = server_.gateway->ReadFeed(container, spec, *continuation);
  ASSERT_TRUE(next.has_value()) << next.error().ToString();
  EXPECT_TRUE(next->entries.empty());
}

TEST_F(FeedPositionTest, AParentsNumberHoldsForItsChildren) {
  const ContainerRef container = Make(1'000);
  gateway::FeedSpec spec;
  const auto page = server_.gateway->ReadFeed(container, spec, "");
  const auto etag = EtagOf({.container = *container, .spec = spec}, page->continuation);
  const PartitionId parent = gateway::RangesOf(*server_.gateway, *container)->at(0).partition;
  ASSERT_TRUE(server_.node->Split(parent, std::nullopt).has_value());
  ASSERT_TRUE(server_.Put(container, R"({"id":"new","pk":"k1"})").status);
  size_t found = 0;
  for (const auto& range : *gateway::RangesOf(*server_.gateway, *container)) {
    spec.range = range.range;
    const auto continuation = ContinuationOf({.container = *container, .spec = spec}, *etag);
    const auto changes = server_.gateway->ReadFeed(container, spec, *continuation);
    ASSERT_TRUE(changes.has_value()) << changes.error().ToString();
    found += changes->entries.size();
  }
  EXPECT_EQ(found, 1u);
}

TEST_F(FeedPositionTest, SeveralPartitionsHaveTheGatewaysToken) {
  const ContainerRef container = Make(2'000);
  const gateway::FeedSpec spec;
  const FeedQuestion question{.container = *container, .spec = spec};
  const auto page = server_.gateway->ReadFeed(container, spec, "");
  const auto etag = EtagOf(question, page->continuation);
  ASSERT_TRUE(etag.has_value());
  EXPECT_EQ(ContinuationOf(question, *etag), page->continuation);
}

TEST_F(FeedPositionTest, OfOneKey) {
  const ContainerRef container = Make(2'000);
  gateway::FeedSpec spec;
  spec.partition_key = gateway::KeyValues{model::Value::String("k3")};
  const FeedQuestion question{
      .container = *container,
      .spec = spec,
      .key = *server_.gateway->RoutePartitionKey(*container, *spec.partition_key)};
  const auto from_start =
      server_.gateway->ReadFeed(container, spec, *ContinuationOf(question, "\"0\""));
  ASSERT_TRUE(from_start.has_value()) << from_start.error().ToString();
  EXPECT_EQ(from_start->entries.size(), 1u);
}

}  // namespace
}  // namespace orrery::sql
