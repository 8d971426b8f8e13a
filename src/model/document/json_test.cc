#include "model/document/json.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/bytes.h"
#include "model/document/document_builder.h"
#include "model/value_generator.h"

namespace orrery::model {
namespace {

std::string RoundTrip(std::string_view text) {
  const Result<Document> document = ParseJson(text);
  return document.has_value() ? ToJson(*document) : document.error().message();
}

TEST(JsonTest, KeepsOrderAndNumbers) {
  EXPECT_EQ(RoundTrip(R"( { "z" : 1, "a" : [ true , null, "x" ], "o": {} } )"),
            R"({"z":1,"a":[true,null,"x"],"o":{}})");
  EXPECT_EQ(RoundTrip(R"({"a":2147483648,"b":-9223372036854775808,"c":0.1,"d":1.0,"e":1e300})"),
            R"({"a":2147483648,"b":-9223372036854775808,"c":0.1,"d":1,"e":1e+300})");
}

TEST(JsonTest, NumbersTakeTheNarrowestKind) {
  EXPECT_EQ(*ValueFromJson("1"), Value::Int32(1));
  EXPECT_EQ(*ValueFromJson("-2147483649"), Value::Int64(-2147483649));
  EXPECT_EQ(*ValueFromJson("9223372036854775808"), Value::Double(9223372036854775808.0));
  EXPECT_EQ(*ValueFromJson("123456789012345678901234567890"),
            Value::Double(123456789012345678901234567890.0));
  EXPECT_EQ(*ValueFromJson("1.0"), Value::Double(1));
  EXPECT_EQ(*ValueFromJson("1e2"), Value::Double(100));
}

TEST(JsonTest, AnyValueAtTheRoot) {
  EXPECT_EQ(*ValueFromJson(" null "), Value::Null());
  EXPECT_EQ(*ValueFromJson("false"), Value::Bool(false));
  EXPECT_EQ(*ValueFromJson(R"("aé\n")"), Value::String("a\xc3\xa9\n"));
  EXPECT_EQ(*ValueFromJson("[[]]"), Value::Array({Value::Array({})}));
}

TEST(JsonTest, LastDuplicateWinsAtTheFirstPlace) {
  EXPECT_EQ(RoundTrip(R"({"a":1,"b":2,"a":3})"), R"({"a":3,"b":2})");
  EXPECT_EQ(RoundTrip(R"({"x":[{"a":1,"a":{"b":1,"b":2}}],"y":0})"),
            R"({"x":[{"a":{"b":2}}],"y":0})");
  std::string many = "{";
  for (int i = 0; i < 50; ++i) many += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(ParseJson(many + "\"k7\":1}")->view().Get("k7"), Value::Int32(1));
}

TEST(JsonTest, RefusesWhatIsNotJson) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "}",
                           "{}{}",
                           "{} 1",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{\"a\":01}",
                           "{\"a\":1 2}",
                           "{\"a\":nulll}",
                           "{\"a\":tru}",
                           "{\"a\":+1}",
                           "{\"a\":.5}",
                           "{\"a\":1e999}",
                           "{\"a\":\"\x01\"}",
                           "{\"a\":\"\xff\"}",
                           "{\"a\":\"\\x\"}",
                           "{\"a\":\"\\ud800\"}",
                           "{\"a\\u0000\":1}",
                           "{\"a\":[1}",
                           "{\"a\":1",
                           "{\"a\":\"b}",
                           "[]",
                           "1",
                           "1],[2",
                           "{},{}",
                           "{}]",
                           "{\"a\":NaN}",
                           "// no\n{}"}) {
    const Result<Document> document = ParseJson(text);
    ASSERT_FALSE(document.has_value()) << text;
    EXPECT_EQ(document.error().code(), Code::kInvalidArgument) << text;
  }
}

TEST(JsonTest, ErrorsNameThePlace) {
  const Result<Document> document = ParseJson(R"({"abc": 1, "d": tru})");
  ASSERT_FALSE(document.has_value());
  EXPECT_NE(document.error().message().find("near byte 16"), std::string::npos)
      << document.error().message();
}

TEST(JsonTest, DepthIsLimited) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "{\"a\":";
    text += "1" + std::string(static_cast<size_t>(depth), '}');
    return text;
  };
  const Result<Document> deep = ParseJson(nested(kDocumentDepthMax));
  ASSERT_TRUE(deep.has_value());
  EXPECT_TRUE(DocumentView::FromBson(deep->bson()).has_value());
  EXPECT_FALSE(ParseJson(nested(kDocumentDepthMax + 1)).has_value());
  EXPECT_FALSE(ParseJson(nested(100000)).has_value());
  EXPECT_FALSE(ValueFromJson(std::string(100000, '[')).has_value());
}

TEST(JsonTest, EscapesStrings) {
  std::string out;
  AppendJsonString(out, std::string_view("\"\\\n\r\t\b\f\x01\x00/\xc3\xa9", 12));
  EXPECT_EQ(out, "\"\\\"\\\\\\n\\r\\t\\b\\f\\u0001\\u0000/\xc3\xa9\"");
}

TEST(JsonTest, BsonTypesAsRelaxedExtendedJson) {
  ObjectIdBytes id{};
  id[0] = 0xab;
  EXPECT_EQ(ToJson(Value::ObjectId(id)), R"({"$oid":"ab0000000000000000000000"})");
  EXPECT_EQ(ToJson(Value::DateTime(0)), R"({"$date":"1970-01-01T00:00:00.000Z"})");
  EXPECT_EQ(ToJson(Value::DateTime(-1)), R"({"$date":{"$numberLong":"-1"}})");
  EXPECT_EQ(ToJson(Value::Binary("a", 0)), R"({"$binary":{"base64":"YQ==","subType":"00"}})");
  EXPECT_EQ(ToJson(Value::Binary("abc", 128)), R"({"$binary":{"base64":"YWJj","subType":"80"}})");
  EXPECT_EQ(ToJson(Value::Timestamp({1, 2})), R"({"$timestamp":{"t":1,"i":2}})");
  EXPECT_EQ(ToJson(Value::Regex("a\"", "i")),
            R"({"$regularExpression":{"pattern":"a\"","options":"i"}})");
  EXPECT_EQ(ToJson(Value::Double(std::numeric_limits<double>::infinity())),
            R"({"$numberDouble":"Infinity"})");
  EXPECT_EQ(ToJson(Value::MinKey()), R"({"$minKey":1})");
  EXPECT_EQ(ToJson(Value::DbPointer("c", {})),
            R"({"$dbPointer":{"$ref":"c","$id":{"$oid":"000000000000000000000000"}}})");
  EXPECT_EQ(ToJson(Value::JavaScriptWithScope("f", {{"a", Value::Int32(1)}})),
            R"({"$code":"f","$scope":{"a":1}})");
}

TEST(JsonTest, UndefinedIsLeftOutOfObjects) {
  EXPECT_EQ(ToJson(Value::Object({{"a", Value()}, {"b", Value::Array({Value()})}})),
            R"({"b":[null]})");
}

// JSON kinds only, and no name twice.
Value JsonValue(ValueGenerator& generate, int depth) {
  switch (generate.Below(depth > 0 ? 8 : 6)) {
    case 0:
      return Value::Null();
    case 1:
      return Value::Bool(generate.Below(2) != 0);
    case 2:
      return Value::Int32(static_cast<int32_t>(generate.Integer()));
    case 3:
      return Value::Int64(INT64_MAX - static_cast<int64_t>(generate.Below(1000)));
    case 4:
      return Value::Double(static_cast<double>(generate.Integer() % 1000000) / 1024 + 0.0001);
    case 5:
      return Value::String(generate.Text());
    case 6: {
      Values values;
      for (uint64_t n = generate.Below(4); n > 0; --n)
        values.push_back(JsonValue(generate, depth - 1));
      return Value::Array(std::move(values));
    }
    default: {
      Fields fields;
      for (uint64_t n = generate.Below(20); n > 0; --n) {
        fields.push_back({std::to_string(n) + generate.Name(), JsonValue(generate, depth - 1)});
      }
      return Value::Object(std::move(fields));
    }
  }
}

TEST(JsonTest, RoundTripsThroughBson) {
  constexpr uint64_t kSeed = 99;
  ValueGenerator generate(kSeed);
  for (int i = 0; i < 1000; ++i) {
    const Value value = Value::Object({{"v", JsonValue(generate, 4)}});
    const std::string text = ToJson(value);
    const Result<Document> document = ParseJson(text);
    ASSERT_TRUE(document.has_value())
        << text << " " << document.error().message() << " seed " << kSeed;
    ASSERT_EQ(document->view().ToObject(), value) << text << " seed " << kSeed;
    ASSERT_EQ(ToJson(*document), text);
    ASSERT_EQ(*document, ToDocument(value));
  }
}

TEST(JsonTest, RepeatedKeysAreRefusedOnRequest) {
  EXPECT_EQ(ToJson(*ParseJson(R"({"a":1,"b":2,"a":3})")), R"({"a":3,"b":2})");
  const auto refused = ParseJson(R"({"a":1,"b":{"c":1,"c":2}})", RepeatedKeys::kRefuse);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Code::kAlreadyExists);
  EXPECT_TRUE(ParseJson(R"({"a":1,"b":{"a":2}})", RepeatedKeys::kRefuse).has_value());
}

}  // namespace
}  // namespace orrery::model
