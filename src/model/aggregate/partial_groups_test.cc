#include "model/aggregate/partial_groups.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "model/document/document_builder.h"
#include "model/document/json.h"

namespace orrery::model {
namespace {

Expression FieldAt(std::string name) { return Expression::Field(Path({std::move(name)})); }

Grouping SumsByTeam() {
  Grouping grouping;
  grouping.keys = {FieldAt("team")};
  grouping.aggregates = {
      {.op = AggregateOperator::kSqlCount, .argument = Expression::Literal(Value::Int32(1))},
      {.op = AggregateOperator::kSqlSum, .argument = FieldAt("n")}};
  return grouping;
}

Document Parsed(std::string_view json) { return *ParseJson(json); }

TEST(PartialGroups, TellKeysApartByTheirBytes) {
  const Grouping grouping = SumsByTeam();
  PartialGroups groups(grouping);
  for (const auto& [json, group] :
       std::vector<std::pair<std::string, size_t>>{{R"({"team":"red","n":1})", 0},
                                                   {R"({"team":null,"n":2})", 1},
                                                   {R"({"n":3})", 2},
                                                   {R"({"team":"red","n":0.5})", 0},
                                                   {R"({"team":1})", 3},
                                                   {R"({"team":[1,{"a":2}],"n":"x"})", 4},
                                                   {R"({"team":1.0})", 5}}) {
    const auto added = groups.Add(Parsed(json));
    ASSERT_TRUE(added.has_value());
    EXPECT_EQ(*added, group) << json;
  }
  ASSERT_EQ(groups.size(), 6u);
  EXPECT_EQ(ToJson(groups.Encode(0)), R"({"0":"red","p":[2,1.5]})");
  EXPECT_EQ(ToJson(groups.Encode(1)), R"({"0":null,"p":[1,2]})");
  const auto missing = ReadPartialGroup(groups.Encode(2).view().ToObject(), 1);
  ASSERT_TRUE(missing.has_value());
  EXPECT_TRUE(missing->keys.front().is_undefined());
  const auto mixed = ReadPartialGroup(groups.Encode(4).view().ToObject(), 1);
  ASSERT_TRUE(mixed.has_value());
  EXPECT_TRUE(mixed->partials.AsValues()[1].is_undefined());
}

TEST(PartialGroups, OneGroupWithoutKeys) {
  Grouping grouping = SumsByTeam();
  grouping.keys.clear();
  PartialGroups groups(grouping);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(groups.Add(Parsed(R"({"n":2})")), size_t{0});
  EXPECT_EQ(groups.size(), 1u);
  EXPECT_EQ(ToJson(groups.Encode(0)), R"({"p":[3,6]})");
}

TEST(PartialGroups, CountWhatTheyKeep) {
  Grouping grouping;
  grouping.aggregates = {{.op = AggregateOperator::kSqlMax, .argument = FieldAt("s")}};
  PartialGroups groups(grouping);
  ASSERT_TRUE(groups.Add(Parsed(R"({"s":"a"})")).has_value());
  const size_t before = groups.bytes();
  DocumentBuilder builder;
  builder.AppendString("s", std::string(10'000, 'b'));
  ASSERT_TRUE(groups.Add(std::move(builder).Finish()).has_value());
  EXPECT_GE(groups.bytes(), before + 9'000);
  ASSERT_TRUE(groups.Add(Parsed(R"({"s":"c"})")).has_value());
  EXPECT_LE(groups.bytes(), before + 100);
}

TEST(PartialGroups, KeysAreAsDeepAsDocumentsMayBe) {
  Grouping grouping;
  grouping.keys = {FieldAt("deep")};
  std::string json = "1";
  for (int i = 1; i < kDocumentDepthMax; ++i) json = "[" + json + "]";
  PartialGroups groups(grouping);
  ASSERT_TRUE(groups.Add(Parsed(R"({"deep":)" + json + "}")).has_value());
  EXPECT_TRUE(Document::FromBson(groups.Encode(0).bson()).has_value());
}

TEST(PartialGroups, MalformedGroupsAreRefused) {
  for (const std::string_view json :
       {R"({})", R"({"0":1})", R"({"p":[1]})", R"({"0":1,"p":1})", R"({"1":1,"p":[]})",
        R"({"p":[],"0":1})", R"({"0":1,"p":[],"q":1})", R"({"0":1,"1":2,"p":[]})"}) {
    const auto read = ReadPartialGroup(Parsed(json).view().ToObject(), 1);
    ASSERT_FALSE(read.has_value()) << json;
    EXPECT_EQ(read.error().code(), Code::kInternal);
  }
  EXPECT_FALSE(ReadPartialGroup(Value::Null(), 0).has_value());
}

// However rows are dealt out to accumulators, and these are merged, the value is the same.
TEST(PartialGroups, AggregatesAreTheSameHoweverRowsAreDivided) {
  std::mt19937_64 random(20261118);
  const auto value = [&]() -> Value {
    switch (random() % 8) {
      case 0:
        return Value::Undefined();
      case 1:
        return Value::Bool(random() % 2 == 0);
      case 2:
        return Value::Double(static_cast<double>(random() % 100) / 10);
      case 3:
        return random() % 10 == 0 ? Value::Null() : Value::Double(1e17);
      case 4:
        return random() % 10 == 0 ? Value::String("x") : Value::Int64(1);
      default:
        return Value::Int32(static_cast<int32_t>(random() % 100));
    }
  };
  for (int round = 0; round < 500; ++round) {
    for (int op = 0; op <= static_cast<int>(kAggregateOperatorLast); ++op) {
      const auto start = [&] { return StartAggregate(static_cast<AggregateOperator>(op)); };
      const auto whole = start();
      std::vector<std::unique_ptr<Accumulator>> parts;
      for (size_t n = 1 + random() % 4; n > 0; --n) parts.push_back(start());
      for (size_t n = random() % 12; n > 0; --n) {
        const Value row = value();
        ASSERT_TRUE(whole->Add(row).has_value());
        ASSERT_TRUE(parts[random() % parts.size()]->Add(row).has_value());
      }
      const auto merged = start();
      for (const auto& part : parts) {
        // As it travels.
        DocumentBuilder builder;
        builder.Append("", part->Partial());
        const Value partial = std::move(builder).Finish().view().Get("");
        ASSERT_TRUE(merged->Merge(partial).has_value());
      }
      ASSERT_EQ(ToJson(Value::Array({merged->Final()})), ToJson(Value::Array({whole->Final()})))
          << op;
    }
  }
}

}  // namespace
}  // namespace orrery::model
