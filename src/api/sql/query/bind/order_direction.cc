#include "api/sql/query/bind/order_direction.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "api/sql/query/bind/function_name.h"

namespace orrery::sql {
namespace {

bool SaysEuclidean(const ast::FunctionCall& call) {
  if (call.arguments.size() < 4) return false;
  const auto* options = call.arguments[3].As<ast::ObjectConstructor>();
  if (options == nullptr) return false;
  return std::ranges::any_of(options->properties, [](const ast::ObjectProperty& property) {
    const auto* text = property.value.As<ast::String>();
    return property.name == "distanceFunction" && text != nullptr &&
           SameLetters(text->text, "euclidean");
  });
}

}  // namespace

bool IsWrittenVectorDistance(const ast::Expression& expression) {
  return IsCallOf(expression, "vectordistance");
}

bool IsVectorDistance(const ast::Expression& expression) {
  return IsWrittenVectorDistance(expression) || IsCallOf(expression, "_vectorscore");
}

bool IsDescendingByDefault(const ast::Expression& expression) {
  return IsVectorDistance(expression) && !SaysEuclidean(*expression.As<ast::FunctionCall>());
}

bool IsDescending(const ast::Ordering& ordering) {
  if (ordering.order.has_value()) return *ordering.order == ast::SortOrder::kDescending;
  return IsDescendingByDefault(ordering.value);
}

}  // namespace orrery::sql
