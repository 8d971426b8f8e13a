#include "gateway/view/inspection.h"

#include <gtest/gtest.h>

#include "gateway/test_server.h"

namespace orrery::gateway {
namespace {

using partition::ThroughputSettings;

TEST(Inspection, ShowsWhatThereIs) {
  TestServer server(SmallPartitions());
  Inspection inspection(*server.gateway, server.resources, server.clock, "1.2.3");
  const ContainerRef container = server.MakeContainer("c", ThroughputSettings::Manual(2'000));
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(
        server.Put(container, fmt::format(R"({{"id": "{}", "pk": "k{}"}})", i, i % 4)).status);
  }
  server.clock.Advance(std::chrono::seconds(3));

  const StatusReport status = inspection.Status();
  EXPECT_EQ(status.version, "1.2.3");
  EXPECT_DOUBLE_EQ(status.uptime_s, 3);
  EXPECT_EQ(status.databases, 1u);
  EXPECT_EQ(status.containers, 1u);
  EXPECT_EQ(status.partitions, 2u);
  EXPECT_EQ(status.items, 20u);

  const auto partitions = inspection.Partitions("db", "c");
  ASSERT_TRUE(partitions.has_value());
  ASSERT_EQ(partitions->size(), 2u);
  EXPECT_EQ(partitions->at(0).owner, "container 'c' of 'db'");
  EXPECT_EQ(partitions->at(0).request_units_per_second, 1'000);
  EXPECT_EQ(partitions->at(0).ranges.at(0).begin, std::string(32, '0'));
  EXPECT_EQ(partitions->at(1).ranges.at(0).last, std::string(32, 'F'));
  EXPECT_EQ(partitions->at(0).items + partitions->at(1).items, 20u);
  bool found = false;
  for (const PartitionReport& partition : *partitions) {
    for (const KeyReport& key : partition.largest) found = found || key.key == R"(["k1"])";
  }
  EXPECT_TRUE(found);

  const auto containers = inspection.Containers("db", std::nullopt);
  ASSERT_TRUE(containers.has_value());
  ASSERT_EQ(containers->size(), 1u);
  EXPECT_EQ(containers->at(0).kind, "unlimited");
  EXPECT_EQ(containers->at(0).throughput.kind, "manual");
  EXPECT_EQ(containers->at(0).throughput.minimum, 1'000);
  EXPECT_EQ(containers->at(0).items, 20u);
  EXPECT_EQ(inspection.Databases()->at(0).containers, 1u);

  MetricsText text;
  inspection.Collect(text);
  EXPECT_NE(text.Render().find("orrery_partition_items"), std::string::npos);
}

TEST(Inspection, UseOfTheSharedPoolIsCounted) {
  TestServer server;
  const Inspection inspection(*server.gateway, server.resources, server.clock, "v");
  const WriteResponse written = server.Put(server.MakeContainer("c"), R"({"id": "1", "pk": "k"})");
  server.clock.Advance(std::chrono::seconds(1));
  const auto partitions = inspection.Partitions("db", "c");
  ASSERT_TRUE(partitions.has_value());
  EXPECT_EQ(partitions->at(0).request_units_per_second, std::nullopt);
  EXPECT_EQ(partitions->at(0).used_last_second, written.charge.ToDouble());
  EXPECT_EQ(partitions->at(0).throttled_total, 0u);
}

TEST(Inspection, TokensOfCassandraTables) {
  TestServer server;
  ASSERT_TRUE(server.catalog->CreateDatabase("ks", {}).has_value());
  ContainerSettings settings;
  settings.name = "t";
  settings.partition_key_paths = {"/k"};
  settings.hashing = partition::KeyHashing::kCassandra;
  settings.order = model::Order::kCql;
  ASSERT_TRUE(server.catalog->CreateContainer("ks", settings).has_value());
  const Inspection inspection(*server.gateway, server.resources, server.clock, "v");
  const auto partitions = inspection.Partitions("ks", "t");
  ASSERT_TRUE(partitions.has_value());
  ASSERT_TRUE(partitions->at(0).ranges.at(0).tokens.has_value());
  EXPECT_EQ(partitions->at(0).ranges.at(0).tokens, std::pair(INT64_MIN, INT64_MAX));
  EXPECT_EQ(partitions->at(0).owner, "commons");
}

TEST(Inspection, SplitsAndMerges) {
  TestServer server;
  Inspection inspection(*server.gateway, server.resources, server.clock, "v");
  const ContainerRef container = server.MakeContainer("c", ThroughputSettings::Manual(1'000));
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(server.Put(container, fmt::format(R"({{"id": "{}", "pk": "k{}"}})", i, i)).status);
  }
  EXPECT_EQ(inspection.Split(std::nullopt, std::nullopt, std::nullopt).error().code(),
            Code::kInvalidArgument);
  EXPECT_EQ(inspection.Split(std::nullopt, std::nullopt, 9'999).error().code(), Code::kNotFound);
  EXPECT_EQ(inspection.Split("db", "nix", std::nullopt).error().code(), Code::kNotFound);
  const auto split = inspection.Split("db", "c", std::nullopt);
  ASSERT_TRUE(split.has_value()) << split.error().ToString();
  ASSERT_EQ(split->children.size(), 2u);
  inspection.WaitForIdle();
  const auto partitions = inspection.Partitions("db", "c");
  ASSERT_EQ(partitions->size(), 2u);
  EXPECT_EQ(partitions->at(0).parents, (std::vector<uint64_t>{split->partition}));
  EXPECT_EQ(partitions->at(0).items + partitions->at(1).items, 40u);

  const auto merged = inspection.Merge(split->children[0], split->children[1]);
  ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
  EXPECT_EQ(inspection.Partitions("db", "c")->size(), 1u);
  for (int i = 0; i < 40; ++i) {
    EXPECT_TRUE(
        server.Get(container, fmt::format("k{}", i), fmt::format("{}", i)).status.has_value());
  }
}

}  // namespace
}  // namespace orrery::gateway
