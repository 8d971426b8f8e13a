#include "api/cassandra/types/literal.h"

#include <gtest/gtest.h>

#include "api/cassandra/types/random_value.h"
#include "api/cassandra/types/value_text.h"

namespace orrery::cassandra {
namespace {

using namespace testing;
using namespace std::literals;

constexpr int64_t kNowMs = 1'700'000'000'000;

std::string Read(ConstantKind kind, const char* text, const TypePtr& type) {
  const auto value = FromConstant({kind, text}, *type, "age", kNowMs);
  if (!value.has_value()) return value.error().message();
  return value->has_value() ? ToText(*type, **value).value() : "null";
}

struct LiteralCase {
  ConstantKind constant;
  const char* text;
  TypeKind type;
  const char* expected;
};

TEST(LiteralTest, TuplesAsOneString) {
  const TypePtr type = TupleOf({Type::Native(TypeKind::kInt), Type::Native(TypeKind::kText)});
  const auto read = [&](const char* text) -> std::string {
    const auto value = FromConstant({ConstantKind::kString, text}, *type, "t", kNowMs);
    return value.has_value() ? ToCqlLiteral(*type, **value).value() : value.error().message();
  };
  EXPECT_EQ(read("1:x"), "(1, 'x')");
  EXPECT_EQ(read("1"), "(1, null)");
  EXPECT_EQ(read("@:a\\:b\\@"), "(null, 'a:b@')");
  EXPECT_EQ(read("1:x:y"),
            "Invalid tuple literal: too many elements. Type frozen<tuple<int, text>> expects 2 but "
            "got 3");
  EXPECT_EQ(read("x"), "Unable to make int from 'x'");
}

TEST(LiteralTest, ConstantsForTypes) {
  using enum ConstantKind;
  const LiteralCase kCases[] = {
      {kString, "abc", TypeKind::kInt, "Invalid STRING constant (abc) for \"age\" of type int"},
      {kString, "abc", TypeKind::kText, "abc"},
      {kString, "1.2.3.4", TypeKind::kInet, "1.2.3.4"},
      {kString, "1.2.3", TypeKind::kInet, "Unable to make inet address from '1.2.3'"},
      {kString, "2011-02-03", TypeKind::kDate, "2011-02-03"},
      {kString, "04:05:06", TypeKind::kTime, "04:05:06.000000000"},
      {kString, "2011-02-03 04:05+0000", TypeKind::kTimestamp, "2011-02-03T04:05:00.000Z"},
      {kString, "now", TypeKind::kTimestamp, "2023-11-14T22:13:20.000Z"},
      {kString, "", TypeKind::kTimestamp, ""},
      {kString, "\xc3\xa9", TypeKind::kAscii,
       "Invalid ASCII character in string literal: \xc3\xa9"},
      {kInteger, "12", TypeKind::kInt, "12"},
      {kInteger, "-129", TypeKind::kTinyint, "Unable to make byte from '-129'"},
      {kInteger, "2147483648", TypeKind::kInt, "Unable to make int from '2147483648'"},
      {kInteger, "12", TypeKind::kDecimal, "12"},
      {kInteger, "12", TypeKind::kDouble, "12.0"},
      {kInteger, "0", TypeKind::kTimestamp, "1970-01-01T00:00:00.000Z"},
      {kInteger, "2147483648", TypeKind::kDate, "1970-01-01"},
      {kInteger, "12", TypeKind::kText, "Invalid INTEGER constant (12) for \"age\" of type text"},
      {kInteger, "5", TypeKind::kDuration, "Unable to convert '5' to a duration"},
      {kFloat, "1.5", TypeKind::kFloat, "1.5"},
      {kFloat, "1.5", TypeKind::kInt, "Invalid FLOAT constant (1.5) for \"age\" of type int"},
      {kFloat, "nan", TypeKind::kDouble, "NaN"},
      {kFloat, "-INFINITY", TypeKind::kFloat, "-Infinity"},
      {kFloat, "NaN", TypeKind::kDecimal, "unable to make BigDecimal from 'NaN'"},
      {kBoolean, "TRUE", TypeKind::kBoolean, "true"},
      {kBoolean, "true", TypeKind::kInt, "Invalid BOOLEAN constant (true) for \"age\" of type int"},
      {kHex, "0xCAFE", TypeKind::kBlob, "cafe"},
      {kHex, "0xCAF", TypeKind::kBlob, "cannot parse 'CAF' as hex bytes"},
      {kUuid, "00000000-0001-4000-8080-000000000000", TypeKind::kTimeuuid,
       "TimeUUID supports only version 1 UUIDs"},
      {kDuration, "1y2mo", TypeKind::kDuration, "1y2mo"},
      {kNull, "", TypeKind::kInt, "null"},
      {kNull, "", TypeKind::kCounter, "Invalid null value for counter increment/decrement"},
  };
  for (const LiteralCase& c : kCases)
    EXPECT_EQ(Read(c.constant, c.text, Native(c.type)), c.expected) << c.text;
  EXPECT_EQ(Read(kInteger, "1", ListOf(Int(), Cells::kMulti)),
            "Invalid INTEGER constant (1) for \"age\" of type list<int>");
}

TEST(LiteralTest, PreferredTypes) {
  const auto preferred = [](ConstantKind kind, const char* text) {
    const TypePtr type = PreferredType({kind, text});
    return type == nullptr ? "none" : type->CqlName();
  };
  EXPECT_EQ(preferred(ConstantKind::kString, "a"), "ascii");
  EXPECT_EQ(preferred(ConstantKind::kString, "\xc3\xa9"), "text");
  EXPECT_EQ(preferred(ConstantKind::kInteger, "-2147483648"), "int");
  EXPECT_EQ(preferred(ConstantKind::kInteger, "2147483648"), "bigint");
  EXPECT_EQ(preferred(ConstantKind::kInteger, "9223372036854775808"), "varint");
  EXPECT_EQ(preferred(ConstantKind::kFloat, "1.10"), "double");
  EXPECT_EQ(preferred(ConstantKind::kFloat, "1.00000000000000000001"), "decimal");
  EXPECT_EQ(preferred(ConstantKind::kFloat, "NaN"), "double");
  EXPECT_EQ(preferred(ConstantKind::kUuid, "x"), "none");
  EXPECT_EQ(TestAssignment({ConstantKind::kInteger, "1"}, *Int()), Assignability::kExact);
  EXPECT_EQ(TestAssignment({ConstantKind::kInteger, "1"}, *Native(TypeKind::kBigint)),
            Assignability::kWeak);
  EXPECT_EQ(TestAssignment({ConstantKind::kInteger, "1"}, *Text()), Assignability::kNot);
}

TEST(LiteralTest, AssignmentBetweenTypes) {
  EXPECT_EQ(TestAssignment(*Int(), *Int()), Assignability::kExact);
  EXPECT_EQ(TestAssignment(*Native(TypeKind::kAscii), *Text()), Assignability::kWeak);
  EXPECT_EQ(TestAssignment(*Text(), *Native(TypeKind::kAscii)), Assignability::kNot);
  EXPECT_EQ(TestAssignment(*Int(), *Native(TypeKind::kVarint)), Assignability::kWeak);
  EXPECT_EQ(TestAssignment(*Int(), *Native(TypeKind::kBlob)), Assignability::kWeak);
  EXPECT_EQ(TestAssignment(*ListOf(Int()), *ListOf(Int(), Cells::kMulti)), Assignability::kExact);
  EXPECT_EQ(TestAssignment(*TupleOf({Int()}), *TupleOf({Int(), Text()})), Assignability::kWeak);
  EXPECT_EQ(TestAssignment(*TupleOf({Int(), Text()}), *TupleOf({Int()})), Assignability::kNot);
  EXPECT_EQ(TestAssignment(*SetOf(Int()), *SetOf(Native(TypeKind::kVarint))), Assignability::kNot);
}

TEST(LiteralTest, ValuesAsLiterals) {
  const std::string one = EncodeInteger(int32_t{1});
  EXPECT_EQ(ToCqlLiteral(*Text(), "it's").value(), "'it''s'");
  EXPECT_EQ(ToCqlLiteral(*Text(), "").value(), "''");
  EXPECT_EQ(ToCqlLiteral(*Int(), "").value(), "null");
  EXPECT_EQ(ToCqlLiteral(*Int(), one).value(), "1");
  EXPECT_EQ(ToCqlLiteral(*Native(TypeKind::kBlob), "\xca\xfe").value(), "0xcafe");
  EXPECT_EQ(ToCqlLiteral(*Native(TypeKind::kTimestamp), EncodeInteger(int64_t{0})).value(),
            "'1970-01-01T00:00:00.000Z'");
  EXPECT_EQ(ToCqlLiteral(*ListOf(Int()), PackElements(Views{one, one})).value(), "[1, 1]");
  EXPECT_EQ(ToCqlLiteral(*SetOf(Text()), PackElements(Views{"a"})).value(), "{'a'}");
  const std::vector<EntryView> entries = {{"a", one}};
  EXPECT_EQ(ToCqlLiteral(*MapOf(Text(), Int()), PackEntries(entries)).value(), "{'a': 1}");
  const std::string parts = PackComponents(std::vector<NullableView>{one, std::nullopt});
  EXPECT_EQ(ToCqlLiteral(*TupleOf({Int(), Text()}), parts).value(), "(1, null)");
  EXPECT_EQ(ToCqlLiteral(*Udt("t", {"a", "B"}, {Int(), Text()}), parts).value(),
            "{a: 1, \"B\": null}");
  EXPECT_EQ(ToCqlLiteral(*VectorOf(Int(), 2), one + one).value(), "[1, 1]");
  EXPECT_FALSE(ToCqlLiteral(*ListOf(Int()), "x").has_value());
}

TEST(LiteralTest, TextOfNativeValuesReadsBack) {
  constexpr uint64_t kSeed = 7;
  RandomValue random(kSeed);
  for (int i = 0; i < 5'000; ++i) {
    const TypePtr type = random.AnyNative();
    const std::string bytes = random.Of(*type);
    const auto text = ToText(*type, bytes);
    ASSERT_TRUE(text.has_value()) << type->CqlName();
    if (bytes.empty() && type->kind() == TypeKind::kBoolean) continue;  // "" is false
    const auto back = FromText(*type, *text, kNowMs);
    ASSERT_TRUE(back.has_value()) << type->CqlName() << " " << *text << " seed " << kSeed;
    ASSERT_EQ(ToHex(*back), ToHex(bytes)) << type->CqlName() << " " << *text << " seed " << kSeed;
  }
}

}  // namespace
}  // namespace orrery::cassandra
