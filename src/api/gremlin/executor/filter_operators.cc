// Steps that let traversers pass or not.
#include <algorithm>
#include <unordered_set>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/executor/test_value.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

// Filters by a function of each traverser.
class EachFilter final : public BatchOperator {
 public:
  using Accepts = std::function<Result<bool>(const Traverser&)>;
  // `unknown` is set by the function where it has no answer.
  EachFilter(Run& run, const Step& step, const Pipeline& pipeline, Accepts accepts,
             std::shared_ptr<bool> unknown)
      : BatchOperator(run, step, pipeline),
        accepts_(std::move(accepts)),
        unknown_(std::move(unknown)) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    for (Traverser& traverser : in) {
      *unknown_ = false;
      ORRERY_ASSIGN(const bool passes, accepts_(traverser));
      if (!passes && *unknown_) pipeline().NoteUnknown(traverser.tag);
      if (passes) out.push_back(std::move(traverser));
    }
    return {};
  }

 private:
  const Accepts accepts_;
  const std::shared_ptr<bool> unknown_;
};

// Filters by a function of a whole batch.
class BatchFilter final : public BatchOperator {
 public:
  using Accepts = std::function<Result<std::vector<Truth>>(const Batch&)>;
  BatchFilter(Run& run, const Step& step, const Pipeline& pipeline, Accepts accepts)
      : BatchOperator(run, step, pipeline), accepts_(std::move(accepts)) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    ORRERY_ASSIGN(const std::vector<Truth> truths, accepts_(in));
    for (size_t i = 0; i < in.size(); ++i) {
      if (truths[i] == Truth::kUnknown) pipeline().NoteUnknown(in[i].tag);
      if (truths[i] == Truth::kTrue) out.push_back(std::move(in[i]));
    }
    return {};
  }

 private:
  const Accepts accepts_;
};

Result<bool> IdPasses(const Value& test, const Value& id, bool& unknown) {
  if (test.type() != Type::kPredicate) {
    if (test.is_element()) return IdText(*IdOf(test)) == IdText(id);
    return IsIdType(test.type()) && IdText(test) == IdText(id);
  }
  const Predicate& predicate = test.AsPredicate();
  if (predicate.comparison == Comparison::kEq || predicate.comparison == Comparison::kWithin) {
    return std::ranges::any_of(predicate.values, [&](const Value& value) {
      return IsIdType(value.type()) && IdText(value) == IdText(id);
    });
  }
  return Passes(test, id, unknown);
}

// Returns whether one value of the property passes.
Result<bool> PropertyPasses(const Run& run, const Value& element, const std::string& key,
                            const Value& test, bool& unknown) {
  const Value newest = run.graph().Newest(element);
  if (newest.type() == Type::kVertex) {
    for (const VertexProperty& property : newest.AsVertex()->properties) {
      if (property.key != key) continue;
      ORRERY_ASSIGN(const bool passes, Passes(test, property.value, unknown));
      if (passes) return true;
    }
    if (const bool pseudo = key == "id" || key == "label" || key.starts_with('_'); !pseudo)
      return false;
  }
  if (key == "id" && IdOf(newest) != nullptr) return IdPasses(test, *IdOf(newest), unknown);
  const auto value = PropertyValue(run, newest, key);
  return value.has_value() ? Passes(test, *value, unknown) : Result<bool>(false);
}

bool HasProperty(const Run& run, const Value& element, const std::string& key) {
  return PropertyValue(run, element, key).has_value();
}

using Check = EachFilter::Accepts;

Result<Check> HasCheck(Run& run, const Step& step, const std::shared_ptr<bool>& unknown) {
  const Values& args = step.args;
  if (args.empty() || args.size() > 3)
    return Fail(Code::kInvalidArgument, "has() takes one to three arguments");
  size_t at = 0;
  std::optional<Value> label;
  if (args.size() == 3) {
    label = args[0];
    at = 1;
  }
  const Value key = args[at];
  if (key.is_null()) return Check([](const Traverser&) { return false; });
  if (!key.is_string() && !key.is_enum("T"))
    return Fail(Code::kInvalidArgument,
                "has() takes a property key or a token, not " + ToText(key));
  if (args.size() == 1) {
    return Check([&run, key](const Traverser& t) -> Result<bool> {
      return key.is_string() && HasProperty(run, t.value, key.AsString());
    });
  }
  const Value test = args[at + 1];
  const Child child = step.children[at + 1];
  // With a label in front a traversal is a value that nothing equals.
  if (child != nullptr && label.has_value()) return Check([](const Traverser&) { return false; });
  if (child != nullptr) {
    return Check([&run, key, child](const Traverser& t) -> Result<bool> {
      const auto value = key.is_string() ? PropertyValue(run, t.value, key.AsString())
                                         : TokenValue(t.value, key.AsEnum().name);
      if (!value.has_value()) return false;
      Traverser placed = t;
      placed.value = *value;
      ORRERY_ASSIGN(const auto passes, TestChild(run, *child, {placed}));
      return static_cast<bool>(passes.front());
    });
  }
  return Check([&run, key, test, label, unknown](const Traverser& t) -> Result<bool> {
    if (label.has_value()) {
      const std::string* own = LabelOf(t.value);
      if (own == nullptr) return false;
      ORRERY_ASSIGN(const bool passes, Passes(*label, Value::String(*own), *unknown));
      if (!passes) return false;
    }
    if (key.is_string()) return PropertyPasses(run, t.value, key.AsString(), test, *unknown);
    const auto token = TokenValue(t.value, key.AsEnum().name);
    if (!token.has_value()) return false;
    return key.AsEnum().name == "id" ? IdPasses(test, *token, *unknown)
                                     : Passes(test, *token, *unknown);
  });
}

// hasLabel, hasKey, hasValue, hasId: one of the arguments is met.
Result<Check> AnyCheck(const Step& step, std::string_view token,
                       const std::shared_ptr<bool>& unknown) {
  Values tests;
  for (const Value& arg : step.args) {
    if (arg.is_collection() && step.args.size() == 1) {
      tests = arg.AsItems();
    } else {
      tests.push_back(arg);
    }
  }
  const bool is_id = token == "id";
  return Check(
      [tests, is_id, unknown, token = std::string(token)](const Traverser& t) -> Result<bool> {
        const auto value = TokenValue(t.value, token);
        if (!value.has_value()) return false;
        for (const Value& test : tests) {
          if (test.is_null()) continue;
          ORRERY_ASSIGN(const bool passes,
                        is_id ? IdPasses(test, *value, *unknown) : Passes(test, *value, *unknown));
          if (passes) return true;
        }
        return false;
      });
}

// A predicate whose values are names of labels, with what they stand for. Nullopt: one is missing.
Result<std::optional<Value>> Resolved(Run& run, const Step& step, size_t& by,
                                      const Predicate& predicate, const Traverser& traverser) {
  Predicate resolved{.comparison = predicate.comparison, .values = {}, .parts = {}};
  for (const auto& part : predicate.parts) {
    ORRERY_ASSIGN(const std::optional<Value> inner, Resolved(run, step, by, *part, traverser));
    if (!inner.has_value()) return std::nullopt;
    resolved.parts.push_back(inner->predicate());
  }
  for (const Value& name : predicate.values) {
    if (!name.is_string())
      return Fail(Code::kInvalidArgument, "where() compares with labels: strings");
    const auto value = ScopeValue(run, traverser, name.AsString(), Pop::kLast);
    if (!value.has_value()) return std::nullopt;
    // A side effect that is a collection gives its members.
    if ((predicate.comparison == Comparison::kWithin ||
         predicate.comparison == Comparison::kWithout) &&
        value->is_collection()) {
      std::ranges::copy(value->AsItems(), std::back_inserter(resolved.values));
      continue;
    }
    ORRERY_ASSIGN(const Looks looks, LookBy(run, ByAt(step, by), {traverser}, {*value}));
    if (!looks.front().has_value()) return std::nullopt;
    resolved.values.push_back(*looks.front());
  }
  if (!predicate.values.empty()) ++by;
  return Value(std::make_shared<const Predicate>(std::move(resolved)));
}

Result<Check> WhereCheck(Run& run, const Step& step, const std::shared_ptr<bool>& unknown) {
  const bool named = step.args.size() == 2;
  if (step.args.empty() || step.args.size() > 2 || step.args.back().type() != Type::kPredicate ||
      (named && !step.args.front().is_string()))
    return Fail(Code::kInvalidArgument, "where() takes a traversal, or a label and a predicate");
  return Check([&run, &step, named, unknown](const Traverser& t) -> Result<bool> {
    Value left = t.value;
    if (named) {
      const auto found = ScopeValue(run, t, step.args.front().AsString(), Pop::kLast);
      if (!found.has_value()) return false;
      left = *found;
    }
    ORRERY_ASSIGN(const Looks looks, LookBy(run, ByAt(step, 0), {t}, {left}));
    if (!looks.front().has_value()) return false;
    size_t by = 1;
    ORRERY_ASSIGN(const std::optional<Value> predicate,
                  Resolved(run, step, by, step.args.back().AsPredicate(), t));
    if (!predicate.has_value()) return false;
    return Passes(*predicate, *looks.front(), *unknown);
  });
}

Result<std::vector<Truth>> Connected(Run& run, const Step& step, const Batch& in) {
  const bool is_and = step.name == "and";
  const Truth settled = is_and ? Truth::kFalse : Truth::kTrue;
  std::vector<Truth> truths(in.size(), Not(settled));
  for (const Child& child : step.children) {
    if (child == nullptr) return Fail(Code::kInvalidArgument, step.name + "() takes traversals");
    // What is settled is not asked any more.
    Batch asked;
    std::vector<size_t> places;
    for (size_t i = 0; i < in.size(); ++i) {
      if (truths[i] == settled) continue;
      asked.push_back(in[i]);
      places.push_back(i);
    }
    ORRERY_ASSIGN(const std::vector<Truth> each, JudgeChild(run, *child, asked));
    for (size_t k = 0; k < places.size(); ++k) {
      Truth& truth = truths[places[k]];
      truth = is_and ? And(truth, each[k]) : Or(truth, each[k]);
    }
  }
  return truths;
}

// dedup(): the first of each value stays.
class DedupOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    Batch kept;
    Looks looks;
    Values names;
    for (const Value& arg : step().args) {
      if (arg.is_string()) names.push_back(arg);
    }
    if (names.empty()) {
      ORRERY_ASSIGN(looks, LookBy(run(), LastBy(step()), in));
    } else {
      looks.resize(in.size());
      for (size_t i = 0; i < in.size(); ++i) {
        Values key;
        for (const Value& name : names) {
          const auto value = ScopeValue(run(), in[i], name.AsString(), Pop::kLast);
          if (!value.has_value()) break;
          ORRERY_ASSIGN(const Looks look, LookBy(run(), LastBy(step()), {in[i]}, {*value}));
          if (look.front().has_value()) key.push_back(*look.front());
        }
        if (key.size() == names.size()) looks[i] = Value::List(std::move(key));
      }
    }
    for (size_t i = 0; i < in.size(); ++i) {
      if (!looks[i].has_value() || !seen_[in[i].tag].insert(*looks[i]).second) continue;
      ORRERY_TRY(run().Keep(1));
      in[i].bulk = 1;
      out.push_back(std::move(in[i]));
    }
    return {};
  }

 private:
  std::map<uint32_t, std::unordered_set<Value, ValueHash, ValueEquivalent>> seen_;
};

// Returns whether no object of the path, from one label to another, is there twice. Nullopt if a
// by() has no value.
Result<std::optional<bool>> IsSimple(Run& run, const Step& step, const Traverser& traverser) {
  std::vector<const PathNode*> nodes;
  for (const PathNode* node = traverser.path.get(); node != nullptr; node = node->parent.get())
    nodes.push_back(node);
  std::ranges::reverse(nodes);
  const auto labelled = [&](const std::string& label) {
    return std::ranges::find_if(nodes, [&](const PathNode* node) {
      return std::ranges::find(node->labels, label) != node->labels.end();
    });
  };
  if (step.to.has_value()) {
    if (const auto at = labelled(step.to->label); at != nodes.end())
      nodes.erase(at + 1, nodes.end());
  }
  if (step.from.has_value()) nodes.erase(nodes.begin(), labelled(step.from->label));
  std::unordered_set<Value, ValueHash, ValueEquivalent> seen;
  bool simple = true;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (step.bys.empty()) {
      simple = seen.insert(nodes[i]->value).second && simple;
      continue;
    }
    ORRERY_ASSIGN(const Looks looks, LookBy(run, ByAt(step, i), {traverser}, {nodes[i]->value}));
    if (!looks.front().has_value()) return std::nullopt;
    simple = seen.insert(*looks.front()).second && simple;
  }
  return simple;
}

Result<bool> AllOrAny(const Step& step, const Traverser& t) {
  if (!t.value.is_collection()) return false;
  const bool all = step.name == "all";
  for (const Value& item : t.value.AsItems()) {
    ORRERY_ASSIGN(const bool passes, Passes(step.args.front(), item));
    if (passes != all) return !all;
  }
  return all;
}

}  // namespace

MadeOperator MakeFilterOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  const std::string& name = step.name;
  const auto unknown = std::make_shared<bool>(false);
  const auto each = [&](Check check) -> MadeOperator {
    return std::make_unique<EachFilter>(run, step, pipeline, std::move(check), unknown);
  };
  const auto batch = [&](BatchFilter::Accepts accepts) -> MadeOperator {
    return std::make_unique<BatchFilter>(run, step, pipeline, std::move(accepts));
  };
  const auto checked = [&](Result<Check> check) -> MadeOperator {
    if (!check.has_value()) return Fail(std::move(check).error());
    return each(*std::move(check));
  };
  const Child child = step.children.empty() ? nullptr : step.children.front();
  if (name == "has") return checked(HasCheck(run, step, unknown));
  if (name == "hasLabel") return checked(AnyCheck(step, "label", unknown));
  if (name == "hasId") return checked(AnyCheck(step, "id", unknown));
  if (name == "hasKey") return checked(AnyCheck(step, "key", unknown));
  if (name == "hasValue") return checked(AnyCheck(step, "value", unknown));
  if (name == "hasNot") {
    if (step.args.size() != 1 || !step.args.front().is_string())
      return Fail(Code::kInvalidArgument, "hasNot() takes a property key");
    return each([&run, key = step.args.front().AsString()](const Traverser& t) -> Result<bool> {
      return !HasProperty(run, t.value, key);
    });
  }
  if (name == "is") {
    if (step.args.size() != 1)
      return Fail(Code::kInvalidArgument, "is() takes one value or predicate");
    return each([test = step.args.front(), unknown](const Traverser& t) {
      return Passes(test, t.value, *unknown);
    });
  }
  if (name == "and" || name == "or")
    return batch([&run, &step](const Batch& in) { return Connected(run, step, in); });
  if (name == "not" || ((name == "filter" || name == "where") && child != nullptr)) {
    if (child == nullptr) return Fail(Code::kInvalidArgument, name + "() takes a traversal");
    return batch(
        [&run, child, negates = name == "not"](const Batch& in) -> Result<std::vector<Truth>> {
          ORRERY_ASSIGN(std::vector<Truth> truths, JudgeChild(run, *child, in));
          if (negates) std::ranges::transform(truths, truths.begin(), Not);
          return truths;
        });
  }
  if (name == "filter") {
    if (step.args.size() != 1) return Fail(Code::kInvalidArgument, "filter() takes a traversal");
    return each([test = step.args.front()](const Traverser& t) { return Passes(test, t.value); });
  }
  if (name == "where") return checked(WhereCheck(run, step, unknown));
  if (name == "dedup" && (step.args.empty() || !step.args.front().is_enum("Scope", "local")))
    return std::make_unique<DedupOperator>(run, step, pipeline);
  if (name == "coin") {
    if (step.args.size() != 1 || !step.args.front().is_number())
      return Fail(Code::kInvalidArgument, "coin() takes a probability");
    const double chance = step.args.front().is_integer()
                              ? static_cast<double>(step.args.front().AsInteger())
                          : step.args.front().is_floating() ? step.args.front().AsFloating()
                                                            : 0.5;
    return each([&run, chance](const Traverser&) -> Result<bool> {
      return std::uniform_real_distribution<double>(0, 1)(run.random()) < chance;
    });
  }
  if (name == "simplePath" || name == "cyclicPath")
    return each([&run, &step](const Traverser& t) -> Result<bool> {
      ORRERY_ASSIGN(const std::optional<bool> simple, IsSimple(run, step, t));
      return simple.has_value() && *simple == (step.name == "simplePath");
    });
  if (name == "discard" || (name == "none" && step.args.empty()))
    return each([](const Traverser&) -> Result<bool> { return false; });
  if ((name == "all" || name == "any") &&
      (step.args.size() != 1 || step.args.front().type() != Type::kPredicate))
    return Fail(Code::kInvalidArgument, name + "() takes one predicate, such as gt(0)");
  if (name == "all" || name == "any")
    return each([&step](const Traverser& t) { return AllOrAny(step, t); });
  return nullptr;
}

}  // namespace orrery::gremlin
