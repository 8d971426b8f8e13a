#include "gateway/view/ring_view.h"

#include <gtest/gtest.h>

#include "gateway/remote/cluster_testing.h"

namespace orrery::gateway {
namespace {

class TwoNodes final : public ClusterView {
 public:
  NodeId self() const override { return NodeId(1); }
  NodeId manager() const override { return NodeId(1); }
  const std::string& cluster_id() const override { return id_; }
  ClusterNodes Nodes() const override { return nodes_; }
  std::shared_ptr<const StoreReport> Store() const override { return nullptr; }
  std::vector<uint32_t> CopiesOf(PartitionId) const override { return {}; }
  std::optional<std::chrono::milliseconds> ClockAhead(NodeId) const override {
    return std::nullopt;
  }

 private:
  const std::string id_ = "test";
  const ClusterNodes nodes_ =
      std::make_shared<const std::vector<ClusterNode>>(std::vector<ClusterNode>{
          {NodeId(1), "one", "", 0, 9042, 0, ""}, {NodeId(2), "two", "", 0, 9042, 0, ""}});
};

TEST(RingViewTest, TheRingIsMadeOncePerPictureAndKeepsNoPartitionOpen) {
  TestCluster cluster;
  ASSERT_TRUE(cluster.core(1).catalog().CreateDatabase("ks", {}).has_value());
  ContainerSettings settings;
  settings.name = "t";
  settings.partition_key_paths = {"/k"};
  settings.hashing = partition::KeyHashing::kCassandra;
  settings.order = model::Order::kCql;
  settings.indexing.automatic = false;
  settings.rows.emplace();
  settings.throughput = partition::ThroughputSettings::Manual(4'000);
  ASSERT_TRUE(cluster.core(1).catalog().CreateContainer("ks", settings).has_value());
  cluster.Spread(2);

  const TwoNodes nodes;
  RingView view(cluster.core(1).catalog(), cluster.core(1).node(), nodes);
  const auto ring = view.Look();
  ASSERT_EQ(ring->size(), 2u);
  EXPECT_EQ(view.Look(), ring);

  std::weak_ptr<cluster::HostedPartition> given;
  PartitionId id;
  {
    const auto picture = cluster.core(1).node().topology();
    ASSERT_FALSE(picture->hosted.empty());
    id = picture->hosted.begin()->first;
    given = picture->hosted.begin()->second;
  }
  cluster.Move(id, NodeId(2));
  EXPECT_TRUE(given.expired()) << "it is open as long as somebody has it";
  EXPECT_NE(view.Look(), ring);
}

}  // namespace
}  // namespace orrery::gateway
