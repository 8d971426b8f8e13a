#include "api/sql/query/plan/key_conditions.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/function/argument.h"
#include "api/sql/function/json_type.h"
#include "api/sql/query/bind/function_name.h"
#include "api/sql/query/bind/grouping.h"
#include "api/sql/query/bind/tree_walk.h"
#include "api/sql/query/condition/constant.h"
#include "api/sql/query/condition/document_paths.h"
#include "model/key/key_codec.h"

namespace orrery::sql {
namespace {

using ast::BinaryOperator;
using model::Value;

const ast::FunctionCall* BuiltInCall(const ast::Expression& expression) {
  const auto* call = expression.As<ast::FunctionCall>();
  return call != nullptr && !call->is_user_defined ? call : nullptr;
}

// The one argument of a call of the function; null when the expression is anything else.
const ast::Expression* ArgumentOf(std::string_view function, const ast::Expression& expression) {
  if (!IsCallOf(expression, function)) return nullptr;
  const auto& arguments = expression.As<ast::FunctionCall>()->arguments;
  return arguments.size() == 1 ? &arguments.front() : nullptr;
}

bool IsComparison(BinaryOperator op) {
  return op >= BinaryOperator::kEqual && op <= BinaryOperator::kGreaterOrEqual;
}

// The one text that a pattern of LIKE is true of; nothing when others are, too.
std::optional<std::string> TextOfPattern(std::string_view pattern,
                                         const std::optional<std::string>& escape) {
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (escape.has_value() && !escape->empty() && pattern.substr(i).starts_with(*escape)) {
      i += escape->size();
      if (i >= pattern.size()) return std::nullopt;
    } else if (pattern[i] == '%' || pattern[i] == '_' || pattern[i] == '[') {
      return std::nullopt;
    }
    text += pattern[i];
  }
  return text;
}

class KeyFinder {
 public:
  KeyFinder(const item::ContainerSchema& schema, const ConditionContext& context)
      : schema_(schema), context_(context), paths_(schema.partition_key_paths.size()) {}

  // Of documents of which the condition is true.
  KeySet Of(const ast::Expression& condition, const AliasPaths& aliases) const {
    if (const auto* logical = condition.As<ast::Logical>())
      return OfLogical(*logical, logical->op, aliases, &KeyFinder::Of);
    if (const auto* unary = condition.As<ast::Unary>();
        unary != nullptr && unary->op == ast::UnaryOperator::kNot)
      return OfOpposite(*unary->operand, aliases);
    if (const auto path = KeyPathOf(condition, aliases)) return At(*path, Value::Bool(true));
    if (const auto constant = ConstantOf(condition, context_)) return OfConstant(*constant, true);
    if (const auto* binary = condition.As<ast::Binary>()) return OfBinary(*binary, aliases);
    if (const auto* in = condition.As<ast::In>()) return OfIn(*in, aliases);
    if (const auto* like = condition.As<ast::Like>()) return OfLike(*like, aliases);
    if (const auto* call = BuiltInCall(condition)) return OfCall(*call, aliases);
    if (const auto* subquery = condition.As<ast::Subquery>();
        subquery != nullptr && subquery->kind == ast::SubqueryKind::kExists)
      return OfRowsOf(*subquery->query, aliases);
    return KeySet::All(paths_);
  }

 private:
  using Look = KeySet (KeyFinder::*)(const ast::Expression&, const AliasPaths&) const;

  KeySet OfLogical(const ast::Logical& logical, ast::LogicalOperator op, const AliasPaths& aliases,
                   Look look) const {
    const bool is_and = op == ast::LogicalOperator::kAnd;
    KeySet keys = is_and ? KeySet::All(paths_) : KeySet::None();
    for (const ast::Expression& operand : logical.operands) {
      if (is_and ? keys.is_empty() : keys.is_all()) break;
      KeySet next = (this->*look)(operand, aliases);
      if (is_and) {
        keys = KeySet::Intersect(std::move(keys), std::move(next));
      } else {
        keys.Add(std::move(next));
      }
    }
    return keys;
  }

  // Of documents of which the condition is false: not of those of which it is undefined.
  KeySet OfOpposite(const ast::Expression& condition, const AliasPaths& aliases) const {
    if (const auto* logical = condition.As<ast::Logical>()) {
      return OfLogical(*logical,
                       logical->op == ast::LogicalOperator::kAnd ? ast::LogicalOperator::kOr
                                                                 : ast::LogicalOperator::kAnd,
                       aliases, &KeyFinder::OfOpposite);
    }
    if (const auto* unary = condition.As<ast::Unary>();
        unary != nullptr && unary->op == ast::UnaryOperator::kNot)
      return Of(*unary->operand, aliases);
    if (const auto path = KeyPathOf(condition, aliases)) return At(*path, Value::Bool(false));
    if (const auto constant = ConstantOf(condition, context_)) return OfConstant(*constant, false);
    if (const auto* binary = condition.As<ast::Binary>();
        binary != nullptr && binary->op == BinaryOperator::kNotEqual)
      return OfEqual(*binary->left, *binary->right, aliases);
    if (const auto* argument = ArgumentOf("IS_DEFINED", condition)) {
      if (const auto path = KeyPathOf(*argument, aliases)) return At(*path, Value::Undefined());
    }
    return KeySet::All(paths_);
  }

  KeySet OfConstant(const Value& value, bool wanted) const {
    const bool is_wanted = value.kind() == model::Kind::kBool && value.AsBool() == wanted;
    return is_wanted ? KeySet::All(paths_) : KeySet::None();
  }

  KeySet OfBinary(const ast::Binary& binary, const AliasPaths& aliases) const {
    if (!IsComparison(binary.op)) return KeySet::All(paths_);
    KeySet keys = binary.op == BinaryOperator::kEqual
                      ? OfEqual(*binary.left, *binary.right, aliases)
                      : KeySet::All(paths_);
    for (const ast::Expression* operand : {binary.left.get(), binary.right.get()}) {
      // A scalar subquery without rows is undefined, and so is what is compared with it.
      const auto* subquery = operand->As<ast::Subquery>();
      if (subquery != nullptr && subquery->kind == ast::SubqueryKind::kScalar)
        keys = KeySet::Intersect(std::move(keys), OfRowsOf(*subquery->query, aliases));
    }
    return keys;
  }

  KeySet OfEqual(const ast::Expression& left, const ast::Expression& right,
                 const AliasPaths& aliases) const {
    if (auto keys = OfValue(left, right, aliases)) return *std::move(keys);
    if (auto keys = OfValue(right, left, aliases)) return *std::move(keys);
    return KeySet::All(paths_);
  }

  // Nothing unless it is a path of the key, or ABS of one, and a constant.
  std::optional<KeySet> OfValue(const ast::Expression& expression, const ast::Expression& value,
                                const AliasPaths& aliases) const {
    const ast::Expression* const absolute = ArgumentOf("ABS", expression);
    const auto path = KeyPathOf(absolute != nullptr ? *absolute : expression, aliases);
    if (!path.has_value()) return std::nullopt;
    const auto constant = ConstantOf(value, context_);
    if (!constant.has_value()) return std::nullopt;
    if (absolute == nullptr) return OfKeyValue(*path, *constant);
    const auto size = NumberOf(*constant);
    if (!size.has_value() || !(*size >= 0)) return KeySet::None();
    KeySet keys = At(*path, Value::Double(*size));
    if (*size > 0) keys.Add(At(*path, Value::Double(-*size)));
    return keys;
  }

  KeySet OfIn(const ast::In& in, const AliasPaths& aliases) const {
    const auto path = KeyPathOf(*in.value, aliases);
    if (in.negated || !path.has_value() || in.candidates.size() > KeySet::kPatternsMax)
      return KeySet::All(paths_);
    KeySet keys = KeySet::None();
    for (const ast::Expression& candidate : in.candidates) {
      const auto constant = ConstantOf(candidate, context_);
      if (!constant.has_value()) return KeySet::All(paths_);
      keys.Add(OfKeyValue(*path, *constant));
    }
    return keys;
  }

  KeySet OfLike(const ast::Like& like, const AliasPaths& aliases) const {
    const auto path = KeyPathOf(*like.value, aliases);
    if (like.negated || !path.has_value()) return KeySet::All(paths_);
    const auto pattern = ConstantOf(*like.pattern, context_);
    if (!pattern.has_value() || TypeOf(*pattern) != JsonType::kString) return KeySet::All(paths_);
    auto text = TextOfPattern(pattern->AsString(), like.escape);
    return text.has_value() ? At(*path, Value::String(*std::move(text))) : KeySet::All(paths_);
  }

  KeySet OfCall(const ast::FunctionCall& call, const AliasPaths& aliases) const {
    const std::string name = UpperCase(call.function.text);
    if (call.arguments.size() == 1) {
      const auto path = KeyPathOf(call.arguments.front(), aliases);
      if (!path.has_value()) return KeySet::All(paths_);
      if (name == "IS_NULL") return At(*path, Value::Null());
      if (name == "IS_BOOL" || name == "IS_BOOLEAN") {
        KeySet keys = At(*path, Value::Bool(false));
        keys.Add(At(*path, Value::Bool(true)));
        return keys;
      }
    }
    if (call.arguments.size() == 2 && (name == "ARRAY_CONTAINS" || name == "_TRY_ARRAY_CONTAINS"))
      return OfList(call.arguments[0], call.arguments[1], aliases);
    return KeySet::All(paths_);
  }

  // That a constant list has the key's value.
  KeySet OfList(const ast::Expression& list, const ast::Expression& value,
                const AliasPaths& aliases) const {
    const auto path = KeyPathOf(value, aliases);
    if (!path.has_value()) return KeySet::All(paths_);
    const auto values = ConstantOf(list, context_);
    if (!values.has_value()) return KeySet::All(paths_);
    if (values->kind() != model::Kind::kArray) return KeySet::None();
    if (values->AsValues().size() > KeySet::kPatternsMax) return KeySet::All(paths_);
    KeySet keys = KeySet::None();
    for (const Value& each : values->AsValues()) keys.Add(OfKeyValue(*path, each));
    return keys;
  }

  // Of documents for which a subquery has a row. An aggregate has one in any case.
  KeySet OfRowsOf(const ast::Query& query, const AliasPaths& aliases) const {
    if (!query.where.has_value()) return KeySet::All(paths_);
    bool has_aggregate = false;
    ForEachSelected(query.select, [&](const ast::Expression& expression) {
      has_aggregate = has_aggregate || HasAggregate(expression, context_.functions);
    });
    if (has_aggregate) return KeySet::All(paths_);
    AliasPaths inner = aliases;
    AddSourcePaths(query, 0, inner);
    return Of(*query.where, inner);
  }

  // Of documents that have the constant there. Undefined is equal to nothing. No document has a key
  // of arrays and objects: they stand where undefined does, as clients hash them.
  KeySet OfKeyValue(size_t path, const Value& value) const {
    if (value.is_undefined()) return KeySet::None();
    return At(path, IsPrimitive(TypeOf(value)) ? value : Value::Undefined());
  }

  KeySet At(size_t path, Value value) const {
    std::string encoded = model::EncodeKey(std::span(&value, 1), context_.order);
    return KeySet::At(paths_, path, {std::move(value), std::move(encoded)});
  }

  // Returns which of the key's paths the expression is.
  std::optional<size_t> KeyPathOf(const ast::Expression& expression,
                                  const AliasPaths& aliases) const {
    const auto at = PathOf(expression, aliases);
    if (!at.has_value() || context_.IsComputed(*at)) return std::nullopt;
    for (size_t i = 0; i < paths_; ++i)
      if (at->IsAt(schema_.partition_key_paths[i].steps())) return i;
    return std::nullopt;
  }

  const item::ContainerSchema& schema_;
  const ConditionContext& context_;
  const size_t paths_;
};

}  // namespace

KeySet PossibleKeysOf(const ast::Query& query, const item::ContainerSchema& schema,
                      const ConditionContext& context) {
  const ast::Query* const reader = ReaderOf(query);
  if (reader == nullptr) return KeySet::None();
  const KeyFinder finder(schema, context);
  KeySet keys = KeySet::All(schema.partition_key_paths.size());
  // Queries around the reader know nothing of keys, but their conditions may be constant.
  for (const ast::Query* at = &query;;) {
    if (at->where.has_value()) {
      keys = KeySet::Intersect(
          std::move(keys), finder.Of(*at->where, at == reader ? AliasPathsOf(*at) : AliasPaths()));
    }
    if (at == reader) return keys;
    at = std::get<ast::QueryPtr>(at->sources.front().collection).get();
  }
}

}  // namespace orrery::sql
