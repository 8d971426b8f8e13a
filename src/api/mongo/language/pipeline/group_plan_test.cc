// Compares groups that owners make in parts with those that the stage makes itself.
#include "api/mongo/language/pipeline/group_plan.h"

#include <gtest/gtest.h>

#include "api/mongo/language/pipeline/pipeline.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"
#include "model/value_generator.h"

namespace orrery::mongo {
namespace {

using model::Value;

constexpr uint64_t kGroupPlanSeed = 31;

PipelinePtr GroupPipeline(std::string_view group) {
  auto pipeline =
      Pipeline::Parse({model::ParseJson(group).value()}, std::make_shared<QueryContext>());
  EXPECT_TRUE(pipeline.has_value()) << group;
  return *std::move(pipeline);
}

bool IsPlanned(std::string_view group) { return GroupPipeline(group)->prefix().group != nullptr; }

std::vector<std::string> Texts(const std::vector<Row>& rows) {
  std::vector<std::string> texts;
  for (const Row& row : rows) texts.push_back(model::ToJson(row.document));
  return texts;
}

TEST(GroupPlan, HasWhatOwnersKnow) {
  EXPECT_TRUE(IsPlanned(R"({"$group": {"_id": "$a.b", "n": {"$sum": 1}}})"));
  EXPECT_TRUE(IsPlanned(R"({"$group": {"_id": null, "n": {"$count": {}}}})"));
  EXPECT_TRUE(IsPlanned(R"({"$group": {"_id": {"x": "$a", "y": "$b"}, "n": {"$avg": "$c"}}})"));
  EXPECT_TRUE(IsPlanned(R"({"$group": {"_id": {"x": "$a"}}})"));
  EXPECT_TRUE(IsPlanned(R"({"$count": "n"})"));
  EXPECT_TRUE(IsPlanned(R"({"$sortByCount": "$a"})"));
  EXPECT_FALSE(IsPlanned(R"({"$group": {"_id": {"$toUpper": "$a"}, "n": {"$sum": 1}}})"));
  EXPECT_FALSE(IsPlanned(R"({"$group": {"_id": "$a", "n": {"$push": "$b"}}})"));
  EXPECT_FALSE(IsPlanned(R"({"$group": {"_id": "$a", "n": {"$sum": {"$add": ["$b", 1]}}}})"));
  EXPECT_FALSE(IsPlanned(R"({"$group": {"_id": "$a", "n": {"$first": "$b"}}})"));
}

TEST(GroupPlan, PartsMakeTheGroupsOfTheStage) {
  model::ValueGenerator generator(kGroupPlanSeed);
  for (const std::string_view group :
       {R"({"$group": {"_id": "$a", "n": {"$sum": "$b"}, "m": {"$max": "$b"}}})",
        R"({"$group": {"_id": "$a.b", "n": {"$count": {}}, "m": {"$min": "$b"}}})",
        R"({"$group": {"_id": {"x": "$a", "y": "$a.b"}, "n": {"$avg": "$b"}}})",
        R"({"$group": {"_id": {"x": "$a"}, "n": {"$sum": "$a"}}})",
        R"({"$group": {"_id": 5, "n": {"$sum": "$b"}, "c": {"$sum": 1}}})"}) {
    const PipelinePtr pipeline = GroupPipeline(group);
    const GroupPlanPtr plan = pipeline->prefix().group;
    ASSERT_NE(plan, nullptr) << group;
    for (int round = 0; round < 50; ++round) {
      std::vector<Row> rows;
      model::PartialGroups owners[] = {model::PartialGroups(plan->grouping),
                                       model::PartialGroups(plan->grouping)};
      GroupMerge merge(plan, std::make_shared<QueryContext>());
      const size_t count = generator.Below(30);
      for (size_t i = 0; i < count; ++i) {
        model::Fields fields = {{"_id", Value::Int32(static_cast<int32_t>(i))}};
        const Value few[] = {Value::Int32(1),
                             Value::Double(1),
                             Value::Null(),
                             Value::String("x"),
                             Value::Object({{"b", Value::Int32(1)}}),
                             Value::Array({Value::Object({{"b", Value::Int32(2)}})})};
        if (generator.Below(5) > 0) fields.push_back({"a", few[generator.Below(std::size(few))]});
        if (generator.Below(5) > 0)
          fields.push_back({"b", generator.Below(3) == 0
                                     ? few[generator.Below(4)]
                                     : Value::Double(0.1 * double(generator.Below(9)))});
        rows.push_back(Row{model::ToDocument(Value::Object(std::move(fields)))});
        // The first half is in one partition.
        ASSERT_TRUE(owners[i < count / 2 ? 0 : 1].Add(rows.back().document).has_value());
      }
      for (const model::PartialGroups& owner : owners) {
        for (size_t i = 0; i < owner.size(); ++i)
          ASSERT_TRUE(merge.Add(owner.Encode(i)).has_value());
      }
      const auto source = pipeline->Open(RowsOf(rows), nullptr);
      std::vector<Row> expected;
      while (true) {
        auto row = source->Next();
        ASSERT_TRUE(row.has_value());
        if (!row->has_value()) break;
        expected.push_back(**std::move(row));
      }
      ASSERT_TRUE(merge.Finish().has_value());
      std::vector<Row> merged;
      while (true) {
        auto row = merge.Next();
        ASSERT_TRUE(row.has_value());
        if (!row->has_value()) break;
        merged.push_back(**std::move(row));
      }
      ASSERT_EQ(Texts(merged), Texts(expected))
          << group << " seed " << kGroupPlanSeed << " round " << round;
    }
  }
}

TEST(GroupPlan, RefusesWhatIsNoGroup) {
  const GroupPlanPtr plan =
      GroupPipeline(R"({"$group": {"_id": "$a", "n": {"$sum": 1}}})")->prefix().group;
  GroupMerge merge(plan, std::make_shared<QueryContext>());
  for (const std::string_view wrong :
       {"{}", R"({"0": 1, "p": []})", R"({"0": 1, "p": [5]})", R"({"0": 1, "1": 2, "p": [5]})"})
    EXPECT_FALSE(merge.Add(model::ParseJson(wrong).value()).has_value()) << wrong;
}

}  // namespace
}  // namespace orrery::mongo
