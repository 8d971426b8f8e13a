// Partitions at other nodes count: the least throughput follows from all that is stored.
#include <gmock/gmock.h>

#include "cluster/partition_statistics.h"
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
    if (method != PeerMethod::kPartitionStatistics)
      return core_.peer_service().Serve(caller, method, std::move(request), std::move(answer));
    auto statistics = cluster::StatisticsOf(*core_.node().topology(), Micros(0));
    for (auto& each : statistics) {
      each.shares.clear();
      for (const auto& slice : core_.node().topology()->RecordOf(each.id)->slices)
        each.shares.push_back({.container = slice.container, .bytes = kLarge, .items = 1});
    }
    answer(cluster::EncodeStatistics(statistics));
  }

 private:
  Core& core_;
};

class RemoteStatistics : public testing::Test {
 protected:
  // A container of four partitions, and two containers that share those of a database.
  RemoteStatistics() {
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
  ~RemoteStatistics() override { cluster.peers.Close(); }

  // Returns how many partitions of a container's throughput owner node 2 has.
  int64_t PartitionsAtTwo(std::string_view database, std::string_view name) {
    return std::ssize(
        cluster.core(2).node().topology()->Of(cluster.Find(2, database, name)->throughput_owner));
  }
  Catalog& catalog() { return cluster.core(1).catalog(); }

  TestCluster cluster;
  std::unique_ptr<LargeNode> large;
};

TEST_F(RemoteStatistics, TheLeastThroughputFollowsFromAllNodesBytes) {
  const int64_t own = PartitionsAtTwo("db", "c");
  ASSERT_GT(own, 0);
  EXPECT_EQ(catalog().MinimumThroughput("db", "c"), own * 1'000);
  const int64_t shared = PartitionsAtTwo("shared", "a");
  ASSERT_GT(shared, 0);
  EXPECT_EQ(catalog().MinimumThroughput("shared", std::nullopt), shared * 2 * 1'000);
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kPartitionStatistics), 1) << "one round is for all";

  const Status less =
      catalog().SetThroughput("db", "c", partition::ThroughputSettings::Manual(500));
  ASSERT_FALSE(less.has_value());
  EXPECT_EQ(less.error().code(), Code::kInvalidArgument);
  EXPECT_THAT(less.error().message(), HasSubstr(std::to_string(own * 1'000)));
}

TEST_F(RemoteStatistics, ReportsHaveTheKeysThatOthersTell) {
  const ContainerRef container = cluster.Find(1, "db", "c");
  const auto topology = cluster.core(1).node().topology();
  const auto at_two = std::ranges::find_if(topology->remote, [&](const auto& each) {
    return each.second.record->throughput_owner == container->throughput_owner;
  });
  ASSERT_NE(at_two, topology->remote.end());
  cluster::PartitionStatistics told{.id = at_two->first};
  told.shares = {{.container = container->id, .bytes = uint64_t{1} << 30, .items = 10}};
  told.largest = {{container->id, item::Tuple("big"), uint64_t{900} << 20}};
  told.hottest = {{container->id, item::Tuple("hot"), 0, 300}};
  const auto statistics = cluster::DecodeStatistics(cluster::EncodeStatistics({told}));
  ASSERT_TRUE(statistics.has_value());

  const auto snapshot = catalog().snapshot();
  const KeyNamings names;
  const Reporter reporter(*snapshot, *topology, cluster.clock, names);
  const PartitionReport partition = reporter.Describe(at_two->second, &statistics->front());
  ASSERT_EQ(partition.largest.size(), 1u);
  EXPECT_EQ(partition.largest[0].key, R"(["big"])");
  EXPECT_EQ(partition.largest[0].container, "c");
  ASSERT_EQ(partition.hottest.size(), 1u);
  EXPECT_EQ(partition.hottest[0].request_units_per_second, 300);
  const ContainerReport report = reporter.Describe(*container, {{NodeId(2), *statistics}});
  EXPECT_EQ(report.bytes, uint64_t{1} << 30);
  EXPECT_EQ(report.items, 10u);
  EXPECT_THAT(report.advice, testing::Contains(HasSubstr("big")));
}

TEST_F(RemoteStatistics, WhoDoesNotAnswerHasWhatItSaidLast) {
  const auto told = catalog().MinimumThroughput("db", "c");
  cluster.peers.cut = true;
  cluster.clock.Advance(RecentStatistics::kLast);
  EXPECT_EQ(catalog().MinimumThroughput("db", "c"), *told);
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kPartitionStatistics), 2);
}

}  // namespace
}  // namespace orrery::gateway
