#include "model/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/number/number.h"
#include "model/value_text.h"

namespace orrery::model {
namespace {

TEST(ValueTest, IsSmallAndStartsUndefined) {
  EXPECT_TRUE(Value().is_undefined());
  EXPECT_LE(sizeof(Value), 48U);
}

TEST(ValueTest, CopiesAreIndependent) {
  Value a = Value::Array({Value::Int32(1)});
  Value b = a;
  b.MutableValues().push_back(Value::Int32(2));
  EXPECT_EQ(a.AsValues().size(), 1U);
  EXPECT_EQ(b.AsValues().size(), 2U);
}

TEST(ValueTest, EqualityIsBitForBit) {
  EXPECT_EQ(Value::Double(std::nan("")), Value::Double(std::nan("")));
  EXPECT_FALSE(Value::Double(0.0) == Value::Double(-0.0));
  EXPECT_FALSE(Value::Int32(1) == Value::Int64(1));
  EXPECT_FALSE(Value::Binary("a", 0) == Value::Binary("a", 1));
  EXPECT_EQ(Value::Object({{"a", Value::Null()}}), Value::Object({{"a", Value::Null()}}));
}

TEST(ValueTest, VarintsAreShortened) {
  EXPECT_EQ(Value::Varint(std::string_view("\x00\x00\x7f", 3)), Value::Varint("\x7f"));
  EXPECT_EQ(Value::Varint("\xff\xff\x80"), Value::Varint("\x80"));
  EXPECT_EQ(Value::Varint(std::string_view("\x00\x80", 2)).AsBytes().size(), 2U);
  EXPECT_EQ(Value::Varint(""), Value::Varint(std::string_view("\x00", 1)));
}

TEST(ValueTest, CompositePayloadsComeApart) {
  const Value regex = Value::Regex("a.b", "im");
  EXPECT_EQ(regex.AsRegex().pattern, "a.b");
  EXPECT_EQ(regex.AsRegex().options, "im");
  ObjectIdBytes id{};
  id[11] = 7;
  const Value pointer = Value::DbPointer("db.c", id);
  EXPECT_EQ(pointer.AsDbPointer().collection, "db.c");
  EXPECT_EQ(pointer.AsDbPointer().id, id);
  const Value code = Value::JavaScriptWithScope("f()", {{"x", Value::Int32(1)}});
  EXPECT_EQ(code.AsScopedCode().code, "f()");
  EXPECT_EQ(code.AsScopedCode().scope.size(), 1U);
}

TEST(ValueTest, FindsFieldsOfObjectsOnly) {
  const Value object = Value::Object({{"a", Value::Int32(1)}});
  ASSERT_NE(object.Find("a"), nullptr);
  EXPECT_EQ(object.Find("b"), nullptr);
  EXPECT_EQ(Value::Int32(1).Find("a"), nullptr);
}

TEST(ValueDeathTest, WrongAccessorIsABug) {
  EXPECT_DEATH((void)Value::Int32(1).AsString(), "kString");
}

TEST(NumberTest, AllKindsBecomeDoubles) {
  EXPECT_EQ(ToDouble(Value::Int8(-3)), -3);
  EXPECT_EQ(ToDouble(Value::Float(0.5F)), 0.5);
  EXPECT_EQ(ToDouble(Value::Varint(std::string("\x01") + std::string(10, char{0}))), 0x1p80);
  EXPECT_EQ(ToDouble(Value::Decimal(3, "\x05")), 0.005);
  EXPECT_EQ(ToDouble(Value::Decimal(-1000, "\x05")), std::numeric_limits<double>::infinity());
  EXPECT_EQ(ToDouble(Value::Decimal(1000, "\xfb")), 0);
}

TEST(NumberTest, WholeDoublesBecomeIntegers) {
  EXPECT_EQ(NumberFromDouble(3), Value::Int32(3));
  EXPECT_EQ(NumberFromDouble(1e10), Value::Int64(10000000000));
  EXPECT_EQ(NumberFromDouble(0.5), Value::Double(0.5));
  EXPECT_EQ(NumberFromDouble(1e19), Value::Double(1e19));
  EXPECT_EQ(NumberFromDouble(-0x1p63), Value::Int64(INT64_MIN));
}

TEST(ValueTextTest, WritesTheUsualForms) {
  EXPECT_EQ(ToText(Value::Varint("\xfe\xff")), "-257");
  EXPECT_EQ(ToText(Value::Decimal(2, "\x05")), "0.05");
  EXPECT_EQ(ToText(Value::Decimal(-3, "\x05")), "5E3");
  EXPECT_EQ(ToText(Value::Decimal(1, "\xf6")), "-1.0");
  EXPECT_EQ(ToText(Value::Date(0x80000000)), "1970-01-01");
  EXPECT_EQ(ToText(Value::Time(3723000000004)), "01:02:03.000000004");
  EXPECT_EQ(ToText(Value::Duration({1, 2, 3})), "1mo2d3ns");
  EXPECT_EQ(ToText(Value::Inet("\x7f\x01\x01\x01")), "127.1.1.1");
  EXPECT_EQ(ToText(Value::Inet(std::string(15, '\0') + "\x01")), "::1");
  EXPECT_EQ(ToText(Value::Uuid({0x12, 0x34})), "12340000-0000-0000-0000-000000000000");
  EXPECT_EQ(ToText(Value::Binary("\x01\xff")), "0x01ff");
  EXPECT_EQ(FormatDateTime(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(FormatDateTime(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(FormatDateTime(1709211900123), "2024-02-29T13:05:00.123Z");
}

TEST(ValueTextTest, DoublesAreShortestAndWholeOnesPlain) {
  EXPECT_EQ(FormatDouble(1), "1");
  EXPECT_EQ(FormatDouble(0.1), "0.1");
  EXPECT_EQ(FormatDouble(-1.5), "-1.5");
  EXPECT_EQ(FormatDouble(1e20), "100000000000000000000");
  EXPECT_EQ(FormatDouble(1e21), "1e+21");
  EXPECT_EQ(FormatDouble(5e-324), "5e-324");
  EXPECT_EQ(FormatDouble(-0.0), "0");
  EXPECT_EQ(FormatFloat(0.1F), "0.1");
}

}  // namespace
}  // namespace orrery::model
