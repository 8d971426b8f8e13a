#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

class AlterTable : public SchemaFixture {
 protected:
  AlterTable() { Run("CREATE TABLE t (k int, c int, v int, PRIMARY KEY (k, c))"); }
};

TEST_F(AlterTable, AddsColumns) {
  EXPECT_EQ(Run("ALTER TABLE t ADD (a text, s int STATIC)").change->kind,
            SchemaChangeKind::kUpdated);
  EXPECT_EQ(Columns("t"),
            "k:partition_key:int c:clustering:int s:static:int#3 a:regular:text#2 v:regular:int#1");
  EXPECT_EQ(Refused("ALTER TABLE t ADD v int"), "Column with name 'v' already exists");
  EXPECT_EQ(Refused("ALTER TABLE t ADD (b int, b int)"), "Column with name 'b' already exists");
  EXPECT_TRUE(IsNothing("ALTER TABLE t ADD IF NOT EXISTS v int"));
  EXPECT_EQ(Refused("ALTER TABLE t ADD n counter"),
            "config: ks.t: Cannot have a counter column (\"n\") in a non counter table");
  EXPECT_EQ(Refused("ALTER TABLE t ADD x nowhere"), "Unknown type ks.nowhere");
  Run("CREATE TABLE u (k int PRIMARY KEY)");
  EXPECT_TRUE(Refused("ALTER TABLE u ADD s int STATIC").starts_with("Static columns are only"));
  EXPECT_EQ(Refused("ALTER TABLE no ADD v int"), "Table 'ks.no' doesn't exist");
  EXPECT_TRUE(IsNothing("ALTER TABLE IF EXISTS no ADD v int"));
}

TEST_F(AlterTable, DropsColumnsAndNeverUsesTheirIdsAgain) {
  Run("ALTER TABLE t DROP v");
  EXPECT_EQ(Columns("t"), "k:partition_key:int c:clustering:int");
  ASSERT_EQ(Table("t")->dropped.size(), 1u);
  EXPECT_EQ(Table("t")->dropped[0].dropped_us, server.clock.Now().count());
  Run("ALTER TABLE t ADD v int");
  EXPECT_EQ(Columns("t"), "k:partition_key:int c:clustering:int v:regular:int#2");
  Run("ALTER TABLE t DROP (v) USING TIMESTAMP 77");
  EXPECT_EQ(Table("t")->dropped[0].dropped_us, 77);

  EXPECT_EQ(Refused("ALTER TABLE t ADD v text"),
            "Cannot re-add previously dropped column 'v' of type text, incompatible with previous "
            "type int");
  EXPECT_EQ(Refused("ALTER TABLE t ADD v int STATIC"),
            "Cannot re-add previously dropped column 'v' of kind STATIC, incompatible with "
            "previous kind REGULAR");
  EXPECT_EQ(Refused("ALTER TABLE t DROP k"), "Cannot drop PRIMARY KEY column k");
  EXPECT_EQ(Refused("ALTER TABLE t DROP no"), "Column no was not found in table 'ks.t'");
  EXPECT_TRUE(IsNothing("ALTER TABLE t DROP IF EXISTS no"));
}

TEST_F(AlterTable, AColumnDroppedAsOfATimeReturnsWithItsNewerCells) {
  Run("ALTER TABLE t DROP v USING TIMESTAMP 77");
  Run("ALTER TABLE t ADD v int");
  EXPECT_EQ(Columns("t"), "k:partition_key:int c:clustering:int v:regular:int#1");
  EXPECT_EQ(Table("t")->Find("v")->hidden_to_us, 77);
  Run("ALTER TABLE t DROP v");
  Run("ALTER TABLE t ADD v int");
  EXPECT_EQ(Columns("t"), "k:partition_key:int c:clustering:int v:regular:int#2");
  EXPECT_FALSE(Table("t")->Find("v")->hides_cells());
}

TEST_F(AlterTable, ADroppedColumnForgetsItsUserType) {
  Run("CREATE TYPE ty (f int)");
  Run("ALTER TABLE t ADD (a frozen<ty>, b ty)");
  EXPECT_EQ(Refused("ALTER TABLE t DROP b"), "Cannot drop non-frozen column b of user type ty");
  Run("ALTER TABLE t DROP a");
  EXPECT_EQ(Table("t")->dropped[0].type->CqlName(), "frozen<tuple<int>>");
}

TEST_F(AlterTable, IndexesHoldTheirColumns) {
  Run("CREATE INDEX i ON t (v)");
  Run("CREATE INDEX j ON t (c)");
  EXPECT_EQ(Refused("ALTER TABLE t DROP v"),
            "Cannot drop column v because it has dependent secondary indexes (i)");
  EXPECT_EQ(Refused("ALTER TABLE t RENAME c TO d"),
            "Can't rename column c because it has dependent secondary indexes (j)");
}

TEST_F(AlterTable, RenamesKeyColumns) {
  Run("ALTER TABLE t RENAME k TO id AND c TO \"Place\"");
  EXPECT_EQ(Columns("t"), "id:partition_key:int Place:clustering:int v:regular:int#1");
  EXPECT_EQ(Refused("ALTER TABLE t RENAME v TO w"), "Cannot rename non PRIMARY KEY column v");
  EXPECT_EQ(Refused("ALTER TABLE t RENAME id TO v"),
            "Cannot rename column id to v in table 'ks.t'; another column with that name already "
            "exists");
  EXPECT_EQ(Refused("ALTER TABLE t RENAME no TO yes"), "Undefined column name no in table ks.t");
  EXPECT_TRUE(IsNothing("ALTER TABLE t RENAME IF EXISTS no TO yes"));
}

TEST_F(AlterTable, Options) {
  Run("ALTER TABLE t WITH comment = 'new' AND gc_grace_seconds = 5");
  EXPECT_EQ(Table("t")->options.comment, "new");
  EXPECT_EQ(Table("t")->container->settings.rows->gc_grace_s, 5u);
  Run("ALTER TABLE t WITH default_time_to_live = 9");
  EXPECT_EQ(Table("t")->options.comment, "new") << "what is not named stays";
  EXPECT_EQ(Refused("ALTER TABLE t WITH id = 'c268afb6-7367-4ff8-b06b-b7e2d1269f55'"),
            "config: Cannot alter table id.");
  EXPECT_EQ(Refused("ALTER TABLE t WITH nonsense = 1"), "syntax: Unknown property 'nonsense'");
  Run("CREATE TABLE n (k int PRIMARY KEY, n counter)");
  EXPECT_EQ(Refused("ALTER TABLE n WITH default_time_to_live = 1"),
            "Cannot set default_time_to_live on a table with counters");
  EXPECT_EQ(Refused("ALTER TABLE t ALTER v TYPE text"),
            "Altering column types is no longer supported");
}

TEST_F(AlterTable, CompactStorageGoesForGood) {
  Run("CREATE TABLE u (k int PRIMARY KEY, v int) WITH COMPACT STORAGE");
  EXPECT_EQ(Refused("ALTER TABLE u ADD w int"), "Cannot add new column to a COMPACT STORAGE table");
  Run("ALTER TABLE u DROP COMPACT STORAGE");
  EXPECT_FALSE(Table("u")->is_compact);
  EXPECT_TRUE(Table("u")->was_compact) << "its rows are still of that kind";
  EXPECT_FALSE(Table("t")->was_compact);
  Run("ALTER TABLE u ADD w int");
  EXPECT_EQ(Refused("ALTER TABLE u DROP COMPACT STORAGE"),
            "Cannot DROP COMPACT STORAGE on table without COMPACT STORAGE");
}

TEST_F(AlterTable, ThroughputAndOptionsTogether) {
  Run("CREATE TABLE u (k int PRIMARY KEY) WITH cosmosdb_provisioned_throughput = 1000");
  Run("ALTER TABLE u WITH cosmosdb_provisioned_throughput = 2000 AND comment = 'x'");
  EXPECT_EQ(Table("u")->container->settings.throughput,
            partition::ThroughputSettings::Manual(2000));
  EXPECT_EQ(Table("u")->options.comment, "x");
}

}  // namespace
}  // namespace orrery::cassandra
