#include <compare>

#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/value/collator.h"

namespace orrery::mongo {
namespace {

using model::Value;

std::weak_ordering OrderOf(const Call& call) {
  return CompareValues(call[0], call[1], call.context.collator.get());
}

Answer<Value> Equal(const Call& call) { return Value::Bool(OrderOf(call) == 0); }
Answer<Value> NotEqual(const Call& call) { return Value::Bool(OrderOf(call) != 0); }
Answer<Value> Greater(const Call& call) { return Value::Bool(OrderOf(call) > 0); }
Answer<Value> GreaterOrEqual(const Call& call) { return Value::Bool(OrderOf(call) >= 0); }
Answer<Value> Less(const Call& call) { return Value::Bool(OrderOf(call) < 0); }
Answer<Value> LessOrEqual(const Call& call) { return Value::Bool(OrderOf(call) <= 0); }
Answer<Value> CompareTwo(const Call& call) {
  const std::weak_ordering order = OrderOf(call);
  return Value::Int32(order < 0 ? -1 : order > 0 ? 1 : 0);
}
Answer<Value> Not(const Call& call) { return Value::Bool(!IsTrue(call[0])); }

constexpr ListOperator kBooleanOperators[] = {
    {"$eq", 2, 2, Equal},           {"$ne", 2, 2, NotEqual}, {"$gt", 2, 2, Greater},
    {"$gte", 2, 2, GreaterOrEqual}, {"$lt", 2, 2, Less},     {"$lte", 2, 2, LessOrEqual},
    {"$cmp", 2, 2, CompareTwo},     {"$not", 1, 1, Not},
};

}  // namespace

std::span<const ListOperator> BooleanOperators() { return kBooleanOperators; }

}  // namespace orrery::mongo
