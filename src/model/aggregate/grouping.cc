#include "model/aggregate/grouping.h"

#include <algorithm>

#include "model/aggregate/mongo_accumulators.h"
#include "model/aggregate/sql_accumulators.h"

namespace orrery::model {
namespace {

bool IsLiteral(const Expression& expression) { return expression.op() == Operator::kLiteral; }

}  // namespace

bool Grouping::reads_documents() const {
  return !std::ranges::all_of(keys, IsLiteral) ||
         !std::ranges::all_of(aggregates, IsLiteral, &Aggregate::argument);
}

std::unique_ptr<Accumulator> StartAggregate(AggregateOperator op) {
  switch (op) {
    case AggregateOperator::kSqlCount:
      break;
    case AggregateOperator::kSqlCountIf:
      return sql::StartCountIf();
    case AggregateOperator::kSqlSum:
      return sql::StartSum();
    case AggregateOperator::kSqlAverage:
      return sql::StartAverage();
    case AggregateOperator::kSqlMin:
      return sql::StartMin();
    case AggregateOperator::kSqlMax:
      return sql::StartMax();
    case AggregateOperator::kMongoSum:
      return StartMongoSum();
    case AggregateOperator::kMongoAverage:
      return StartMongoAverage();
    case AggregateOperator::kMongoMin:
      return StartMongoExtreme(/*is_max=*/false);
    case AggregateOperator::kMongoMax:
      return StartMongoExtreme(/*is_max=*/true);
  }
  return sql::StartCount();
}

}  // namespace orrery::model
