// Queries that entries of indexes answer, or narrow, give what a look at all documents gives.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "api/sql/query/source/source_testing.h"

namespace orrery::sql {
namespace {

using Rows = std::vector<std::string>;

class EntrySourceTest : public SourceTest {
 protected:
  // Values of all types, and none.
  std::string AnyValue() {
    switch (random_() % 12) {
      case 0:
        return "null";
      case 1:
        return random_() % 2 == 0 ? "true" : "false";
      case 2:
        return R"({"x":1})";
      case 3:
        return R"(["ab",5])";
      case 4:
        return "9007199254740993";
      case 5:
        return R"(")" + std::to_string(random_() % 3) + std::string(300, 'a') + R"(")";
      case 6:
      case 7:
        return std::to_string(random_() % 20);
      case 8:
        return std::to_string(static_cast<int>(random_() % 20) - 10) + ".5";
      default: {
        std::string text;
        for (uint32_t i = 0; i < 1 + random_() % 4; ++i)
          text += static_cast<char>("abAB"[random_() % 4]);
        return "\"" + text + "\"";
      }
    }
  }
  std::string AnyDocument(int id) {
    std::string json = R"({"id":"d)" + std::to_string(id) + R"(")";
    if (random_() % 8 != 0) json += R"(,"s":)" + AnyValue();
    if (random_() % 8 != 0) json += R"(,"n":)" + std::to_string(random_() % 50);
    if (random_() % 2 != 0) json += R"(,"a":{"b":)" + AnyValue() + "}";
    json += R"(,"pk":"p)" + std::to_string(id % 7) + R"(")";
    return json + "}";
  }

  static constexpr std::string_view kQueries[] = {
      "SELECT VALUE c.id FROM c WHERE CONTAINS(c.s, 'a')",
      "SELECT c.id, c.n FROM c WHERE CONTAINS(c.s, 'AB', true) AND c.n > 3",
      "SELECT c.id FROM c WHERE ENDSWITH(c.s, 'b')",
      "SELECT c.id FROM c WHERE c.s LIKE '%a_b%'",
      "SELECT c.id FROM c WHERE c.s NOT LIKE '%a%'",
      "SELECT c.id FROM c WHERE RegexMatch(c.s, '^a.*b$', 'i')",
      "SELECT c.id FROM c WHERE LOWER(c.s) = 'ab'",
      "SELECT c.n FROM c WHERE UPPER(c.a.b) = 'AB'",
      "SELECT c.n FROM c WHERE StringEquals(c.s, 'aB', true)",
      "SELECT c.n FROM c WHERE LENGTH(c.s) > 250",
      "SELECT c.n FROM c WHERE CONTAINS(c.s, 'a') OR ENDSWITH(c.s, 'B')",
      "SELECT c.n FROM c WHERE ABS(c.s) > 5",
      "SELECT c.id FROM c WHERE c.s != 'ab'",
      "SELECT c.id FROM c WHERE c.s != 5",
      "SELECT c.id FROM c WHERE c.s NOT IN ('ab', 'a')",
      "SELECT c.id FROM c WHERE ARRAY_CONTAINS(['ab', 5, true], c.s)",
      "SELECT c.id FROM c WHERE NOT IS_DEFINED(c.n)",
      "SELECT VALUE COUNT(1) FROM c",
      "SELECT VALUE COUNT(1) FROM c WHERE c.n = 7",
      "SELECT VALUE COUNT(1) FROM c WHERE c.s > 'a'",
      "SELECT VALUE COUNT(1) FROM c WHERE CONTAINS(c.s, 'a')",
      "SELECT VALUE COUNT(1) FROM c WHERE c.s IN ('a', 'b', 'ab')",
      "SELECT VALUE COUNT(c.s) FROM c",
      "SELECT VALUE SUM(c.n) FROM c WHERE c.n > 10",
      "SELECT VALUE AVG(c.n) FROM c WHERE IS_NUMBER(c.n)",
      "SELECT VALUE SUM(c.s) FROM c",
      "SELECT VALUE MIN(c.s) FROM c WHERE IS_STRING(c.s)",
      "SELECT VALUE MAX(c.s) FROM c WHERE IS_STRING(c.s)",
      "SELECT MAX(c.n) AS most FROM c WHERE c.n < 30",
      "SELECT VALUE MAX(c.s) FROM c",
      "SELECT VALUE MAX(c.s) FROM c WHERE c.s >= 3 AND c.s != 19",
      "SELECT DISTINCT VALUE c.s FROM c WHERE IS_NUMBER(c.s)",
      "SELECT c.n, COUNT(1) AS many FROM c WHERE c.n < 20 GROUP BY c.n",
      "SELECT c.id, c.pk FROM c WHERE c.n BETWEEN 3 AND 9",
      "SELECT VALUE c.id FROM c",
      "SELECT c.pk, c.id FROM c WHERE c.pk != 'p2'",
      "SELECT VALUE c.s FROM c WHERE CONTAINS(c.s, 'b') ORDER BY c.s",
      "SELECT VALUE c.s FROM c ORDER BY c.s DESC",
      "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 10",
      "SELECT VALUE c.n FROM c WHERE c.n BETWEEN 5 AND 20 ORDER BY c.n DESC",
      "SELECT VALUE c.a.b FROM c WHERE c.a.b >= 'a' ORDER BY c.a.b",
  };

  std::mt19937 random_{11};
};

TEST_F(EntrySourceTest, AnswersAreThoseOfAScan) {
  const auto indexed = Make("indexed", 3);
  const auto plain = MakePlain("plain", 1);
  std::vector<std::string> documents;
  for (int i = 0; i < 150; ++i) documents.push_back(AnyDocument(i));
  Put(indexed, documents);
  Put(plain, documents);
  ExpectAlike(kQueries, indexed, plain);

  documents.clear();
  for (int i = 0; i < 150; i += 4) documents.push_back(AnyDocument(i));
  Put(indexed, documents);
  Put(plain, documents);
  for (int i = 0; i < 150; i += 5) {
    for (const auto& container : {indexed, plain})
      Delete(container, "p" + std::to_string(i % 7), "d" + std::to_string(i));
  }
  Split(indexed);
  ExpectAlike(kQueries, indexed, plain);
}

TEST_F(EntrySourceTest, OnlyWhatIsWantedIsRead) {
  const auto container = Make("c", 1);
  std::vector<std::string> documents;
  for (int i = 0; i < 1'000; ++i) {
    const std::string n = std::to_string(i);
    documents.push_back(R"({"id":")" + n + R"(","pk":")" + n + R"(","name":"item )" + n +
                        R"(","n":)" + n + "}");
  }
  Put(container, documents);
  const auto run = [&](std::string text) {
    return RunAll({.container = container, .text = std::move(text)});
  };
  EXPECT_EQ(run("SELECT * FROM c WHERE CONTAINS(c.name, '77')").size(), 19u);
  EXPECT_EQ(retrieved_, 19u);
  EXPECT_LT(charge_.ToDouble(), 50);
  EXPECT_EQ(run("SELECT VALUE COUNT(1) FROM c").front(), "1000");
  EXPECT_EQ(retrieved_, 0u);
  EXPECT_LT(charge_.ToDouble(), 40);
  EXPECT_EQ(run("SELECT VALUE SUM(c.n) FROM c WHERE c.n < 100").front(), "4950");
  EXPECT_EQ(retrieved_, 0u);
  EXPECT_EQ(run("SELECT VALUE MAX(c.n) FROM c WHERE c.n >= 0").front(), "999");
  EXPECT_EQ(examined_, 0u);
  EXPECT_LT(charge_.ToDouble(), 3);
}

TEST_F(EntrySourceTest, OfTheFirstValuesOfAKeyNoDocumentsAreRead) {
  gateway::ContainerSettings settings;
  settings.name = "levels";
  settings.partition_key_paths = {"/tenant", "/user", "/session"};
  settings.hashing = partition::KeyHashing::kMultiHash;
  settings.throughput = partition::ThroughputSettings::Manual(kRate * 2);
  const auto container = server_.catalog->CreateContainer("db", settings);
  ASSERT_TRUE(container.has_value()) << container.error().ToString();
  std::vector<std::string> documents;
  for (int i = 0; i < 100; ++i) {
    documents.push_back(fmt::format(R"({{"id":"{}","tenant":"t{}","user":"u{}","session":{}}})", i,
                                    i % 4, i % 5, i % 2));
  }
  Put(*container, documents);
  using model::Value;
  const auto count = [&](std::vector<Value> key, std::string where) {
    QueryRequest request{.container = *container,
                         .text = "SELECT VALUE COUNT(1) FROM c " + std::move(where)};
    if (!key.empty()) request.partition_key = std::move(key);
    const auto rows = RunInOrder(std::move(request));
    EXPECT_EQ(retrieved_, 0u);
    EXPECT_LT(charge_, RequestUnits::Whole(5));
    return rows.front();
  };
  EXPECT_EQ(count({Value::String("t1")}, ""), "25");
  EXPECT_EQ(count({Value::String("t1"), Value::String("u2")}, ""), "5");
  EXPECT_EQ(count({Value::String("t1"), Value::String("u2"), Value::Int32(1)}, ""), "5");
  EXPECT_EQ(count({Value::String("t1"), Value::String("u2"), Value::Int32(0)}, ""), "0");
  EXPECT_EQ(count({}, "WHERE c.tenant = 't2'"), "25");
  EXPECT_EQ(count({}, "WHERE c.tenant = 't2' AND c.user = 'u1'"), "5");
}

TEST_F(EntrySourceTest, LongValuesAreNotTakenForTheirBeginnings) {
  const auto container = Make("c", 1);
  const std::string text(300, 'x');
  Put(container, {R"({"id":"1","pk":"a","s":")" + text + R"(2"})",
                  R"({"id":"2","pk":"b","s":")" + text + R"(3"})",
                  R"({"id":"3","pk":"c","s":")" + text + R"(1"})"});
  const auto run = [&](std::string query) {
    return RunAll({.container = container, .text = std::move(query)});
  };
  EXPECT_EQ(run("SELECT VALUE MAX(c.s) FROM c WHERE c.s > 'a'"), (Rows{"\"" + text + "3\""}));
  EXPECT_EQ(run("SELECT VALUE MIN(c.s) FROM c WHERE c.s > 'a'"), (Rows{"\"" + text + "1\""}));
  EXPECT_EQ(run("SELECT VALUE c.id FROM c WHERE ENDSWITH(c.s, '3')"), (Rows{"\"2\""}));
}

TEST_F(EntrySourceTest, TheFirstOfALogicalPartitionCostLittle) {
  const auto container = Make("c", 1);
  std::vector<std::string> documents;
  for (int i = 0; i < 2'000; ++i) {
    const std::string n = std::to_string(i);
    const std::string pk = i % 4 == 0 ? "large" : "p" + n;
    documents.push_back(R"({"id":")" + n + R"(","pk":")" + pk + R"(","n":)" + n + "}");
  }
  Put(container, documents);
  QueryRequest request{.container = container,
                       .text = "SELECT VALUE c.n FROM c ORDER BY c.n DESC OFFSET 0 LIMIT 3"};
  request.partition_key = {model::Value::String("large")};
  EXPECT_EQ(RunInOrder(request), (std::vector<std::string>{"1996", "1992", "1988"}));
  EXPECT_LT(charge_.ToDouble(), 5);
  request.text = "SELECT * FROM c WHERE c.n BETWEEN 100 AND 120";
  EXPECT_EQ(RunAll(request).size(), 6u);
  EXPECT_EQ(retrieved_, 6u);
  EXPECT_LT(charge_.ToDouble(), 10);
}

}  // namespace
}  // namespace orrery::sql
