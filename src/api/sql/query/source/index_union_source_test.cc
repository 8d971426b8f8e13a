// Conditions that are joined by OR, and those of kinds, give what a look at all documents gives,
// and look at few.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "api/sql/query/source/source_testing.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kQueries[] = {
    "SELECT VALUE c.id FROM c WHERE c.n = 7 OR c.s = 'ab'",
    "SELECT VALUE c.id FROM c WHERE c.n = 7 OR c.s = 'ab' OR c.n = 8 OR c.a.b = 'aa'",
    "SELECT VALUE c.id FROM c WHERE c.n < 3 OR c.n > 46",
    "SELECT VALUE c.id FROM c WHERE NOT (c.n > 3)",
    "SELECT VALUE c.id FROM c WHERE NOT (3 < c.n) OR NOT (c.n < 47)",
    "SELECT VALUE c.id FROM c WHERE NOT (c.s != 'ab')",
    "SELECT VALUE c.id FROM c WHERE (c.n = 7 AND c.s = 'ab') OR (c.n = 8 AND c.s != 'ab')",
    "SELECT VALUE c.id FROM c WHERE c.pk = 'p3' AND (c.n = 7 OR c.s = 'ab')",
    "SELECT VALUE c.id FROM c WHERE (c.n = 7 OR c.s = 'ab') AND (c.a.b = 'aa' OR c.n < 20)",
    "SELECT VALUE c.id FROM c WHERE c.n = 7 OR (c.s = 'ab' OR (c.s = 'ba' OR c.n IN (1, 2)))",
    "SELECT VALUE c.id FROM c WHERE c.n = 7 OR ARRAY_CONTAINS(c.tags, 't1')",
    "SELECT VALUE c.id FROM c WHERE c.n = 7 OR STARTSWITH(c.s, 'ab') OR IS_NULL(c.s)",
    "SELECT VALUE c.id FROM c WHERE c.n = 7 OR c.n % 9 = 1",
    "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.s)",
    "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.a)",
    "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.a.b) AND c.n < 30",
    "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.a.b) AND c.pk = 'p3'",
    "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.tags) AND IS_DEFINED(c.s) ORDER BY c.id",
    "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.s) ORDER BY c.s, c.id",
    "SELECT VALUE COUNT(1) FROM c WHERE IS_DEFINED(c.s)",
    "SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c.s)",
    "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c._ts) AND IS_DEFINED(c.id)",
    "SELECT VALUE c.id FROM c WHERE IS_ARRAY(c.s)",
    "SELECT VALUE c.id FROM c WHERE IS_OBJECT(c.a)",
    "SELECT VALUE c.id FROM c WHERE IS_OBJECT(c.s)",
    "SELECT VALUE c.id FROM c WHERE IS_ARRAY(c.s) OR IS_OBJECT(c.s) OR c.n = 3",
    "SELECT VALUE c.id FROM c WHERE IS_ARRAY(c.a.b) AND c.n > 10",
    "SELECT VALUE c.id FROM c WHERE NOT IS_ARRAY(c.s)",
    "SELECT VALUE COUNT(1) FROM c WHERE IS_ARRAY(c.s) AND c.pk = 'p1'",
    "SELECT c.id, t FROM c JOIN t IN c.tags WHERE c.n = 7 OR t = 't1'",
    "SELECT VALUE COUNT(1) FROM c WHERE c.n = 7 OR c.s = 'ab'",
    "SELECT c.n, COUNT(1) AS many FROM c WHERE c.n < 9 OR c.s = 'ab' GROUP BY c.n",
    "SELECT DISTINCT VALUE c.n FROM c WHERE c.n = 7 OR c.s = 'ab'",
    "SELECT VALUE c.id FROM c WHERE c.n = 7 OR c.s = 'ab' ORDER BY c.id",
    "SELECT VALUE c.id FROM c WHERE c.n = 7 OR c.s = 'ab' ORDER BY c.n, c.id",
    "SELECT TOP 4 VALUE c.id FROM c WHERE c.n = 7 OR c.s = 'ab' ORDER BY c.n DESC, c.id",
};

class AlternativeSourceTest : public SourceTest {
 protected:
  std::vector<std::string> RandomDocuments(int count) {
    const std::string_view texts[] = {R"("ab")", R"("ba")", R"("aa")", "null", "7", R"(["ab"])"};
    const auto text = [&] { return texts[random_() % std::size(texts)]; };
    std::vector<std::string> documents;
    for (int i = 0; i < count; ++i) {
      std::string json = fmt::format(R"({{"id":"d{}","pk":"p{}")", i, i % 7);
      if (random_() % 8 != 0) json += fmt::format(R"(,"n":{})", random_() % 50);
      if (random_() % 4 == 0) json += fmt::format(R"(,"s":{})", text());
      if (random_() % 4 == 0) json += fmt::format(R"(,"a":{{"b":{}}})", text());
      json += fmt::format(R"(,"tags":["t{}","t{}"]}})", random_() % 9, random_() % 9);
      documents.push_back(std::move(json));
    }
    return documents;
  }

  std::mt19937 random_{7};
};

TEST_F(AlternativeSourceTest, TheSameRowsAsWithout) {
  const gateway::ContainerRef plain = MakePlain("plain", 1);
  const auto documents = RandomDocuments(400);
  Put(plain, documents);
  for (const int partitions : {1, 3}) {
    const gateway::ContainerRef indexed = Make(fmt::format("indexed{}", partitions), partitions);
    Put(indexed, documents);
    ExpectAlike(kQueries, indexed, plain);
  }
}

TEST_F(AlternativeSourceTest, LooksOnlyAtWhatItNeeds) {
  const gateway::ContainerRef container = Make("documents", 3);
  Put(container, RandomDocuments(1'000));
  for (const std::string_view text :
       {"SELECT * FROM c WHERE c.n = 7 OR c.s = 'ab'", "SELECT * FROM c WHERE c.n < 1 OR c.n > 48",
        "SELECT * FROM c WHERE NOT (c.n > 1)", "SELECT * FROM c WHERE IS_ARRAY(c.s)",
        "SELECT * FROM c WHERE IS_DEFINED(c.a.b) AND IS_ARRAY(c.a.b)"}) {
    const size_t found = RunAll({.container = container, .text = std::string(text)}).size();
    EXPECT_LE(examined_, found) << text;
    EXPECT_LT(found, 120u);
  }
}

TEST_F(AlternativeSourceTest, LooksOnlyAtWhatIsDefined) {
  const gateway::ContainerRef container = Make("documents", 2);
  std::vector<std::string> documents = RandomDocuments(500);
  documents.push_back(R"({"id":"x1","pk":"p1","rare":{"deep":[1]}})");
  documents.push_back(R"({"id":"x2","pk":"p2","rare":null})");
  Put(container, documents);
  EXPECT_EQ(
      RunAll({.container = container, .text = "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.rare)"}),
      (std::vector<std::string>{R"("x1")", R"("x2")"}));
  EXPECT_EQ(examined_, 2u);
  EXPECT_EQ(RunAll({.container = container,
                    .text = "SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.rare.deep)"}),
            std::vector<std::string>{R"("x1")"});
  EXPECT_EQ(examined_, 1u);
}

// Rather all documents than all of their keys.
TEST_F(AlternativeSourceTest, WhatFindsTooManyIsNotLookedUp) {
  const gateway::ContainerRef container = Make("documents", 1);
  std::vector<std::string> documents;
  for (int i = 0; i < 4'200; ++i)
    documents.push_back(fmt::format(R"({{"id":"{0}","pk":"p{1}","n":{0}}})", i, i % 50));
  Put(container, documents);
  const std::string text = "SELECT VALUE c.n FROM c WHERE c.n >= 0 OR c.s = 'ab'";
  EXPECT_EQ(RunAll({.container = container, .text = text, .max_items = 1'000}).size(), 4'200u);
  EXPECT_LT(charge_, RequestUnits::Whole(4'200));
}

TEST_F(AlternativeSourceTest, GoesOnAfterASplit) {
  const gateway::ContainerRef container = Make("documents", 1);
  Put(container, RandomDocuments(300));
  QueryRequest request{.container = container,
                       .text = "SELECT VALUE c.id FROM c WHERE c.n < 20 OR c.s = 'ab'"};
  const auto expected = RunAll(request);
  request.max_items = 20;
  QueryPage first = RunPage(request);
  ASSERT_FALSE(first.continuation.empty());
  Split(container);
  request.continuation = first.continuation;
  std::vector<std::string> rows = RunInOrder(request);
  std::ranges::move(first.rows, std::back_inserter(rows));
  EXPECT_EQ(Sorted(std::move(rows)), expected);
}

}  // namespace
}  // namespace orrery::sql
