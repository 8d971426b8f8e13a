// Steps on lists: combine, merge, intersect, difference, disjunct, product and conjoin.
#include <algorithm>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

bool HasItem(const Values& items, const Value& item) {
  return std::ranges::any_of(items, [&](const Value& each) { return Equivalent(each, item); });
}

Value Combined(std::string_view name, const Values& a, const Values& b) {
  Values result;
  if (name == "product") {
    for (const Value& left : a) {
      for (const Value& right : b) result.push_back(Value::List({left, right}));
    }
    return Value::List(std::move(result));
  }
  if (name == "combine" || name == "merge") {
    result = a;
    result.insert(result.end(), b.begin(), b.end());
    return name == "combine" ? Value::List(std::move(result)) : MakeSet(result);
  }
  for (const Value& each : a) {
    if (HasItem(b, each) == (name == "intersect")) result.push_back(each);
  }
  if (name == "disjunct") {
    for (const Value& each : b) {
      if (!HasItem(a, each)) result.push_back(each);
    }
  }
  return MakeSet(result);
}

// A path is the list of its objects.
Value Iterable(const Value& value) {
  return value.type() == Type::kPath ? Value::List(value.AsPath().objects) : value;
}

Error WrongInput(const std::string& name, const Value& value) {
  if (value.is_null())
    return {Code::kInvalidArgument, "Incoming traverser for " + name + " step can't be null"};
  return {Code::kInvalidArgument,
          name +
              " step can only take an array or an Iterable type for incoming traversers, "
              "encountered " +
              std::string(TypeName(value.type()))};
}

class ListOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    const std::string& name = step().name;
    ChildResults results;
    const Child& child = step().children.front();
    if (child != nullptr) {
      ORRERY_ASSIGN(results, RunChild(run(), *child, in, ChildNeed::kFirst));
    }
    for (size_t i = 0; i < in.size(); ++i) {
      const Value value = Iterable(in[i].value);
      if (value.is_map() && name == "merge") {
        ORRERY_TRY(MergeMaps(in[i],
                             child != nullptr && !results[i].empty() ? results[i].front().value
                                                                     : step().args.front(),
                             out));
        continue;
      }
      if (!value.is_collection()) return Fail(WrongInput(name, value));
      Value other = step().args.front();
      if (child != nullptr) {
        other = results[i].empty() ? Value::Null() : Iterable(results[i].front().value);
        if (!other.is_collection()) {
          return Fail(Code::kInvalidArgument,
                      "traversal argument for " + name + " step must yield an iterable type, " +
                          (other.is_null() ? "not null"
                                           : "encountered " + std::string(TypeName(other.type()))));
        }
      }
      if (other.is_null())
        return Fail(Code::kInvalidArgument,
                    "Argument provided for " + name + " step can't be null");
      if (!other.is_collection()) {
        return Fail(Code::kInvalidArgument,
                    name +
                        " step can only take an array or an Iterable as an argument, "
                        "encountered " +
                        std::string(TypeName(other.type())));
      }
      ORRERY_ASSIGN(Traverser moved,
                    run().Moved(in[i], Combined(name, value.AsItems(), other.AsItems())));
      out.push_back(std::move(moved));
    }
    return {};
  }

 private:
  Status MergeMaps(const Traverser& traverser, const Value& other, Batch& out) {
    if (!other.is_map()) {
      return Fail(Code::kInvalidArgument,
                  "merge step expected provided argument to evaluate to a Map, encountered " +
                      std::string(TypeName(other.type())));
    }
    ValueMap map = traverser.value.AsMap();
    for (const ValueMap::Entry& entry : other.AsMap().entries()) map.Set(entry.key, entry.value);
    ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, Value::Map(std::move(map))));
    out.push_back(std::move(moved));
    return {};
  }
};

class ConjoinOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    const std::string& delimiter = step().args.front().AsString();
    for (const Traverser& traverser : in) {
      const Value list = Iterable(traverser.value);
      if (!list.is_collection()) return Fail(WrongInput("conjoin", list));
      std::string text;
      bool any = false;
      for (const Value& item : list.AsItems()) {
        if (item.is_null()) continue;
        if (any) text += delimiter;
        text += ToText(item);
        any = true;
      }
      ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, Value::String(std::move(text))));
      out.push_back(std::move(moved));
    }
    return {};
  }
};

}  // namespace

MadeOperator MakeListOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  static constexpr std::string_view kListSteps[] = {"combine",    "merge",    "intersect",
                                                    "difference", "disjunct", "product"};
  const std::string& name = step.name;
  const bool is_list = std::ranges::find(kListSteps, name) != std::end(kListSteps);
  if (!is_list && name != "conjoin") return nullptr;
  if (step.args.size() != 1) return Fail(Code::kInvalidArgument, name + "() takes one argument");
  if (is_list) return std::make_unique<ListOperator>(run, step, pipeline);
  if (!step.args.front().is_string())
    return Fail(Code::kInvalidArgument, "conjoin() takes a string");
  return std::make_unique<ConjoinOperator>(run, step, pipeline);
}

}  // namespace orrery::gremlin
