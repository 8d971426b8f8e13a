#include "api/cassandra/types/arithmetic.h"

#include <gtest/gtest.h>

#include "api/cassandra/types/cast.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/value_text.h"

namespace orrery::cassandra {
namespace {

using namespace testing;

TypePtr Named(const char* name) { return Type::NativeNamed(name); }

// "type: value", or the message.
std::string Evaluate(Operator op, const char* left_type, const char* left, const char* right_type,
                     const char* right) {
  const TypePtr a = Named(left_type);
  const TypePtr b = Named(right_type);
  const auto type = ArithmeticType(op, *a, *b);
  if (!type.has_value()) return type.error().message();
  const std::string x = FromText(*a, left, 0).value();
  const std::string y = FromText(*b, right, 0).value();
  const auto value = Compute(op, *a, x, *b, y);
  if (!value.has_value()) return value.error().message();
  return (*type)->CqlName() + ": " +
         (value->has_value() ? ToText(**type, **value).value() : "null");
}

struct ArithmeticCase {
  Operator op;
  const char* left_type;
  const char* left;
  const char* right_type;
  const char* right;
  const char* expected;
};

TEST(ArithmeticTest, Numbers) {
  using enum Operator;
  const ArithmeticCase kCases[] = {
      {kAdd, "tinyint", "127", "tinyint", "1", "tinyint: -128"},
      {kAdd, "tinyint", "1", "smallint", "2", "smallint: 3"},
      {kMultiply, "int", "65536", "int", "65536", "int: 0"},
      {kSubtract, "bigint", "-9223372036854775808", "int", "1", "bigint: 9223372036854775807"},
      {kDivide, "int", "-7", "int", "2", "int: -3"},
      {kModulo, "int", "-7", "int", "2", "int: -1"},
      {kDivide, "int", "-2147483648", "int", "-1", "int: -2147483648"},
      {kDivide, "bigint", "-9223372036854775808", "int", "-1", "bigint: -9223372036854775808"},
      {kModulo, "bigint", "-9223372036854775808", "int", "-1", "bigint: 0"},
      {kDivide, "int", "1", "int", "0", "the operation 'int / int' failed: / by zero"},
      {kAdd, "counter", "1", "int", "2", "bigint: 3"},
      {kAdd, "int", "1", "float", "0.5", "float: 1.5"},
      {kAdd, "bigint", "1", "float", "0.5", "double: 1.5"},
      {kDivide, "double", "1", "double", "0", "double: Infinity"},
      {kModulo, "double", "5.5", "int", "2", "double: 1.5"},
      {kAdd, "varint", "9223372036854775807", "int", "1", "varint: 9223372036854775808"},
      {kDivide, "varint", "-7", "varint", "2", "varint: -3"},
      {kModulo, "varint", "1", "varint", "0",
       "the operation 'varint % varint' failed: BigInteger divide by zero"},
      {kAdd, "varint", "1", "float", "0.5", "decimal: 1.5"},
      {kAdd, "int", "1", "decimal", "1", "decimal: 2.0"},
      {kAdd, "bigint", "9007199254740993", "decimal", "1", "decimal: 9007199254740994"},
      {kMultiply, "decimal", "1.5", "decimal", "-0.20", "decimal: -0.300"},
      {kDivide, "decimal", "1", "decimal", "3", "decimal: 0.33333333333333333333333333333333"},
      {kDivide, "decimal", "10", "decimal", "4", "decimal: 2.5"},
      {kDivide, "decimal", "1", "decimal", "-8", "decimal: -0.125"},
      {kDivide, "decimal", "1", "decimal", "0",
       "the operation 'decimal / decimal' failed: BigInteger divide by zero"},
      {kModulo, "decimal", "0", "decimal", "0",
       "the operation 'decimal % decimal' failed: Division undefined"},
      {kModulo, "decimal", "-5.5", "decimal", "2", "decimal: -1.5"},
      {kModulo, "decimal", "-10", "decimal", "127.0", "decimal: -10"},
      {kModulo, "decimal", "100", "decimal", "7.0", "decimal: 2.0"},
      {kModulo, "decimal", "7", "decimal", "0.05", "decimal: 0.0"},
      {kModulo, "decimal", "70", "decimal", "0.70", "decimal: 0"},
      {kAdd, "decimal", "1E+30", "decimal", "1", "decimal: 1000000000000000000000000000001"},
      {kAdd, "double", "NaN", "decimal", "1",
       "the operation 'double + decimal' failed: A NaN cannot be converted into a decimal"},
      {kAdd, "int", "1", "text", "a", "the '+' operation is not supported between int and text"},
      {kAdd, "int", "", "int", "1", "int: null"},
  };
  for (const ArithmeticCase& c : kCases)
    EXPECT_EQ(Evaluate(c.op, c.left_type, c.left, c.right_type, c.right), c.expected)
        << c.left << " " << OperatorSymbol(c.op) << " " << c.right;
}

TEST(ArithmeticTest, DecimalsFarApartAreRoundedNotExpanded) {
  const std::string sum = Evaluate(Operator::kAdd, "decimal", "1E+1000000", "decimal", "1");
  EXPECT_TRUE(sum.starts_with("decimal: 1.000000")) << sum.substr(0, 40);
  EXPECT_TRUE(sum.ends_with("E+1000000"));
  EXPECT_FALSE(Evaluate(Operator::kModulo, "decimal", "1E+1000000000", "decimal", "3")
                   .starts_with("decimal: "));
  EXPECT_FALSE(Evaluate(Operator::kDivide, "decimal", "1E+1000000000", "decimal", "3")
                   .starts_with("decimal: "));
  EXPECT_FALSE(Evaluate(Operator::kMultiply, "decimal", "1E+2147483647", "decimal", "1E+2")
                   .starts_with("decimal: "));
}

TEST(ArithmeticTest, TimesAndTexts) {
  using enum Operator;
  const ArithmeticCase kCases[] = {
      {kAdd, "timestamp", "2024-01-31 10:00", "duration", "1mo",
       "timestamp: 2024-02-29T10:00:00.000Z"},
      {kSubtract, "timestamp", "2024-01-31 10:00", "duration", "1h",
       "timestamp: 2024-01-31T09:00:00.000Z"},
      {kAdd, "timestamp", "2024-01-31 10:00", "duration", "1us",
       "the operation 'timestamp + duration' failed: The duration must have a millisecond "
       "precision. Was: 1us"},
      {kAdd, "date", "2024-01-31", "duration", "1d", "date: 2024-02-01"},
      {kSubtract, "date", "2024-01-31", "duration", "1h",
       "the operation 'date - duration' failed: The duration must have a day precision. Was: 1h"},
      {kAdd, "duration", "1d", "date", "2024-01-31",
       "the '+' operation is not supported between duration and date"},
      {kMultiply, "date", "2024-01-31", "duration", "1d",
       "the '*' operation is not supported between date and duration"},
      {kAdd, "ascii", "a", "ascii", "b", "ascii: ab"},
      {kAdd, "ascii", "a", "text", "b", "text: ab"},
      {kSubtract, "text", "a", "text", "b",
       "the '-' operation is not supported between text and text"},
  };
  for (const ArithmeticCase& c : kCases)
    EXPECT_EQ(Evaluate(c.op, c.left_type, c.left, c.right_type, c.right), c.expected) << c.left;
}

TEST(ArithmeticTest, Negation) {
  const auto negate = [](const char* name, const char* text) {
    const TypePtr type = Named(name);
    const auto value = Negate(*type, FromText(*type, text, 0).value());
    return value->has_value() ? ToText(*type, **value).value() : "null";
  };
  EXPECT_EQ(negate("tinyint", "-128"), "-128");
  EXPECT_EQ(negate("int", "5"), "-5");
  EXPECT_EQ(negate("double", "0"), "-0.0");
  EXPECT_EQ(negate("varint", "9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(negate("decimal", "-1.50"), "1.50");
  EXPECT_EQ(negate("int", ""), "null");
  EXPECT_EQ(Negate(*Int(), std::nullopt).value(), std::nullopt);
}

std::string Convert(const char* from, const char* text, const char* to) {
  const TypePtr a = Named(from);
  const TypePtr b = Named(to);
  if (!CanCast(*a, *b)) return "cannot";
  const auto value = Cast(*a, *b, FromText(*a, text, 0).value());
  if (!value.has_value()) return value.error().message();
  return value->has_value() ? ToText(*b, **value).value() : "null";
}

TEST(CastTest, Table) {
  struct CastCase {
    const char* from;
    const char* text;
    const char* to;
    const char* expected;
  };
  const CastCase kCases[] = {
      {"int", "300", "tinyint", "44"},
      {"bigint", "4294967297", "int", "1"},
      {"double", "1e10", "int", "2147483647"},
      {"double", "1e10", "tinyint", "-1"},
      {"double", "-1.9", "int", "-1"},
      {"double", "NaN", "bigint", "0"},
      {"double", "1e30", "bigint", "9223372036854775807"},
      {"double", "1e30", "varint", "9223372036854775807"},
      {"float", "0.1", "decimal", "0.1"},
      {"float", "0.1", "double", "0.10000000149011612"},
      {"double", "0.1", "decimal", "0.1"},
      {"double", "NaN", "decimal", "A NaN cannot be converted into a decimal"},
      {"int", "5", "decimal", "5"},
      {"decimal", "1.99", "int", "1"},
      {"decimal", "-1E+70", "int", "0"},
      {"decimal", "1E-70", "int", "0"},
      {"decimal", "18446744073709551617.5", "bigint", "1"},
      {"decimal", "1.5", "float", "1.5"},
      {"varint", "18446744073709551617", "varint", "18446744073709551617"},
      {"varint", "18446744073709551617", "bigint", "1"},
      {"varint", "-1", "tinyint", "-1"},
      {"varint", "1", "double", "1.0"},
      {"counter", "5", "int", "5"},
      {"int", "5", "counter", "cannot"},
      {"int", "5", "text", "5"},
      {"double", "5", "ascii", "5.0"},
      {"ascii", "a", "text", "a"},
      {"text", "a", "ascii", "cannot"},
      {"text", "5", "int", "cannot"},
      {"boolean", "true", "text", "true"},
      {"boolean", "true", "int", "cannot"},
      {"inet", "::1", "text", "0:0:0:0:0:0:0:1"},
      {"timestamp", "2011-02-03 04:05", "date", "2011-02-03"},
      {"timestamp", "-1", "date", "1969-12-31"},
      {"timestamp", "2011-02-03 04:05", "text", "2011-02-03T04:05:00.000Z"},
      {"date", "2011-02-03", "timestamp", "2011-02-03T00:00:00.000Z"},
      {"timeuuid", "13814000-1dd2-11b2-8080-808080808080", "timestamp", "1970-01-01T00:00:00.000Z"},
      {"timeuuid", "13814000-1dd2-11b2-8080-808080808080", "date", "1970-01-01"},
      {"time", "04:05:06", "text", "04:05:06.000000000"},
      {"uuid", "2b09185b-fb5a-4734-9b56-49077de9edbf", "timestamp", "cannot"},
      {"blob", "ff", "text", "cannot"},
      {"blob", "ff", "blob", "ff"},
      {"int", "", "bigint", "null"},
  };
  for (const CastCase& c : kCases)
    EXPECT_EQ(Convert(c.from, c.text, c.to), c.expected) << c.from << " " << c.text << " " << c.to;
}

}  // namespace
}  // namespace orrery::cassandra
