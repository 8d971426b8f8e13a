// Continuation tokens of a query over a part of the container, given with a partition key.
#include <optional>

#include "api/sql/query/source/source_testing.h"
#include "gateway/view/partition_ranges.h"

namespace orrery::sql {
namespace {

constexpr int kScopeDocuments = 120;
constexpr int kScopeKeys = 6;

class TokenScopeTest : public SourceTest {
 protected:
  static gateway::KeyValues KeyOf(int number) {
    return {model::Value::String("p" + std::to_string(number))};
  }

  gateway::ContainerRef Fill(gateway::ContainerRef container) {
    std::vector<std::string> documents;
    for (int i = 0; i < kScopeDocuments; ++i)
      documents.push_back(R"({"id":"i)" + std::to_string(i) + R"(","pk":"p)" +
                          std::to_string(i % kScopeKeys) + R"(","tags":["a","b"],"g":)" +
                          std::to_string(i / 7 % 5) + R"(,"n":)" + std::to_string(i * 7919 % 1000) +
                          "}");
    Put(container, documents);
    return container;
  }

  static bool IsOfKey(const std::string& row, int key) {
    return row.contains("\"p" + std::to_string(key) + "\"");
  }

  // That after each page of the query each key goes on with its rows behind it, in the query's
  // order.
  void ExpectToGoOn(QueryRequest request) {
    request.max_items = -1;
    const std::vector<std::string> all = RunInOrder(request);
    request.max_items = 17;
    std::vector<std::string> given;
    while (true) {
      const QueryPage page = RunPage(request);
      given.insert(given.end(), page.rows.begin(), page.rows.end());
      if (page.continuation.empty()) break;
      request.continuation = page.continuation;
      for (int key = 0; key < kScopeKeys; ++key) {
        const auto of_key = [&](const std::string& row) { return IsOfKey(row, key); };
        std::vector<std::string> expected;
        std::ranges::copy_if(all, std::back_inserter(expected), of_key);
        if (request.range.has_value() && expected.empty()) continue;  // outside of the range
        expected.erase(expected.begin(), expected.begin() + std::ranges::count_if(given, of_key));
        QueryRequest narrow = request;
        narrow.range.reset();
        narrow.partition_key = KeyOf(key);
        for (const int64_t rows : {-1, 3}) {
          narrow.max_items = rows;
          EXPECT_EQ(RunInOrder(narrow), expected) << request.text << ", key " << key << " behind "
                                                  << given.size() << " rows, pages of " << rows;
        }
      }
    }
    EXPECT_EQ(given, all) << request.text;
  }

  std::string FailureOf(const QueryRequest& request) {
    const auto page = QueryEngine(*server_.gateway, functions_, server_.clock).Run(request);
    if (page.has_value()) return "";
    const auto* error = std::get_if<Error>(&page.error());
    if (error == nullptr) return "an error of the query";
    EXPECT_EQ(error->code(), Code::kInvalidArgument);
    return std::string(error->message());
  }
};

constexpr std::string_view kRows = "SELECT VALUE [c.pk, c.id, c.g] FROM c";
constexpr std::string_view kScopeQueries[] = {
    "",
    " WHERE c.g IN (1, 3)",
    " WHERE c.g > 1 AND c.n < 700",
    " JOIN t IN c.tags",
    " ORDER BY c.g",
    " ORDER BY c.g DESC",
    " WHERE c.n > 200 ORDER BY c.g",
    " ORDER BY c.pk DESC",
    " ORDER BY c.g + 1",
};

TEST_F(TokenScopeTest, AKeyGoesOnWhereAllKeysWere) {
  for (const gateway::ContainerRef& container : {Fill(Make("c", 3)), Fill(MakePlain("plain", 2))}) {
    for (const std::string_view rest : kScopeQueries)
      ExpectToGoOn({.container = container, .text = std::string(kRows) + std::string(rest)});
  }
}

TEST_F(TokenScopeTest, AKeyGoesOnWhereItsRangeWas) {
  const gateway::ContainerRef container = Fill(Make("c", 2));
  const auto ranges = gateway::PartitionRanges(*server_.gateway, *container);
  ASSERT_GE(ranges.size(), 2u);
  for (const std::string_view rest : kScopeQueries) {
    for (const partition::HashRange& range : ranges) {
      ExpectToGoOn(
          {.container = container, .text = std::string(kRows) + std::string(rest), .range = range});
    }
  }
}

TEST_F(TokenScopeTest, OverASplit) {
  const gateway::ContainerRef container = Fill(Make("c", 1));
  QueryRequest request{.container = container, .text = std::string(kRows), .max_items = 50};
  const QueryPage first = RunPage(request);
  request.continuation = first.continuation;
  Split(container);
  size_t rows = first.rows.size();
  for (int key = 0; key < kScopeKeys; ++key) {
    request.partition_key = KeyOf(key);
    rows += RunInOrder(request).size();
  }
  EXPECT_EQ(rows, kScopeDocuments);
}

TEST_F(TokenScopeTest, OfAnotherPartIsRefused) {
  const gateway::ContainerRef container = Fill(Make("c", 2));
  const auto ranges = gateway::PartitionRanges(*server_.gateway, *container);
  for (const partition::HashRange& range : ranges) {
    QueryRequest request{
        .container = container, .text = std::string(kRows), .range = range, .max_items = 5};
    const size_t all = RunInOrder(request).size();
    request.continuation = RunPage(request).continuation;
    ASSERT_FALSE(request.continuation.empty());
    request.range.reset();
    EXPECT_TRUE(FailureOf(request).contains("another part of the container"));
    size_t of_keys = 0;
    int refused = 0;
    for (int key = 0; key < kScopeKeys; ++key) {
      request.partition_key = KeyOf(key);
      const std::string failure = FailureOf(request);
      if (failure.empty()) {
        of_keys += RunInOrder(request).size();
      } else {
        EXPECT_TRUE(failure.contains("another part of the container")) << failure;
        ++refused;
      }
    }
    EXPECT_EQ(of_keys, all - 5);
    EXPECT_GT(refused, 0);
    EXPECT_LT(refused, kScopeKeys);
  }
}

// A key's own token says nothing of other keys.
TEST_F(TokenScopeTest, OfAKeyIsGoodForTheKeyOnly) {
  const gateway::ContainerRef container = Fill(Make("c", 2));
  QueryRequest wide{.container = container, .text = std::string(kRows), .max_items = 3};
  QueryRequest narrow = wide;
  narrow.partition_key = KeyOf(1);
  const std::string own = RunPage(narrow).continuation;
  // The key that the wide query is within has rows left.
  wide.continuation = RunPage(wide).continuation;
  for (int key = 0; key < kScopeKeys; ++key) {
    narrow.partition_key = KeyOf(key);
    narrow.continuation = wide.continuation;
    const std::string continued = RunPage(narrow).continuation;
    ASSERT_FALSE(continued.empty()) << key;
    for (const std::string& token : {own, continued}) {
      QueryRequest other = wide;
      other.continuation = token;
      EXPECT_TRUE(FailureOf(other).contains("another query or another partition key"));
      other.range = partition::HashRange();
      EXPECT_TRUE(FailureOf(other).contains("another query or another partition key"));
      other.range.reset();
      other.partition_key = KeyOf((key + 2) % kScopeKeys);
      if (token == own && *other.partition_key == KeyOf(1)) continue;
      EXPECT_TRUE(FailureOf(other).contains("another query or another partition key"));
    }
  }
}

TEST_F(TokenScopeTest, WhatCountsAllRowsIsRefused) {
  const gateway::ContainerRef container = Fill(Make("c", 2));
  for (const std::string_view text :
       {"SELECT DISTINCT VALUE c.n FROM c", "SELECT c.n, COUNT(1) AS m FROM c GROUP BY c.n",
        "SELECT TOP 50 VALUE c.n FROM c", "SELECT VALUE c.n FROM c OFFSET 3 LIMIT 50",
        "SELECT VALUE c.n FROM c ORDER BY c.g OFFSET 3 LIMIT 50"}) {
    QueryRequest request{.container = container, .text = std::string(text), .max_items = 5};
    request.continuation = RunPage(request).continuation;
    ASSERT_FALSE(request.continuation.empty()) << text;
    request.partition_key = KeyOf(1);
    EXPECT_TRUE(FailureOf(request).contains("begin the query anew with the partition key")) << text;
  }
}

TEST_F(TokenScopeTest, OfAnotherQueryIsRefused) {
  const gateway::ContainerRef container = Fill(Make("c", 2));
  QueryRequest request{.container = container, .text = std::string(kRows), .max_items = 5};
  request.continuation = RunPage(request).continuation;
  request.partition_key = KeyOf(1);
  request.text = "SELECT VALUE c.id FROM c";
  EXPECT_TRUE(FailureOf(request).contains("another query or another partition key"));
}

}  // namespace
}  // namespace orrery::sql
