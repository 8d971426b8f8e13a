#include "api/cassandra/parser/parser.h"

#include <gtest/gtest.h>

#include <string>

#include "api/cassandra/parser/accepted_statements.h"

namespace orrery::cassandra {
namespace {

TEST(Parser, AcceptsStatementsOfEveryKind) {
  for (const std::string_view text : kAcceptedStatements) {
    const auto parsed = ParseStatement(text);
    EXPECT_TRUE(parsed.has_value()) << text << "\n" << parsed.error().message;
  }
}

// Every accepted statement, cut anywhere, gives a tree or an error; cutting a token off usually
// gives an error, but "LIST ROLES" is a statement too.
TEST(Parser, SurvivesEveryPrefix) {
  for (const std::string_view text : kAcceptedStatements) {
    for (size_t length = 0; length < text.size(); ++length)
      (void)ParseStatement(text.substr(0, length));
  }
}

TEST(Parser, RefusesWhatIsNoStatement) {
  for (const std::string_view text : {
           "",
           ";",
           "SELECT",
           "SELECT FROM t",
           "SELECT a FROM",
           "SELECT a, FROM t",
           "SELECT a b FROM t",
           "SELECT * FROM t WHERE",
           "SELECT * FROM t WHERE a",
           "SELECT * FROM t WHERE a = ",
           "SELECT * FROM t WHERE a = b",
           "SELECT * FROM t WHERE 1 = a",
           "SELECT * FROM t WHERE a = 1 OR b = 2",
           "SELECT * FROM t WHERE a == 1",
           "SELECT * FROM t WHERE a <> 1",
           "SELECT * FROM t WHERE a IN 1",
           "SELECT * FROM t WHERE a NOT IN (1)",
           "SELECT * FROM t WHERE a IS NULL",
           "SELECT * FROM t WHERE (a, b) > 5",
           "SELECT * FROM t WHERE (a, b) IN (1, 2)",
           "SELECT * FROM t WHERE a = 1 -2",
           "SELECT * FROM t WHERE a = {}}",
           "SELECT * FROM t LIMIT",
           "SELECT * FROM t LIMIT 1.5",
           "SELECT * FROM t LIMIT 5 PER PARTITION LIMIT 1",
           "SELECT * FROM t ALLOW",
           "SELECT * FROM t ORDER BY",
           "SELECT * FROM t ORDER BY a UP",
           "SELECT * FROM t GROUP a",
           "SELECT * FROM ?",
           "SELECT * FROM ks.?",
           "SELECT * FROM a.b.c",
           "SELECT * FROM select",
           "SELECT * FROM \"\"",
           "SELECT * FROM t SELECT * FROM t",
           "SELECT * FROM t; SELECT * FROM t",
           "SELECT m[] FROM t",
           "SELECT m[..] FROM t",
           "SELECT () FROM t",
           "SELECT ttl() FROM t",
           "SELECT writetime(1) FROM t",
           "SELECT CAST(a AS list<int>) FROM t",
           "SELECT a AS FROM t",
           "INSERT INTO t VALUES (1)",
           "INSERT INTO t () VALUES (1)",
           "INSERT INTO t (a) VALUES ()",
           "INSERT INTO t (a) VALUES (1) USING TTL",
           "INSERT INTO t (a) VALUES (b)",
           "INSERT INTO t (a) VALUES (1) IF EXISTS",
           "INSERT INTO t (a) VALUES ({1: 2, 3})",
           "INSERT INTO t (a) VALUES ({f: 1, 'g': 2})",
           "INSERT INTO t (a) VALUES (json(1))",
           "INSERT INTO t JSON 1",
           "INSERT INTO t JSON '{}' DEFAULT",
           "UPDATE t SET WHERE k = 1",
           "UPDATE t SET a = 1",
           "UPDATE t SET a = b WHERE k = 1",
           "UPDATE t SET a = b + 1 WHERE k = 1",
           "UPDATE t SET a = 1 + b WHERE k = 1",
           "UPDATE t SET a = b -1 WHERE k = 1",
           "UPDATE t SET a[0] += 1 WHERE k = 1",
           "UPDATE t SET a = 1, a = 2 WHERE k = 1",
           "UPDATE t SET a[0] = 1, a = [] WHERE k = 1",
           "UPDATE t SET u.f = 1, u.f = 2 WHERE k = 1",
           "UPDATE t SET a = 1 WHERE k = 1 IF",
           "UPDATE t SET a = 1 WHERE k = 1 IF NOT EXISTS",
           "DELETE * FROM t WHERE k = 1",
           "DELETE FROM t",
           "DELETE FROM t USING TTL 1 WHERE k = 1",
           "BEGIN BATCH",
           "BEGIN BATCH SELECT * FROM t APPLY BATCH",
           "BEGIN LOGGED BATCH APPLY BATCH",
           "BEGIN BATCH; APPLY BATCH",
           "USE",
           "USE ?",
           "USE a.b",
           "TRUNCATE",
           "CREATE",
           "CREATE OR REPLACE TABLE t (k int PRIMARY KEY)",
           "CREATE KEYSPACE ks",
           "CREATE KEYSPACE ks WITH",
           "CREATE KEYSPACE ks WITH a = 1 AND a = 2",
           "CREATE KEYSPACE ks WITH a = {'b': 1, 'b': 2}",
           "CREATE KEYSPACE ks WITH a = ?",
           "CREATE KEYSPACE ks WITH a = word",
           "CREATE KEYSPACE ks WITH a = {'b': [1]}",
           "CREATE TABLE t",
           "CREATE TABLE t ()",
           "CREATE TABLE t (, a int)",
           "CREATE TABLE t (a)",
           "CREATE TABLE t (a int b int)",
           "CREATE TABLE t (a list)<int>",
           "CREATE TABLE t (a map<int>)",
           "CREATE TABLE t (a frozen<int>)",
           "CREATE TABLE t (a frozen<'x'>)",
           "CREATE TABLE t (a vector<float>)",
           "CREATE TABLE t (a vector<float, 99999999999>)",
           "CREATE TABLE t (a enum)",
           "CREATE TABLE t (a int PRIMARY)",
           "CREATE TABLE t (a int, PRIMARY KEY ())",
           "CREATE TABLE t (a int) WITH CLUSTERING ORDER BY (a)",
           "CREATE TABLE t (\"\" int PRIMARY KEY)",
           "CREATE TYPE t ()",
           "CREATE TYPE int (a int)",
           "CREATE INDEX ON t",
           "CREATE INDEX a.b ON t (c)",
           "CREATE INDEX ON t (KEYS())",
           "CREATE MATERIALIZED VIEW v AS SELECT * FROM t WHERE a IS NOT NULL",
           "CREATE MATERIALIZED VIEW v AS SELECT * FROM t PRIMARY KEY (a) WITH COMPACT STORAGE",
           "CREATE FUNCTION f (a int) RETURNS int LANGUAGE java AS ''",
           "CREATE FUNCTION f (int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS ''",
           "CREATE FUNCTION ttl () CALLED ON NULL INPUT RETURNS int LANGUAGE java AS ''",
           "CREATE AGGREGATE a (int) STYPE int",
           "CREATE ROLE r WITH PASSWORD 'x'",
           "CREATE ROLE r WITH PASSWORD = 'x' AND HASHED PASSWORD = 'y'",
           "CREATE ROLE r WITH LOGIN = 1",
           "CREATE ROLE ?",
           "CREATE USER \"u\"",
           "CREATE USER u WITH PASSWORD = 'x'",
           "ALTER",
           "ALTER TABLE t",
           "ALTER TABLE t ADD",
           "ALTER TABLE t ADD (a int",
           "ALTER TABLE t DROP a, b",
           "ALTER TABLE t DROP a USING TIMESTAMP ?",
           "ALTER TABLE t RENAME a b",
           "ALTER INDEX i WITH a = 1",
           "DROP",
           "DROP VIEW v",
           "DROP MATERIALIZED TABLE t",
           "DROP TABLE a, b",
           "DROP USER \"u\"",
           "GRANT",
           "GRANT SELECT TO r",
           "GRANT INSERT ON t TO r",
           "GRANT SELECT ON FUNCTION f TO r",
           "GRANT SELECT ON ALL TABLES TO r",
           "REVOKE SELECT ON t TO r",
           "LIST",
           "LIST NOTHING",
           "DESCRIBE",
           "DESCRIBE TABLE",
           "DESCRIBE TABLE t WITH",
           "DESCRIBE FULL TABLES",
           "EXPLAIN SELECT * FROM t",
       }) {
    EXPECT_FALSE(ParseStatement(text).has_value()) << text;
  }
}

TEST(Parser, MarkersAreNumberedInTheOrderOfTheText) {
  const auto parsed =
      ParseStatement("SELECT a FROM t WHERE a = ? AND b IN :list AND c = :a LIMIT ?");
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->markers, (std::vector<std::string>{"", "list", "a", ""}));
  const auto& select = std::get<ast::Select>(parsed->statement);
  ASSERT_TRUE(select.limit.has_value());
  EXPECT_EQ(select.limit->As<ast::BindMarker>()->index, 3);
}

TEST(Parser, MarkersAreCounted) {
  std::string text = "SELECT a FROM t WHERE a IN (?";
  for (int i = 1; i < 65'535; ++i) text += ",?";
  const auto most = ParseStatement(text + ")");
  ASSERT_TRUE(most.has_value());
  EXPECT_EQ(most->markers.size(), 65'535u);
  const auto too_many = ParseStatement(text + ") AND b = ?");
  ASSERT_FALSE(too_many.has_value());
  EXPECT_EQ(too_many.error().message, "more than 65535 bind markers in a statement");
}

TEST(Parser, LongListsAreFine) {
  std::string text = "SELECT a FROM t WHERE a IN (1";
  for (int i = 1; i < 65'535; ++i) text += ",1";
  EXPECT_TRUE(ParseStatement(text + ")").has_value());
  EXPECT_FALSE(ParseStatement(text + ",1)").has_value());
}

std::string Repeat(std::string_view piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

// Every recursive construct, nested a hundred thousand times: an error, not a stack overflow.
TEST(Parser, DeepNestingIsAnError) {
  constexpr int kDeep = 100'000;
  for (const std::string_view piece :
       {"(", "[", "{", "-", "- ", "f(", "{1:", "{a:", "(int)", "CAST(", "(list<", "((a,", "(?,"}) {
    const std::string nested = Repeat(piece, kDeep);
    EXPECT_FALSE(ParseStatement("SELECT " + nested).has_value()) << piece;
    EXPECT_FALSE(ParseStatement("SELECT * FROM t WHERE a = " + nested).has_value()) << piece;
    EXPECT_FALSE(ParseStatement("SELECT * FROM t WHERE " + nested).has_value()) << piece;
    EXPECT_FALSE(ParseTerm(nested).has_value()) << piece;
  }
  EXPECT_FALSE(ParseType(Repeat("frozen<", kDeep)).has_value());
  EXPECT_FALSE(ParseType(Repeat("list<", kDeep) + "int" + Repeat(">", kDeep)).has_value());
}

TEST(Parser, LongChainsOfOperatorsAreAnError) {
  constexpr int kLong = 100'000;
  EXPECT_FALSE(ParseStatement("SELECT a" + Repeat(" + a", kLong) + " FROM t").has_value());
  EXPECT_FALSE(ParseStatement("SELECT a" + Repeat(".a", kLong) + " FROM t").has_value());
  EXPECT_FALSE(ParseStatement("SELECT a" + Repeat("[1]", kLong) + " FROM t").has_value());
  EXPECT_FALSE(ParseTerm("1" + Repeat(" * 1", kLong)).has_value());
}

TEST(Parser, NestingUpToTheLimitIsFine) {
  const ParserLimits limits{.nesting_max = 10};
  EXPECT_TRUE(ParseTerm(Repeat("[", 9) + "1" + Repeat("]", 9), limits).has_value());
  const auto deep = ParseTerm(Repeat("[", 10) + "1" + Repeat("]", 10), limits);
  ASSERT_FALSE(deep.has_value());
  EXPECT_EQ(deep.error().message, "line 1:10 more than 10 levels of nesting");
}

TEST(Parser, OperatorsAreCountedPerExpression) {
  const ParserLimits limits{.operators_max = 2};
  EXPECT_TRUE(ParseStatement("INSERT INTO t (a, b) VALUES (1+ 2+ 3, 4+ 5+ 6)", limits).has_value());
  EXPECT_FALSE(ParseStatement("INSERT INTO t (a) VALUES ([1+ 2, 3+ 4, 5+ 6])", limits).has_value());
}

TEST(Parser, WhatSchemasKeepAsText) {
  EXPECT_TRUE(ParseType("frozen<map<text, ks.address>>").has_value());
  EXPECT_FALSE(ParseType("int int").has_value());
  EXPECT_TRUE(ParseTerm("(0, 0)").has_value());
  EXPECT_FALSE(ParseTerm("(0, 0);").has_value());
  EXPECT_EQ(ParseWhere("")->size(), 0u);
  EXPECT_EQ(ParseWhere("a IS NOT NULL AND b > 1")->size(), 2u);
}

TEST(Parser, TheTreeOutlivesTheText) {
  auto text =
      std::make_unique<std::string>("SELECT 'a long enough string to be on the heap' FROM t");
  const auto parsed = ParseStatement(*text);
  text.reset();
  ASSERT_TRUE(parsed.has_value());
  const auto& select = std::get<ast::Select>(parsed->statement);
  EXPECT_EQ(select.selectors[0].value.As<ast::Constant>()->text,
            "a long enough string to be on the heap");
}

TEST(Parser, ListsHaveSoManyElements) {
  const ParserLimits limits{.elements_max = 3};
  for (const char* const text : {
           "SELECT * FROM t WHERE k IN (1, 2, 3%)",
           "SELECT * FROM t WHERE (c, d) IN ((1, 1), (2, 2), (3, 3)%)",
           "INSERT INTO t (a) VALUES ([1, 2, 3%])",
           "INSERT INTO t (a) VALUES ({1, 2, 3%})",
       }) {
    std::string fits = text;
    const size_t mark = fits.find('%');
    std::string does_not = fits;
    does_not.replace(mark, 1,
                     text[mark + 1] == ')' && fits.find("((") != fits.npos ? ", (4, 4)" : ", 4");
    fits.erase(mark, 1);
    EXPECT_TRUE(ParseStatement(fits, limits).has_value()) << fits;
    const auto refused = ParseStatement(does_not, limits);
    ASSERT_FALSE(refused.has_value()) << does_not;
    EXPECT_NE(refused.error().message.find("more than 3 elements"), std::string::npos)
        << refused.error().message;
  }
  const std::string insert = "INSERT INTO t (a) VALUES (1); ";
  EXPECT_TRUE(ParseStatement("BEGIN BATCH " + insert + insert + "APPLY BATCH", limits).has_value());
  EXPECT_FALSE(
      ParseStatement("BEGIN BATCH " + insert + insert + insert + insert + "APPLY BATCH", limits)
          .has_value());
}

}  // namespace
}  // namespace orrery::cassandra
