// Statements that run from their trees: changes of the schema and of access, TRUNCATE, USE,
// DESCRIBE.
#include <fmt/core.h>

#include <algorithm>
#include <thread>

#include "api/cassandra/executor/statement/statement_executor.h"
#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/describe/describe.h"
#include "api/cassandra/schema/wire_form.h"
#include "api/cassandra/types/collection_codec.h"

namespace orrery::cassandra {
namespace {

// CREATE INDEX on a small table answers when the index can be used; a large one goes on behind it.
constexpr std::chrono::milliseconds kIndexWaitPause{5};
constexpr int kIndexWaitTries = 600;

// A request's payload, for work that goes on after the request.
class KeptPayload {
 public:
  explicit KeptPayload(std::span<const PayloadEntry> payload) {
    for (const PayloadEntry& entry : payload) {
      keys_.emplace_back(entry.key);
      values_.push_back(entry.value.has_value() ? std::optional<std::string>(*entry.value)
                                                : std::nullopt);
    }
  }
  std::vector<PayloadEntry> entries() const {
    std::vector<PayloadEntry> entries;
    for (size_t i = 0; i < keys_.size(); ++i) entries.push_back({keys_[i], values_[i]});
    return entries;
  }

 private:
  std::vector<std::string> keys_;
  std::vector<std::optional<std::string>> values_;
};

Resource ResourceOf(const SchemaChange& change) {
  switch (change.target) {
    case SchemaTarget::kTable:
      return Resource::Table(change.keyspace, change.name);
    case SchemaTarget::kFunction:
    case SchemaTarget::kAggregate:
      return Resource::Function(change.keyspace, change.name, change.argument_types);
    case SchemaTarget::kKeyspace:
    case SchemaTarget::kType:
      break;
  }
  return Resource::Keyspace(change.keyspace);
}

ColumnSpec DescribeColumn(std::string_view name,
                          const TypePtr& type = Type::Native(TypeKind::kText)) {
  return {"system", "describe", std::string(name), WireTypeOf(*type)};
}

// Rows of text columns.
RowsOutcome TextRows(std::span<const std::string_view> columns,
                     const std::vector<std::vector<std::string_view>>& rows) {
  std::vector<ColumnSpec> specs;
  for (const std::string_view column : columns) specs.push_back(DescribeColumn(column));
  RowsOutcome outcome;
  outcome.shape = std::make_shared<ColumnShape>(std::move(specs));
  for (const auto& row : rows) {
    for (const std::string_view value : row) AppendBytes(outcome.cells, value);
    ++outcome.rows;
  }
  return outcome;
}

RowsOutcome ClusterRow(const DescribedCluster& cluster, bool with_ranges) {
  std::vector<ColumnSpec> specs = {DescribeColumn("cluster"), DescribeColumn("partitioner"),
                                   DescribeColumn("snitch")};
  RowsOutcome outcome;
  outcome.rows = 1;
  for (const std::string& value : {cluster.cluster, cluster.partitioner, cluster.snitch})
    AppendBytes(outcome.cells, value);
  if (with_ranges) {
    const TypePtr& text = Type::Native(TypeKind::kText);
    const TypePtr addresses_type = Type::List(text, Cells::kFrozen).value();
    specs.push_back(
        DescribeColumn("range_ownership", Type::Map(text, addresses_type, Cells::kFrozen).value()));
    std::vector<std::string> owners;
    for (const auto& [token, addresses] : cluster.range_owners)
      owners.push_back(PackElements(AsViews(addresses)));
    std::vector<EntryView> entries;
    for (const auto& [token, addresses] : cluster.range_owners)
      entries.push_back({token, owners[entries.size()]});
    AppendBytes(outcome.cells, PackEntries(entries));
  }
  outcome.shape = std::make_shared<ColumnShape>(std::move(specs));
  return outcome;
}

bool IsAccessStatement(const ast::Statement& statement) {
  return std::visit(
      [](const auto& each) {
        using T = std::decay_t<decltype(each)>;
        return std::is_same_v<T, ast::CreateRole> || std::is_same_v<T, ast::AlterRole> ||
               std::is_same_v<T, ast::DropRole> || std::is_same_v<T, ast::GrantRole> ||
               std::is_same_v<T, ast::RevokeRole> || std::is_same_v<T, ast::ListRoles> ||
               std::is_same_v<T, ast::ListUsers> || std::is_same_v<T, ast::GrantPermissions> ||
               std::is_same_v<T, ast::RevokePermissions> || std::is_same_v<T, ast::ListPermissions>;
      },
      statement);
}

}  // namespace

void StatementExecutor::InPool(std::move_only_function<Outcome()> work, Done done) const {
  auto shared = std::make_shared<Done>(std::move(done));
  if (!parts_.rows.io_pool().Submit(
          [work = std::move(work), shared]() mutable { (*shared)(work()); })) {
    (*shared)(Outcome::Failed({ErrorCode::kOverloaded, "The server is busy: try again", {}, 0}));
  }
}

void StatementExecutor::RunTree(const PlannedPtr& planned, const ClientPtr& client,
                                std::span<const PayloadEntry> payload, Done done) {
  const auto& tree = std::get<std::shared_ptr<const ast::Statement>>(planned->plan);
  if (const auto* use = std::get_if<ast::Use>(tree.get())) return done(RunUse(*use, *planned));
  if (const auto* describe = std::get_if<ast::Describe>(tree.get()))
    return done(RunDescribe(*describe, *planned));
  if (std::holds_alternative<ast::Truncate>(*tree)) {
    return InPool(
        [this, planned, tree] { return RunTruncate(std::get<ast::Truncate>(*tree), *planned); },
        std::move(done));
  }
  if (IsAccessStatement(*tree)) {
    return InPool(
        [this, tree, client] {
          auto outcome = parts_.access.Run(*tree, *client);
          return outcome.has_value() ? *std::move(outcome)
                                     : Outcome::Failed(std::move(outcome).error());
        },
        std::move(done));
  }
  InPool(
      [this, planned, tree, client, kept = KeptPayload(payload)] {
        return RunSchema(*tree, *planned, *client, kept.entries());
      },
      std::move(done));
}

Outcome StatementExecutor::RunSchema(const ast::Statement& statement,
                                     const PlannedStatement& planned, const Client& client,
                                     std::span<const PayloadEntry> payload) {
  auto ran = parts_.editor.Run(statement, planned.keyspace, payload);
  if (!ran.has_value()) return Outcome::Failed(std::move(ran).error());
  Outcome outcome;
  outcome.warnings = std::move(ran->warnings);
  if (!ran->change.has_value()) return outcome;
  const SchemaChange& change = *ran->change;
  if (change.kind == SchemaChangeKind::kCreated) {
    parts_.access.Created(client, ResourceOf(change));
  } else if (change.kind == SchemaChangeKind::kDropped && change.target != SchemaTarget::kType) {
    parts_.access.Dropped(ResourceOf(change));
    if (change.target == SchemaTarget::kKeyspace)
      parts_.access.Dropped(Resource::Functions(change.keyspace));
  }
  if (std::holds_alternative<ast::CreateIndex>(statement)) AwaitIndex(change);
  parts_.listener.SchemaChanged(change);
  outcome.result = *std::move(ran->change);
  return outcome;
}

void StatementExecutor::AwaitIndex(const SchemaChange& change) const {
  const auto is_built = [](const Index& index) { return index.built; };
  for (int tries = 0; tries < kIndexWaitTries; ++tries) {
    const TablePtr table = parts_.schema.Current()->FindTable(change.keyspace, change.name);
    if (table == nullptr || std::ranges::all_of(table->indexes, is_built)) return;
    std::this_thread::sleep_for(kIndexWaitPause);
  }
}

Outcome StatementExecutor::RunTruncate(const ast::Truncate& truncate,
                                       const PlannedStatement& planned) {
  const auto run = [&]() -> CqlStatus {
    CQL_ASSIGN(const std::string keyspace, KeyspaceOf(truncate.table, planned.keyspace));
    CQL_ASSIGN(const TablePtr table,
               planned.schema->RequireTable(keyspace, truncate.table.name.text));
    if (table->view.has_value())
      return Invalid(
          "Cannot TRUNCATE materialized view directly; must truncate base table instead");
    if (table->source != nullptr) return Invalid("Cannot truncate virtual tables");
    const KeyspacePtr owner = planned.schema->FindKeyspace(keyspace);
    const std::vector<TablePtr> views = owner->ViewsOf(table->name);
    // Filled again afterwards: a write in between may be in the table and no longer in a view.
    for (const TablePtr& view : views)
      CQL_TRY(parts_.editor.SetViewBuilt(keyspace, view->name, view->id, false));
    CQL_TRY(parts_.rows.catalog().TruncateContainer(keyspace, table->name));
    for (const TablePtr& view : views)
      CQL_TRY(parts_.rows.catalog().TruncateContainer(keyspace, view->name));
    if (!views.empty() && parts_.fill_views) parts_.fill_views();
    return {};
  };
  auto ran = run();
  return ran.has_value() ? Outcome{} : Outcome::Failed(std::move(ran).error());
}

Outcome StatementExecutor::RunUse(const ast::Use& use, const PlannedStatement& planned) const {
  if (auto found = planned.schema->RequireKeyspace(use.keyspace.text); !found.has_value())
    return Outcome::Failed(std::move(found).error());
  return {KeyspaceSet{use.keyspace.text}, {}, {}};
}

Outcome StatementExecutor::RunDescribe(const ast::Describe& describe,
                                       const PlannedStatement& planned) const {
  if (describe.kind == ast::DescribeKind::kCluster) {
    const bool with_ranges = !planned.keyspace.empty() && !IsSystemKeyspace(planned.keyspace);
    return {ClusterRow(parts_.cluster(), with_ranges), {}, {}};
  }
  auto elements = Describe(*planned.schema, describe, planned.keyspace);
  if (!elements.has_value()) return Outcome::Failed(std::move(elements).error());
  static constexpr std::string_view kColumns[] = {"keyspace_name", "type", "name",
                                                  "create_statement"};
  const size_t count = HasCreateStatements(describe.kind) ? 4 : 3;
  std::vector<std::vector<std::string_view>> rows;
  for (const DescribedElement& element : *elements) {
    rows.push_back({element.keyspace, element.type, element.name});
    if (count == 4) rows.back().push_back(element.create_statement);
  }
  return {TextRows(std::span(kColumns).first(count), rows), {}, {}};
}

}  // namespace orrery::cassandra
