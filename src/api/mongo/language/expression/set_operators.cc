#include <fmt/core.h>

#include <set>

#include "api/mongo/language/accumulator/accumulator.h"
#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/collator.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;
using model::Values;

struct ValueLess {
  const Collator* collator = nullptr;
  bool operator()(const Value& a, const Value& b) const {
    return CompareValues(a, b, collator) < 0;
  }
};
using ValueSet = std::set<Value, ValueLess>;

ValueSet SetOf(const Value& array, const Call& call) {
  return ValueSet(array.AsValues().begin(), array.AsValues().end(),
                  ValueLess{call.context.collator.get()});
}

Value ArrayOf(const ValueSet& set) { return Value::Array(Values(set.begin(), set.end())); }

std::unexpected<MongoError> NotAnArray(const Call& call, int32_t code, const Value& value) {
  return Refuse(code, fmt::format("All operands of {} must be arrays. One argument is of type: {}",
                                  call.name, BsonTypeName(value.kind())));
}

Answer<Value> AllElementsTrue(const Call& call) {
  const bool is_all = call.name == "$allElementsTrue";
  if (call[0].kind() != Kind::kArray) {
    return Refuse(is_all ? 17040 : 17041, fmt::format("{}'s argument must be an array, but is {}",
                                                      call.name, BsonTypeName(call[0].kind())));
  }
  for (const Value& value : call[0].AsValues()) {
    if (IsTrue(value) != is_all) return Value::Bool(!is_all);
  }
  return Value::Bool(is_all);
}

Answer<Value> SetDifference(const Call& call) {
  if (IsNullish(call[0]) || IsNullish(call[1])) return Value::Null();
  for (size_t i = 0; i < 2; ++i) {
    if (call[i].kind() != Kind::kArray) {
      return Refuse(i == 0 ? 17048 : 17049,
                    fmt::format("both operands of $setDifference must be arrays. {} argument is of "
                                "type: {}",
                                i == 0 ? "First" : "Second", BsonTypeName(call[i].kind())));
    }
  }
  ValueSet seen = SetOf(call[1], call);
  Values rest;
  for (const Value& value : call[0].AsValues()) {
    if (seen.insert(value).second) rest.push_back(value);
  }
  return Value::Array(std::move(rest));
}

Answer<Value> SetEquals(const Call& call) {
  if (call.arguments.size() < 2) {
    return Refuse(17045, fmt::format("$setEquals needs at least two arguments had: {}",
                                     call.arguments.size()));
  }
  std::optional<ValueSet> first;
  bool are_equal = true;
  for (const Value& value : call.arguments) {
    if (value.kind() != Kind::kArray) return NotAnArray(call, 17044, value);
    ValueSet set = SetOf(value, call);
    if (!first.has_value()) {
      first = std::move(set);
      continue;
    }
    are_equal = are_equal && set.size() == first->size() &&
                std::ranges::equal(set, *first, [&](const Value& a, const Value& b) {
                  return EqualValues(a, b, call.context.collator.get());
                });
  }
  return Value::Bool(are_equal);
}

Answer<Value> SetIntersection(const Call& call) {
  ValueSet common(ValueLess{call.context.collator.get()});
  for (size_t i = 0; i < call.size(); ++i) {
    if (IsNullish(call[i])) return Value::Null();
    if (call[i].kind() != Kind::kArray) return NotAnArray(call, 17047, call[i]);
    ValueSet set = SetOf(call[i], call);
    if (i == 0) {
      common = std::move(set);
      if (common.empty()) break;
      continue;
    }
    std::erase_if(common, [&](const Value& value) { return !set.contains(value); });
    // Nothing is left to be asked of the others.
    if (common.empty()) break;
  }
  return ArrayOf(common);
}

Answer<Value> SetIsSubset(const Call& call) {
  for (size_t i = 0; i < 2; ++i) {
    if (call[i].kind() != Kind::kArray) {
      return Refuse(i == 0 ? 17046 : 17042,
                    fmt::format("both operands of $setIsSubset must be arrays. {} argument is of "
                                "type: {}",
                                i == 0 ? "First" : "Second", BsonTypeName(call[i].kind())));
    }
  }
  const ValueSet whole = SetOf(call[1], call);
  return Value::Bool(std::ranges::all_of(
      call[0].AsValues(), [&](const Value& value) { return whole.contains(value); }));
}

Answer<Value> SetUnion(const Call& call) {
  ValueSet all(ValueLess{call.context.collator.get()});
  for (const Value& value : call.arguments) {
    if (IsNullish(value)) return Value::Null();
    if (value.kind() != Kind::kArray) return NotAnArray(call, 17043, value);
    all.insert(value.AsValues().begin(), value.AsValues().end());
  }
  return ArrayOf(all);
}

Outcome CheckEqualSets(std::string_view, std::span<const ExpressionPtr> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Value* set = arguments[i]->constant();
    if (set == nullptr || set->kind() == Kind::kArray) continue;
    return Refuse(5887502, fmt::format("All operands of $setEquals must be arrays. {}-th argument "
                                       "is of type: {}",
                                       i + 1, BsonTypeName(set->kind())));
  }
  return {};
}

Outcome CheckWholeSet(std::string_view, std::span<const ExpressionPtr> arguments) {
  const Value* whole = arguments[1]->constant();
  if (whole == nullptr || whole->kind() == Kind::kArray) return {};
  return Refuse(17311,
                fmt::format("both operands of $setIsSubset must be arrays. Second argument is "
                            "of type: {}",
                            BsonTypeName(whole->kind())));
}

constexpr ListOperator kSetOperators[] = {
    {"$allElementsTrue", 1, 1, AllElementsTrue},
    {"$anyElementTrue", 1, 1, AllElementsTrue},
    {"$setDifference", 2, 2, SetDifference},
    {"$setEquals", 0, kAnyArguments, SetEquals, true, CheckEqualSets},
    {"$setIntersection", 0, kAnyArguments, SetIntersection, true, nullptr, NullStop::kEach},
    {"$setIsSubset", 2, 2, SetIsSubset, true, CheckWholeSet},
    {"$setUnion", 0, kAnyArguments, SetUnion, true, nullptr, NullStop::kEach},
};

// $sum and the like over arguments: one array stands for its elements.
Answer<Value> Accumulate(const Call& call) {
  std::unique_ptr<Accumulator> state =
      call.name == "$sum"   ? MakeSum()
      : call.name == "$avg" ? MakeAverage()
      : call.name == "$min" ? MakeExtreme(false, call.context.collator)
      : call.name == "$max" ? MakeExtreme(true, call.context.collator)
                            : MakeDeviation(call.name == "$stdDevSamp");
  const std::span<const Value> values = call.size() == 1 && call[0].kind() == Kind::kArray
                                            ? std::span<const Value>(call[0].AsValues())
                                            : call.arguments;
  for (const Value& value : values) MONGO_TRY(state->Add(value));
  return state->Result();
}

constexpr ListOperator kAccumulatorOperators[] = {
    {"$sum", 0, kAnyArguments, Accumulate},       {"$avg", 0, kAnyArguments, Accumulate},
    {"$min", 0, kAnyArguments, Accumulate},       {"$max", 0, kAnyArguments, Accumulate},
    {"$stdDevPop", 0, kAnyArguments, Accumulate}, {"$stdDevSamp", 0, kAnyArguments, Accumulate},
};

}  // namespace

std::span<const ListOperator> SetOperators() { return kSetOperators; }
std::span<const ListOperator> AccumulatorOperators() { return kAccumulatorOperators; }

}  // namespace orrery::mongo
