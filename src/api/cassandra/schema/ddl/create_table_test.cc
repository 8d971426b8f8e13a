#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

class CreateTable : public SchemaFixture {};

TEST_F(CreateTable, GivesColumnsTheirOrderAndIds) {
  const auto made =
      Run("CREATE TABLE t (z int, c2 text, a int, s int STATIC, k2 int, c1 int, k1 int, "
          "PRIMARY KEY ((k2, k1), c2, c1)) WITH CLUSTERING ORDER BY (c2 DESC, c1 ASC)");
  EXPECT_EQ(made.change->kind, SchemaChangeKind::kCreated);
  EXPECT_EQ(made.change->target, SchemaTarget::kTable);
  EXPECT_EQ(made.change->name, "t");
  EXPECT_EQ(Columns("t"),
            "k2:partition_key:int k1:partition_key:int c2:clustering:text c1:clustering:int "
            "s:static:int#1 a:regular:int#2 z:regular:int#3");
  const TablePtr table = Table("t");
  EXPECT_EQ(table->id, MakeRandomUuid(1, 2)) << "the keyspace took the first";
  EXPECT_TRUE(table->clustering()[0].descending);
  EXPECT_FALSE(table->clustering()[1].descending);
  EXPECT_EQ(table->container->settings.throughput, partition::ThroughputSettings::None());
  Restart();
  EXPECT_EQ(Table("t")->digest, table->digest);
}

TEST_F(CreateTable, ExistsOrNot) {
  Run("CREATE TABLE t (k int PRIMARY KEY)");
  const auto again = Try("CREATE TABLE t (k int PRIMARY KEY)");
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().message, "Cannot add already existing table \"t\" to keyspace \"ks\"");
  EXPECT_EQ(std::get<AlreadyExistsDetails>(again.error().details).table, "t");
  EXPECT_TRUE(IsNothing("CREATE TABLE IF NOT EXISTS t (other text PRIMARY KEY)"));
  EXPECT_EQ(Refused("CREATE TABLE no.t (k int PRIMARY KEY)"), "Keyspace 'no' doesn't exist");
  keyspace.clear();
  EXPECT_TRUE(Refused("CREATE TABLE t2 (k int PRIMARY KEY)").starts_with("No keyspace has been"));
}

TEST_F(CreateTable, RefusesKeysThatCannotBe) {
  EXPECT_EQ(Refused("CREATE TABLE t (k int, v int)"),
            "No PRIMARY KEY specifed for table 't' (exactly one required)");
  EXPECT_EQ(Refused("CREATE TABLE ks.t (k int PRIMARY KEY, v int PRIMARY KEY)"),
            "Multiple PRIMARY KEY specified for table 'ks.t' (exactly one required)");
  EXPECT_EQ(Refused("CREATE TABLE t (k int, k text, PRIMARY KEY (k))"),
            "Duplicate column 'k' declaration for table 't'");
  EXPECT_EQ(Refused("CREATE TABLE t (k int, PRIMARY KEY (x))"),
            "Unknown column 'x' referenced in PRIMARY KEY for table 't'");
  EXPECT_EQ(Refused("CREATE TABLE t (k int, PRIMARY KEY (k, k))"),
            "Duplicate column 'k' in PRIMARY KEY clause for table 't'");
  EXPECT_EQ(Refused("CREATE TABLE t (k list<int> PRIMARY KEY)"),
            "Invalid non-frozen collection type list<int> for PRIMARY KEY column 'k'");
  EXPECT_EQ(Refused("CREATE TABLE t (k counter PRIMARY KEY)"),
            "counter type is not supported for PRIMARY KEY column 'k'");
  EXPECT_EQ(Refused("CREATE TABLE t (k duration PRIMARY KEY)"),
            "duration type is not supported for PRIMARY KEY column 'k'");
  EXPECT_EQ(Refused("CREATE TABLE t (k int, s int STATIC, PRIMARY KEY (k, s))"),
            "Static column 's' cannot be part of the PRIMARY KEY");
  EXPECT_EQ(Refused("CREATE TABLE t (k int PRIMARY KEY, s int STATIC)"),
            "Static columns are only useful (and thus allowed) if the table has at least one "
            "clustering column");
  EXPECT_EQ(Refused("CREATE TABLE \"a b\" (k int PRIMARY KEY)"),
            "config: ks.a b: Table name must not be empty, more than 48 characters long, or "
            "contain non-alphanumeric-underscore characters (got \"a b\")");
}

TEST_F(CreateTable, RefusesOrdersThatDoNotFit) {
  const auto refused = [&](std::string_view order) {
    return Refused(
        fmt::format("CREATE TABLE t (k int, a int, b int, v int, PRIMARY KEY (k, a, b)) "
                    "WITH CLUSTERING ORDER BY ({})",
                    order));
  };
  EXPECT_EQ(refused("v ASC"),
            "Only clustering key columns can be defined in CLUSTERING ORDER directive: [v] are not "
            "clustering columns");
  EXPECT_EQ(refused("b ASC, a ASC"),
            "The order of columns in the CLUSTERING ORDER directive must match that of the "
            "clustering columns (a must appear before b)");
  EXPECT_EQ(refused("b ASC"), "Missing CLUSTERING ORDER for column a");
  EXPECT_EQ(refused("a ASC, a DESC"),
            "Duplicate column 'a' in CLUSTERING ORDER BY clause for table 't'");
}

TEST_F(CreateTable, CountersAreAlone) {
  Run("CREATE TABLE t (k int PRIMARY KEY, n counter)");
  EXPECT_TRUE(Table("t")->is_counter);
  EXPECT_EQ(Refused("CREATE TABLE u (k int PRIMARY KEY, n counter, v int)"),
            "Cannot mix counter and non counter columns in the same table");
  EXPECT_EQ(Refused("CREATE TABLE u (k int PRIMARY KEY, n counter) WITH default_time_to_live = 1"),
            "Cannot set default_time_to_live on a table with counters");
}

TEST_F(CreateTable, CompactStorage) {
  Run("CREATE TABLE t (k int, c int, v int, PRIMARY KEY (k, c)) WITH COMPACT STORAGE");
  EXPECT_TRUE(Table("t")->is_compact);
  EXPECT_EQ(Columns("t"), "k:partition_key:int c:clustering:int v:regular:int#1");
  EXPECT_EQ(Refused("CREATE TABLE u (k int PRIMARY KEY) WITH COMPACT STORAGE"),
            "No definition found that is not part of the PRIMARY KEY");
  EXPECT_EQ(Refused("CREATE TABLE u (k int, c int, v int, w int, PRIMARY KEY (k, c)) WITH COMPACT "
                    "STORAGE"),
            "COMPACT STORAGE with composite PRIMARY KEY allows no more than one column not part of "
            "the PRIMARY KEY (got: v, w)");
  EXPECT_EQ(Refused("CREATE TABLE u (k int PRIMARY KEY, v list<int>) WITH COMPACT STORAGE"),
            "Non-frozen collections and UDTs are not supported with COMPACT STORAGE");
}

TEST_F(CreateTable, UserTypes) {
  Run("CREATE TYPE flat (f int)");
  Run("CREATE TYPE deep (f list<int>)");
  Run("CREATE TABLE t (k int PRIMARY KEY, a flat, b frozen<deep>, c list<frozen<flat>>)");
  EXPECT_EQ(Columns("t"),
            "k:partition_key:int a:regular:flat#1 b:regular:frozen<deep>#2 "
            "c:regular:list<frozen<flat>>#3");
  EXPECT_EQ(Refused("CREATE TABLE u (k int PRIMARY KEY, a deep)"),
            "Non-frozen UDTs with nested non-frozen collections are not supported");
  EXPECT_EQ(Refused("CREATE TABLE u (k flat PRIMARY KEY)"),
            "Invalid non-frozen user-defined type \"ks.flat\" for PRIMARY KEY column 'k'");
}

TEST_F(CreateTable, ThroughputAndId) {
  Run("CREATE TABLE t (k int PRIMARY KEY) WITH cosmosdb_provisioned_throughput = 1000 AND "
      "cosmosdb_cell_level_timestamp = true AND ID = 'c268afb6-7367-4ff8-b06b-b7e2d1269f55'");
  EXPECT_EQ(Table("t")->container->settings.throughput,
            partition::ThroughputSettings::Manual(1000));
  EXPECT_EQ(Table("t")->options.cosmos_flags.at("cosmosdb_cell_level_timestamp"), "true");
  EXPECT_EQ(UuidText(Table("t")->id), "c268afb6-7367-4ff8-b06b-b7e2d1269f55");
  EXPECT_EQ(Refused("CREATE TABLE u (k int PRIMARY KEY) WITH id = 'x'"),
            "config: Invalid table id");
  const PayloadEntry payload{"cosmosdb_provisioned_throughput", "2000"};
  Run("CREATE TABLE u (k int PRIMARY KEY)", {&payload, 1});
  EXPECT_EQ(Table("u")->container->settings.throughput,
            partition::ThroughputSettings::Manual(2000));
  const PayloadEntry nonsense{"cosmosdb_provisioned_throughput", "many"};
  EXPECT_FALSE(Try("CREATE TABLE v (k int PRIMARY KEY)", {&nonsense, 1}).has_value());
  EXPECT_TRUE(Refused("CREATE TABLE v (k int PRIMARY KEY) WITH cosmosdb_provisioned_throughput = 1")
                  .starts_with("config: "));
  EXPECT_EQ(Table("v"), nullptr);
}

TEST_F(CreateTable, IsDropped) {
  Run("CREATE TABLE t (k int PRIMARY KEY)");
  EXPECT_EQ(Run("DROP TABLE t").change->kind, SchemaChangeKind::kDropped);
  EXPECT_EQ(Table("t"), nullptr);
  EXPECT_EQ(Refused("DROP TABLE t"), "Table 'ks.t' doesn't exist");
  EXPECT_TRUE(IsNothing("DROP TABLE IF EXISTS t"));
}

}  // namespace
}  // namespace orrery::cassandra
