#include "api/sql/request/request_headers.h"

#include <gtest/gtest.h>

namespace orrery::sql {
namespace {

using partition::ThroughputSettings;

RequestHeaders Read(std::initializer_list<std::pair<std::string_view, std::string_view>> headers) {
  auto read = ReadHeaders(net::HttpHeaders(headers));
  EXPECT_TRUE(read.has_value()) << read.error().ToString();
  return read.has_value() ? *std::move(read) : RequestHeaders();
}

std::string Refused(std::string_view name, std::string_view value) {
  const auto read = ReadHeaders(net::HttpHeaders{{name, value}});
  return read.has_value() ? "taken" : read.error().message();
}

TEST(RequestHeaders, NothingSaid) {
  const RequestHeaders headers = Read({});
  EXPECT_FALSE(headers.partition_key.has_value());
  EXPECT_FALSE(headers.items_max.has_value());
  EXPECT_EQ(headers.feed, FeedKind::kNone);
  EXPECT_EQ(headers.throughput, ThroughputSettings::None());
  EXPECT_FALSE(headers.upsert || headers.query || headers.batch || headers.minimal);
}

TEST(RequestHeaders, WhichPart) {
  const RequestHeaders headers = Read({{"x-ms-documentdb-partitionkey", "[\"a\",1]"},
                                       {"x-ms-documentdb-partitionkeyrangeid", "gAAIAIAAAAE=,7"},
                                       {"x-ms-start-epk", "10"}});
  EXPECT_EQ(headers.partition_key->size(), 2u);
  EXPECT_EQ(headers.range_id, "7");
  EXPECT_EQ(headers.epk_range, (EpkRange{"10", "FF"}));
}

TEST(RequestHeaders, Pages) {
  EXPECT_EQ(Read({{"x-ms-max-item-count", "-1"}}).items_max, std::nullopt);
  EXPECT_EQ(Read({{"x-ms-max-item-count", "25"}}).items_max, 25u);
  EXPECT_EQ(Read({{"x-ms-max-item-count", "0"}}).items_max, std::nullopt);
  EXPECT_EQ(Read({{"x-ms-continuation", "abc"}}).continuation, "abc");
}

TEST(RequestHeaders, WhatAPostMeans) {
  EXPECT_TRUE(Read({{"x-ms-documentdb-is-upsert", "True"}}).upsert);
  EXPECT_TRUE(Read({{"x-ms-documentdb-isquery", "true"}}).query);
  EXPECT_TRUE(Read({{"Content-Type", "application/query+json"}}).query);
  EXPECT_TRUE(Read({{"x-ms-cosmos-is-query-plan-request", "True"}}).query_plan);
  EXPECT_FALSE(Read({{"x-ms-documentdb-is-upsert", "False"}}).upsert);
}

TEST(RequestHeaders, WhatAQueryIsToTell) {
  EXPECT_EQ(Read({}).index_metrics, IndexMetrics::kNone);
  EXPECT_EQ(Read({{"x-ms-cosmos-populateindexmetrics", "True"}}).index_metrics,
            IndexMetrics::kFirst);
  EXPECT_EQ(Read({{"x-ms-cosmos-populateindexmetrics-V2", "true"}}).index_metrics,
            IndexMetrics::kSecond);
  EXPECT_EQ(
      Read({{"x-ms-cosmos-supported-query-features", "Top, DCount,HybridSearch"}}).plan_features,
      (std::vector<std::string>{"Top", "DCount", "HybridSearch"}));
}

TEST(RequestHeaders, Throughput) {
  EXPECT_EQ(Read({{"x-ms-offer-throughput", "400"}}).throughput, ThroughputSettings::Manual(400));
  EXPECT_EQ(
      Read({{"x-ms-cosmos-offer-autopilot-settings", R"({"maxThroughput":4000})"}}).throughput,
      ThroughputSettings::Autoscale(4000));
}

TEST(RequestHeaders, Feeds) {
  EXPECT_EQ(Read({{"A-IM", "Incremental feed"}}).feed, FeedKind::kIncremental);
  EXPECT_EQ(Read({{"A-IM", "Full-Fidelity Feed"}}).feed, FeedKind::kFullFidelity);
  EXPECT_TRUE(
      Read({{"If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"}}).if_modified_since.has_value());
}

TEST(RequestHeaders, Triggers) {
  EXPECT_EQ(Read({{"x-ms-documentdb-pre-trigger-include", "a, b,"}}).pre_triggers,
            (std::vector<std::string>{"a", "b"}));
}

TEST(RequestHeaders, EveryRefusalNamesItsHeader) {
  const std::pair<std::string_view, std::string_view> wrong[] = {
      {"x-ms-max-item-count", "many"},
      {"x-ms-max-item-count", "-2"},
      {"A-IM", "everything"},
      {"If-Modified-Since", "yesterday"},
      {"x-ms-consistency-level", "Hopeful"},
      {"x-ms-offer-throughput", "4e2"},
      {"x-ms-cosmos-offer-autopilot-settings", "{}"},
      {"x-ms-documentdb-expiry-seconds", "5"},
      {"x-ms-documentdb-partitionkeyrangeid", "x,"},
  };
  for (const auto& [name, value] : wrong)
    EXPECT_NE(Refused(name, value).find(name), std::string::npos) << Refused(name, value);
  EXPECT_NE(Refused("x-ms-documentdb-partitionkey", "a").find("partition key"), std::string::npos);
}

TEST(RequestHeaders, OldVersionsKnowOtherSessionTokens) {
  EXPECT_FALSE(Read({}).old_session_tokens);
  EXPECT_TRUE(Read({{"x-ms-version", "2017-11-15"}}).old_session_tokens);
  EXPECT_FALSE(Read({{"x-ms-version", "2018-06-18"}}).old_session_tokens);
  EXPECT_FALSE(Read({{"x-ms-version", "2020-07-15"}}).old_session_tokens);
}

}  // namespace
}  // namespace orrery::sql
