#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

class Indexes : public SchemaFixture {
 protected:
  Indexes() {
    Run("CREATE TYPE ty (f int)");
    Run("CREATE TABLE t (k int, c int, s int STATIC, v int, m map<text, int>, l list<int>, "
        "f frozen<list<int>>, u ty, d duration, PRIMARY KEY (k, c))");
  }
};

TEST_F(Indexes, AreMadeAndDropped) {
  const auto made = Run("CREATE INDEX ON t (v)");
  EXPECT_EQ(made.change->kind, SchemaChangeKind::kUpdated);
  EXPECT_EQ(made.change->target, SchemaTarget::kTable);
  EXPECT_EQ(made.change->name, "t");
  const Index* index = Table("t")->FindIndex("t_v_idx");
  ASSERT_NE(index, nullptr);
  EXPECT_EQ(index->id, 1u);
  EXPECT_EQ(index->target, ast::IndexTargetKind::kColumn);
  server.catalog->WaitForIndexes();
  EXPECT_TRUE(Table("t")->FindIndex("t_v_idx")->built);

  Run("DROP INDEX t_v_idx");
  EXPECT_TRUE(Table("t")->indexes.empty());
  Run("CREATE INDEX again ON t (v)");
  EXPECT_EQ(Table("t")->FindIndex("again")->id, 2u) << "an id is never used again";
  EXPECT_EQ(Refused("DROP INDEX no"), "Index 'ks.no' doesn't exist'");
  EXPECT_TRUE(IsNothing("DROP INDEX IF EXISTS no"));
}

TEST_F(Indexes, MayBeOnAnyColumn) {
  for (const std::string_view target :
       {"k", "c", "s", "keys(m)", "values(m)", "entries(m)", "l", "full(f)"}) {
    Run(fmt::format("CREATE INDEX ON t ({})", target));
  }
  std::vector<std::string> names;
  for (const Index& index : Table("t")->indexes) names.push_back(index.name);
  EXPECT_EQ(names, (std::vector<std::string>{"t_c_idx", "t_f_idx", "t_k_idx", "t_l_idx", "t_m_idx",
                                             "t_m_idx_1", "t_m_idx_2", "t_s_idx"}));
  EXPECT_EQ(Table("t")->FindIndex("t_l_idx")->target, ast::IndexTargetKind::kValues);
  Run("CREATE TABLE one (k int PRIMARY KEY, v int)");
  Run("CREATE INDEX ON one (k)");
  server.catalog->WaitForIndexes();
  Restart();
  EXPECT_EQ(Table("t")->indexes.size(), 8u);
}

TEST_F(Indexes, RefuseWhatCannotBe) {
  EXPECT_EQ(Refused("CREATE INDEX ON no (v)"), "Table 'no' doesn't exist");
  EXPECT_EQ(Refused("CREATE INDEX ON t (no)"), "Undefined column name no in table ks.t");
  EXPECT_EQ(Refused("CREATE INDEX ON t (d)"),
            "Secondary indexes are not supported on duration columns");
  EXPECT_EQ(Refused("CREATE INDEX ON t (f)"),
            "Cannot create values() index on frozen column f. Frozen collections are immutable and "
            "must be fully indexed by using the 'full(f)' modifier");
  EXPECT_EQ(Refused("CREATE INDEX ON t (full(v))"),
            "full() indexes can only be created on frozen collections");
  EXPECT_EQ(Refused("CREATE INDEX ON t (keys(v))"),
            "Cannot create keys() index on v. Non-collection columns only support simple indexes");
  EXPECT_EQ(Refused("CREATE INDEX ON t (entries(l))"),
            "Cannot create index on entries of column l with non-map type");
  EXPECT_EQ(Refused("CREATE INDEX ON t (u)"), "Cannot create index on non-frozen UDT column u");
  EXPECT_EQ(Refused("CREATE INDEX ON t (v, c)"), "Only CUSTOM indexes support multiple columns");
  Run("CREATE TABLE n (k int PRIMARY KEY, n counter)");
  EXPECT_EQ(Refused("CREATE INDEX ON n (n)"),
            "Secondary indexes on counter tables aren't supported");
  Run("CREATE TABLE dense (k int, c int, v int, PRIMARY KEY (k, c)) WITH COMPACT STORAGE");
  EXPECT_EQ(Refused("CREATE INDEX ON dense (v)"),
            "Secondary indexes are not supported on compact value column of COMPACT STORAGE "
            "tables");
}

TEST_F(Indexes, NamesAreOfTheKeyspace) {
  Run("CREATE INDEX i ON t (v)");
  EXPECT_EQ(Refused("CREATE INDEX i ON t (c)"), "Index 'i' already exists");
  EXPECT_TRUE(IsNothing("CREATE INDEX IF NOT EXISTS i ON t (c)"));
  EXPECT_EQ(Refused("CREATE INDEX j ON t (v)"), "Index j is a duplicate of existing index i");
  EXPECT_TRUE(IsNothing("CREATE INDEX IF NOT EXISTS j ON t (v)"));
  EXPECT_EQ(Refused("CREATE INDEX \"a b\" ON t (c)"), "config: Illegal index name a b");
}

TEST_F(Indexes, CustomOnesArePlainHere) {
  Run("CREATE CUSTOM INDEX i ON t (v) USING 'org.apache.cassandra.index.sasi.SASIIndex' WITH "
      "OPTIONS = {'mode': 'CONTAINS'}");
  const Index* index = Table("t")->FindIndex("i");
  EXPECT_TRUE(index->is_custom);
  EXPECT_EQ(index->options, (OptionMap{{"class_name", "org.apache.cassandra.index.sasi.SASIIndex"},
                                       {"mode", "CONTAINS"}}));
  Run("CREATE CUSTOM INDEX ON t (c) USING 'StorageAttachedIndex'");
  EXPECT_EQ(Refused("CREATE CUSTOM INDEX ON t (s) USING 'my.Index'"),
            "config: Unable to find custom indexer class 'my.Index'");
  EXPECT_EQ(Refused("CREATE CUSTOM INDEX ON t (s) USING 'sai' WITH OPTIONS = {'target': 'x'}"),
            "Cannot specify target as a CUSTOM option");
  EXPECT_EQ(Refused("CREATE INDEX ON t (s) WITH OPTIONS = {'a': 'x'}"),
            "Cannot specify options for a non-CUSTOM index");
}

}  // namespace
}  // namespace orrery::cassandra
