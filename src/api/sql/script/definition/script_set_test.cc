#include "api/sql/script/definition/script_set.h"

#include <gtest/gtest.h>

#include <string>

#include "api/sql/document/container_names.h"
#include "api/sql/script/definition/script_form.h"
#include "api/sql/script/definition/script_set_codec.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

const Micros kNow{std::chrono::seconds(1'700'000'000)};

ScriptDefinition Procedure(std::string id, std::string body = "function () {}") {
  return {ScriptKind::kProcedure, std::move(id), std::move(body)};
}

ScriptDefinition Trigger(std::string id) {
  return {ScriptKind::kTrigger, std::move(id), "function () {}", TriggerType::kPost,
          TriggerOperation::kDelete};
}

Code CodeOf(const Status& status) {
  return status.has_value() ? Code::kInternal : status.error().code();
}
Code CodeOf(const Result<StoredScript>& result) {
  return result.has_value() ? Code::kInternal : result.error().code();
}

TEST(ScriptSet, NamesAreOfAKind) {
  ScriptSet scripts;
  ASSERT_TRUE(scripts.Create(Procedure("x"), kNow).has_value());
  ASSERT_TRUE(scripts.Create(Trigger("x"), kNow).has_value());
  EXPECT_EQ(CodeOf(scripts.Create(Procedure("x"), kNow)), Code::kAlreadyExists);
  EXPECT_EQ(scripts.Count(ScriptKind::kProcedure), 1u);
  EXPECT_NE(scripts.Find(ScriptKind::kTrigger, "x"), nullptr);
  EXPECT_EQ(scripts.Find(ScriptKind::kFunction, "x"), nullptr);
}

TEST(ScriptSet, ReplaceKeepsTheNumberAndChangesTheVersion) {
  ScriptSet scripts;
  const StoredScript before = scripts.Create(Procedure("x"), kNow).value();
  const StoredScript after =
      scripts.Replace("x", Procedure("y", "function () { return 1; }"), before.version, kNow)
          .value();
  EXPECT_EQ(after.number, before.number);
  EXPECT_GT(after.version, before.version);
  EXPECT_EQ(scripts.Find(ScriptKind::kProcedure, "x"), nullptr);
  EXPECT_EQ(CodeOf(scripts.Replace("x", Procedure("x"), std::nullopt, kNow)), Code::kNotFound);
  EXPECT_EQ(CodeOf(scripts.Replace("y", Procedure("y"), before.version, kNow)),
            Code::kPreconditionFailed);
  ASSERT_TRUE(scripts.Create(Procedure("z"), kNow).has_value());
  EXPECT_EQ(CodeOf(scripts.Replace("y", Procedure("z"), std::nullopt, kNow)), Code::kAlreadyExists);
}

TEST(ScriptSet, ADeletedScriptsNumberIsNotUsedAgain) {
  ScriptSet scripts;
  const StoredScript first = scripts.Create(Procedure("x"), kNow).value();
  EXPECT_EQ(CodeOf(scripts.Delete(ScriptKind::kProcedure, "x", first.version + 1)),
            Code::kPreconditionFailed);
  ASSERT_TRUE(scripts.Delete(ScriptKind::kProcedure, "x", first.version).has_value());
  EXPECT_EQ(CodeOf(scripts.Delete(ScriptKind::kProcedure, "x", std::nullopt)), Code::kNotFound);
  const StoredScript second = scripts.Create(Procedure("x"), kNow).value();
  EXPECT_NE(second.number, first.number);
  EXPECT_NE(ScriptEtag(second), ScriptEtag(first));
}

TEST(ScriptSet, EachKindHasItsMost) {
  ScriptSet scripts;
  for (size_t i = 0; i < kTriggersMax; ++i)
    ASSERT_TRUE(scripts.Create(Trigger(std::to_string(i)), kNow).has_value());
  EXPECT_EQ(CodeOf(scripts.Create(Trigger("more"), kNow)), Code::kForbidden);
  EXPECT_TRUE(scripts.Create(Procedure("more"), kNow).has_value());
}

TEST(ScriptSetCodec, IsOneFieldAmongOthers) {
  ScriptSet scripts;
  ASSERT_TRUE(scripts.Create(Procedure("p"), kNow).has_value());
  ASSERT_TRUE(scripts.Create(Trigger("t"), kNow).has_value());
  const model::Document others = model::ParseJson(R"({"sql":{"x":1},"scripts":5,"y":2})").value();
  const std::optional<model::Document> extra = WithScripts(others, scripts);
  EXPECT_EQ(ReadScripts(extra).value(), scripts);
  EXPECT_EQ(model::ToJson(extra->view().Get("sql")), R"({"x":1})");
  EXPECT_EQ(extra->view().Get("y"), model::Value::Int32(2));
  EXPECT_EQ(ReadScripts(WithScripts(extra, ScriptSet())).value(), ScriptSet());
  EXPECT_EQ(ReadScripts(std::nullopt).value(), ScriptSet());
}

// The example of docs/format/catalog.md.
TEST(ScriptSetCodec, IsWrittenAsDescribed) {
  ScriptSet scripts;
  ASSERT_TRUE(scripts.Create(Trigger("audit"), kNow).has_value());
  EXPECT_EQ(model::ToJson(WithScripts(std::nullopt, scripts)),
            R"({"scripts":{"stamp":1,"list":[{"kind":"trigger","id":"audit",)"
            R"("body":"function () {}","number":1,"version":1,"changed":1700000000000000,)"
            R"("type":"Post","operation":"Delete"}]}})");
}

TEST(ScriptSetCodec, RefusesWhatItDidNotWrite) {
  for (const std::string_view json :
       {R"({"scripts":1})", R"({"scripts":{}})", R"({"scripts":{"stamp":-1,"list":[]}})",
        R"({"scripts":{"stamp":1,"list":{}}})", R"({"scripts":{"stamp":1,"list":[1]}})",
        R"({"scripts":{"stamp":1,"list":[{"kind":"view","id":"a","body":"b","number":1,)"
        R"("version":1,"changed":0}]}})",
        R"({"scripts":{"stamp":1,"list":[{"kind":"sproc","id":"a","body":"b","number":2,)"
        R"("version":1,"changed":0}]}})",
        R"({"scripts":{"stamp":1,"list":[{"kind":"trigger","id":"a","body":"b","number":1,)"
        R"("version":1,"changed":0,"type":"Pre","operation":"Never"}]}})"}) {
    const auto read = ReadScripts(model::ParseJson(json).value());
    ASSERT_FALSE(read.has_value()) << json;
    EXPECT_EQ(read.error().code(), Code::kCorruption);
  }
}

TEST(ScriptForm, ShowsWhatClientsExpect) {
  gateway::ContainerEntry container;
  container.id = ContainerId(2);
  container.database = DatabaseId(1);
  ScriptSet scripts;
  const StoredScript trigger = scripts.Create(Trigger("t\"1"), kNow).value();
  std::string json;
  AppendScriptJson(json, container, trigger);
  const std::string rid = ScriptRid(container, trigger);
  EXPECT_EQ(json, R"({"id":"t\"1","body":"function () {}","triggerOperation":"Delete",)"
                  R"("triggerType":"Post","_rid":")" +
                      rid + R"(","_self":")" + ContainerNames(container).self() + "triggers/" +
                      rid +
                      R"(/","_etag":"\"00000001-0000-0000-0000-000000000000\"","_ts":1700000000})");
  EXPECT_EQ(ScriptFeedJson(container, ScriptKind::kTrigger, scripts),
            R"({"_rid":")" + ContainerNames(container).rid() + R"(","Triggers":[)" + json +
                R"(],"_count":1})");
  EXPECT_TRUE(ScriptFeedJson(container, ScriptKind::kFunction, scripts)
                  .ends_with(R"("UserDefinedFunctions":[],"_count":0})"));
}

}  // namespace
}  // namespace orrery::sql
