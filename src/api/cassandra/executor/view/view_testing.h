// A test server that understands schema statements and modifications, with everything that
// maintains and builds views, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cassandra/executor/row/key_values.h"
#include "api/cassandra/executor/row/row_assembler.h"
#include "api/cassandra/executor/view/table_views.h"
#include "api/cassandra/executor/view/view_builder.h"
#include "api/cassandra/executor/view/view_hook.h"
#include "api/cassandra/function/native/native_functions.h"
#include "api/cassandra/function/uuid_source.h"
#include "api/cassandra/parser/parser.h"
#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/ddl/schema_editor.h"
#include "api/cassandra/types/value_text.h"
#include "gateway/test_server.h"

namespace orrery::cassandra {

class NoFunctionChecks final : public FunctionChecker {
 public:
  CqlStatus Check(const UserFunction&) const override { return {}; }
};

// The parts that are built anew at each start of the server.
struct ViewServer {
  explicit ViewServer(gateway::TestServer& server)
      : uuids(server.clock, std::mt19937_64(1)),
        schema(*server.catalog, {}),
        editor({.catalog = *server.catalog,
                .schema = schema,
                .functions = checks,
                .clock = server.clock,
                .new_id = [this] { return uuids.NextTimeUuid(); },
                .datacenter = "dc"}),
        registry({.schema = schema, .functions = library, .uuids = uuids, .clock = server.clock}),
        views(registry, grace_period),
        hook(registry, grace_period),
        write_clock(server.rows->times()),
        writes(*server.rows, write_clock, &views, nullptr),
        builder({.schema = schema,
                 .editor = editor,
                 .rows = *server.rows,
                 .registry = registry,
                 .grace_period = grace_period}),
        outbox(server.rows->outbox()) {
    outbox.SetViewMaintenanceHook(&hook);
  }
  ~ViewServer() { outbox.SetViewMaintenanceHook(nullptr); }

  NoFunctionChecks checks;
  ServerUuids uuids;
  FunctionLibrary library{NativeFunctions()};
  SchemaCache schema;
  SchemaEditor editor;
  ViewRegistry registry;
  WriteGracePeriod grace_period;
  TableViews views;
  ViewHook hook;
  WriteClock write_clock;
  WriteRunner writes;
  ViewBuilder builder;
  gateway::Outbox& outbox;
};

// A row's values as text, by the names of its columns; without those that are null.
using Line = std::map<std::string, std::string>;
using Lines = std::vector<Line>;  // sorted

class ViewFixture : public ::testing::Test {
 protected:
  ViewFixture() {
    api = std::make_unique<ViewServer>(server);
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', "
        "'replication_factor': 1}");
  }
  ~ViewFixture() override { api.reset(); }

  void Restart() {
    api.reset();
    server.Restart();
    api = std::make_unique<ViewServer>(server);
  }
  // Waits for deliveries that are late.
  void Repair() {
    // A start begins with a round of its own, which may have come before the hook.
    server.rows->outbox().WaitUntilIdle();
    server.rows->outbox().Round();
    server.rows->outbox().WaitUntilIdle();
  }

  // An empty text when it went well.
  std::string Try(std::string_view text) {
    auto parsed = ParseStatement(text);
    if (!parsed.has_value()) return parsed.error().message;
    if (IsSchemaStatement(parsed->statement)) {
      const auto ran = api->editor.Run(parsed->statement, "ks", {});
      return ran.has_value() ? "" : ran.error().message;
    }
    return Write(parsed->statement);
  }
  void Run(std::string_view text) { EXPECT_EQ(Try(text), "") << text; }

  TablePtr Table(std::string_view name) {
    TablePtr table = api->schema.Current()->FindTable("ks", name);
    EXPECT_NE(table, nullptr) << name;
    return table;
  }

  Lines Rows(std::string_view name) {
    const TablePtr table = Table(name);
    Lines lines;
    std::string continuation;
    do {
      auto page =
          server.rows->Scan(table->container, {}, continuation, storage::ReadMode::kMayBlock);
      EXPECT_TRUE(page.has_value()) << page.error().ToString();
      if (!page.has_value()) return lines;
      for (const item::ScannedPartition& partition : page->partitions)
        AddLines(*table, partition, lines);
      continuation = page->continuation;
    } while (!continuation.empty());
    std::ranges::sort(lines);
    return lines;
  }

  // The rows that the view should have by what the base has: `passes` is its WHERE clause.
  template <typename Passes>
  Lines Expected(std::string_view base, std::string_view view, Passes passes) {
    Lines expected;
    const TablePtr table = Table(view);
    for (const Line& row : Rows(base)) {
      const auto has_key = [&](const Column& column) {
        return !column.is_key() || row.contains(column.name);
      };
      if (!std::ranges::all_of(table->columns, has_key) || !passes(row)) continue;
      Line& line = expected.emplace_back();
      for (const Column& column : table->columns) {
        if (const auto value = row.find(column.name); value != row.end()) line.insert(*value);
      }
    }
    std::ranges::sort(expected);
    return expected;
  }
  Lines Expected(std::string_view base, std::string_view view) {
    return Expected(base, view, [](const Line&) { return true; });
  }

  void StopWriting(const gateway::ContainerRef& container) {
    const auto topology = server.node->topology();
    for (const auto& range : topology->map->Ranges(container->id)) {
      topology->Find(range.partition)
          ->engine()
          .StopWriting(Error(Code::kUnavailable, "the test stopped it"));
    }
  }

  gateway::TestServer server;
  std::unique_ptr<ViewServer> api;

 private:
  template <typename Statement>
  CqlResult<WrittenStatement> Plan(const Statement& statement) {
    const SchemaPtr schema = api->schema.Current();
    CQL_ASSIGN(const TablePtr table, schema->RequireTable("ks", statement.table.name.text));
    const FunctionScope functions{
        .native = api->library, .keyspace = "ks", .token = nullptr, .user_functions = {}};
    const KeyspacePtr keyspace = schema->FindKeyspace("ks");
    const TermScope terms{*schema, *keyspace, functions, 0};
    Variables variables({});
    const ModificationScope scope{terms, variables};
    CQL_ASSIGN(ModificationPlan plan, PlanOne(statement, table, scope));
    WrittenStatement written;
    written.plan = std::make_shared<const ModificationPlan>(std::move(plan));
    FunctionContext context{server.clock.Now(), api->uuids};
    CQL_ASSIGN(
        written.bound,
        BindModification(*written.plan,
                         {.values = {}, .functions = &context, .row = nullptr, .aggregates = {}}));
    return written;
  }
  static auto PlanOne(const ast::Insert& insert, TablePtr table, const ModificationScope& scope) {
    return PlanInsert(insert, std::move(table), scope);
  }
  static auto PlanOne(const ast::InsertJson& insert, TablePtr table,
                      const ModificationScope& scope) {
    return PlanInsertJson(insert, std::move(table), scope);
  }
  static auto PlanOne(const ast::Update& update, TablePtr table, const ModificationScope& scope) {
    return PlanUpdate(update, std::move(table), scope);
  }
  static auto PlanOne(const ast::Delete& deletion, TablePtr table, const ModificationScope& scope) {
    return PlanDelete(deletion, std::move(table), scope);
  }

  template <typename T>
  static constexpr bool kIsModification =
      std::is_same_v<T, ast::Insert> || std::is_same_v<T, ast::InsertJson> ||
      std::is_same_v<T, ast::Update> || std::is_same_v<T, ast::Delete>;

  std::string Write(const ast::Statement& statement) {
    std::vector<WrittenStatement> written;
    std::string error;
    const auto add = [&](const auto& part) {
      auto planned = Plan(part);
      if (planned.has_value()) {
        written.push_back(*std::move(planned));
      } else {
        error = planned.error().message;
      }
    };
    WriteKind kind = WriteKind::kStatement;
    std::visit(
        [&](const auto& each) {
          using T = std::decay_t<decltype(each)>;
          if constexpr (std::is_same_v<T, ast::Batch>) {
            kind = each.kind == ast::BatchKind::kLogged ? WriteKind::kLoggedBatch
                                                        : WriteKind::kUnloggedBatch;
            for (const auto& part : each.statements) std::visit(add, part);
          } else if constexpr (kIsModification<T>) {
            add(each);
          } else {
            error = "no statement of these tests";
          }
        },
        statement);
    if (!error.empty()) return error;
    std::promise<Outcome> done;
    api->writes.Run(kind, std::move(written), {},
                    [&done](Outcome outcome) { done.set_value(std::move(outcome)); });
    const Outcome outcome = done.get_future().get();
    const auto* failure = std::get_if<CqlError>(&outcome.result);
    return failure == nullptr ? "" : failure->message;
  }

  void AddLines(const cassandra::Table& table, const item::ScannedPartition& partition,
                Lines& lines) {
    const auto now_s =
        static_cast<uint32_t>(std::chrono::floor<std::chrono::seconds>(server.clock.Now()).count());
    const auto serialized = gateway::SerializedKey(partition.partition_key);
    ASSERT_TRUE(serialized.has_value());
    const auto keys = PartitionKeyValues(table, *serialized);
    ASSERT_TRUE(keys.has_value());
    RowAssembler assembler(table);
    for (const item::ScannedRow& row : partition.rows) {
      assembler.Begin(now_s);
      for (size_t i = 0; i < keys->size(); ++i) assembler.SetKey(i, (*keys)[i]);
      const auto clustering = ClusteringValues(table, row.clustering);
      ASSERT_TRUE(clustering.has_value());
      for (size_t i = 0; i < clustering->size(); ++i)
        assembler.SetKey(table.partition_key_count + i, (*clustering)[i]);
      const auto visible = assembler.AddEncoded(row.row, row.covering_deletion);
      ASSERT_TRUE(visible.has_value());
      if (!*visible) continue;
      Line& line = lines.emplace_back();
      for (size_t i = 0; i < table.columns.size(); ++i) {
        const auto& value = assembler.values().values[i];
        if (value.has_value())
          line[table.columns[i].name] = *ToText(*table.columns[i].type, *value);
      }
    }
  }
};

}  // namespace orrery::cassandra
