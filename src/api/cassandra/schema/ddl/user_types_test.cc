#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

class UserTypes : public SchemaFixture {};

TEST_F(UserTypes, AreMadeChangedAndDropped) {
  const auto made = Run("CREATE TYPE ty (a int, b list<text>)");
  EXPECT_EQ(made.change->target, SchemaTarget::kType);
  EXPECT_EQ(made.change->name, "ty");
  Run("CREATE TABLE t (k int PRIMARY KEY, v frozen<ty>)");
  Run("ALTER TYPE ty ADD c frozen<map<int, int>>");
  EXPECT_EQ(Run("ALTER TYPE ty RENAME a TO x AND b TO y").change->kind, SchemaChangeKind::kUpdated);
  const UserTypeDefinition& udt = Table("t")->Find("v")->type->udt();
  EXPECT_EQ(udt.field_names, (std::vector<std::string>{"x", "y", "c"})) << "tables follow";
  Restart();
  EXPECT_EQ(Table("t")->Find("v")->type->udt().field_names.size(), 3u);
  EXPECT_EQ(Refused("DROP TYPE ty"),
            "Cannot drop user type 'ks.ty' as it is still used by tables t");
  Run("DROP TABLE t");
  EXPECT_EQ(Run("DROP TYPE ty").change->kind, SchemaChangeKind::kDropped);
  EXPECT_EQ(ks()->FindType("ty"), nullptr);
}

TEST_F(UserTypes, ExistOrNot) {
  Run("CREATE TYPE ty (a int)");
  EXPECT_EQ(Refused("CREATE TYPE ty (a int)"), "A user type with name 'ty' already exists");
  EXPECT_TRUE(IsNothing("CREATE TYPE IF NOT EXISTS ty (b int)"));
  EXPECT_EQ(Refused("ALTER TYPE no ADD a int"), "Type ks.no doesn't exist");
  EXPECT_TRUE(IsNothing("ALTER TYPE IF EXISTS no ADD a int"));
  EXPECT_EQ(Refused("DROP TYPE no"), "Type 'ks.no' doesn't exist");
  EXPECT_TRUE(IsNothing("DROP TYPE IF EXISTS no"));
}

TEST_F(UserTypes, RefuseWhatCannotBe) {
  Run("CREATE TYPE ty (a int)");
  EXPECT_EQ(Refused("CREATE TYPE u (a int, a text)"), "Duplicate field name 'a' in type 'u'");
  EXPECT_EQ(Refused("CREATE TYPE u (a counter)"), "A user type cannot contain counters");
  EXPECT_EQ(Refused("CREATE TYPE u (a ty)"), "A user type cannot contain non-frozen UDTs");
  EXPECT_EQ(Refused("ALTER TYPE ty ADD a text"),
            "Cannot add field a to type ks.ty: a field with name a already exists");
  EXPECT_TRUE(IsNothing("ALTER TYPE ty ADD IF NOT EXISTS a text"));
  EXPECT_EQ(Refused("ALTER TYPE ty RENAME no TO b"), "Unkown field no in user type ks.ty");
  EXPECT_TRUE(IsNothing("ALTER TYPE ty RENAME IF EXISTS no TO b"));
  Run("ALTER TYPE ty ADD b int");
  EXPECT_EQ(Refused("ALTER TYPE ty RENAME a TO b"), "Duplicate field name b in type ty");
  EXPECT_EQ(Refused("ALTER TYPE ty ALTER a TYPE text"),
            "Altering field types is no longer supported");
  EXPECT_EQ(Refused("ALTER TYPE ty ADD c frozen<ty>"),
            "Cannot add new field c of type frozen<ty> to user type ks.ty as it would create a "
            "circular reference");
  Run("CREATE TABLE t (k frozen<ty> PRIMARY KEY)");
  EXPECT_EQ(Refused("ALTER TYPE ty ADD c int"),
            "Cannot add new field c of type int to user type ks.ty as the type is being used in "
            "partition key by the following tables: ks.t");
}

TEST_F(UserTypes, InUse) {
  Run("CREATE TYPE a (f int)");
  Run("CREATE TYPE b (f frozen<a>)");
  EXPECT_EQ(Refused("DROP TYPE a"),
            "Cannot drop user type 'ks.a' as it is still used by user types b");
  Run("CREATE FUNCTION fun (x b) CALLED ON NULL INPUT RETURNS int LANGUAGE javascript AS '1'");
  EXPECT_EQ(Refused("DROP TYPE b"),
            "Cannot drop user type 'ks.b' as it is still used by functions ks.fun");
}

TEST_F(UserTypes, MayHaveTheNameOfANativeOne) {
  Run("CREATE TYPE \"text\" (f int)");
  Run("CREATE TABLE t (k text PRIMARY KEY, v frozen<\"text\">)");
  Restart();
  EXPECT_EQ(Columns("t"), "k:partition_key:text v:regular:frozen<\"text\">#1");
}

TEST_F(UserTypes, AFieldThatNestsTooDeepIsRefused) {
  Run("CREATE TYPE a (f int)");
  std::string deep = "frozen<a>";
  for (int i = 0; i < kTypeDepthMax - 3; ++i) deep = fmt::format("frozen<list<{}>>", deep);
  Run(fmt::format("CREATE TABLE t (k int PRIMARY KEY, v {})", deep));
  EXPECT_FALSE(Try("ALTER TYPE a ADD g frozen<list<frozen<list<int>>>>").has_value());
  EXPECT_NE(Table("t"), nullptr);
}

}  // namespace
}  // namespace orrery::cassandra
