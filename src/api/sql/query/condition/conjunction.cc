#include "api/sql/query/condition/conjunction.h"

namespace orrery::sql {
namespace {

void Visit(const ast::Expression& condition,
           const std::function<void(const ast::Expression&)>& visit) {
  const auto* logical = condition.As<ast::Logical>();
  if (logical == nullptr || logical->op != ast::LogicalOperator::kAnd) return visit(condition);
  for (const ast::Expression& operand : logical->operands) Visit(operand, visit);
}

}  // namespace

void ForEachCondition(const ast::Query& query,
                      const std::function<void(const ast::Expression&)>& visit) {
  if (query.where.has_value()) Visit(*query.where, visit);
}

}  // namespace orrery::sql
