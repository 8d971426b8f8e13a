// Paging states as positions: any SELECT of the table goes on behind them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "api/cassandra/executor/read/read_fixture.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::TableBuilder;
using testing::Text;
using Rows = std::vector<std::string>;

constexpr int kPartitions = 6;
constexpr int kRowsEach = 5;

class SelectResume : public testing::ReadFixture {
 protected:
  // Partitions 1 to 6 of rows 0 to 4. v is c % 2, and s is k % 2.
  void CreateIndexed() {
    const item::RowIndex by_value{
        .id = 1, .target = item::RowIndexTarget::kValue, .column = 2, .component = 0};
    const item::RowIndex by_static{
        .id = 2, .target = item::RowIndexTarget::kValue, .column = 1, .component = 0};
    Create(TableBuilder()
               .Key("k", Int())
               .Clustering("c", Int())
               .Static("s", Int())
               .Regular("v", Int())
               .IndexOn("v")
               .IndexOn("s"),
           {by_value, by_static});
    for (int k = 1; k <= kPartitions; ++k) {
      Write("UPDATE ks.t SET s = " + std::to_string(k % 2) + " WHERE k = " + std::to_string(k));
      for (int c = 0; c < kRowsEach; ++c) {
        Write("INSERT INTO ks.t (k, c, v) VALUES (" + std::to_string(k) + ", " + std::to_string(c) +
              ", " + std::to_string(c % 2) + ")");
      }
    }
  }

  // The state behind the `rows` first rows of the statement.
  std::string StateBehind(const std::string& text, int32_t rows) {
    const auto page = ReadOne(text, rows);
    EXPECT_EQ(page.error, "") << text;
    EXPECT_EQ(page.rows.size(), static_cast<size_t>(rows)) << text;
    EXPECT_TRUE(page.next.has_value()) << text;
    return page.next.value_or("");
  }
  // All that comes behind the state, page by page.
  Rows ReadBehind(const std::string& text, std::optional<std::string> state, int32_t page_rows) {
    Rows rows;
    for (int pages = 0; state.has_value() && pages < kPagesMax; ++pages) {
      auto page = ReadOne(text, page_rows, state);
      EXPECT_EQ(page.error, "") << text;
      rows.insert(rows.end(), page.rows.begin(), page.rows.end());
      state = std::move(page.next);
    }
    return rows;
  }
};

// A Statement is a SELECT, with the order and the limit of what it reads.
struct Statement {
  std::string text;            // SELECT k, c
  std::vector<int> keys = {};  // none: all, in the order of the ring
  bool reversed = false;
};

// Returns the rows of `whole`, all of a statement, that come behind `mark`, a row of the table.
Rows Behind(const Statement& statement, const Rows& whole, const Rows& ring, std::string mark) {
  const auto key_of = [](const std::string& row) { return std::stoi(row); };
  const auto clustering_of = [](const std::string& row) {
    return std::stoi(row.substr(row.find('|') + 1));
  };
  const auto is_behind_clustering = [&](const std::string& row) {
    return statement.reversed ? clustering_of(row) < clustering_of(mark)
                              : clustering_of(row) > clustering_of(mark);
  };
  const auto place = [&](const std::string& row) {
    return std::ranges::find(ring, row) - ring.begin();
  };
  const auto key_place = [&](int key) {
    return std::ranges::find(statement.keys, key) - statement.keys.begin();
  };
  const auto asked = static_cast<std::ptrdiff_t>(statement.keys.size());
  Rows behind;
  for (const std::string& row : whole) {
    bool is_behind = false;
    if (statement.keys.size() == 1) {
      is_behind = is_behind_clustering(row);
    } else if (statement.keys.empty()) {
      is_behind = place(row) > place(mark);
    } else if (key_place(key_of(mark)) < asked) {
      is_behind = key_of(row) == key_of(mark) ? is_behind_clustering(row)
                                              : key_place(key_of(row)) > key_place(key_of(mark));
    }
    if (is_behind) behind.push_back(row);
  }
  return behind;
}

TEST_F(SelectResume, AnyStatementOfTheTableGoesOn) {
  CreateIndexed();
  const std::vector<Statement> statements = {
      {"SELECT k, c FROM ks.t"},
      {"SELECT k, c FROM ks.t WHERE k = 2", {2}},
      {"SELECT k, c FROM ks.t WHERE k = 3 ORDER BY c DESC", {3}, true},
      {"SELECT k, c FROM ks.t WHERE k = 2 AND c >= 1 AND c < 4", {2}},
      {"SELECT k, c FROM ks.t WHERE k = 2 AND c IN (0, 2, 3)", {2}},
      {"SELECT k, c FROM ks.t WHERE k = 2 AND c IN (0, 2, 3) ORDER BY c DESC", {2}, true},
      {"SELECT k, c FROM ks.t WHERE k = 2 AND c = 3", {2}},
      {"SELECT k, c FROM ks.t WHERE k IN (2, 3, 5)", {2, 3, 5}},
      {"SELECT k, c FROM ks.t WHERE k IN (2, 3) AND c IN (1, 4)", {2, 3}},
      {"SELECT k, c FROM ks.t WHERE v = 1"},
      {"SELECT k, c FROM ks.t WHERE k = 2 AND v = 0", {2}},
      {"SELECT k, c FROM ks.t WHERE s = 1"},
      {"SELECT k, c FROM ks.t WHERE c IN (1, 3) ALLOW FILTERING"},
      {"SELECT k, c FROM ks.t WHERE v = 0 AND c > 1 ALLOW FILTERING"},
      {"SELECT k, c FROM ks.t WHERE token(k) > token(2)"},
      {"SELECT k, c FROM ks.t WHERE token(k) <= token(2)"},
      {"SELECT k, c FROM ks.t GROUP BY k, c"},
  };
  const Rows ring = Read("SELECT k, c FROM ks.t");
  ASSERT_EQ(ring.size(), static_cast<size_t>(kPartitions * kRowsEach));
  std::map<std::string, Rows> wholes;
  for (const Statement& statement : statements) wholes[statement.text] = Read(statement.text);
  for (const Statement& first : statements) {
    const Rows& had = wholes[first.text];
    ASSERT_FALSE(had.empty()) << first.text;
    for (const size_t rows : {size_t{1}, size_t{2}, had.size() / 2, had.size()}) {
      if (rows == 0 || rows > had.size()) continue;
      const std::string state = StateBehind(first.text, static_cast<int32_t>(rows));
      for (const Statement& next : statements) {
        const Rows expected = Behind(next, wholes[next.text], ring, had[rows - 1]);
        for (const int32_t page_rows : {1, 3, 100}) {
          EXPECT_EQ(ReadBehind(next.text, state, page_rows), expected)
              << rows << " rows of " << first.text << ", then by " << page_rows << " " << next.text;
        }
      }
    }
  }
}

TEST_F(SelectResume, APageThatIsExactlyFullHandsOutAState) {
  CreatePlain();
  Fill(2, 3);
  for (const std::string text :
       {"SELECT v FROM ks.t WHERE k = 1", "SELECT v FROM ks.t WHERE k = 1 ORDER BY c DESC",
        "SELECT c, count(v) FROM ks.t WHERE k = 1 GROUP BY k, c"}) {
    const auto full = ReadOne(text, 3);
    EXPECT_EQ(full.rows.size(), 3u);
    ASSERT_TRUE(full.next.has_value()) << text;
    const auto empty = ReadOne(text, 3, full.next);
    EXPECT_EQ(empty.rows, Rows{}) << empty.error;
    EXPECT_FALSE(empty.next.has_value());
    EXPECT_FALSE(ReadOne(text, 4).next.has_value()) << "not full";
  }
  const auto all = ReadOne("SELECT v FROM ks.t", 6);
  ASSERT_TRUE(all.next.has_value());
  EXPECT_EQ(ReadOne("SELECT v FROM ks.t", 6, all.next).rows, Rows{});
  // One row by its key.
  const auto one = ReadOne("SELECT v FROM ks.t WHERE k = 1 AND c = 1", 1);
  EXPECT_EQ(one.rows, Rows{"11"});
  ASSERT_TRUE(one.next.has_value());
  EXPECT_EQ(ReadOne("SELECT v FROM ks.t WHERE k = 1 AND c = 1", 1, one.next).rows, Rows{});
  EXPECT_EQ(ReadOne("SELECT v FROM ks.t WHERE k = 1 AND c = 2", 1, one.next).rows, Rows{"12"});
}

TEST_F(SelectResume, WhatCannotHaveMoreHandsOutNone) {
  CreatePlain();
  Fill(2, 3);
  for (const std::string text :
       {"SELECT v FROM ks.t LIMIT 3", "SELECT v FROM ks.t WHERE k = 1 LIMIT 3",
        "SELECT v FROM ks.t WHERE k = 1 PER PARTITION LIMIT 3",
        "SELECT c, v FROM ks.t WHERE k = 1 GROUP BY k, c LIMIT 3"}) {
    const auto page = ReadOne(text, 3);
    EXPECT_EQ(page.rows.size(), 3u);
    EXPECT_FALSE(page.next.has_value()) << text;
  }
  EXPECT_FALSE(ReadOne("SELECT DISTINCT k FROM ks.t WHERE k = 1", 1).next.has_value());
  EXPECT_FALSE(ReadOne("SELECT count(*) FROM ks.t", 1).next.has_value());
}

TEST_F(SelectResume, WithoutClusteringColumnsARowIsItsPartition) {
  Create(TableBuilder().Key("k", Int()).Regular("v", Int()));
  for (int k = 1; k <= 4; ++k)
    Write("INSERT INTO ks.t (k, v) VALUES (" + std::to_string(k) + ", " + std::to_string(k) + ")");
  EXPECT_FALSE(ReadOne("SELECT v FROM ks.t WHERE k = 1", 1).next.has_value());
  EXPECT_FALSE(ReadOne("SELECT v FROM ks.t WHERE k IN (1, 2)", 2).next.has_value());
  const auto page = ReadOne("SELECT v FROM ks.t WHERE k IN (1, 2, 4)", 1);
  ASSERT_TRUE(page.next.has_value());
  EXPECT_EQ(ReadBehind("SELECT v FROM ks.t WHERE k IN (1, 2, 4)", page.next, 1), (Rows{"2", "4"}));
  EXPECT_EQ(ReadOne("SELECT v FROM ks.t WHERE k = 1", 1, page.next).rows, Rows{});
  const Rows whole = Read("SELECT v FROM ks.t");
  const auto place = std::ranges::find(whole, "1");
  EXPECT_EQ(ReadBehind("SELECT v FROM ks.t", page.next, 3), Rows(place + 1, whole.end()));
}

TEST_F(SelectResume, TheMarkedRowMayBeGone) {
  CreatePlain();
  Fill(3, 4);
  const std::string state = StateBehind("SELECT v FROM ks.t WHERE k = 2", 2);
  Write("DELETE FROM ks.t WHERE k = 2 AND c = 1");
  EXPECT_EQ(ReadOne("SELECT v FROM ks.t WHERE k = 2", 9, state).rows, (Rows{"22", "23"}));
  Write("DELETE FROM ks.t WHERE k = 2");
  EXPECT_EQ(ReadOne("SELECT v FROM ks.t WHERE k = 2", 9, state).rows, Rows{});
  const Rows whole = Read("SELECT v FROM ks.t");
  EXPECT_LE(ReadBehind("SELECT v FROM ks.t", state, 2).size(), whole.size());
}

TEST_F(SelectResume, StaticValuesAloneDoNotShowBehindTheirRows) {
  CreatePlain();
  Write("UPDATE ks.t SET s = 'x' WHERE k = 1");
  Write("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 11)");
  for (const std::string text :
       {"SELECT k, s, c FROM ks.t", "SELECT k, s, c FROM ks.t WHERE k = 1"})
    EXPECT_EQ(ReadBehind(text, StateBehind(text, 1), 5), Rows{}) << text;
}

TEST_F(SelectResume, LimitsCountOverStatements) {
  CreatePlain();
  Fill(1, 9);
  const std::string limited = StateBehind("SELECT v FROM ks.t WHERE k = 1 LIMIT 5", 2);
  EXPECT_EQ(ReadBehind("SELECT v FROM ks.t WHERE k = 1 LIMIT 5", limited, 2).size(), 3u);
  EXPECT_EQ(ReadBehind("SELECT v FROM ks.t WHERE k = 1", limited, 2).size(), 3u);
  const std::string unlimited = StateBehind("SELECT v FROM ks.t WHERE k = 1", 2);
  EXPECT_EQ(ReadBehind("SELECT v FROM ks.t WHERE k = 1 LIMIT 5", unlimited, 2).size(), 5u);
  const std::string each = StateBehind("SELECT v FROM ks.t PER PARTITION LIMIT 4", 3);
  EXPECT_EQ(ReadBehind("SELECT v FROM ks.t PER PARTITION LIMIT 4", each, 2).size(), 1u);
}

TEST_F(SelectResume, WhatIsNoStateOfTheTableIsRefused) {
  CreatePlain();
  Fill(2, 4);
  const std::string state = StateBehind("SELECT v FROM ks.t", 2);
  const auto refusal = [&](const std::string& text, const std::string& bytes) {
    const auto refused = ReadOne(text, 2, bytes);
    EXPECT_EQ(refused.code, ErrorCode::kProtocolError) << refused.error;
    EXPECT_TRUE(refused.error.starts_with("Invalid value for the paging state")) << refused.error;
  };
  for (size_t i = 0; i < state.size(); ++i) {
    std::string damaged = state;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    refusal("SELECT v FROM ks.t WHERE k = 1", damaged);
  }
  refusal("SELECT v FROM ks.t WHERE k = 1 AND c = 1", "x");
  refusal("SELECT v FROM ks.t", std::string(100, '\0'));
  refusal("SELECT v FROM ks.t WHERE COSMOS_CHANGEFEED_START_TIME() = '2020-01-01'", state);
  // Keys and rows that the table cannot have, with everything else as it should be.
  auto forged = DecodePagingState(state, PagingKind::kRows, table->id);
  ASSERT_TRUE(forged.has_value());
  forged->mark.clustering = "\xff garbage";
  refusal("SELECT v FROM ks.t", EncodePagingState(*forged));
  refusal("SELECT v FROM ks.t WHERE k = 1", EncodePagingState(*forged));
  forged->mark.clustering.reset();
  forged->mark.key.clear();
  refusal("SELECT v FROM ks.t", EncodePagingState(*forged));
  auto other = std::make_shared<Table>(*table);
  other->id = "another table's";
  table = other;
  refusal("SELECT v FROM ks.t", state);
}

TEST_F(SelectResume, SurvivesASplitAndARestart) {
  CreateIndexed();
  const std::vector<std::string> statements = {
      "SELECT k, c FROM ks.t", "SELECT k, c FROM ks.t WHERE k = 2",
      "SELECT k, c FROM ks.t WHERE v = 1", "SELECT k, c FROM ks.t WHERE s = 1",
      "SELECT k, c FROM ks.t WHERE k = 2 ORDER BY c DESC"};
  std::vector<std::string> states;
  std::vector<Rows> expected;
  for (const std::string& text : statements) {
    states.push_back(StateBehind("SELECT k, c FROM ks.t", 13));
    expected.push_back(ReadBehind(text, states.back(), 2));
  }
  {
    // Let go before the restart: it keeps partitions of the node open.
    const auto topology = server.node->topology();
    for (const auto& [id, partition] : topology->hosted)
      ASSERT_TRUE(server.node->Split(id, std::nullopt).has_value());
  }
  server.Restart();
  auto again = std::make_shared<Table>(*table);
  again->container = *server.catalog->FindContainer("ks", "t");
  table = again;
  for (size_t i = 0; i < statements.size(); ++i)
    EXPECT_EQ(ReadBehind(statements[i], states[i], 2), expected[i]) << statements[i];
}

}  // namespace
}  // namespace orrery::cassandra
