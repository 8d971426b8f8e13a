#include "model/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/bytes.h"
#include "model/document/json.h"
#include "model/number/big_number.h"
#include "model/value_generator.h"

namespace orrery::model {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Value Decimal128(int64_t coefficient, int64_t exponent) {
  Decimal128Bits bits;
  EXPECT_TRUE(
      PackDecimal128(coefficient < 0, BigDecimal{BigInt(std::abs(coefficient)), exponent}, bits));
  return Value::Decimal128(bits);
}

Value Uuid(std::string_view hex) {
  std::string bytes;
  EXPECT_TRUE(FromHex(hex, bytes) && bytes.size() == 16);
  UuidBytes uuid;
  bytes.copy(reinterpret_cast<char*>(uuid.data()), uuid.size());
  return Value::Uuid(uuid);
}

Value TimeUuid(std::string_view hex) { return Value::TimeUuid(Uuid(hex).AsUuid()); }

void ExpectRising(const Values& values, Order order) {
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = 0; j < values.size(); ++j) {
      const auto expected = std::weak_ordering(i <=> j);
      EXPECT_EQ(Compare(values[i], values[j], order), expected)
          << i << " " << ToJson(values[i]) << " and " << j << " " << ToJson(values[j]);
    }
  }
}

TEST(CompareTest, SqlOrdersByTypeThenValue) {
  ExpectRising({Value::Undefined(),
                Value::Null(),
                Value::Bool(false),
                Value::Bool(true),
                Value::Double(kNan),
                Value::Double(-kInfinity),
                Value::Int32(-1),
                Value::Double(0.5),
                Value::Int64(1),
                Value::Double(kInfinity),
                Value::String(""),
                Value::String("A"),
                Value::String("a"),
                Value::String("\xc3\xa9"),
                Value::Array({}),
                Value::Array({Value::Int32(1)}),
                Value::Array({Value::Int32(1), Value::Int32(0)}),
                Value::Array({Value::Int32(2)}),
                Value::Object({}),
                Value::Object({{"a", Value::Int32(1)}}),
                Value::Object({{"b", Value::Int32(0)}})},
               Order::kSql);
}

TEST(CompareTest, SqlNumbersAreDoubles) {
  EXPECT_TRUE(Equivalent(Value::Int32(1), Value::Double(1), Order::kSql));
  EXPECT_TRUE(Equivalent(Value::Double(-0.0), Value::Int32(0), Order::kSql));
  // The two integers are the same double.
  EXPECT_TRUE(
      Equivalent(Value::Int64(9007199254740993), Value::Int64(9007199254740992), Order::kSql));
}

TEST(CompareTest, MongoOrdersByTypeThenValue) {
  ExpectRising({Value::MinKey(),
                Value::Undefined(),
                Value::Null(),
                Value::Double(kNan),
                Value::Int32(7),
                Value::String("a"),
                Value::Symbol("b"),
                Value::Object({}),
                Value::Array({}),
                Value::Binary("zz", 0),
                Value::Binary("aaa", 0),
                Value::Binary("aaa", 5),
                Value::ObjectId({}),
                Value::Bool(false),
                Value::Bool(true),
                Value::DateTime(-1),
                Value::DateTime(1),
                Value::Timestamp({1, 0}),
                Value::Timestamp({1, 1}),
                Value::Regex("a", ""),
                Value::Regex("a", "i"),
                Value::DbPointer("c", {}),
                Value::JavaScript("x"),
                Value::JavaScriptWithScope("x", {}),
                Value::MaxKey()},
               Order::kMongo);
}

TEST(CompareTest, MongoNumbersCompareExactly) {
  ExpectRising({Value::Double(-kInfinity), Decimal128(-1, 400), Value::Int64(INT64_MIN),
                Value::Int32(-1), Decimal128(-1, -6176), Value::Int32(0), Value::Double(5e-324),
                Decimal128(1, -1), Value::Double(0.1), Value::Int64(9007199254740992),
                Value::Int64(9007199254740993), Value::Int64(INT64_MAX), Value::Double(0x1p63),
                Decimal128(9223372036854775807, 1), Decimal128(1, 6144), Value::Double(kInfinity)},
               Order::kMongo);
  EXPECT_TRUE(Equivalent(Value::Int32(1), Decimal128(100, -2), Order::kMongo));
  EXPECT_TRUE(Equivalent(Value::Double(0.5), Decimal128(5, -1), Order::kMongo));
  EXPECT_TRUE(Equivalent(Value::Double(-0.0), Value::Int32(0), Order::kMongo));
}

// Against exact rational arithmetic, which shares no code with the comparison.
TEST(CompareTest, MongoDecimalsAgreeWithRationals) {
  using boost::multiprecision::cpp_rational;
  constexpr uint64_t kSeed = 5;
  ValueGenerator generate(kSeed);
  const auto rational = [](const Value& decimal) {
    const UnpackedDecimal128 parts = UnpackDecimal128(decimal.AsDecimal128());
    const BigInt power = PowerOfTen(static_cast<uint32_t>(std::abs(parts.magnitude.exponent)));
    cpp_rational value = parts.magnitude.exponent >= 0
                             ? cpp_rational(parts.magnitude.coefficient * power)
                             : cpp_rational(parts.magnitude.coefficient, power);
    return parts.negative ? cpp_rational(-value) : value;
  };
  for (int i = 0; i < 500; ++i) {
    const Value a =
        Decimal128(generate.Integer() / 2, static_cast<int64_t>(generate.Below(60)) - 40);
    const Value b =
        generate.Below(4) == 0
            ? Value::Double(std::ldexp(generate.Integer() % 100, -3))
            : Decimal128(generate.Integer() / 2, static_cast<int64_t>(generate.Below(60)) - 40);
    const cpp_rational y = b.kind() == Kind::kDouble ? cpp_rational(b.AsDouble()) : rational(b);
    const int expected = rational(a).compare(y);
    EXPECT_EQ(Compare(a, b, Order::kMongo), std::weak_ordering(expected <=> 0))
        << ToJson(a) << " " << ToJson(b);
  }
}

TEST(CompareTest, MongoObjectsCompareTypeNameValue) {
  // The string is of a higher type, though its name comes first.
  const Value number_b = Value::Object({{"b", Value::Int32(9)}});
  const Value string_a = Value::Object({{"a", Value::String("")}});
  EXPECT_EQ(Compare(number_b, string_a, Order::kMongo), std::weak_ordering::less);
  const Value number_a = Value::Object({{"a", Value::Double(10)}});
  EXPECT_EQ(Compare(number_a, number_b, Order::kMongo), std::weak_ordering::less);
}

TEST(CompareTest, MongoUuidIsBinaryOfSubtypeFour) {
  const Value uuid = Uuid("00112233445566778899aabbccddeeff");
  std::string bytes;
  ASSERT_TRUE(FromHex("00112233445566778899aabbccddeeff", bytes));
  EXPECT_TRUE(Equivalent(uuid, Value::Binary(bytes, 4), Order::kMongo));
}

TEST(CompareTest, CqlUuidsByVersionThenTime) {
  ExpectRising({Uuid("00000002000010008000000000000000"),  // version 1, low time 2
                Uuid("00000001000110008000000000000000"),  // version 1, middle time 1
                Uuid("00000001000110009000000000000000"),  // the same time, other node
                Uuid("00000000000040008000000000000000"),  // version 4 by bytes
                Uuid("10000000000040008000000000000000")},
               Order::kCql);
}

TEST(CompareTest, CqlTimeUuidsByTimeThenSignedBytes) {
  ExpectRising(
      {TimeUuid("00000001000010008000000000000000"),  // 80 is negative
       TimeUuid("00000001000010000000000000000000"), TimeUuid("00000001000010000000000000000001"),
       TimeUuid("00000002000010008000000000000000")},
      Order::kCql);
}

TEST(CompareTest, CqlRealsAsJavaHasThem) {
  ExpectRising({Value::Double(-kInfinity), Value::Double(-1), Value::Double(-0.0),
                Value::Double(0.0), Value::Double(kInfinity), Value::Double(kNan)},
               Order::kCql);
  EXPECT_TRUE(Equivalent(Value::Double(kNan), Value::Double(-kNan), Order::kCql));
}

TEST(CompareTest, CqlVarintsAndDecimalsByNumber) {
  ExpectRising(
      {Value::Varint(std::string_view("\xff\x00", 2)), Value::Varint("\x80"), Value::Varint("\xff"),
       Value::Varint(""), Value::Varint("\x7f"), Value::Varint(std::string_view("\x00\x80", 2))},
      Order::kCql);
  ExpectRising(
      {Value::Decimal(0, "\xf6"), Value::Decimal(1, "\xff"), Value::Decimal(0, ""),
       Value::Decimal(2, "\x01"), Value::Decimal(0, "\x01"), Value::Decimal(-2000000000, "\x01")},
      Order::kCql);
  EXPECT_TRUE(Equivalent(Value::Decimal(1, "\x0a"), Value::Decimal(2, "\x64"), Order::kCql));
}

TEST(CompareTest, CqlNullsFirstAndBytesUnsigned) {
  ExpectRising({Value::Undefined(), Value::Null(), Value::Binary(""), Value::Binary("a"),
                Value::Binary("aa"), Value::Binary("b"), Value::Binary("\x80")},
               Order::kCql);
  ExpectRising({Value::Date(0), Value::Date(0x80000000), Value::Date(0xffffffff)}, Order::kCql);
  ExpectRising({Value::Set({}), Value::Set({Value::Int32(1)}),
                Value::Set({Value::Int32(1), Value::Int32(2)}), Value::Set({Value::Int32(2)})},
               Order::kCql);
}

TEST(CompareTest, EveryOrderIsTransitive) {
  constexpr uint64_t kSeed = 77;
  for (const Order order : {Order::kSql, Order::kMongo, Order::kCql}) {
    ValueGenerator generate(kSeed);
    for (int i = 0; i < 3000; ++i) {
      const Value a = generate.Any(1);
      const Value b = generate.Any(1);
      const Value c = generate.Any(1);
      if (Compare(a, b, order) <= 0 && Compare(b, c, order) <= 0) {
        ASSERT_TRUE(Compare(a, c, order) <= 0)
            << ToJson(a) << ToJson(b) << ToJson(c) << " seed " << kSeed;
      }
      ASSERT_EQ(Compare(a, b, order) < 0, Compare(b, a, order) > 0);
    }
  }
}

}  // namespace
}  // namespace orrery::model
