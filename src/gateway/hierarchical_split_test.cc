// Splits inside one first level of a hierarchical key: what SDKs are told about the boundary.
#include <gtest/gtest.h>

#include "gateway/test_server.h"
#include "partition/key/partition_key.h"

namespace orrery::gateway {
namespace {

using model::Value;

constexpr int kUsers = 40;

KeyValues KeyOf(int user) {
  return {Value::String("tenant"), Value::String("user" + std::to_string(user))};
}

ContainerRef MakeTenants(TestServer& server) {
  EXPECT_TRUE(server.catalog->CreateDatabase("db", {}).has_value());
  ContainerSettings settings;
  settings.name = "c";
  settings.partition_key_paths = {"/tenant", "/user"};
  settings.hashing = partition::KeyHashing::kMultiHash;
  settings.throughput = partition::ThroughputSettings::Manual(1'000);
  const auto created = server.catalog->CreateContainer("db", settings);
  EXPECT_TRUE(created.has_value()) << created.error().ToString();
  for (int i = 0; i < kUsers; ++i) {
    const WriteResponse written = server.Put(
        *created, R"({"id": "1", "tenant": "tenant", "user": "user)" + std::to_string(i) + R"("})");
    EXPECT_TRUE(written.status.has_value()) << written.status.error().ToString();
    server.clock.Advance(std::chrono::seconds(1));
  }
  return *created;
}

// By the boundary as text each key is where the server has it.
void ExpectBoundaryParts(TestServer& server, const ContainerEntry& container) {
  const auto topology = server.node->topology();
  const auto ranges = topology->map->Ranges(container.id);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].begin_epk, "");
  ASSERT_NE(ranges[1].begin_epk, "");
  int below = 0;
  for (int i = 0; i < kUsers; ++i) {
    const std::string epk =
        *partition::EffectivePartitionKey(partition::KeyHashing::kMultiHash, KeyOf(i));
    const Hash128 position = server.gateway->RoutePartitionKey(container, KeyOf(i))->hash;
    EXPECT_EQ(epk < ranges[1].begin_epk, ranges[0].range.Contains(position)) << epk;
    if (epk < ranges[1].begin_epk) ++below;
  }
  EXPECT_GT(below, kUsers / 4);
  EXPECT_LT(below, kUsers * 3 / 4);
}

TEST(HierarchicalSplit, TheBoundaryInsideATenantIsKept) {
  TestServer server;
  ContainerRef container = MakeTenants(server);
  const PartitionId only = server.node->topology()->map->Ranges(container->id)[0].partition;
  const auto split = server.node->Split(only, std::nullopt);
  ASSERT_TRUE(split.has_value()) << split.error().ToString();
  ExpectBoundaryParts(server, *container);
  const std::string boundary = server.node->topology()->map->Ranges(container->id)[1].begin_epk;

  server.Restart();
  container = server.Find("c");
  ExpectBoundaryParts(server, *container);
  EXPECT_EQ(server.node->topology()->map->Ranges(container->id)[1].begin_epk, boundary);

  const auto merged = server.node->Merge(split->children[0], split->children[1]);
  ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
  EXPECT_EQ(server.node->topology()->map->Ranges(container->id)[0].begin_epk, "");
}

}  // namespace
}  // namespace orrery::gateway
