// count, sum, min, max, mean, fold and order, over the stream or within a collection.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/executor/math_expression.h"
#include "api/gremlin/value/arithmetic.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

struct Counted {
  Value value;
  int64_t bulk = 1;
};

// The number in the type that it has together with another.
Result<Value> Widened(const Value& number, const Value& other) {
  if (number.type() == other.type() || !std::isfinite(ToDouble(other))) return number;
  ORRERY_ASSIGN(const Value zero, Calculate(Arithmetic::kSubtract, other, other));
  return Calculate(Arithmetic::kAdd, number, zero);
}

// The result over some values; nullopt if there is none.
Result<std::optional<Value>> Reduce(std::string_view name, const std::vector<Counted>& values,
                                    bool is_global) {
  if (name == "count") {
    int64_t count = 0;
    for (const Counted& each : values) count += each.bulk;
    return Value::Long(count);
  }
  if (name == "fold") {
    Values items;
    for (const Counted& each : values)
      items.insert(items.end(), static_cast<size_t>(each.bulk), each.value);
    return Value::List(std::move(items));
  }
  std::optional<Value> result;
  int64_t count = 0;
  for (const Counted& each : values) {
    if (each.value.is_null()) {
      if (!result.has_value()) result = Value::Null();
      continue;
    }
    if (!result.has_value() || result->is_null()) {
      result = each.value;
      if (name == "sum" || name == "mean") {
        if (!each.value.is_number())
          return Fail(Code::kInvalidArgument,
                      std::string(name) + "() takes numbers, not " + ToText(each.value));
        // TinkerPop multiplies by the bulk, a long: ints become longs, floats doubles.
        if (is_global) {
          ORRERY_ASSIGN(result,
                        Calculate(Arithmetic::kMultiply, each.value, Value::Long(each.bulk)));
        }
      }
      count += each.bulk;
      continue;
    }
    count += each.bulk;
    if (name == "sum" || name == "mean") {
      Value part = each.value;
      if (is_global) {
        ORRERY_ASSIGN(part, Calculate(Arithmetic::kMultiply, part, Value::Long(each.bulk)));
      }
      ORRERY_ASSIGN(result, Calculate(Arithmetic::kAdd, *result, part));
      continue;
    }
    const auto order = Compare(each.value, *result);
    if (!order.has_value())
      return Fail(Code::kInvalidArgument, std::string(name) + "() cannot compare " +
                                              ToText(each.value) + " with " + ToText(*result));
    const Value other = *result;
    if (name == "min" ? *order < 0 : *order > 0) result = each.value;
    // The type is the wider of the two, as of a sum.
    if (result->is_number() && each.value.is_number() && other.is_number()) {
      const Value& unused = Equivalent(*result, other) ? each.value : other;
      ORRERY_ASSIGN(result, Widened(*result, unused));
    }
  }
  if (name == "mean" && result.has_value() && !result->is_null()) {
    ORRERY_ASSIGN(result, Divide(*result, count));
  }
  return result;
}

// fold(seed, operator)
class SeedFoldOperator final : public BarrierOperator {
 public:
  using BarrierOperator::BarrierOperator;

 protected:
  Status Gather(Batch in, Batch& out) override {
    std::map<uint32_t, Value> results;
    for (const uint32_t tag : pipeline().tags()) results.emplace(tag, step().args[0]);
    for (const Traverser& traverser : in) {
      Value& result = results.try_emplace(traverser.tag, step().args[0]).first->second;
      for (int64_t n = 0; n < traverser.bulk; ++n) {
        ORRERY_TRY(run().Check(1));
        ORRERY_ASSIGN(result, CombineValues(step().args[1].AsEnum().name, result, traverser.value));
      }
    }
    for (auto& [tag, result] : results) out.push_back(run().Start(std::move(result), tag));
    return {};
  }
};

class ReduceOperator final : public BarrierOperator {
 public:
  using BarrierOperator::BarrierOperator;

 protected:
  Status Gather(Batch in, Batch& out) override {
    std::map<uint32_t, std::vector<Counted>> groups;
    for (const uint32_t tag : pipeline().tags()) groups[tag];
    for (Traverser& traverser : in)
      groups[traverser.tag].push_back({std::move(traverser.value), traverser.bulk});
    for (const auto& [tag, values] : groups) {
      ORRERY_ASSIGN(std::optional<Value> result, Reduce(step().name, values, true));
      if (result.has_value()) out.push_back(run().Start(*std::move(result), tag));
    }
    return {};
  }
};

// The same within a collection.
class LocalReduce final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& traverser : in) {
      std::vector<Counted> items;
      const Value& value = traverser.value;
      if (value.is_collection()) {
        for (const Value& item : value.AsItems()) items.push_back({item, 1});
      } else if (value.is_map()) {
        for (const auto& entry : value.AsMap().entries()) items.push_back({entry.value, 1});
      } else if (value.type() == Type::kPath) {
        for (const Value& item : value.AsPath().objects) items.push_back({item, 1});
      } else if (value.type() == Type::kTree) {
        for (const Tree::Branch& branch : value.AsTree().branches) items.push_back({branch.key, 1});
      } else {
        items.push_back({value, 1});
      }
      ORRERY_ASSIGN(std::optional<Value> result, Reduce(step().name, items, false));
      if (!result.has_value()) continue;
      ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, *std::move(result)));
      out.push_back(std::move(moved));
    }
    return {};
  }
};

// Sorts positions by the step's by()s; those without a value are left out.
Result<std::vector<size_t>> SortedPositions(Run& run, const Step& step, const Batch& traversers) {
  const size_t keys = std::max<size_t>(step.bys.size(), 1);
  std::vector<Looks> looks;
  std::vector<bool> kept(traversers.size(), true);
  for (size_t k = 0; k < keys; ++k) {
    ORRERY_ASSIGN(Looks look, LookBy(run, ByAt(step, k), traversers));
    for (size_t i = 0; i < look.size(); ++i) kept[i] = kept[i] && look[i].has_value();
    looks.push_back(std::move(look));
  }
  std::vector<size_t> order;
  for (size_t i = 0; i < traversers.size(); ++i) {
    if (kept[i]) order.push_back(i);
  }
  if (ByAt(step, 0).order == By::Order::kShuffle) {
    std::ranges::shuffle(order, run.random());
    return order;
  }
  std::ranges::sort(order, [&](size_t a, size_t b) {
    for (size_t k = 0; k < keys; ++k) {
      const auto relation = Order(*looks[k][a], *looks[k][b]);
      if (relation == 0) continue;
      return ByAt(step, k).order == By::Order::kDescending ? relation > 0 : relation < 0;
    }
    return a < b;
  });
  return order;
}

class OrderOperator final : public BarrierOperator {
 public:
  using BarrierOperator::BarrierOperator;

 protected:
  Status Gather(Batch in, Batch& out) override {
    ORRERY_ASSIGN(const std::vector<size_t> order, SortedPositions(run(), step(), in));
    // Traversers of one tag stay in their order; tags are told apart afterwards anyhow.
    for (const size_t i : order) out.push_back(std::move(in[i]));
    return {};
  }
};

class LocalOrder final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    for (Traverser& traverser : in) {
      const Value value = traverser.value;
      if (!value.is_collection() && !value.is_map()) {
        out.push_back(std::move(traverser));
        continue;
      }
      Batch items;
      if (value.is_map()) {
        for (const auto& entry : value.AsMap().entries()) {
          Traverser item = traverser;
          item.value =
              Value(std::make_shared<const PropertyRef>(PropertyRef{entry.key, entry.value, {}}));
          items.push_back(std::move(item));
        }
      } else {
        for (const Value& each : value.AsItems()) {
          Traverser item = traverser;
          item.value = each;
          items.push_back(std::move(item));
        }
      }
      ORRERY_ASSIGN(const std::vector<size_t> order, SortedPositions(run(), step(), items));
      Value sorted;
      if (value.is_map()) {
        ValueMap map;
        for (const size_t i : order)
          map.Set(items[i].value.AsProperty().key, items[i].value.AsProperty().value);
        sorted = Value::Map(std::move(map));
      } else {
        Values list;
        for (const size_t i : order) list.push_back(items[i].value);
        sorted = Value::List(std::move(list));
      }
      ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, std::move(sorted)));
      out.push_back(std::move(moved));
    }
    return {};
  }
};

class LocalDedup final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& traverser : in) {
      Value value =
          traverser.value.is_collection() ? MakeSet(traverser.value.AsItems()) : traverser.value;
      ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, std::move(value)));
      out.push_back(std::move(moved));
    }
    return {};
  }
};

}  // namespace

MadeOperator MakeReduceOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  const std::string& name = step.name;
  const bool local = !step.args.empty() && step.args.front().is_enum("Scope", "local");
  if (name == "count" || name == "sum" || name == "min" || name == "max" || name == "mean" ||
      (name == "fold" && step.args.empty())) {
    if (local) return std::make_unique<LocalReduce>(run, step, pipeline);
    return std::make_unique<ReduceOperator>(run, step, pipeline);
  }
  if (name == "fold" && step.args.size() == 2 && step.args[1].is_enum("Operator"))
    return std::make_unique<SeedFoldOperator>(run, step, pipeline);
  if (name == "order") {
    if (local) return std::make_unique<LocalOrder>(run, step, pipeline);
    return std::make_unique<OrderOperator>(run, step, pipeline);
  }
  if (name == "dedup" && local) return std::make_unique<LocalDedup>(run, step, pipeline);
  return nullptr;
}

}  // namespace orrery::gremlin
