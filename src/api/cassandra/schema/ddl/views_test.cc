#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

class Views : public SchemaFixture {
 protected:
  Views() {
    Run("CREATE TABLE t (k int, c int, s int STATIC, a int, b text, l list<int>, PRIMARY KEY (k, "
        "c)) WITH CLUSTERING ORDER BY (c DESC)");
    Run("CREATE TABLE p (k int, c int, a int, b int, PRIMARY KEY (k, c))");
  }
  std::string RefusedView(std::string_view selection, std::string_view where,
                          std::string_view key) {
    return Refused(
        fmt::format("CREATE MATERIALIZED VIEW v AS SELECT {} FROM t WHERE {} PRIMARY KEY {}",
                    selection, where, key));
  }
};

const char kAll[] = "k IS NOT NULL AND c IS NOT NULL AND a IS NOT NULL";

TEST_F(Views, AreMadeChangedAndDropped) {
  const auto made = Run(fmt::format(
      "CREATE MATERIALIZED VIEW v AS SELECT k, c, a, b FROM t WHERE {} PRIMARY KEY (a, k, c) "
      "WITH CLUSTERING ORDER BY (k DESC, c ASC) AND comment = 'x'",
      kAll));
  EXPECT_EQ(made.change->target, SchemaTarget::kTable);
  EXPECT_EQ(made.change->name, "v");
  EXPECT_EQ(Columns("v"), "a:partition_key:int k:clustering:int c:clustering:int b:regular:text#1");
  const TablePtr view = Table("v");
  EXPECT_TRUE(view->clustering()[0].descending);
  EXPECT_FALSE(view->clustering()[1].descending);
  EXPECT_EQ(view->view->base_table, "t");
  EXPECT_EQ(view->view->base_id, Table("t")->id);
  EXPECT_EQ(view->view->where_clause, kAll);
  EXPECT_FALSE(view->view->include_all_columns);
  EXPECT_EQ(ks()->ViewsOf("t").size(), 1u);

  EXPECT_EQ(Refused("DROP TABLE t"),
            "Cannot drop a table when materialized views still depend on it (v)");
  EXPECT_EQ(Refused("ALTER TABLE t DROP b"),
            "Cannot drop column b on base table t with materialized views");
  EXPECT_TRUE(Refused("DROP TABLE v").starts_with("Cannot use DROP TABLE on a materialized view"));
  EXPECT_TRUE(Refused("ALTER TABLE v ADD x int").starts_with("Cannot use ALTER TABLE on"));
  EXPECT_TRUE(Refused("ALTER TABLE t WITH gc_grace_seconds = 0").starts_with("Cannot alter gc_"));

  Run("ALTER MATERIALIZED VIEW v WITH comment = 'y'");
  EXPECT_EQ(Table("v")->options.comment, "y");
  EXPECT_TRUE(Refused("ALTER MATERIALIZED VIEW v WITH gc_grace_seconds = 0")
                  .starts_with("Cannot alter gc_grace_seconds of a materialized view to 0"));
  EXPECT_TRUE(Refused("ALTER MATERIALIZED VIEW v WITH default_time_to_live = 1")
                  .starts_with("Forbidden default_time_to_live"));
  Run("DROP MATERIALIZED VIEW v");
  EXPECT_EQ(Table("v"), nullptr);
  EXPECT_EQ(Refused("DROP MATERIALIZED VIEW v"), "Materialized view 'ks.v' doesn't exist");
  EXPECT_TRUE(IsNothing("DROP MATERIALIZED VIEW IF EXISTS v"));
  EXPECT_EQ(Refused("DROP MATERIALIZED VIEW t"), "Materialized view 'ks.t' doesn't exist");
}

TEST_F(Views, FollowTheirBase) {
  Run("CREATE MATERIALIZED VIEW v AS SELECT * FROM p WHERE k IS NOT NULL AND c > 5 AND a IS NOT "
      "NULL PRIMARY KEY (a, k, c)");
  Run("ALTER TABLE p ADD x int");
  EXPECT_EQ(Columns("v"),
            "a:partition_key:int k:clustering:int c:clustering:int b:regular:int#1 "
            "x:regular:int#2");
  Run("ALTER TABLE p RENAME c TO \"C\"");
  EXPECT_EQ(Columns("v"),
            "a:partition_key:int k:clustering:int C:clustering:int b:regular:int#1 "
            "x:regular:int#2");
  EXPECT_EQ(Table("v")->view->where_clause, "k IS NOT NULL AND \"C\" > 5 AND a IS NOT NULL");
}

TEST_F(Views, ClusterAsTheBaseDoes) {
  Run(fmt::format(
      "CREATE MATERIALIZED VIEW v AS SELECT a, k, c, b FROM t WHERE {} PRIMARY KEY (a, k, c)",
      kAll));
  ASSERT_NE(Table("v"), nullptr);
  EXPECT_FALSE(Table("v")->clustering()[0].descending);
  EXPECT_TRUE(Table("v")->clustering()[1].descending);
}

TEST_F(Views, RefuseWhatCannotBe) {
  const std::string columns = "k, c, a, b";
  EXPECT_EQ(RefusedView("*", kAll, "(a, k, c)"),
            "Cannot include static column 's' in materialized view 'v'");
  EXPECT_EQ(RefusedView("k AS x, c, a", kAll, "(a, k, c)"),
            "Cannot use aliases when defining a materialized view (got k AS x)");
  EXPECT_EQ(RefusedView("ttl(a), k, c, a", kAll, "(a, k, c)"),
            "Can only select columns by name when defining a materialized view (got ttl(a))");
  EXPECT_EQ(RefusedView("no, k, c, a", kAll, "(a, k, c)"),
            "Undefined column name no in table ks.t");
  EXPECT_EQ(RefusedView("k, c", kAll, "(a, k, c)"),
            "Unknown column 'a' referenced in PRIMARY KEY for materialized view 'v'");
  EXPECT_EQ(RefusedView(columns, kAll, "(a, a, k, c)"),
            "Duplicate column 'a' in PRIMARY KEY clause for materialized view 'v'");
  EXPECT_EQ(RefusedView("k, c, l", kAll, "(l, k, c)"),
            "Invalid non-frozen collection type 'list<int>' for PRIMARY KEY column 'l'");
  EXPECT_EQ(RefusedView(columns, kAll, "(a, k)"),
            "Cannot create materialized view 'v' without primary key columns c from base table "
            "'t'");
  EXPECT_EQ(RefusedView(columns, kAll, "(a, b, k, c)"),
            "Cannot include more than one non-primary key column in materialized view primary key "
            "(got a, b)");
  EXPECT_EQ(RefusedView(columns, "k IS NOT NULL AND c IS NOT NULL", "(a, k, c)"),
            "Primary key columns a must be restricted with 'IS NOT NULL' or otherwise");
  EXPECT_EQ(RefusedView(columns, "k IS NOT NULL AND c IS NOT NULL AND a = 1", "(a, k, c)"),
            "Non-primary key columns can only be restricted with 'IS NOT NULL' (got: a restricted "
            "illegally)");
  EXPECT_EQ(RefusedView(columns, fmt::format("{} AND token(k) > 1", kAll), "(a, k, c)"),
            "Cannot use token relation when defining a materialized view");
  EXPECT_EQ(RefusedView(columns, "k = 'x' AND c IS NOT NULL AND a IS NOT NULL", "(a, k, c)"),
            "Invalid STRING constant (x) for \"k\" of type int");
  EXPECT_EQ(RefusedView(columns, "k = ? AND c IS NOT NULL AND a IS NOT NULL", "(a, k, c)"),
            "Bind variables are not allowed in CREATE MATERIALIZED VIEW statements");
  EXPECT_EQ(RefusedView(columns, kAll, "(a, k, c) WITH CLUSTERING ORDER BY (c ASC)"),
            "Clustering key columns must exactly match columns in CLUSTERING ORDER BY directive");
  EXPECT_TRUE(RefusedView(columns, kAll, "(a, k, c) WITH default_time_to_live = 5")
                  .starts_with("Cannot set default_time_to_live for a materialized view."));
}

TEST_F(Views, NeedABaseThatFits) {
  const auto on = [&](std::string_view base) {
    return fmt::format(
        "CREATE MATERIALIZED VIEW v AS SELECT k FROM {} WHERE k IS NOT NULL PRIMARY KEY (k)", base);
  };
  EXPECT_EQ(Refused(on("no")), "Base table 'no' doesn't exist");
  EXPECT_EQ(Refused(on("other.t")),
            "Cannot create a materialized view on a table in a different keyspace");
  Run("CREATE TABLE n (k int PRIMARY KEY, n counter)");
  EXPECT_EQ(Refused(on("n")), "Materialized views are not supported on counter tables");
  Run("CREATE TABLE z (k int PRIMARY KEY) WITH gc_grace_seconds = 0");
  EXPECT_TRUE(Refused(on("z")).contains("with gc_grace_seconds of 0"));
  Run("CREATE TABLE ok (k int PRIMARY KEY)");
  Run(on("ok"));
  EXPECT_EQ(Refused(on("ok")),
            "exists: Cannot add already existing table \"v\" to keyspace \"ks\"");
  EXPECT_EQ(Refused("CREATE MATERIALIZED VIEW w AS SELECT k FROM v WHERE k IS NOT NULL PRIMARY KEY "
                    "(k)"),
            "Base table 'v' doesn't exist");
  EXPECT_EQ(Refused("CREATE MATERIALIZED VIEW n AS SELECT k FROM ok WHERE k IS NOT NULL PRIMARY "
                    "KEY (k)"),
            "Cannot create materialized view 'n' - a table with the same name already exists");
  EXPECT_EQ(Refused("CREATE TABLE v (k int PRIMARY KEY)"),
            "exists: Cannot add already existing table \"v\" to keyspace \"ks\"");
  EXPECT_EQ(Refused("CREATE INDEX ON v (k)"),
            "Secondary indexes on materialized views aren't supported");
}

TEST_F(Views, TriggersCannotBeLoaded) {
  EXPECT_EQ(Refused("CREATE TRIGGER tr ON t USING 'a.B'"),
            "Trigger class 'a.B' couldn't be loaded");
  EXPECT_EQ(Refused("CREATE TRIGGER tr ON no USING 'a.B'"), "Table 'no' doesn't exist");
  EXPECT_EQ(Refused("DROP TRIGGER tr ON t"), "Trigger 'tr' on 'ks.t' doesn't exist");
  EXPECT_TRUE(IsNothing("DROP TRIGGER IF EXISTS tr ON t"));
}

}  // namespace
}  // namespace orrery::cassandra
