#include "api/sql/query/subquery/subquery_expression.h"

#include <utility>

#include "api/sql/function/limits.h"
#include "api/sql/function/operator/truth.h"
#include "api/sql/function/value_size.h"
#include "api/sql/query/run/operator_plan_maker.h"
#include "query/operator/pipeline.h"

namespace orrery::sql {
namespace {

using ast::SubqueryKind;
using model::Value;

class SubqueryNode final : public BoundExpression {
 public:
  SubqueryNode(SubqueryKind kind, BoundQuery query, const QueryLimits& limits)
      : kind_(kind), query_(std::move(query)), plan_(OperatorPlanOf(query_)), limits_(limits) {}

  Result<const Value*> Evaluate(Frame& frame, Value& scratch) const override {
    query::Pipeline rows(plan_, frame, nullptr, limits_);
    ORRERY_ASSIGN(scratch, Reduce(rows));
    return &scratch;
  }

 private:
  Result<Value> Reduce(query::Pipeline& rows) const {
    query::OutputRow row;
    switch (kind_) {
      case SubqueryKind::kScalar:
        return Scalar(rows);
      case SubqueryKind::kExists: {
        ORRERY_ASSIGN(const bool found, rows.Next(row));
        return Value::Bool(found);
      }
      case SubqueryKind::kArray:
        return Array(rows);
      case SubqueryKind::kAll:
        return All(rows);
      case SubqueryKind::kFirst: {
        ORRERY_ASSIGN(const bool found, rows.Next(row));
        return found ? std::move(row.value) : Value::Undefined();
      }
      case SubqueryKind::kLast:
        return Last(rows);
    }
    return Value::Undefined();
  }

  static Result<Value> Scalar(query::Pipeline& rows) {
    query::OutputRow row;
    ORRERY_ASSIGN(const bool found, rows.Next(row));
    if (!found) return Value::Undefined();
    query::OutputRow second;
    ORRERY_ASSIGN(const bool is_several, rows.Next(second));
    if (is_several) {
      return Fail(Code::kInvalidArgument,
                  "The cardinality of a scalar subquery result set cannot be greater than one.");
    }
    return std::move(row.value);
  }

  static Result<Value> Array(query::Pipeline& rows) {
    model::Values values;
    size_t bytes = 0;
    while (true) {
      query::OutputRow row;
      ORRERY_ASSIGN(const bool found, rows.Next(row));
      if (!found) return Value::Array(std::move(values));
      bytes += ApproximateBytes(row.value);
      ORRERY_TRY(CheckResultElements(values.size() + 1, bytes));
      values.push_back(std::move(row.value));
    }
  }

  static Result<Value> All(query::Pipeline& rows) {
    Truth all = Truth::kTrue;
    while (all != Truth::kFalse) {
      query::OutputRow row;
      ORRERY_ASSIGN(const bool found, rows.Next(row));
      if (!found) break;
      all = And(all, TruthOf(row.value));
    }
    return ToValue(all);
  }

  static Result<Value> Last(query::Pipeline& rows) {
    Value last;
    while (true) {
      query::OutputRow row;
      ORRERY_ASSIGN(const bool found, rows.Next(row));
      if (!found) return last;
      last = std::move(row.value);
    }
  }

  const SubqueryKind kind_;
  const BoundQuery query_;
  const query::OperatorPlan plan_;  // of it
  const QueryLimits& limits_;
};

}  // namespace

BoundExpressionPtr SubqueryExpression(SubqueryKind kind, BoundQuery query,
                                      const QueryLimits& limits) {
  return std::make_unique<SubqueryNode>(kind, std::move(query), limits);
}

}  // namespace orrery::sql
