#include "api/sql/query/condition/predicate_finder.h"

#include <functional>
#include <string>
#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/function/json_type.h"
#include "api/sql/query/bind/function_name.h"
#include "api/sql/query/bind/grouping.h"
#include "api/sql/query/bind/tree_walk.h"
#include "api/sql/query/condition/conjunction.h"
#include "api/sql/query/condition/constant.h"
#include "api/sql/query/condition/document_paths.h"
#include "query/predicate/predicate_builder.h"

namespace orrery::sql {
namespace {

using ast::BinaryOperator;
using model::Value;
using query::Comparison;
using query::DocumentPath;
using query::Predicate;
using query::PredicateBuilder;

// The path that IS_DEFINED asks for, if that is the condition.
std::optional<DocumentPath> DefinedPathOf(const ast::Expression& condition,
                                          const AliasPaths& aliases) {
  const auto* call = condition.As<ast::FunctionCall>();
  if (call == nullptr || call->is_user_defined || call->arguments.size() != 1 ||
      UpperCase(call->function.text) != "IS_DEFINED")
    return std::nullopt;
  auto path = PathOf(call->arguments.front(), aliases);
  if (!path.has_value() || path->has_elements()) return std::nullopt;
  return path;
}

class PredicateFinder {
 public:
  PredicateFinder(const ConditionContext& context, std::vector<Predicate>& found)
      : context_(context), builder_(context.order), found_(found) {}

  void Look(const ast::Expression& condition, const AliasPaths& aliases) {
    if (const auto* logical = condition.As<ast::Logical>()) {
      if (logical->op == ast::LogicalOperator::kOr) return LookAtAlternatives(*logical, aliases);
      for (const ast::Expression& operand : logical->operands) Look(operand, aliases);
    } else if (const auto* binary = condition.As<ast::Binary>()) {
      LookAt(*binary, aliases);
    } else if (const auto* between = condition.As<ast::Between>()) {
      LookAt(*between, aliases);
    } else if (const auto* in = condition.As<ast::In>()) {
      LookAt(*in, aliases);
    } else if (const auto* like = condition.As<ast::Like>()) {
      LookAt(*like, aliases);
    } else if (const auto* call = condition.As<ast::FunctionCall>()) {
      LookAt(*call, aliases);
    } else if (const auto* subquery = condition.As<ast::Subquery>()) {
      LookAt(*subquery, aliases);
    } else if (const auto* unary = condition.As<ast::Unary>()) {
      LookAt(*unary, aliases);
    } else if (const auto path = PathOf(condition, aliases)) {
      Add(builder_.Equal(*path, Value::Bool(true)));
    }
  }

 private:
  void LookAt(const ast::Binary& binary, const AliasPaths& aliases) {
    LookAt(binary, binary.op, aliases);
  }

  void LookAt(const ast::Binary& binary, BinaryOperator op, const AliasPaths& aliases) {
    auto path = PathOf(*binary.left, aliases);
    auto constant = ConstantOf(*binary.right);
    if (!path.has_value() || !constant.has_value()) {
      path = PathOf(*binary.right, aliases);
      constant = ConstantOf(*binary.left);
      op = Mirrored(op);
    }
    if (!path.has_value() || !constant.has_value()) return;
    if (const auto comparison = ComparisonOf(op))
      Add(builder_.Compare(*path, *comparison, *constant));
  }

  void LookAt(const ast::Between& between, const AliasPaths& aliases) {
    const auto path = PathOf(*between.value, aliases);
    const auto low = ConstantOf(*between.low);
    const auto high = ConstantOf(*between.high);
    if (between.negated || !path.has_value() || !low.has_value() || !high.has_value()) return;
    Add(builder_.Between(*path, *low, *high));
  }

  void LookAt(const ast::In& in, const AliasPaths& aliases) {
    const auto path = PathOf(*in.value, aliases);
    if (in.negated || !path.has_value() || in.candidates.size() > query::kListedValuesMax) return;
    std::vector<Value> values;
    for (const ast::Expression& candidate : in.candidates) {
      auto constant = ConstantOf(candidate);
      if (!constant.has_value()) return;
      values.push_back(*std::move(constant));
    }
    Add(builder_.AnyOf(*path, std::move(values)));
  }

  // Alternatives that each want one value, or one of several, of the same path: a list of values.
  void LookAtAlternatives(const ast::Logical& alternatives, const AliasPaths& aliases) {
    if (alternatives.operands.size() > query::kListedValuesMax) return;
    std::optional<DocumentPath> path;
    std::vector<Value> values;
    for (const ast::Expression& operand : alternatives.operands) {
      std::vector<Predicate> found;
      PredicateFinder(context_, found).Look(operand, aliases);
      const auto listed = std::ranges::find_if(found, [&](const Predicate& predicate) {
        return (predicate.equal.has_value() || !predicate.any_of.empty()) &&
               (!path.has_value() || predicate.path == *path);
      });
      if (listed == found.end()) return;
      path = listed->path;
      if (listed->equal.has_value()) values.push_back(*listed->equal);
      values.insert(values.end(), listed->any_of.begin(), listed->any_of.end());
      if (values.size() > query::kListedValuesMax) return;
    }
    Add(builder_.AnyOf(*path, std::move(values)));
  }

  // Uses the text before the first wildcard.
  void LookAt(const ast::Like& like, const AliasPaths& aliases) {
    const auto path = PathOf(*like.value, aliases);
    const auto pattern = ConstantOf(*like.pattern);
    if (like.negated || like.escape.has_value() || !path.has_value() || !pattern.has_value() ||
        TypeOf(*pattern) != JsonType::kString)
      return;
    const std::string& text = pattern->AsString();
    const size_t end = text.find_first_of("%_[");
    if (end == std::string::npos) return Add(builder_.Equal(*path, *pattern));
    if (end > 0) Add(builder_.Prefix(*path, text.substr(0, end)));
  }

  void LookAt(const ast::FunctionCall& call, const AliasPaths& aliases) {
    if (call.is_user_defined || call.arguments.empty()) return;
    const auto path = PathOf(call.arguments[0], aliases);
    const std::string name = UpperCase(call.function.text);
    if (!path.has_value()) {
      if (name == "ARRAY_CONTAINS" && call.arguments.size() == 2) LookAtList(call, aliases);
      return;
    }
    if (call.arguments.size() == 1) {
      if (name == "IS_NULL") Add(builder_.Equal(*path, Value::Null()));
      if (name == "IS_BOOL" || name == "IS_BOOLEAN") Add(builder_.TypeOf(*path, Value::Bool(true)));
      if (name == "IS_NUMBER") Add(builder_.TypeOf(*path, Value::Int32(0)));
      if (name == "IS_STRING") Add(builder_.TypeOf(*path, Value::String("")));
      if (name == "IS_ARRAY") Add(builder_.NestedTypeOf(*path, model::Kind::kArray));
      if (name == "IS_OBJECT") Add(builder_.NestedTypeOf(*path, model::Kind::kObject));
      return;
    }
    if (call.arguments.size() != 2) return;
    const auto constant = ConstantOf(call.arguments[1]);
    if (!constant.has_value()) return;
    if (name == "ARRAY_CONTAINS") Add(builder_.Equal(path->Element(), *constant));
    if (name == "STARTSWITH" && TypeOf(*constant) == JsonType::kString)
      Add(builder_.Prefix(*path, constant->AsString()));
  }

  // A constant list that has the value there: one of several.
  void LookAtList(const ast::FunctionCall& call, const AliasPaths& aliases) {
    const auto path = PathOf(call.arguments[1], aliases);
    const auto list = sql::ConstantOf(call.arguments[0], context_);
    if (!path.has_value() || !list.has_value() || TypeOf(*list) != JsonType::kArray) return;
    const auto& values = list->AsValues();
    // Indexes have no arrays and objects.
    if (values.empty() || values.size() > query::kListedValuesMax ||
        !std::ranges::all_of(values, [](const Value& v) { return IsPrimitive(TypeOf(v)); }))
      return;
    Add(builder_.AnyOf(*path, values));
  }

  void LookAt(const ast::Unary& unary, const AliasPaths& aliases) {
    if (unary.op != ast::UnaryOperator::kNot) return;
    if (const auto* compared = unary.operand->As<ast::Binary>()) {
      // "Not less" is "at least" here: values of other types are neither.
      if (const auto opposite = OppositeOf(compared->op)) LookAt(*compared, *opposite, aliases);
      return;
    }
    LookAtAbsence(unary, aliases);
  }

  // That nothing is there: in the index of a path that the policy names exactly.
  void LookAtAbsence(const ast::Unary& unary, const AliasPaths& aliases) {
    const auto path = DefinedPathOf(*unary.operand, aliases);
    if (!path.has_value() || context_.schema == nullptr ||
        !path->IsIndexedWhenAbsent(*context_.schema))
      return;
    Add(builder_.Absent(*path));
  }

  // EXISTS implies the subquery's own condition. An aggregate exists in any case.
  void LookAt(const ast::Subquery& subquery, const AliasPaths& aliases) {
    const ast::Query& query = *subquery.query;
    if (subquery.kind != ast::SubqueryKind::kExists || !query.where.has_value()) return;
    bool has_aggregate = false;
    ForEachSelected(query.select, [&](const ast::Expression& expression) {
      has_aggregate = has_aggregate || HasAggregate(expression, context_.functions);
    });
    if (has_aggregate) return;
    AliasPaths inner = aliases;
    AddSourcePaths(query, 0, inner);
    Look(*query.where, inner);
  }

  static std::optional<BinaryOperator> OppositeOf(BinaryOperator op) {
    switch (op) {
      case BinaryOperator::kLess:
        return BinaryOperator::kGreaterOrEqual;
      case BinaryOperator::kLessOrEqual:
        return BinaryOperator::kGreater;
      case BinaryOperator::kGreater:
        return BinaryOperator::kLessOrEqual;
      case BinaryOperator::kGreaterOrEqual:
        return BinaryOperator::kLess;
      case BinaryOperator::kNotEqual:
        return BinaryOperator::kEqual;
      default:
        return std::nullopt;
    }
  }

  static std::optional<Comparison> ComparisonOf(BinaryOperator op) {
    switch (op) {
      case BinaryOperator::kEqual:
        return Comparison::kEqual;
      case BinaryOperator::kLess:
        return Comparison::kLess;
      case BinaryOperator::kLessOrEqual:
        return Comparison::kLessOrEqual;
      case BinaryOperator::kGreater:
        return Comparison::kGreater;
      case BinaryOperator::kGreaterOrEqual:
        return Comparison::kGreaterOrEqual;
      default:
        return std::nullopt;
    }
  }

  static BinaryOperator Mirrored(BinaryOperator op) {
    switch (op) {
      case BinaryOperator::kLess:
        return BinaryOperator::kGreater;
      case BinaryOperator::kLessOrEqual:
        return BinaryOperator::kGreaterOrEqual;
      case BinaryOperator::kGreater:
        return BinaryOperator::kLess;
      case BinaryOperator::kGreaterOrEqual:
        return BinaryOperator::kLessOrEqual;
      default:
        return op;
    }
  }

  // Values that indexes have.
  std::optional<Value> ConstantOf(const ast::Expression& expression) const {
    auto value = sql::ConstantOf(expression, context_);
    if (!value.has_value() || !IsPrimitive(TypeOf(*value))) return std::nullopt;
    return value;
  }

  void Add(std::optional<Predicate> predicate) {
    if (predicate.has_value()) found_.push_back(*std::move(predicate));
  }

  const ConditionContext& context_;
  const PredicateBuilder builder_;
  std::vector<Predicate>& found_;
};

std::vector<Predicate> PredicatesOf(const ast::Expression& condition, const AliasPaths& aliases,
                                    const ConditionContext& context) {
  std::vector<Predicate> found;
  PredicateFinder(context, found).Look(condition, aliases);
  std::erase_if(
      found, [&](const Predicate& predicate) { return context.IsBeyondIndexes(predicate.path); });
  return found;
}

// A scalar there, or an array or object.
query::Disjuncts PresenceAt(const DocumentPath& path, const ConditionContext& context) {
  // System properties are in every document, also where no index has them.
  if (context.IsBeyondIndexes(path) || IsSystemProperty(path.steps.front().name)) return {};
  return PredicateBuilder(context.order).Present(path);
}

void ForEachDisjunct(const ast::Logical& disjunction,
                     const std::function<void(const ast::Expression&)>& visit) {
  for (const ast::Expression& operand : disjunction.operands) {
    const auto* logical = operand.As<ast::Logical>();
    if (logical != nullptr && logical->op == ast::LogicalOperator::kOr) {
      ForEachDisjunct(*logical, visit);
    } else {
      visit(operand);
    }
  }
}

}  // namespace

std::vector<Predicate> PredicatesOf(const ast::Query& reader, const ConditionContext& context) {
  if (!reader.where.has_value()) return {};
  return PredicatesOf(*reader.where, AliasPathsOf(reader), context);
}

std::vector<query::Disjuncts> DisjunctionsOf(const ast::Query& reader,
                                             const ConditionContext& context) {
  std::vector<query::Disjuncts> found;
  if (!reader.where.has_value()) return found;
  const AliasPaths aliases = AliasPathsOf(reader);
  ForEachCondition(reader, [&](const ast::Expression& condition) {
    if (const auto path = DefinedPathOf(condition, aliases)) {
      if (auto presence = PresenceAt(*path, context); !presence.empty())
        found.push_back(std::move(presence));
      return;
    }
    const auto* logical = condition.As<ast::Logical>();
    if (logical == nullptr || logical->op != ast::LogicalOperator::kOr) return;
    query::Disjuncts& disjuncts = found.emplace_back();
    ForEachDisjunct(*logical, [&](const ast::Expression& disjunct) {
      disjuncts.push_back(PredicatesOf(disjunct, aliases, context));
    });
  });
  return found;
}

}  // namespace orrery::sql
