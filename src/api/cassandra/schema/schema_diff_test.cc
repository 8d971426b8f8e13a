#include "api/cassandra/schema/schema_diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

std::string TextOf(const SchemaChange& change) {
  static constexpr std::string_view kKinds[] = {"created", "updated", "dropped"};
  static constexpr std::string_view kTargets[] = {"keyspace", "table", "type", "function",
                                                  "aggregate"};
  std::string text = fmt::format("{} {} {}", kKinds[static_cast<size_t>(change.kind)],
                                 kTargets[static_cast<size_t>(change.target)], change.keyspace);
  if (!change.name.empty()) text += "." + change.name;
  if (!change.argument_types.empty())
    text += fmt::format("({})", fmt::join(change.argument_types, ", "));
  return text;
}

class Diff : public SchemaFixture {
 protected:
  // Returns what the statements changed together, as another node finds it out.
  std::string Changed(std::initializer_list<std::string_view> statements) {
    const SchemaPtr before = schema();
    for (const std::string_view statement : statements) Run(statement);
    std::vector<std::string> texts;
    for (const SchemaChange& change : ChangesBetween(*before, *schema()))
      texts.push_back(TextOf(change));
    return fmt::format("{}", fmt::join(texts, "; "));
  }
  // One statement: what others find out is what its own node says.
  void ExpectSame(std::string_view statement) {
    const SchemaPtr before = schema();
    const SchemaOutcome outcome = Run(statement);
    ASSERT_TRUE(outcome.change.has_value()) << statement;
    const auto changes = ChangesBetween(*before, *schema());
    ASSERT_EQ(changes.size(), 1u) << statement;
    EXPECT_EQ(TextOf(changes.front()), TextOf(*outcome.change));
  }
};

TEST_F(Diff, OneStatementIsFoundOutAsItsOwnNodeTellsIt) {
  for (const std::string_view statement :
       {"CREATE KEYSPACE other WITH replication = {'class': 'SimpleStrategy'}",
        "ALTER KEYSPACE other WITH durable_writes = false",
        "DROP KEYSPACE other",
        "CREATE TYPE ty (f int)",
        "ALTER TYPE ty ADD g text",
        "CREATE TABLE t (k int PRIMARY KEY, v int)",
        "ALTER TABLE t ADD w frozen<ty>",
        "ALTER TABLE t WITH comment = 'x'",
        "CREATE INDEX by_v ON t (v)",
        "DROP INDEX by_v",
        "CREATE MATERIALIZED VIEW mv AS SELECT * FROM t WHERE v IS NOT NULL AND k IS NOT NULL "
        "PRIMARY KEY (v, k)",
        "ALTER MATERIALIZED VIEW mv WITH comment = 'x'",
        "DROP MATERIALIZED VIEW mv",
        "CREATE FUNCTION f (a int, b int) CALLED ON NULL INPUT RETURNS int LANGUAGE javascript AS "
        "'a'",
        "CREATE OR REPLACE FUNCTION f (a int, b int) CALLED ON NULL INPUT RETURNS int LANGUAGE "
        "javascript AS 'b'",
        "CREATE FUNCTION f (a text) CALLED ON NULL INPUT RETURNS int LANGUAGE javascript AS 'a'",
        "CREATE AGGREGATE total (int) SFUNC f STYPE int",
        "CREATE OR REPLACE AGGREGATE total (int) SFUNC f STYPE int INITCOND 5",
        "DROP AGGREGATE total",
        "DROP FUNCTION f (text)",
        "DROP TABLE t",
        "DROP TYPE ty"}) {
    ExpectSame(statement);
  }
}

TEST_F(Diff, NothingIsSaidOfWhatIsTheSame) {
  Run("CREATE TABLE t (k int PRIMARY KEY) WITH cosmosdb_provisioned_throughput = 1000");
  EXPECT_EQ(Changed({}), "");
  EXPECT_EQ(Changed({"ALTER TABLE t WITH cosmosdb_provisioned_throughput = 2000"}), "");
  EXPECT_EQ(Changed({"CREATE TABLE u (k int PRIMARY KEY)", "DROP TABLE u"}), "");
}

TEST_F(Diff, ATableThatUsesATypeChangesWithIt) {
  Run("CREATE TYPE ty (f int)");
  Run("CREATE TABLE t (k int PRIMARY KEY, v frozen<ty>)");
  Run("CREATE TABLE u (k int PRIMARY KEY)");
  EXPECT_EQ(Changed({"ALTER TYPE ty ADD g int"}), "updated type ks.ty; updated table ks.t");
}

TEST_F(Diff, WhatWentComesFirst) {
  Run("CREATE TABLE a (k int PRIMARY KEY)");
  Run("CREATE TABLE b (k int PRIMARY KEY)");
  EXPECT_EQ(
      Changed({"ALTER TABLE b ADD v int", "CREATE TABLE c (k int PRIMARY KEY)", "DROP TABLE a"}),
      "dropped table ks.a; created table ks.c; updated table ks.b");
}

TEST_F(Diff, WhatWasMadeAgainWentAndCame) {
  Run("CREATE TABLE t (k int PRIMARY KEY)");
  EXPECT_EQ(Changed({"DROP TABLE t", "CREATE TABLE t (k int PRIMARY KEY)"}),
            "dropped table ks.t; created table ks.t");
  EXPECT_EQ(Changed({"DROP KEYSPACE ks",
                     "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy'}",
                     "CREATE TABLE t (k int PRIMARY KEY)"}),
            "dropped keyspace ks; created keyspace ks; created table ks.t");
}

TEST_F(Diff, VirtualKeyspacesAreNotAmongThem) {
  const auto system = std::make_shared<Keyspace>();
  system->name = "system";
  system->is_virtual = true;
  Schema former;
  Schema now;
  now.keyspaces["system"] = system;
  EXPECT_TRUE(ChangesBetween(former, now).empty());
  EXPECT_TRUE(ChangesBetween(now, former).empty());
}

}  // namespace
}  // namespace orrery::cassandra
