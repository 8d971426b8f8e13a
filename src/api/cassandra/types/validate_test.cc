#include "api/cassandra/types/validate.h"

#include <gtest/gtest.h>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/type_builder.h"
#include "base/utf8.h"

namespace orrery::cassandra {
namespace {

using namespace testing;
using namespace std::literals;

std::string Message(const Type& type, std::string_view bytes) {
  const Status status = Validate(type, bytes);
  return status.has_value() ? "" : status.error().message();
}

struct ValidationCase {
  TypeKind kind;
  std::string bytes;
  const char* message;
};

TEST(ValidateTest, NativeTypes) {
  const std::string v4 = std::string(6, '\0') + '\x40' + std::string(9, '\0');
  const ValidationCase kCases[] = {
      {TypeKind::kInt, std::string(8, 0), "Expected 4 or 0 byte int (8)"},
      {TypeKind::kInt, "", ""},
      {TypeKind::kBigint, std::string(4, 0), "Expected 8 or 0 byte long (4)"},
      {TypeKind::kTimestamp, "x", "Expected 8 or 0 byte long for date (1)"},
      {TypeKind::kFloat, "x", "Expected 4 or 0 byte value for a float (1)"},
      {TypeKind::kDouble, "x", "Expected 8 or 0 byte value for a double (1)"},
      {TypeKind::kBoolean, "xx", "Expected 1 or 0 byte value (2)"},
      {TypeKind::kTinyint, "", "Expected 1 byte for a tinyint (0)"},
      {TypeKind::kSmallint, "x", "Expected 2 bytes for a smallint (1)"},
      {TypeKind::kDate, "", "Expected 4 byte long for date (0)"},
      {TypeKind::kTime, "", "Expected 8 byte long for time (0)"},
      {TypeKind::kTime, std::string(8, '\xff'), "Input long out of bounds for time: -1"},
      {TypeKind::kDecimal, "xx", "Expected 0 or at least 4 bytes (2)"},
      {TypeKind::kDecimal, "xxxx", ""},
      {TypeKind::kDuration, "", "Expected at least 3 bytes for a duration (0)"},
      {TypeKind::kDuration, "\x01\x02\x00"s,
       "The duration months, days and nanoseconds must be all of the same sign (-1, 1, 0)"},
      {TypeKind::kInet, "xyz", "Expected 4 or 16 byte inetaddress; got 78797a"},
      {TypeKind::kUuid, "x", "UUID should be 16 or 0 bytes (1)"},
      {TypeKind::kTimeuuid, v4, "Invalid version for TimeUUID type: 0x4"},
      {TypeKind::kUuid, v4, ""},
      {TypeKind::kAscii, "\x80", "Invalid byte for ascii: -128"},
      {TypeKind::kText, "\xff", "String didn't validate."},
      {TypeKind::kEmpty, "x", "EmptyType only accept empty values"},
      {TypeKind::kVarint, "", ""},
      {TypeKind::kBlob, "\xff", ""},
  };
  for (const ValidationCase& c : kCases) {
    EXPECT_EQ(Message(*Native(c.kind), c.bytes), c.message) << Native(c.kind)->CqlName();
  }
}

TEST(ValidateTest, Utf8) {
  for (const char* good : {"", "a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf"})
    EXPECT_TRUE(IsUtf8(good)) << good;
  for (const char* bad : {"\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80",
                          "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82"})
    EXPECT_FALSE(IsUtf8(bad)) << bad;
}

TEST(ValidateTest, EmptyValues) {
  for (int i = 0; i <= static_cast<int>(TypeKind::kVarint); ++i) {
    const TypePtr type = Native(static_cast<TypeKind>(i));
    EXPECT_EQ(Validate(*type, "").has_value(), AllowsEmpty(*type)) << type->CqlName();
  }
  for (const TypePtr& type : {ListOf(Int()), SetOf(Int()), MapOf(Int(), Int()), TupleOf({Int()}),
                              VectorOf(Int(), 1), Udt("t", {"a"}, {Int()})}) {
    EXPECT_EQ(Validate(*type, "").has_value(), AllowsEmpty(*type)) << type->CqlName();
  }
}

TEST(ValidateTest, Nested) {
  const std::string one = "\0\0\0\1"s;
  EXPECT_EQ(Message(*ListOf(Int()), PackElements(Views{one, "xx"})),
            "Expected 4 or 0 byte int (2)");
  EXPECT_EQ(Message(*ListOf(Int()), "\0\0\0\1\xff\xff\xff\xff"sv),
            "Null value read when not allowed");
  EXPECT_EQ(Message(*ListOf(Int()), "\0\0"sv), "Not enough bytes to read a list");
  EXPECT_EQ(Message(*SetOf(Int()), "\x7f\xff\xff\xff"sv), "Not enough bytes to read a set");
  EXPECT_EQ(Message(*SetOf(Int()), "\0\0\0\0x"sv), "Unexpected extraneous bytes after set value");
  EXPECT_EQ(Message(*MapOf(Int(), Int()), "\0\0\0\1"sv), "Not enough bytes to read a map");
  EXPECT_EQ(Message(*TupleOf({Int()}), "\0\0"sv), "Not enough bytes to read size of 0th component");
  EXPECT_EQ(Message(*TupleOf({Int()}), "\0\0\0\5x"sv), "Not enough bytes to read 0th component");
  EXPECT_EQ(Message(*TupleOf({Int(), Int()}), "\xff\xff\xff\xff"sv), "");
  const TypePtr udt = Udt("t", {"a"}, {Int()});
  EXPECT_EQ(Message(*udt, "\0\0\0\1x"sv),
            "Failure validating the 0th field a; Expected 4 or 0 byte int (1)");
  EXPECT_EQ(Message(*udt, "\xff\xff\xff\xffx"sv), "Invalid remaining data after end of UDT value");
  EXPECT_EQ(Message(*VectorOf(Int(), 2), one), "Not enough bytes to read a vector<int, 2>");
  EXPECT_EQ(Message(*VectorOf(Int(), 1), one + "x"),
            "Unexpected 1 extraneous bytes after vector<int, 1> value");
}

}  // namespace
}  // namespace orrery::cassandra
