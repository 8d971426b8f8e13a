// Planning of SELECT: selection, grouping, order and limits, by the rules and in the words of
// Cassandra 4.1. What WHERE means is restriction/'s.
#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/function/function_resolver.h"
#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/planner/restriction/relation_planner.h"
#include "api/cassandra/planner/select/select_plan.h"
#include "api/cassandra/planner/select/selection_name.h"
#include "api/cassandra/schema/wire_form.h"

namespace orrery::cassandra {
namespace {

// Lives for one PlanSelect.
class SelectPlanner {
 public:
  SelectPlanner(const ast::Select& select, TablePtr table, const TermScope& scope,
                Variables& variables)
      : select_(select),
        scope_(scope),
        variables_(variables),
        selected_(scope, variables, *table),
        values_(scope, variables),
        names_(scope.functions.native, table->keyspace,
               [this](const ast::Term& term) { return selected_.TypeOf(term).value_or(nullptr); }) {
    plan_.table = std::move(table);
  }

  CqlResult<SelectPlan> Plan() {
    plan_.is_json = select_.is_json;
    plan_.is_distinct = select_.is_distinct;
    CQL_TRY(PlanSelection());
    plan_.uses = selected_.column_uses();
    CQL_TRY(PlanWhere());
    CQL_TRY(CheckDistinct());
    CQL_TRY(PlanGrouping());
    CQL_TRY(PlanOrder());
    CQL_TRY(CheckFeed());
    if (!select_.allow_filtering && (where().is_key_range() || where().uses_index()) &&
        where().needs_filtering()) {
      return Invalid(std::string(kRequiresFiltering));
    }
    CQL_TRY(PlanLimits());
    Finish();
    return std::move(plan_);
  }

 private:
  const Table& table() const { return *plan_.table; }
  const Restrictions& where() const { return *plan_.restrictions; }
  size_t PlaceOf(const Column& column) const {
    return static_cast<size_t>(&column - table().columns.data());
  }

  void AddResult(std::string name, const Type& type) {
    plan_.result.push_back({table().keyspace, table().name, std::move(name), WireTypeOf(type)});
  }

  CqlStatus PlanSelection() {
    for (const ast::Selector& selector : select_.selectors) {
      CQL_ASSIGN(ExpressionPtr expression, selected_.PlanSelection(selector.value));
      std::string name =
          selector.alias.has_value() ? selector.alias->text : names_.NameOf(selector.value);
      AddResult(std::move(name), *expression->type());
      SelectedValue& value = plan_.selection.emplace_back();
      value.type = expression->type();
      if (const auto* column = selector.value.As<ast::ColumnReference>()) {
        value.place = PlaceOf(*table().Find(column->name));
      } else {
        value.expression = std::move(expression);
      }
      if (names_.CallsUserFunction(selector.value)) plan_.calls_user_functions = true;
    }
    if (select_.selectors.empty()) {
      for (const Column& column : table().columns) {
        AddResult(column.name, *column.type);
        plan_.selection.push_back({PlaceOf(column), nullptr, column.type, {}});
      }
    }
    plan_.aggregates = std::move(selected_.aggregates());
    return {};
  }

  // Returns whether something static is selected and nothing of the rows.
  bool SelectsOnlyStatics() const {
    if (!table().has_statics() || select_.selectors.empty()) return false;
    bool any_static = false;
    for (size_t place = 0; place < plan_.uses.size(); ++place) {
      if (!plan_.uses[place].value && !plan_.uses[place].times) continue;
      const Column& column = table().columns[place];
      if (!column.is_partition_key() && !column.is_static()) return false;
      any_static = any_static || column.is_static();
    }
    return any_static;
  }

  CqlStatus PlanWhere() {
    const RestrictionRules rules{.statement = StatementKind::kSelect,
                                 .only_statics = SelectsOnlyStatics(),
                                 .allow_filtering = select_.allow_filtering};
    CQL_ASSIGN(plan_.restrictions,
               PlanRestrictions(plan_.table, select_.where, rules, values_, variables_));
    plan_.statics_alone = !where().has_clustering() && !where().has_regular();
    plan_.calls_user_functions =
        plan_.calls_user_functions || names_.CallsUserFunction(select_.where);
    return {};
  }

  CqlStatus CheckDistinct() const {
    if (!plan_.is_distinct) return {};
    if (select_.per_partition_limit.has_value())
      return Invalid("PER PARTITION LIMIT is not allowed with SELECT DISTINCT queries");
    if (where().has_clustering() || where().has_regular()) {
      return Invalid(
          "SELECT DISTINCT with WHERE clause only supports restriction by partition key and/or "
          "static columns.");
    }
    for (const Column& column : table().columns) {
      const bool is_static =
          column.is_static() || (table().is_static_compact() && !column.is_key());
      if (column.is_partition_key() || is_static || !(IsSelected(column) || IsSortedBy(column)))
        continue;
      return Invalid(fmt::format(
          "SELECT DISTINCT queries must only request partition key columns and/or static columns "
          "(not {})",
          column.name));
    }
    if (!where().is_key_range()) return {};
    for (const Column& column : table().partition_key()) {
      if (IsSelected(column)) continue;
      return Invalid(fmt::format(
          "SELECT DISTINCT queries must request all the partition key columns (missing {})",
          column.name));
    }
    return {};
  }
  // Rows of several partitions are sorted, for which their values must be read.
  bool IsSortedBy(const Column& column) const {
    return where().partition_key_has_in() &&
           std::ranges::any_of(select_.order_by, [&](const ast::Ordering& ordering) {
             return ordering.column.text == column.name;
           });
  }
  bool IsSelected(const Column& column) const {
    const ColumnUse& use = plan_.uses[PlaceOf(column)];
    return select_.selectors.empty() || use.value || use.times;
  }

  CqlStatus PlanGrouping() {
    if (select_.group_by.empty()) {
      if (!plan_.aggregates.empty()) plan_.grouping.kind = Grouping::Kind::kAll;
    } else {
      plan_.grouping.kind = Grouping::Kind::kPrefix;
      CQL_TRY(PlanGroups());
    }
    if (plan_.grouping.kind == Grouping::Kind::kAll && select_.per_partition_limit.has_value())
      return Invalid("PER PARTITION LIMIT is not allowed with aggregate queries.");
    return {};
  }

  CqlStatus PlanGroups() {
    constexpr std::string_view kOutOfOrder =
        "Group by currently only support groups of columns following their declared order in the "
        "PRIMARY KEY";
    const auto key =
        std::span(table().columns).first(table().partition_key_count + table().clustering_count);
    size_t next = 0;
    for (const ast::Term& term : select_.group_by) {
      CQL_ASSIGN(const Column* column, PlanGroup(term));
      while (true) {
        if (next == key.size()) return Invalid(std::string(kOutOfOrder));
        const Column& candidate = key[next++];
        if (candidate.is_clustering()) ++plan_.grouping.clustering;
        if (&candidate == column) break;
        if (!where().IsEqual(candidate)) return Invalid(std::string(kOutOfOrder));
      }
    }
    if (next < table().partition_key_count)
      return Invalid("Group by is not supported on only a part of the partition key");
    if (plan_.grouping.clustering > 0 && plan_.is_distinct)
      return Invalid("Grouping on clustering columns is not allowed for SELECT DISTINCT queries");
    for (const Column& column : table().clustering().first(plan_.grouping.clustering))
      plan_.uses[PlaceOf(column)].value = true;
    return {};
  }

  // The key column that a term of GROUP BY is about.
  CqlResult<const Column*> PlanGroup(const ast::Term& term) {
    if (const auto* reference = term.As<ast::ColumnReference>()) {
      CQL_ASSIGN(const Column* column,
                 RequireColumn(table(), ast::Name{reference->name, term.position}));
      if (!column->is_key()) {
        return Invalid(fmt::format(
            "Group by is currently only supported on the columns of the PRIMARY KEY, got {}",
            column->name));
      }
      if (plan_.grouping.last != nullptr)
        return Invalid("Functions are only supported on the last element of the GROUP BY clause");
      return column;
    }
    TermPlanner terms(scope_, variables_, table());
    CQL_ASSIGN(plan_.grouping.last, terms.PlanSelection(term));
    if (!terms.aggregates().empty()) {
      return Invalid(
          fmt::format("Aggregate functions are not supported within the GROUP BY clause, got: {}",
                      terms.aggregates().front().function->name().Text()));
    }
    std::vector<const Column*> columns;
    for (size_t place = 0; place < terms.column_uses().size(); ++place) {
      if (terms.column_uses()[place].value) columns.push_back(&table().columns[place]);
    }
    if (columns.empty())
      return Invalid("GROUP BY functions must have one clustering column name as parameter");
    if (columns.size() > 1) {
      std::string names;
      for (const Column* column : columns) {
        if (!names.empty()) names += ',';
        names += PrintName(column->name);
      }
      return Invalid(fmt::format(
          "GROUP BY functions accept only one clustering column as parameter, got: {}", names));
    }
    if (!columns.front()->is_clustering()) {
      return Invalid(
          fmt::format("Group by functions are only supported on clustering columns, got {}",
                      columns.front()->name));
    }
    if (names_.CallsUserFunction(term)) plan_.calls_user_functions = true;
    return columns.front();
  }

  struct Ordered {
    const Column* column;
    bool descending;
  };

  CqlStatus PlanOrder() {
    if (select_.order_by.empty()) return {};
    if (select_.order_by.front().nearest_to.has_value()) return PlanNearest();
    // A column that is named twice stands where it is first, in the direction that it is given
    // last.
    std::vector<Ordered> columns;
    for (const ast::Ordering& ordering : select_.order_by) {
      CQL_ASSIGN(const Column* column, RequireColumn(table(), ordering.column));
      const auto named = std::ranges::find(columns, column, &Ordered::column);
      if (named == columns.end()) {
        columns.push_back({column, ordering.descending});
      } else {
        named->descending = ordering.descending;
      }
    }
    if (where().uses_index()) return Invalid("ORDER BY with 2ndary indexes is not supported.");
    if (where().is_key_range()) {
      return Invalid(
          "ORDER BY is only supported when the partition key is restricted by an EQ or an IN.");
    }
    CQL_TRY(PlanReversal(columns));
    if (!where().partition_key_has_in()) return {};
    for (const Ordered& each : columns) {
      plan_.sort.push_back(PlaceOf(*each.column));
      plan_.uses[PlaceOf(*each.column)].value = true;
    }
    return {};
  }

  // Clustering columns in their order or in its reverse, all alike.
  CqlStatus PlanReversal(const std::vector<Ordered>& columns) {
    std::optional<bool> reversed;
    size_t next = 0;
    for (const Ordered& each : columns) {
      const Column& column = *each.column;
      if (!column.is_clustering()) {
        return Invalid(fmt::format(
            "Order by is currently only supported on the clustered columns of the PRIMARY KEY, got "
            "{}",
            column.name));
      }
      while (next != column.position) {
        if (next >= table().clustering_count || !where().IsEqual(table().clustering()[next])) {
          return Invalid(
              "Order by currently only supports the ordering of columns following their declared "
              "order in the PRIMARY KEY");
        }
        ++next;
      }
      ++next;
      const bool reverses = each.descending != column.descending;
      if (reversed.value_or(reverses) != reverses) return Invalid("Unsupported order by relation");
      reversed = reverses;
    }
    plan_.reversed = *reversed;
    return {};
  }

  CqlStatus PlanNearest() {
    const ast::Ordering& ordering = select_.order_by.front();
    CQL_ASSIGN(const Column* column, RequireColumn(table(), ordering.column));
    if (select_.order_by.size() > 1) {
      return Invalid(select_.order_by[1].nearest_to.has_value()
                         ? "Cannot specify more than one ANN ordering"
                         : "ANN ordering does not support any other ordering");
    }
    if (column->type->kind() != TypeKind::kVector)
      return Invalid("ANN ordering is only supported on float vector indexes");
    if (ordering.descending) return Invalid("Descending ANN ordering is not supported");
    if (!select_.limit.has_value()) {
      return Invalid(
          "Top-K queries must have a limit specified and the limit must be less than the query "
          "page size");
    }
    if (plan_.is_aggregate() || plan_.is_distinct)
      return Invalid("Top-K queries cannot be run with aggregation or DISTINCT");
    if (select_.per_partition_limit.has_value())
      return Invalid("Top-K queries do not support per-partition limits");
    if (ordering.nearest_to->As<ast::Null>() != nullptr)
      return Invalid(fmt::format("Unsupported null value for column {}", column->name));
    NearestOrder& nearest = plan_.nearest.emplace();
    nearest.place = PlaceOf(*column);
    CQL_ASSIGN(nearest.target,
               values_.PlanValue(*ordering.nearest_to, ReceiverOf(table(), *column)));
    const std::vector<Argument> arguments = {TypedArgument(column->name, column->type),
                                             TypedArgument("target", column->type)};
    CQL_ASSIGN(FunctionPtr function,
               ResolveFunction(scope_.functions,
                               {.name = {std::string(kNativeKeyspace), SimilarityOf(*column)},
                                .arguments = arguments,
                                .receiver = nullptr}));
    nearest.similarity = std::dynamic_pointer_cast<const ScalarFunction>(function);
    plan_.uses[nearest.place].value = true;
    return {};
  }

  // As the column's index says, in which case does not matter; cosine when there is none.
  std::string SimilarityOf(const Column& column) const {
    for (const Index& index : table().indexes) {
      if (index.column != column.name) continue;
      const auto option = index.options.find("similarity_function");
      if (option == index.options.end()) continue;
      std::string name = option->second;
      std::ranges::transform(name, name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      });
      if (name == "euclidean" || name == "dot_product") return "similarity_" + name;
    }
    return "similarity_cosine";
  }

  // The feed gives rows as they change: there is nothing to choose, order or put together.
  CqlStatus CheckFeed() const {
    if (where().feed_start() == nullptr) return {};
    if (table().source != nullptr) return Invalid("System tables have no change feed");
    if (where().has_clustering() || where().partition_key_has_in() || where().uses_index()) {
      return Invalid("The change feed can be restricted by one partition key or by token() only");
    }
    if (plan_.is_aggregate() || plan_.is_distinct || !select_.order_by.empty() ||
        select_.per_partition_limit.has_value()) {
      return Invalid(
          "The change feed does not support aggregates, DISTINCT, GROUP BY, ORDER BY and PER "
          "PARTITION LIMIT");
    }
    return {};
  }

  CqlStatus PlanLimits() {
    const auto plan = [this](const std::optional<ast::Term>& term, std::string name,
                             ExpressionPtr& limit) -> CqlStatus {
      if (!term.has_value()) return {};
      const Receiver receiver{table().keyspace, table().name, std::move(name),
                              Type::Native(TypeKind::kInt)};
      CQL_ASSIGN(limit, values_.PlanValue(*term, receiver));
      return {};
    };
    CQL_TRY(plan(select_.per_partition_limit, "[per_partition_limit]", plan_.per_partition_limit));
    return plan(select_.limit, "[limit]", plan_.limit);
  }

  void Finish() {
    if (select_.selectors.empty()) {
      for (ColumnUse& use : plan_.uses) use.value = true;
    }
    for (const size_t place : where().filtered()) plan_.uses[place].value = true;
    for (const Column& column : table().statics()) {
      const ColumnUse& use = plan_.uses[PlaceOf(column)];
      plan_.reads_statics = plan_.reads_statics || use.value || use.times;
    }
    if (plan_.is_json) {
      for (size_t i = 0; i < plan_.result.size(); ++i)
        plan_.selection[i].json_name = std::move(plan_.result[i].name);
      plan_.result.clear();
      AddResult("[json]", *Type::Native(TypeKind::kText));
    }
    plan_.point = MakePointPlan(plan_);
  }

  const ast::Select& select_;
  const TermScope& scope_;
  Variables& variables_;
  TermPlanner selected_;
  TermPlanner values_;
  const SelectionNames names_;
  SelectPlan plan_;
};

}  // namespace

CqlResult<SelectPlan> PlanSelect(const ast::Select& select, TablePtr table, const TermScope& scope,
                                 Variables& variables) {
  return SelectPlanner(select, std::move(table), scope, variables).Plan();
}

}  // namespace orrery::cassandra
