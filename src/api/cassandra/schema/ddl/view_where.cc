#include "api/cassandra/schema/ddl/view_where.h"

#include <fmt/format.h>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/ddl/literal_value.h"
#include "api/cassandra/schema/ddl/table_rules.h"

namespace orrery::cassandra {
namespace {

using ast::RelationOperator;

class Checker {
 public:
  Checker(const Table& base, std::string_view view, Micros now)
      : base_(base), view_(view), now_(now) {}

  CqlStatus Add(const ast::Restriction& restriction) {
    const auto* relation = std::get_if<ast::Relation>(&restriction);
    if (relation == nullptr) {
      return Invalid(fmt::format(
          "WHERE clause for materialized view '{}' cannot contain custom index expressions",
          view_));
    }
    if (const auto* name = std::get_if<ast::Name>(&relation->left))
      return AddColumn(*name, *relation);
    if (const auto* entry = std::get_if<ast::MapEntry>(&relation->left)) {
      CQL_TRY(Restrict(entry->column, *relation));
      return {};
    }
    if (const auto* tuple = std::get_if<ast::ColumnTuple>(&relation->left)) {
      for (const ast::Name& name : tuple->columns) CQL_TRY(Restrict(name, *relation));
      return {};
    }
    return Invalid("Cannot use token relation when defining a materialized view");
  }

  bool Restricts(const std::string& column) const { return restricted_.contains(column); }
  const std::set<std::string>& illegal() const { return illegal_; }

 private:
  CqlResult<const Column*> Restrict(const ast::Name& name, const ast::Relation& relation) {
    const Column* column = base_.Find(name.text);
    if (column == nullptr) {
      return Invalid(fmt::format("Undefined column name {} in table {}", PrintName(name.text),
                                 TableText(base_)));
    }
    restricted_.insert(name.text);
    if (!column->is_key() && relation.op != RelationOperator::kIsNotNull)
      illegal_.insert(name.text);
    return column;
  }

  CqlStatus AddColumn(const ast::Name& name, const ast::Relation& relation) {
    CQL_ASSIGN(const Column* column, Restrict(name, relation));
    if (relation.op == RelationOperator::kContains ||
        relation.op == RelationOperator::kContainsKey || relation.op == RelationOperator::kLike)
      return {};
    if (const auto* term = std::get_if<ast::Term>(&relation.right))
      return CheckValue(*term, *column);
    if (const auto* terms = std::get_if<std::vector<ast::Term>>(&relation.right)) {
      for (const ast::Term& term : *terms) CQL_TRY(CheckValue(term, *column));
    }
    return {};
  }

  CqlStatus CheckValue(const ast::Term& term, const Column& column) const {
    if (term.As<ast::BindMarker>() != nullptr)
      return Invalid("Bind variables are not allowed in CREATE MATERIALIZED VIEW statements");
    CQL_TRY(LiteralValue(term, *column.type, column.name, now_));
    return {};
  }

  const Table& base_;
  const std::string_view view_;
  const Micros now_;
  std::set<std::string> restricted_;
  std::set<std::string> illegal_;
};

}  // namespace

CqlStatus CheckViewWhere(const Table& base, std::string_view view,
                         const std::set<std::string, std::less<>>& key,
                         const ast::WhereClause& where, Micros now) {
  Checker checker(base, view, now);
  for (const ast::Restriction& restriction : where) CQL_TRY(checker.Add(restriction));
  std::vector<std::string> open;
  for (const std::string& column : key) {
    if (!checker.Restricts(column)) open.push_back(column);
  }
  const auto itself = [](const std::string& name) { return name; };
  if (!open.empty()) {
    return Invalid(
        fmt::format("Primary key columns {} must be restricted with 'IS NOT NULL' or otherwise",
                    JoinNames(open, itself)));
  }
  if (!checker.illegal().empty()) {
    return Invalid(fmt::format(
        "Non-primary key columns can only be restricted with 'IS NOT NULL' (got: {} restricted "
        "illegally)",
        JoinNames(checker.illegal(), itself)));
  }
  return {};
}

}  // namespace orrery::cassandra
