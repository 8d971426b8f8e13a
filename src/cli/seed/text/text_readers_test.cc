#include <gtest/gtest.h>

#include "cli/seed/item_file.h"
#include "cli/seed/text/csv_reader.h"
#include "cli/seed/text/extended_json.h"
#include "cli/seed/text/json_items.h"
#include "cli/seed/text/statement_splitter.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

std::string All(CsvReader reader) {
  std::string out;
  for (;;) {
    const auto record = reader.Next();
    if (!record.has_value()) return out + "! " + record.error().message();
    if (!record->has_value()) return out;
    out += std::to_string((*record)->line) + ":";
    for (const CsvField& field : (*record)->fields) out += "<" + field.text + ">";
  }
}

TEST(CsvReader, ReadsQuotesLinesAndEnds) {
  EXPECT_EQ(All(CsvReader("a,b\r\n\n\"x \"\"y\"\"\",\"line\n2\"\n,last")),
            "1:<a><b>3:<x \"y\"><line\n2>5:<><last>");
  EXPECT_EQ(All(CsvReader("")), "");
  EXPECT_EQ(All(CsvReader("\xEF\xBB\xBFid\n1\n")), "1:<id>2:<1>");
  EXPECT_EQ(All(CsvReader("a\n\"b\n")), "1:<a>! line 2: a quoted field without its closing quote");
  EXPECT_EQ(All(CsvReader("a\"b")), "! line 1: a quote inside of a field without quotes");
}

std::string All(ItemFile file) {
  std::string out;
  for (;;) {
    const auto item = file.Next();
    if (!item.has_value()) return out + "! " + item.error().message();
    if (!item->has_value()) return out;
    out += std::to_string((*item)->line) + (*item)->json;
  }
}

TEST(ItemFile, ReadsCsvAsObjects) {
  EXPECT_EQ(All(ItemFile("a.csv", "id,n,a.b,a.c,t\n1,2,x,,007\n3,-1.5,\"4\",true,1e2\n",
                         CsvTypes::kInferred)),
            R"(2{"id":"1","n":2,"a":{"b":"x"},"t":"007"})"
            R"(3{"id":"3","n":-1.5,"a":{"b":"4","c":true},"t":1e2})");
  EXPECT_EQ(All(ItemFile("a.csv", "a,b.c\n1,\n,\"\"\n", CsvTypes::kText)),
            R"(2{"a":"1"}3{"b.c":""})");
  EXPECT_EQ(All(ItemFile("a.csv", "a,b\n1\n", CsvTypes::kText)),
            "! line 2: 1 fields, but the first line names 2");
}

TEST(ItemFile, CutsJson) {
  EXPECT_EQ(All(ItemFile("a.ndjson", "{\"a\":1}\n\n{\"b\":\"}\\\"\"}", CsvTypes::kInferred)),
            R"(1{"a":1}3{"b":"}\""})");
  EXPECT_EQ(All(ItemFile("a.json", " [ {\"a\":[{}]},\n{\"b\":2} ]\n", CsvTypes::kInferred)),
            R"(1{"a":[{}]}2{"b":2})");
  EXPECT_EQ(All(ItemFile("a.json", "[]", CsvTypes::kInferred)), "");
  EXPECT_EQ(All(ItemFile("a.json", "[{}\n", CsvTypes::kInferred)),
            "1{}! line 2: the array has no end");
  EXPECT_EQ(All(ItemFile("a.json", "{}\n5", CsvTypes::kInferred)),
            "1{}! line 2: an item must be a JSON object, in braces");
  EXPECT_EQ(All(ItemFile("a.json", "[{}] {}", CsvTypes::kInferred)),
            "1{}! line 1: text behind the end of the array");
  EXPECT_EQ(All(ItemFile("a.json", "{\"a\":", CsvTypes::kInferred)),
            "! line 1: an object without its end");
}

std::string All(const Result<std::vector<SourcedStatement>>& statements) {
  if (!statements.has_value()) return "! " + statements.error().message();
  std::string out;
  for (const SourcedStatement& each : *statements)
    out += std::to_string(each.line) + "<" + std::string(each.text) + ">";
  return out;
}

TEST(StatementSplitter, CutsCql) {
  EXPECT_EQ(All(SplitCql("-- x;\nSELECT ';' FROM \"a;b\"; /* ; */ B;;\n$$;$$")),
            "2<SELECT ';' FROM \"a;b\">2<B>3<$$;$$>");
  EXPECT_EQ(All(SplitCql("BEGIN UNLOGGED BATCH\n A; B;\nAPPLY BATCH;\nC;")),
            "1<BEGIN UNLOGGED BATCH\n A; B;\nAPPLY BATCH>4<C>");
  EXPECT_EQ(All(SplitCql("A;\n'x")), "! line 2: a ' without its end");
  EXPECT_EQ(All(SplitCql("BEGIN BATCH A;")), "! line 1: a BEGIN BATCH without its end");
}

TEST(StatementSplitter, CutsGremlin) {
  EXPECT_EQ(All(SplitGremlin("// c\ng.V()\n\ng.addV('a;\\'\\n')\n  .next(); g.E(\n1)\n# d\n")),
            "2<g.V()>4<g.addV('a;\\'\\n')\n  .next()>5<g.E(\n1)>");
  EXPECT_EQ(All(SplitGremlin("g.V()\ng.V(")), "! line 2: a bracket without its end");
  EXPECT_EQ(All(SplitGremlin("g)")), "! line 1: a ')' that closes nothing");
}

std::string RoundTrip(std::string_view text) {
  const auto document = ReadExtendedJson(text);
  return document.has_value() ? ToExtendedJson(*document) : document.error().message();
}

TEST(ExtendedJson, KeepsTypes) {
  const std::string all =
      R"({"i":{"$numberInt":"5"},"l":{"$numberLong":"5"},"d":{"$numberDouble":"0.5"},)"
      R"("o":{"$oid":"65a1b2c3d4e5f60718293a4b"},"t":{"$date":{"$numberLong":"1714557600500"}},)"
      R"("x":[{"$numberDecimal":"1.50"},{"$minKey":1},null,true,"s"],)"
      R"("b":{"$binary":{"base64":"AQI=","subType":"00"}},"s":{"$timestamp":{"t":1,"i":2}},)"
      R"("r":{"$regularExpression":{"pattern":"^a","options":"i"}}})";
  EXPECT_EQ(RoundTrip(all), all);
  EXPECT_EQ(RoundTrip(R"({"t":{"$date":"2024-05-01T12:00:00.5+02:00"}})"),
            R"({"t":{"$date":{"$numberLong":"1714557600500"}}})");
  EXPECT_EQ(RoundTrip(R"({"n":1,"m":1.5,"k":{"$set":{"a":true}}})"),
            R"({"n":{"$numberInt":"1"},"m":{"$numberDouble":"1.5"},"k":{"$set":{"a":true}}})");
  EXPECT_EQ(RoundTrip(R"({"o":{"$oid":"x"}})"), "a value of $oid is malformed");
  EXPECT_EQ(RoundTrip(R"({"o":{"$numberInt":"3000000000"}})"),
            "a value of $numberInt is malformed");
}

}  // namespace
}  // namespace orrery::cli
