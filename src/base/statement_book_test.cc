#include "base/statement_book.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/thread_pool.h"
#include "base/visit_tally.h"

namespace orrery {
namespace {

std::string Both(std::string_view text) {
  return NormalizeStatement(text, StatementQuotes::kBoth);
}
std::string Single(std::string_view text) {
  return NormalizeStatement(text, StatementQuotes::kSingle);
}

class StatementBookTest : public testing::Test {
 protected:
  StatementBookTest() { ClearStatements(); }
  ~StatementBookTest() override {
    SetStatementBook(true);
    ClearStatements();
  }

  static void Note(std::string_view text, StatementRun run = {}) {
    NoteStatement({.api = "sql", .database = "d", .container = "c", .identity = text}, run,
                  [&] { return Both(text); });
  }
};

TEST(NormalizeStatementTest, PutsOneSignForEachValue) {
  EXPECT_EQ(Both("SELECT * FROM c WHERE c.n = 12 AND c.s='it''s'"),
            "SELECT * FROM c WHERE c.n = ? AND c.s=?");
  EXPECT_EQ(Both("select  c.a1\n\tfrom c -- mine\n where c[\"x y\"] > -1.5e+3 /* no */ or @p"),
            "select c.a1 from c where c[\"x y\"] > -? or @p");
  EXPECT_EQ(Single("SELECT \"Name\" FROM t WHERE k = 0xCAFE AND d = 1h30m"),
            "SELECT \"Name\" FROM t WHERE k = ? AND d = ?");
  EXPECT_EQ(Single("SELECT * FROM t WHERE id = ab3e4567-e89b-12d3-a456-426614174000"),
            "SELECT * FROM t WHERE id = ?");
  EXPECT_EQ(Both("g.V('a').has(\"n\", gt(5L)).out('it\\'s')"), "g.V(?).has(?, gt(?)).out(?)");
}

TEST(NormalizeStatementTest, ListsOfAnyLengthAreTheSame) {
  const std::string two = Both("SELECT * FROM c WHERE c.n IN (1, 2)");
  EXPECT_EQ(two, "SELECT * FROM c WHERE c.n IN (?, ..)");
  EXPECT_EQ(Both("SELECT * FROM c WHERE c.n IN (1,2 , 'x',4)"), two);
  EXPECT_EQ(Both("SELECT * FROM c WHERE c.n IN (1, 2, 3, 4, 5)"), two);
}

TEST(NormalizeStatementTest, BearsWhatIsCutOff) {
  EXPECT_EQ(Both("SELECT 'open"), "SELECT ?");
  EXPECT_EQ(Both("SELECT /* open"), "SELECT");
  EXPECT_EQ(Both("'\\"), "?");
  EXPECT_EQ(Both(""), "");
  EXPECT_EQ(Both(std::string(10'000, 'a')).size(), kStatementTextMax);
}

TEST_F(StatementBookTest, AddsUpByShape) {
  Note("SELECT 1", {.took = Micros(300), .charge = RequestUnits::Whole(2), .partitions = 1});
  Note("SELECT 2", {.took = Micros(700),
                    .charge = RequestUnits::Whole(4),
                    .partitions = 3,
                    .failed = true});
  Note("SELECT 2", {.partitions = 0});
  Note("SELECT x");
  const auto list = ListStatements();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].text, "SELECT ?");
  EXPECT_EQ(list[0].count, 3u);
  EXPECT_EQ(list[0].failed, 1u);
  EXPECT_EQ(list[0].micros, 1'000);
  EXPECT_EQ(list[0].micros_max, 700);
  EXPECT_EQ(list[0].hundredths, 600);
  EXPECT_EQ(list[0].known, 2u);
  EXPECT_EQ(list[0].partitions, 4u);
  EXPECT_EQ(list[0].in_one, 1u);
  EXPECT_EQ(list[0].by_time[1], 1u);
  EXPECT_EQ(list[0].by_time[2], 1u);
  ClearStatements();
  EXPECT_TRUE(ListStatements().empty());
}

TEST_F(StatementBookTest, KeepsTheFrequentOfMany) {
  for (int i = 0; i < 50; ++i) Note("SELECT frequent");
  for (int i = 0; i < 5'000; ++i) Note("SELECT c.a" + std::to_string(i) + "x");
  const auto list = ListStatements();
  EXPECT_LE(list.size(), kStatementsMax);
  uint64_t frequent = 0;
  for (const auto& one : list)
    if (one.text == "SELECT frequent") frequent = one.count;
  EXPECT_EQ(frequent, 50u);
}

TEST_F(StatementBookTest, JoinsWhatThreadsNoted) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 12; ++thread) {
    threads.emplace_back([] {
      for (int i = 0; i < 1'000; ++i) Note("SELECT " + std::to_string(i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto list = ListStatements();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].count, 12'000u);
}

TEST_F(StatementBookTest, NotesNothingWhenClosed) {
  SetStatementBook(false);
  Note("SELECT 1");
  EXPECT_TRUE(ListStatements().empty());
}

TEST(VisitTallyTest, CountsDifferentPartitionsAlsoInTasks) {
  VisitTally::Note(1);
  const auto tally = std::make_shared<VisitTally>();
  {
    const VisitTally::Scope scope(tally);
    VisitTally::Note(7);
    VisitTally::Note(7);
    ThreadPool pool("test", 1, 4);
    ASSERT_TRUE(pool.Submit([] { VisitTally::Note(8); }));
    pool.Stop();
  }
  VisitTally::Note(9);
  EXPECT_EQ(tally->partitions(), 2u);
}

}  // namespace
}  // namespace orrery
