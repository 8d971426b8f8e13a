#include "api/cassandra/executor/statement/statement_access.h"

namespace orrery::cassandra {
namespace {

using ast::Permission;

// All tables of the keyspace: where new ones are made.
Resource TablesOf(std::string_view keyspace, std::string_view) {
  return Resource::Table(keyspace, "*");
}

Resource KeyspaceItself(std::string_view keyspace, std::string_view) {
  return Resource::Keyspace(keyspace);
}

Resource FunctionsOf(std::string_view keyspace, std::string_view) {
  return Resource::Functions(keyspace);
}

// Notes what each kind of statement needs; those not listed need nothing.
struct TreeNeeds {
  const PlannedStatement& planned;
  std::vector<Requirement>& needs;

  CqlStatus Need(Permission permission, Resource resource) const {
    needs.push_back({permission, std::move(resource)});
    return {};
  }
  std::string_view session() const { return planned.keyspace; }
  // On something of a keyspace, which the name or the session must say.
  CqlStatus Need(Permission permission, const ast::QualifiedName& name,
                 Resource (*resource)(std::string_view keyspace, std::string_view name)) const {
    CQL_ASSIGN(const std::string keyspace, KeyspaceOf(name, session()));
    return Need(permission, resource(keyspace, name.name.text));
  }

  CqlStatus operator()(const ast::CreateKeyspace&) const {
    return Need(Permission::kCreate, Resource::AllKeyspaces());
  }
  CqlStatus operator()(const ast::AlterKeyspace& statement) const {
    return Need(Permission::kAlter, Resource::Keyspace(statement.keyspace.text));
  }
  CqlStatus operator()(const ast::DropKeyspace& statement) const {
    return Need(Permission::kDrop, Resource::Keyspace(statement.keyspace.text));
  }
  CqlStatus operator()(const ast::CreateTable& statement) const {
    return Need(Permission::kCreate, statement.table, TablesOf);
  }
  CqlStatus operator()(const ast::AlterTable& statement) const {
    return Need(Permission::kAlter, statement.table, Resource::Table);
  }
  CqlStatus operator()(const ast::DropTable& statement) const {
    return Need(Permission::kDrop, statement.table, Resource::Table);
  }
  CqlStatus operator()(const ast::CreateType& statement) const {
    return Need(Permission::kCreate, statement.type, TablesOf);
  }
  CqlStatus operator()(const ast::AlterType& statement) const {
    return Need(Permission::kAlter, statement.type, KeyspaceItself);
  }
  CqlStatus operator()(const ast::DropType& statement) const {
    return Need(Permission::kDrop, statement.type, KeyspaceItself);
  }
  CqlStatus operator()(const ast::CreateIndex& statement) const {
    return Need(Permission::kAlter, statement.table, Resource::Table);
  }
  CqlStatus operator()(const ast::DropIndex& statement) const {
    const KeyspacePtr keyspace = planned.schema->FindKeyspace(
        statement.index.keyspace.empty() ? session() : std::string_view(statement.index.keyspace));
    const TablePtr table =
        keyspace == nullptr ? nullptr : keyspace->FindTableOfIndex(statement.index.name.text);
    if (table == nullptr) return {};  // told so by the statement itself
    return Need(Permission::kAlter, Resource::Table(table->keyspace, table->name));
  }
  CqlStatus operator()(const ast::CreateView& statement) const {
    // A base without a keyspace is in the view's.
    ast::QualifiedName base = statement.base_table;
    if (base.keyspace.empty()) base.keyspace = statement.view.keyspace;
    return Need(Permission::kAlter, base, Resource::Table);
  }
  CqlStatus OfView(const ast::QualifiedName& name) const {
    const TablePtr view = planned.schema->FindTable(
        name.keyspace.empty() ? session() : std::string_view(name.keyspace), name.name.text);
    if (view == nullptr || !view->view.has_value()) return {};
    return Need(Permission::kAlter, Resource::Table(view->keyspace, view->view->base_table));
  }
  CqlStatus operator()(const ast::AlterView& statement) const { return OfView(statement.view); }
  CqlStatus operator()(const ast::DropView& statement) const { return OfView(statement.view); }
  CqlStatus operator()(const ast::CreateTrigger& statement) const {
    return Need(Permission::kAlter, statement.table, Resource::Table);
  }
  CqlStatus operator()(const ast::DropTrigger& statement) const {
    return Need(Permission::kAlter, statement.table, Resource::Table);
  }
  CqlStatus operator()(const ast::CreateFunction& statement) const {
    return Need(statement.or_replace ? Permission::kAlter : Permission::kCreate, statement.function,
                FunctionsOf);
  }
  CqlStatus operator()(const ast::DropFunction& statement) const {
    return Need(Permission::kDrop, statement.function, FunctionsOf);
  }
  CqlStatus operator()(const ast::CreateAggregate& statement) const {
    return Need(statement.or_replace ? Permission::kAlter : Permission::kCreate,
                statement.aggregate, FunctionsOf);
  }
  CqlStatus operator()(const ast::DropAggregate& statement) const {
    return Need(Permission::kDrop, statement.aggregate, FunctionsOf);
  }
  CqlStatus operator()(const ast::Truncate& statement) const {
    return Need(Permission::kModify, statement.table, Resource::Table);
  }
  template <typename T>
  CqlStatus operator()(const T&) const {
    return {};
  }
};

void AddNeeds(const ModificationPlan& plan, std::vector<Requirement>& needs) {
  const Resource table = Resource::Table(plan.table->keyspace, plan.table->name);
  needs.push_back({Permission::kModify, table});
  if (plan.is_conditional()) needs.push_back({Permission::kSelect, table});
}

// Checks each kind of statement about rows.
struct TableCheck {
  const AccessPolicy& policy;
  const Client& client;
  const Schema& schema;
  std::string_view session;

  CqlStatus Require(Permission permission, const ast::QualifiedName& name) const {
    const auto keyspace = KeyspaceOf(name, session);
    if (!keyspace.has_value()) return {};
    const TablePtr table = schema.FindTable(*keyspace, name.name.text);
    if (table == nullptr) return {};
    const std::string& base = table->view.has_value() && permission == Permission::kSelect
                                  ? table->view->base_table
                                  : table->name;
    return policy.Require(client, permission, Resource::Table(table->keyspace, base));
  }

  CqlStatus operator()(const ast::Select& statement) const {
    return Require(Permission::kSelect, statement.table);
  }
  CqlStatus operator()(const ast::Batch& batch) const {
    // Statements of one table stand together, mostly.
    const ast::QualifiedName* last = nullptr;
    for (const ast::Batch::Part& part : batch.statements) {
      const ast::QualifiedName& table = std::visit(
          [](const auto& each) -> const ast::QualifiedName& { return each.table; }, part);
      if (last != nullptr && last->keyspace == table.keyspace && last->name.text == table.name.text)
        continue;
      CQL_TRY(Require(Permission::kModify, table));
      last = &table;
    }
    return {};
  }
  template <typename T>
  CqlStatus operator()(const T& statement) const {
    constexpr bool is_modification =
        std::is_same_v<T, ast::Insert> || std::is_same_v<T, ast::InsertJson> ||
        std::is_same_v<T, ast::Update> || std::is_same_v<T, ast::Delete>;
    if constexpr (is_modification) return Require(Permission::kModify, statement.table);
    return {};
  }
};

}  // namespace

CqlStatus RequireTables(const AccessPolicy& policy, const Client& client,
                        const ast::Statement& statement, const Schema& schema,
                        std::string_view keyspace) {
  return std::visit(TableCheck{policy, client, schema, keyspace}, statement);
}

CqlResult<std::vector<Requirement>> RequirementsOf(const PlannedStatement& planned) {
  std::vector<Requirement> needs;
  for (const FunctionPtr& function : planned.called) {
    std::vector<std::string> types;
    for (const TypePtr& type : function->argument_types()) types.push_back(type->CqlName());
    needs.push_back({Permission::kExecute,
                     Resource::Function(function->name().keyspace, function->name().name, types)});
  }
  if (const auto* select = std::get_if<SelectPlanPtr>(&planned.plan)) {
    const Table& table = *(*select)->table;
    // A view is as secret as the table it shows.
    const std::string& name = table.view.has_value() ? table.view->base_table : table.name;
    needs.push_back({Permission::kSelect, Resource::Table(table.keyspace, name)});
  } else if (const auto* plan = std::get_if<ModificationPlanPtr>(&planned.plan)) {
    AddNeeds(**plan, needs);
  } else if (const auto* batch = std::get_if<std::shared_ptr<const BatchPlan>>(&planned.plan)) {
    for (const ModificationPlanPtr& each : (*batch)->statements) AddNeeds(*each, needs);
  } else {
    const auto& tree = std::get<std::shared_ptr<const ast::Statement>>(planned.plan);
    CQL_TRY(std::visit(TreeNeeds{planned, needs}, *tree));
  }
  return needs;
}

CqlStatus RequireAccess(const AccessPolicy& policy, const Client& client,
                        const PlannedStatement& planned) {
  for (const Requirement& each : planned.requirements)
    CQL_TRY(policy.Require(client, each.permission, each.resource));
  return {};
}

}  // namespace orrery::cassandra
