// Compares the filters that owners of partitions evaluate with the evaluator of the SQL query
// language: random conditions over random documents.
#include "api/sql/query/condition/filter_finder.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "api/sql/evaluate/evaluate_testing.h"
#include "api/sql/parser/parser.h"
#include "model/document/document_builder.h"

namespace orrery::sql {
namespace {

constexpr uint64_t kSeed = 20261118;
constexpr int kConditions = 3'000;
constexpr int kDocumentsEach = 20;

class FilterRandom {
 public:
  explicit FilterRandom(uint64_t seed) : random_(seed) {}

  size_t Below(size_t limit) { return random_() % limit; }
  std::string_view One(std::initializer_list<std::string_view> of) {
    return of.begin()[Below(of.size())];
  }

  std::string Path() {
    return std::string(One({"c.a", "c.b", "c.o.a", "c.o", "c['a b']", "c.l", "c.a.b.c"}));
  }
  std::string Constant() {
    return std::string(One({"1",    "2",       "-0.0",          "1.5",       "9007199254740993",
                            "'x'",  "'X'",     "'xy'",          "''",        "'Straße'",
                            "true", "false",   "null",          "undefined", "[1,'x']",
                            "[]",   "{'a':1}", "{'b':2,'a':1}", "@nan",      "@infinity",
                            "1 + 1"}));
  }
  std::string Operand(int depth) {
    switch (Below(depth > 0 ? 12 : 8)) {
      case 0:
      case 1:
      case 2:
        return Constant();
      case 8:
        return "LOWER(" + Path() + ")";
      case 9:
        return "LENGTH(" + Path() + ")";
      case 10:
        return "ARRAY_LENGTH(" + Path() + ")";
      case 11:
        return "(" + Operand(depth - 1) + " ?? " + Operand(depth - 1) + ")";
      default:
        return Path();
    }
  }
  std::string List() {
    // Both below and above the number from which on a set is used.
    std::string list = Constant();
    for (size_t n = Below(2) == 0 ? Below(4) : 20; n > 0; --n) list += ", " + Constant();
    return list;
  }
  std::string Condition(int depth) {
    const auto inner = [&] { return Condition(depth - 1); };
    switch (Below(depth > 0 ? 14 : 10)) {
      case 0:
        return Operand(depth) + std::string(One({" IN (", " NOT IN ("})) + List() + ")";
      case 1:
        return Operand(depth) + std::string(One({" BETWEEN ", " NOT BETWEEN "})) + Operand(0) +
               " AND " + Operand(0);
      case 2:
        return std::string(One({"STARTSWITH", "ENDSWITH", "CONTAINS"})) + "(" + Operand(depth) +
               ", " + Operand(0) + std::string(One({"", ", true", ", false"})) + ")";
      case 3:
        return std::string(
                   One({"IS_DEFINED", "IS_NULL", "IS_NUMBER", "IS_STRING", "IS_BOOL", "IS_ARRAY",
                        "IS_OBJECT", "IS_PRIMITIVE", "IS_INTEGER", "IS_FINITE_NUMBER"})) +
               "(" + Operand(depth) + ")";
      case 4:
        return "ARRAY_CONTAINS(" + Operand(depth) + ", " + Operand(0) +
               std::string(One({"", ", true", ", false"})) + ")";
      case 5:
        return Path() + std::string(One({" LIKE ", " NOT LIKE "})) +
               std::string(One({"'x%'", "'%y'", "'%x%'", "'xy'", "'%'", "'%%'", "'x_'", "'[x]%'"}));
      case 6:
        return Path();
      case 10:
        return "(" + inner() + " AND " + inner() + ")";
      case 11:
        return "(" + inner() + " OR " + inner() + ")";
      case 12:
        return "NOT (" + inner() + ")";
      case 13:
        return "((" + inner() + ") = " + std::string(One({"true", "false", "c.b"})) + ")";
      default:
        return Operand(depth) + std::string(One({" = ", " != ", " < ", " <= ", " > ", " >= "})) +
               Operand(depth);
    }
  }

  Value Any(int depth) {
    switch (Below(depth > 0 ? 17 : 14)) {
      case 0:
        return Value::Null();
      case 1:
        return Value::Bool(Below(2) == 0);
      case 2:
        return Value::Int32(static_cast<int32_t>(Below(4)) - 1);
      case 3:
        return Value::Int64(int64_t{9007199254740992} + static_cast<int64_t>(Below(2)));
      case 4:
        return Value::Double(1.5);
      case 5:
        return Value::Double(One({"n", "i"}) == "n" ? std::numeric_limits<double>::quiet_NaN()
                                                    : std::numeric_limits<double>::infinity());
      case 6:
        return Value::Double(static_cast<double>(Below(3)));
      case 7:
        return Value::Decimal128({.high = 0x3040000000000000, .low = Below(3)});
      case 8:
        return Value::DateTime(static_cast<int64_t>(Below(2)));
      case 9:
        return Value::Symbol("x");
      case 14:
        return Value::Array({Any(depth - 1)});
      case 15: {
        model::Values elements;
        for (size_t n = Below(4); n > 0; --n) elements.push_back(Any(depth - 1));
        return Value::Array(std::move(elements));
      }
      case 16:
        return Document(depth - 1);
      default:
        return Value::String(std::string(One({"x", "X", "xy", "", "STRASSE", "straße", "yx"})));
    }
  }
  Value Document(int depth) {
    model::Fields fields;
    for (const std::string_view name : {"b", "a", "o", "l", "a b"}) {
      if (Below(4) == 0) continue;
      const bool is_object = name == "o" && depth > 0 && Below(2) == 0;
      fields.push_back({std::string(name), is_object ? Document(depth - 1) : Any(depth)});
    }
    return Value::Object(std::move(fields));
  }

 private:
  std::mt19937_64 random_;
};

class FilterFinderTest : public EvaluateTest {
 protected:
  FilterFinderTest() {
    parameters_.Set("@nan", Value::Double(std::numeric_limits<double>::quiet_NaN()));
    parameters_.Set("@infinity", Value::Double(std::numeric_limits<double>::infinity()));
  }

  FoundFilter Find(const std::string& condition) {
    const std::string text = "SELECT * FROM c WHERE " + condition;
    const auto query = ParseQuery(text);
    EXPECT_TRUE(query.has_value()) << text << ": " << query.error().message;
    if (!query.has_value()) return {};
    return FilterOf(*query, {.text = text,
                             .parameters = parameters_,
                             .functions = registry_,
                             .order = model::Order::kSql});
  }
};

TEST_F(FilterFinderTest, IsEvaluatedAsTheQueryIs) {
  FilterRandom random(kSeed);
  size_t whole = 0;
  size_t met = 0;
  for (int i = 0; i < kConditions; ++i) {
    const std::string condition = random.Condition(3);
    SCOPED_TRACE(condition);
    const FoundFilter found = Find(condition);
    if (!found.is_whole) continue;
    ++whole;
    const BoundExpressionPtr bound = MustBind(condition);
    ASSERT_NE(bound, nullptr);
    for (int j = 0; j < kDocumentsEach; ++j) {
      model::DocumentBuilder builder;
      const Value made = random.Document(2);
      for (const model::Field& field : made.AsFields()) builder.Append(field.name, field.value);
      const model::Document document = std::move(builder).Finish();
      const auto expected = Evaluate(*bound, document.view().ToObject());
      ASSERT_TRUE(expected.has_value());
      const Value actual = model::Evaluate(*found.filter, document);
      ASSERT_EQ(Show(actual), Show(*expected)) << Show(document.view().ToObject());
      ASSERT_EQ(model::Matches(*found.filter, document), TruthOf(*expected) == Truth::kTrue);
      met += TruthOf(*expected) == Truth::kTrue;
    }
  }
  // What is made at random is neither refused for the most part nor always false.
  EXPECT_GT(whole, kConditions * 3 / 4);
  EXPECT_GT(met, whole);
}

TEST_F(FilterFinderTest, WhatDoesNotFitIsLeftToTheQuery) {
  struct Case {
    std::string condition;
    bool has_filter;
    bool is_whole;
  };
  const Case cases[] = {
      {"c.a = 1", true, true},
      {"c.a = 1 AND c.b > @nan", true, true},
      {"c.a = 1 AND udf.sum(c.a) = 2", true, false},
      {"udf.sum(c.a) = 2", false, false},
      {"c.a = 1 OR udf.sum(c.a) = 2", false, false},
      {"c._rid = 'x'", false, false},
      {"c._ts > 5 AND c.a = 1", true, false},
      {"c = 1", false, false},
      {"c.a + 1 = 2", false, false},
      {"c.a[0] = 1", false, false},
      {"c.a LIKE 'x_'", false, false},
      {"c.a LIKE '%x' ESCAPE '!'", false, false},
      {"CONTAINS(c.a, 'x', c.b)", false, false},
      {"EXISTS(SELECT VALUE t FROM t IN c.a WHERE t = 1)", false, false},
  };
  for (const Case& each : cases) {
    const FoundFilter found = Find(each.condition);
    EXPECT_EQ(found.filter != nullptr, each.has_filter) << each.condition;
    EXPECT_EQ(found.is_whole, each.is_whole) << each.condition;
  }
}

TEST_F(FilterFinderTest, IsBounded) {
  std::string deep = "c.a";
  for (int i = 0; i < 80; ++i) deep = "(NOT " + deep + ")";
  EXPECT_EQ(Find(deep).filter, nullptr);
  EXPECT_EQ(Find("c.a = '" + std::string(100'000, 'x') + "'").filter, nullptr);
  std::string list = "0";
  for (int i = 1; i < 5'000; ++i) list += "," + std::to_string(i);
  EXPECT_EQ(Find("c.a IN (" + list + ")").filter, nullptr);
  const FoundFilter rest = Find("c.b = 1 AND c.a IN (" + list + ")");
  EXPECT_NE(rest.filter, nullptr);
  EXPECT_FALSE(rest.is_whole);
}

}  // namespace
}  // namespace orrery::sql
