// Steps that look at where a traverser came from: path, select, project, as, sack, math.
#include <algorithm>
#include <cmath>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/executor/math_expression.h"
#include "api/gremlin/value/arithmetic.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

// One value for each traverser, or none.
class EachLook final : public BatchOperator {
 public:
  using Make = std::function<Result<std::optional<Value>>(const Traverser&)>;
  EachLook(Run& run, const Step& step, const Pipeline& pipeline, Make make)
      : BatchOperator(run, step, pipeline), make_(std::move(make)) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& traverser : in) {
      ORRERY_ASSIGN(std::optional<Value> value, make_(traverser));
      if (!value.has_value()) continue;
      ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, *std::move(value)));
      out.push_back(std::move(moved));
    }
    return {};
  }

 private:
  const Make make_;
};

Result<std::optional<Value>> PathOf(Run& run, const Step& step, const Traverser& traverser) {
  std::vector<const PathNode*> nodes;
  for (const PathNode* node = traverser.path.get(); node != nullptr; node = node->parent.get())
    nodes.push_back(node);
  std::ranges::reverse(nodes);
  const auto has = [](const PathNode* node, const std::string& label) {
    return std::ranges::find(node->labels, label) != node->labels.end();
  };
  if (step.from.has_value()) {
    const auto at =
        std::ranges::find_if(nodes, [&](const PathNode* n) { return has(n, step.from->label); });
    nodes.erase(nodes.begin(), at);
  }
  if (step.to.has_value()) {
    const auto at =
        std::ranges::find_if(nodes, [&](const PathNode* n) { return has(n, step.to->label); });
    if (at != nodes.end()) nodes.erase(at + 1, nodes.end());
  }
  Path path;
  for (size_t i = 0; i < nodes.size(); ++i) {
    ORRERY_ASSIGN(const Looks looks, LookBy(run, ByAt(step, i), {traverser}, {nodes[i]->value}));
    if (!looks.front().has_value()) return std::nullopt;
    path.objects.push_back(*looks.front());
    path.labels.push_back(nodes[i]->labels);
  }
  return Value(std::make_shared<const Path>(std::move(path)));
}

Pop PopOf(const Value& constant) {
  const std::string& name = constant.AsEnum().name;
  return name == "first"   ? Pop::kFirst
         : name == "all"   ? Pop::kAll
         : name == "mixed" ? Pop::kMixed
                           : Pop::kLast;
}

Result<std::optional<Value>> Selected(Run& run, const Step& step, Pop pop,
                                      const std::vector<std::string>& names, const Traverser& t) {
  if (names.size() == 1) {
    const auto value = ScopeValue(run, t, names.front(), pop);
    if (!value.has_value()) return std::nullopt;
    ORRERY_ASSIGN(const Looks looks, LookBy(run, ByAt(step, 0), {t}, {*value}));
    return looks.front();
  }
  ValueMap map;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto value = ScopeValue(run, t, names[i], pop);
    if (!value.has_value()) return std::nullopt;
    ORRERY_ASSIGN(const Looks looks, LookBy(run, ByAt(step, i), {t}, {*value}));
    if (!looks.front().has_value()) return std::nullopt;
    map.Set(names[i], *looks.front());
  }
  return Value::Map(std::move(map));
}

// project(): one look for each key, for the whole batch.
class ProjectOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    std::vector<ValueMap> maps(in.size());
    for (size_t k = 0; k < step().args.size(); ++k) {
      ORRERY_ASSIGN(const Looks looks, LookBy(run(), ByAt(step(), k), in));
      for (size_t i = 0; i < in.size(); ++i) {
        if (looks[i].has_value()) maps[i].Set(step().args[k].AsString(), *looks[i]);
      }
    }
    for (size_t i = 0; i < in.size(); ++i) {
      ORRERY_ASSIGN(Traverser moved, run().Moved(in[i], Value::Map(std::move(maps[i]))));
      out.push_back(std::move(moved));
    }
    return {};
  }
};

// The begin of a where() whose traversal begins with as(): goes to the label's value.
class WhereStart final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    for (Traverser& traverser : in) {
      ORRERY_ASSIGN(Value value, LabelValue(run(), traverser, step().labels.front()));
      ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, std::move(value)));
      out.push_back(std::move(moved));
    }
    return {};
  }

 public:
  static Result<Value> LabelValue(Run& run, const Traverser& traverser, const std::string& label) {
    auto value = ScopeValue(run, traverser, label, Pop::kLast);
    if (value.has_value()) return *std::move(value);
    return Fail(Code::kInvalidArgument,
                "Neither the map, sideEffects, nor path has a " + label + "-key: where()");
  }
};

// The end of one that ends with as(): only what is the label's value passes.
class WhereEnd final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    for (Traverser& traverser : in) {
      ORRERY_ASSIGN(const Value value,
                    WhereStart::LabelValue(run(), traverser, step().labels.front()));
      if (Equivalent(value, traverser.value)) out.push_back(std::move(traverser));
    }
    return {};
  }
};

// sack(operator).by(...)
class SackOperator final : public BatchOperator {
 public:
  SackOperator(Run& run, const Step& step, const Pipeline& pipeline, std::string name)
      : BatchOperator(run, step, pipeline), name_(std::move(name)) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    ORRERY_ASSIGN(const Looks looks, LookBy(run(), LastBy(step()), in));
    for (size_t i = 0; i < in.size(); ++i) {
      if (!looks[i].has_value()) continue;
      ORRERY_ASSIGN(in[i].sack, CombineValues(name_, in[i].sack, *looks[i]));
      out.push_back(std::move(in[i]));
    }
    return {};
  }

 private:
  const std::string name_;
};

}  // namespace

MadeOperator MakePathOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  const std::string& name = step.name;
  const auto make = [&](EachLook::Make each) -> MadeOperator {
    return std::make_unique<EachLook>(run, step, pipeline, std::move(each));
  };
  if (name == "path")
    return make([&run, &step](const Traverser& t) { return PathOf(run, step, t); });
  if (name == kWhereStart) return std::make_unique<WhereStart>(run, step, pipeline);
  if (name == kWhereEnd) return std::make_unique<WhereEnd>(run, step, pipeline);
  if (name == "project") {
    if (step.args.empty() ||
        !std::ranges::all_of(step.args, [](const Value& arg) { return arg.is_string(); }))
      return Fail(Code::kInvalidArgument, "project() takes names");
    return std::make_unique<ProjectOperator>(run, step, pipeline);
  }
  if (name == "select") {
    Pop pop = Pop::kLast;
    std::vector<std::string> names;
    for (size_t i = 0; i < step.args.size(); ++i) {
      const Value& arg = step.args[i];
      if (arg.is_enum("Pop")) {
        pop = PopOf(arg);
      } else if (arg.is_enum("Column")) {
        By by{.kind = By::Kind::kColumn, .name = arg.AsEnum().name};
        return make([&run, by](const Traverser& t) -> Result<std::optional<Value>> {
          ORRERY_ASSIGN(const Looks looks, LookBy(run, by, {t}));
          if (!looks.front().has_value()) {
            return Fail(Code::kInvalidArgument, "The provided object does not have accessible " +
                                                    by.name + ": " + ToText(t.value));
          }
          return looks.front();
        });
      } else if (arg.is_string()) {
        names.push_back(arg.AsString());
      } else if (step.children[i] != nullptr) {
        return make([&run, &step, pop,
                     child = step.children[i]](const Traverser& t) -> Result<std::optional<Value>> {
          ORRERY_ASSIGN(const ChildResults results, RunChild(run, *child, {t}, ChildNeed::kFirst));
          if (results.front().empty()) return std::nullopt;
          const Value& key = results.front().front().value;
          if (t.value.is_map()) {
            const Value* found = t.value.AsMap().Find(key);
            if (found == nullptr) return std::nullopt;
            ORRERY_ASSIGN(Looks looks, LookBy(run, ByAt(step, 0), {t}, {*found}));
            return std::move(looks.front());
          }
          return Selected(run, step, pop, {ToText(key)}, t);
        });
      } else {
        return Fail(Code::kInvalidArgument, "select() takes labels, a column or a traversal");
      }
    }
    if (names.empty()) return Fail(Code::kInvalidArgument, "select() needs a label");
    return make([&run, &step, pop, names](const Traverser& t) {
      return Selected(run, step, pop, names, t);
    });
  }
  if (name == "sack") {
    if (step.args.empty())
      return make([](const Traverser& t) -> Result<std::optional<Value>> { return t.sack; });
    if (!step.args.front().is_enum("Operator"))
      return Fail(Code::kInvalidArgument, "sack() takes an Operator");
    return std::make_unique<SackOperator>(run, step, pipeline, step.args.front().AsEnum().name);
  }
  if (name == "math") {
    if (step.args.size() != 1 || !step.args.front().is_string())
      return Fail(Code::kInvalidArgument, "math() takes an expression");
    ORRERY_ASSIGN(auto parsed, MathExpression::Parse(step.args.front().AsString()));
    auto expression = std::make_shared<const MathExpression>(std::move(parsed));
    return make([&run, &step, expression](const Traverser& t) -> Result<std::optional<Value>> {
      std::vector<double> numbers;
      for (size_t i = 0; i < expression->variables().size(); ++i) {
        const std::string& variable = expression->variables()[i];
        const auto value =
            variable == "_" ? std::optional(t.value) : ScopeValue(run, t, variable, Pop::kLast);
        if (const auto constant = MathConstant(variable);
            !value.has_value() && constant.has_value()) {
          numbers.push_back(*constant);
          continue;
        }
        if (!value.has_value()) {
          return Fail(Code::kInvalidArgument,
                      "The variable " + variable +
                          " for math() step must resolve to a Number - it is instead of type null "
                          "with value null");
        }
        ORRERY_ASSIGN(const Looks looks, LookBy(run, ByAt(step, i), {t}, {*value}));
        if (!looks.front().has_value()) return std::nullopt;
        if (!looks.front()->is_number())
          return Fail(Code::kInvalidArgument,
                      "The variable " + variable +
                          " for math() step must resolve to a Number - it is instead of type " +
                          std::string(TypeName(looks.front()->type())) + " with value " +
                          ToText(*looks.front()));
        numbers.push_back(ToDouble(*looks.front()));
      }
      ORRERY_ASSIGN(const double result, expression->Evaluate(std::move(numbers)));
      return Value::Double(result);
    });
  }
  return nullptr;
}

}  // namespace orrery::gremlin
