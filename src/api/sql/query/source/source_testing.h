// Queries over a real store, for tests that compare what an index answers with what is there.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/query/computed/computed_index.h"
#include "api/sql/query/query_engine.h"
#include "gateway/test_server.h"

namespace orrery::sql {

class SourceTest : public testing::Test {
 protected:
  static constexpr int64_t kRate = 100'000;

  SourceTest() : server_(FastPartitions(), &computed_maker_) {
    EXPECT_TRUE(server_.catalog->CreateDatabase("db", {}).has_value());
  }

  static partition::Limits FastPartitions() {
    partition::Limits limits;
    limits.physical_partition_rate_max = kRate;
    return limits;
  }

  static item::NamedIndex IndexOf(item::IndexKind kind, std::string_view path) {
    item::NamedIndex index{.id = 1, .name = "index", .paths = {*model::Path::Parse(path)}};
    index.kind = kind;
    return index;
  }

  // With partition key /pk; all paths are indexed, and what is named.
  gateway::ContainerRef Make(std::string name, int partitions,
                             std::vector<item::NamedIndex> named = {}) {
    gateway::ContainerSettings settings;
    settings.name = std::move(name);
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(kRate * partitions);
    settings.indexing.named = std::move(named);
    auto created = server_.catalog->CreateContainer("db", settings);
    EXPECT_TRUE(created.has_value()) << created.error().ToString();
    return *created;
  }

  // The same without any index.
  gateway::ContainerRef MakePlain(std::string name, int partitions) {
    gateway::ContainerSettings settings;
    settings.name = std::move(name);
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(kRate * partitions);
    settings.indexing.automatic = false;
    settings.indexing.included_paths = settings.indexing.excluded_paths = {};
    auto created = server_.catalog->CreateContainer("db", settings);
    EXPECT_TRUE(created.has_value()) << created.error().ToString();
    return *created;
  }

  void Put(const gateway::ContainerRef& container, const std::vector<std::string>& documents) {
    std::latch written(static_cast<ptrdiff_t>(documents.size()));
    for (const std::string& json : documents) {
      server_.gateway->Write(gateway::TestServer::Upsert(container, json),
                             [&](gateway::WriteResponse response) {
                               EXPECT_TRUE(response.status.has_value());
                               written.count_down();
                             });
    }
    written.wait();
    server_.clock.Advance(std::chrono::seconds(10));
  }

  QueryPage RunPage(const QueryRequest& request) {
    server_.clock.Advance(std::chrono::seconds(1));
    auto page = QueryEngine(*server_.gateway, functions_, server_.clock).Run(request);
    if (page.has_value()) return *std::move(page);
    ADD_FAILURE() << request.text;
    return {};
  }
  // All rows, sorted as texts.
  std::vector<std::string> RunAll(QueryRequest request) {
    return Sorted(RunInOrder(std::move(request)));
  }
  // All rows, as they come.
  std::vector<std::string> RunInOrder(QueryRequest request) {
    charge_ = {};
    examined_ = retrieved_ = 0;
    std::vector<std::string> rows;
    constexpr int kPagesMax = 10'000;
    for (int i = 0; i < kPagesMax; ++i) {
      QueryPage page = RunPage(request);
      std::ranges::move(page.rows, std::back_inserter(rows));
      charge_ += page.charge;
      examined_ += page.metrics.examined;
      retrieved_ += page.metrics.retrieved_documents;
      if (page.continuation.empty()) return rows;
      request.continuation = page.continuation;
    }
    ADD_FAILURE() << "the pages do not end";
    return rows;
  }
  // That `indexed` answers each query as `plain` does, over all and of one key, at once and by
  // pages.
  void ExpectAlike(std::span<const std::string_view> queries, const gateway::ContainerRef& indexed,
                   const gateway::ContainerRef& plain) {
    for (const std::string_view text : queries) {
      for (const bool is_narrow : {false, true}) {
        QueryRequest request{.text = std::string(text)};
        if (is_narrow) request.partition_key = {model::Value::String("p3")};
        request.container = plain;
        const bool is_ordered = text.contains("ORDER BY");
        const auto expected = is_ordered ? RunInOrder(request) : RunAll(request);
        request.container = indexed;
        for (const int64_t page : {-1, 3}) {
          request.max_items = page;
          EXPECT_EQ(is_ordered ? RunInOrder(request) : RunAll(request), expected)
              << text << (is_narrow ? ", of one key" : "") << ", pages of " << page;
        }
      }
    }
  }

  static std::vector<std::string> Sorted(std::vector<std::string> rows) {
    std::ranges::sort(rows);
    return rows;
  }

  void Delete(const gateway::ContainerRef& container, std::string pk, std::string id) {
    gateway::WriteRequest request;
    request.container = container;
    request.partition_key = {model::Value::String(std::move(pk))};
    request.operations.emplace_back();
    request.operations.back().kind = item::OperationKind::kDelete;
    request.operations.back().row_key = model::Value::String(std::move(id));
    EXPECT_TRUE(server_.gateway->WriteAndWait(std::move(request)).status.has_value());
  }

  void Split(const gateway::ContainerRef& container) {
    server_.node->WaitForBackground();
    const PartitionId first = server_.node->topology()->map->Ranges(container->id)[0].partition;
    EXPECT_TRUE(server_.node->Split(first, std::nullopt).has_value());
  }

  const SqlComputedMaker computed_maker_;
  gateway::TestServer server_;
  FunctionRegistry functions_;
  // Of what was run last.
  RequestUnits charge_;
  size_t examined_ = 0;
  size_t retrieved_ = 0;
};

}  // namespace orrery::sql
