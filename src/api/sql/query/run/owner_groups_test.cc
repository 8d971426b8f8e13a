// Compares groups that the owners of partitions make with those of the query's own operators:
// random aggregates, keys and conditions over random documents, by scans and by indexes, at once
// and by pages that examine little.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "api/sql/query/source/source_testing.h"

namespace orrery::sql {
namespace {

constexpr uint64_t kGroupSeed = 20261118;
constexpr int kGroupedDocuments = 300;
constexpr int kGroupQueries = 120;

class GroupRandom {
 public:
  explicit GroupRandom(uint64_t seed) : random_(seed) {}

  size_t Below(size_t limit) { return random_() % limit; }
  std::string One(std::initializer_list<std::string_view> of) {
    return std::string(of.begin()[Below(of.size())]);
  }

  std::string Value() {
    return One({"1", "2", "3", "-5", "0.1", "0.2", "2.5", "1e17", "9007199254740993", "1e300",
                "\"x\"", "\"X\"", "\"xy\"", "true", "false", "null", "[1]", "{\"x\":1}"});
  }
  std::string Number() { return One({"1", "2", "3", "-5", "0.1", "0.2", "0.7", "2.5", "1e17"}); }
  std::string Document(int i) {
    const std::string n = std::to_string(i);
    std::string json = R"({"id":")" + n + R"(","pk":"p)" + std::to_string(i % 25) + R"(")";
    const auto add = [&](std::string_view name, const std::string& value) {
      if (Below(6) != 0) json += ",\"" + std::string(name) + "\":" + value;
    };
    json += ",\"n\":" + n;
    add("a", Number());
    add("b", Value());
    add("g", One({"1", "2", "\"x\"", "\"X\"", "null"}));
    add("h", One({"true", "false"}));
    add("o", "{\"x\":" + One({"1", "2", "[1,2]"}) + ",\"y\":" + n + "}");
    if (Below(20) == 0) add("long", "\"" + std::string(300 + Below(3), 'l') + "\"");
    return json + "}";
  }

  std::string Aggregate() {
    return One({"COUNT(1)", "COUNT(c)",         "COUNT(c.a)",   "COUNTIF(c.h)", "SUM(c.a)",
                "SUM(c.b)", "AVG(c.a)",         "AVG(c.b)",     "MIN(c.a)",     "MIN(c.b)",
                "MAX(c.a)", "MAX(c.b)",         "MAX(c.o)",     "MIN(c.g)",     "MAX(c.long)",
                "SUM(c.n)", "SUM(LENGTH(c.g))", "COUNT(c.o.x)", "MIN(c.id)",    "MAX(LOWER(c.g))"});
  }
  std::string Key() {
    return One({"c.g", "c.h", "c.o.x", "c.pk", "c.b", "LOWER(c.g)", "c.a", "IS_NUMBER(c.b)", "c.id",
                "c.long"});
  }
  std::string Condition() {
    return One({"true", "c.n < 100", "c.n >= 250", "c.g = 'x'", "c.a > 1", "IS_DEFINED(c.b)",
                "c.h = true AND c.n > 50", "c.pk = 'p3'", "c.pk IN ('p3', 'p4', 'p20')",
                "CONTAINS(c.id, '7')", "c.g = 1 OR c.n < 20", "c.b != null", "false",
                "c.a > 0 AND c.g IN ('x', 'X', 1)", "STARTSWITH(c.long, 'l')", "c.o.x = 1"});
  }
  std::string Tail() { return One({"", "", "", " OFFSET 1 LIMIT 4"}); }

 private:
  std::mt19937_64 random_;
};

class OwnerGroupsTest : public SourceTest {
 protected:
  OwnerGroupsTest() {
    const std::vector<item::NamedIndex> named = {
        {.id = 1, .name = "hn", .paths = {model::Path({"h"}), model::Path({"n"})}}};
    containers_ = {MakePlain("plain", 4), Make("indexed", 4), Make("named", 4, named)};
    GroupRandom random(kGroupSeed);
    std::vector<std::string> documents;
    for (int i = 0; i < kGroupedDocuments; ++i) documents.push_back(random.Document(i));
    for (const gateway::ContainerRef& container : containers_) Put(container, documents);
  }

  // All rows as they come, by pages that examine and have so many.
  std::vector<std::string> Rows(const gateway::ContainerRef& container, const std::string& text,
                                size_t examined_max, int64_t page_rows) {
    QueryRequest request{.text = text};
    request.container = container;
    request.max_items = page_rows;
    QueryLimits limits;
    limits.examined_max = examined_max;
    const QueryEngine engine(*server_.gateway, functions_, server_.clock, limits);
    std::vector<std::string> rows;
    for (int pages = 0; pages < 5'000; ++pages) {
      server_.clock.Advance(std::chrono::seconds(5));
      const auto page = engine.Run(request);
      EXPECT_TRUE(page.has_value()) << text;
      if (!page.has_value()) return rows;
      rows.insert(rows.end(), page->rows.begin(), page->rows.end());
      if (page->continuation.empty()) return rows;
      request.continuation = page->continuation;
    }
    ADD_FAILURE() << text << ": the pages do not end";
    return rows;
  }

  // `select` FROM c WHERE `condition` `behind`, with groups made by owners, and here: no owner
  // knows a system property, which all documents have.
  void ExpectTheSame(const std::string& select, const std::string& condition,
                     const std::string& behind) {
    const std::string at_owners = select + " FROM c WHERE " + condition + behind;
    const std::string here =
        select + " FROM c WHERE (" + condition + ") AND IS_DEFINED(c._rid)" + behind;
    SCOPED_TRACE(at_owners);
    const bool is_whole = behind.find("LIMIT") == std::string::npos;
    const auto expected = Rows(containers_[0], here, 50'000, 1'000);
    // By scans groups come in the same order, too.
    EXPECT_EQ(Rows(containers_[0], at_owners, 50'000, 1'000), expected);
    EXPECT_EQ(Rows(containers_[0], at_owners, 20, 25), expected);
    for (const size_t i : {1u, 2u}) {
      const auto rows = Rows(containers_[i], at_owners, 50'000, 1'000);
      if (is_whole) {
        EXPECT_EQ(Sorted(rows), Sorted(expected)) << i;
      } else {
        EXPECT_EQ(rows.size(), expected.size()) << i;
      }
      EXPECT_EQ(Rows(containers_[i], at_owners, 20, 25), rows) << i;
    }
  }

  std::vector<gateway::ContainerRef> containers_;
};

TEST_F(OwnerGroupsTest, AreThoseOfTheOperators) {
  GroupRandom random(kGroupSeed + 1);
  for (int i = 0; i < kGroupQueries && !HasFailure(); ++i) {
    const std::string condition = random.Condition();
    std::vector<std::string> keys;
    for (size_t n = random.Below(3); n > 0; --n) keys.push_back(random.Key());
    std::string select = "SELECT ";
    std::string behind;
    for (size_t k = 0; k < keys.size(); ++k) {
      select += keys[k] + " AS k" + std::to_string(k) + ", ";
      behind += (k == 0 ? " GROUP BY " : ", ") + keys[k];
    }
    const size_t aggregates = 1 + random.Below(3);
    for (size_t a = 0; a < aggregates; ++a)
      select += (a == 0 ? "" : ", ") + random.Aggregate() + " AS a" + std::to_string(a);
    if (!keys.empty()) behind += random.Tail();
    ExpectTheSame(select, condition, behind);
  }
}

TEST_F(OwnerGroupsTest, DistinctRowsAreThoseOfTheOperators) {
  GroupRandom random(kGroupSeed + 2);
  for (int i = 0; i < kGroupQueries / 2 && !HasFailure(); ++i) {
    const std::string condition = random.Condition();
    const std::string select =
        random.Below(2) == 0
            ? "SELECT DISTINCT VALUE " +
                  random.One({"c.g", "c.h", "c.b", "c.o.x", "c.o", "c.a + 1", "[c.g, c.h]",
                              "c.g ?? c.h", "LOWER(c.g)", "{a: c.o, b: c.o.x}", "1", "c.pk"})
            : "SELECT DISTINCT " + random.Key() + " AS x, " + random.Key() + " AS y";
    ExpectTheSame(select, condition, random.Tail());
  }
}

// The pages of a query go on when partitions split in between.
TEST_F(OwnerGroupsTest, SplitsBetweenPagesChangeNothing) {
  const std::vector<std::string> texts = {
      "SELECT COUNT(1) AS n, SUM(c.n) AS s, SUM(c.a) AS a FROM c",
      "SELECT COUNT(1) AS n, SUM(c.n) AS s FROM c WHERE c.n >= 10",
      "SELECT c.g, SUM(c.a) AS s FROM c WHERE IS_DEFINED(c.a) GROUP BY c.g"};
  for (const size_t i : {0u, 1u, 2u}) {
    for (const std::string& text : texts) {
      SCOPED_TRACE(text);
      const auto expected = Rows(containers_[i], text, 50'000, 1'000);
      QueryRequest request{.text = text};
      request.container = containers_[i];
      request.max_items = 2;
      QueryLimits limits;
      limits.examined_max = 40;
      const QueryEngine engine(*server_.gateway, functions_, server_.clock, limits);
      std::vector<std::string> rows;
      for (int pages = 0; pages < 5'000; ++pages) {
        server_.clock.Advance(std::chrono::seconds(5));
        if (pages == 1) Split(containers_[i]);
        const auto page = engine.Run(request);
        ASSERT_TRUE(page.has_value());
        rows.insert(rows.end(), page->rows.begin(), page->rows.end());
        if (page->continuation.empty()) break;
        request.continuation = page->continuation;
      }
      EXPECT_EQ(rows, expected);
    }
  }
}

}  // namespace
}  // namespace orrery::sql
