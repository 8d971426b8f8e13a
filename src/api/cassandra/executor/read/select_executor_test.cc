#include "api/cassandra/executor/read/select_executor.h"

#include <gtest/gtest.h>

#include "api/cassandra/executor/read/read_fixture.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::ListOf;
using testing::MapOf;
using testing::Native;
using testing::SetOf;
using testing::TableBuilder;
using testing::Text;
using testing::Udt;
using testing::VectorOf;
using Rows = std::vector<std::string>;

class Select : public testing::ReadFixture {};

TEST_F(Select, OneRowByItsKey) {
  CreatePlain();
  Write("INSERT INTO ks.t (k, c, v, w, s) VALUES (1, 2, 3, 'x', 'both')");
  const Rows values = {EncodeInteger(int32_t{1}), EncodeInteger(int32_t{2})};
  EXPECT_EQ(Read("SELECT v, w, k, c, v FROM ks.t WHERE k = ? AND c = ?", 0, values),
            Rows{"3|'x'|1|2|3"});
  EXPECT_EQ(Read("SELECT s, w FROM ks.t WHERE k = ? AND c = ?", 0, values), Rows{"'both'|'x'"});
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE k = 1 AND c = 3"), Rows{});
  EXPECT_EQ(Read("SELECT s FROM ks.t WHERE k = 1"), Rows{"'both'"});
}

TEST_F(Select, PointReadsSeeDeletionsAndExpiry) {
  CreatePlain();
  Write("INSERT INTO ks.t (k, c, v, w) VALUES (1, 1, 3, 'x')");
  Write("DELETE w FROM ks.t WHERE k = 1 AND c = 1");
  Write("UPDATE ks.t USING TTL 10 SET v = 4 WHERE k = 1 AND c = 1");
  const std::string read = "SELECT v, w FROM ks.t WHERE k = 1 AND c = 1";
  EXPECT_EQ(Read(read), Rows{"4|null"});
  server.clock.Advance(std::chrono::seconds(11));
  EXPECT_EQ(Read(read), Rows{"null|null"});
  Write("DELETE FROM ks.t WHERE k = 1");
  EXPECT_EQ(Read(read), Rows{});
}

TEST_F(Select, PointReadsRefuseNullKeys) {
  CreatePlain();
  const auto planned = testing::PlanText(table, "SELECT v FROM ks.t WHERE k = ? AND c = 1");
  ASSERT_TRUE(planned.plan->point.has_value());
  EXPECT_EQ(
      ReadOne("SELECT v FROM ks.t WHERE k = ? AND c = 1", 0, std::nullopt, {"long bytes"}).code,
      ErrorCode::kInvalid);
}

TEST_F(Select, RangesOfAPartition) {
  CreatePlain();
  Fill(1, 6);
  EXPECT_EQ(Read("SELECT c FROM ks.t WHERE k = 1 AND c > 1 AND c <= 3"), (Rows{"2", "3"}));
  EXPECT_EQ(Read("SELECT c FROM ks.t WHERE k = 1 AND c IN (5, 0, 9)"), (Rows{"0", "5"}));
  EXPECT_EQ(Read("SELECT c FROM ks.t WHERE k = 1 ORDER BY c DESC LIMIT 2"), (Rows{"5", "4"}));
  EXPECT_EQ(Read("SELECT c FROM ks.t WHERE k = 1 AND c IN (5, 0) ORDER BY c DESC"),
            (Rows{"5", "0"}));
  EXPECT_EQ(Read("SELECT c FROM ks.t WHERE k = 1 AND c > 4 AND c < 3"), Rows{});
}

TEST_F(Select, SeveralPartitionsComeInTheOrderOfTheirKeys) {
  CreatePlain();
  Fill(4, 2);
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE k IN (4, 1, 2)"),
            (Rows{"10", "11", "20", "21", "40", "41"}));
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE k IN (4, 1) ORDER BY c DESC"),
            (Rows{"11", "41", "10", "40"}));
}

TEST_F(Select, StaticsAloneMakeARow) {
  CreatePlain();
  Write("UPDATE ks.t SET s = 'x' WHERE k = 1");
  EXPECT_EQ(Read("SELECT k, c, s, v FROM ks.t WHERE k = 1"), Rows{"1|null|'x'|null"});
  EXPECT_EQ(Read("SELECT k, c, s, v FROM ks.t"), Rows{"1|null|'x'|null"});
  EXPECT_EQ(Read("SELECT s, v FROM ks.t WHERE k = 1 AND c > 0"), Rows{});
  Write("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1)");
  Write("INSERT INTO ks.t (k, c, v) VALUES (1, 2, 2)");
  EXPECT_EQ(Read("SELECT k, c, s FROM ks.t WHERE k = 1"), (Rows{"1|1|'x'", "1|2|'x'"}));
  EXPECT_EQ(Read("SELECT DISTINCT k, s FROM ks.t"), Rows{"1|'x'"});
}

TEST_F(Select, FiltersTestRows) {
  CreatePlain();
  Fill(3, 3);
  Write("UPDATE ks.t SET s = 'x' WHERE k = 2");
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE v >= 12 AND v < 21 ALLOW FILTERING").size(), 2u);
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE k = 2 AND v IN (20, 22, 5) ALLOW FILTERING"),
            (Rows{"20", "22"}));
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE s = 'x' ALLOW FILTERING"), (Rows{"20", "21", "22"}));
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE w = 'x' ALLOW FILTERING"), Rows{});
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE k > 2 AND c = 1 ALLOW FILTERING"), Rows{"31"});
}

TEST_F(Select, TokensDivideTheTable) {
  CreatePlain();
  Fill(9, 1);
  const Rows whole = Read("SELECT k FROM ks.t");
  const Rows below = Read("SELECT k FROM ks.t WHERE token(k) <= 0");
  const Rows above = Read("SELECT k FROM ks.t WHERE token(k) > 0");
  Rows joined = below;
  joined.insert(joined.end(), above.begin(), above.end());
  EXPECT_EQ(joined, whole);
  EXPECT_FALSE(below.empty());
  EXPECT_FALSE(above.empty());
}

TEST_F(Select, AggregatesOfAllAndOfGroups) {
  CreatePlain();
  const auto none = ReadOne("SELECT count(*), max(v) FROM ks.t");
  EXPECT_EQ(none.rows, Rows{"0|null"});
  EXPECT_EQ(none.warnings, Rows{"Aggregation query used without partition key"});
  Fill(2, 3);
  EXPECT_EQ(Read("SELECT count(*), sum(v), min(v) FROM ks.t WHERE k = 2"), Rows{"3|63|20"});
  EXPECT_EQ(Read("SELECT count(v), k FROM ks.t WHERE k = 1 GROUP BY k"), Rows{"3|1"});
  EXPECT_EQ(ReadOne("SELECT count(*) FROM ks.t WHERE k IN (1, 2)").warnings,
            Rows{"Aggregation query used on multiple partition keys (IN restriction)"});
  EXPECT_EQ(Read("SELECT max(v) FROM ks.t WHERE k IN (1, 2) GROUP BY k LIMIT 1"), Rows{"12"});
}

TEST_F(Select, GroupsByAFunctionOfTheLastColumn) {
  Create(TableBuilder()
             .Key("k", Int())
             .Clustering("t", Native(TypeKind::kTimestamp))
             .Regular("v", Int()));
  for (const int minute : {0, 10, 59, 60, 61, 180}) {
    Write("INSERT INTO ks.t (k, t, v) VALUES (1, " + std::to_string(minute * 60'000) + ", " +
          std::to_string(minute) + ")");
  }
  EXPECT_EQ(Read("SELECT count(*), max(v) FROM ks.t WHERE k = 1 GROUP BY k, floor(t, 1h)"),
            (Rows{"3|59", "2|61", "1|180"}));
}

TEST_F(Select, CollectionsAreAssembled) {
  Create(TableBuilder()
             .Key("k", Int())
             .Regular("l", ListOf(Int(), Cells::kMulti))
             .Regular("m", MapOf(Int(), Text(), Cells::kMulti))
             .Regular("s", SetOf(Int(), Cells::kMulti))
             .Regular("u", Udt("pair", {"x", "y"}, {Int(), Text()}, Cells::kMulti)));
  Write(
      "INSERT INTO ks.t (k, l, m, s, u) VALUES (1, [3, 1, 2], {-1: 'a', 1: 'b'}, {5, -5}, "
      "{x: 1, y: 'z'})");
  EXPECT_EQ(Read("SELECT l, m, s, u FROM ks.t WHERE k = 1"),
            Rows{"[3, 1, 2]|{-1: 'a', 1: 'b'}|{-5, 5}|{x: 1, y: 'z'}"});
  Write("UPDATE ks.t SET l = l + [9], m[1] = null, s = s - {5} WHERE k = 1");
  EXPECT_EQ(Read("SELECT l, m, s, u.y FROM ks.t WHERE k = 1"),
            Rows{"[3, 1, 2, 9]|{-1: 'a'}|{-5}|'z'"});
  EXPECT_EQ(Read("SELECT k FROM ks.t WHERE m CONTAINS KEY -1 AND l CONTAINS 9 ALLOW FILTERING"),
            Rows{"1"});
  EXPECT_EQ(Read("SELECT m[-1] FROM ks.t WHERE m[-1] = 'a' ALLOW FILTERING"), Rows{"'a'"});
  Write("UPDATE ks.t SET s = {} WHERE k = 1");
  EXPECT_EQ(Read("SELECT s FROM ks.t WHERE k = 1"), Rows{"null"});
}

TEST_F(Select, TimesOfCells) {
  CreatePlain();
  Write("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1) USING TTL 100", 5'000);
  server.clock.Advance(std::chrono::seconds(40));
  EXPECT_EQ(Read("SELECT writetime(v), ttl(v), ttl(w) FROM ks.t WHERE k = 1"),
            Rows{"5000|60|null"});
}

TEST_F(Select, Json) {
  CreatePlain();
  Write("INSERT INTO ks.t (k, c, v, w) VALUES (1, 2, 3, 'it')");
  EXPECT_EQ(Read("SELECT JSON k, w, s, v AS \"V\" FROM ks.t"),
            Rows{R"({"k": 1, "w": "it", "s": null, "\"V\"": 3})"});
}

TEST_F(Select, AnIndexFindsRowsAndStaleEntriesDoNotShow) {
  item::RowIndex by_value{
      .id = 1, .target = item::RowIndexTarget::kValue, .column = 1, .component = 0};
  item::RowIndex by_clustering{
      .id = 2, .target = item::RowIndexTarget::kClustering, .column = 0, .component = 0};
  Create(TableBuilder()
             .Key("k", Int())
             .Clustering("c", Int(), /*descending=*/true)
             .Regular("v", Int())
             .Regular("w", Int())
             .IndexOn("v")
             .IndexOn("c"),
         {by_value, by_clustering});
  for (int k = 1; k <= 6; ++k) {
    for (int c = 0; c < 3; ++c) {
      Write("INSERT INTO ks.t (k, c, v, w) VALUES (" + std::to_string(k) + ", " +
            std::to_string(c) + ", " + std::to_string(c) + ", 7)");
    }
  }
  EXPECT_EQ(Read("SELECT k FROM ks.t WHERE v = 1").size(), 6u);
  EXPECT_EQ(Read("SELECT k FROM ks.t WHERE v = 1", 2).size(), 6u);
  EXPECT_EQ(Read("SELECT k FROM ks.t WHERE c = 2").size(), 6u);
  EXPECT_EQ(Read("SELECT c FROM ks.t WHERE k = 3 AND v = 1"), Rows{"1"});
  EXPECT_EQ(Read("SELECT c FROM ks.t WHERE k = 3 AND c = 2 AND v = 1 ALLOW FILTERING"), Rows{});
  Write("UPDATE ks.t SET v = 5 WHERE k = 3 AND c = 1");
  EXPECT_EQ(Read("SELECT k FROM ks.t WHERE v = 1").size(), 5u);
  Write("DELETE FROM ks.t WHERE k = 4");
  EXPECT_EQ(Read("SELECT k FROM ks.t WHERE v = 1").size(), 4u);
  EXPECT_EQ(Read("SELECT count(*) FROM ks.t WHERE v = 2 AND w = 7 ALLOW FILTERING"), Rows{"5"});
}

TEST_F(Select, AnIndexOfAStaticColumnFindsPartitions) {
  const item::RowIndex by_static{
      .id = 1, .target = item::RowIndexTarget::kValue, .column = 1, .component = 0};
  Create(TableBuilder()
             .Key("k", Int())
             .Clustering("c", Int())
             .Static("s", Int())
             .Regular("v", Int())
             .IndexOn("s"),
         {by_static});
  for (int k = 1; k <= 5; ++k) {
    Write("UPDATE ks.t SET s = " + std::to_string(k % 2) + " WHERE k = " + std::to_string(k));
    for (int c = 0; c < k; ++c) {
      Write("INSERT INTO ks.t (k, c, v) VALUES (" + std::to_string(k) + ", " + std::to_string(c) +
            ", 0)");
    }
  }
  Write("UPDATE ks.t SET s = 1 WHERE k = 9");
  const std::string read = "SELECT k, c, s FROM ks.t WHERE s = 1";
  const Rows whole = Read(read);
  EXPECT_EQ(whole.size(), 1u + 3u + 5u + 1u);
  for (const int32_t page_rows : {1, 2, 3, 5}) EXPECT_EQ(Read(read, page_rows), whole);
  Write("UPDATE ks.t SET s = 0 WHERE k = 5");
  EXPECT_EQ(Read(read).size(), 1u + 3u + 1u);
  EXPECT_EQ(Read("SELECT c FROM ks.t WHERE s = 1 AND k = 3"), (Rows{"0", "1", "2"}));
}

TEST_F(Select, TheNearestComeFirst) {
  Create(TableBuilder().Key("k", Int()).Regular("e", VectorOf(Native(TypeKind::kFloat), 2)));
  Write("INSERT INTO ks.t (k, e) VALUES (1, [1.0, 0.0])");
  Write("INSERT INTO ks.t (k, e) VALUES (2, [0.0, 1.0])");
  Write("INSERT INTO ks.t (k, e) VALUES (3, [0.9, 0.1])");
  Write("INSERT INTO ks.t (k) VALUES (4)");
  EXPECT_EQ(Read("SELECT k FROM ks.t ORDER BY e ANN OF [1.0, 0.0] LIMIT 2"), (Rows{"1", "3"}));
  EXPECT_EQ(Read("SELECT k FROM ks.t ORDER BY e ANN OF [1.0, 0.0] LIMIT 9"), (Rows{"1", "3", "2"}));
}

TEST_F(Select, MixedDirectionsOfATuple) {
  Create(TableBuilder()
             .Key("k", Int())
             .Clustering("a", Int())
             .Clustering("b", Int(), /*descending=*/true)
             .Regular("v", Int()));
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      Write("INSERT INTO ks.t (k, a, b) VALUES (1, " + std::to_string(a) + ", " +
            std::to_string(b) + ")");
    }
  }
  EXPECT_EQ(Read("SELECT a, b FROM ks.t WHERE k = 1 AND (a, b) > (1, 1)"),
            (Rows{"1|2", "2|2", "2|1", "2|0"}));
  EXPECT_EQ(Read("SELECT a, b FROM ks.t WHERE k = 1 AND (a, b) > (0, 1) AND (a, b) <= (1, 0)"),
            (Rows{"0|2", "1|0"}));
  EXPECT_EQ(Read("SELECT a, b FROM ks.t WHERE k = 1 AND (a, b) IN ((2, 0), (0, 2), (5, 5))"),
            (Rows{"0|2", "2|0"}));
}

TEST_F(Select, KeysOfSeveralColumns) {
  Create(TableBuilder().Key("x", Int()).Key("y", Text()).Regular("v", Int()));
  Write("INSERT INTO ks.t (x, y, v) VALUES (1, 'a', 10)");
  Write("INSERT INTO ks.t (x, y, v) VALUES (1, 'b', 20)");
  EXPECT_EQ(Read("SELECT x, y, v FROM ks.t WHERE x = 1 AND y = 'b'"), Rows{"1|'b'|20"});
  EXPECT_EQ(Read("SELECT y, v FROM ks.t WHERE x = 1 AND y IN ('b', 'a')"),
            (Rows{"'a'|10", "'b'|20"}));
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE y = 'a' ALLOW FILTERING"), Rows{"10"});
}

TEST_F(Select, ChargesAddUp) {
  CreatePlain();
  Fill(3, 3);
  EXPECT_GT(ReadOne("SELECT v FROM ks.t WHERE k = 1 AND c = 1").charge, RequestUnits());
  EXPECT_GT(ReadOne("SELECT v FROM ks.t").charge, RequestUnits());
}

TEST_F(Select, TheFeedTellsChangesAndGoesOn) {
  CreatePlain();
  const std::string feed =
      "SELECT k, c, s, v FROM ks.t WHERE COSMOS_CHANGEFEED_START_TIME()='2001-01-01 00:00:00'";
  auto page = ReadOne(feed);
  EXPECT_EQ(page.rows, Rows{});
  ASSERT_TRUE(page.next.has_value()) << page.error;
  Write("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1)");
  Write("INSERT INTO ks.t (k, c, v, s) VALUES (1, 2, 2, 'x')");
  Write("DELETE FROM ks.t WHERE k = 1 AND c = 1");
  Rows seen;
  for (int pages = 0; pages < 3; ++pages) {
    page = ReadOne(feed, 10, page.next);
    ASSERT_TRUE(page.next.has_value()) << page.error;
    seen.insert(seen.end(), page.rows.begin(), page.rows.end());
  }
  std::ranges::sort(seen);
  EXPECT_EQ(seen, (Rows{"1|2|'x'|2", "1|null|'x'|null"}));
}

class Squares final : public VirtualTable {
 public:
  CqlResult<std::vector<VirtualRow>> Rows(const VirtualQuery&) const override {
    std::vector<VirtualRow> rows;
    for (int32_t k = 3; k >= 1; --k) {
      for (int32_t c = 2; c >= 0; --c)
        rows.push_back({EncodeInteger(k), EncodeInteger(c), EncodeInteger(k * c)});
    }
    return rows;
  }
};

TEST_F(Select, VirtualTablesAreReadLikeOthers) {
  table = TableBuilder("squares")
              .Key("k", Int())
              .Clustering("c", Int())
              .Regular("v", Int())
              .From(std::make_shared<Squares>())
              .Build();
  EXPECT_EQ(Read("SELECT c, v FROM ks.squares WHERE k = 2"), (Rows{"0|0", "1|2", "2|4"}));
  EXPECT_EQ(Read("SELECT c FROM ks.squares WHERE k = 2 AND c > 0 ORDER BY c DESC"),
            (Rows{"2", "1"}));
  EXPECT_EQ(Read("SELECT v FROM ks.squares WHERE k = 3 AND c = 2"), Rows{"6"});
  EXPECT_EQ(Read("SELECT count(*) FROM ks.squares"), Rows{"9"});
  EXPECT_EQ(Read("SELECT c FROM ks.squares WHERE v = 6 ALLOW FILTERING"), Rows{"2"});
  EXPECT_EQ(Read("SELECT * FROM ks.squares", 2), Read("SELECT * FROM ks.squares"));
}

}  // namespace
}  // namespace orrery::cassandra
