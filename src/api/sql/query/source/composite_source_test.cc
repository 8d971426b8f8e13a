// Queries over a real store that composite indexes serve: the same rows as without, with little
// examined, over pages, partitions and splits.
#include <gtest/gtest.h>

#include <algorithm>
#include <latch>

#include "api/sql/query/query_engine.h"
#include "gateway/test_server.h"

namespace orrery::sql {
namespace {

using gateway::ContainerRef;
using gateway::TestServer;

constexpr int64_t kCompositeRate = 100'000;

partition::Limits CompositeLimits() {
  partition::Limits limits;
  limits.physical_partition_rate_max = kCompositeRate;
  return limits;
}

class CompositeSourceTest : public testing::Test {
 protected:
  CompositeSourceTest() : server_(CompositeLimits()) {
    EXPECT_TRUE(server_.catalog->CreateDatabase("db", {}).has_value());
  }

  // With indexes over (a, b), (a, b falling) and (pk, b), or over single paths only.
  ContainerRef Make(std::string name, bool is_composite, int partitions) {
    gateway::ContainerSettings settings;
    settings.name = std::move(name);
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(kCompositeRate * partitions);
    const auto path = [](std::string_view text) { return *model::Path::Parse(text); };
    if (is_composite) {
      settings.indexing.named = {{1, "ab", {path("/a"), path("/b")}},
                                 {2, "key", {path("/pk"), path("/b")}},
                                 {3,
                                  "mixed",
                                  {path("/a"), path("/b")},
                                  {model::Direction::kAscending, model::Direction::kDescending}}};
    }
    auto created = server_.catalog->CreateContainer("db", settings);
    EXPECT_TRUE(created.has_value()) << created.error().ToString();
    return *created;
  }

  void Put(const ContainerRef& container, const std::vector<std::string>& documents) {
    std::latch written(static_cast<ptrdiff_t>(documents.size()));
    for (const std::string& json : documents) {
      server_.gateway->Write(TestServer::Upsert(container, json),
                             [&](gateway::WriteResponse response) {
                               EXPECT_TRUE(response.status.has_value());
                               written.count_down();
                             });
    }
    written.wait();
    server_.clock.Advance(std::chrono::seconds(10));
  }

  // {"id", "pk": "k<i % 8>", "a": i % 10, "b": i}, some without a or b, or with other types.
  static std::vector<std::string> Documents(int count) {
    std::vector<std::string> documents;
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      std::string json =
          R"({"id":"i)" + number + R"(","pk":"k)" + std::to_string(i % 8) + R"(","n":)" + number;
      if (i % 11 != 3) json += R"(,"a":)" + std::to_string(i % 10);
      if (i % 13 == 5)
        json += R"(,"b":"text)" + number + R"(")";
      else if (i % 13 == 6)
        json += R"(,"b":{"o":)" + number + "}";
      else if (i % 13 != 7)
        json += R"(,"b":)" + number;
      documents.push_back(json + "}");
    }
    return documents;
  }

  QueryPage RunPage(const QueryRequest& request) {
    server_.clock.Advance(std::chrono::seconds(1));
    auto page = QueryEngine(*server_.gateway, functions_, server_.clock).Run(request);
    if (page.has_value()) return *std::move(page);
    ADD_FAILURE() << request.text;
    return {};
  }
  std::vector<std::string> RunAll(QueryRequest request) {
    std::vector<std::string> rows;
    constexpr int kPagesMax = 10'000;
    for (int i = 0; i < kPagesMax; ++i) {
      QueryPage page = RunPage(request);
      std::ranges::move(page.rows, std::back_inserter(rows));
      if (page.continuation.empty()) return rows;
      request.continuation = page.continuation;
    }
    ADD_FAILURE() << "the pages do not end";
    return rows;
  }

  TestServer server_;
  FunctionRegistry functions_;
};

std::vector<std::string> InTextOrder(std::vector<std::string> rows) {
  std::ranges::sort(rows);
  return rows;
}

TEST_F(CompositeSourceTest, LooksOnlyAtWhatItNeeds) {
  const ContainerRef container = Make("c", true, 1);
  Put(container, Documents(3'000));
  for (const std::string text :
       {"SELECT TOP 5 * FROM c ORDER BY c.a, c.b",
        "SELECT TOP 5 * FROM c ORDER BY c.a DESC, c.b DESC",
        "SELECT TOP 5 * FROM c ORDER BY c.a, c.b DESC",
        "SELECT TOP 5 * FROM c WHERE c.a > 3 ORDER BY c.a DESC, c.b",
        "SELECT * FROM c WHERE c.a = 4 ORDER BY c.b OFFSET 3 LIMIT 5",
        "SELECT TOP 5 * FROM c WHERE c.a = 4 AND c.b > 1000 ORDER BY c.b DESC",
        "SELECT * FROM c WHERE c.a = 4 AND c.b = 1014",
        "SELECT * FROM c WHERE c.a = 4 AND c.b >= 1004 AND c.b < 1040",
        "SELECT TOP 5 * FROM c WHERE c.pk = 'k4' ORDER BY c.b DESC"}) {
    const QueryPage page = RunPage({.container = container, .text = text, .max_items = 10});
    // Two pages where values that ORDER BY one path leaves out come first.
    EXPECT_LE(page.metrics.examined, 60u) << text;
    EXPECT_TRUE(page.metrics.used_index) << text;
    EXPECT_GE(page.rows.size(), 1u) << text;
  }
}

TEST_F(CompositeSourceTest, TheSameRowsAsWithout) {
  const ContainerRef plain = Make("plain", false, 1);
  const ContainerRef composite = Make("composite", true, 3);
  Put(plain, Documents(160));
  Put(composite, Documents(160));
  for (const std::string text :
       {"SELECT c.a, c.b FROM c ORDER BY c.a, c.b",
        "SELECT c.a, c.b FROM c ORDER BY c.a DESC, c.b DESC",
        "SELECT c.a, c.b FROM c WHERE c.a >= 4 ORDER BY c.a, c.b",
        "SELECT c.a, c.b FROM c ORDER BY c.a, c.b DESC",
        "SELECT c.a, c.b FROM c ORDER BY c.a DESC, c.b",
        "SELECT c.a, c.b FROM c WHERE c.a IN (2, 4) ORDER BY c.a DESC, c.b",
        "SELECT c.a, c.b FROM c WHERE c.a = 4 AND c.b > 20 AND c.b <= 90 ORDER BY c.a, c.b DESC",
        "SELECT c.a, c.b FROM c WHERE c.a = 4 ORDER BY c.a DESC, c.b DESC",
        "SELECT c.b FROM c WHERE c.a = 4 ORDER BY c.b",
        "SELECT c.b FROM c WHERE c.a = 4 AND c.b > 100 ORDER BY c.b DESC",
        "SELECT c.b FROM c WHERE c.pk = 'k4' ORDER BY c.b",
        "SELECT c.b FROM c WHERE c.pk = 'k4' AND c.b < 200 ORDER BY c.b DESC",
        "SELECT c.a, c.b FROM c ORDER BY c.a, c.b OFFSET 17 LIMIT 30"}) {
    const auto expected = RunAll({.container = plain, .text = text});
    for (const int64_t page : {-1, 7, 1})
      EXPECT_EQ(RunAll({.container = composite, .text = text, .max_items = page}), expected)
          << text;
  }
  for (const std::string text :
       {"SELECT VALUE c.n FROM c WHERE c.a = 4 AND c.b > 100",
        "SELECT VALUE c.n FROM c WHERE c.a = 4 AND c.b IN (24, 104, 105)",
        "SELECT VALUE c.n FROM c WHERE c.a = 4 AND STARTSWITH(c.b, 'text')",
        "SELECT VALUE c.n FROM c WHERE c.pk = 'k4' AND c.a = 4 AND c.b = 4"}) {
    const auto expected = InTextOrder(RunAll({.container = plain, .text = text}));
    for (const int64_t page : {-1, 3, 1})
      EXPECT_EQ(InTextOrder(RunAll({.container = composite, .text = text, .max_items = page})),
                expected)
          << text;
  }
}

// An array has a value in the index for each of its elements.
TEST_F(CompositeSourceTest, DocumentsWithArraysComeOnce) {
  const ContainerRef container = Make("c", true, 2);
  std::vector<std::string> documents = Documents(60);
  std::vector<std::string> ids;
  for (int i = 0; i < 60; ++i) ids.push_back("\"i" + std::to_string(i) + "\"");
  for (int i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i);
    documents.push_back(R"({"id":"x)" + number + R"(","pk":"k)" + number + R"(","a":[1,)" + number +
                        R"(,8],"b":[9,2,"z"]})");
    ids.push_back("\"x" + number + "\"");
  }
  Put(container, documents);
  for (const std::string text : {"SELECT VALUE c.id FROM c ORDER BY c.a, c.b",
                                 "SELECT VALUE c.id FROM c ORDER BY c.a DESC, c.b",
                                 "SELECT VALUE c.id FROM c ORDER BY c.a DESC, c.b DESC"}) {
    for (const int64_t page : {-1, 5, 1}) {
      EXPECT_EQ(InTextOrder(RunAll({.container = container, .text = text, .max_items = page})),
                InTextOrder(ids))
          << text;
    }
  }
}

TEST_F(CompositeSourceTest, PagesGoOnOverASplit) {
  for (const std::string order : {"c.a, c.b", "c.a DESC, c.b DESC", "c.a, c.b DESC"}) {
    const ContainerRef container = Make("c", true, 1);
    Put(container, Documents(100));
    QueryRequest request{.container = container,
                         .text = "SELECT c.a, c.b FROM c ORDER BY " + order,
                         .max_items = 30};
    const auto expected = RunAll(request);
    std::vector<std::string> rows;
    for (int page = 0; page == 0 || !request.continuation.empty(); ++page) {
      QueryPage answer = RunPage(request);
      std::ranges::move(answer.rows, std::back_inserter(rows));
      request.continuation = answer.continuation;
      if (page > 0) continue;
      server_.node->WaitForBackground();
      const PartitionId first = server_.node->topology()->map->Ranges(container->id)[0].partition;
      ASSERT_TRUE(server_.node->Split(first, std::nullopt).has_value());
    }
    EXPECT_EQ(rows.size(), 100u);
    EXPECT_EQ(rows, expected);
    ASSERT_TRUE(server_.catalog->DropContainer("db", "c").has_value());
  }
}

}  // namespace
}  // namespace orrery::sql
