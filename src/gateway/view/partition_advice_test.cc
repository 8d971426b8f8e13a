#include "gateway/view/partition_advice.h"

#include <gtest/gtest.h>

namespace orrery::gateway {
namespace {

constexpr uint64_t kMegabyte = uint64_t{1} << 20;

ContainerFacts Healthy() {
  ContainerFacts facts;
  facts.key_paths = {"/deviceId"};
  facts.bytes = 100 * kMegabyte;
  facts.logical_partition_bytes_max = 50 * kMegabyte;
  facts.largest = {{"[\"a\"]", 2 * kMegabyte, 0, 0}, {"[\"b\"]", kMegabyte, 0, 0}};
  facts.hottest = {{"[\"a\"]", 0, 10, 1000}};
  facts.partitions = {{100, 1000, 0}, {120, 1000, 0}};
  return facts;
}

TEST(PartitionAdvice, NoneWhenAllIsWell) { EXPECT_TRUE(AdviceFor(Healthy()).empty()); }

TEST(PartitionAdvice, Skew) {
  ContainerFacts facts = Healthy();
  facts.largest[0].bytes = 35 * kMegabyte;
  const auto advice = AdviceFor(facts);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_NE(advice[0].find("holds 35 % of the data"), std::string::npos) << advice[0];
  facts.bytes = kAdviceBytesMin - 1;
  facts.largest[0].bytes = facts.bytes;
  EXPECT_TRUE(AdviceFor(facts).empty());
}

TEST(PartitionAdvice, NearTheLimitComesFirst) {
  ContainerFacts facts = Healthy();
  facts.largest[0].bytes = 45 * kMegabyte;
  const auto advice = AdviceFor(facts);
  ASSERT_EQ(advice.size(), 2u);
  EXPECT_NE(advice[0].find("45.0 MB of the 50.0 MB"), std::string::npos) << advice[0];
}

TEST(PartitionAdvice, HotKey) {
  ContainerFacts facts = Healthy();
  facts.hottest[0].request_units_per_second = 700;
  const auto advice = AdviceFor(facts);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_NE(advice[0].find("takes 70 %"), std::string::npos) << advice[0];
}

TEST(PartitionAdvice, HotPartition) {
  ContainerFacts facts = Healthy();
  facts.partitions[0] = {990, 1000, 17};
  EXPECT_EQ(AdviceFor(facts).size(), 1u);
  facts.partitions[1].used = 900;
  EXPECT_TRUE(AdviceFor(facts).empty());
}

}  // namespace
}  // namespace orrery::gateway
