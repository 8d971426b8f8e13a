#include "api/cassandra/executor/statement/statement_planner.h"

#include "api/cassandra/executor/statement/statement_access.h"
#include "api/cassandra/parser/parser.h"
#include "api/cassandra/planner/term/token_of_table.h"
#include "api/cassandra/schema/wire_form.h"

namespace orrery::cassandra {
namespace {

// Plans one statement and all that is in it.
class Planning {
 public:
  Planning(const FunctionLibrary& native, const UserFunctions& user, PlannedStatement& planned,
           Variables& variables, int64_t now_ms)
      : native_(native), user_(user), planned_(planned), variables_(variables), now_ms_(now_ms) {}

  CqlResult<SelectPlanPtr> Plan(const ast::Select& select) {
    CQL_ASSIGN(const TablePtr table, FindTable(select.table));
    const FunctionScope functions = FunctionsOf(*table);
    const KeyspacePtr keyspace = planned_.schema->FindKeyspace(table->keyspace);
    const TermScope scope{*planned_.schema, *keyspace, functions, now_ms_, &planned_.called};
    CQL_ASSIGN(SelectPlan plan, PlanSelect(select, table, scope, variables_));
    planned_.result = std::make_shared<ColumnShape>(plan.result);
    SetKeyIndexes(*table);
    return std::make_shared<const SelectPlan>(std::move(plan));
  }

  template <typename Statement>
  CqlResult<ModificationPlanPtr> PlanModification(const Statement& statement) {
    CQL_ASSIGN(const TablePtr table, FindTable(statement.table));
    const FunctionScope functions = FunctionsOf(*table);
    const KeyspacePtr keyspace = planned_.schema->FindKeyspace(table->keyspace);
    const TermScope terms{*planned_.schema, *keyspace, functions, now_ms_, &planned_.called};
    CQL_ASSIGN(ModificationPlan plan, PlanOne(statement, table, {terms, variables_}));
    return std::make_shared<const ModificationPlan>(std::move(plan));
  }

  CqlResult<std::shared_ptr<const BatchPlan>> Plan(const ast::Batch& batch) {
    BatchPlan plan;
    plan.kind = batch.kind;
    const KeyspacePtr keyspace = planned_.schema->FindKeyspace(planned_.keyspace);
    static const Keyspace kNone;
    const FunctionScope functions{native_, planned_.keyspace, nullptr, {}};
    const TermScope scope{*planned_.schema, keyspace == nullptr ? kNone : *keyspace, functions,
                          now_ms_, &planned_.called};
    TermPlanner terms(scope, variables_);
    CQL_ASSIGN(plan.attributes, PlanAttributes(batch.attributes,
                                               Receiver{"[batch]", "[batch]", "", nullptr}, terms));
    for (const ast::Batch::Part& part : batch.statements) {
      CQL_ASSIGN(ModificationPlanPtr statement,
                 std::visit([&](const auto& each) { return PlanModification(each); }, part));
      plan.statements.push_back(std::move(statement));
    }
    // Drivers route by the key of the first statement.
    if (!plan.statements.empty()) SetKeyIndexes(*plan.statements.front()->table);
    return std::make_shared<const BatchPlan>(std::move(plan));
  }

  void SetKeyIndexes(const Table& table) {
    planned_.partition_key_indexes = variables_.PartitionKeyIndexes(table.partition_key_count);
  }

 private:
  static CqlResult<ModificationPlan> PlanOne(const ast::Insert& statement, TablePtr table,
                                             const ModificationScope& scope) {
    return PlanInsert(statement, std::move(table), scope);
  }
  static CqlResult<ModificationPlan> PlanOne(const ast::InsertJson& statement, TablePtr table,
                                             const ModificationScope& scope) {
    return PlanInsertJson(statement, std::move(table), scope);
  }
  static CqlResult<ModificationPlan> PlanOne(const ast::Update& statement, TablePtr table,
                                             const ModificationScope& scope) {
    return PlanUpdate(statement, std::move(table), scope);
  }
  static CqlResult<ModificationPlan> PlanOne(const ast::Delete& statement, TablePtr table,
                                             const ModificationScope& scope) {
    return PlanDelete(statement, std::move(table), scope);
  }

  CqlResult<TablePtr> FindTable(const ast::QualifiedName& name) {
    CQL_ASSIGN(const std::string keyspace, KeyspaceOf(name, planned_.keyspace));
    return planned_.schema->RequireTable(keyspace, name.name.text);
  }

  FunctionScope FunctionsOf(const Table& table) {
    FunctionScope scope{native_, table.keyspace, TokenOf(table), {}};
    scope.user_functions = [this](const FunctionName& name) -> std::vector<FunctionPtr> {
      const KeyspacePtr keyspace = planned_.schema->FindKeyspace(name.keyspace);
      if (keyspace == nullptr) return {};
      return user_.Find(*keyspace, name.name);
    };
    return scope;
  }

  const FunctionLibrary& native_;
  const UserFunctions& user_;
  PlannedStatement& planned_;
  Variables& variables_;
  const int64_t now_ms_;
};

template <typename T>
constexpr bool kIsModification =
    std::is_same_v<T, ast::Insert> || std::is_same_v<T, ast::InsertJson> ||
    std::is_same_v<T, ast::Update> || std::is_same_v<T, ast::Delete>;

CqlResult<PlannedStatement::Plan> PlanTree(Planning& planning, ast::Statement statement) {
  using Plan = PlannedStatement::Plan;
  return std::visit(
      [&](auto& each) -> CqlResult<Plan> {
        using T = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<T, ast::Select> || std::is_same_v<T, ast::Batch>) {
          CQL_ASSIGN(auto plan, planning.Plan(each));
          return Plan(std::move(plan));
        } else if constexpr (kIsModification<T>) {
          CQL_ASSIGN(ModificationPlanPtr plan, planning.PlanModification(each));
          planning.SetKeyIndexes(*plan->table);
          return Plan(std::move(plan));
        } else {
          return Plan(std::make_shared<const ast::Statement>(std::move(each)));
        }
      },
      statement);
}

}  // namespace

CqlResult<PlannedPtr> StatementPlanner::Plan(std::string_view text, SchemaPtr schema,
                                             std::string_view keyspace, int64_t now_ms,
                                             const TreeCheck& check) const {
  auto parsed = ParseStatement(text);
  if (!parsed.has_value())
    return Refuse(ErrorCode::kSyntaxError, std::move(parsed).error().message);
  if (std::holds_alternative<ast::CreateView>(parsed->statement) && !parsed->markers.empty())
    return Invalid("Bind variables are not allowed in CREATE MATERIALIZED VIEW statements");
  if (check) CQL_TRY(check(parsed->statement));
  auto planned = std::make_shared<PlannedStatement>();
  planned->schema = std::move(schema);
  planned->keyspace = keyspace;
  Variables variables(std::move(parsed->markers));
  Planning planning(native_, user_, *planned, variables, now_ms);
  CQL_ASSIGN(planned->plan, PlanTree(planning, std::move(parsed->statement)));
  std::vector<ColumnSpec> specs;
  for (size_t i = 0; i < variables.size(); ++i) {
    planned->variable_names.push_back(variables.NameOf(i));
    const auto& receiver = variables.receivers()[i];
    if (!receiver.has_value()) continue;
    specs.push_back({receiver->keyspace, receiver->table, planned->variable_names.back(),
                     WireTypeOf(*receiver->type)});
  }
  planned->variables = std::make_shared<ColumnShape>(std::move(specs));
  CQL_ASSIGN(planned->requirements, RequirementsOf(*planned));
  return planned;
}

}  // namespace orrery::cassandra
