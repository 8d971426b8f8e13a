#include "query/source/gateway_source.h"

#include <gtest/gtest.h>

#include "gateway/test_server.h"
#include "query/source/shaper_testing.h"

namespace orrery::query {
namespace {

using gateway::TestServer;
using partition::HashRange;

constexpr int kScannedDocuments = 60;

class GatewaySourceTest : public testing::Test {
 protected:
  GatewaySourceTest() : server_(gateway::SmallPartitions()) {
    container_ = server_.MakeContainer("c", partition::ThroughputSettings::Manual(3'000));
    for (int i = 0; i < kScannedDocuments; ++i) {
      const std::string number = std::to_string(i);
      EXPECT_TRUE(server_
                      .Put(container_, R"({"id":"i)" + number + R"(","pk":"k)" + number +
                                           R"(","n":)" + number + "}")
                      .status.has_value());
      server_.clock.Advance(std::chrono::seconds(1));
    }
    path_.index = AutomaticIndexAt(DocumentPath().Field("n"), {ValueRange()}, *container_->schema);
  }

  // All numbers in the order that they come in, or the error.
  std::string ReadAll(const std::vector<HashRange>& partitions) {
    auto streams = PlanScans(path_, {}, *container_->schema, partitions, std::nullopt);
    EXPECT_TRUE(streams.has_value());
    GatewaySource source(
        {.gateway = *server_.gateway, .container = container_, .path = path_, .shaper = shaper_},
        *std::move(streams));
    std::string numbers;
    while (true) {
      const Result<bool> found = source.Next();
      if (!found.has_value()) return found.error().ToString();
      if (!*found) return numbers;
      numbers += std::to_string(source.document().Find("n")->AsInteger()) + " ";
    }
  }

  TestServer server_;
  gateway::ContainerRef container_;
  AccessPath path_;
  const AsStored shaper_;
};

TEST_F(GatewaySourceTest, MergesPartitions) {
  std::vector<HashRange> partitions;
  for (const auto& entry : server_.node->topology()->map->Ranges(container_->id))
    partitions.push_back(entry.range);
  ASSERT_EQ(partitions.size(), 3u);
  std::string rising;
  std::string falling;
  for (int i = 0; i < kScannedDocuments; ++i) {
    rising += std::to_string(i) + " ";
    falling += std::to_string(kScannedDocuments - 1 - i) + " ";
  }
  EXPECT_EQ(ReadAll(partitions), rising);
  path_.index->descending = true;
  EXPECT_EQ(ReadAll(partitions), falling);
}

// As after a split that the plan does not know of.
TEST_F(GatewaySourceTest, NoticesThatAStreamIsNotOnePartition) {
  EXPECT_EQ(ReadAll({HashRange()}), "moved: a partition split while the query read it");
}

}  // namespace
}  // namespace orrery::query
