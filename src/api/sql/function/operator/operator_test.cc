#include <gtest/gtest.h>

#include "api/sql/function/function_testing.h"
#include "api/sql/function/identity.h"
#include "api/sql/function/operator/arithmetic.h"
#include "api/sql/function/operator/comparison.h"
#include "api/sql/function/operator/truth.h"

namespace orrery::sql {
namespace {

constexpr Truth kT = Truth::kTrue;
constexpr Truth kF = Truth::kFalse;
constexpr Truth kU = Truth::kUndefined;

TEST(Truth, Tables) {
  constexpr Truth kAll[] = {kT, kF, kU};
  constexpr Truth kOr[3][3] = {{kT, kT, kT}, {kT, kF, kU}, {kT, kU, kU}};
  constexpr Truth kAnd[3][3] = {{kT, kF, kU}, {kF, kF, kF}, {kU, kF, kU}};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(Or(kAll[i], kAll[k]), kOr[i][k]);
      EXPECT_EQ(And(kAll[i], kAll[k]), kAnd[i][k]);
    }
  }
  EXPECT_EQ(Not(kT), kF);
  EXPECT_EQ(Not(kF), kT);
  EXPECT_EQ(Not(kU), kU);
}

TEST(Truth, OnlyBooleansAreTrueOrFalse) {
  EXPECT_EQ(TruthOf(ParseText("true")), kT);
  for (const std::string_view text : {"1", "null", "\"true\"", "[]", "undefined"})
    EXPECT_EQ(TruthOf(ParseText(text)), kU) << text;
}

TEST(Comparison, TypesDoNotMix) {
  constexpr std::string_view kValues[] = {"undefined", "null", "true",     "1",
                                          "\"1\"",     "[1]",  "{\"a\":1}"};
  for (const std::string_view a : kValues) {
    for (const std::string_view b : kValues) {
      const bool comparable = a == b && a != "undefined";
      EXPECT_EQ(Equal(ParseText(a), ParseText(b)), comparable ? kT : kU) << a << " = " << b;
      EXPECT_EQ(NotEqual(ParseText(a), ParseText(b)), comparable ? kF : kU);
      const bool ordered = comparable && a[0] != '[' && a[0] != '{';
      EXPECT_EQ(LessOrEqual(ParseText(a), ParseText(b)), ordered ? kT : kU) << a << " <= " << b;
      EXPECT_EQ(Greater(ParseText(a), ParseText(b)), ordered ? kF : kU);
    }
  }
}

struct EqualCase {
  std::string_view a;
  std::string_view b;
  Truth equal;
};

TEST(Comparison, EqualityIsDeep) {
  constexpr EqualCase kCases[] = {
      {"1", "1.0", kT},
      {"0", "-0.0", kT},
      {"NaN", "NaN", kF},
      {R"({"a":1,"b":[{"c":null}]})", R"({"b":[{"c":null}],"a":1})", kT},
      {R"({"a":1})", R"({"a":1,"b":2})", kF},
      {R"({"a":1,"b":undefined})", R"({"a":1})", kT},
      {R"({"a":1,"b":2})", R"({"a":1,"c":2})", kF},
      {"[1,2]", "[2,1]", kF},
      {"[1]", "[\"1\"]", kF},
      {"\"a\"", "\"A\"", kF},
  };
  for (const EqualCase& c : kCases) {
    EXPECT_EQ(Equal(ParseText(c.a), ParseText(c.b)), c.equal) << c.a << " = " << c.b;
    if (c.a != "NaN")
      EXPECT_EQ(IdentityOf(ParseText(c.a)) == IdentityOf(ParseText(c.b)), c.equal == kT) << c.a;
  }
}

TEST(Comparison, Order) {
  EXPECT_EQ(Less(ParseText("1"), ParseText("1.5")), kT);
  EXPECT_EQ(Less(ParseText("false"), ParseText("true")), kT);
  EXPECT_EQ(Less(ParseText("\"Z\""), ParseText("\"a\"")), kT);
  EXPECT_EQ(Less(ParseText("\"\uFFFD\""), ParseText("\"😀\"")), kT);
  EXPECT_EQ(Less(ParseText("NaN"), ParseText("1")), kF);
  EXPECT_EQ(GreaterOrEqual(ParseText("null"), ParseText("null")), kT);
}

TEST(Comparison, InAndBetween) {
  const Value list = ParseText(R"([1, "a", [2]])");
  EXPECT_EQ(In(ParseText("1"), list.AsValues()), kT);
  EXPECT_EQ(In(ParseText("[2]"), list.AsValues()), kT);
  EXPECT_EQ(In(ParseText("3"), list.AsValues()), kU);
  EXPECT_EQ(In(ParseText("3"), ParseText("[1,2]").AsValues()), kF);
  EXPECT_EQ(In(ParseText("undefined"), list.AsValues()), kU);
  EXPECT_EQ(Between(ParseText("40"), ParseText("0"), ParseText("40")), kT);
  EXPECT_EQ(Between(ParseText("50"), ParseText("0"), ParseText("40")), kF);
  EXPECT_EQ(Between(ParseText("\"b\""), ParseText("\"a\""), ParseText("\"c\"")), kT);
  EXPECT_EQ(Between(ParseText("5"), ParseText("\"a\""), ParseText("10")), kU);
  EXPECT_EQ(Between(ParseText("50"), ParseText("\"a\""), ParseText("10")), kF);
}

struct ArithmeticCase {
  ArithmeticOperator op;
  std::string_view a;
  std::string_view b;
  std::string_view result;
};

TEST(Arithmetic, Binary) {
  using enum ArithmeticOperator;
  constexpr ArithmeticCase kCases[] = {
      {kAdd, "1", "2", "3"},
      {kAdd, "0.1", "0.2", "0.30000000000000004"},
      {kSubtract, "1", "2.5", "-1.5"},
      {kMultiply, "24.5", "0.85", "20.825"},
      {kDivide, "8.9", "0", "Infinity"},
      {kDivide, "1", "3", "0.3333333333333333"},
      {kModulo, "-7", "3", "-1"},
      {kModulo, "7", "0", "NaN"},
      {kAdd, "1e308", "1e308", "Infinity"},
      {kShiftRight, "100", "2", "25"},
      {kShiftLeft, "100", "2", "400"},
      {kShiftRightUnsigned, "100", "0", "100"},
      {kBitAnd, "100", "1000", "96"},
      {kBitOr, "100", "1000", "1004"},
      {kBitXor, "100", "1000", "908"},
      {kShiftRightUnsigned, "-1", "0", "4294967295"},
      {kShiftRight, "-8", "1", "-4"},
      {kShiftLeft, "1", "31", "-2147483648"},
      {kShiftLeft, "1", "33", "2"},
      {kBitOr, "4294967297", "0", "1"},
      {kBitOr, "2.9", "0", "2"},
      {kBitOr, "-2.9", "0", "-2"},
      {kBitOr, "NaN", "0", "0"},
      {kBitOr, "1e300", "0", "0"},
      {kAdd, "1", "\"2\"", "undefined"},
      {kAdd, "null", "1", "undefined"},
      {kBitAnd, "true", "1", "undefined"},
      {kAdd, "undefined", "1", "undefined"},
  };
  for (const ArithmeticCase& c : kCases) {
    EXPECT_EQ(Show(Apply(c.op, ParseText(c.a), ParseText(c.b))), Show(ParseText(c.result)))
        << c.a << " and " << c.b;
  }
}

TEST(Arithmetic, Unary) {
  EXPECT_EQ(Show(Negate(ParseText("5"))), "-5");
  EXPECT_EQ(Show(Negate(ParseText("\"5\""))), "undefined");
  EXPECT_EQ(Show(BitNot(ParseText("5"))), "-6");
  EXPECT_EQ(Show(BitNot(ParseText("4294967295"))), "0");
  EXPECT_EQ(Show(BitNot(ParseText("null"))), "undefined");
}

TEST(Arithmetic, ConcatenateCoalesceTernary) {
  EXPECT_EQ(Show(*Concatenate(ParseText("\"a\""), ParseText("\"b\""))), "\"ab\"");
  EXPECT_EQ(Show(*Concatenate(ParseText("\"a\""), ParseText("1"))), "undefined");
  const Value half = Value::String(std::string((1 << 20) + 1, 'a'));
  EXPECT_EQ(Concatenate(half, half).error().code(), Code::kTooLarge);

  EXPECT_EQ(Show(Coalesce(ParseText("undefined"), ParseText("1"))), "1");
  EXPECT_EQ(Show(Coalesce(ParseText("null"), ParseText("1"))), "null");

  const Value yes = ParseText("1");
  const Value no = ParseText("2");
  EXPECT_EQ(Show(Ternary(ParseText("true"), yes, no)), "1");
  EXPECT_EQ(Show(Ternary(ParseText("false"), yes, no)), "2");
  EXPECT_EQ(Show(Ternary(ParseText("5"), yes, no)), "2");
  EXPECT_EQ(Show(Ternary(ParseText("undefined"), yes, no)), "undefined");
}

}  // namespace
}  // namespace orrery::sql
