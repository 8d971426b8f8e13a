// What partitions at other nodes count for: the least throughput follows from all that is stored.
#include <gmock/gmock.h>

#include "cluster/partition_figures.h"
#include "gateway/remote/cluster_testing.h"
#include "gateway/view/reporter.h"
#include "item/item_test_harness.h"

namespace orrery::gateway {
namespace {

using cluster::PeerMethod;
using testing::HasSubstr;

constexpr uint64_t kLarge = uint64_t{1'000} << 30;  // 1,000 GB, which need 1,000 RU/s

// A node that says of each of its partitions that it has 1,000 GB for each of its containers.
class LargeNode final : public cluster::PeerService {
 public:
  explicit LargeNode(Core& core) : core_(core) {}
  void Serve(NodeId caller, PeerMethod method, std::string request, Answer answer) override {
    if (method != PeerMethod::kPartitionFigures)
      return core_.peer_service().Serve(caller, method, std::move(request), std::move(answer));
    auto figures = cluster::FiguresOf(*core_.node().topology(), Micros(0));
    for (auto& each : figures) {
      each.shares.clear();
      for (const auto& slice : core_.node().topology()->RecordOf(each.id)->slices)
        each.shares.push_back({.container = slice.container, .bytes = kLarge, .items = 1});
    }
    answer(cluster::EncodeFigures(figures));
  }

 private:
  Core& core_;
};

class RemoteFigures : public testing::Test {
 protected:
  // A container of four partitions, and two containers that share those of a database.
  RemoteFigures() {
    Catalog& catalog = cluster.core(1).catalog();
    EXPECT_TRUE(catalog.CreateDatabase("db", {}).has_value());
    EXPECT_TRUE(
        catalog.CreateDatabase("shared", partition::ThroughputSettings::Manual(4'000)).has_value());
    ContainerSettings settings;
    settings.partition_key_paths = {"/pk"};
    for (const char* name : {"a", "b"}) {
      settings.name = name;
      EXPECT_TRUE(catalog.CreateContainer("shared", settings).has_value());
    }
    settings.name = "c";
    settings.throughput = partition::ThroughputSettings::Manual(4'000);
    EXPECT_TRUE(catalog.CreateContainer("db", settings).has_value());
    cluster.Spread(2);
    large = std::make_unique<LargeNode>(cluster.core(2));
    cluster.peers.services[NodeId(2)] = large.get();
  }
  ~RemoteFigures() override { cluster.peers.Close(); }

  // How many partitions of the tenancy of a container node 2 has.
  int64_t PartitionsAtTwo(std::string_view database, std::string_view name) {
    return std::ssize(
        cluster.core(2).node().topology()->Of(cluster.Find(2, database, name)->tenancy));
  }
  Catalog& catalog() { return cluster.core(1).catalog(); }

  TestCluster cluster;
  std::unique_ptr<LargeNode> large;
};

TEST_F(RemoteFigures, TheLeastThroughputFollowsFromAllNodesBytes) {
  const int64_t own = PartitionsAtTwo("db", "c");
  ASSERT_GT(own, 0);
  EXPECT_EQ(catalog().MinimumThroughput("db", "c"), own * 1'000);
  const int64_t shared = PartitionsAtTwo("shared", "a");
  ASSERT_GT(shared, 0);
  EXPECT_EQ(catalog().MinimumThroughput("shared", std::nullopt), shared * 2 * 1'000);
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kPartitionFigures), 1) << "one round is for all";

  const Status less =
      catalog().SetThroughput("db", "c", partition::ThroughputSettings::Manual(500));
  ASSERT_FALSE(less.has_value());
  EXPECT_EQ(less.error().code(), Code::kInvalidArgument);
  EXPECT_THAT(less.error().message(), HasSubstr(std::to_string(own * 1'000)));
}

TEST_F(RemoteFigures, ReportsHaveTheKeysThatOthersTell) {
  const ContainerRef container = cluster.Find(1, "db", "c");
  const auto topology = cluster.core(1).node().topology();
  const auto at_two = std::ranges::find_if(topology->remote, [&](const auto& each) {
    return each.second.record->tenancy == container->tenancy;
  });
  ASSERT_NE(at_two, topology->remote.end());
  cluster::PartitionFigures told{.id = at_two->first};
  told.shares = {{.container = container->id, .bytes = uint64_t{1} << 30, .items = 10}};
  told.largest = {{container->id, item::Tuple("big"), uint64_t{900} << 20}};
  told.hottest = {{container->id, item::Tuple("hot"), 0, 300}};
  const auto figures = cluster::DecodeFigures(cluster::EncodeFigures({told}));
  ASSERT_TRUE(figures.has_value());

  const auto snapshot = catalog().snapshot();
  const Reporter reporter(*snapshot, *topology, cluster.clock);
  const PartitionReport partition = reporter.Describe(at_two->second, &figures->front());
  ASSERT_EQ(partition.largest.size(), 1u);
  EXPECT_EQ(partition.largest[0].key, R"(["big"])");
  EXPECT_EQ(partition.largest[0].container, "c");
  ASSERT_EQ(partition.hottest.size(), 1u);
  EXPECT_EQ(partition.hottest[0].request_units_per_second, 300);
  const ContainerReport report = reporter.Describe(*container, {{NodeId(2), *figures}});
  EXPECT_EQ(report.bytes, uint64_t{1} << 30);
  EXPECT_EQ(report.items, 10u);
  EXPECT_THAT(report.advice, testing::Contains(HasSubstr("big")));
}

TEST_F(RemoteFigures, WhoDoesNotAnswerHasWhatItSaidLast) {
  const auto told = catalog().MinimumThroughput("db", "c");
  cluster.peers.cut = true;
  cluster.clock.Advance(RecentFigures::kLast);
  EXPECT_EQ(catalog().MinimumThroughput("db", "c"), *told);
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kPartitionFigures), 2);
}

}  // namespace
}  // namespace orrery::gateway
