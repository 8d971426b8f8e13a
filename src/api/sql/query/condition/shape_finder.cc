#include "api/sql/query/condition/shape_finder.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "api/sql/function/argument.h"
#include "api/sql/query/condition/conjunction.h"
#include "api/sql/query/condition/constant.h"
#include "api/sql/query/condition/document_paths.h"
#include "model/expression/letter_case.h"

namespace orrery::sql {
namespace {

using ast::BinaryOperator;
using query::ShapeCondition;

class ShapeConditionFinder {
 public:
  ShapeConditionFinder(const ConditionContext& context, AliasPaths aliases,
                       std::vector<ShapeCondition>& found)
      : context_(context), aliases_(std::move(aliases)), found_(found) {}

  void LookAt(const ast::Expression& condition) {
    if (const auto* call = condition.As<ast::FunctionCall>()) {
      if (IsCallOf(*call, "ST_WITHIN") || IsCallOf(*call, "ST_INTERSECTS")) Add(*call, 0);
    } else if (const auto* binary = condition.As<ast::Binary>()) {
      if (binary->op == BinaryOperator::kLess || binary->op == BinaryOperator::kLessOrEqual)
        AddDistance(*binary->left, *binary->right);
      if (binary->op == BinaryOperator::kGreater || binary->op == BinaryOperator::kGreaterOrEqual)
        AddDistance(*binary->right, *binary->left);
    } else if (const auto* between = condition.As<ast::Between>()) {
      if (!between->negated) AddDistance(*between->value, *between->high);
    }
  }

 private:
  static bool IsCallOf(const ast::FunctionCall& call, std::string_view name) {
    return !call.is_user_defined && call.arguments.size() == 2 &&
           model::ToUpperCase(call.function.text) == name;
  }

  // That the distance is below the limit.
  void AddDistance(const ast::Expression& distance, const ast::Expression& limit) {
    const auto* call = distance.As<ast::FunctionCall>();
    if (call == nullptr || !IsCallOf(*call, "ST_DISTANCE")) return;
    const auto constant = ConstantOf(limit, context_);
    const auto metres = constant.has_value() ? NumberOf(*constant) : std::nullopt;
    if (metres.has_value() && std::isfinite(*metres)) Add(*call, std::max(*metres, 0.0));
  }

  // A path of documents and a constant shape, in either order.
  void Add(const ast::FunctionCall& call, double metres) {
    for (const size_t at : {0, 1}) {
      const auto path = PathOf(call.arguments[at], aliases_);
      if (!path.has_value() || context_.IsComputed(*path) || context_.IsBeyondIndexes(*path))
        continue;
      const auto constant = ConstantOf(call.arguments[1 - at], context_);
      if (!constant.has_value()) continue;
      auto shape = model::ReadGeometry(*constant);
      if (shape.has_value()) found_.push_back({*path, *std::move(shape), metres});
    }
  }

  const ConditionContext& context_;
  const AliasPaths aliases_;
  std::vector<ShapeCondition>& found_;
};

}  // namespace

std::vector<ShapeCondition> ShapeConditionsOf(const ast::Query& reader,
                                              const ConditionContext& context) {
  std::vector<ShapeCondition> found;
  ShapeConditionFinder finder(context, AliasPathsOf(reader), found);
  ForEachCondition(reader, [&](const ast::Expression& condition) { finder.LookAt(condition); });
  return found;
}

}  // namespace orrery::sql
