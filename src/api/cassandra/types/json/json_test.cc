#include "api/cassandra/types/json/json.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "api/cassandra/types/compare.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/random_value.h"
#include "api/cassandra/types/value_text.h"

namespace orrery::cassandra {
namespace {

using namespace testing;

// JSON in, JSON of the value out, or the message.
std::string Echo(const TypePtr& type, std::string_view text) {
  const auto json = ParseJson(text);
  if (!json.has_value()) return json.error().message();
  const auto value = FromJson(*type, *json, 0);
  if (!value.has_value()) return value.error().message();
  if (!value->has_value()) return "(null)";
  return ToJson(*type, **value).value_or("no JSON");
}

struct JsonCase {
  TypePtr type;
  const char* text;
  const char* expected;
};

TEST(JsonTest, NativeTypes) {
  const JsonCase kCases[] = {
      {Int(), "12", "12"},
      {Int(), "\"12\"", "12"},
      {Int(), "null", "(null)"},
      {Int(), "12.5", "Expected an int value, but got a Double: 12.5"},
      {Int(), "2147483648", "Expected an int value, but got a Long: 2147483648"},
      {Int(), "\"abc\"", "Unable to make int from 'abc'"},
      {Int(), "[1]", "Expected an int value, but got a ArrayList: [1]"},
      {Int(), "\"\"", "\"\""},
      {Native(TypeKind::kBigint), "9223372036854775807", "9223372036854775807"},
      {Native(TypeKind::kTinyint), "128", "Unable to make byte from '128'"},
      {Native(TypeKind::kVarint), "123456789012345678901234567890",
       "123456789012345678901234567890"},
      {Native(TypeKind::kVarint), "1.5",
       "Value '1.5' is not a valid representation of a varint value"},
      {Native(TypeKind::kDecimal), "1.00000000000000000000000001", "1.00000000000000000000000001"},
      {Native(TypeKind::kDouble), "1", "1.0"},
      {Native(TypeKind::kDouble), "\"NaN\"", "null"},
      {Native(TypeKind::kFloat), "0.1", "0.1"},
      {Native(TypeKind::kBoolean), "true", "true"},
      {Native(TypeKind::kBoolean), "\"False\"", "false"},
      {Native(TypeKind::kBoolean), "1", "Expected a boolean value, but got a Integer: 1"},
      {Text(), "\"a\\u00e9\\n\\\"\\ud83d\\ude00\"", "\"a\xc3\xa9\\n\\\"\xf0\x9f\x98\x80\""},
      {Text(), "\"\\u0001\"", "\"\\u0001\""},
      {Text(), "1", "Expected a UTF-8 string, but got a Integer: 1"},
      {Native(TypeKind::kBlob), "\"0xCAFE\"", "\"0xcafe\""},
      {Native(TypeKind::kBlob), "\"cafe\"",
       "Value 'cafe' is not a valid blob representation: String representation of blob is missing "
       "0x prefix: cafe"},
      {Native(TypeKind::kTimestamp), "\"2011-02-03T04:05:06.789Z\"",
       "\"2011-02-03 04:05:06.789Z\""},
      {Native(TypeKind::kTimestamp), "0", "\"1970-01-01 00:00:00.000Z\""},
      {Native(TypeKind::kDate), "\"2011-02-03\"", "\"2011-02-03\""},
      {Native(TypeKind::kTime), "\"04:05:06\"", "\"04:05:06.000000000\""},
      {Native(TypeKind::kDate), "5",
       "Expected a string representation of a date value, but got a Integer: 5"},
      {Native(TypeKind::kInet), "\"127.0.0.1\"", "\"127.0.0.1\""},
      {Native(TypeKind::kDuration), "\"1h30m\"", "\"1h30m\""},
      {Native(TypeKind::kUuid), "\"2b09185b-fb5a-4734-9b56-49077de9edbf\"",
       "\"2b09185b-fb5a-4734-9b56-49077de9edbf\""},
  };
  for (const JsonCase& c : kCases) EXPECT_EQ(Echo(c.type, c.text), c.expected) << c.text;
}

TEST(JsonTest, NestedTypes) {
  const TypePtr udt = Udt("t", {"a", "Bc"}, {Int(), Text()});
  const JsonCase kCases[] = {
      {ListOf(Int()), "[2, 1, \"3\"]", "[2, 1, 3]"},
      {ListOf(Int()), "\"[2, 1]\"", "[2, 1]"},
      {ListOf(Int()), "[null]", "Invalid null element in list"},
      {ListOf(Int()), "{}", "Expected a list, but got a LinkedHashMap: {}"},
      {SetOf(Int()), "[2, 1, 2]", "[1, 2]"},
      {SetOf(Int()), "1", "Expected a list (representing a set), but got a Integer: 1"},
      {MapOf(Int(), Text()), "{\"2\": \"b\", \"1\": \"a\"}", "{\"1\": \"a\", \"2\": \"b\"}"},
      {MapOf(Text(), Int()), "{\"a\": null}", "Invalid null value in map"},
      {MapOf(ListOf(Int()), Int()), "{\"[1, 2]\": 3}", "{\"[1, 2]\": 3}"},
      {MapOf(Native(TypeKind::kBoolean), Int()), "{\"true\": 3}", "{\"true\": 3}"},
      {TupleOf({Int(), Text()}), "[1, null]", "[1, null]"},
      {TupleOf({Int(), Text()}), "[1]", "Tuple is missing items (expected 2): [1]"},
      {TupleOf({Int()}), "[1, 2]", "Tuple contains extra items (expected 1): [1, 2]"},
      {udt, "{\"a\": 1, \"\\\"Bc\\\"\": \"x\"}", "{\"a\": 1, \"\\\"Bc\\\"\": \"x\"}"},
      {udt, "{\"A\": 1}", "{\"a\": 1, \"\\\"Bc\\\"\": null}"},
      {udt, "{\"Bc\": 1}", "Unknown field 'bc' in value of user defined type t"},
      {VectorOf(Native(TypeKind::kFloat), 2), "[1, 2.5]", "[1.0, 2.5]"},
      {VectorOf(Int(), 2), "[1]", "List had incorrect size: expected 2 but given 1; [1]"},
      {VectorOf(Int(), 1), "[\"\"]", "Invalid null element in list"},
  };
  for (const JsonCase& c : kCases) EXPECT_EQ(Echo(c.type, c.text), c.expected) << c.text;
}

TEST(JsonTest, MalformedText) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "01", "-", "1.", "1e", "nul", "\"\\x\"",
                           "\"\\ud800\"", "\"a", "[1] 2", "\"\x01\"", "\"\xff\"", "'a'", "{1: 2}"})
    EXPECT_FALSE(ParseJson(text).has_value()) << text;
  EXPECT_FALSE(ParseJson(std::string(100'000, '[')).has_value());
  EXPECT_FALSE(ParseJson("\"\\").has_value());
}

TEST(JsonTest, OfARepeatedNameTheLastValueWins) {
  const auto json = ParseJson("{\"a\": 1, \"b\": 2, \"a\": 3}");
  ASSERT_EQ(json->members.size(), 2);
  EXPECT_EQ(json->members[0].value.text, "3");
}

TEST(JsonTest, Rows) {
  const auto row = ParseJsonRow("{\"Key\": 1, \"\\\"Key\\\"\": null}");
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ((*row)[0].name, "key");
  EXPECT_EQ((*row)[1].name, "Key");
  EXPECT_EQ(ParseJsonRow("null").error().message(), "Got null for INSERT JSON values");
  EXPECT_FALSE(ParseJsonRow("[1]").has_value());
  EXPECT_FALSE(ParseJsonRow("{").has_value());
  EXPECT_EQ(JsonName("key"), "\"key\"");
  EXPECT_EQ(JsonName("Key"), "\"\\\"Key\\\"\"");
}

bool HoldsWhatJsonLoses(const Type& type) {
  // NaN becomes null; an empty boolean reads as false.
  if (type.kind() == TypeKind::kFloat || type.kind() == TypeKind::kDouble ||
      type.kind() == TypeKind::kBoolean)
    return true;
  for (const TypePtr& part : type.parameters()) {
    if (HoldsWhatJsonLoses(*part)) return true;
  }
  return false;
}

bool HoldsBigNumbers(const Type& type) {
  return type.kind() == TypeKind::kVarint || type.kind() == TypeKind::kDecimal ||
         std::ranges::any_of(type.parameters(),
                             [](const TypePtr& part) { return HoldsBigNumbers(*part); });
}

TEST(JsonTest, WhatIsWrittenReadsBack) {
  constexpr uint64_t kSeed = 11;
  RandomValue random(kSeed);
  for (int i = 0; i < 3'000; ++i) {
    const TypePtr type = random.AnyType(2);
    // Only the empty value of a collection or tuple, written as one without elements, changes.
    const std::string bytes = random.Of(*type, /*may_be_empty=*/type->is_native());
    const auto json = ToJson(*type, bytes);
    ASSERT_TRUE(json.has_value()) << type->CqlName() << " seed " << kSeed;
    const auto parsed = ParseJson(*json);
    ASSERT_TRUE(parsed.has_value()) << *json;
    if (HoldsWhatJsonLoses(*type) || type->depth() > 2) continue;
    // An empty varint or decimal is shown, and has no digits to be read.
    if (HoldsBigNumbers(*type) && json->contains("\"\"")) continue;
    const auto back = FromJson(*type, *parsed, 0);
    ASSERT_TRUE(back.has_value()) << type->CqlName() << " " << *json << ": "
                                  << back.error().message();
    ASSERT_TRUE(back->has_value());
    ASSERT_TRUE(Equal(*type, **back, bytes))
        << type->CqlName() << " " << *json << " seed " << kSeed;
  }
}

}  // namespace
}  // namespace orrery::cassandra
