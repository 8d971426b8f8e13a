#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

class Functions : public SchemaFixture {
 protected:
  static std::string Function(std::string_view head, std::string_view returns = "int",
                              std::string_view nulls = "CALLED") {
    return fmt::format("CREATE {} {} ON NULL INPUT RETURNS {} LANGUAGE javascript AS 'body'", head,
                       nulls, returns);
  }
};

TEST_F(Functions, AreMadeReplacedAndDropped) {
  const auto made = Run(Function("FUNCTION f (a int, b list<text>)"));
  EXPECT_EQ(made.change->target, SchemaTarget::kFunction);
  EXPECT_EQ(made.change->argument_types, (std::vector<std::string>{"int", "list<text>"}));
  Run(Function("FUNCTION f (a int)"));
  ASSERT_EQ(ks()->functions.size(), 2u);
  EXPECT_EQ(ks()->functions[0]->argument_names, std::vector<std::string>{"a"}) << "by signature";
  EXPECT_EQ(Refused(Function("FUNCTION f (b int)")), "Function 'f' already exists");
  EXPECT_TRUE(IsNothing(Function("FUNCTION IF NOT EXISTS f (b int)")));
  EXPECT_EQ(Run(Function("OR REPLACE FUNCTION f (b int)")).change->kind,
            SchemaChangeKind::kUpdated);
  EXPECT_EQ(ks()->functions[0]->argument_names, std::vector<std::string>{"b"});
  Restart();
  EXPECT_EQ(ks()->functions.size(), 2u);

  EXPECT_TRUE(Refused("DROP FUNCTION f").starts_with("'DROP FUNCTION f' matches multiple"));
  EXPECT_EQ(Refused("DROP FUNCTION f (text)"), "Function 'ks.f(text)' doesn't exist");
  const auto dropped = Run("DROP FUNCTION f (int)");
  EXPECT_EQ(dropped.change->kind, SchemaChangeKind::kDropped);
  EXPECT_EQ(dropped.change->argument_types, std::vector<std::string>{"int"});
  Run("DROP FUNCTION f");
  EXPECT_TRUE(ks()->functions.empty());
  EXPECT_EQ(Refused("DROP FUNCTION f"), "Function 'ks.f' doesn't exist");
  EXPECT_TRUE(IsNothing("DROP FUNCTION IF EXISTS f"));
}

TEST_F(Functions, RefuseWhatCannotBe) {
  EXPECT_EQ(Refused(Function("OR REPLACE FUNCTION IF NOT EXISTS f (a int)")),
            "Cannot use both 'OR REPLACE' and 'IF NOT EXISTS' directives");
  EXPECT_EQ(Refused(Function("FUNCTION f (a int, a int)")),
            "Duplicate argument names for given function f with argument names [a, a]");
  EXPECT_EQ(Refused(Function("FUNCTION f (a frozen<list<int>>)")),
            "Argument 'frozen<list<int>>' cannot be frozen; remove frozen<> modifier from "
            "'frozen<list<int>>'");
  EXPECT_EQ(Refused(Function("FUNCTION f (a int)", "frozen<set<int>>")),
            "Return type 'frozen<set<int>>' cannot be frozen; remove frozen<> modifier from "
            "'frozen<set<int>>'");
  EXPECT_EQ(Refused(Function("FUNCTION no.f (a int)")), "Keyspace 'no' doesn't exist");
  EXPECT_EQ(Refused("CREATE FUNCTION f (a int) CALLED ON NULL INPUT RETURNS int LANGUAGE cobol AS "
                    "'x'"),
            "Invalid language 'cobol' for function 'ks.f'");
  EXPECT_EQ(Refused("CREATE FUNCTION f (a int) CALLED ON NULL INPUT RETURNS int LANGUAGE "
                    "javascript AS 'syntax error'"),
            "Could not compile function");
  Run(Function("FUNCTION f (a int)"));
  EXPECT_EQ(Refused(Function("OR REPLACE FUNCTION f (a int)", "int", "RETURNS NULL")),
            "Function 'f' must have RETURNS NULL ON NULL INPUT directive");
  EXPECT_TRUE(Refused(Function("OR REPLACE FUNCTION f (a int)", "text"))
                  .starts_with("Cannot replace function 'f', the new return type text"));
}

TEST_F(Functions, AggregatesAreMadeOfThem) {
  Run(Function("FUNCTION step (s tuple<int, bigint>, v int)", "tuple<int, bigint>"));
  Run(Function("FUNCTION last (s tuple<int, bigint>)", "double"));
  const auto made = Run(
      "CREATE AGGREGATE average (int) SFUNC step STYPE tuple<int, bigint> FINALFUNC last INITCOND "
      "(0, 0)");
  EXPECT_EQ(made.change->target, SchemaTarget::kAggregate);
  ASSERT_EQ(ks()->aggregates.size(), 1u);
  const UserAggregate& aggregate = *ks()->aggregates[0];
  EXPECT_EQ(aggregate.return_type->CqlName(), "double");
  EXPECT_EQ(aggregate.initial_condition, "(0, 0)");
  EXPECT_EQ(Refused("DROP FUNCTION last"),
            "Function 'ks.last' is still referenced by aggregates ks.average");
  EXPECT_EQ(Refused("DROP FUNCTION step"),
            "Function 'ks.step' is still referenced by aggregates ks.average");
  EXPECT_EQ(Refused("CREATE AGGREGATE average (int) SFUNC step STYPE tuple<int, bigint>"),
            "Aggregate 'average' already exists");
  Restart();
  EXPECT_EQ(ks()->aggregates[0]->final_function, "last");
  EXPECT_EQ(Refused("DROP AGGREGATE average (text)"), "Aggregate 'ks.average(text)' doesn't exist");
  Run("DROP AGGREGATE average");
  EXPECT_TRUE(IsNothing("DROP AGGREGATE IF EXISTS average"));
  Run("DROP FUNCTION last");
}

TEST_F(Functions, AggregatesRefuseWhatCannotBe) {
  Run(Function("FUNCTION strict (s int, v int)", "int", "RETURNS NULL"));
  Run(Function("FUNCTION odd (s int, v int)", "text"));
  EXPECT_EQ(Refused("CREATE AGGREGATE a (int) SFUNC no STYPE int"),
            "State function ks.no(int, int) doesn't exist");
  EXPECT_EQ(Refused("CREATE AGGREGATE a (int) SFUNC odd STYPE int"),
            "State function ks.odd(int, int) return type must be the same as the first argument "
            "type - check STYPE, argument and return types");
  EXPECT_EQ(Refused("CREATE AGGREGATE a (int) SFUNC strict STYPE int"),
            "Cannot create aggregate 'a' without INITCOND because state function ks.strict does "
            "not accept 'null' arguments");
  EXPECT_EQ(Refused("CREATE AGGREGATE a (int) SFUNC strict STYPE int FINALFUNC no INITCOND 0"),
            "Final function ks.no(int) doesn't exist");
  EXPECT_EQ(Refused("CREATE AGGREGATE a (int) SFUNC strict STYPE int INITCOND 'x'"),
            "Invalid STRING constant (x) for \"initcond\" of type int");
  EXPECT_EQ(Refused("CREATE AGGREGATE strict (int, int) SFUNC strict STYPE int INITCOND 0"),
            "State function ks.strict(int, int, int) doesn't exist");
  EXPECT_EQ(Refused("CREATE AGGREGATE a (int) SFUNC strict STYPE frozen<list<int>> INITCOND 0"),
            "State type 'frozen<list<int>>' cannot be frozen; remove frozen<> modifier from "
            "'frozen<list<int>>'");
}

TEST_F(Functions, InitialConditionsOfEveryShape) {
  Run("CREATE TYPE ty (a int, b text)");
  const struct {
    std::string_view type;
    std::string_view written;
    std::string_view kept;
  } cases[] = {
      {"map<text, int>", "{'b': 2, 'a': 1}", "{'a': 1, 'b': 2}"},
      {"map<text, int>", "{}", "{}"},
      {"list<int>", "[3, 1]", "[3, 1]"},
      {"set<int>", "{3, 1}", "{1, 3}"},
      {"ty", "{a: 1, b: 'x'}", "{a: 1, b: 'x'}"},
      {"text", "''", "''"},
      {"bigint", "(5)", "5"},
  };
  int number = 0;
  for (const auto& [type, written, kept] : cases) {
    const std::string name = fmt::format("f{}", ++number);
    Run(Function(fmt::format("FUNCTION {} (s {}, v int)", name, type), type, "RETURNS NULL"));
    Run(fmt::format("CREATE AGGREGATE a{} (int) SFUNC {} STYPE {} INITCOND {}", number, name, type,
                    written));
    EXPECT_EQ(ks()->aggregates.back()->initial_condition, kept);
  }
  EXPECT_EQ(Refused("ALTER TYPE ty RENAME a TO z"),
            "Cannot alter user type ks.ty as it is still used in INITCOND by aggregates ks.a5");
}

}  // namespace
}  // namespace orrery::cassandra
