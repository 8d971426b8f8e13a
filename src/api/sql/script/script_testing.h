// The fixture that tests of this module share: a container on a real core, scripts in it, documents
// put and read as JSON, and a stand-in for the query engine. Included by tests only.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/document/document_form.h"
#include "api/sql/script/definition/script_set.h"
#include "api/sql/script/run/script_executor.h"
#include "gateway/test_server.h"
#include "script/script_test_harness.h"

namespace orrery::sql {

// The documents whose JSON contains the query's text, all on one page. `before` is called first:
// there a test does what somebody else does meanwhile.
class QueriesForTest final : public ScriptQueries {
 public:
  Result<ScriptQueryPage> Run(ScriptDocuments& documents, const ScriptQuery& query) override {
    if (before) before();
    asked.push_back(query);
    if (query.text == "wrong") return Fail(Code::kInvalidArgument, "Syntax error");
    ScriptQueryPage answer;
    ScriptDocuments::Scan scan;
    while (true) {
      ORRERY_ASSIGN(const ScriptDocuments::Page page, documents.ReadPage(scan));
      for (const ScriptDocuments::Document& document : page.documents) {
        std::string seen;
        AppendSeenJson(seen, document.document, documents.names(),
                       {.key = document.key, .lsn = document.lsn, .time = document.time});
        if (seen.find(query.text) != std::string::npos) answer.rows.push_back(std::move(seen));
      }
      if (!page.next.has_value()) return answer;
      scan.from = *page.next;
    }
  }

  std::function<void()> before;
  std::vector<ScriptQuery> asked;
};

class ScriptTest : public ::testing::Test {
 protected:
  ScriptTest() : container(server.MakeContainer("c")) {}

  ScriptParts Parts() {
    return {
        .gateway = *server.gateway, .queries = queries, .clock = server.clock, .limits = limits};
  }

  void Put(std::string_view json) {
    const auto written = server.Put(container, json);
    EXPECT_TRUE(written.status.has_value()) << written.status.error().ToString();
  }
  // As stored, without `_ts`; "" when there is none.
  std::string Stored(std::string id, std::string pk = "a") {
    const auto read = server.Get(container, std::move(pk), std::move(id));
    if (!read.status.has_value()) return "";
    model::Value fields = read.item.document.ToObject();
    std::erase_if(fields.MutableFields(),
                  [](const model::Field& field) { return field.name == "_ts"; });
    return model::ToJson(fields);
  }

  void Add(ScriptKind kind, std::string id, std::string body, TriggerType type = TriggerType::kPre,
           TriggerOperation operation = TriggerOperation::kAll) {
    ScriptDefinition definition{kind, std::move(id), std::move(body), type, operation};
    EXPECT_TRUE(scripts.Create(std::move(definition), server.clock.Now()).has_value());
  }

  // Runs `body` as a stored procedure of partition "a".
  ProcedureAnswer Run(std::string body, std::string arguments = "") {
    const std::string id = "p" + std::to_string(scripts.all().size());
    Add(ScriptKind::kProcedure, id, std::move(body));
    ProcedureCall call{.container = container,
                       .partition_key = {model::Value::String("a")},
                       .scripts = std::make_shared<ScriptSet>(scripts),
                       .id = id,
                       .arguments = std::move(arguments),
                       .logging = true};
    return RunProcedure(Parts(), sandbox.sandbox, call);
  }
  // Returns the body that it set; its failure's text in tests' output.
  std::string Body(std::string body, std::string arguments = "") {
    const ProcedureAnswer answer = Run(std::move(body), std::move(arguments));
    EXPECT_TRUE(answer.body.has_value()) << answer.body.error().message;
    return answer.body.value_or("failed");
  }
  void ExpectFailure(const ProcedureAnswer& answer, int status, std::string_view text) {
    ASSERT_FALSE(answer.body.has_value()) << *answer.body;
    EXPECT_EQ(answer.body.error().status, status) << answer.body.error().message;
    EXPECT_THAT(answer.body.error().message, ::testing::HasSubstr(std::string(text)));
  }

  gateway::TestServer server;
  gateway::ContainerRef container;
  QueriesForTest queries;
  ScriptLimits limits;
  ScriptSet scripts;
  script::SandboxForTest sandbox;
};

}  // namespace orrery::sql
