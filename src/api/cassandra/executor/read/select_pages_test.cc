// Pages of SELECT: that they add up, whatever happens between them.
#include <gtest/gtest.h>

#include "api/cassandra/executor/read/read_fixture.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::TableBuilder;
using testing::Text;
using Rows = std::vector<std::string>;

class SelectPages : public testing::ReadFixture {
 protected:
  void Restart() {
    server.Restart();
    auto again = std::make_shared<Table>(*table);
    again->container = *server.catalog->FindContainer("ks", "t");
    table = again;
  }
};

TEST_F(SelectPages, LargeResultsAreCountedUntilTheyAreSent) {
  Create(TableBuilder().Key("k", Int()).Clustering("c", Int()).Regular("v", Text()));
  for (int c = 0; c < 30; ++c) {
    Write("INSERT INTO ks.t (k, c, v) VALUES (1, " + std::to_string(c) + ", '" +
          std::string(2'000, 'v') + "')");
  }
  answers = std::make_shared<ByteBudget>(100'000);
  ASSERT_TRUE(answers->TryTake(50'000));  // the answers of others
  for (const std::string order : {"", " ORDER BY c DESC"}) {
    const auto refused = ReadOne("SELECT * FROM ks.t WHERE k = 1" + order);
    EXPECT_EQ(refused.code, ErrorCode::kOverloaded) << refused.error;
    EXPECT_EQ(answers->bytes(), 50'000u);
    EXPECT_EQ(ReadOne("SELECT * FROM ks.t WHERE k = 1" + order, 20).rows.size(), 20u);
  }
  answers->Release(50'000);
  EXPECT_EQ(Read("SELECT * FROM ks.t WHERE k = 1").size(), 30u);
  EXPECT_EQ(answers->bytes(), 0u);
}

TEST_F(SelectPages, AReadWhoseClientHasGoneEnds) {
  Create(TableBuilder().Key("k", Int()).Clustering("c", Int()).Regular("v", Int()));
  Write("INSERT INTO ks.t (k, c, v) VALUES (1, 1, 1)");
  const auto origin = std::make_shared<RequestOrigin>(server.clock);
  context = RequestContext(origin);
  EXPECT_EQ(ReadOne("SELECT * FROM ks.t").rows.size(), 1u);
  origin->Cancel(StopReason::kClientGone);
  EXPECT_EQ(ReadOne("SELECT * FROM ks.t").error, "the client has closed the connection");
}

TEST_F(SelectPages, OnlyTheLastPageMayBeEmpty) {
  CreatePlain();
  Fill(40, 5);
  examined_per_page = 10;
  const std::string text = "SELECT * FROM ks.t WHERE v = 303 ALLOW FILTERING";
  size_t rows = 0;
  std::optional<std::string> state;
  do {
    const auto page = ReadOne(text, 50, state);
    ASSERT_EQ(page.error, "");
    EXPECT_TRUE(!page.rows.empty() || !page.next.has_value());
    rows += page.rows.size();
    state = page.next;
  } while (state.has_value());
  EXPECT_EQ(rows, 1u);
}

TEST_F(SelectPages, BoundsMayMoveBetweenPages) {
  CreatePlain();
  Fill(1, 9);
  const std::string text = "SELECT c FROM ks.t WHERE k = 1 AND c > ? AND c < ?";
  const auto first =
      ReadOne(text, 3, std::nullopt, {EncodeInteger<int32_t>(0), EncodeInteger<int32_t>(8)});
  EXPECT_EQ(first.rows, (Rows{"1", "2", "3"}));
  const auto second =
      ReadOne(text, 3, first.next, {EncodeInteger<int32_t>(5), EncodeInteger<int32_t>(9)});
  EXPECT_EQ(second.rows, (Rows{"6", "7", "8"})) << second.error;
}

TEST_F(SelectPages, AColumnMayBeAddedBetweenPages) {
  CreatePlain();
  Fill(1, 4);
  const auto first = ReadOne("SELECT c FROM ks.t WHERE k = 1", 2);
  EXPECT_EQ(first.rows, (Rows{"0", "1"}));
  const auto second = ReadOne("SELECT c, v FROM ks.t WHERE k = 1", 2, first.next);
  EXPECT_EQ(second.rows.size(), 2u) << second.error;
}

TEST_F(SelectPages, PagesAddUpToTheWhole) {
  CreatePlain();
  Fill(7, 5);
  Write("UPDATE ks.t SET s = 'alone' WHERE k = 50");
  for (const std::string text :
       {"SELECT * FROM ks.t", "SELECT * FROM ks.t LIMIT 12", "SELECT * FROM ks.t WHERE k = 3",
        "SELECT * FROM ks.t WHERE k = 3 ORDER BY c DESC", "SELECT * FROM ks.t WHERE k IN (1, 2, 6)",
        "SELECT * FROM ks.t WHERE k IN (1, 2) AND c IN (1, 3)",
        "SELECT * FROM ks.t PER PARTITION LIMIT 2", "SELECT DISTINCT k, s FROM ks.t",
        "SELECT * FROM ks.t WHERE v > 22 ALLOW FILTERING",
        "SELECT * FROM ks.t WHERE c IN (1, 4) ALLOW FILTERING",
        "SELECT k, count(*), max(v) FROM ks.t GROUP BY k",
        "SELECT k, c, v FROM ks.t GROUP BY k, c PER PARTITION LIMIT 3"}) {
    const Rows whole = Read(text);
    EXPECT_FALSE(whole.empty()) << text;
    for (const int32_t page_rows : {1, 2, 3, 7}) EXPECT_EQ(Read(text, page_rows), whole) << text;
  }
}

TEST_F(SelectPages, PagesSurviveARestart) {
  CreatePlain();
  Fill(5, 3);
  const Rows whole = Read("SELECT v FROM ks.t");
  Rows rows;
  std::optional<std::string> state;
  do {
    const auto page = ReadOne("SELECT v FROM ks.t", 4, state);
    ASSERT_EQ(page.error, "");
    rows.insert(rows.end(), page.rows.begin(), page.rows.end());
    state = page.next;
    Restart();
  } while (state.has_value());
  EXPECT_EQ(rows, whole);
}

TEST_F(SelectPages, ReadsWaitForTheDisk) {
  CreatePlain();
  Fill(2, 2);
  // Nothing is in memory after a start.
  Restart();
  const Rows values = {EncodeInteger(int32_t{2}), EncodeInteger(int32_t{1})};
  EXPECT_EQ(Read("SELECT v, k FROM ks.t WHERE k = ? AND c = ?", 0, values), Rows{"21|2"});
  EXPECT_EQ(Read("SELECT v FROM ks.t WHERE k = ?", 0, {values[0]}), (Rows{"20", "21"}));
}

TEST_F(SelectPages, LimitsCount) {
  CreatePlain();
  Fill(3, 4);
  EXPECT_EQ(Read("SELECT * FROM ks.t LIMIT 5").size(), 5u);
  EXPECT_EQ(Read("SELECT * FROM ks.t PER PARTITION LIMIT 1").size(), 3u);
  EXPECT_EQ(Read("SELECT * FROM ks.t PER PARTITION LIMIT 3 LIMIT 7").size(), 7u);
  EXPECT_EQ(ReadOne("SELECT * FROM ks.t LIMIT 0").error, "LIMIT must be strictly positive");
}

TEST_F(SelectPages, PagesSurviveASplit) {
  CreatePlain();
  Fill(30, 2);
  struct Reading {
    std::string text;
    Rows whole;
    testing::ReadPage page;
  };
  std::vector<Reading> readings;
  for (const std::string text :
       {"SELECT v FROM ks.t", "SELECT v FROM ks.t WHERE v > 50 ALLOW FILTERING"}) {
    readings.push_back({text, Read(text), ReadOne(text, 17)});
  }
  const auto topology = server.node->topology();
  for (const auto& [id, partition] : topology->hosted)
    ASSERT_TRUE(server.node->Split(id, std::nullopt).has_value());
  for (auto& [text, whole, page] : readings) {
    Rows rows = page.rows;
    while (page.next.has_value()) {
      page = ReadOne(text, 17, page.next);
      ASSERT_EQ(page.error, "");
      rows.insert(rows.end(), page.rows.begin(), page.rows.end());
    }
    EXPECT_EQ(rows, whole) << text;
  }
}

}  // namespace
}  // namespace orrery::cassandra
