#include "storage/rados/object/cluster_facts.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace orrery::storage::rados {
namespace {

TEST(ClusterFactsTest, ReadsWhatAPoolIsLike) {
  const auto facts = ParsePoolFacts(
      R"({"pool":"orrery","pool_id":1,"size":4,"min_size":3,"pg_num":16,"crush_rule":"r"})");
  ASSERT_TRUE(facts.has_value()) << facts.error().ToString();
  EXPECT_EQ(facts->size, 4u);
  EXPECT_EQ(facts->min_size, 3u);
  EXPECT_EQ(facts->placement_groups, 16u);
  EXPECT_TRUE(facts->replicated);
}

TEST(ClusterFactsTest, RecognisesAnErasureCodedPool) {
  const auto facts =
      ParsePoolFacts(R"({"size":6,"min_size":5,"pg_num":16,"erasure_code_profile":"default"})");
  ASSERT_TRUE(facts.has_value());
  EXPECT_FALSE(facts->replicated);
  EXPECT_FALSE(CheckKind(*facts, "orrery").has_value());
}

TEST(ClusterFactsTest, ReadsHealth) {
  const auto facts = ParseClusterFacts(
      R"({"fsid":"6fa7","health":{"status":"HEALTH_WARN","checks":{"OSD_DOWN":{"severity":"w"},
          "PG_DEGRADED":{}},"mutes":[]},"osdmap":{"num_osds":4,"num_up_osds":3},
          "pgmap":{"num_pgs":16,"bytes_used":1217331200,"bytes_avail":15962537984}})");
  ASSERT_TRUE(facts.has_value()) << facts.error().ToString();
  EXPECT_EQ(facts->id, "6fa7");
  EXPECT_EQ(facts->health, "HEALTH_WARN");
  EXPECT_EQ(facts->checks, (std::vector<std::string>{"OSD_DOWN", "PG_DEGRADED"}));
  EXPECT_EQ(facts->osds, 4u);
  EXPECT_EQ(facts->osds_up, 3u);
  EXPECT_EQ(facts->bytes_used, 1217331200u);
  EXPECT_EQ(facts->bytes_available, 15962537984u);
}

TEST(ClusterFactsTest, ReadsHowMuchFits) {
  const auto told = [](std::string_view quota, std::string_view stored) {
    return ParseFreeBytes(
        fmt::format(R"({{"stats":{{"total_bytes":17179869184}},"pools":[{{"name":"other","id":1,
            "stats":{{"stored":9,"max_avail":7,"quota_bytes":0}}}},{{"name":"orrery","id":2,
            "stats":{{"stored":{},"max_avail":4000,"quota_bytes":{}}}}}]}})",
                    stored, quota),
        "orrery");
  };
  EXPECT_EQ(told("0", "500"), 4000u);
  EXPECT_EQ(told("3000", "500"), 2500u);
  EXPECT_EQ(told("9000", "500"), 4000u);
  EXPECT_EQ(told("400", "500"), 0u) << "more than the quota is there";
  EXPECT_FALSE(told("-1", "500").has_value());
  for (const std::string_view json : {"", R"({"stats":{"total_bytes":9},"pools":[]})",
                                      R"({"stats":{"total_bytes":9},"pools":[3]})",
                                      R"({"stats":{"total_bytes":0},"pools":[{"name":"orrery",
            "stats":{"stored":0,"max_avail":0,"quota_bytes":0}}]})"})
    EXPECT_FALSE(ParseFreeBytes(json, "orrery").has_value()) << json;
}

TEST(ClusterFactsTest, ReadsWhereCopiesAre) {
  const auto copies = ParseCopies(R"({"pgid":"1.d","acting":[2,1,2147483647,0]})");
  ASSERT_TRUE(copies.has_value());
  EXPECT_EQ(*copies, (std::vector<uint32_t>{2, 1, 0})) << "one place is empty";
}

TEST(ClusterFactsTest, StrangeAnswersAreErrors) {
  for (const std::string_view json :
       {"", "[]", "no json", "{}", R"({"size":-1,"min_size":3,"pg_num":1})",
        R"({"size":"4","min_size":3,"pg_num":1})",
        R"({"size":99999999999,"min_size":3,"pg_num":1})", R"({"fsid":"x","health":"good"})",
        R"({"acting":{"0":1}})", R"({"acting":["a"]})"}) {
    EXPECT_FALSE(ParsePoolFacts(json).has_value()) << json;
    EXPECT_FALSE(ParseClusterFacts(json).has_value()) << json;
    EXPECT_FALSE(ParseCopies(json).has_value()) << json;
  }
}

TEST(ClusterFactsTest, TooFewCopiesAreRefusedWithTheCommandThatHelps) {
  const Status few = CheckCopies({.size = 3, .min_size = 2}, "data");
  ASSERT_FALSE(few.has_value());
  EXPECT_NE(few.error().message().find("ceph osd pool set data size 4"), std::string::npos);
  const Status serving = CheckCopies({.size = 4, .min_size = 2}, "data");
  ASSERT_FALSE(serving.has_value());
  EXPECT_NE(serving.error().message().find("ceph osd pool set data min_size 3"), std::string::npos);
  EXPECT_TRUE(CheckCopies({.size = 5, .min_size = 3}, "data").has_value());
  EXPECT_TRUE(CheckCopies({.size = 1, .min_size = 1}, "data", 1, 1).has_value());
}

}  // namespace
}  // namespace orrery::storage::rados
