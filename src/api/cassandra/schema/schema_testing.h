// A schema on a real catalog, changed by statements. Included by tests only.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/parser/parser.h"
#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/ddl/schema_editor.h"
#include "api/cassandra/schema/describe/describe.h"
#include "api/cassandra/schema/schema_cache.h"
#include "api/cassandra/types/native/timeuuid.h"
#include "gateway/test_server.h"

namespace orrery::cassandra {

inline ast::Statement Parse(std::string_view text) {
  auto parsed = ParseStatement(text);
  EXPECT_TRUE(parsed.has_value()) << text << ": " << parsed.error().message;
  return parsed.has_value() ? std::move(parsed->statement) : ast::DropTable();
}

// Takes any body that does not say "syntax error".
class FakeChecker : public FunctionChecker {
 public:
  CqlStatus Check(const UserFunction& function) const override {
    if (function.body.contains("syntax error")) return Invalid("Could not compile function");
    return {};
  }
};

// The schema with a keyspace "ks" that is in use.
class SchemaFixture : public ::testing::Test {
 protected:
  SchemaFixture() {
    Open();
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', "
        "'replication_factor': 1}");
  }

  void Open() {
    cache = std::make_unique<SchemaCache>(*server.catalog, virtual_keyspaces);
    editor = std::make_unique<SchemaEditor>(SchemaEditor::Parts{
        .catalog = *server.catalog,
        .schema = *cache,
        .functions = checker,
        .clock = server.clock,
        .new_id = [this] { return MakeRandomUuid(1, ++ids); },
        .datacenter = "datacenter1",
    });
  }
  void Restart() {
    editor.reset();
    cache.reset();
    server.Restart();
    Open();
  }

  CqlResult<SchemaOutcome> Try(std::string_view text, std::span<const PayloadEntry> payload = {}) {
    return editor->Run(Parse(text), keyspace, payload);
  }
  // Must be accepted.
  SchemaOutcome Run(std::string_view text, std::span<const PayloadEntry> payload = {}) {
    auto outcome = Try(text, payload);
    EXPECT_TRUE(outcome.has_value()) << text << ": " << outcome.error().message;
    return outcome.has_value() ? *std::move(outcome) : SchemaOutcome();
  }
  // Must be refused; the text, with the code before it unless that is "invalid".
  std::string Refused(std::string_view text) {
    const auto outcome = Try(text);
    EXPECT_FALSE(outcome.has_value()) << text;
    if (outcome.has_value()) return "";
    switch (outcome.error().code) {
      case ErrorCode::kInvalid:
        return outcome.error().message;
      case ErrorCode::kConfigError:
        return "config: " + outcome.error().message;
      case ErrorCode::kSyntaxError:
        return "syntax: " + outcome.error().message;
      case ErrorCode::kAlreadyExists:
        return "exists: " + outcome.error().message;
      default:
        return "other: " + outcome.error().message;
    }
  }
  // Accepted, and nothing was to be done.
  bool IsNothing(std::string_view text) {
    const SchemaPtr before = cache->Current();
    const SchemaOutcome outcome = Run(text);
    return !outcome.change.has_value() && cache->Current() == before;
  }

  SchemaPtr schema() { return cache->Current(); }
  KeyspacePtr ks() { return schema()->FindKeyspace("ks"); }
  TablePtr Table(std::string_view name) { return schema()->FindTable("ks", name); }
  // "k:partition_key:int c:clustering:text", and ids where there are some.
  std::string Columns(std::string_view name) {
    std::string text;
    const TablePtr table = Table(name);
    if (table == nullptr) return "no table";
    for (const Column& column : table->columns) {
      if (!text.empty()) text += ' ';
      text +=
          fmt::format("{}:{}:{}", column.name, ColumnKindName(column.kind), column.type->CqlName());
      if (!column.is_key()) text += fmt::format("#{}", column.id);
    }
    return text;
  }
  std::vector<DescribedElement> Described(std::string_view text) {
    const ast::Statement statement = Parse(text);
    auto elements = Describe(*schema(), std::get<ast::Describe>(statement), keyspace);
    EXPECT_TRUE(elements.has_value()) << text << ": " << elements.error().message;
    return elements.has_value() ? *std::move(elements) : std::vector<DescribedElement>();
  }

  gateway::TestServer server;
  FakeChecker checker;
  std::vector<KeyspacePtr> virtual_keyspaces;
  std::unique_ptr<SchemaCache> cache;
  std::unique_ptr<SchemaEditor> editor;
  std::string keyspace = "ks";
  uint64_t ids = 0;
};

}  // namespace orrery::cassandra
