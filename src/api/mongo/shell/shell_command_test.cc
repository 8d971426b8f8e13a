#include "api/mongo/shell/shell_command.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::mongo {
namespace {

std::string CommandText(std::string_view text) {
  const auto command = CommandFromText(text);
  return command.has_value() ? model::ToJson(*command) : "error: " + command.error().message;
}

std::string ValueText(std::string_view text) {
  const auto value = ParseShellValue(text);
  return value.has_value() ? model::ToJson(*value) : "error: " + value.error().message;
}

TEST(ShellTextTest, ValuesAreReadAsTheShellReadsThem) {
  EXPECT_EQ(ValueText("{a: 1, 'b-c': \"x\\u00e9\\n\", $set: {d: [1, 2.5, null, true,]}}"),
            "{\"a\":1,\"b-c\":\"x\xc3\xa9\\n\",\"$set\":{\"d\":[1,2.5,null,true]}}");
  EXPECT_EQ(ValueText("ObjectId('0123456789abcdef01234567')"),
            R"({"$oid":"0123456789abcdef01234567"})");
  EXPECT_EQ(ValueText("[ISODate(\"2026-01-02T03:04:05.678Z\"), new Date(0)]"),
            R"([{"$date":"2026-01-02T03:04:05.678Z"},{"$date":"1970-01-01T00:00:00.000Z"}])");
  EXPECT_EQ(ValueText("ISODate('2026-01-02T03:04:05+01:00')"),
            R"({"$date":"2026-01-02T02:04:05.000Z"})");
  EXPECT_EQ(ValueText("/a\\/b[/]c/i"),
            R"({"$regularExpression":{"pattern":"a\\/b[/]c","options":"i"}})");
  EXPECT_EQ(ValueText("NumberDecimal('1.50')"), R"({"$numberDecimal":"1.50"})");
  EXPECT_EQ(ValueText("'\\ud83d\\ude00'"), "\"\xf0\x9f\x98\x80\"");
  EXPECT_EQ(ValueText("/* c */ {a: // d\n -1e3}"), R"({"a":-1000})");
}

TEST(ShellTextTest, ExtendedJsonIsWhatItMeans) {
  for (const std::string_view text :
       {R"({"$oid":"0123456789abcdef01234567"})", R"({"$date":"2026-01-02T03:04:05.000Z"})",
        R"({"$numberDecimal":"1.5"})", R"({"$binary":{"base64":"yv4=","subType":"00"}})",
        R"({"$timestamp":{"t":7,"i":2}})", R"({"$minKey":1})"}) {
    const auto value = ParseShellValue(text);
    ASSERT_TRUE(value.has_value()) << text;
    EXPECT_NE(value->kind(), model::Kind::kObject) << text;
    EXPECT_EQ(model::ToJson(*value), text);
  }
  EXPECT_EQ(ParseShellValue(R"({"$numberLong":"5"})")->kind(), model::Kind::kInt64);
  // Operators are objects.
  EXPECT_EQ(ParseShellValue("{$gt: 5}")->kind(), model::Kind::kObject);
}

TEST(ShellTextTest, WhatIsMalformedIsRefusedWhereItIs) {
  for (const std::string_view text :
       {"", "{", "{a}", "{a: }", "[1", "'x", "\"\\u12\"", "'\\ud800'", "/x", "1x", "x", "foo(1)",
        "{a: 1} 2", "ObjectId('1')", "ISODate('2026-13-01')", "1..2", "{\"a\\u0000\": 1}", "/*"})
    EXPECT_FALSE(ParseShellValue(text).has_value()) << text;
  EXPECT_FALSE(ParseShellValue(std::string(200'000, '[')).has_value());
  const auto wrong = ParseShellStatement("db.c.find({a: ?})");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().position, 14u);
}

TEST(ShellCommandTest, StatementsStandForCommands) {
  EXPECT_EQ(CommandText("db.orders.find({a: 1}, {b: 1}).sort({c: -1}).limit(5).skip(2);"),
            R"({"find":"orders","filter":{"a":1},"projection":{"b":1},"sort":{"c":-1},)"
            R"("limit":5,"skip":2})");
  EXPECT_EQ(CommandText("db.getCollection('a.b').findOne()"),
            R"({"find":"a.b","filter":{},"limit":1,"singleBatch":true})");
  EXPECT_EQ(CommandText("db['x-y'].aggregate([{$match: {}}], {allowDiskUse: true})"),
            R"({"aggregate":"x-y","pipeline":[{"$match":{}}],"cursor":{},"allowDiskUse":true})");
  EXPECT_EQ(CommandText("db.a.b.countDocuments({x: 1})"), R"({"count":"a.b","query":{"x":1}})");
  EXPECT_EQ(CommandText("db.c.distinct('x')"), R"({"distinct":"c","key":"x","query":{}})");
  EXPECT_EQ(CommandText("db.c.insertOne({_id: 1})"), R"({"insert":"c","documents":[{"_id":1}]})");
  EXPECT_EQ(
      CommandText("db.c.updateMany({}, {$inc: {n: 1}}, {upsert: true})"),
      R"({"update":"c","updates":[{"q":{},"u":{"$inc":{"n":1}},"multi":true,"upsert":true}]})");
  EXPECT_EQ(CommandText("db.c.replaceOne({_id: 1}, {n: 1})"),
            R"({"update":"c","updates":[{"q":{"_id":1},"u":{"n":1}}]})");
  EXPECT_EQ(CommandText("db.c.deleteOne({_id: 1})"),
            R"({"delete":"c","deletes":[{"q":{"_id":1},"limit":1}]})");
  EXPECT_EQ(CommandText("db.c.createIndex({a: 1, b: -1})"),
            R"({"createIndexes":"c","indexes":[{"key":{"a":1,"b":-1},"name":"a_1_b_-1"}]})");
  EXPECT_EQ(CommandText("db.c.find({a: 1}).count()"), R"({"count":"c","query":{"a":1}})");
  EXPECT_EQ(CommandText("db.runCommand({ping: 1})"), R"({"ping":1})");
  EXPECT_EQ(CommandText("{ping: 1}"), R"({"ping":1})");
}

TEST(ShellCommandTest, WhatIsNotKnownIsRefused) {
  for (const std::string_view text :
       {"db", "db.c", "db.c.explode()", "db.c.find().explode()", "x.c.find()",
        "db.c.find({}, {}, 1)", "db.c.updateOne({}, {a: 1})", "db.c.replaceOne({}, {$set: {a: 1}})",
        "db.c.deleteMany()", "db.c.insertOne({}).limit(1)", "[1]", "db.runCommand()",
        "db.c.find() db.c.find()"})
    EXPECT_TRUE(CommandText(text).starts_with("error: ")) << text;
}

}  // namespace
}  // namespace orrery::mongo
