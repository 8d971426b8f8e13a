#include "api/cassandra/schema/compact_storage.h"

#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

class CompactStorage : public SchemaFixture {};

TEST_F(CompactStorage, ColumnsOfAStaticTableTurnStatic) {
  Run("CREATE TABLE t (k int PRIMARY KEY, column1 int, v text) WITH COMPACT STORAGE");
  EXPECT_TRUE(Table("t")->is_static_compact());
  EXPECT_FALSE(Table("t")->is_dense());
  Run("ALTER TABLE t DROP COMPACT STORAGE");
  EXPECT_EQ(Columns("t"),
            "k:partition_key:int column2:clustering:text column1:static:int#1 v:static:text#2 "
            "value:regular:blob#3");
  EXPECT_FALSE(Table("t")->is_compact);
  Run("ALTER TABLE t ADD w int");
  EXPECT_EQ(Table("t")->Find("w")->id, 4u) << "the hidden column's is taken";
}

TEST_F(CompactStorage, ACounterTableHidesACounter) {
  Run("CREATE TABLE t (k int PRIMARY KEY, n counter) WITH COMPACT STORAGE");
  Run("ALTER TABLE t DROP COMPACT STORAGE");
  EXPECT_EQ(Columns("t"),
            "k:partition_key:int column1:clustering:text n:static:counter#1 "
            "value:regular:counter#2");
}

TEST_F(CompactStorage, ADenseTableHidesAnEmptyValueOrNothing) {
  Run("CREATE TABLE names (k int, c int, PRIMARY KEY (k, c)) WITH COMPACT STORAGE");
  Run("CREATE TABLE cells (k int, c int, v int, PRIMARY KEY (k, c)) WITH COMPACT STORAGE");
  EXPECT_TRUE(Table("names")->is_dense());
  ASSERT_EQ(HiddenColumns(*Table("names")).size(), 1u);
  EXPECT_TRUE(HiddenColumns(*Table("cells")).empty());
  Run("ALTER TABLE names DROP COMPACT STORAGE");
  Run("ALTER TABLE cells DROP COMPACT STORAGE");
  EXPECT_EQ(Columns("names"), "k:partition_key:int c:clustering:int value:regular:empty#1");
  EXPECT_EQ(Columns("cells"), "k:partition_key:int c:clustering:int v:regular:int#1");
  Restart();
  EXPECT_EQ(Columns("names"), "k:partition_key:int c:clustering:int value:regular:empty#1");
}

TEST_F(CompactStorage, TheColumnOfADenseTableStays) {
  Run("CREATE TABLE t (k int, c int, v int, PRIMARY KEY (k, c)) WITH COMPACT STORAGE");
  EXPECT_EQ(Refused("ALTER TABLE t DROP v"),
            "Cannot drop column v of a COMPACT STORAGE table with clustering columns");
}

}  // namespace
}  // namespace orrery::cassandra
