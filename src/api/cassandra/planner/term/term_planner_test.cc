#include "api/cassandra/planner/term/term_planner.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/literal.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Execution;
using testing::Int;
using testing::ListOf;
using testing::MapOf;
using testing::Native;
using testing::PlanningScope;
using testing::SetOf;
using testing::TableBuilder;
using testing::Text;
using testing::TupleOf;
using testing::Udt;
using testing::VectorOf;

TypePtr Pair(Cells cells = Cells::kFrozen) {
  return Udt("pair", {"x", "y"}, {Int(), Text()}, cells);
}

TablePtr Things() {
  return TableBuilder()
      .Key("k", Int())
      .Regular("v", Int())
      .Regular("t", Text())
      .Regular("m", MapOf(Text(), Int(), Cells::kMulti))
      .Regular("l", ListOf(Int(), Cells::kMulti))
      .Regular("u", Pair(Cells::kMulti))
      .Regular("f", Pair())
      .Build();
}

class Terms : public ::testing::Test {
 protected:
  // A value for column "c" of the type: as CQL, or the error.
  std::string Value(std::string_view text, const TypePtr& type,
                    std::vector<TermValue> values = {}) {
    const auto term = ParseTerm(text);
    EXPECT_TRUE(term.has_value()) << text;
    if (!term.has_value()) return "";
    variables_ = Variables(std::vector<std::string>(values.size()));
    TermPlanner planner(scope_.terms(), variables_);
    const auto planned = planner.PlanValue(*term, {"ks", "t", "c", type});
    if (!planned.has_value()) return planned.error().message;
    is_constant_ = (*planned)->is_constant();
    Execution execution(std::move(values));
    const auto value = (*planned)->Evaluate(execution.evaluation());
    if (!value.has_value()) return value.error().message;
    if (!value->has_value()) return value->is_null() ? "null" : "unset";
    return ToCqlLiteral(*type, value->bytes).value_or("damaged");
  }
  // The name of the first marker's receiver.
  std::string ReceiverIn(std::string_view text, const TypePtr& type) {
    Value(text, type, {TermValue::Null()});
    return variables_.NameOf(0);
  }
  // The type of something to select, or the error.
  std::string Selected(std::string_view text) {
    const auto term = ParseSelection(text);
    EXPECT_TRUE(term.has_value()) << text;
    if (!term.has_value()) return "";
    variables_ = Variables({"", ""});
    TermPlanner planner(scope_.terms(), variables_, *table_);
    const auto planned = planner.PlanSelection(*term);
    aggregates_ = planner.aggregates().size();
    used_.clear();
    for (size_t i = 0; i < table_->columns.size(); ++i) {
      if (planner.column_uses()[i].value) used_ += table_->columns[i].name;
      if (planner.column_uses()[i].times) used_ += "@" + table_->columns[i].name;
    }
    return planned.has_value() ? (*planned)->type()->CqlName() : planned.error().message;
  }

  const TablePtr table_ = Things();
  const PlanningScope scope_{*table_};
  Variables variables_{{}};
  bool is_constant_ = false;
  size_t aggregates_ = 0;
  std::string used_;  // columns, those whose times are used with an @
};

TEST_F(Terms, ConstantsTakeTheTypeThatIsWanted) {
  EXPECT_EQ(Value("1", Int()), "1");
  EXPECT_EQ(Value("1", Native(TypeKind::kDecimal)), "1");
  EXPECT_EQ(Value("'1'", Text()), "'1'");
  EXPECT_EQ(Value("null", Int()), "null");
  EXPECT_EQ(Value("'a'", Int()), "Invalid STRING constant (a) for \"c\" of type int");
  EXPECT_EQ(Value("1", Text()), "Invalid INTEGER constant (1) for \"c\" of type text");
}

TEST_F(Terms, CollectionLiterals) {
  EXPECT_EQ(Value("[2, 1]", ListOf(Int())), "[2, 1]");
  EXPECT_EQ(Value("{2, 1, 2}", SetOf(Int())), "{1, 2}");
  EXPECT_EQ(Value("{'b': 1, 'a': 2}", MapOf(Text(), Int())), "{'a': 2, 'b': 1}");
  EXPECT_EQ(Value("{}", MapOf(Text(), Int())), "{}");
  EXPECT_EQ(Value("[[1], []]", ListOf(ListOf(Int()))), "[[1], []]");
  EXPECT_EQ(Value("[1, 2]", VectorOf(Int(), 2)), "[1, 2]");
}

TEST_F(Terms, CollectionLiteralsThatDoNotFit) {
  EXPECT_EQ(Value("[1]", SetOf(Int())), "Invalid list literal for c of type frozen<set<int>>");
  EXPECT_EQ(Value("{1}", ListOf(Int())), "Invalid set literal for c of type frozen<list<int>>");
  EXPECT_EQ(Value("{1: 2}", Int()), "Invalid map literal for c of type int");
  EXPECT_EQ(Value("['a']", ListOf(Int())),
            "Invalid list literal for c: value 'a' is not of type int");
  EXPECT_EQ(Value("{'a'}", SetOf(Int())),
            "Invalid set literal for c: value 'a' is not of type int");
  EXPECT_EQ(Value("{1: 2}", MapOf(Text(), Int())),
            "Invalid map literal for c: key 1 is not of type text");
  EXPECT_EQ(Value("{'a': 'b'}", MapOf(Text(), Int())),
            "Invalid map literal for c: value 'b' is not of type int");
  EXPECT_EQ(Value("[1]", VectorOf(Int(), 2)),
            "Invalid vector literal for c of type vector<int, 2>; expected 2 elements, but given "
            "1");
  EXPECT_EQ(Value("[null]", ListOf(Int())), "null is not supported inside collections");
}

TEST_F(Terms, TuplesAndUserTypes) {
  const TypePtr tuple = TupleOf({Int(), Text()});
  EXPECT_EQ(Value("(1, 'a')", tuple), "(1, 'a')");
  EXPECT_EQ(Value("(1)", tuple), "(1, null)");
  EXPECT_EQ(Value("(1)", Int()), "1");
  EXPECT_EQ(Value("{y: 'a'}", Pair()), "{x: null, y: 'a'}");
  EXPECT_EQ(Value("(1, 'a')", Pair()), "{x: 1, y: 'a'}");
  EXPECT_EQ(Value("(1, 'a', 2)", tuple),
            "Invalid tuple literal for c: too many elements. Type frozen<tuple<int, text>> expects "
            "2 but got 3");
  EXPECT_EQ(Value("('a')", tuple), "Invalid tuple literal for c: component 0 is not of type int");
  EXPECT_EQ(Value("(1, 2)", Int()), "Invalid tuple type literal for c of type int");
  EXPECT_EQ(Value("{z: 1}", Pair()), "Unknown field 'z' in value of user defined type pair");
  EXPECT_EQ(Value("{x: 'a'}", Pair()),
            "Invalid user type literal for c: field x is not of type int");
  EXPECT_EQ(Value("{x: 1}", Int()), "Invalid user type literal for c of type int");
}

TEST_F(Terms, ConstantTermsAreComputedOnce) {
  EXPECT_EQ(Value("1 + 2 * 3", Int()), "7");
  EXPECT_TRUE(is_constant_);
  EXPECT_EQ(Value("[1, -(2)]", ListOf(Int())), "[1, -2]");
  EXPECT_TRUE(is_constant_);
  EXPECT_EQ(Value("intAsBlob(1)", Native(TypeKind::kBlob)), "0x00000001");
  EXPECT_TRUE(is_constant_);
  EXPECT_EQ(Value("uuid()", Native(TypeKind::kUuid)), "44444444-4444-4444-4444-444444444444");
  EXPECT_FALSE(is_constant_);
}

TEST_F(Terms, WhatFailsToComputeIsToldWhenItRuns) {
  EXPECT_EQ(Value("1 / 0", Int()), "the operation 'int / int' failed: / by zero");
}

TEST_F(Terms, HintsGiveATypeToWhatHasNone) {
  EXPECT_EQ(Value("(int) 1", Int()), "1");
  EXPECT_EQ(Value("(text) 1", Text()), "Cannot cast value 1 to type text");
  EXPECT_TRUE(Value("(int) 1", Text()).starts_with("Cannot assign value (int)"));
}

TEST_F(Terms, FunctionsMustExistAndFit) {
  EXPECT_TRUE(Value("nosuch(1)", Int()).starts_with("Unknown function "));
  EXPECT_EQ(Value("max(1)", Int()), "Aggregation function are not supported in the where clause");
  EXPECT_EQ(Value("now()", Int()),
            "Type error: cannot assign result of function system.now (type timeuuid) to c (type "
            "int)");
}

TEST_F(Terms, MarkersAreReceivedByTheirPlace) {
  EXPECT_EQ(ReceiverIn("?", Int()), "c");
  EXPECT_EQ(ReceiverIn("[?]", ListOf(Int())), "value(c)");
  EXPECT_EQ(ReceiverIn("{?}", SetOf(Int())), "value(c)");
  EXPECT_EQ(ReceiverIn("{?: 1}", MapOf(Text(), Int())), "key(c)");
  EXPECT_EQ(ReceiverIn("{'a': ?}", MapOf(Text(), Int())), "value(c)");
  EXPECT_EQ(ReceiverIn("(1, ?)", TupleOf({Int(), Text()})), "c[1]");
  EXPECT_EQ(ReceiverIn("{y: ?}", Pair()), "c.y");
  EXPECT_EQ(ReceiverIn("intAsBlob(?)", Native(TypeKind::kBlob)), "arg0(system.intasblob)");
  EXPECT_EQ(Value("[1, ?]", ListOf(Int()), {TermValue::Of(EncodeInteger(int32_t{9}))}), "[1, 9]");
  EXPECT_EQ(Value("?", Int(), {TermValue::Unset()}), "unset");
}

TEST_F(Terms, SelectionsHaveTypesAndUseColumns) {
  EXPECT_EQ(Selected("v"), "int");
  EXPECT_EQ(used_, "v");
  EXPECT_EQ(Selected("u.y"), "text");
  EXPECT_EQ(used_, "u");
  EXPECT_EQ(Selected("m['a']"), "int");
  EXPECT_EQ(used_, "m");
  EXPECT_EQ(Selected("m['a'..'b']"), "map<text, int>");
  EXPECT_EQ(Selected("cast(v AS text)"), "text");
  EXPECT_EQ(Selected("v + k"), "int");
  EXPECT_EQ(used_, "kv");
  EXPECT_EQ(Selected("(bigint) 1"), "bigint");
  EXPECT_EQ(Selected("(v, t)"), "frozen<tuple<int, text>>");
}

TEST_F(Terms, AttributesUseTimesOnly) {
  EXPECT_EQ(Selected("writetime(v)"), "bigint");
  EXPECT_EQ(used_, "@v");
  EXPECT_EQ(Selected("ttl(m['a'])"), "int");
  EXPECT_EQ(used_, "@m");
  EXPECT_EQ(Selected("maxwritetime(m)"), "bigint");
  EXPECT_EQ(Selected("writetime(k)"),
            "Cannot use selection function writeTime on PRIMARY KEY part k");
  EXPECT_EQ(Selected("ttl(m)"), "Cannot use selection function ttl on non-frozen collection m");
  EXPECT_EQ(Selected("writetime(u)"),
            "Cannot use selection function writeTime on non-frozen UDT u");
  EXPECT_EQ(Selected("writetime(u.x)"), "bigint");
}

TEST_F(Terms, SelectionsThatMakeNoSense) {
  EXPECT_EQ(Selected("nosuch"), "Undefined column name nosuch in table ks.t");
  EXPECT_EQ(Selected("v.x"), "Invalid field selection: v of type int is not a user type");
  EXPECT_EQ(Selected("f.z"), "f of type frozen<pair> has no field z");
  EXPECT_EQ(Selected("l[0]"),
            "Element selection is only allowed on sets and maps, but l is a list");
  EXPECT_EQ(Selected("v[0]"), "Invalid element selection: v is of type int is not a collection");
  EXPECT_EQ(Selected("?"),
            "Cannot infer type for term ? in selection clause (try using a cast to force a type)");
  EXPECT_EQ(Selected("t + v"), "the '+' operation is not supported between t and v");
}

TEST_F(Terms, AggregatesAreCountedAndNeverNested) {
  EXPECT_EQ(Selected("max(v) + count(*)"), "bigint");
  EXPECT_EQ(aggregates_, 2u);
  EXPECT_EQ(Selected("max(min(v))"),
            "aggregate functions cannot be used as arguments of aggregate functions");
}

TEST_F(Terms, FunctionsOfUsersAreNotedAndNativeOnesAreNot) {
  std::vector<FunctionPtr> called;
  TermScope scope = {scope_.terms().schema, scope_.terms().keyspace, scope_.terms().functions, 0,
                     &called};
  Variables variables({});
  TermPlanner planner(scope, variables);
  const auto term = ParseTerm("intAsBlob(1)");
  ASSERT_TRUE(planner.PlanValue(*term, {"ks", "t", "c", Native(TypeKind::kBlob)}).has_value());
  EXPECT_TRUE(called.empty());
}

}  // namespace
}  // namespace orrery::cassandra
