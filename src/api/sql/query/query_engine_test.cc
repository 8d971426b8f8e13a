// Queries over a real store: which documents they look at, order over several partitions, pages
// over splits and restarts.
#include "api/sql/query/query_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <latch>

#include "api/sql/document/document_form.h"
#include "api/sql/query/query_testing.h"
#include "api/sql/resource/resource_id.h"
#include "gateway/test_server.h"

namespace orrery::sql {
namespace {

using gateway::ContainerRef;
using gateway::TestServer;
using partition::ThroughputSettings;

constexpr int64_t kEngineRate = 200'000;

partition::Limits EngineLimits() {
  partition::Limits limits;
  limits.physical_partition_rate_max = kEngineRate;
  return limits;
}

class QueryEngineTest : public testing::Test {
 protected:
  explicit QueryEngineTest(partition::Limits limits = EngineLimits()) : server_(limits) {}

  // {"id": i, "pk": "k<i % keys>", "n": i, "mod": i % 10, "name": "name<i>"} for all i below count.
  ContainerRef Fill(std::string name, int count, int keys, int partitions = 1) {
    const ContainerRef container = server_.MakeContainer(
        std::move(name), ThroughputSettings::Manual(kEngineRate * partitions));
    constexpr int kAtOnce = 500;
    for (int first = 0; first < count; first += kAtOnce) {
      const int end = std::min(first + kAtOnce, count);
      std::latch written(end - first);
      for (int i = first; i < end; ++i) {
        server_.gateway->Write(WriteOf(container, i, keys), [&](gateway::WriteResponse response) {
          EXPECT_TRUE(response.status.has_value()) << response.status.error().ToString();
          written.count_down();
        });
      }
      written.wait();
      server_.clock.Advance(std::chrono::seconds(1));
    }
    return container;
  }
  gateway::WriteRequest WriteOf(const ContainerRef& container, int i, int keys) {
    const std::string number = std::to_string(i);
    gateway::WriteRequest write;
    write.container = container;
    write.operations.emplace_back();
    write.operations.back().document =
        ToStored(gateway::Json(R"({"id":"i)" + number + R"(","pk":"k)" + std::to_string(i % keys) +
                               R"(","n":)" + number + R"(,"mod":)" + std::to_string(i % 10) +
                               R"(,"name":"name)" + number + R"(","tags":["t)" +
                               std::to_string(i % 7) + R"(","all"]})"),
                 server_.clock.Now());
    return write;
  }

  QueryPage RunPage(const QueryRequest& request) {
    server_.clock.Advance(std::chrono::seconds(1));
    const QueryEngine engine(*server_.gateway, functions_, server_.clock);
    auto page = engine.Run(request);
    if (page.has_value()) return *std::move(page);
    const auto* error = std::get_if<Error>(&page.error());
    ADD_FAILURE() << request.text << ": "
                  << (error != nullptr ? error->ToString()
                                       : std::get<QueryError>(page.error()).message);
    return {};
  }

  // All rows, page by page.
  std::vector<std::string> RunAll(QueryRequest request) {
    std::vector<std::string> rows;
    constexpr int kPagesMax = 100'000;
    for (int i = 0; i < kPagesMax; ++i) {
      QueryPage page = RunPage(request);
      std::ranges::move(page.rows, std::back_inserter(rows));
      if (page.continuation.empty()) return rows;
      request.continuation = page.continuation;
    }
    ADD_FAILURE() << "the pages do not end";
    return rows;
  }
  std::vector<std::string> RunAll(const ContainerRef& container, std::string text,
                                  int64_t max_items = -1) {
    return RunAll({.container = container, .text = std::move(text), .max_items = max_items});
  }
  size_t Examined(const ContainerRef& container, std::string text) {
    return RunPage({.container = container, .text = std::move(text), .max_items = 10})
        .metrics.examined;
  }
  Error FailureOf(const QueryRequest& request) {
    const QueryEngine engine(*server_.gateway, functions_, server_.clock);
    const auto page = engine.Run(request);
    if (page.has_value()) return {Code::kInternal, "it did not fail"};
    const auto* error = std::get_if<Error>(&page.error());
    return error != nullptr ? *error : std::get<QueryError>(page.error()).ToError();
  }

  void Split(const ContainerRef& container) {
    server_.node->WaitForBackground();
    const PartitionId first = server_.node->topology()->map->Ranges(container->id)[0].partition;
    const auto split = server_.node->Split(first, std::nullopt);
    ASSERT_TRUE(split.has_value()) << split.error().ToString();
  }

  TestServer server_;
  FunctionRegistry functions_;
};

std::vector<std::string> Numbers(int first, int count, int step = 1) {
  std::vector<std::string> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(std::to_string(first + i * step));
  return numbers;
}

std::vector<std::string> InNumberOrder(std::vector<std::string> rows) {
  std::ranges::sort(rows, {}, [](const std::string& row) { return std::stol(row); });
  return rows;
}

TEST_F(QueryEngineTest, DocumentsAsClientsSeeThem) {
  const ContainerRef container = Fill("c", 3, 3);
  const QueryPage page =
      RunPage({.container = container, .text = "SELECT * FROM c WHERE c.id = 'i1'"});
  ASSERT_EQ(page.rows.size(), 1u);
  const auto row = model::ValueFromJson(page.rows[0]);
  for (const std::string_view name : {"id", "pk", "_ts", "_rid", "_self", "_etag", "_attachments"})
    EXPECT_NE(row->Find(name), nullptr) << name;
  EXPECT_EQ(RunAll(container, "SELECT VALUE c.id FROM c WHERE c._rid = '" +
                                  row->Find("_rid")->AsString() + "'"),
            std::vector<std::string>{"\"i1\""});
  EXPECT_GT(page.charge.hundredths(), 0);
  EXPECT_FALSE(page.session.empty());
  EXPECT_TRUE(page.metrics.used_index);
  EXPECT_EQ(page.metrics.retrieved_documents, 1u);
  EXPECT_NE(page.metrics.ToText().find("retrievedDocumentCount=1;"), std::string::npos);
}

TEST_F(QueryEngineTest, LooksOnlyAtWhatItNeeds) {
  const ContainerRef small = Fill("small", 1'000, 100);
  const ContainerRef large = Fill("large", 50'000, 100);
  for (const std::string text :
       {"SELECT * FROM c WHERE c.n = 77", "SELECT * FROM c WHERE c.name = 'name500'",
        "SELECT * FROM c WHERE c.n >= 100 AND c.n < 105", "SELECT * FROM c WHERE c.n IN (1, 2, 3)",
        "SELECT * FROM c WHERE STARTSWITH(c.name, 'name99') AND c.n < 1000 AND c.n = 99",
        "SELECT * FROM c WHERE c.id = 'i5'", "SELECT * FROM c WHERE c.id = 'i5' AND c.pk = 'k5'",
        "SELECT TOP 5 * FROM c ORDER BY c.n", "SELECT TOP 5 * FROM c ORDER BY c.n DESC",
        "SELECT * FROM c WHERE c.n > 20 ORDER BY c.n OFFSET 2 LIMIT 3", "SELECT TOP 5 * FROM c",
        "SELECT * FROM c WHERE c.n = 7 AND EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = "
        "'t0')"}) {
    const size_t examined = Examined(small, text);
    EXPECT_LE(examined, 40u) << text;
    EXPECT_EQ(Examined(large, text), examined) << text;
  }
  EXPECT_EQ(Examined(small, "SELECT VALUE COUNT(1) FROM c"), 0u);
  EXPECT_EQ(Examined(small, "SELECT VALUE COUNT(c.tags) FROM c"), 1'000u);
}

TEST_F(QueryEngineTest, OverSeveralPartitions) {
  const ContainerRef container = Fill("c", 300, 50, 3);
  ASSERT_EQ(server_.node->topology()->map->Ranges(container->id).size(), 3u);
  for (const int64_t page : {-1, 7, 1}) {
    EXPECT_EQ(InNumberOrder(RunAll(container, "SELECT VALUE c.n FROM c", page)), Numbers(0, 300));
    EXPECT_EQ(RunAll(container, "SELECT VALUE c.n FROM c ORDER BY c.n", page), Numbers(0, 300));
    EXPECT_EQ(RunAll(container, "SELECT VALUE c.n FROM c ORDER BY c.n DESC", page),
              Numbers(299, 300, -1));
    EXPECT_EQ(RunAll(container, "SELECT VALUE c.n FROM c WHERE c.n > 100 ORDER BY c.n", page),
              Numbers(101, 199));
    EXPECT_EQ(RunAll(container, "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 10 LIMIT 20", page),
              Numbers(10, 20));
    EXPECT_EQ(InNumberOrder(RunAll(container, "SELECT VALUE c.n FROM c WHERE c.mod = 3", page)),
              Numbers(3, 30, 10));
    EXPECT_EQ(
        InNumberOrder(RunAll(container, "SELECT VALUE c.n FROM c WHERE c.mod IN (3, 8)", page)),
        Numbers(3, 60, 5));
    EXPECT_EQ(InNumberOrder(RunAll(container, "SELECT VALUE c.n FROM c WHERE c.n >= 250", page)),
              Numbers(250, 50));
    EXPECT_EQ(RunAll(container, "SELECT VALUE c.n FROM c ORDER BY c.mod, c.n DESC OFFSET 0 LIMIT 3",
                     page),
              Numbers(290, 3, -10));
  }
  EXPECT_EQ(RunAll(container, "SELECT VALUE COUNT(1) FROM c"), Numbers(300, 1));
  EXPECT_EQ(RunAll(container, "SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags WHERE t = 't1'"),
            Numbers(43, 1));
  EXPECT_EQ(RunAll(container, "SELECT DISTINCT VALUE c.mod FROM c ORDER BY c.mod", 3),
            Numbers(0, 10));
}

// Many documents of one value: each once, whatever the size of pages.
TEST_F(QueryEngineTest, PagesOfEqualValues) {
  const ContainerRef container = Fill("c", 200, 20, 2);
  for (const std::string order : {"ASC", "DESC"}) {
    std::vector<std::string> rows =
        RunAll(container, "SELECT VALUE c.n FROM c ORDER BY c.mod " + order, 3);
    ASSERT_EQ(rows.size(), 200u);
    for (size_t i = 0; i < rows.size(); ++i) {
      const long mod = static_cast<long>(i) / 20;
      EXPECT_EQ(std::stol(rows[i]) % 10, order == "ASC" ? mod : 9 - mod);
    }
    EXPECT_EQ(InNumberOrder(rows), Numbers(0, 200));
  }
  QueryRequest one{.container = container, .text = "SELECT VALUE c.n FROM c WHERE c.mod = 4"};
  one.partition_key = gateway::KeyValues{model::Value::String("k4")};
  one.max_items = 3;
  EXPECT_EQ(InNumberOrder(RunAll(one)), Numbers(4, 10, 20));
}

TEST_F(QueryEngineTest, RowsOfOneDocumentOverPages) {
  const ContainerRef container = Fill("c", 10, 3);
  EXPECT_EQ(RunAll(container, "SELECT VALUE t FROM c JOIN t IN c.tags", 1).size(), 20u);
  EXPECT_EQ(RunAll(container,
                   "SELECT VALUE [c.n, t, u] FROM c JOIN t IN c.tags JOIN u IN c.tags "
                   "ORDER BY c.n",
                   3),
            RunAll(container,
                   "SELECT VALUE [c.n, t, u] FROM c JOIN t IN c.tags JOIN u IN c.tags "
                   "ORDER BY c.n"));
}

TEST_F(QueryEngineTest, ScopeOfARequest) {
  const ContainerRef container = Fill("c", 120, 10, 2);
  QueryRequest request{.container = container, .text = "SELECT VALUE c.n FROM c"};
  request.partition_key = gateway::KeyValues{model::Value::String("k7")};
  request.max_items = 5;
  EXPECT_EQ(InNumberOrder(RunAll(request)), Numbers(7, 12, 10));
  request.text = "SELECT VALUE c.n FROM c ORDER BY c.n DESC";
  EXPECT_EQ(RunAll(request), Numbers(117, 12, -10));
  request.text = "SELECT VALUE c.n FROM c WHERE c.pk = 'k8'";
  EXPECT_TRUE(RunAll(request).empty());

  request.partition_key.reset();
  std::vector<std::string> all;
  for (const std::string text :
       {"SELECT VALUE c.n FROM c", "SELECT VALUE c.n FROM c ORDER BY c.n"}) {
    request.text = text;
    all.clear();
    for (const auto& entry : server_.node->topology()->map->Ranges(container->id)) {
      request.range = entry.range;
      for (std::string& row : RunAll(request)) all.push_back(std::move(row));
    }
    EXPECT_EQ(InNumberOrder(all), Numbers(0, 120));
  }
}

TEST_F(QueryEngineTest, PagesGoOnOverASplitAndARestart) {
  for (const std::string text :
       {"SELECT VALUE c.n FROM c", "SELECT VALUE c.n FROM c ORDER BY c.n DESC",
        "SELECT VALUE c.n FROM c WHERE c.mod >= 0", "SELECT VALUE c.n FROM c ORDER BY c.mod, c.n",
        "SELECT VALUE c.n FROM c WHERE ARRAY_CONTAINS(c.tags, 'all')",
        "SELECT DISTINCT VALUE c.n FROM c"}) {
    const ContainerRef container = Fill("c", 100, 25);
    QueryRequest request{.container = container, .text = text, .max_items = 30};
    const std::vector<std::string> expected = RunAll(request);
    std::vector<std::string> rows;
    for (int page = 0; page == 0 || !request.continuation.empty(); ++page) {
      QueryPage answer = RunPage(request);
      std::ranges::move(answer.rows, std::back_inserter(rows));
      request.continuation = answer.continuation;
      if (page == 0) Split(container);
      if (page == 1) {
        server_.Restart();
        request.container = server_.Find("c");
      }
    }
    if (text.find("DISTINCT") == std::string::npos && text.find("mod >=") == std::string::npos) {
      EXPECT_EQ(rows, expected) << text;
    }
    EXPECT_EQ(InNumberOrder(rows), Numbers(0, 100)) << text;
    ASSERT_TRUE(server_.catalog->DropContainer("db", "c").has_value());
  }
}

TEST_F(QueryEngineTest, CutsPagesThatCostTooMuch) {
  const ContainerRef container = Fill("c", 300, 30);
  QueryLimits limits;
  limits.examined_max = 50;
  const QueryEngine engine(*server_.gateway, functions_, server_.clock, limits);
  QueryRequest request{.container = container,
                       .text = "SELECT VALUE c.n FROM c WHERE c.n % 100 = 5",
                       .max_items = 10};
  std::vector<std::string> rows;
  int pages = 0;
  do {
    auto page = engine.Run(request);
    ASSERT_TRUE(page.has_value());
    EXPECT_LE(page->metrics.examined, 150u);
    std::ranges::move(page->rows, std::back_inserter(rows));
    request.continuation = page->continuation;
    ++pages;
  } while (!request.continuation.empty());
  EXPECT_GT(pages, 2);
  EXPECT_EQ(InNumberOrder(rows), Numbers(5, 3, 100));
}

TEST_F(QueryEngineTest, AggregatesGoOnOverPages) {
  const ContainerRef container = Fill("c", 300, 30);
  QueryLimits limits;
  limits.examined_max = 50;
  const QueryEngine engine(*server_.gateway, functions_, server_.clock, limits);
  QueryRequest request{
      .container = container,
      .text =
          "SELECT COUNT(1) AS n, SUM(c.n) AS s, AVG(c.n) AS a, MIN(c.n) AS l, MAX(c.name) AS h, "
          "SUM(c.name) AS u FROM c WHERE c.n % 2 = 1"};
  int pages = 0;
  do {
    auto page = engine.Run(request);
    ASSERT_TRUE(page.has_value());
    request.continuation = page->continuation;
    ++pages;
    if (request.continuation.empty()) {
      EXPECT_EQ(page->rows,
                std::vector<std::string>{R"({"n":150,"s":22500,"a":150,"l":1,"h":"name99"})"});
    } else {
      EXPECT_TRUE(page->rows.empty());
      if (pages == 2) Split(container);
    }
  } while (!request.continuation.empty());
  EXPECT_GT(pages, 2);
}

// A query that cannot be cut short is paid for afterwards.
TEST_F(QueryEngineTest, WholeQueriesGoIntoDebt) {
  const ContainerRef container = server_.MakeContainer("poor", ThroughputSettings::Manual(400));
  for (int i = 0; i < 2'000; ++i) {
    server_.clock.Advance(std::chrono::milliseconds(100));
    ASSERT_TRUE(server_.gateway->WriteAndWait(WriteOf(container, i, 40)).status.has_value());
  }
  const QueryRequest request{.container = container,
                             .text = "SELECT DISTINCT VALUE c.mod FROM c WHERE c.mod >= 0 OR c.n"};
  QueryLimits limits;
  limits.page_bytes_max = 32 << 10;  // so that there are many reads
  for (const bool may_owe : {false, true}) {
    limits.debt_max = may_owe ? QueryLimits().debt_max : RequestUnits();
    server_.clock.Advance(std::chrono::seconds(60));
    const auto page = QueryEngine(*server_.gateway, functions_, server_.clock, limits).Run(request);
    ASSERT_EQ(page.has_value(), may_owe);
    if (may_owe) {
      EXPECT_EQ(page->rows.size(), 10u);
    } else {
      EXPECT_EQ(std::get<Error>(page.error()).code(), Code::kThrottled);
    }
  }
}

TEST_F(QueryEngineTest, TokensOfOthersAreRefused) {
  const ContainerRef container = Fill("c", 20, 5);
  QueryRequest request{.container = container, .text = "SELECT * FROM c", .max_items = 3};
  const std::string token = RunPage(request).continuation;
  ASSERT_FALSE(token.empty());
  request.continuation = "garbage";
  EXPECT_EQ(FailureOf(request).code(), Code::kInvalidArgument);
  request.continuation = token;
  request.text = "SELECT c.id FROM c";
  EXPECT_EQ(FailureOf(request).code(), Code::kInvalidArgument);
  request.text = "SELECT * FROM c";
  request.max_items = 5;
  EXPECT_EQ(RunPage(request).rows.size(), 5u);
  request.parameters.Set("@x", model::Value::Int32(1));
  EXPECT_EQ(FailureOf(request).code(), Code::kInvalidArgument);
}

// Clients that merge partitions go on with a narrower WHERE and the token of the wider one.
TEST_F(QueryEngineTest, OrderGoesOnWithAnotherFilter) {
  const ContainerRef container = Fill("c", 100, 5);
  // By the index, down it, and sorted.
  const std::pair<std::string_view, std::string_view> kQueries[] = {
      {" ORDER BY c.n", "c.n >= 6"},
      {" ORDER BY c.n DESC", "c.n <= 93"},
      {" ORDER BY c.mod, c.n", "c.mod >= 0"},
  };
  for (const auto& [order, filter] : kQueries) {
    const auto with = [&](std::string_view where) {
      return "SELECT VALUE c.n FROM c WHERE (" + std::string(where) + ")" + std::string(order);
    };
    const std::vector<std::string> all = RunAll(container, with("true"));
    QueryRequest request{.container = container, .text = with("true"), .max_items = 7};
    const QueryPage first = RunPage(request);
    std::vector<std::string> rows = first.rows;
    request.continuation = first.continuation;
    request.text = with(filter);
    std::ranges::move(RunAll(request), std::back_inserter(rows));
    EXPECT_EQ(rows, all) << order;
    // Of a filter that begins behind the place, only what it leaves is given.
    request.text = with("c.n BETWEEN 40 AND 44");
    const bool has_forty = std::ranges::find(first.rows, "40") != first.rows.end();
    EXPECT_EQ(RunAll(request).size(), has_forty ? 4u : 5u) << order;
  }
}

// Clients that merge partitions leave out what they have had by value and, of equal values, by rid.
TEST_F(QueryEngineTest, OfOneRangeEqualValuesComeByRid) {
  const ContainerRef container = Fill("c", 300, 7);
  for (const bool descending : {false, true}) {
    const std::string order = descending ? " DESC" : "";
    // By the index and, of an expression, sorted.
    for (const std::string& by : {"c.mod" + order, "c.mod + 1" + order}) {
      for (const int64_t page : {1'000, 7}) {
        const std::vector<std::string> rows =
            RunAll({.container = container,
                    .text = "SELECT VALUE [c.mod, c._rid] FROM c ORDER BY " + by,
                    .range = partition::HashRange(),
                    .max_items = page});
        std::vector<std::pair<std::string, uint64_t>> places;
        for (const std::string& row : rows) {
          const auto value = *model::ValueFromJson(row);
          const auto rid = ParseRid(value.AsValues().at(1).AsString());
          places.emplace_back(model::ToJson(value.AsValues().at(0)), rid->child);
        }
        if (descending) std::ranges::reverse(places);
        EXPECT_TRUE(std::ranges::is_sorted(places)) << by << ", pages of " << page;
        EXPECT_EQ(std::ranges::adjacent_find(places), places.end());
        EXPECT_EQ(places.size(), 300u) << by << ", pages of " << page;
      }
    }
  }
}

// After a split, clients go on in each part with the token of the whole.
TEST_F(QueryEngineTest, PartsGoOnWhereTheWholeWas) {
  const ContainerRef container = Fill("c", 100, 20);
  const partition::HashRange whole;
  const Hash128 middle{uint64_t{1} << 61, 0};
  for (const std::string_view order : {"", " ORDER BY c.n", " ORDER BY c.mod, c.n"}) {
    QueryRequest request{.container = container,
                         .text = "SELECT VALUE c.n FROM c" + std::string(order),
                         .range = whole,
                         .max_items = 33};
    const QueryPage first = RunPage(request);
    std::vector<std::string> rows = first.rows;
    request.continuation = first.continuation;
    for (const auto& part : {partition::HashRange::Inclusive(Hash128::Min(), middle),
                             partition::HashRange::Inclusive(middle.Next(), Hash128::Max())}) {
      request.range = part;
      std::ranges::move(RunAll(request), std::back_inserter(rows));
    }
    std::ranges::sort(rows);
    EXPECT_EQ(std::ranges::unique(rows).size(), 0u) << order;
    EXPECT_EQ(rows.size(), 100u) << order;
  }
  // The count of the whole is in no part.
  QueryRequest count{.container = container,
                     .text = "SELECT DISTINCT VALUE c.n FROM c",
                     .range = whole,
                     .max_items = 10};
  count.continuation = RunPage(count).continuation;
  count.range = partition::HashRange::Inclusive(Hash128::Min(), middle);
  EXPECT_EQ(FailureOf(count).code(), Code::kInvalidArgument);
}

TEST_F(QueryEngineTest, OverDocumentsOfAnother) {
  const ContainerRef container = Fill("c", 1, 1);
  const QueryEngine engine(*server_.gateway, functions_, server_.clock);
  const std::vector<model::Value> documents =
      ParseText(R"([{"n": 3}, {"n": 1}, {"n": 2}])").AsValues();
  QueryEngine::Wanted seen;
  const auto open =
      [&](std::string_view position,
          const QueryEngine::Wanted& wanted) -> Result<std::unique_ptr<query::DocumentSource>> {
    seen = wanted;
    return std::make_unique<MemorySource>(documents, position);
  };
  for (const auto& [text, expected] :
       {std::pair<std::string, std::string>{"SELECT VALUE c.n FROM c", "3 1 2 "},
        {"SELECT VALUE c.n FROM c ORDER BY c.n", "1 2 3 "},
        {"SELECT VALUE SUM(c.n) FROM c", "6 "},
        {"SELECT VALUE c.n FROM c WHERE c.n = 2", "2 "},
        {"SELECT VALUE c.n FROM c WHERE c.n > 1", "3 2 "},
        {"SELECT VALUE c.n FROM c WHERE c.id = 'x'", ""},
        {"SELECT VALUE c.n FROM c WHERE c.id = 5", ""},
        {"SELECT VALUE 1", "1 "}}) {
    QueryRequest request{.container = container,
                         .text = text,
                         .partition_key = gateway::KeyValues{model::Value::String("k0")},
                         .max_items = 2};
    std::string rows;
    do {
      const auto page = engine.RunOver(request, open);
      ASSERT_TRUE(page.has_value()) << text;
      for (const std::string& row : page->rows) rows += row + " ";
      request.continuation = page->continuation;
    } while (!request.continuation.empty());
    EXPECT_EQ(rows, expected) << text;
    EXPECT_EQ(seen.index.has_value(), text.contains("c.n = 2")) << text;
    EXPECT_EQ(seen.id.has_value(), text.contains("c.id = 'x'")) << text;
  }
}

TEST_F(QueryEngineTest, EndsWhenNobodyWantsTheAnswer) {
  const ContainerRef container = Fill("c", 20, 1);
  const auto origin = std::make_shared<RequestOrigin>(server_.clock);
  const RequestContext in_time(origin, server_.clock.Monotonic() + std::chrono::hours(1));
  const RequestContext too_late(origin, server_.clock.Monotonic());
  const std::string_view texts[] = {
      "SELECT * FROM c", "SELECT VALUE COUNT(1) FROM c GROUP BY c.mod",
      "SELECT * FROM c ORDER BY c.n + 1", "SELECT DISTINCT VALUE c.mod FROM c"};
  for (const std::string_view text : texts) {
    QueryRequest request{.container = container, .text = std::string(text)};
    request.context = in_time;
    EXPECT_FALSE(RunPage(request).rows.empty()) << text;
    request.context = too_late;
    EXPECT_EQ(FailureOf(request).message(), "the request took too long") << text;
  }
  origin->Cancel(StopReason::kClientGone);
  for (const std::string_view text : texts) {
    QueryRequest request{.container = container, .text = std::string(text)};
    request.context = in_time;
    EXPECT_EQ(FailureOf(request).code(), Code::kCancelled) << text;
  }
}

TEST_F(QueryEngineTest, SaysWhatIsWrong) {
  const ContainerRef container = Fill("c", 1, 1);
  EXPECT_EQ(FailureOf({.container = container, .text = "SELECT FROM"}).message(),
            "Syntax error, incorrect syntax near 'FROM'.");
  EXPECT_EQ(FailureOf({.container = container, .text = "SELECT d.x FROM c"}).message(),
            "Identifier 'd' could not be resolved.");
  const QueryEngine engine(*server_.gateway, functions_, server_.clock);
  const auto has_plan = [&](std::string_view text) {
    return engine
        .Plan({.text = text,
               .parameters = {},
               .computed = {},
               .container = *container,
               .features = {}})
        .has_value();
  };
  EXPECT_TRUE(has_plan("SELECT * FROM c"));
  EXPECT_FALSE(has_plan("SELECT FROM"));
}

}  // namespace
}  // namespace orrery::sql
