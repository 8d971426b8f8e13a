#include "api/sql/script/definition/script_definition.h"

#include <gtest/gtest.h>

#include <string>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

Result<ScriptDefinition> Parse(ScriptKind kind, std::string_view json) {
  return ParseDefinition(kind, model::ParseJson(json).value());
}

Code CodeOfParse(ScriptKind kind, std::string_view json) {
  const auto parsed = Parse(kind, json);
  return parsed.has_value() ? Code::kInternal : parsed.error().code();
}

TEST(ScriptDefinition, ReadsEachKind) {
  const auto procedure = Parse(ScriptKind::kProcedure, R"({"id":"p","body":"function () {}"})");
  ASSERT_TRUE(procedure.has_value());
  EXPECT_EQ(procedure->id, "p");
  EXPECT_EQ(procedure->body, "function () {}");
  const auto trigger = Parse(
      ScriptKind::kTrigger,
      R"({"id":"t","body":"x","triggerType":"Post","triggerOperation":"Replace","_etag":"old"})");
  ASSERT_TRUE(trigger.has_value());
  EXPECT_EQ(trigger->type, TriggerType::kPost);
  EXPECT_EQ(trigger->operation, TriggerOperation::kReplace);
}

TEST(ScriptDefinition, RefusesWhatIsMissingOrWrong) {
  for (const std::string_view json :
       {"{}", R"({"id":"p"})", R"({"body":"x"})", R"({"id":1,"body":"x"})",
        R"({"id":"","body":"x"})", R"({"id":"a/b","body":"x"})", R"({"id":"a#","body":"x"})",
        R"({"id":"a ","body":"x"})", R"({"id":"a","body":null})"}) {
    EXPECT_EQ(CodeOfParse(ScriptKind::kProcedure, json), Code::kInvalidArgument) << json;
  }
  EXPECT_EQ(CodeOfParse(ScriptKind::kTrigger, R"({"id":"t","body":"x"})"), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfParse(ScriptKind::kTrigger,
                        R"({"id":"t","body":"x","triggerType":"early","triggerOperation":"All"})"),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfParse(ScriptKind::kTrigger,
                        R"({"id":"t","body":"x","triggerType":"Pre","triggerOperation":"Read"})"),
            Code::kInvalidArgument);
  const std::string long_id(kScriptIdBytesMax + 1, 'i');
  EXPECT_EQ(CodeOfParse(ScriptKind::kFunction, R"({"id":")" + long_id + R"(","body":"x"})"),
            Code::kInvalidArgument);
  const std::string long_body(kScriptBodyBytesMax + 1, ' ');
  EXPECT_EQ(CodeOfParse(ScriptKind::kFunction, R"({"id":"f","body":")" + long_body + R"("})"),
            Code::kTooLarge);
}

TEST(ScriptDefinition, TriggersCoverTheirWrites) {
  using enum TriggerOperation;
  for (const TriggerOperation write : {kCreate, kReplace, kUpsert, kDelete}) {
    EXPECT_TRUE(Covers(kAll, write));
    EXPECT_TRUE(Covers(write, write));
    EXPECT_EQ(Covers(kUpdate, write), write == kReplace || write == kUpsert);
  }
  EXPECT_FALSE(Covers(kCreate, kUpsert));
}

}  // namespace
}  // namespace orrery::sql
